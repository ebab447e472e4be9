//! The markers in the expressions of a plan.

use crate::marker::{arguments_of, field_of};
use crate::{HitColumn, RaycastError};
use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{Expr, LogicalPlan};
use std::collections::BTreeSet;

/// The markers of the same arguments, which are one operator.
pub(super) struct Cast {
    /// The mesh and the numbers of the ray.
    pub(super) arguments: Vec<Expr>,
    /// The fields that are selected anywhere.
    pub(super) fields: BTreeSet<HitColumn>,
    /// Its number in the plan.
    number: usize,
}

impl Cast {
    /// Returns the name of a column of the operator, which no table has.
    pub(super) fn column_name(&self, column: HitColumn) -> String {
        format!("__raycast_{}_{}", self.number, column.name())
    }

    /// Refuses a marker in the arguments, also within a subquery.
    pub(super) fn refuse_nested(&self) -> Result<()> {
        for argument in &self.arguments {
            if has_marker(argument)? {
                let place = "the arguments of another raycast".to_owned();
                return Err(RaycastError::MarkerPlace { place }.into());
            }
        }
        Ok(())
    }
}

/// Returns whether there is a marker in an expression or in its subqueries.
fn has_marker(expr: &Expr) -> Result<bool> {
    let mut found = false;
    expr.apply(|expr| {
        found |= arguments_of(expr).is_some();
        let subquery = match expr {
            Expr::ScalarSubquery(subquery) => Some(subquery),
            Expr::Exists(exists) => Some(&exists.subquery),
            Expr::InSubquery(within) => Some(&within.subquery),
            _ => None,
        };
        if let Some(subquery) = subquery {
            subquery.subquery.apply_with_subqueries(|node| {
                node.apply_expressions(|expr| {
                    found |= has_marker(expr)?;
                    Ok(TreeNodeRecursion::Continue)
                })
            })?;
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(found)
}

/// Refuses a marker in the sets by which an aggregate groups.
///
/// # Errors
/// [`RaycastError::MarkerPlace`].
pub(super) fn refuse_grouping_sets(plan: &LogicalPlan) -> Result<()> {
    let LogicalPlan::Aggregate(aggregate) = plan else {
        return Ok(());
    };
    for group in &aggregate.group_expr {
        if matches!(group, Expr::GroupingSet(_)) && has_marker(group)? {
            let place = "ROLLUP, CUBE or GROUPING SETS".to_owned();
            return Err(RaycastError::MarkerPlace { place }.into());
        }
    }
    Ok(())
}

/// Returns the arguments of the markers of a node, without those of its inputs, each once.
///
/// # Errors
/// [`RaycastError::MarkerLeft`] when no field of a marker is selected.
pub(super) fn markers_of(plan: &LogicalPlan) -> Result<Vec<Vec<Expr>>> {
    let mut found: Vec<Vec<Expr>> = Vec::new();
    plan.apply_expressions(|expr| {
        expr.apply(|expr| {
            if let Some((_, arguments)) = field_of(expr) {
                if !found.iter().any(|known| known == arguments) {
                    found.push(arguments.to_vec());
                }
                return Ok(TreeNodeRecursion::Jump);
            }
            match arguments_of(expr) {
                Some(_) => Err(RaycastError::MarkerLeft {
                    marker: expr.to_string(),
                }
                .into()),
                None => Ok(TreeNodeRecursion::Continue),
            }
        })
    })?;
    Ok(found)
}

/// Adds the markers of a plan and of its subqueries, with the fields that are selected of each.
pub(super) fn collect_fields(plan: &LogicalPlan, casts: &mut Vec<Cast>) -> Result<()> {
    let mut add = |column: HitColumn, arguments: &[Expr]| {
        let known = casts.iter_mut().find(|cast| cast.arguments == arguments);
        if let Some(cast) = known {
            cast.fields.insert(column);
            return;
        }
        let number = casts.len();
        casts.push(Cast {
            arguments: arguments.to_vec(),
            fields: BTreeSet::from([column]),
            number,
        });
    };
    plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expr| {
            expr.apply(|expr| {
                if let Some((column, arguments)) = field_of(expr) {
                    add(column, arguments);
                }
                Ok(TreeNodeRecursion::Continue)
            })
        })
    })?;
    Ok(())
}

/// Replaces the fields of markers by columns of operators below; names of expressions stay as they are.
pub(super) fn replace_markers(plan: LogicalPlan, casts: &[Cast]) -> Result<LogicalPlan> {
    // The expressions of a sort have no names.
    let names = match &plan {
        LogicalPlan::Sort(_) => None,
        plan => Some(NamePreserver::new(plan)),
    };
    let replace = |expr: Expr| {
        let Some((column, arguments)) = field_of(&expr) else {
            return Ok(Transformed::no(expr));
        };
        let Some(cast) = casts.iter().find(|cast| cast.arguments == arguments) else {
            return Err(RaycastError::MarkerLeft {
                marker: expr.to_string(),
            }
            .into());
        };
        let column = datafusion::common::Column::new_unqualified(cast.column_name(column));
        Ok(Transformed::yes(Expr::Column(column)))
    };
    let plan = plan.map_expressions(|expr| {
        let name = names.as_ref().map(|names| names.save(&expr));
        let new = expr.transform_down(replace)?;
        Ok(match name {
            Some(name) if new.transformed => new.update_data(|expr| name.restore(expr)),
            _ => new,
        })
    })?;
    if plan.transformed {
        plan.data.recompute_schema()
    } else {
        Ok(plan.data)
    }
}
