//! Meshes, tables of rays, and the answers that queries must give.

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Float32Array, Int64Array, RecordBatch};
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::datatypes::{DataType, Field, Float32Type, Int32Type, Int64Type, Schema};
use datafusion::datasource::MemTable;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::prelude::{SessionConfig, SessionContext};
use estoc::demo::{DemoSpec, SplitMix64};
use estoc::io::TreeWriter;
use estoc::{Batch, Bvh, Ray};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// The text of the numbers of a ray in SQL.
pub(crate) const RAY: &str = "ox, oy, oz, dx, dy, dz";

/// Returns the columns of all answers of a marker.
pub(crate) fn fields(marker: &str) -> String {
    format!("{marker}['t'] AS t, {marker}['prim'] AS prim, {marker}['u'] AS u, {marker}['v'] AS v")
}

/// A tree file in a folder of its own.
pub(crate) struct TestMesh {
    pub(crate) folder: TempDir,
    pub(crate) path: PathBuf,
    pub(crate) bvh: Bvh,
    pub(crate) hash: u64,
}

impl TestMesh {
    pub(crate) fn new(spec: &str) -> TestMesh {
        let folder = tempfile::tempdir().unwrap();
        let (path, bvh, hash) = write_tree(&folder.path().join("mesh.estoc"), spec);
        TestMesh {
            folder,
            path,
            bvh,
            hash,
        }
    }

    /// Returns the marker of the columns of [`rays`].
    pub(crate) fn marker(&self) -> String {
        format!("raycast('{}', {RAY})", self.path.display())
    }
}

pub(crate) fn write_tree(path: &Path, spec: &str) -> (PathBuf, Bvh, u64) {
    let mesh = spec.parse::<DemoSpec>().unwrap().mesh();
    let bvh = Bvh::build(&mesh);
    TreeWriter::new(&bvh).mesh(&mesh).save(path).unwrap();
    (path.to_owned(), bvh, mesh.content_hash())
}

/// Returns rays from points in the box around a tree to others.
pub(crate) fn random_rays(bvh: &Bvh, count: usize, seed: u64) -> Vec<Ray> {
    let mut random = SplitMix64::new(seed);
    let (min, max) = (bvh.bounds().min(), bvh.bounds().max());
    let mut point = || {
        let weights: [f32; 3] = std::array::from_fn(|_| random.unit() as f32);
        min + (max - min) * estoc::glam::Vec3::from(weights)
    };
    (0..count)
        .map(|_| (point(), point()))
        .map(|(from, to)| Ray::new(from, to - from))
        .collect()
}

/// Returns a batch of the columns `ray_id` and `ox` to `dz`.
pub(crate) fn ray_batch(rays: &[Ray], first: usize) -> RecordBatch {
    let names =
        ["ox", "oy", "oz", "dx", "dy", "dz"].map(|name| Field::new(name, DataType::Float32, false));
    let ids = Field::new("ray_id", DataType::Int64, false);
    let schema = Schema::new(std::iter::once(ids).chain(names).collect::<Vec<_>>());
    let numbers = rays
        .iter()
        .map(|ray| [ray.origin.to_array(), ray.dir.to_array()].concat());
    let numbers = numbers.collect::<Vec<_>>();
    let column = |place: usize| -> ArrayRef {
        Arc::new(Float32Array::from_iter_values(
            numbers.iter().map(|row| row[place]),
        ))
    };
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(
        (first..).take(rays.len()).map(|id| id as i64),
    ));
    let columns = std::iter::once(ids).chain((0..6).map(column)).collect();
    RecordBatch::try_new(Arc::new(schema), columns).unwrap()
}

/// Returns a session with a table `rays` of some partitions and batches.
pub(crate) fn session_of(rays: &[Ray], partitions: usize) -> SessionContext {
    let session =
        estoc_datafusion::session(SessionConfig::new().with_target_partitions(partitions));
    register(&session, rays, partitions);
    session
}

