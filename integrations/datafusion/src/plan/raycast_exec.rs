//! The operator in a physical plan.

use super::Raycast;
use super::ray_block::Caster;
use super::raycast_stream::{Counts, cast_batches};
use crate::RaycastError;
use crate::ray_arguments::{check_count, type_at};
use datafusion::arrow::datatypes::Schema;
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
    raycast: Raycast<Arc<dyn PhysicalExpr>>,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

impl RaycastExec {
    /// Makes an operator; the numbers of rays are those of the mesh, the mask of `Int64`.
    ///
    /// # Errors
    /// When there are more or fewer, or of another type.
    pub fn try_new(
        input: Arc<dyn ExecutionPlan>,
        raycast: Raycast<Arc<dyn PhysicalExpr>>,
    ) -> Result<Self> {
        check_count(raycast.rays.len())?;
        for (place, number) in raycast.rays.iter().enumerate() {
            let found = number.data_type(&input.schema())?;
            let wanted = type_at(place, raycast.mesh.numbers);
            if found != wanted {
                let problem = format!("{number} is {found} instead of {wanted}");
                return Err(RaycastError::Plan { problem }.into());
            }
        }
        let (old, metadata) = (input.schema(), input.schema().metadata().clone());
        let fields = old.fields().iter().cloned().chain(raycast.fields());
        let schema = Arc::new(Schema::new_with_metadata(
            fields.collect::<Vec<_>>(),
            metadata,
        ));
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
            raycast,
            properties,
            metrics,
        })
    }

    /// Returns what is cast.
    pub fn raycast(&self) -> &Raycast<Arc<dyn PhysicalExpr>> {
        &self.raycast
    }
}

impl DisplayAs for RaycastExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RaycastExec: {}", self.raycast)
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
        for number in &self.raycast.rays {
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
        Ok(Arc::new(RaycastExec::try_new(input, self.raycast.clone())?))
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
        let (raycast, schema) = (self.raycast.clone(), self.schema());
        let caster = {
            let schema = Arc::clone(&schema);
            move |mesh, cancel| Caster {
                mesh,
                raycast,
                schema,
                cancel,
            }
        };
        let (mesh, memory) = (self.raycast.mesh.clone(), context.memory_pool());
        let batches = cast_batches(input, mesh, caster, Arc::clone(memory), counts);
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
        let answers = self
            .raycast
            .answers
            .iter()
            .map(|_| ColumnStatistics::new_unknown());
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
