//! The nearest triangles of two meshes.

use super::Bvh;
use crate::traverse::pair_space::OwnSpace;
use crate::traverse::pair_walk::nearest_pair;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{CancelToken, NearestPair, PairEngine, PointQuery, Triangle};

/// The triangles of a mesh from which on it pays to begin with near points.
const FEW: usize = 64;

/// Returns an upper bound of the squared distance of two meshes and about the direction from the second to
/// the first, by the point of each that is closest to that of the other, again and again.
///
/// Each point is rounded once, by at most 2^-24 of its coordinates, and so is its distance: 2^-21 of both are
/// granted.
fn near_points(own: &Bvh, other: &Bvh) -> Option<(f64, DVec3)> {
    const GRANT: f64 = 4.0 * f32::EPSILON as f64;
    let [min, max] = own.tree.bounds().map(Vec3::from);
    let mut at = 0.5 * min + 0.5 * max;
    let mut least: Option<(f64, DVec3)> = None;
    for _ in 0..8 {
        let there = other.closest_point(at)?;
        let here = own.closest_point(there.point)?;
        let reach = f64::from(there.point.abs().max_element());
        let high =
            f64::from(here.distance) * (1.0 + GRANT) + GRANT * reach + f64::from(f32::MIN_POSITIVE);
        if least.is_some_and(|(least, _)| high * high >= least) {
            break;
        }
        let gap = here.point.as_dvec3() - there.point.as_dvec3();
        least = Some((high * high, gap));
        at = here.point;
    }
    least
}

impl PairEngine for Bvh {
    type Point = Vec3;
    type Measured = Triangle;

    fn nearest_pair(
        &self,
        other: &Self,
        mut nearest: NearestPair<Triangle>,
        cancel: &CancelToken,
    ) -> Option<NearestPair<Triangle>> {
        let sides = [self, other].map(|bvh| (&bvh.tree, &OwnSpace));
        let near = self.triangle_count().min(other.triangle_count()) > FEW;
        let near = near.then(|| near_points(self, other)).flatten();
        if let Some((high, _)) = near {
            nearest.lower_limit(high);
        }
        let direction = near.map(|(_, direction)| direction);
        nearest_pair(self.token, sides, nearest, direction, cancel)
    }
}
