//! Casts a million rays at a demo scene in parallel and prints the plan and the report of the
//! batch: `cargo run --release --features examples -p estoc --example batch`, optionally with
//! another scene: `-- 'terrain?n=1000000'`.

use estoc::demo::{DemoSpec, SplitMix64};
use estoc::glam::Vec3;
use estoc::{
    Batch, Bvh, Ray,
    batch::{Rays, RaysSoA},
    query::{Closest, Query},
};
use std::error::Error;
use std::time::Instant;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let scene = std::env::args().nth(1).unwrap_or("sphere?n=100000".into());
    let mesh = scene.parse::<DemoSpec>()?.mesh();
    let bvh = Bvh::build(&mesh);

    // From around the scene towards random points in its bounds.
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

    let mut hits = vec![None; rays.len()];
    let start = Instant::now();
    let report = Batch::new().ask_into(&bvh, Closest, &rays, &mut hits[..])?;
    let seconds = start.elapsed().as_secs_f64();
    let count = hits.iter().flatten().count();
    println!(
        "{count} of {} rays hit one of {} triangles, in {seconds:.2} s",
        rays.len(),
        mesh.triangle_count()
    );
    println!("{report}");

    // An array per coordinate works as well: here parallel rays straight down on a grid.
    let raster = |i: usize| (i % 256, i / 256);
    let (x, z): (Vec<f32>, Vec<f32>) = (0..256 * 256)
        .map(raster)
        .map(|(x, z)| {
            (
                low.x + size.x * x as f32 / 255.0,
                low.z + size.z * z as f32 / 255.0,
            )
        })
        .unzip();
    let (top, zero, down) = (
        vec![low.y + 2.0 * size.y; x.len()],
        vec![0.0; x.len()],
        vec![-1.0; x.len()],
    );
    let from_above = Rays::try_from(RaysSoA {
        ox: &x,
        oy: &top,
        oz: &z,
        dx: &zero,
        dy: &down,
        dz: &zero,
        t_min: None,
        t_max: None,
    })?;
    let plan = Batch::new().plan(&bvh, Query::Any, from_above);
    let covered = Batch::new().any_hits(&bvh, from_above)?;
    let share = covered.iter().filter(|&&hit| hit).count() as f64 / covered.len() as f64;
    println!(
        "seen from above it covers {:.1} % of its box; {}",
        100.0 * share,
        plan.technique
    );
    Ok(())
}
