//! The operator in a physical plan.

use super::ray_block::Caster;
use super::raycast_stream::{Counts, cast_batches};
use crate::ray_arguments::{check_count, type_at};
use crate::{MeshReference, NamedHitColumn, RaycastError};
use datafusion::arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{ColumnStatistics, Result, Statistics, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{CardinalityEffect, ReplaceChildrenOptions};
use datafusion::physical_plan::metrics::{
    BaselineMetrics, ExecutionPlanMetricsSet, MetricBuilder, MetricsSet,
};
use datafusion::physical_plan::statistics::{ChildStats, StatisticsArgs};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties,
};
use std::fmt;
use std::sync::Arc;

/// Casts a ray for each row of its input, and adds columns with the closest hits.
///
/// Rows keep their partition and their order. A batch is cast by one thread beside the runtime's, so that reading
/// and writing go on; two batches of each partition are in memory at a time. Dropping a stream stops its work. The
/// metrics `rays` and `hits` count what was cast.
#[derive(Debug)]
pub struct RaycastExec {
    input: Arc<dyn ExecutionPlan>,
    mesh: MeshReference,
    rays: Vec<Arc<dyn PhysicalExpr>>,
    answers: Vec<NamedHitColumn>,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

impl RaycastExec {
    /// Makes an operator; `rays` are six, eight or nine expressions in the order of `ox oy oz dx dy dz tmin tmax mask`,
    /// of `Float32`, the mask of `Int64`.
    ///
    /// # Errors
    /// When there are more or fewer, or of another type.
    pub fn try_new(
        input: Arc<dyn ExecutionPlan>,
        mesh: MeshReference,
        rays: Vec<Arc<dyn PhysicalExpr>>,
        answers: Vec<NamedHitColumn>,
    ) -> Result<Self> {
        check_count(rays.len())?;
        for (place, number) in rays.iter().enumerate() {
            let found = number.data_type(&input.schema())?;
            let wanted = type_at(place);
            if found != wanted {
                let problem = format!("{number} is {found} instead of {wanted}");
                return Err(RaycastError::Plan { problem }.into());
            }
        }
        let schema = schema(&input.schema(), &answers);
        let mut equal = EquivalenceProperties::new(schema);
        // The columns of the input keep their places.
        equal.add_orderings(input.equivalence_properties().oeq_class().iter().cloned());
        let properties = PlanProperties::new(
            equal,
            input.output_partitioning().clone(),
            input.pipeline_behavior(),
            input.boundedness(),
        );
        let (properties, metrics) = (Arc::new(properties), ExecutionPlanMetricsSet::new());
        Ok(RaycastExec {
            input,
            mesh,
            rays,
            answers,
            properties,
            metrics,
        })
    }

    /// Returns the mesh.
    pub fn mesh(&self) -> &MeshReference {
        &self.mesh
    }

    /// Returns the numbers of the rays.
    pub fn rays(&self) -> &[Arc<dyn PhysicalExpr>] {
        &self.rays
    }

    /// Returns the columns that are added.
    pub fn answers(&self) -> &[NamedHitColumn] {
        &self.answers
    }
}

fn schema(input: &Schema, answers: &[NamedHitColumn]) -> SchemaRef {
    let old = input.fields().iter().cloned();
    let new = answers
        .iter()
        .map(|answer| Arc::new(answer.column.field(&answer.name)) as Arc<Field>);
    Arc::new(Schema::new_with_metadata(
        old.chain(new).collect::<Vec<_>>(),
        input.metadata().clone(),
    ))
}

impl DisplayAs for RaycastExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RaycastExec: mesh={}, rays=[", self.mesh)?;
        for (place, number) in self.rays.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(f, "{comma}{number}")?;
        }
        write!(f, "]")
    }
}

impl ExecutionPlan for RaycastExec {
    fn name(&self) -> &str {
        "RaycastExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        let mut next = TreeNodeRecursion::Continue;
        for number in &self.rays {
            next = f(number)?;
            if next == TreeNodeRecursion::Stop {
                break;
            }
        }
        Ok(next)
    }

    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let (Some(input), true) = (children.pop(), children.is_empty()) else {
            return internal_err!("RaycastExec has one input");
        };
        let new = RaycastExec::try_new(
            input,
            self.mesh.clone(),
            self.rays.clone(),
            self.answers.clone(),
        )?;
        Ok(Arc::new(new))
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        use datafusion::physical_plan::execution_plan::ChildrenPropertiesMode;
        self.replace_children(
            children,
            ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute),
        )
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let input = self.input.execute(partition, Arc::clone(&context))?;
        let counter =
            |name: &'static str| MetricBuilder::new(&self.metrics).counter(name, partition);
        let counts = Counts {
            baseline: BaselineMetrics::new(&self.metrics, partition),
            rays: counter("rays"),
            hits: counter("hits"),
        };
        let (rays, answers, schema) = (self.rays.clone(), self.answers.clone(), self.schema());
        let caster = {
            let schema = Arc::clone(&schema);
            move |mesh, cancel| Caster {
                mesh,
                rays,
                answers,
                schema,
                cancel,
            }
        };
        let memory = Arc::clone(context.memory_pool());
        let batches = cast_batches(input, self.mesh.clone(), caster, memory, counts);
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, batches)))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }

    fn child_stats_requests(&self, partition: Option<usize>) -> Vec<ChildStats> {
        vec![ChildStats::At(partition)]
    }

    /// Those of the input; nothing is known of the answers.
    fn statistics_from_inputs(
        &self,
        inputs: &[Arc<Statistics>],
        _: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        let mut statistics = match inputs {
            [input] => Statistics::clone(input),
            _ => Statistics::new_unknown(&self.input.schema()),
        };
        statistics.total_byte_size = Precision::Absent;
        let answers = self.answers.iter().map(|_| ColumnStatistics::new_unknown());
        statistics.column_statistics.extend(answers);
        Ok(Arc::new(statistics))
    }

    fn supports_limit_pushdown(&self) -> bool {
        true
    }

    fn cardinality_effect(&self) -> CardinalityEffect {
        CardinalityEffect::Equal
    }
}
