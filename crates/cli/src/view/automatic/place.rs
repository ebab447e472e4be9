//! Things and places.

use super::Frame;
use estoc::demo::SplitMix64;
use estoc::glam::Vec3;
use estoc::{Bvh, Mesh, PrimId, QueryOptions, Ray, RayQuery};
use rayon::prelude::*;

/// Whether most of the surface cannot be seen by someone who walks around the mesh.
pub(super) fn is_place(mesh: &Mesh, bvh: &Bvh, frame: &Frame) -> bool {
    const POINTS: usize = 512;
    let areas: Vec<f64> = mesh
        .triangles()
        .map(|t| f64::from((t.p1 - t.p0).cross(t.p2 - t.p0).length()))
        .scan(0.0, |sum, area| {
            *sum += if area.is_finite() { area } else { 0.0 };
            Some(*sum)
        })
        .collect();
    let total = areas.last().copied().unwrap_or(0.0);
    let mut rng = SplitMix64::new(5);
    let points: Vec<(PrimId, Vec3)> = (0..POINTS)
        .filter_map(|_| {
            let area = rng.between(0.0, total);
            let prim = PrimId::from_index(areas.partition_point(|&sum| sum < area))?;
            let t = mesh.triangle(prim)?;
            let (a, b) = (
                rng.between(0.0, 1.0).sqrt() as f32,
                rng.between(0.0, 1.0) as f32,
            );
            Some((prim, t.p0 + a * (t.p1 - t.p0) + a * b * (t.p2 - t.p1)))
        })
        .collect();
    let seen = |&(prim, point): &(PrimId, Vec3)| {
        (0..16u8).any(|i| {
            let above = [0.1, 0.35][usize::from(i % 2)];
            let dir = frame.sixteenth(i, above);
            let options = QueryOptions::new().skip(Some(prim));
            bvh.any_hit_with(&Ray::new(point, dir), &options) == Ok(false)
        })
    };
    let seen = points.par_iter().filter(|point| seen(point)).count();
    2 * seen < points.len()
}
