//! Streams that are dropped, and threads that stay free.

use crate::data::{TestMesh, random_rays, session_of};
use datafusion::physical_plan::{ExecutionPlan, execute_stream};
use estoc_datafusion::RaycastExec;
use futures::StreamExt;
use std::sync::Arc;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropping_a_stream_stops_its_work_and_frees_its_memory() {
    let mesh = TestMesh::new("terrain?n=500");
    let session = session_of(&random_rays(&mesh.bvh, 10_000, 1), 1);
    let sql = format!("SELECT {}['t'] FROM rays", mesh.marker());
    let plan = session
        .sql(&sql)
        .await
        .unwrap()
        .create_physical_plan()
        .await
        .unwrap();
    let mut stream = execute_stream(Arc::clone(&plan), session.task_ctx()).unwrap();
    stream.next().await.unwrap().unwrap();
    drop(stream);
    // What was being cast ends soon; nothing else begins.
    let pool = Arc::clone(&session.runtime_env().memory_pool);
    while pool.reserved() > 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let rays = rays_of(&plan);
    assert!((1..10_000).contains(&rays), "{rays} rays");
}

fn rays_of(plan: &Arc<dyn ExecutionPlan>) -> usize {
    if let Some(operator) = plan.downcast_ref::<RaycastExec>() {
        return operator
            .metrics()
            .unwrap()
            .sum_by_name("rays")
            .unwrap()
            .as_usize();
    }
    plan.children().into_iter().map(rays_of).sum()
}

#[tokio::test(flavor = "current_thread")]
async fn the_thread_of_a_runtime_stays_free() {
    let mesh = TestMesh::new("terrain?n=500");
    let session = session_of(&random_rays(&mesh.bvh, 2000, 2), 1);
    let sql = format!("SELECT {}['t'] FROM rays", mesh.marker());
    let plan = session.sql(&sql).await.unwrap();
    // The only thread of the runtime does both; if rays were cast on it, the other would not run in between.
    let mut others = 0;
    let mut stream = plan.execute_stream().await.unwrap();
    let mut rows = 0;
    loop {
        let next = tokio::select! {
            biased;
            next = stream.next() => next,
            () = tokio::task::yield_now() => {
                others += 1;
                continue;
            }
        };
        let Some(batch) = next else { break };
        rows += batch.unwrap().num_rows();
    }
    assert_eq!(rows, 2000);
    assert!(others > 0);
}
