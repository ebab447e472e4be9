//! The operator in a logical plan.

use crate::{MeshReference, NamedHitColumn, ray_arguments::as_ray};
use datafusion::arrow::datatypes::Field;
use datafusion::common::{DFSchema, DFSchemaRef, Result, TableReference, internal_err};
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
    mesh: MeshReference,
    rays: Vec<Expr>,
    answers: Vec<NamedHitColumn>,
    schema: DFSchemaRef,
}

impl RaycastNode {
    /// Makes a node; `rays` are six, eight or nine expressions in the order of `ox oy oz dx dy dz tmin tmax mask`.
    /// Those of `f64` and of integers are rounded once to `f32`; the mask is an integer.
    ///
    /// # Errors
    /// When an expression has another type or refers to an outer query, or a name is taken.
    pub fn try_new(
        input: LogicalPlan,
        mesh: MeshReference,
        rays: Vec<Expr>,
        answers: Vec<NamedHitColumn>,
    ) -> Result<Self> {
        let rays = as_ray(rays, input.schema().as_ref())?;
        let old = input.schema();
        let old_fields = old
            .iter()
            .map(|(table, field)| (table.cloned(), Arc::clone(field)));
        let new_fields = answers.iter().map(|answer| {
            let field: Field = answer.column.field(&answer.name);
            (None::<TableReference>, Arc::new(field))
        });
        let schema = DFSchema::new_with_metadata(
            old_fields.chain(new_fields).collect(),
            old.metadata().clone(),
        )?;
        let schema = schema.with_functional_dependencies(old.functional_dependencies().clone())?;
        Ok(RaycastNode {
            input,
            mesh,
            rays,
            answers,
            schema: Arc::new(schema),
        })
    }

    /// Returns the mesh.
    pub fn mesh(&self) -> &MeshReference {
        &self.mesh
    }

    /// Returns the numbers of the rays, six, eight or nine, of `Float32`, the mask of `Int64`.
    pub fn rays(&self) -> &[Expr] {
        &self.rays
    }

    /// Returns the columns that are added.
    pub fn answers(&self) -> &[NamedHitColumn] {
        &self.answers
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
        (&self.input, &self.mesh, &self.rays, &self.answers).hash(state);
    }
}

impl PartialOrd for RaycastNode {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let parts = |node: &'_ Self| (node.mesh.clone(), node.answers.clone());
        if self == other {
            return Some(Ordering::Equal);
        }
        let order = parts(self).cmp(&parts(other));
        Some(order)
            .filter(|order| order.is_ne())
            .or_else(|| {
                self.rays
                    .partial_cmp(&other.rays)
                    .filter(|order| order.is_ne())
            })
            .or_else(|| {
                self.input
                    .partial_cmp(&other.input)
                    .filter(|order| order.is_ne())
            })
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
        self.rays.clone()
    }

    /// Filters of other columns go below, so that fewer rays are cast.
    fn prevent_predicate_push_down_columns(&self) -> HashSet<String> {
        self.answers
            .iter()
            .map(|answer| answer.name.clone())
            .collect()
    }

    fn fmt_for_explain(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Raycast: mesh={}, rays=[", self.mesh)?;
        for (place, number) in self.rays.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(f, "{comma}{number}")?;
        }
        write!(f, "]")
    }

    fn with_exprs_and_inputs(
        &self,
        exprs: Vec<Expr>,
        mut inputs: Vec<LogicalPlan>,
    ) -> Result<Self> {
        let (Some(input), true) = (inputs.pop(), inputs.is_empty()) else {
            return internal_err!("Raycast has one input");
        };
        RaycastNode::try_new(input, self.mesh.clone(), exprs, self.answers.clone())
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
