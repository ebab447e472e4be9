//! Answers are those of the engine, for every shape of query.

use crate::data::{
    RAY, TestMesh, answers, bits_of, expected, fields, integers, random_rays, rows, session_of,
};
use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::datatypes::Float32Type;
use datafusion::prelude::{col, lit};
use estoc::{Ray, RayQuery};
use estoc_datafusion::{RayColumns, RaycastExt};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sql_gives_the_bits_of_the_engine_for_any_number_of_partitions() {
    let mesh = TestMesh::new("terrain?n=2000");
    let rays = random_rays(&mesh.bvh, 1500, 1);
    let wanted = expected(&mesh.bvh, &rays);
    assert!(wanted.iter().any(Option::is_some) && wanted.iter().any(Option::is_none));
    for partitions in [1, 3] {
        let session = session_of(&rays, partitions);
        let found = answers(&session, &mesh.marker(), "FROM rays ORDER BY ray_id").await;
        assert_eq!(found, wanted);
    }
}

#[tokio::test]
async fn the_method_of_data_frames_gives_the_same() {
    let mesh = TestMesh::new("sphere?n=500");
    let rays = random_rays(&mesh.bvh, 300, 2);
    let session = session_of(&rays, 2);
    let table = session.table("rays").await.unwrap();
    let path = mesh.path.to_str().unwrap();
    let hits = table.raycast(path, &RayColumns::default()).unwrap();
    let hits = hits
        .sort(vec![col("ray_id").sort(true, true)])
        .unwrap()
        .collect()
        .await
        .unwrap();
    assert_eq!(bits_of(&hits), expected(&mesh.bvh, &rays));

    // Again, on the table with the answers, and with intervals.
    let table = session.table("rays").await.unwrap();
    let twice = table.raycast(path, &RayColumns::default()).unwrap();
    let twice = twice
        .with_column("tmin", lit(0.25))
        .unwrap()
        .with_column("tmax", lit(0.75))
        .unwrap();
    let columns = RayColumns::default()
        .interval("tmin", "tmax")
        .prefix("middle_");
    let twice = twice.raycast(path, &columns).unwrap();
    let twice = twice.sort(vec![col("ray_id").sort(true, true)]).unwrap();
    let renamed = ["t", "prim", "u", "v"].map(|name| col(format!("middle_{name}")).alias(name));
    let hits = twice.select(renamed).unwrap().collect().await.unwrap();
    let middle = rays
        .iter()
        .map(|ray| ray.with_interval(0.25, 0.75))
        .collect::<Vec<_>>();
    assert_eq!(bits_of(&hits), expected(&mesh.bvh, &middle));
}

#[tokio::test]
async fn an_interval_is_the_last_two_arguments() {
    let mesh = TestMesh::new("sphere?n=500");
    let rays = random_rays(&mesh.bvh, 300, 3);
    let session = session_of(&rays, 1);
    let marker = format!(
        "raycast('{}', {RAY}, 0.25, ray_id * 0 + 1)",
        mesh.path.display()
    );
    let hits = answers(&session, &marker, "FROM rays ORDER BY ray_id").await;
    let rays = rays
        .iter()
        .map(|ray| ray.with_interval(0.25, 1.0))
        .collect::<Vec<_>>();
    assert_eq!(hits, expected(&mesh.bvh, &rays));
}

