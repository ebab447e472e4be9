//! Writes random rays as CSV, NPY and Parquet, and prints how fast a batch answers them from memory:
//! `cargo run --release -p estoc-benches --features parquet --example ray_files -- demo:terrain?n=2000000
//! 4000000 FOLDER`, without a folder only how fast. `estoc cast` then reads the same rays; [docs/ray-files.md](../../docs/ray-files.md)
//! compares the two.
//!
//! Rays start on the sphere around the bounds of the mesh, and go through points in the bounds.

use estoc::demo::{DemoSpec, SplitMix64};
use estoc::{Batch, Bvh, Ray};
use estoc_rays_io::{
    AnsweredBlock, Answers, ColumnKind, ColumnValues, OutputColumn, Passed, SinkOptions,
    TableFormat, TypedValues, hit_sink,
};
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

const NAMES: [&str; 6] = ["ox", "oy", "oz", "dx", "dy", "dz"];

/// Rays of a block.
const BLOCK: usize = 1 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [mesh, count, folder @ ..] = &args[..] else {
        return Err("usage: ray_files demo:NAME COUNT [FOLDER]".into());
    };
    let spec: DemoSpec = mesh.trim_start_matches("demo:").parse()?;
    let mesh = spec.mesh();
    let bvh = Bvh::build(&mesh);
    let bounds = mesh.bounds();
    let (center, half) = (
        (bounds.min() + bounds.max()) * 0.5,
        (bounds.max() - bounds.min()) * 0.5,
    );
    let mut random = SplitMix64::new(22);
    let ray = |_| {
        let from = estoc::glam::Vec3::from(random.direction().map(|x| x as f32));
        let [x, y, z] = std::array::from_fn(|_| random.between(-1.0, 1.0) as f32);
        let to = center + half * estoc::glam::Vec3::new(x, y, z);
        let origin = center + from * half.length();
        Ray::new(origin, (to - origin).normalize())
    };
    let rays: Vec<Ray> = (0..count.parse()?).map(ray).collect();
    for round in 0..3 {
        let start = Instant::now();
        let hits = Batch::new().closest_hits(&bvh, &rays)?;
        let seconds = start.elapsed().as_secs_f64();
        let count = hits.iter().flatten().count();
        let rate = rays.len() as f64 / seconds / 1e6;
        println!("round {round}: {rate:.2} million rays/s, {count} hits");
    }
    let Some(folder) = folder.first().map(Path::new) else {
        return Ok(());
    };
    std::fs::create_dir_all(folder)?;
    let numbers = |ray: &Ray| {
        let ([ox, oy, oz], [dx, dy, dz]) = (ray.origin.to_array(), ray.dir.to_array());
        [ox, oy, oz, dx, dy, dz]
    };
    write_npy(
        &folder.join("rays.npy"),
        rays.len(),
        rays.iter().flat_map(numbers),
    )?;
    for format in [TableFormat::Csv, TableFormat::Parquet] {
        if !format.is_built_in() {
            continue;
        }
        let file = File::create(folder.join(format!("rays.{}", format.extension())))?;
        let columns = NAMES.map(|name| OutputColumn::new(name, ColumnKind::Number));
        let file = BufWriter::with_capacity(1 << 20, file);
        let mut sink = hit_sink(format, columns.to_vec(), file, SinkOptions::default())?;
        for (block, rays) in rays.chunks(BLOCK).enumerate() {
            let column = |place: usize| {
                let numbers = rays.iter().map(|ray| numbers(ray)[place]).collect();
                ColumnValues::all(TypedValues::Numbers(numbers))
            };
            let answers = Answers {
                items: 0..rays.len(),
                item_of_row: None,
                columns: (0..6).map(column).collect(),
            };
            sink.put(&AnsweredBlock {
                first_row: (block * BLOCK) as u64,
                ids: None,
                passed: &Passed::Nothing,
                answers: &answers,
            })?;
        }
        sink.finish()?;
    }
    Ok(())
}

fn write_npy(path: &Path, rows: usize, numbers: impl Iterator<Item = f32>) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, 6), }}");
    file.write_all(b"\x93NUMPY\x01\x00")?;
    file.write_all(&118_u16.to_le_bytes())?;
    writeln!(file, "{text:<117}")?;
    for number in numbers {
        file.write_all(&number.to_le_bytes())?;
    }
    file.flush()
}
