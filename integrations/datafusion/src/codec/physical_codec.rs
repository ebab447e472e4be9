//! The operator of physical plans as bytes.

use super::message::{Operator, problem};
use crate::RaycastExec;
use datafusion::common::Result;
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{AggregateUDF, ScalarUDF, WindowUDF};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::physical_plan::{
    PhysicalExtensionCodec, PhysicalPlanDecodeContext, PhysicalProtoConverterExtension,
};
use datafusion_proto::protobuf::PhysicalExprNode;
use prost::Message;
use std::sync::Arc;

/// Writes and reads [`RaycastExec`], and leaves all other operators to another codec, such as Ballista's.
#[derive(Clone, Debug)]
pub struct RaycastPhysicalCodec {
    others: Arc<dyn PhysicalExtensionCodec>,
}

impl RaycastPhysicalCodec {
    /// Makes a codec that asks `others` about all other operators.
    pub fn new(others: Arc<dyn PhysicalExtensionCodec>) -> Self {
        RaycastPhysicalCodec { others }
    }
}

impl PhysicalExtensionCodec for RaycastPhysicalCodec {
    fn try_decode(
        &self,
        buf: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        ctx: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(operator) = Operator::read(buf) else {
            return self.others.try_decode(buf, inputs, ctx, converter);
        };
        let raycast = operator?;
        let [input] = inputs else {
            return Err(problem(&"raycast has one input").into());
        };
        let schema = input.schema();
        let context = PhysicalPlanDecodeContext::new(ctx, self);
        let ray = |bytes: &Vec<u8>| -> Result<Arc<dyn PhysicalExpr>> {
            let node =
                PhysicalExprNode::decode(bytes.as_slice()).map_err(|error| problem(&error))?;
            converter.proto_to_physical_expr(&node, &schema, &context)
        };
        let exec = RaycastExec::try_new(Arc::clone(input), raycast.with_rays(ray)?)?;
        Ok(Arc::new(exec))
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        buf: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let Some(exec) = node.downcast_ref::<RaycastExec>() else {
            return self.others.try_encode(node, buf, converter);
        };
        let raycast = exec.raycast().with_rays(|number| {
            let number = converter.physical_expr_to_proto(number, self)?;
            Ok(number.encode_to_vec())
        })?;
        Operator::write(raycast, buf);
        Ok(())
    }

    fn try_decode_udf(&self, name: &str, buf: &[u8]) -> Result<Arc<ScalarUDF>> {
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
