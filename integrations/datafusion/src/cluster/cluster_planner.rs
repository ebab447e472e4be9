//! The planner of a client, which refuses what a cluster would answer wrongly.

use crate::{RaycastError, RaycastNode};
use datafusion::catalog::Session;
use datafusion::common::Result;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::physical_plan::ExecutionPlan;
use std::sync::Arc;

/// Sends plans to a cluster by another planner, after [`check`].
#[derive(Debug)]
pub(super) struct ClusterPlanner(pub(super) Arc<dyn QueryPlanner + Send + Sync>);

#[async_trait::async_trait]
impl QueryPlanner for ClusterPlanner {
    async fn create_physical_plan(
        &self,
        plan: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        check(plan)?;
        self.0.create_physical_plan(plan, session).await
    }
}

/// Refuses plans that a cluster cannot run.
///
/// # Errors
/// [`RaycastError::OnCluster`] for a union below a sort or a limit, whose rows Ballista 55.0 repeats without a word,
/// and for a subquery in the numbers of a ray, which does not reach the executors.
fn check(plan: &LogicalPlan) -> Result<()> {
    plan.apply_with_subqueries(|node| {
        let part = match node {
            LogicalPlan::Sort(_) => Some("a UNION below an ORDER BY"),
            LogicalPlan::Limit(_) => Some("a UNION below a LIMIT"),
            _ => None,
        };
        if let Some(part) = part
            && has_union(node)?
        {
            return Err(RaycastError::OnCluster {
                part,
                way_out: "write the rows of the UNION to a file with --out first and query that, or run the query in \
                          one process, without submit",
            }
            .into());
        }
        if let LogicalPlan::Extension(extension) = node
            && let Some(node) = extension.node.as_any().downcast_ref::<RaycastNode>()
        {
            for number in &node.raycast().rays {
                if number.exists(|expr| Ok(matches!(expr, Expr::ScalarSubquery(_))))? {
                    return Err(RaycastError::OnCluster {
                        part: "a raycast with a subquery in its arguments",
                        way_out: "join the table of the subquery instead, or run the query in one process, without \
                                  submit",
                    }
                    .into());
                }
            }
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(())
}

fn has_union(plan: &LogicalPlan) -> Result<bool> {
    let mut found = false;
    plan.apply_with_subqueries(|node| {
        found |= matches!(node, LogicalPlan::Union(_));
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(found)
}
