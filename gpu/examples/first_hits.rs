//! First hits of a million rays at a generated terrain, by the first device there is, or by the one that is named.
//!
//! `cargo run --release --example first_hits -- [NAME]`

use estoc::demo::DemoSpec;
use estoc::glam::Vec3;
use estoc::{Batch, Bvh, Ray};
use estoc_gpu::{Device, GpuBatch, GpuBvh};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bvh = Bvh::build(&"terrain?n=100000".parse::<DemoSpec>()?.mesh());
    let bounds = bvh.bounds();
    let size = bounds.max() - bounds.min();
    let rays: Vec<Ray> = (0..1_000_000)
        .map(|i| {
            let (x, z) = ((i % 1000) as f32 / 1000.0, (i / 1000) as f32 / 1000.0);
            let from = bounds.min() + size * Vec3::new(x, 2.0, z);
            Ray::new(from, [0.1, -1.0, 0.2])
        })
        .collect();

    let name = std::env::args().nth(1).unwrap_or_default();
    let device = Device::open(&name)?;
    println!("{}", device.info());
    let gpu = GpuBvh::new(&bvh, &device)?;
    let batch = GpuBatch::new(&gpu).falls_back(true);
    let start = Instant::now();
    let (hits, report) = batch.run(|batch, engine| batch.closest_hits(engine, &rays))?;
    println!(
        "the device: {:.2?}; it left {} of {} rays to the processor",
        start.elapsed(),
        report.doubts,
        report.rays
    );

    let start = Instant::now();
    let expected = Batch::new().closest_hits(&bvh, &rays)?;
    println!("the processor: {:.2?}", start.elapsed());
    assert!(hits == expected, "the answers have the same bits");
    println!("{} hits, the same bits", hits.iter().flatten().count());
    Ok(())
}
