//! The operator of logical plans as bytes.

use super::message::{Operator, problem};
use crate::{RaycastNode, raycast_marker};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::{Result, TableReference};
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{AggregateUDF, Expr, Extension, LogicalPlan, ScalarUDF, WindowUDF};
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::logical_plan::from_proto::parse_expr;
use datafusion_proto::logical_plan::to_proto::serialize_expr;
use datafusion_proto::protobuf::LogicalExprNode;
use prost::Message;
use std::sync::Arc;

/// Writes and reads [`RaycastNode`], and leaves all other nodes to another codec, such as Ballista's.
#[derive(Clone, Debug)]
pub struct RaycastLogicalCodec {
    others: Arc<dyn LogicalExtensionCodec>,
}

impl RaycastLogicalCodec {
    /// Makes a codec that asks `others` about all other nodes.
    pub fn new(others: Arc<dyn LogicalExtensionCodec>) -> Self {
        RaycastLogicalCodec { others }
    }
}

impl LogicalExtensionCodec for RaycastLogicalCodec {
    fn try_decode(
        &self,
        buf: &[u8],
        inputs: &[LogicalPlan],
        ctx: &TaskContext,
    ) -> Result<Extension> {
        let Some(operator) = Operator::read(buf) else {
            return self.others.try_decode(buf, inputs, ctx);
        };
        let raycast = operator?;
        let [input] = inputs else {
            return Err(problem(&"raycast has one input").into());
        };
        let ray = |bytes: &Vec<u8>| {
            let node =
                LogicalExprNode::decode(bytes.as_slice()).map_err(|error| problem(&error))?;
            Ok(parse_expr(&node, ctx, self)?)
        };
        let node = RaycastNode::try_new(input.clone(), raycast.with_rays(ray)?)?;
        Ok(Extension {
            node: Arc::new(node),
        })
    }

    fn try_encode(&self, node: &Extension, buf: &mut Vec<u8>) -> Result<()> {
        let Some(node) = node.node.as_any().downcast_ref::<RaycastNode>() else {
            return self.others.try_encode(node, buf);
        };
        let bytes = |number: &Expr| Ok(serialize_expr(number, self)?.encode_to_vec());
        Operator::write(node.raycast().with_rays(bytes)?, buf);
        Ok(())
    }

    fn try_decode_table_provider(
        &self,
        buf: &[u8],
        table_ref: &TableReference,
        schema: SchemaRef,
        ctx: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        self.others
            .try_decode_table_provider(buf, table_ref, schema, ctx)
    }

    fn try_encode_table_provider(
        &self,
        table_ref: &TableReference,
        node: Arc<dyn TableProvider>,
        buf: &mut Vec<u8>,
    ) -> Result<()> {
        self.others.try_encode_table_provider(table_ref, node, buf)
    }

    fn try_decode_file_format(
        &self,
        buf: &[u8],
        ctx: &TaskContext,
    ) -> Result<Arc<dyn FileFormatFactory>> {
        self.others.try_decode_file_format(buf, ctx)
    }

    fn try_encode_file_format(
        &self,
        buf: &mut Vec<u8>,
        node: Arc<dyn FileFormatFactory>,
    ) -> Result<()> {
        self.others.try_encode_file_format(buf, node)
    }

    fn try_decode_udf(&self, name: &str, buf: &[u8]) -> Result<Arc<ScalarUDF>> {
        if name == crate::marker::MARKER {
            return Ok(raycast_marker());
        }
        self.others.try_decode_udf(name, buf)
    }

    fn try_encode_udf(&self, node: &ScalarUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.others.try_encode_udf(node, buf)
    }

    fn try_decode_udaf(&self, name: &str, buf: &[u8]) -> Result<Arc<AggregateUDF>> {
        self.others.try_decode_udaf(name, buf)
    }

    fn try_encode_udaf(&self, node: &AggregateUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.others.try_encode_udaf(node, buf)
    }

    fn try_decode_udwf(&self, name: &str, buf: &[u8]) -> Result<Arc<WindowUDF>> {
        self.others.try_decode_udwf(name, buf)
    }

    fn try_encode_udwf(&self, node: &WindowUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.others.try_encode_udwf(node, buf)
    }
}
