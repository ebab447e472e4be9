//! Meshes in `f64`: their numbers are used as they are.

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Float64Type, Int32Type};
use datafusion::prelude::SessionContext;
use estoc::{Batch, Bvh, Mesh, MeshLoader};
use estoc_datafusion::{MeshCache, MeshNumbers, RayColumns, RaycastExt};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Where the southern wall of a house on a map is; the `f32`s beside it are 0.249 and 0.251 away.
const WALL: f64 = 5_201_234.751;

/// Writes a house of 10 by 10 by 3.
fn house(folder: &Path) -> PathBuf {
    let mut text = String::new();
    for corner in 0..8 {
        let at = |axis: usize, low: f64, size: f64| low + f64::from(corner >> axis & 1) * size;
        let (x, y, z) = (
            at(0, 502_345.125, 10.0),
            at(1, WALL, 10.0),
            at(2, 310.25, 3.0),
        );
        text += &format!("v {x} {y} {z}\n");
    }
    text += "f 1 3 7 5\nf 2 6 8 4\nf 1 5 6 2\nf 3 4 8 7\nf 1 2 4 3\nf 5 7 8 6\n";
    let path = folder.join("house.obj");
    fs::write(&path, text).unwrap();
    path
}

async fn one(session: &SessionContext, sql: &str) -> RecordBatch {
    let batches = session.sql(sql).await.unwrap().collect().await.unwrap();
    datafusion::arrow::compute::concat_batches(&batches[0].schema(), &batches).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wall_on_a_map_is_where_its_file_has_it() {
    let folder = TempDir::new().unwrap();
    let house = house(folder.path());
    let session = estoc_datafusion::session(Default::default());
    let starts = [WALL - 0.151, WALL - 0.051, WALL + 0.049];
    let rows = starts
        .map(|y| format!("({y}, CAST(311 AS BIGINT))"))
        .join(", ");
    let cast = |mesh: &str| {
        let ray = format!("raycast('{mesh}', 502350, y, z, 0, 1, 0)");
        format!(
            "SELECT {ray}['t'] AS t, {ray}['prim'] AS prim FROM (VALUES {rows}) AS p(y, z) ORDER BY y"
        )
    };
    let found = one(&session, &cast(&house.display().to_string())).await;
    assert_eq!(found.schema().field(0).data_type(), &DataType::Float64);
    let t = found.column(0).as_primitive::<Float64Type>();
    assert!(t.values().iter().eq(&[
        WALL - starts[0],
        WALL - starts[1],
        (WALL + 10.0) - starts[2]
    ]));
    // By its hash, and as the nearest `f32`s, which have the wall 0.249 farther.
    let reference = MeshCache::of_process()
        .reference(&house.display().to_string())
        .unwrap();
    assert_eq!(reference.numbers, MeshNumbers::F64);
    let hashed = reference.to_string();
    assert!(hashed.ends_with(":f64"), "{hashed}");
    assert_eq!(one(&session, &cast(&hashed)).await, found);
    let narrow = Mesh::load(&house).unwrap();
    let hash = narrow.content_hash();
    let rounded = one(&session, &cast(&format!("{}#{hash:016x}", house.display()))).await;
    assert_eq!(rounded.schema().field(0).data_type(), &DataType::Float32);
}

#[tokio::test]
async fn answers_are_those_of_the_engine_and_nulls_miss() {
    let folder = TempDir::new().unwrap();
    let house = house(folder.path());
    let session = estoc_datafusion::session(Default::default());
    let table = session
        .sql(
            "SELECT 502346.0 + 0.7 * id AS ox, 5201230.0 AS oy, 311.1 AS oz, 0.01 * id AS dx, 1.0 AS dy, \
             CASE WHEN id % 5 = 4 THEN NULL ELSE 0.003 * id END AS dz, id \
             FROM generate_series(0, 19) AS s(id)",
        )
        .await
        .unwrap();
    let hits = table
        .raycast(house.to_str().unwrap(), &RayColumns::default())
        .unwrap();
    let hits = hits
        .sort(vec![datafusion::prelude::col("id").sort(true, true)])
        .unwrap();
    let batches = hits.collect().await.unwrap();
    let all = datafusion::arrow::compute::concat_batches(&batches[0].schema(), &batches).unwrap();
    let number = |name: &str| {
        all.column_by_name(name)
            .unwrap()
            .as_primitive::<Float64Type>()
    };
    let numbers = ["ox", "oy", "oz", "dx", "dy", "dz"].map(number);
    let rays: Vec<_> = (0..all.num_rows())
        .map(|row| {
            let [ox, oy, oz, dx, dy, dz] = numbers.map(|column| column.iter().nth(row).flatten());
            let dz = dz.unwrap_or(f64::NAN);
            estoc::scene::Ray64::new(
                [ox, oy, oz].map(Option::unwrap),
                [dx.unwrap(), dy.unwrap(), dz],
            )
        })
        .collect();
    let tree: Bvh<f64> = Bvh::build(&MeshLoader::new().load_f64(&house).unwrap());
    let wanted = Batch::new()
        .ask(&tree, estoc::query::Closest, &rays)
        .unwrap();
    assert!(wanted.iter().any(Option::is_some) && wanted.iter().any(Option::is_none));
    let prims = all
        .column_by_name("prim")
        .unwrap()
        .as_primitive::<Int32Type>();
    for (row, hit) in wanted.iter().enumerate() {
        assert_eq!(
            prims.iter().nth(row).flatten(),
            hit.map(|hit| hit.prim.get() as i32)
        );
        let numbers = hit.map_or([None; 2], |hit| [Some(hit.t), Some(hit.u)]);
        for (name, value) in ["t", "u"].into_iter().zip(numbers) {
            assert_eq!(
                number(name).iter().nth(row).flatten(),
                value,
                "{name} {row}"
            );
        }
    }
}
