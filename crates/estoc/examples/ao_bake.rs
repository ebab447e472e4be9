//! Bakes ambient occlusion into the vertex colours of a teapot and writes it as OBJ: `cargo run
//! --release --features examples -p estoc --example ao_bake`, optionally with a path: `--
//! teapot.obj`. MeshLab and Blender, among others, show such colours.
//!
//! The rays start exactly on the vertices, with the smallest `t_min` above zero. Hits are exact:
//! the rays touch the triangles around their vertex at zero and nowhere else, so these are not hit,
//! however small they are, and no epsilon is needed.

use estoc::demo::{DemoSpec, SplitMix64};
use estoc::glam::Vec3;
use estoc::{Batch, Bvh, Mesh, Ray};
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

const RAYS_PER_VERTEX: usize = 48;
const ABOVE_ZERO: f32 = f32::from_bits(1);

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).map(PathBuf::from);
    let path = path.unwrap_or_else(|| std::env::temp_dir().join("estoc_ao_bake.obj"));
    let mesh = "teapot?n=20000".parse::<DemoSpec>()?.mesh();
    let bvh = Bvh::build(&mesh);

    let mut rng = SplitMix64::new(1);
    let mut rays = Vec::with_capacity(mesh.positions().len() * RAYS_PER_VERTEX);
    for (vertex, normal) in mesh.positions().iter().zip(vertex_normals(&mesh)) {
        for _ in 0..RAYS_PER_VERTEX {
            // A random point of the sphere around the tip of the normal, which gives a cosine
            // distribution. The sphere is slightly smaller than the distance to the vertex, so the
            // direction is never zero.
            let around = Vec3::from_array(rng.direction().map(|x| x as f32));
            let ray = Ray::new(*vertex, normal + 0.999 * around);
            rays.push(ray.with_interval(ABOVE_ZERO, f32::INFINITY));
        }
    }
    let blocked = Batch::new().any_hits(&bvh, &rays)?;

    let light: Vec<f32> = blocked
        .chunks(RAYS_PER_VERTEX)
        .map(|rays| rays.iter().filter(|blocked| !**blocked).count() as f32)
        .map(|free| free / RAYS_PER_VERTEX as f32)
        .collect();
    let mut out = BufWriter::new(File::create(&path)?);
    for (p, light) in mesh.positions().iter().zip(&light) {
        writeln!(
            out,
            "v {} {} {} {light:.3} {light:.3} {light:.3}",
            p.x, p.y, p.z
        )?;
    }
    for [a, b, c] in mesh.indices() {
        writeln!(out, "f {} {} {}", a + 1, b + 1, c + 1)?;
    }
    out.flush()?;

    let average = light.iter().sum::<f32>() / light.len() as f32;
    println!("{} rays from {} vertices", rays.len(), light.len());
    println!(
        "on average a vertex sees {:.0} % of its sky",
        100.0 * average
    );
    println!("mesh: {}", path.display());
    Ok(())
}

/// Returns the vertex normals: the means over the adjacent triangles, weighted by area.
fn vertex_normals(mesh: &Mesh) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; mesh.positions().len()];
    for (triangle, corners) in mesh.triangles().zip(mesh.indices()) {
        let twice_area = (triangle.p1 - triangle.p0).cross(triangle.p2 - triangle.p0);
        for corner in corners {
            normals[*corner as usize] += twice_area;
        }
    }
    normals.into_iter().map(Vec3::normalize_or_zero).collect()
}
