//! Masks of rays.

use crate::data::{
    Bits, RAY, TestMesh, answers, assert_fails, bits_of, expected_of, random_rays, session_of,
};
use datafusion::prelude::SessionContext;
use estoc::demo::DemoSpec;
use estoc::io::TreeWriter;
use estoc::query::Masks;
use estoc::{Batch, QueryOptions, Ray};
use estoc_datafusion::{RayColumns, RaycastExt};

/// The masks that rays take in turn, as SQL and as bits.
const MASKS: [(&str, u32); 6] = [
    ("1", 1),
    ("2", 2),
    ("-1", u32::MAX),
    ("4294967294", u32::MAX - 1),
    ("NULL", u32::MAX),
    ("8", 8),
];

/// A tree file whose triangles have one of three masks, and rays.
fn masked() -> (TestMesh, Vec<Ray>) {
    let mut mesh = TestMesh::new("sphere?n=500");
    let count = mesh.bvh.triangle_count();
    let runs = (0..count).map(|prim| (1, [1, 2, 12][prim % 3]));
    mesh.bvh = mesh.bvh.clone().with_masks(Masks::from_runs(runs));
    let triangles = "sphere?n=500".parse::<DemoSpec>().unwrap().mesh();
    let writer = TreeWriter::new(&mesh.bvh).mesh(&triangles);
    writer.save(&mesh.path).unwrap();
    let rays = random_rays(&mesh.bvh, 600, 5);
    (mesh, rays)
}

/// Returns the mask of each ray as SQL.
fn mask_of_row() -> String {
    let cases = MASKS.iter().enumerate();
    let cases: String = cases
        .map(|(place, (sql, _))| format!(" WHEN {place} THEN {sql}"))
        .collect();
    format!("CASE ray_id % {}{cases} END", MASKS.len())
}

fn options(count: usize) -> Vec<QueryOptions> {
    let mask = |ray: usize| QueryOptions::new().mask(MASKS[ray % MASKS.len()].1);
    (0..count).map(mask).collect()
}

async fn query(session: &SessionContext, marker: &str) -> Vec<Bits> {
    answers(session, marker, "FROM rays ORDER BY ray_id").await
}

#[tokio::test]
async fn each_ray_sees_what_its_mask_shows() {
    let (mesh, rays) = masked();
    let options = options(rays.len());
    let wanted = expected_of(Batch::new().options_each(&options), &mesh.bvh, &rays);
    let all = expected_of(Batch::new(), &mesh.bvh, &rays);
    assert_ne!(wanted, all);
    let session = session_of(&rays, 2);
    let marker = |bounds: &str, mask: &str| {
        format!(
            "raycast('{}', {RAY}, {bounds}, {mask})",
            mesh.path.display()
        )
    };
    let bounds = "0, CAST('inf' AS REAL)";
    for bounds in [bounds, "NULL, NULL"] {
        let found = query(&session, &marker(bounds, &mask_of_row())).await;
        assert_eq!(found, wanted);
    }
    // The same mask for all rays.
    for (sql, mask) in MASKS {
        let wanted = expected_of(Batch::new().mask(mask), &mesh.bvh, &rays);
        assert_eq!(
            query(&session, &marker("0, NULL", sql)).await,
            wanted,
            "{sql}"
        );
    }
    // With an interval, whose nulls are its defaults.
    let far: Vec<Ray> = (rays.iter().enumerate())
        .map(|(i, ray)| match i % 2 {
            0 => ray.with_interval(0.3, f32::INFINITY),
            _ => *ray,
        })
        .collect();
    let wanted = expected_of(Batch::new().options_each(&options), &mesh.bvh, &far);
    let bounds = "CASE ray_id % 2 WHEN 0 THEN 0.3 END, NULL";
    assert_eq!(
        query(&session, &marker(bounds, &mask_of_row())).await,
        wanted
    );
}

#[tokio::test]
async fn data_frames_name_a_column_of_masks() {
    let (mesh, rays) = masked();
    let options = options(rays.len());
    let session = session_of(&rays, 1);
    let sql = format!(
        "SELECT *, {} AS seen, CAST(0.3 AS REAL) AS tmin, CAST(0.9 AS REAL) AS tmax FROM rays",
        mask_of_row()
    );
    let path = mesh.path.to_str().unwrap();
    let columns = RayColumns::default().mask("seen");
    let near: Vec<Ray> = rays.iter().map(|ray| ray.with_interval(0.3, 0.9)).collect();
    let with_interval = columns.clone().interval("tmin", "tmax");
    for (columns, rays) in [(columns, &rays), (with_interval, &near)] {
        let table = session.sql(&sql).await.unwrap();
        let hits = table.raycast(path, &columns).unwrap();
        let hits = hits.collect().await.unwrap();
        let wanted = expected_of(Batch::new().options_each(&options), &mesh.bvh, rays);
        assert_eq!(bits_of(&hits), wanted);
    }
}

#[tokio::test]
async fn the_hash_of_a_tree_is_that_of_its_masks_too() {
    let (mesh, rays) = masked();
    let session = session_of(&rays, 1);
    let sql = format!(
        "SELECT raycast('{}#{:016x}', {RAY})['t'] AS t FROM rays",
        mesh.path.display(),
        mesh.hash
    );
    let found = mesh.bvh.hash_with_masks(mesh.hash);
    assert_fails(&session, &sql, &[&format!("{found:016x}")]).await;
}

#[tokio::test]
async fn what_is_no_mask_is_refused() {
    let (mesh, rays) = masked();
    let session = session_of(&rays, 1);
    let large = |mask| {
        let range = "a whole number from -2147483648 to 4294967295";
        format!("mask of raycast is {mask}, which is not {range}")
    };
    let real = "mask of raycast is Float64; wanted is an integer type: write CAST(mask AS BIGINT)";
    for (mask, wanted) in [
        ("1.5", real.to_owned()),
        ("4294967296", large("4294967296")),
        ("-2147483649", large("-2147483649")),
    ] {
        let path = mesh.path.display();
        let sql = format!("SELECT raycast('{path}', {RAY}, 0, 9, {mask})['t'] AS t FROM rays");
        assert_fails(&session, &sql, &[&wanted]).await;
    }
}
