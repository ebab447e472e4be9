//! A million rays at a demo scene, in parallel: `cargo run --release -p estoc --example
//! batch`, with another scene as argument if you like: `-- 'terrain?n=1000000'`.

use estoc::demo::{DemoSpec, SplitMix64};
use estoc::glam::Vec3;
use estoc::{Batch, Bvh, Ray};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let scene = std::env::args().nth(1).unwrap_or("sphere?n=100000".into());
    let mesh = scene.parse::<DemoSpec>()?.mesh();
    let bvh = Bvh::build(&mesh);

    // From everywhere around the scene towards random points in its box.
    let bounds = mesh.bounds();
    let (low, size) = (bounds.min(), bounds.max() - bounds.min());
    let mut rng = SplitMix64::new(1);
    let rays: Vec<Ray> = (0..1_000_000)
        .map(|_| {
            let from = Vec3::from_array(rng.direction().map(|x| x as f32)) * size.length();
            let share: [f64; 3] = std::array::from_fn(|_| rng.unit());
            let target = low + size * Vec3::from_array(share.map(|x| x as f32));
            Ray::new(target + from, -from)
        })
        .collect();

    let start = Instant::now();
    let hits = Batch::new().closest_hits(&bvh, &rays)?;
    let seconds = start.elapsed().as_secs_f64();
    let count = hits.iter().flatten().count();
    println!(
        "{count} of {} rays hit one of {} triangles, in {seconds:.2} s",
        rays.len(),
        mesh.triangle_count()
    );
    Ok(())
}
