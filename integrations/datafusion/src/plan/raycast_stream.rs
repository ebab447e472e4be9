//! The batches of a partition, cast one after the other beside the runtime's threads.

use super::ray_block::{Caster, bytes_per_ray};
use crate::mesh_cache::LoadedMesh;
use crate::{MeshCache, MeshReference};
use datafusion::arrow::array::RecordBatch;
use datafusion::common::Result;
use datafusion::common::runtime::SpawnedTask;
use datafusion::error::DataFusionError;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryPool};
use datafusion::physical_plan::metrics::{BaselineMetrics, Count, RecordOutput};
use estoc::CancelToken;
use futures::{Stream, StreamExt};
use std::sync::Arc;

/// How many batches of a partition are read or cast at a time: one is read while one is cast.
const AHEAD: usize = 2;

/// What a stream counts.
#[derive(Clone)]
pub(super) struct Counts {
    pub baseline: BaselineMetrics,
    pub rays: Count,
    pub hits: Count,
}

/// Cancels what runs when a stream is dropped.
struct CancelOnDrop(CancelToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Returns the tree, loaded beside the runtime's threads.
async fn load(mesh: MeshReference) -> Result<Arc<LoadedMesh>> {
    let task = SpawnedTask::spawn_blocking(move || MeshCache::of_process().load(&mesh));
    Ok(task.join().await.map_err(failed)??)
}

fn failed(error: tokio::task::JoinError) -> DataFusionError {
    DataFusionError::ExecutionJoin(Box::new(error))
}

/// Returns the batches of `input` with their answers, in their order.
pub(super) fn cast_batches(
    input: SendableRecordBatchStream,
    mesh: MeshReference,
    caster: impl FnOnce(Arc<LoadedMesh>, CancelToken) -> Caster + Send + 'static,
    memory: Arc<dyn MemoryPool>,
    counts: Counts,
) -> impl Stream<Item = Result<RecordBatch>> + Send {
    let ray_bytes = bytes_per_ray(mesh.numbers);
    let start = async move {
        let cancel = CancelToken::new();
        let caster = Arc::new(caster(load(mesh).await?, cancel.clone()));
        let guard = CancelOnDrop(cancel);
        let cast = move |batch: Result<RecordBatch>| {
            let _ = &guard;
            let (caster, counts) = (Arc::clone(&caster), counts.clone());
            let reservation = MemoryConsumer::new("RaycastExec").register(&memory);
            async move {
                let batch = batch?;
                let bytes = batch.num_rows().saturating_mul(ray_bytes);
                reservation.try_grow(bytes.saturating_add(batch.get_array_memory_size()))?;
                let task = SpawnedTask::spawn_blocking(move || {
                    // Counted until it ends, also when nobody waits for it any more.
                    let _reservation = reservation;
                    let _timer = counts.baseline.elapsed_compute().timer();
                    let batch = caster.cast(&batch)?;
                    counts.rays.add(batch.num_rows());
                    let last = batch.columns().last();
                    counts
                        .hits
                        .add(last.map_or(0, |column| column.len() - column.null_count()));
                    Ok::<_, DataFusionError>(batch.record_output(&counts.baseline))
                });
                task.join().await.map_err(failed)?
            }
        };
        Ok::<_, DataFusionError>(input.map(cast).buffered(AHEAD))
    };
    futures::stream::once(start).flat_map(|started| match started {
        Ok(batches) => batches.left_stream(),
        Err(error) => futures::stream::once(async { Err(error) }).right_stream(),
    })
}
