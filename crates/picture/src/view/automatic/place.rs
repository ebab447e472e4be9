//! Distinguishes interiors from objects.

use super::Frame;
use crate::target::MeshTarget;
use estoc::demo::SplitMix64;
use estoc::glam::Vec3;
use estoc::{PrimId, QueryOptions, Ray, RayQuery};
use rayon::prelude::*;

/// A point counts as seen from outside if it is visible from this number of sixteen directions:
/// through a window it is visible from one or two.
const SIDES: usize = 4;
/// The greatest share of an interior's surface that is seen from outside. A hollow object, whose
/// inner side is hidden, shows half of its surface.
const SHARE: f32 = 0.44;

/// Returns whether most of the surface cannot be seen from around the mesh.
pub(super) fn is_place(mesh: MeshTarget<'_>, frame: &Frame) -> bool {
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
        let free = (0..16u8).filter(|&i| {
            let above = [0.1, 0.35][usize::from(i % 2)];
            let dir = frame.sixteenth(i, above);
            let options = QueryOptions::new().skip(Some(prim));
            mesh.bvh().any_hit_with(&Ray::new(point, dir), &options) == Ok(false)
        });
        free.count() >= SIDES
    };
    let seen = points.par_iter().filter(|point| seen(point)).count();
    seen as f32 <= SHARE * points.len() as f32
}
