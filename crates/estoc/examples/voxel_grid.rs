//! Fills a grid of voxels with signed distances and tells which voxels are inside, outside, or cut by
//! the surface; shown as a section through a teapot: `cargo run --features examples -p estoc
//! --example voxel_grid`.
//!
//! The distance from the centre of a voxel decides without looking at any triangle: at half the
//! voxel's diagonal or more, the voxel is on one side as a whole. Distances are negative inside.

use estoc::demo::DemoSpec;
use estoc::query::SignRule;
use estoc::{Batch, Bvh, PointQuery};
use std::error::Error;

/// The number of voxels along the longest side.
const LONGEST: usize = 76;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let teapot = "teapot?n=20000".parse::<DemoSpec>()?.mesh();
    let bvh = Bvh::build(&teapot);
    let [low, high] = [teapot.bounds().min(), teapot.bounds().max()];
    let voxel = (high - low).max_element() / LONGEST as f32;
    let [columns, rows, layers] = ((high - low) / voxel).to_array().map(|x| x.ceil() as usize);
    let centre = |column: usize, row: usize, layer: usize| {
        let at = [column, row, layer].map(|i| (i as f32 + 0.5) * voxel);
        [low.x + at[0], low.y + at[1], low.z + at[2]]
    };

    // All centres, in parallel.
    let mut centres = Vec::new();
    for layer in 0..layers {
        for row in 0..rows {
            centres.extend((0..columns).map(|column| centre(column, row, layer)));
        }
    }
    let distances = Batch::new().signed_distances(&bvh, &centres)?;

    let half_diagonal = voxel * 3f32.sqrt() / 2.0;
    let mut counts = [0usize; 3];
    let mut kinds = Vec::new();
    for found in distances {
        let signed = found
            .ok_or("a mesh without triangles has no distances")?
            .signed;
        let kind = match signed {
            _ if signed.abs() < half_diagonal => 1,
            _ if signed < 0.0 => 0,
            _ => 2,
        };
        counts[kind] += 1;
        kinds.push(kind);
    }
    let middle = &kinds[layers / 2 * rows * columns..][..rows * columns];
    // Two rows of voxels make a line, since letters are twice as high as wide.
    for row in middle
        .chunks(columns)
        .step_by(2)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
    {
        println!(
            "{}",
            row.iter()
                .map(|&kind| ['#', '+', '.'][kind])
                .collect::<String>()
        );
    }
    let [inside, cut, outside] = counts;
    println!("{inside} voxels are inside, {cut} near the surface, {outside} outside");

    // An open mesh has no inside by parity. The winding number can be estimated all the same: where
    // it is above one half, a point is inside.
    let terrain = Bvh::build(&"terrain?n=2000".parse::<DemoSpec>()?.mesh());
    match terrain.signed_distance([0.0, -1.0, 0.0]) {
        Ok(found) => println!("terrain: {found:?}"),
        Err(reason) => println!("terrain: {reason}"),
    }
    let below = terrain.signed_distance_by([0.0, -1.0, 0.0], SignRule::WindingEstimate)?;
    let estimate = terrain.winding_estimate([0.0, -1.0, 0.0]);
    if let Some(found) = below {
        let side = if found.inside { "inside" } else { "outside" };
        println!(
            "terrain, by the {}: {side} ({:.2})",
            found.rule, estimate.value
        );
    }
    Ok(())
}