pub(crate) fn register(session: &SessionContext, rays: &[Ray], partitions: usize) {
    let each = rays.len().div_ceil(partitions).max(1);
    let batches = |(place, rays): (usize, &[Ray])| {
        let first = place * each;
        let small = rays.chunks(100).enumerate();
        small
            .map(|(place, rays)| ray_batch(rays, first + place * 100))
            .collect::<Vec<_>>()
    };
    let parts = rays
        .chunks(each)
        .enumerate()
        .map(batches)
        .collect::<Vec<_>>();
    let schema = ray_batch(&[], 0).schema();
    let parts = if parts.is_empty() {
        vec![vec![]]
    } else {
        parts
    };
    session
        .register_table("rays", Arc::new(MemTable::try_new(schema, parts).unwrap()))
        .unwrap();
}

/// Writes the rays as a folder of Parquet files.
pub(crate) fn write_parquet(folder: &Path, rays: &[Ray], files: usize) {
    std::fs::create_dir_all(folder).unwrap();
    let each = rays.len().div_ceil(files);
    for (file, rays) in rays.chunks(each).enumerate() {
        let batch = ray_batch(rays, file * each);
        let to = File::create(folder.join(format!("part-{file:03}.parquet"))).unwrap();
        let mut writer = ArrowWriter::try_new(to, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    }
}

/// A row of answers: the bits of `t`, `prim`, `u` and `v`; `None` for a miss.
pub(crate) type Bits = Option<(u32, i32, u32, u32)>;

/// Returns the answers of the engine, in the order of the rays.
pub(crate) fn expected(bvh: &Bvh, rays: &[Ray]) -> Vec<Bits> {
    expected_of(Batch::new(), bvh, rays)
}

/// Returns the answers of the engine to a batch.
pub(crate) fn expected_of(batch: Batch<'_>, bvh: &Bvh, rays: &[Ray]) -> Vec<Bits> {
    let hits = batch.closest_hits(bvh, rays).unwrap();
    let bits = |hit: estoc::Hit| {
        (
            hit.t.to_bits(),
            hit.prim.get() as i32,
            hit.u.to_bits(),
            hit.v.to_bits(),
        )
    };
    hits.into_iter().map(|hit| hit.map(bits)).collect()
}

/// Returns the columns `t`, `prim`, `u` and `v` of some batches.
pub(crate) fn bits_of(batches: &[RecordBatch]) -> Vec<Bits> {
    let Some(first) = batches.first() else {
        return Vec::new();
    };
    let all = concat_batches(&first.schema(), batches).unwrap();
    let column = |name: &str| all.column_by_name(name).unwrap();
    let [t, u, v] = ["t", "u", "v"].map(|name| column(name).as_primitive::<Float32Type>());
    let prim = column("prim").as_primitive::<Int32Type>();
    let row = |row: usize| {
        let nulls = [t, u, v].map(|reals| reals.is_null(row));
        assert_eq!(nulls, [prim.is_null(row); 3], "some columns are null only");
        let bits = |reals: &Float32Array| reals.value(row).to_bits();
        (!prim.is_null(row)).then(|| (bits(t), prim.value(row), bits(u), bits(v)))
    };
    (0..all.num_rows()).map(row).collect()
}

/// Returns a column of integers.
pub(crate) fn integers(batches: &[RecordBatch], name: &str) -> Vec<i64> {
    let column = |batch: &RecordBatch| {
        batch
            .column_by_name(name)
            .unwrap()
            .as_primitive::<Int64Type>()
            .values()
            .to_vec()
    };
    batches.iter().flat_map(column).collect()
}

/// Runs a query.
pub(crate) async fn rows(session: &SessionContext, sql: &str) -> Vec<RecordBatch> {
    let plan = session
        .sql(sql)
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
    plan.collect()
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// Runs a query for all answers of a marker, and returns them.
pub(crate) async fn answers(session: &SessionContext, marker: &str, rest: &str) -> Vec<Bits> {
    bits_of(&rows(session, &format!("SELECT {} {rest}", fields(marker))).await)
}

/// Runs a query that must fail with a message that has these parts.
pub(crate) async fn assert_fails(session: &SessionContext, sql: &str, parts: &[&str]) {
    let result = match session.sql(sql).await {
        Ok(plan) => plan.collect().await.map(drop),
        Err(error) => Err(error),
    };
    let message = result.expect_err(sql).to_string();
    for part in parts {
        assert!(message.contains(part), "{sql}: {message}");
    }
    assert!(!message.contains("os error"), "{sql}: {message}");
}
