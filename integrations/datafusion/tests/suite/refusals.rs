//! Every error says what is wrong and what to do.

use crate::data::{RAY, TestMesh, assert_fails, random_rays, rows, session_of};
use datafusion::arrow::array::RecordBatch;
use datafusion::execution::memory_pool::GreedyMemoryPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use estoc_datafusion::{RayColumns, RaycastError, RaycastExt, raycast_marker, session_state};
use std::sync::Arc;

#[tokio::test]
async fn queries_that_cannot_be_planned() {
    let mesh = TestMesh::new("sphere?n=100");
    let session = session_of(&random_rays(&mesh.bvh, 10, 1), 1);
    let (m, path) = (mesh.marker(), mesh.path.display().to_string());
    // Arguments of the function whose field `t` is selected.
    let arguments = [
        (format!("'{path}', ox, oy, oz"), "has 4 arguments"),
        (format!("'{path}', {RAY}, 0"), "has 8 arguments"),
        (
            format!("'{path}', 'a', oy, oz, dx, dy, dz"),
            "ox of raycast is Utf8",
        ),
        (
            format!("'{path}', ox, oy, CAST(oz AS DECIMAL(9, 2)), dx, dy, dz"),
            "CAST(oz AS DOUBLE)",
        ),
        (
            format!("'{path}', ox, oy, oz, dx, dy, true"),
            "dz of raycast is Boolean",
        ),
        (format!("1, {RAY}"), "a text between quotes"),
        (format!("'{path}', nothing, oy, oz, dx, dy, dz"), "nothing"),
        (format!("'https://a.b/c.obj', {RAY}"), "file:///path"),
        (format!("'', {RAY}"), "the mesh '' is no file"),
        (format!("'file:/a.obj', {RAY}"), "file:///path"),
        (format!("'FILE:a.obj', {RAY}"), "file:///path"),
        (format!("'file:///a#1.obj', {RAY}"), "# is %23"),
        (format!("'/no/such/mesh.obj', {RAY}"), "No such file"),
        (
            format!("'{}', {RAY}", mesh.folder.path().display()),
            "it is no file",
        ),
    ];
    let arguments = arguments
        .map(|(arguments, part)| (format!("SELECT raycast({arguments})['t'] FROM rays"), part));
    let queries = [
        (format!("SELECT {m} FROM rays"), "select its fields"),
        (format!("SELECT {m} IS NULL FROM rays"), "select its fields"),
        (
            format!("SELECT count(*) FROM rays GROUP BY {m}"),
            "select its fields",
        ),
        (format!("SELECT {m}['w'] FROM rays"), "w"),
        ("SELECT raycast()['t'] FROM rays".to_owned(), "raycast"),
        (
            format!(
                "SELECT raycast(name, {RAY})['t'] FROM (SELECT *, '{path}' || ray_id AS name FROM rays)"
            ),
            "a text between quotes",
        ),
        (
            format!(
                "SELECT 1 FROM rays AS a JOIN rays AS b ON raycast('{path}', a.ox, a.oy, a.oz, b.dx, b.dy, \
                 b.dz)['t'] > a.ray_id"
            ),
            "in a subquery",
        ),
        (
            format!(
                "SELECT ray_id FROM rays AS a WHERE EXISTS (SELECT 1 FROM rays AS b WHERE raycast('{path}', a.ox, \
                 b.oy, b.oz, b.dx, b.dy, b.dz)['t'] > 0)"
            ),
            "join the tables instead",
        ),
    ];
    for (sql, part) in arguments.into_iter().chain(queries) {
        assert_fails(&session, &sql, &[part]).await;
    }
}

#[tokio::test]
async fn markers_in_arguments_and_in_grouping_sets() {
    let mesh = TestMesh::new("sphere?n=100");
    let session = session_of(&random_rays(&mesh.bvh, 10, 1), 1);
    let (m, path) = (mesh.marker(), mesh.path.display().to_string());
    let nested = [
        format!("SELECT raycast('{path}', {m}['t'], 0, 0, 0, 0, 1)['t'] FROM rays"),
        format!("SELECT raycast('{path}', 2 * {m}['t'], 0, 0, 0, 0, 1)['t'], {m}['t'] FROM rays"),
        format!(
            "SELECT raycast('{path}', (SELECT max({m}['t']) FROM rays), 0, 0, 0, 0, 1)['t'] FROM rays"
        ),
    ];
    for sql in nested {
        let part = "in the arguments of another raycast; select its fields in a subquery";
        assert_fails(&session, &sql, &[part]).await;
    }
    let sql = format!(
        "SELECT raycast('{path}', t, 0, 0, 0, 0, 1)['prim'] FROM (SELECT *, {m}['t'] AS t FROM rays)"
    );
    assert_eq!(rows(&session, &sql).await[0].num_rows(), 10);

    let prim = format!("{m}['prim']");
    for sets in [
        format!("ROLLUP({prim})"),
        format!("CUBE({prim}, ray_id)"),
        format!("GROUPING SETS ((ray_id), ({prim}))"),
    ] {
        let sql = format!("SELECT count(*) FROM rays GROUP BY {sets}");
        let part = "in ROLLUP, CUBE or GROUPING SETS; select its fields";
        assert_fails(&session, &sql, &[part]).await;
    }
    for sql in [
        format!("SELECT max({m}['t']) AS t FROM rays GROUP BY ROLLUP(ray_id)"),
        format!(
            "SELECT count(*) FROM (SELECT *, {prim} AS prim FROM rays) GROUP BY ROLLUP(prim, ray_id)"
        ),
    ] {
        assert!(!rows(&session, &sql).await.is_empty());
    }
}

