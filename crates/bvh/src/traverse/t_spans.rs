//! Bounds of the parameters at which rays hit the triangles of a leaf.
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
//! the difference that are the span's ends, less than `10u depth`. Together that is less than
//! `3E spread / |A| + 13u depth + 3 moved` in z. `plain_ray/leaf.rs` computes spans, and derives why
//! nothing vanishes or overflows there.

use fearless_simd::{Simd, SimdFloat};

/// The places in a leaf whose triangles a ray hits, as bits.
pub struct Passed {
    /// Those that it may hit up to the limit.
    pub maybe: u32,
    /// Of these, those that it certainly hits up to its own end.
    pub certain: u32,
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
