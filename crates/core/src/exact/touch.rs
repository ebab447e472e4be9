//! Certified hits of triangles.

use crate::arithmetic::round;
use crate::{PrimId, Side, Triangle};
use glam::Vec3;

/// A certified hit of a ray on a triangle.
///
/// Contains an interval around its exact parameter instead of a rounded one, so that most
/// comparisons need only two `f64`s. Only [`PreparedRay`](super::PreparedRay) can make one, and a
/// touch has a meaning only together with the ray that made it.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    pub(super) prim: PrimId,
    pub(super) triangle: Triangle,
    pub(super) t_low: f64,
    pub(super) t_high: f64,
    /// The weights of the second and the third corner, each within `weight_error` plus
    /// `relative_error` times its size.
    pub(super) weights: [f64; 2],
    pub(super) weight_error: f64,
    pub(super) relative_error: f64,
    pub(super) side: Side,
    /// Bit i is set when corner i has weight exactly zero: the ray passes through the edge opposite
    /// to it.
    pub(super) on_edges: u8,
}

impl Touch {
    /// Returns the id of the triangle.
    pub fn prim(&self) -> PrimId {
        self.prim
    }

    /// Returns the side that the ray comes from.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Returns an upper bound of the exact parameter: everything beyond it comes after this hit.
    pub fn t_high(&self) -> f64 {
        self.t_high
    }

    /// Returns a lower bound of the exact parameter.
    pub fn t_low(&self) -> f64 {
        self.t_low
    }
}

impl Touch {
    /// Returns `t`, if its interval decides the rounding.
    #[inline(always)]
    pub(super) fn round_t(&self) -> Option<f32> {
        round((self.t_low, self.t_high))
    }

    /// Returns `u` or `v`, of the second corner or the third, if its interval decides the rounding.
    #[inline(always)]
    pub(super) fn round_weight(&self, place: usize) -> Option<f32> {
        let weight = self.weights[place];
        let error = self.weight_error + weight.abs() * self.relative_error;
        round((weight - error, weight + error))
    }

    /// Returns `t`, `u` and `v`, each if its interval decides the rounding.
    pub(super) fn round(&self) -> [Option<f32>; 3] {
        [self.round_t(), self.round_weight(0), self.round_weight(1)]
    }

    /// Returns whether both hits lie between the same corners: in the same triangle given twice, on
    /// the same edge, or in the same corner. The ray is not parallel to either triangle, so it
    /// meets them in one point: the most frequent ties need no arithmetic.
    pub(super) fn is_in_same_place_as(&self, other: &Touch) -> bool {
        let supports = |touch: &Touch, point: Vec3| {
            let corners = touch.triangle.corners().into_iter().enumerate();
            corners
                .filter(|(corner, _)| touch.on_edges >> corner & 1 == 0)
                .any(|(_, corner)| corner == point)
        };
        // The corners of a triangle that is hit differ, so equal counts make equal sets.
        self.on_edges.count_ones() == other.on_edges.count_ones()
            && (0..3)
                .filter(|corner| self.on_edges >> corner & 1 == 0)
                .all(|corner| supports(other, self.triangle.corners()[corner]))
    }
}
