//! A mesh and rays to try queries on.

use crate::arguments::Compression;
use crate::output::{ParquetFile, print_line};
use datafusion::arrow::array::{ArrayRef, Float32Array, Int64Array, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use estoc::demo::{DemoSpec, SplitMix64};
use estoc::io::TreeWriter;
use estoc::{Bvh, glam::Vec3};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

/// The rows of a batch.
const ROWS: u64 = 65_536;

/// Writes `mesh.estoc` and the rays, `rays.parquet` or the folder `rays`.
pub(crate) fn write_demo(
    folder: &Path,
    mesh: &str,
    rays: u64,
    files: u64,
) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let mesh = mesh.parse::<DemoSpec>()?.mesh();
    let bvh = Bvh::builder().build(&mesh)?;
    TreeWriter::new(&bvh)
        .mesh(&mesh)
        .save(folder.join("mesh.estoc"))?;
    let bounds = bvh.bounds();
    let paths = match files {
        0 | 1 => vec![folder.join("rays.parquet")],
        _ => {
            std::fs::create_dir_all(folder.join("rays"))?;
            (0..files)
                .map(|file| folder.join("rays").join(format!("part-{file:03}.parquet")))
                .collect()
        }
    };
    let names =
        ["ox", "oy", "oz", "dx", "dy", "dz"].map(|name| Field::new(name, DataType::Float32, false));
    let ray_id = Field::new("ray_id", DataType::Int64, false);
    let schema = Arc::new(Schema::new(
        std::iter::once(ray_id).chain(names).collect::<Vec<_>>(),
    ));
    let mut random = SplitMix64::new(1);
    let each = rays.div_ceil(files.max(1));
    for (path, first) in paths.iter().zip((0..).step_by(each.max(1) as usize)) {
        let mut file = ParquetFile::create(path, &schema, Compression::None, Vec::new())?;
        let end = rays.min(first + each);
        for start in (first..end).step_by(ROWS as usize) {
            let ids = start..end.min(start + ROWS);
            let rows = ids
                .clone()
                .map(|_| ray(&mut random, bounds.min(), bounds.max()))
                .collect::<Vec<_>>();
            let column =
                |place: usize| Float32Array::from_iter_values(rows.iter().map(|row| row[place]));
            let ids = Int64Array::from_iter_values(ids.map(|id| id as i64));
            let numbers = (0..6).map(|place| Arc::new(column(place)) as ArrayRef);
            let columns = std::iter::once(Arc::new(ids) as ArrayRef)
                .chain(numbers)
                .collect();
            file.write(&RecordBatch::try_new(schema.clone(), columns)?)?;
        }
        file.finish()?;
    }
    print_line(&format!(
        "{} triangles, {rays} rays in {}",
        bvh.triangle_count(),
        folder.display()
    ))?;
    Ok(())
}

/// Returns a ray from a point in the box around the mesh towards another.
fn ray(random: &mut SplitMix64, min: Vec3, max: Vec3) -> [f32; 6] {
    let mut point = || {
        let weights = Vec3::from(std::array::from_fn(|_| random.unit() as f32));
        min + (max - min) * weights
    };
    let (from, to) = (point(), point());
    let along = to - from;
    [from.x, from.y, from.z, along.x, along.y, along.z]
}
