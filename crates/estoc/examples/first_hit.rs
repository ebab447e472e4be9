//! Finds the first hit of one ray on a mesh: `cargo run --features examples -p estoc --example
//! first_hit`, from the root of the repository or with an OBJ file as argument.

use estoc::{Bvh, Mesh, Ray, RayQuery};

pub(crate) fn main() -> Result<(), estoc::MeshError> {
    let path = std::env::args().nth(1);
    let mesh = Mesh::load_obj(path.as_deref().unwrap_or("data/sphere.obj"))?;
    let bvh = Bvh::build(&mesh);
    let ray = Ray::new([-3.0, 0.1, 0.2], [1.0, 0.0, 0.0]);
    match bvh.closest_hit(&ray) {
        Some(hit) => println!(
            "triangle {} at t = {}, the point {}",
            hit.prim,
            hit.t,
            ray.at(hit.t)
        ),
        None => println!("a miss"),
    }
    Ok(())
}
