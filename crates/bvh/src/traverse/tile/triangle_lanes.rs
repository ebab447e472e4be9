//! The functions of the triangles of a leaf in the lanes of vectors, of one triangle or of eight, and
//! what they tell of rays: the test of a tile (`tile_test.rs`), whichever its lanes are.

use super::tile_rays::NUMBERS;
use super::tile_triangles::{Linear, TileTriangles, TriangleRow};
use fearless_simd::{Select, Simd, SimdFloat};

/// A linear function in the lanes of vectors: of one triangle, or of eight.
#[derive(Clone, Copy)]
pub(super) struct LinearLanes<V> {
    pub(super) middle: V,
    pub(super) factor: [V; NUMBERS],
}

impl<V> LinearLanes<V> {
    #[inline(always)]
    pub(super) fn of(linear: &Linear, lanes: impl Fn(&TriangleRow) -> V) -> Self {
        let [sx, sy, ox, oy, m] = &linear.factor;
        LinearLanes {
            middle: lanes(&linear.middle),
            factor: [lanes(sx), lanes(sy), lanes(ox), lanes(oy), lanes(m)],
        }
    }

    /// Returns the value for rays with these numbers, of which only slopes matter if they start at
    /// one point.
    #[inline(always)]
    pub(super) fn at<S: Simd, const SHARED: bool>(&self, [rx, ry, rox, roy, rm]: [V; NUMBERS]) -> V
    where
        V: SimdFloat<S, Element = f32>,
    {
        let [sx, sy, ox, oy, m] = self.factor;
        let mut sum = self.middle;
        if !SHARED {
            sum = rm.mul_add(m, sum);
            sum = roy.mul_add(oy, sum);
            sum = rox.mul_add(ox, sum);
        }
        rx.mul_add(sx, ry.mul_add(sy, sum))
    }
}

/// What tells where triangles are hit.
pub(super) struct PlaceLanes<V> {
    /// For rays from one point.
    pub(super) place: LinearLanes<V>,
    pub(super) place_error: V,
    /// For others.
    pub(super) middle: V,
    corners: [V; 3],
    spread: V,
    besides: V,
    nearest: V,
    farthest: V,
}

impl<V> PlaceLanes<V> {
    #[inline(always)]
    pub(super) fn of(triangles: &TileTriangles, lanes: impl Fn(&TriangleRow) -> V) -> Self {
        let [a, b, c] = &triangles.corners;
        PlaceLanes {
            middle: lanes(&triangles.middle),
            corners: [lanes(a), lanes(b), lanes(c)],
            spread: lanes(&triangles.spread),
            besides: lanes(&triangles.besides),
            nearest: lanes(&triangles.nearest),
            farthest: lanes(&triangles.farthest),
            place_error: lanes(&triangles.place_error),
            place: LinearLanes::of(&triangles.place, lanes),
        }
    }
}

/// Edge functions in the lanes of vectors: of one triangle, or of eight.
#[derive(Clone, Copy)]
pub(super) struct EdgeLanes<V> {
    pub(super) edges: [LinearLanes<V>; 3],
    pub(super) error: V,
}

/// What edge functions tell of rays and triangles.
pub(super) struct SideLanes<V, M> {
    pub(super) values: [V; 3],
    pub(super) outside: M,
    pub(super) inside: M,
}

impl<V> EdgeLanes<V> {
    #[inline(always)]
    pub(super) fn of(triangles: &TileTriangles, lanes: impl Fn(&TriangleRow) -> V) -> Self {
        let [u, v, w] = &triangles.edges;
        EdgeLanes {
            error: lanes(&triangles.error),
            edges: [
                LinearLanes::of(u, &lanes),
                LinearLanes::of(v, &lanes),
                LinearLanes::of(w, &lanes),
            ],
        }
    }

    /// Returns which rays certainly miss or hit triangles, leaving aside where. Of rays from one point
    /// and triangles that are not flat, the sign of edge functions is known.
    #[inline(always)]
    pub(super) fn sides<S: Simd, const SHARED: bool>(
        &self,
        numbers: [V; NUMBERS],
    ) -> SideLanes<V, V::Mask>
    where
        V: SimdFloat<S, Element = f32>,
    {
        let [u, v, w] = self.edges;
        let u = u.at::<S, SHARED>(numbers);
        let v = v.at::<S, SHARED>(numbers);
        let w = w.at::<S, SHARED>(numbers);
        let (least, greatest) = (u.min(v).min(w), u.max(v).max(w));
        let (mut outside, mut inside) = (least.simd_lt(-self.error), least.simd_gt(self.error));
        if !SHARED {
            outside &= greatest.simd_gt(self.error);
            inside |= greatest.simd_lt(-self.error);
        }
        SideLanes {
            values: [u, v, w],
            outside,
            inside,
        }
    }

    /// Returns bounds of the parameters at which rays may hit triangles.
    #[inline(always)]
    pub(super) fn places<S: Simd, const SHARED: bool>(
        &self,
        simd: S,
        places: &PlaceLanes<V>,
        numbers: [V; NUMBERS],
        sides: &SideLanes<V, V::Mask>,
    ) -> (V, V)
    where
        V: SimdFloat<S, Element = f32>,
    {
        if SHARED {
            let at = places.place.at::<S, SHARED>(numbers);
            return (at - places.place_error, at + places.place_error);
        }
        let ([u, v, w], [a, b, c]) = (sides.values, places.corners);
        let inverse = V::splat(simd, 1.0) / (u + v + w);
        // Weights first: a product with an edge function might overflow.
        let at = (v * inverse).mul_add(b, (w * inverse) * c);
        let at = (u * inverse).mul_add(a, at) + places.middle;
        let off = (inverse.abs() * self.error).mul_add(places.spread, places.besides);
        (
            sides.inside.select(at - off, places.nearest),
            sides.inside.select(at + off, places.farthest),
        )
    }
}
