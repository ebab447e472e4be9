//! Each ray is cast once.

use crate::data::{RAY, TestMesh, random_rays, session_of};
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::physical_plan::{ExecutionPlan, collect};
use datafusion::prelude::SessionContext;
use estoc_datafusion::RaycastExec;
use std::sync::Arc;

/// Runs a query, and returns the rays that each operator cast, which are also the rows that it gave.
async fn casts(session: &SessionContext, sql: &str) -> Vec<usize> {
    let plan = session
        .sql(sql)
        .await
        .unwrap()
        .create_physical_plan()
        .await
        .unwrap();
    collect(Arc::clone(&plan), session.task_ctx())
        .await
        .unwrap();
    let mut casts = Vec::new();
    let visit = |node: &Arc<dyn ExecutionPlan>| {
        if let Some(operator) = node.downcast_ref::<RaycastExec>() {
            let rays = operator.metrics().unwrap().sum_by_name("rays");
            let rays = rays.map_or(0, |rays| rays.as_usize());
            let rows = operator.metrics().unwrap().output_rows();
            assert_eq!(rows, Some(rays), "{sql}");
            casts.push(rays);
        }
        Ok(TreeNodeRecursion::Continue)
    };
    plan.apply(visit).unwrap();
    casts
}

#[tokio::test]
async fn fields_filters_and_sorts_share_one_operator() {
    let mesh = TestMesh::new("terrain?n=500");
    let session = session_of(&random_rays(&mesh.bvh, 1000, 1), 3);
    let m = mesh.marker();
    let once = [
        format!("SELECT {m}['t'] FROM rays"),
        format!("SELECT {m}['t'], {m}['prim'], {m}['u'], {m}['v'] + {m}['u'] FROM rays"),
        format!("SELECT {m}['t'], {m}['t'] * 2 AS twice FROM rays WHERE {m}['prim'] IS NOT NULL"),
        format!(
            "SELECT {m}['t'] AS t FROM rays WHERE {m}['u'] < 0.5 AND {m}['v'] < 0.5 ORDER BY {m}['t'], {m}['u']"
        ),
        format!(
            "SELECT ray_id FROM rays WHERE {m}['u'] < 0.5 ORDER BY {m}['t'] DESC, {m}['v'] LIMIT 7"
        ),
        format!(
            "SELECT {m}['prim'], count(*), min({m}['t']) FROM rays WHERE {m}['t'] > 0 GROUP BY {m}['prim']"
        ),
        format!(
            "SELECT {m}['prim'] AS p, max({m}['t']) FROM rays GROUP BY p HAVING max({m}['t']) > 0 ORDER BY p"
        ),
        format!(
            "SELECT rank() OVER (PARTITION BY {m}['prim'] ORDER BY {m}['t']), {m}['u'] FROM rays"
        ),
        format!("SELECT CASE WHEN {m}['t'] < 0.5 THEN {m}['prim'] ELSE -1 END FROM rays"),
    ];
    for sql in once {
        assert_eq!(casts(&session, &sql).await, [1000], "{sql}");
    }
}

#[tokio::test]
async fn different_arguments_are_different_operators() {
    let mesh = TestMesh::new("terrain?n=500");
    let session = session_of(&random_rays(&mesh.bvh, 300, 2), 1);
    let path = mesh.path.display();
    let sql = format!(
        "SELECT {m}['t'], raycast('{path}', ox, oy, oz, -dx, -dy, -dz)['t'], {m}['u'], raycast('{path}', {RAY}, 0, \
         1)['t'] FROM rays",
        m = mesh.marker()
    );
    assert_eq!(casts(&session, &sql).await, [300; 3]);
}

#[tokio::test]
async fn rays_that_other_columns_exclude_are_not_cast() {
    let mesh = TestMesh::new("terrain?n=500");
    let session = session_of(&random_rays(&mesh.bvh, 1000, 3), 1);
    let m = mesh.marker();
    let sql = format!("SELECT {m}['t'] FROM rays WHERE ray_id < 100 AND {m}['t'] < 0.5");
    assert_eq!(casts(&session, &sql).await, [100]);
    let sql = format!("SELECT * FROM (SELECT ray_id, {m}['t'] AS t FROM rays) WHERE ray_id >= 990");
    assert_eq!(casts(&session, &sql).await, [10]);
}

#[tokio::test]
async fn columns_that_nobody_needs_are_not_read() {
    let mesh = TestMesh::new("terrain?n=500");
    let session = session_of(&random_rays(&mesh.bvh, 10, 4), 1);
    let sql = format!(
        "SELECT raycast('{}', ox, oy, oz, 0, 0, -1)['t'] FROM rays",
        mesh.path.display()
    );
    let plan = session
        .sql(&sql)
        .await
        .unwrap()
        .into_optimized_plan()
        .unwrap();
    let text = plan.display_indent().to_string();
    assert!(text.contains("projection=[ox, oy, oz]"), "{text}");
}

#[tokio::test]
async fn a_limit_stops_casting() {
    let mesh = TestMesh::new("terrain?n=500");
    let session = session_of(&random_rays(&mesh.bvh, 1000, 5), 1);
    let sql = format!("SELECT {}['t'] FROM rays LIMIT 5", mesh.marker());
    assert_eq!(casts(&session, &sql).await, [5]);
}
