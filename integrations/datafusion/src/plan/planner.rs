//! The step from the logical to the physical operator.

use super::{RaycastExec, RaycastNode};
use datafusion::catalog::Session;
use datafusion::common::Result;
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext;
use datafusion::logical_expr::{LogicalPlan, UserDefinedLogicalNode};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_planner::{DefaultPhysicalPlanner, ExtensionPlanner, PhysicalPlanner};
use std::sync::Arc;

/// Plans [`RaycastNode`] as [`RaycastExec`].
#[derive(Clone, Copy, Debug, Default)]
pub struct RaycastExtensionPlanner;

#[async_trait::async_trait]
impl ExtensionPlanner for RaycastExtensionPlanner {
    async fn plan_extension(
        &self,
        planner: &dyn PhysicalPlanner,
        node: &dyn UserDefinedLogicalNode,
        logical_inputs: &[&LogicalPlan],
        physical_inputs: &[Arc<dyn ExecutionPlan>],
        session: &dyn Session,
        context: &PhysicalPlanningContext,
    ) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        let Some(node) = node.as_any().downcast_ref::<RaycastNode>() else {
            return Ok(None);
        };
        let ([logical], [physical]) = (logical_inputs, physical_inputs) else {
            return Ok(None);
        };
        let raycast = node.raycast().with_rays(|number| {
            planner.create_physical_expr(number, logical.schema(), session, context)
        })?;
        let exec = RaycastExec::try_new(Arc::clone(physical), raycast)?;
        Ok(Some(Arc::new(exec)))
    }
}

/// Plans queries as DataFusion does, with [`RaycastExec`].
#[derive(Clone, Copy, Debug, Default)]
pub struct RaycastQueryPlanner;

#[async_trait::async_trait]
impl QueryPlanner for RaycastQueryPlanner {
    async fn create_physical_plan(
        &self,
        logical_plan: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let planner = DefaultPhysicalPlanner::with_extension_planners(vec![Arc::new(
            RaycastExtensionPlanner,
        )]);
        planner.create_physical_plan(logical_plan, session).await
    }
}
