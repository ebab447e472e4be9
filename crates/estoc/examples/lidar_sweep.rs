//! Simulates a spinning lidar that is carried down a hall of columns, and draws a picture: at the
//! top the ranges measured halfway, beam by beam; below it all points up to a height of 4.5 m as a
//! floor plan. `cargo run --release --features examples -p estoc --example lidar_sweep`, optionally
//! with a path for the picture: `-- sweep.png`.

use estoc::demo::DemoSpec;
use estoc::glam::Vec3;
use estoc::{Batch, Bvh, Ray};
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;

const BEAMS: usize = 96;
const STEPS: usize = 1024;
/// Rows of pixels of the floor plan; the hall is 28 m long.
const PLAN: usize = 560;
const PIXELS_PER_METRE: f32 = 34.0;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).map(PathBuf::from);
    let path = path.unwrap_or_else(|| std::env::temp_dir().join("estoc_lidar_sweep.png"));
    let bvh = Bvh::build(&"hall?n=40000".parse::<DemoSpec>()?.mesh());

    let mut picture = vec![[14, 14, 20]; STEPS * (2 * BEAMS + PLAN)];
    let (mut pulses, mut returns, mut farthest) = (0, 0, 0f32);
    for place in 0..7 {
        let rays = turn(Vec3::new(0.0, 1.6, -2.0 - 4.0 * place as f32));
        let hits = Batch::new().closest_hits(&bvh, &rays)?;
        pulses += rays.len();
        for (i, (ray, hit)) in rays.iter().zip(&hits).enumerate() {
            let Some(hit) = hit else { continue };
            returns += 1;
            // The directions have length 1, so t is the range in metres.
            farthest = farthest.max(hit.t);
            if place == 3 {
                let (beam, step) = (i / STEPS, i % STEPS);
                let tone = colour(1.0 - (hit.t / 16.0).sqrt());
                picture[2 * beam * STEPS + step] = tone;
                picture[(2 * beam + 1) * STEPS + step] = tone;
            }
            let point = ray.at(hit.t);
            let right = (1.0 - point.z) * PIXELS_PER_METRE;
            let down = PLAN as f32 / 2.0 + point.x * PIXELS_PER_METRE;
            let on_plan =
                (0.0..STEPS as f32).contains(&right) && (0.0..PLAN as f32).contains(&down);
            if on_plan && point.y < 4.5 {
                let row = 2 * BEAMS + down as usize;
                picture[row * STEPS + right as usize] = colour(point.y / 4.5);
            }
        }
    }
    println!("{returns} of {pulses} pulses came back, from up to {farthest:.1} m");

    let file = BufWriter::new(File::create(&path)?);
    let mut png = png::Encoder::new(file, STEPS as u32, (2 * BEAMS + PLAN) as u32);
    png.set_color(png::ColorType::Rgb);
    let mut writer = png.write_header()?;
    writer.write_image_data(picture.as_flattened())?;
    writer.finish()?;
    println!("picture: {}", path.display());
    Ok(())
}

/// Returns the rays of one turn of the head: beam by beam from 50 degrees up to 30 degrees down.
fn turn(lens: Vec3) -> Vec<Ray> {
    (0..BEAMS * STEPS)
        .map(|i| {
            let up = (50.0 - 80.0 * (i / STEPS) as f32 / (BEAMS - 1) as f32).to_radians();
            let side = (360.0 * (i % STEPS) as f32 / STEPS as f32).to_radians();
            let level = up.cos();
            Ray::new(lens, [level * side.sin(), up.sin(), -level * side.cos()])
        })
        .collect()
}

/// Maps 0 to 1 to colours from blue over green to yellow.
fn colour(share: f32) -> [u8; 3] {
    let s = share.clamp(0.0, 1.0);
    [0.1 + 0.9 * s * s, 0.25 + 0.7 * s, 0.65 - 0.45 * s].map(|c| (255.0 * c) as u8)
}
