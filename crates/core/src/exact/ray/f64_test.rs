//! The first stage of the ray-triangle test, in `f64`, which decides nearly all triangles.

use super::products::Products;
use super::triangle_corners::Corners;
use super::{PreparedRay, Touch};
use crate::arithmetic::{InlineMap, V, smaller};
use crate::shapes::{PrimId, RayKind, Side, Triangle};

/// The ratio to its error that `den` must exceed for `touch` to divide by it.
///
/// With true values N, D and computed n, d, the quotient N/D is off from n/d by at most
/// `(En + |n/d| Ed) / (|d| - Ed)` (see [`quotient`](crate::arithmetic::quotient)), and
/// `1 / (|d| - Ed)` is then at most 1024/1023 of `1/|d|`, which [`INVERSE_FACTOR`] exceeds by more than
/// the roundings of the bound. The roundings of `1/d`, of its product with n, and of an end of the
/// interval are v each, which 4v cover.
pub(super) const WELL_ABOVE: f64 = 1024.0;
pub(super) const INVERSE_FACTOR: f64 = 1.001;

/// Returns `x`, negated where `sign` is negative.
#[inline(always)]
fn turned(x: f64, sign: f64) -> f64 {
    f64::from_bits(x.to_bits() ^ (sign.to_bits() & 1 << 63))
}

/// The decision of `f64` arithmetic about a candidate.
#[derive(Clone, Copy, Debug)]
pub enum Verdict<T = Touch> {
    /// It is certainly not hit up to the limit.
    Missed,
    /// It is certainly hit.
    Touched(T),
    /// It is a close call.
    Open,
}

impl PreparedRay<'_> {
    /// Tests the triangle in `f64`.
    #[inline(always)]
    pub(crate) fn touch_quickly(&self, prim: PrimId, triangle: &Triangle, t_limit: f64) -> Verdict {
        self.touch_from(0, prim, triangle, t_limit)
    }

    /// Does the same as [`touch_quickly`](Self::touch_quickly), with a given corner as the first:
    /// the quantities are the same, but their rounding errors differ.
    #[inline(always)]
    pub(super) fn touch_from(
        &self,
        base: usize,
        prim: PrimId,
        triangle: &Triangle,
        t_limit: f64,
    ) -> Verdict {
        let corners = Corners::of(triangle).0;
        let turned_to = |place: usize| corners[(base + place) % 3];
        let corners = [turned_to(0), turned_to(1), turned_to(2)];
        let found = Products::of(self.origin(), self.dir(), corners);
        self.decide(&found, base, prim, triangle, t_limit)
    }
}

impl<R: RayKind> PreparedRay<'_, R> {
    /// Decides by the polynomials of a triangle, with its corners from `base` on as the first to
    /// third. `prim` and `triangle` are those of the touch.
    #[inline(always)]
    pub(crate) fn decide<I: Copy, P: Copy>(
        &self,
        found: &Products,
        base: usize,
        prim: I,
        triangle: &P,
        t_limit: f64,
    ) -> Verdict<Touch<I, P>> {
        // In this form NaN is left open.
        let certain = found.den.abs() > found.den_error * WELL_ABOVE;
        if !certain {
            return Verdict::Open;
        }
        let [inside0, inside1, inside2] = found.edges.inline_map(|edge| turned(edge, found.den));
        let least = smaller(smaller(inside0, inside1), inside2);
        if least < -found.edge_error {
            return Verdict::Missed;
        }
        let inverse = 1.0 / found.den;
        let size = inverse.abs() * INVERSE_FACTOR;
        let relative_error = found.den_error * size + 4.0 * V;
        let t = found.num * inverse;
        let t_error = found.num_error * size + t.abs() * relative_error;
        let (t_low, t_high) = (t - t_error, t + t_error);
        if t_high < self.t_min() || t_low > self.t_max() || t_low > t_limit {
            return Verdict::Missed;
        }
        if least <= found.edge_error || t_low < self.t_min() || t_high > self.t_max() {
            return Verdict::Open;
        }
        Verdict::Touched(Touch {
            prim,
            triangle: *triangle,
            t_low,
            t_high,
            weights: [
                found.edges[(4 - base) % 3] * inverse,
                found.edges[(5 - base) % 3] * inverse,
            ],
            weight_error: found.edge_error * size,
            relative_error,
            side: if found.den < 0.0 {
                Side::Front
            } else {
                Side::Back
            },
            on_edges: 0,
        })
    }
}
