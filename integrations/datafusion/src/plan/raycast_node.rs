//! The operator in a logical plan.

use super::Raycast;
use crate::ray_arguments::as_ray;
use datafusion::common::{DFSchema, DFSchemaRef, Result, internal_err};
use datafusion::logical_expr::{Expr, Extension, LogicalPlan, UserDefinedLogicalNodeCore};
use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Casts a ray for each row of its input, and adds columns with the closest hits.
///
/// ```text
///  input columns..., answers...      answers are null where a ray misses
///  in the order of the input         each ray is cast once
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaycastNode {
    input: LogicalPlan,
    raycast: Raycast<Expr>,
    schema: DFSchemaRef,
}

impl RaycastNode {
    /// Makes a node. Numbers are rounded once to those of the mesh, if need be; the mask is an integer.
    ///
    /// # Errors
    /// When an expression has another type or refers to an outer query, or a name is taken.
    pub fn try_new(input: LogicalPlan, mut raycast: Raycast<Expr>) -> Result<Self> {
        let numbers = raycast.mesh.numbers;
        raycast.rays = as_ray(raycast.rays, numbers, input.schema().as_ref())?;
        let old = input.schema();
        let old_fields = old
            .iter()
            .map(|(table, field)| (table.cloned(), Arc::clone(field)));
        let new_fields = raycast.fields().map(|field| (None, field));
        let schema = DFSchema::new_with_metadata(
            old_fields.chain(new_fields).collect(),
            old.metadata().clone(),
        )?;
        let schema = schema.with_functional_dependencies(old.functional_dependencies().clone())?;
        Ok(RaycastNode {
            input,
            raycast,
            schema: Arc::new(schema),
        })
    }

    /// Returns what is cast; the numbers are those of the mesh, the mask of `Int64`.
    pub fn raycast(&self) -> &Raycast<Expr> {
        &self.raycast
    }

    /// Returns the node as a plan.
    pub fn into_plan(self) -> LogicalPlan {
        LogicalPlan::Extension(Extension {
            node: Arc::new(self),
        })
    }
}

impl Hash for RaycastNode {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.input, &self.raycast).hash(state);
    }
}

impl PartialOrd for RaycastNode {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let (own, others) = ((&self.raycast, &self.input), (&other.raycast, &other.input));
        let order = own.partial_cmp(&others);
        // Plans that differ in what has no order are not equal.
        order.filter(|order| order.is_ne() || self == other)
    }
}

impl UserDefinedLogicalNodeCore for RaycastNode {
    fn name(&self) -> &str {
        "Raycast"
    }

    fn inputs(&self) -> Vec<&LogicalPlan> {
        vec![&self.input]
    }

    fn schema(&self) -> &DFSchemaRef {
        &self.schema
    }

    fn expressions(&self) -> Vec<Expr> {
        self.raycast.rays.clone()
    }

    /// Filters of other columns go below, so that fewer rays are cast.
    fn prevent_predicate_push_down_columns(&self) -> HashSet<String> {
        let answers = self.raycast.answers.iter();
        answers.map(|answer| answer.name.clone()).collect()
    }

    fn fmt_for_explain(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Raycast: {}", self.raycast)
    }

    fn with_exprs_and_inputs(
        &self,
        exprs: Vec<Expr>,
        mut inputs: Vec<LogicalPlan>,
    ) -> Result<Self> {
        let (Some(input), true) = (inputs.pop(), inputs.is_empty()) else {
            return internal_err!("Raycast has one input");
        };
        let mut raycast = self.raycast.clone();
        raycast.rays = exprs;
        RaycastNode::try_new(input, raycast)
    }

    fn necessary_children_exprs(&self, output_columns: &[usize]) -> Option<Vec<Vec<usize>>> {
        // Those of the rays are added by the caller.
        let inputs = self.input.schema().fields().len();
        Some(vec![
            output_columns
                .iter()
                .copied()
                .filter(|&column| column < inputs)
                .collect(),
        ])
    }

    fn supports_limit_pushdown(&self) -> bool {
        true
    }
}