#[tokio::test]
async fn markers_stand_in_all_kinds_of_queries() {
    let mesh = TestMesh::new("terrain?n=500");
    let rays = random_rays(&mesh.bvh, 400, 4);
    let session = session_of(&rays, 2);
    let wanted = expected(&mesh.bvh, &rays);
    let hit = wanted.iter().filter(|bits| bits.is_some()).count() as i64;
    let marker = mesh.marker();
    let prims = wanted.iter().map(|bits| bits.map(|bits| bits.1));
    let prims = prims.collect::<std::collections::HashSet<_>>().len() as i64;
    // GROUP BY, an aggregate, HAVING, DISTINCT, UNION, EXISTS, JOIN and a window.
    for (sql, n) in [
        (
            format!(
                "SELECT count(*) AS n FROM (SELECT {marker}['prim'] AS p, count(*) FROM rays GROUP BY {marker}['prim'])"
            ),
            prims,
        ),
        (format!("SELECT count({marker}['t']) AS n FROM rays"), hit),
        (
            format!("SELECT count(*) AS n FROM rays HAVING max({marker}['t']) > 0"),
            400,
        ),
        (
            format!(
                "SELECT count(*) AS n FROM (SELECT DISTINCT {marker}['prim'] IS NULL FROM rays)"
            ),
            2,
        ),
        (
            format!(
                "SELECT sum(n) AS n FROM (SELECT count({marker}['t']) AS n FROM rays UNION ALL SELECT \
                 count({marker}['u']) FROM rays)"
            ),
            2 * hit,
        ),
        (
            format!(
                "SELECT count(*) AS n FROM rays WHERE EXISTS (SELECT 1 FROM rays WHERE {marker}['t'] > 0)"
            ),
            400,
        ),
        (
            format!(
                "SELECT count(*) AS n FROM rays AS a JOIN (SELECT ray_id AS id, {marker}['t'] AS t FROM rays) AS b ON \
                 a.ray_id = b.id WHERE b.t IS NOT NULL"
            ),
            hit,
        ),
        (
            format!(
                "SELECT max(r) AS n FROM (SELECT CAST(rank() OVER (ORDER BY ray_id) AS BIGINT) AS r, {marker}['t'] AS \
                 t FROM rays WHERE {marker}['prim'] IS NOT NULL)"
            ),
            hit,
        ),
    ] {
        assert_eq!(integers(&rows(&session, &sql).await, "n"), [n], "{sql}");
    }

    let near = wanted
        .iter()
        .zip(0_i64..)
        .filter(|(bits, _)| bits.is_some_and(|bits| f32::from_bits(bits.0) < 0.5))
        .map(|(_, id)| id)
        .collect::<Vec<_>>();
    for sql in [
        format!("SELECT ray_id FROM rays WHERE {marker}['t'] < 0.5 ORDER BY ray_id"),
        format!(
            "WITH hits AS (SELECT *, {marker}['t'] AS t FROM rays) SELECT ray_id FROM hits WHERE t < 0.5 ORDER BY \
             ray_id"
        ),
        format!(
            "SELECT r.ray_id FROM rays AS r WHERE {}['t'] < 0.5 ORDER BY r.ray_id",
            marker.replace("ox", "r.ox")
        ),
    ] {
        let found = rows(&session, &sql).await;
        assert_eq!(integers(&found, "ray_id"), near, "{sql}");
    }
}

#[tokio::test]
async fn rows_come_in_order_of_a_marker_that_is_not_selected() {
    let mesh = TestMesh::new("terrain?n=500");
    let rays = random_rays(&mesh.bvh, 400, 5);
    let session = session_of(&rays, 2);
    let marker = mesh.marker();
    let sql = format!(
        "SELECT ray_id FROM rays WHERE {marker}['t'] IS NOT NULL ORDER BY {marker}['t'], ray_id LIMIT 50"
    );
    let wanted = expected(&mesh.bvh, &rays);
    let mut order = wanted
        .iter()
        .enumerate()
        .filter_map(|(id, bits)| Some(((*bits)?.0, id as i64)))
        .collect::<Vec<_>>();
    order.sort_unstable();
    let first = order.iter().take(50).map(|&(_, id)| id).collect::<Vec<_>>();
    let found = rows(&session, &sql).await;
    assert_eq!(integers(&found, "ray_id"), first);
    assert_eq!(found[0].num_columns(), 1);
}

#[tokio::test]
async fn columns_of_operators_are_not_seen() {
    let mesh = TestMesh::new("terrain?n=500");
    let session = session_of(&random_rays(&mesh.bvh, 10, 6), 1);
    let marker = mesh.marker();
    let names = |batches: &[RecordBatch]| {
        batches[0]
            .schema()
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect::<Vec<_>>()
    };
    let every =
        format!("SELECT * FROM rays WHERE {marker}['t'] IS NULL OR true ORDER BY {marker}['u']");
    let all = rows(&session, &every).await;
    assert_eq!(names(&all), ["ray_id", "ox", "oy", "oz", "dx", "dy", "dz"]);
    let path = mesh.path.display().to_string();
    let unnamed = rows(&session, &format!("SELECT {marker}['t'] FROM rays")).await;
    let name = names(&unnamed).remove(0);
    assert!(
        name.starts_with("raycast(") && name.contains(&path) && name.ends_with("[t]"),
        "{name}"
    );
}

