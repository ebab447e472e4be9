//! A forest of a million trees from one mesh, placed row by row, and rows placed side by side: `cargo run
//! --features examples -p estoc --example forest`.
//!
//! Meshes are shared, not copied, and so are rows. A ray is answered for the trees where they stand,
//! in exact arithmetic: it is never rounded into the space of a tree.

use estoc::demo::DemoSpec;
use estoc::glam::{DAffine3, DQuat, DVec3};
use estoc::scene::{Placement, Scene};
use estoc::{Bvh, Ray, RayQuery};
use std::error::Error;
use std::sync::Arc;

const TREES: u32 = 1000;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let crown = Arc::new(Bvh::build(&"sphere?n=500".parse::<DemoSpec>()?.mesh()));
    // Every other tree is higher; all are turned and stand two apart.
    let mut row = Scene::new();
    for tree in 0..TREES {
        let at = f64::from(tree);
        let scale = DVec3::new(0.8, 0.8, 1.0 + f64::from(tree % 2));
        let turn = DQuat::from_rotation_z(0.7 * at);
        let place = DVec3::new(2.0 * at, 0.0, 0.0);
        let matrix = DAffine3::from_scale_rotation_translation(scale, turn, place);
        row.add(Placement::try_new(crown.clone(), &matrix)?.name(format!("tree {tree}")))?;
    }
    let row = row.commit();
    let mut field = Scene::new();
    for number in 0..TREES {
        let place = DAffine3::from_translation(DVec3::new(0.0, 2.0 * f64::from(number), 0.0));
        field.add(Placement::try_new(row.clone(), &place)?.name(format!("row {number}")))?;
    }
    let forest = field.commit();
    let (triangles, rows) = (forest.triangle_count(), forest.placement_count());
    println!("{triangles} triangles in {rows} rows");

    // Along the rows, at the height of the higher trees.
    let ray = Ray::new([-5.0, 84.0, 1.5], [1.0, 0.0, 0.0]);
    let hit = forest.closest_hit(&ray).ok_or("no tree is hit")?;
    let on_path = forest.placements_on(hit.path).ok_or("no such path")?;
    let names: Vec<_> = on_path.iter().filter_map(|of| of.get_name()).collect();
    println!("first hit: {} at t = {}", names.join(", "), hit.t);
    println!("trees passed through: {}", forest.count_crossings(&ray) / 2);
    Ok(())
}
