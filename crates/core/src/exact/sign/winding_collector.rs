//! Sums up the solid angles of triangles and clusters as seen from one point.

use super::solid_angle::share_of_sphere;
use super::{TriangleCluster, WindingEstimate};
use crate::arithmetic::{Bounded, V3};
use crate::shapes::Triangle64;
use glam::DVec3;

/// Takes triangles and clusters of them from an engine, each triangle once, and estimates the winding
/// number of a point; see [`PointEngine::visit_winding`](crate::PointEngine::visit_winding).
#[derive(Clone, Debug)]
pub struct WindingCollector {
    point: V3,
    sum: f64,
    error: f64,
    /// The sum of the absolute values.
    size: f64,
    terms: u64,
}

impl WindingCollector {
    /// Returns `None` if a coordinate is NaN or infinite.
    pub(crate) fn new(point: DVec3) -> Option<Self> {
        point.is_finite().then_some(WindingCollector {
            point: point.into(),
            sum: 0.0,
            error: 0.0,
            size: 0.0,
            terms: 0,
        })
    }

    /// Adds the solid angle of a triangle; one that is not finite has none.
    pub fn offer(&mut self, triangle: &Triangle64) {
        if triangle.is_finite() {
            self.add(share_of_sphere(self.point, triangle.coordinates()));
        }
    }

    /// Adds the solid angles of all triangles of a cluster if the point is far enough from them, and
    /// returns whether it is.
    pub fn offer_cluster(&mut self, cluster: &TriangleCluster) -> bool {
        let share = cluster.share_of_sphere(self.point);
        share.is_some_and(|share| {
            self.add(share);
            true
        })
    }

    fn add(&mut self, share: Bounded) {
        self.sum += share.value;
        self.error += share.error;
        self.size += share.value.abs();
        self.terms += 1;
    }

    /// Returns the estimate. Each sum is rounded once, by 2^-53 of at most the sum of the absolute
    /// values; twice that covers the roundings of the bound, too.
    pub(crate) fn estimate(&self) -> WindingEstimate {
        let sums = self.terms as f64 * f64::EPSILON;
        WindingEstimate {
            value: self.sum,
            error: (self.error + self.size * sums) * (1.0 + sums),
        }
    }
}