#[tokio::test]
async fn a_ray_of_literals_needs_no_table() {
    let mesh = TestMesh::new("sphere?n=500");
    let session = session_of(&[], 1);
    let marker = format!("raycast('{}', 0, 0, 5, 0.0, 0, -1)", mesh.path.display());
    let ray = Ray::new([0.0, 0.0, 5.0], [0.0, 0.0, -1.0]);
    let found = answers(&session, &marker, "").await;
    assert_eq!(found, expected(&mesh.bvh, &[ray]));
    assert!(found[0].is_some());
}

#[tokio::test]
async fn a_table_without_rows_has_answers_without_rows() {
    let mesh = TestMesh::new("sphere?n=500");
    let session = session_of(&[], 1);
    let found = answers(&session, &mesh.marker(), "FROM rays").await;
    assert!(found.is_empty());
}

#[tokio::test]
async fn undefined_rays_miss() {
    let mesh = TestMesh::new("sphere?n=500");
    let session = session_of(&[], 1);
    let path = mesh.path.display();
    for number in [
        "NULL",
        "CAST('NaN' AS DOUBLE)",
        "CAST('inf' AS REAL)",
        "1e300",
    ] {
        for place in 0..8 {
            let mut numbers = ["0", "0", "5", "0", "0", "-1", "0", "9"].map(str::to_owned);
            // A bound may be infinite, or null, which is its default.
            if place >= 6 && number != "CAST('NaN' AS DOUBLE)" {
                continue;
            }
            number.clone_into(&mut numbers[place]);
            let marker = format!("raycast('{path}', {})", numbers.join(", "));
            assert_eq!(answers(&session, &marker, "").await, [None], "{marker}");
        }
    }
    // One row of three is null.
    let sql = format!(
        "SELECT raycast('{path}', ox, 0, 5, 0, 0, -1)['t'] AS t FROM (VALUES (0.0), (NULL), (0.1)) AS rays(ox)"
    );
    let found = rows(&session, &sql).await;
    let t = found[0].column(0).as_primitive::<Float32Type>().clone();
    assert_eq!([0, 1, 2].map(|row| t.is_null(row)), [false, true, false]);
}

#[tokio::test]
async fn numbers_of_f64_and_integers_are_rounded_once() {
    let mesh = TestMesh::new("terrain?n=500");
    let session = session_of(&[], 1);
    // Between two f32s, and nearer to the upper: 1 + 2^-24 + 2^-40.
    let number = 1.0 + f64::powi(2.0, -24) + f64::powi(2.0, -40);
    let (min, max) = (mesh.bvh.bounds().min(), mesh.bvh.bounds().max());
    let middle = 0.5 * (min + max);
    let ray = Ray::new(
        [middle.x, max.y + 1.0, middle.z],
        [0.0, -(number as f32), 0.0],
    );
    let path = mesh.path.display();
    let marker = format!(
        "raycast('{path}', CAST({} AS DOUBLE), CAST({} AS DOUBLE), {}, 0, CAST(-{number:?} AS DOUBLE), 0)",
        f64::from(middle.x),
        f64::from(max.y + 1.0),
        f64::from(middle.z),
    );
    let hit = mesh.bvh.closest_hit(&ray);
    assert!(hit.is_some());
    let found = answers(&session, &marker, "").await;
    assert_eq!(found, expected(&mesh.bvh, &[ray]));
    // 2^24 + 1 is no f32; ties go to even.
    let marker = format!("raycast('{path}', 0, 16777217, 0, 0, -1, 0)");
    let ray = Ray::new([0.0, 16_777_216.0, 0.0], [0.0, -1.0, 0.0]);
    let found = answers(&session, &marker, "").await;
    assert_eq!(found, expected(&mesh.bvh, &[ray]));
}

#[tokio::test]
async fn a_partition_keeps_its_order() {
    let mesh = TestMesh::new("terrain?n=500");
    let rays = random_rays(&mesh.bvh, 2000, 7);
    let session = session_of(&rays, 1);
    let found = rows(
        &session,
        &format!("SELECT ray_id, {} FROM rays", fields(&mesh.marker())),
    )
    .await;
    assert_eq!(integers(&found, "ray_id"), (0..2000).collect::<Vec<_>>());
    assert_eq!(bits_of(&found), expected(&mesh.bvh, &rays));
}