#[tokio::test]
async fn subqueries_whose_rows_depend_on_the_outer_query() {
    let mesh = TestMesh::new("sphere?n=100");
    let session = session_of(&random_rays(&mesh.bvh, 10, 1), 1);
    let m = mesh.marker();
    let refused = [
        format!(
            "SELECT a.ray_id, (SELECT max({m}['t']) FROM rays AS b WHERE b.ray_id = a.ray_id) FROM rays AS a"
        ),
        format!(
            "SELECT a.ray_id FROM rays AS a WHERE 0.5 < (SELECT max({m}['t']) FROM rays AS b WHERE b.ray_id = a.ray_id)"
        ),
    ];
    for sql in refused {
        let parts = ["depend on", "a.ray_id", "in an inner subquery"];
        assert_fails(&session, &sql, &parts).await;
    }
    let sql = format!(
        "SELECT a.ray_id, (SELECT max(b.t) FROM (SELECT *, {m}['t'] AS t FROM rays) AS b WHERE b.ray_id = a.ray_id) AS \
         t FROM rays AS a ORDER BY a.ray_id"
    );
    let direct = format!("SELECT ray_id, {m}['t'] AS t FROM rays ORDER BY ray_id");
    let (found, wanted) = (rows(&session, &sql).await, rows(&session, &direct).await);
    let column = |batches: &[RecordBatch]| {
        let columns = batches.iter().map(|batch| batch.column(1).to_data());
        columns.collect::<Vec<_>>()
    };
    assert_eq!(column(&found), column(&wanted));
    let sql = format!(
        "SELECT ray_id FROM rays AS a WHERE EXISTS (SELECT 1 FROM rays AS b WHERE b.ray_id = a.ray_id AND {m}['t'] >= 0)"
    );
    rows(&session, &sql).await;
}

#[tokio::test]
async fn a_wrong_hash_is_refused_and_a_right_one_taken() {
    let mesh = TestMesh::new("sphere?n=100");
    let session = session_of(&random_rays(&mesh.bvh, 10, 1), 1);
    let sql = |hash: u64| {
        format!(
            "SELECT raycast('{}#{hash:016x}', {RAY})['t'] FROM rays",
            mesh.path.display()
        )
    };
    let found = format!("has the hash {:016x} on this machine", mesh.hash);
    assert_fails(&session, &sql(7), &[&found, "0000000000000007"]).await;
    assert_eq!(rows(&session, &sql(mesh.hash)).await[0].num_rows(), 10);
}

#[tokio::test]
async fn errors_have_types() {
    let mesh = TestMesh::new("sphere?n=100");
    let session = session_of(&random_rays(&mesh.bvh, 10, 1), 1);
    let plan = session
        .sql(&format!("SELECT {} FROM rays", mesh.marker()))
        .await
        .unwrap();
    let error = plan.collect().await.unwrap_err();
    let root = error.find_root();
    let datafusion::error::DataFusionError::External(error) = root else {
        panic!("{root}")
    };
    assert!(
        matches!(error.downcast_ref(), Some(RaycastError::MarkerLeft { .. })),
        "{error}"
    );
}

#[tokio::test]
async fn without_the_rule_a_marker_is_never_evaluated() {
    let session = SessionContext::new();
    session.register_udf(raycast_marker().as_ref().clone());
    let sql =
        "SELECT raycast('a.obj', x, 0, 0, 0, 0, 1)['t'] FROM (VALUES (1.0), (2.0)) AS rays(x)";
    assert_fails(&session, sql, &["RaycastRule is missing"]).await;
}

#[tokio::test]
async fn columns_of_data_frames() {
    let mesh = TestMesh::new("sphere?n=100");
    let session = session_of(&random_rays(&mesh.bvh, 10, 1), 1);
    let path = mesh.path.to_str().unwrap();
    let (ours, named) = (RayColumns::default(), ["x", "oy", "oz", "dx", "dy", "dz"]);
    let taken = "SELECT *, 1 AS prim FROM rays";
    for (sql, columns, part) in [
        (taken, ours.clone(), "has a column prim already"),
        (taken, RayColumns::new(named).prefix("a_"), "x"),
        (
            "SELECT 'a' ox, 0 oy, 0 oz, 0 dx, 0 dy, 1 dz",
            ours.clone(),
            "ox of raycast is Utf8",
        ),
    ] {
        let table = session.sql(sql).await.unwrap();
        let message = table.raycast(path, &columns).unwrap_err().to_string();
        assert!(message.contains(part), "{sql}: {message}");
    }
    let table = session.sql(taken).await.unwrap();
    assert!(table.raycast(path, &ours.prefix("a_")).is_ok());
}

#[tokio::test]
async fn a_session_without_memory_for_a_batch() {
    let mesh = TestMesh::new("sphere?n=100");
    let runtime = RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(GreedyMemoryPool::new(100)))
        .build_arc()
        .unwrap();
    let state = session_state(SessionConfig::new().with_target_partitions(1));
    let state = datafusion::execution::SessionStateBuilder::new_from_existing(state)
        .with_runtime_env(runtime)
        .build();
    let session = SessionContext::new_with_state(state);
    crate::data::register(&session, &random_rays(&mesh.bvh, 10, 1), 1);
    let sql = format!("SELECT {}['t'] FROM rays", mesh.marker());
    assert_fails(&session, &sql, &["RaycastExec"]).await;
}
