//! Estimates how much light a round plate blocks from a ball beside it, with a stream of rays that
//! ends when the estimate is precise enough: `cargo run --release --features examples -p estoc
//! --example batch_stream`, optionally with another error: `-- 0.0003`.
//!
//! Rays are generated on demand and results are summed as they arrive; no list of rays is ever in
//! memory.

use estoc::demo::SplitMix64;
use estoc::glam::Vec3;
use estoc::query::Any;
use estoc::{Batch, Bvh, Mesh, Ray};
use std::error::Error;
use std::f32::consts::TAU;
use std::ops::ControlFlow;

/// The number of corners of the plate.
const SIDES: u32 = 1000;
/// The radius of the plate and its distance from the centre of the ball, whose radius is 1.
const RADIUS: f32 = 2.0;
const DISTANCE: f32 = 2.0;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let wanted: f64 = std::env::args().nth(1).unwrap_or("0.001".into()).parse()?;

    let rim = (0..SIDES).map(|i| {
        let (sin, cos) = (TAU * i as f32 / SIDES as f32).sin_cos();
        Vec3::new(DISTANCE, RADIUS * sin, RADIUS * cos)
    });
    let corners = [DISTANCE * Vec3::X].into_iter().chain(rim);
    let faces = (0..SIDES).map(|i| [0, 1 + i, 1 + (i + 1) % SIDES]);
    let plate = Bvh::build(&Mesh::try_new(corners, faces)?);

    // From random points of the ball, cosine-distributed about the normal, as light arrives.
    let mut rng = SplitMix64::new(1);
    let mut direction = move || Vec3::from_array(rng.direction().map(|x| x as f32));
    let rays = std::iter::repeat_with(move || {
        let normal = direction();
        Ray::new(normal, normal + direction())
    });

    let (mut count, mut kept) = (0u64, 0u64);
    let ended = Batch::new().stream(rays).ask(&plate, Any, |_, hits| {
        count += hits.len() as u64;
        kept += hits.iter().filter(|&&hit| hit).count() as u64;
        let share = kept as f64 / count as f64;
        let error = (share * (1.0 - share) / count as f64).sqrt();
        match kept > 0 && error < wanted {
            true => ControlFlow::Break((share, error)),
            false => ControlFlow::Continue(()),
        }
    })?;
    if let ControlFlow::Break((share, error)) = ended {
        println!("{share:.5} of the light, give or take {error:.5}, after {count} rays");
    }
    let slope = f64::from(RADIUS / DISTANCE);
    let exactly = 0.5 * (1.0 - 1.0 / slope.hypot(1.0));
    println!("{exactly:.5} by the textbook, from a ball to a disc on its axis");
    Ok(())
}
