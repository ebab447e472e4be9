//! Certified hits of triangles.

use crate::arithmetic::{Interval, round};
use crate::shapes::{PrimId, Side, Triangle};

/// A certified hit of a ray on a triangle.
///
/// Contains an interval around its exact parameter instead of a rounded one, so that most
/// comparisons need only two `f64`s. Only [`PreparedRay`](super::PreparedRay) can make one, and a
/// touch has a meaning only together with the ray that made it.
#[derive(Clone, Copy, Debug)]
pub struct Touch<I = PrimId, P = Triangle> {
    pub(crate) prim: I,
    pub(crate) triangle: P,
    pub(crate) t_low: f64,
    pub(crate) t_high: f64,
    /// The weights of the second and the third corner, each within `weight_error` plus
    /// `relative_error` times its size.
    pub(crate) weights: [f64; 2],
    pub(crate) weight_error: f64,
    pub(crate) relative_error: f64,
    pub(crate) side: Side,
    /// Bit i is set when corner i has weight exactly zero: the ray passes through the edge opposite
    /// to it.
    pub(crate) on_edges: u8,
}

impl<I: Copy, P> Touch<I, P> {
    /// Returns the id of the triangle.
    pub fn prim(&self) -> I {
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

impl<I, P> Touch<I, P> {
    /// Returns `t`, if its interval decides the rounding.
    #[inline(always)]
    pub(crate) fn round_t(&self) -> Option<f32> {
        round((self.t_low, self.t_high))
    }

    /// Returns `u` or `v`, of the second corner or the third, if its interval decides the rounding.
    #[inline(always)]
    pub(crate) fn round_weight(&self, place: usize) -> Option<f32> {
        let weight = self.weights[place];
        let error = self.weight_error + weight.abs() * self.relative_error;
        round((weight - error, weight + error))
    }

    /// Returns `t`, `u` and `v`, each if its interval decides the rounding.
    pub(crate) fn round(&self) -> [Option<f32>; 3] {
        [self.round_t(), self.round_weight(0), self.round_weight(1)]
    }
}

impl<I, P> Touch<I, P> {
    /// Returns a touch by an interval of `t` and exact signs, whose weights are not known.
    pub(crate) fn by_signs(
        prim: I,
        triangle: P,
        (t_low, t_high): Interval,
        den_sign: i32,
        on_edges: u8,
    ) -> Self {
        Touch {
            prim,
            triangle,
            t_low,
            t_high,
            weights: [0.0; 2],
            weight_error: f64::INFINITY,
            relative_error: 0.0,
            side: Side::facing(den_sign < 0),
            on_edges,
        }
    }
}

/// Returns a bit for each corner whose weight is zero, by the signs of the weights; `None` where one
/// lies on the other side than the denominator, so that the triangle is missed.
#[inline]
pub(crate) fn edges_met(den_sign: i32, weight_sign: impl Fn(usize) -> i32) -> Option<u8> {
    let mut on_edges = 0;
    for corner in 0..3 {
        let sign = weight_sign(corner);
        if sign == -den_sign {
            return None;
        }
        on_edges |= u8::from(sign == 0) << corner;
    }
    Some(on_edges)
}

impl Touch {
    /// Returns whether both hits lie between the same corners: in the same triangle given twice, on
    /// the same edge, or in the same corner. The ray is not parallel to either triangle, so it
    /// meets them in one point: the most frequent ties need no arithmetic.
    pub(crate) fn is_in_same_place_as(&self, other: &Touch) -> bool {
        are_in_same_place(
            (self.triangle.corners(), self.on_edges),
            (other.triangle.corners(), other.on_edges),
        )
    }
}

/// Returns whether two triangles of one space are hit between the same corners. Bit i of `on_edges`
/// is set when corner i has weight zero.
pub(crate) fn are_in_same_place<P: PartialEq>(
    (corners, on_edges): ([P; 3], u8),
    (others, on_other_edges): ([P; 3], u8),
) -> bool {
    let between = |on_edges: u8| (0..3).filter(move |corner| on_edges >> corner & 1 == 0);
    // The corners of a triangle that is hit differ, so equal counts make equal sets.
    on_edges.count_ones() == on_other_edges.count_ones()
        && between(on_edges)
            .all(|corner| between(on_other_edges).any(|other| corners[corner] == others[other]))
}
