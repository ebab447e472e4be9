//! Bounds of the parameters at which rays hit triangles, with lanes as in `edge_functions.rs`.
//!
//! # Spans
//! A triangle that is certainly met has true edge functions W of one sign, and so have the computed
//! w, which are off by E at most. Its hit is at `H = sum W Z / sum W`, between the Z of its
//! corners. With A the sum of the w, which has no cancellation,
//! `sum w z - H A = sum (w - W) (Z - H) + sum w (z - Z)`, as the sum of `W (Z - H)` is zero. So
//! `sum w z / A` is off from H by at most
//! - `3E |Z - H| / |A|`, and `|Z - H|` is at most the spread of the z plus the errors of two of
//!   them, `2u depth + 2 moved`; as E is less than each |w|, that is at most
//!   `3E spread / |A| + 2u depth + 2 moved`,
//! - `u depth + moved`, for the z.
//!
//! The roundings add: place `3u depth`, the area 2u, its inverse u, the product u, and in the
//! parameter the inverse of the direction's z and a product, 2u: together with those of the sum and
//! the difference that are the span's ends, less than `10u depth`; where the area is above 2^126,
//! its inverse has fewer bits and is off by 4u. So the kernel takes
//! `3.2 E spread / |A| + 20u depth + 4 moved` in z, divided by the direction's, which is no less
//! than 2^-8: `moved` is not lost by that.
//!
//! No intermediate sum is larger than `depth |A|`, except for roundings. Within fixed bounds that
//! product neither vanishes, where a few times 2^-150 are negligible, nor overflows; beyond them
//! nothing is claimed of the triangle. Its error may overflow, and the span is then infinite or NaN
//! at both ends: no comparison with those decides anything.

use super::edge_functions::Edges;
use super::kernel_ray::U;
use fearless_simd::{Simd, SimdFloat, SimdMask};

/// The places in a leaf whose triangles a ray hits, as bits.
pub struct Passed {
    /// Those that it may hit up to the limit.
    pub maybe: u32,
    /// Of these, those that it certainly hits up to the limit, if that was requested.
    pub certain: u32,
}

/// The bounds within which hits count, in parameters of the rays' own.
pub struct Bounds<V> {
    /// The inverse of the direction's z.
    pub inverse_z: V,
    pub least: V,
    /// The limit, behind which nothing matters; and the greatest parameter.
    pub limit: V,
    pub greatest: V,
}

/// The parameters at which triangles are hit.
pub struct Spans<V> {
    pub passed: Passed,
    /// For certain hits: the interval of the parameter.
    pub from: V,
    pub to: V,
}

impl<V> Spans<V> {
    #[inline(always)]
    pub fn none<S: Simd>(simd: S) -> Self
    where
        V: SimdFloat<S, Element = f32>,
    {
        let (maybe, certain) = (0, 0);
        Spans {
            passed: Passed { maybe, certain },
            from: V::splat(simd, 0.0),
            to: V::splat(simd, 0.0),
        }
    }
}

/// Returns, of the lanes in `maybe`, those that may be hit up to the limit, and those that
/// certainly are, up to the greatest parameter, with the intervals of their hits.
#[inline(always)]
pub(super) fn spans<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    edges: &Edges<V>,
    maybe: u32,
    bounds: &Bounds<V>,
    moved: f32,
) -> Spans<V> {
    let (place, area) = edges.place_and_area(simd);
    let inverse = V::splat(simd, 1.0) / area;
    let spread = (edges.farthest - edges.nearest) * V::splat(simd, 3.2);
    let size = inverse.abs();
    let error = (edges.error * spread).mul_add(
        size,
        edges
            .depth
            .mul_add(V::splat(simd, 20.0 * U), V::splat(simd, 4.0 * moved)),
    ) * bounds.inverse_z.abs();
    let middle = place * inverse * bounds.inverse_z;
    let (from, to) = (middle - error, middle + error);
    // No sum in `place` is larger than this, except for roundings: it neither vanishes nor
    // overflows.
    let largest = edges.depth * area.abs();
    let normal = largest.simd_gt(V::splat(simd, 1e-30)) & largest.simd_lt(V::splat(simd, 1e38));
    let known = (edges.inside(simd) & normal).to_bitmask() as u32;
    let missed = to.simd_lt(bounds.least) | from.simd_gt(bounds.limit);
    let maybe = maybe & !(missed.to_bitmask() as u32 & known);
    let between = from.simd_ge(bounds.least) & to.simd_le(bounds.greatest);
    let certain = between.to_bitmask() as u32 & known & maybe;
    Spans {
        passed: Passed { maybe, certain },
        from,
        to,
    }
}
