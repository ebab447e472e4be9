//! Measures how far two scans of the same object are apart, and paints the distances as a PNG
//! picture: `cargo run --release --features examples -p estoc --example scan_distance`, optionally
//! with a path: `-- distance.png`.
//!
//! The second scan is coarser. The distance is that of the first one's vertices from the second
//! one's triangles, not from its vertices, and exact.

use estoc::camera::{FieldOfView, Viewport};
use estoc::demo::DemoSpec;
use estoc::{Batch, Bvh, Camera, Mesh};
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;

const SIZE: [u32; 2] = [480, 320];

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).map(PathBuf::from);
    let path = path.unwrap_or_else(|| std::env::temp_dir().join("estoc_scan_distance.png"));
    let [fine, coarse] = ["teapot?n=40000", "teapot?n=3000"].map(str::parse::<DemoSpec>);
    let [fine, coarse] = [fine?.mesh(), coarse?.mesh()];
    let [from, to] = [&fine, &coarse].map(Bvh::build);

    let distances = Batch::new().distances(&to, fine.positions())?;
    let mut distances: Vec<f32> = distances.into_iter().flatten().collect();
    distances.sort_by(f32::total_cmp);
    let most = distances
        .last()
        .copied()
        .ok_or("the scans have triangles")?;
    let middle = distances[distances.len() / 2];
    let square: f64 = distances.iter().map(|&d| f64::from(d) * f64::from(d)).sum();
    let rms = (square / distances.len() as f64).sqrt();
    println!(
        "{} vertices: median {middle:.6}, rms {rms:.6}, greatest {most:.6}",
        distances.len()
    );

    let pixels = paint(&fine, &from, &to, most)?;
    let file = BufWriter::new(File::create(&path)?);
    let mut encoder = png::Encoder::new(file, SIZE[0], SIZE[1]);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&pixels)?;
    println!("wrote {}", path.display());
    Ok(())
}

/// Returns the picture of a scan whose colours are distances from another one.
fn paint(mesh: &Mesh, from: &Bvh, to: &Bvh, most: f32) -> Result<Vec<u8>, Box<dyn Error>> {
    let window = Viewport::new(SIZE[0] as f32, SIZE[1] as f32);
    let fov = FieldOfView::VerticalRadians(0.6);
    let camera = Camera::look_at(
        window,
        [0.9, 1.1, 2.2],
        [0.1, 0.35, 0.0],
        [0.0, 1.0, 0.0],
        fov,
    )?;
    let centres = (0..SIZE[0] * SIZE[1]).map(|i| (i % SIZE[0], i / SIZE[0]));
    let rays: Vec<_> = centres
        .map(|(x, y)| camera.ray([x as f32 + 0.5, y as f32 + 0.5]))
        .collect();
    let hits = Batch::new().closest_hits(from, &rays)?;
    // Where nothing is hit, the point is not finite, and nothing is near it.
    let points: Vec<_> = hits
        .iter()
        .map(|hit| {
            let hit = hit.as_ref()?;
            Some(hit.point(&mesh.triangle(hit.prim)?))
        })
        .map(|point| point.unwrap_or(estoc::glam::Vec3::NAN))
        .collect();
    let distances = Batch::new().distances(to, &points)?;
    Ok(distances
        .iter()
        .flat_map(|d| colour(d.map(|d| d / most)))
        .collect())
}

/// Returns blue for 0, white for a half and red for 1; grey for nothing.
fn colour(share: Option<f32>) -> [u8; 3] {
    let Some(share) = share else {
        return [40; 3];
    };
    let low = (2.0 * share).min(1.0);
    let high = (2.0 - 2.0 * share).clamp(0.0, 1.0);
    [low, low.min(high), high].map(|channel| (55.0 + 200.0 * channel) as u8)
}
