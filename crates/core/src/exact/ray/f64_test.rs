//! The first stage of the ray-triangle test, in `f64`, which decides nearly all triangles.

use super::products::Products;
use super::quotients::{Quotients, WELL_ABOVE};
use super::triangle_corners::Corners;
use super::{PreparedRay, Touch};
use crate::arithmetic::{InlineMap, smaller};
use crate::shapes::{PrimId, RayKind, Side, Triangle};

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

impl<T> Verdict<T> {
    #[inline(always)]
    pub(crate) fn map<U>(self, touched: impl FnOnce(T) -> U) -> Verdict<U> {
        match self {
            Verdict::Missed => Verdict::Missed,
            Verdict::Touched(found) => Verdict::Touched(touched(found)),
            Verdict::Open => Verdict::Open,
        }
    }
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
        let quotients = Quotients::of(found);
        let (t_low, t_high) = quotients.interval(found.num, found.num_error);
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
                found.edges[(4 - base) % 3] * quotients.inverse,
                found.edges[(5 - base) % 3] * quotients.inverse,
            ],
            weight_error: found.edge_error * quotients.size,
            relative_error: quotients.relative_error,
            side: Side::facing(found.den < 0.0),
            on_edges: 0,
        })
    }
}
