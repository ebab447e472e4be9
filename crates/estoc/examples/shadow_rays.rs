//! Shows which points of a floor with a teapot on it are lit by the sun, from above: `cargo run
//! --features examples -p estoc --example shadow_rays`.
//!
//! A ray straight down finds the surface; from its hit another ray is cast towards the sun.
//! `spawn_ray` needs no epsilon: the new ray cannot hit the triangle that it leaves.

use estoc::demo::DemoSpec;
use estoc::glam::Vec3;
use estoc::query::Any;
use estoc::{Bvh, Mesh, Ray, RayQuery};
use std::error::Error;

const COLUMNS: usize = 76;
const ROWS: usize = 22;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mesh = on_a_floor(&"teapot?n=20000".parse::<DemoSpec>()?.mesh())?;
    let floor = mesh.triangle_count() - 2..mesh.triangle_count();
    let bvh = Bvh::build(&mesh);
    let sun = Vec3::new(-0.7, 0.5, 0.35);

    let (mut seen, mut lit) = (0, 0);
    for row in 0..ROWS {
        let mut line = String::new();
        for column in 0..COLUMNS {
            let x = 4.0 * (column as f32 + 0.5) / COLUMNS as f32 - 1.5;
            let z = 2.3 * (row as f32 + 0.5) / ROWS as f32 - 1.5;
            let down = Ray::new([x, 2.0, z], [0.0, -1.0, 0.0]);
            let hit = bvh.closest_hit(&down).ok_or("the floor is everywhere")?;
            let triangle = mesh.triangle(hit.prim).ok_or("hits name triangles")?;
            let (to_sun, options) = hit.spawn_ray(&triangle, sun);
            let in_shadow = bvh.ask_with(Any, &to_sun, &options)?;
            let on_floor = floor.contains(&hit.prim.index());
            line.push(match (on_floor, in_shadow) {
                (true, true) => ':',
                (true, false) => '.',
                (false, true) => 'o',
                (false, false) => '@',
            });
            seen += usize::from(on_floor);
            lit += usize::from(on_floor && !in_shadow);
        }
        println!("{line}");
    }
    println!(
        "'@' teapot in the sun, 'o' teapot in shadow, '.' floor in the sun, ':' floor in shadow"
    );
    println!("{lit} of {seen} points of the floor see the sun");
    Ok(())
}

/// Returns the mesh with a square below it.
fn on_a_floor(mesh: &Mesh) -> Result<Mesh, estoc::MeshError> {
    let first = mesh.positions().len() as u32;
    let corners = [[-9.0, 9.0], [9.0, 9.0], [9.0, -9.0], [-9.0, -9.0]];
    let corners = corners.map(|[x, z]| Vec3::new(x, 0.0, z));
    let floor = [[0, 1, 2], [0, 2, 3]].map(|corners| corners.map(|corner: u32| first + corner));
    Mesh::try_new(
        mesh.positions().iter().copied().chain(corners),
        mesh.indices().iter().copied().chain(floor),
    )
}
