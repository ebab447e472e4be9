//! A triangle that is known to be hit.

use crate::arithmetic::round;
use crate::{PrimId, Side, Triangle};
use glam::Vec3;

/// A triangle that a ray is known to hit.
///
/// Holds an interval around its exact parameter instead of a rounded one, so that most
/// comparisons need no more than two `f64`s. Only [`PreparedRay`](super::PreparedRay) can make
/// one, and a touch
/// means something only together with the ray that made it.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    pub(super) prim: PrimId,
    pub(super) triangle: Triangle,
    pub(super) t_low: f64,
    pub(super) t_high: f64,
    /// Of the second and the third corner, off by no more than `weight_error` and
    /// `relative_error` of themselves together.
    pub(super) weights: [f64; 2],
    pub(super) weight_error: f64,
    pub(super) relative_error: f64,
    pub(super) side: Side,
    /// Bit i is set when corner i has weight exactly zero: the ray passes through the edge
    /// opposite to it.
    pub(super) on_edges: u8,
}

impl Touch {
    /// The triangle's name.
    pub fn prim(&self) -> PrimId {
        self.prim
    }

    /// The side that the ray comes from.
    pub fn side(&self) -> Side {
        self.side
    }

    /// A number not less than the exact parameter of this hit: what lies beyond it, comes
    /// after it.
    pub fn t_high(&self) -> f64 {
        self.t_high
    }

    /// A number not greater than the exact parameter of this hit.
    pub fn t_low(&self) -> f64 {
        self.t_low
    }
}

impl Touch {
    /// `t`, if what is known decides it.
    #[inline(always)]
    pub(super) fn round_t(&self) -> Option<f32> {
        round((self.t_low, self.t_high))
    }

    /// `u` or `v`, of the second corner or the third, if what is known decides it.
    #[inline(always)]
    pub(super) fn round_weight(&self, place: usize) -> Option<f32> {
        let weight = self.weights[place];
        let error = self.weight_error + weight.abs() * self.relative_error;
        round((weight - error, weight + error))
    }

    /// `t`, `u` and `v`, as far as what is known decides them.
    pub(super) fn round(&self) -> [Option<f32>; 3] {
        [self.round_t(), self.round_weight(0), self.round_weight(1)]
    }

    /// Whether both hits lie between the same corners: in the same triangle given twice, on
    /// the same edge, or in the same corner. The ray is not parallel to any of them, so it
    /// meets them in one point: the commonest ties take no arithmetic.
    pub(super) fn is_in_same_place_as(&self, other: &Touch) -> bool {
        let supports = |touch: &Touch, point: Vec3| {
            let corners = touch.triangle.corners().into_iter().enumerate();
            corners
                .filter(|(corner, _)| touch.on_edges >> corner & 1 == 0)
                .any(|(_, corner)| corner == point)
        };
        // The corners of a triangle that is hit differ, so equally many make the same set.
        self.on_edges.count_ones() == other.on_edges.count_ones()
            && (0..3)
                .filter(|corner| self.on_edges >> corner & 1 == 0)
                .all(|corner| supports(other, self.triangle.corners()[corner]))
    }
}
