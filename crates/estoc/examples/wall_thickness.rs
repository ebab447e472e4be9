//! Measures how thick the walls of a hollow solid are: `cargo run --features examples -p estoc
//! --example wall_thickness`.
//!
//! A line goes straight through the centroid of each triangle, and `next_hit` returns the next hit
//! after this triangle: the other side of the wall. No offset by an epsilon is needed, so walls of
//! any thickness are measured.

use estoc::demo::DemoSpec;
use estoc::{Bvh, PrimId, Ray, RayQuery};
use std::collections::BTreeMap;
use std::error::Error;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mesh = "teapot?n=20000".parse::<DemoSpec>()?.mesh();
    let bvh = Bvh::build(&mesh);

    let mut walls: BTreeMap<String, Vec<f32>> = BTreeMap::new();
    for (index, triangle) in mesh.triangles().enumerate() {
        let (Some(prim), Some(normal)) = (PrimId::from_index(index), triangle.normal()) else {
            continue;
        };
        let middle = (triangle.p0 + triangle.p1 + triangle.p2) / 3.0;
        // The centroid is rounded: on a line that begins before it, the triangle is hit for
        // certain.
        let line = Ray::new(middle, -normal).with_interval(-1.0, f32::INFINITY);
        let Some((entry, _)) = triangle.exact_hit(&line, prim) else {
            continue;
        };
        let Some(exit) = bvh.next_hit(&line, prim)? else {
            continue;
        };
        let part = [mesh.object_of(prim), mesh.group_of(prim)].map(Option::unwrap_or_default);
        let part = walls.entry(part.join(" ")).or_default();
        part.push(exit.t - entry.t);
    }

    println!("part            walls  thinnest  middle  thickest");
    for (part, mut thickness) in walls {
        thickness.sort_by(f32::total_cmp);
        let (count, last) = (thickness.len(), thickness.len() - 1);
        let [thin, middle, thick] = [0, last / 2, last].map(|i| thickness[i]);
        println!("{part:14} {count:6}  {thin:8.4}  {middle:6.4}  {thick:8.4}");
    }
    Ok(())
}
