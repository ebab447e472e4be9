//! The rule that replaces markers by operators.

mod exposed;
mod node_expressions;

use crate::marker::MARKER;
use crate::{MeshCache, NamedHitColumn, Raycast, RaycastError, RaycastNode};
use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::config::ConfigOptions;
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::optimizer::AnalyzerRule;
use exposed::Exposed;
use node_expressions::{Cast, collect_fields, markers_of, refuse_grouping_sets, replace_markers};
use std::sync::Arc;

/// Replaces the fields of [markers](crate::raycast_marker) by columns of a [`RaycastNode`], one for all markers of
/// the same arguments.
///
/// ```text
///  Projection: raycast(m, ox, ...)[t], raycast(m, ox, ...)[prim]     Projection: t, prim
///    Filter: raycast(m, ox, ...)[t] < 9.0                      ->      Filter: t < 9.0
///      TableScan: rays                                                   Raycast: m, ox, ...
///                                                                          TableScan: rays
/// ```
///
/// The columns of an operator stay visible above filters, sorts, limits and projections that keep the numbers of its
/// rays, so that a ray is cast once however many of these ask for its hit. Markers in other places, such as the
/// condition of a join, and markers whose field is not selected, are errors.
///
/// Planning reads the mesh of a query, whose hash is needed, unless the text has it.
#[derive(Clone, Copy, Debug, Default)]
pub struct RaycastRule;

impl AnalyzerRule for RaycastRule {
    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let mut has_marker = false;
        plan.apply_with_subqueries(|node| {
            has_marker |= !markers_of(node)?.is_empty();
            Ok(if has_marker {
                TreeNodeRecursion::Stop
            } else {
                TreeNodeRecursion::Continue
            })
        })?;
        if !has_marker {
            return Ok(plan);
        }
        let mut casts = Vec::new();
        collect_fields(&plan, &mut casts)?;
        for cast in &casts {
            cast.refuse_nested()?;
        }
        Rewriter { casts }.root(plan)
    }

    fn name(&self) -> &str {
        MARKER
    }
}

struct Rewriter {
    /// All markers of the plan, with the fields that are selected of each.
    casts: Vec<Cast>,
}

impl Rewriter {
    /// Returns a plan with the schema of `plan` and without markers.
    fn root(&self, plan: LogicalPlan) -> Result<LogicalPlan> {
        let schema = plan.schema().clone();
        self.rewrite(plan)?.into_plan(&schema)
    }

    fn rewrite(&self, plan: LogicalPlan) -> Result<Exposed> {
        let plan = plan
            .map_subqueries(|subquery| self.subquery(subquery))?
            .data;
        let is_open = exposed::is_open(&plan);
        let mut visible = Vec::new();
        let plan = plan.map_children(|child| {
            let schema = child.schema().clone();
            let child = self.rewrite(child)?;
            if !is_open {
                return Ok(Transformed::yes(child.into_plan(&schema)?));
            }
            visible = child.visible;
            Ok(Transformed::yes(child.plan))
        })?;
        let mut plan = plan.data;
        for arguments in markers_of(&plan)? {
            if visible
                .iter()
                .any(|&cast| self.casts[cast].arguments == arguments)
            {
                continue;
            }
            if !exposed::can_have_markers(&plan) {
                let place = plan.display().to_string();
                let place = place.split(':').next().unwrap_or_default().to_lowercase();
                return Err(RaycastError::MarkerPlace {
                    place: format!("this place ({place})"),
                }
                .into());
            }
            refuse_grouping_sets(&plan)?;
            let Some(number) = self
                .casts
                .iter()
                .position(|cast| cast.arguments == arguments)
            else {
                continue;
            };
            let operator = |input| Ok(Transformed::yes(self.casts[number].operator(input)?));
            plan = plan.map_children(operator)?.data;
            visible.push(number);
        }
        let plan = replace_markers(plan, &self.casts)?;
        exposed::open(plan, visible, &self.casts)
    }

    fn subquery(&self, plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
        // A node that holds a subquery, in an expression of another.
        let LogicalPlan::Subquery(mut subquery) = plan else {
            return Ok(Transformed::yes(self.root(plan)?));
        };
        let inner = Arc::unwrap_or_clone(subquery.subquery);
        subquery.subquery = Arc::new(self.root(inner)?);
        Ok(Transformed::yes(LogicalPlan::Subquery(subquery)))
    }
}

impl Cast {
    /// Returns the operator above an input.
    fn operator(&self, input: LogicalPlan) -> Result<LogicalPlan> {
        if let Some(column) = input.all_out_ref_exprs().first() {
            let column = column.to_string();
            return Err(RaycastError::CorrelatedRows { column }.into());
        }
        let (mesh, rays) = self
            .arguments
            .split_first()
            .ok_or(RaycastError::ArgumentCount { found: 0 })?;
        let not_literal = || RaycastError::MeshNotLiteral {
            found: mesh.to_string(),
        };
        let text = match mesh {
            Expr::Literal(text, _) => text.try_as_str().flatten().ok_or_else(not_literal)?,
            _ => return Err(not_literal().into()),
        };
        let mesh = MeshCache::of_process().reference_beside(text)?;
        let answer = |&column| NamedHitColumn {
            column,
            name: self.column_name(column),
        };
        let raycast = Raycast {
            mesh,
            answers: self.fields.iter().map(answer).collect(),
            rays: rays.to_vec(),
        };
        Ok(RaycastNode::try_new(input, raycast)?.into_plan())
    }
}
