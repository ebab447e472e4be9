//! Plans whose schemas have columns of operators beside their own.

use super::node_expressions::Cast;
use datafusion::common::{Column, DFSchema, Result};
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder};
use std::collections::HashSet;

/// A plan, and the operators whose columns are in its schema beside its own columns.
pub(super) struct Exposed {
    pub(super) plan: LogicalPlan,
    /// Their numbers.
    pub(super) visible: Vec<usize>,
}

impl Exposed {
    /// Returns the plan with the columns of `schema` only.
    pub(super) fn into_plan(self, schema: &DFSchema) -> Result<LogicalPlan> {
        if self.plan.schema().fields().len() == schema.fields().len() {
            return Ok(self.plan);
        }
        let columns = schema
            .iter()
            .map(|(table, field)| Expr::Column(Column::from((table, field))));
        LogicalPlanBuilder::from(self.plan)
            .project(columns.collect::<Vec<_>>())?
            .build()
    }
}

/// Returns whether more columns of its input change neither the rows of a node nor its other columns.
pub(super) fn is_open(plan: &LogicalPlan) -> bool {
    matches!(
        plan,
        LogicalPlan::Projection(_)
            | LogicalPlan::Filter(_)
            | LogicalPlan::Sort(_)
            | LogicalPlan::Limit(_)
            | LogicalPlan::Aggregate(_)
            | LogicalPlan::Window(_)
    )
}

/// Returns whether an operator can be added below a node.
pub(super) fn can_have_markers(plan: &LogicalPlan) -> bool {
    is_open(plan) && !matches!(plan, LogicalPlan::Limit(_))
}

/// Returns a node whose input shows `visible`, with a schema that shows them too where it can.
pub(super) fn open(plan: LogicalPlan, visible: Vec<usize>, casts: &[Cast]) -> Result<Exposed> {
    if visible.is_empty() {
        return Ok(Exposed { plan, visible });
    }
    match plan {
        LogicalPlan::Filter(_)
        | LogicalPlan::Sort(_)
        | LogicalPlan::Limit(_)
        | LogicalPlan::Window(_) => {
            let plan = plan.recompute_schema()?;
            Ok(Exposed { plan, visible })
        }
        LogicalPlan::Projection(projection) => {
            let kept: HashSet<&Column> = projection
                .expr
                .iter()
                .filter_map(Expr::try_as_col)
                .collect();
            let numbers = |cast: usize| casts[cast].arguments.iter().flat_map(Expr::column_refs);
            let shows = |&cast: &usize| numbers(cast).all(|column| kept.contains(column));
            let visible: Vec<usize> = visible.into_iter().filter(shows).collect();
            let columns = visible.iter().flat_map(|&cast| {
                let cast = &casts[cast];
                cast.fields
                    .iter()
                    .map(|&field| Column::new_unqualified(cast.column_name(field)))
            });
            let expressions = projection
                .expr
                .iter()
                .cloned()
                .chain(columns.map(Expr::Column));
            let expressions = expressions.collect::<Vec<_>>();
            let plan = LogicalPlanBuilder::from((*projection.input).clone())
                .project(expressions)?
                .build()?;
            Ok(Exposed { plan, visible })
        }
        plan => Ok(Exposed {
            plan,
            visible: Vec::new(),
        }),
    }
}
