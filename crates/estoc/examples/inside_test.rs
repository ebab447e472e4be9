//! Tests which points lie inside a closed mesh, shown as a section through a teapot; an open mesh
//! has no inside: `cargo run --features examples -p estoc --example inside_test`.

use estoc::demo::DemoSpec;
use estoc::{Bvh, RayQuery};
use std::error::Error;

const COLUMNS: usize = 75;
const ROWS: usize = 18;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let teapot = "teapot?n=20000".parse::<DemoSpec>()?.mesh();
    let bvh = Bvh::build(&teapot);
    let [low, high] = [teapot.bounds().min(), teapot.bounds().max()];
    let size = high - low;

    // A grid of points in the plane z = 0, where the spout and the handle are.
    let mut inside = 0;
    for row in 0..ROWS {
        let mut line = String::new();
        for column in 0..COLUMNS {
            let x = low.x + size.x * (column as f32 + 0.5) / COLUMNS as f32;
            let y = low.y + size.y * (1.0 - (row as f32 + 0.5) / ROWS as f32);
            let is_inside = bvh.contains([x, y, 0.0]) == Some(true);
            line.push(if is_inside { '#' } else { '.' });
            inside += usize::from(is_inside);
        }
        println!("{line}");
    }
    println!("{inside} of {} points are in the clay", ROWS * COLUMNS);

    // A point exactly on a triangle counts as inside, here one of the corners.
    let corner = teapot.positions()[teapot.positions().len() / 2];
    println!("corner {corner}: {:?}", bvh.contains(corner));

    let terrain = Bvh::build(&"terrain?n=2000".parse::<DemoSpec>()?.mesh());
    match terrain.contains([0.0, 0.0, 0.0]) {
        Some(inside) => println!("terrain: {inside}"),
        None => println!("terrain: it is not closed, so nothing is inside or outside"),
    }
    Ok(())
}
