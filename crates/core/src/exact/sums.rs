//! Numbers of two `f64`s each, in the lanes of vectors, for roundings to `f64`.
//!
//! A number is `high + low`. A product of two is that of their high halves, exactly, and of each high half with the
//! other low one (Dekker 1971; Ogita, Rump and Oishi 2005, "Accurate Sum and Dot Product").
//!
//! # Bounds
//! Let u = 2^-53.
//! - **Differences** of two `f64`s are exact, with low halves of at most u times the high ones.
//! - **Differences of two products** of numbers whose high halves are at most Y and Z, and their low ones u times
//!   that: two products of high halves, with exact rests of at most `u Y Z` each; their difference, of at most
//!   `2 Y Z`, with an exact rest of at most `2u Y Z`; and four products of a high and a low half, each at most `u Y Z`.
//!   The low half is the sum of these, at most `8u Y Z`, with roundings of less than `32u^2 Y Z`, fused or not. Two
//!   products of low halves are left out, `2u^2 Y Z`: together `34u^2 Y Z`.
//! - **Dot products** of numbers whose high halves are at most A and B, and their low ones a and b times u of that:
//!   three products, with rests of at most `u A B`; sums of at most `2 A B` and `3 A B`, with rests of u times that; and
//!   six products of a high and a low half. The low half is the sum of these, at most `(8 + 3a + 3b) u A B`, with fewer
//!   than 12 roundings. Three products of low halves are left out, `3ab u^2 A B`. If components are off, that adds
//!   three times the product of such an error and the other number.
//! - **Quotients** are derived at [`Quotients`].

use fearless_simd::{Simd, SimdBase, SimdFloat, SimdMask, f64x4};

/// u^2.
pub(super) const U_SQUARE: f64 = f64::EPSILON * f64::EPSILON / 4.0;
/// 2^-900.
const LEAST: f64 = f64::from_bits((1023 - 900) << 52);

/// Numbers of two `f64`s each: `high + low`, in vectors of `f64`s.
#[derive(Clone, Copy)]
pub(super) struct Sum<V> {
    pub(super) high: V,
    pub(super) low: V,
}

impl<V: Copy> Sum<V> {
    /// Returns `a - b`, exactly (Knuth's sum of two numbers).
    #[inline(always)]
    pub(super) fn of_difference<S: Simd>(a: V, b: V) -> Self
    where
        V: SimdFloat<S, Element = f64>,
    {
        let high = a - b;
        let minus_b = high - a;
        let low = (a - (high - minus_b)) - (b + minus_b);
        Sum { high, low }
    }

    /// Returns `a b - c d`.
    #[inline(always)]
    pub(super) fn of_products<S: Simd>(a: Self, b: Self, c: Self, d: Self) -> Self
    where
        V: SimdFloat<S, Element = f64>,
    {
        let (left, right) = (a.high * b.high, c.high * d.high);
        let left_rest = product_less(a.high, b.high, left);
        let right_rest = product_less(c.high, d.high, right);
        let Sum { high, low } = Sum::of_difference::<S>(left, right);
        let more = left_rest - right_rest;
        let more = a.low.mul_add(b.high, a.high.mul_add(b.low, more));
        let less = c.low.mul_add(d.high, c.high * d.low);
        Sum {
            high,
            low: low + (more - less),
        }
    }

    /// Returns the cross product of two vectors.
    #[inline(always)]
    pub(super) fn of_cross<S: Simd>([ax, ay, az]: [Self; 3], [bx, by, bz]: [Self; 3]) -> [Self; 3]
    where
        V: SimdFloat<S, Element = f64>,
    {
        [
            Sum::of_products::<S>(ay, bz, az, by),
            Sum::of_products::<S>(az, bx, ax, bz),
            Sum::of_products::<S>(ax, by, ay, bx),
        ]
    }

    /// Returns the sum of three products.
    #[inline(always)]
    pub(super) fn of_dot<S: Simd>([(ax, bx), (ay, by), (az, bz)]: [(Self, Self); 3]) -> Self
    where
        V: SimdFloat<S, Element = f64>,
    {
        let (x, x_rest) = exact_product::<S, V>(ax.high, bx.high);
        let (y, y_rest) = exact_product::<S, V>(ay.high, by.high);
        let (z, z_rest) = exact_product::<S, V>(az.high, bz.high);
        let xy = Sum::of_difference::<S>(x, -y);
        let all = Sum::of_difference::<S>(xy.high, -z);
        let low = ax.low.mul_add(bx.high, ax.high.mul_add(bx.low, x_rest));
        let low = ay
            .low
            .mul_add(by.high, ay.high.mul_add(by.low, low + y_rest));
        let low = az
            .low
            .mul_add(bz.high, az.high.mul_add(bz.low, low + z_rest));
        Sum {
            high: all.high,
            low: (xy.low + all.low) + low,
        }
    }

    /// Returns a product.
    #[inline(always)]
    pub(super) fn times<S: Simd>(self, other: Self) -> Self
    where
        V: SimdFloat<S, Element = f64>,
    {
        let (high, rest) = exact_product::<S, V>(self.high, other.high);
        Sum {
            high,
            low: (self.low).mul_add(other.high, self.high.mul_add(other.low, rest)),
        }
    }

    /// Returns the same numbers with low halves of at most u times the high ones.
    #[inline(always)]
    pub(super) fn normal<S: Simd>(self) -> Self
    where
        V: SimdFloat<S, Element = f64>,
    {
        Sum::of_difference::<S>(self.high, -self.low)
    }
}

impl<S: Simd> Sum<f64x4<S>> {
    /// Returns the number of one lane in all lanes.
    #[inline(always)]
    pub(super) fn lane<const LANE: usize>(self, simd: S) -> Self {
        Sum {
            high: lane::<S, LANE>(simd, self.high),
            low: lane::<S, LANE>(simd, self.low),
        }
    }
}

/// Returns `a b - c`, rounded once, for a `c` that is close to `a b`, if nothing underflows and both factors are
/// below 2^996.
///
/// Levels without an instruction for that ask the C library where a lane is 0, very small or very large. The
/// `fma` of MinGW rounds twice, in one of nine products; so Dekker's product stands for it: the difference of two
/// numbers close to each other is exact, and so is the rest of the product.
#[inline(always)]
pub(super) fn product_less<S: Simd, V: SimdFloat<S, Element = f64>>(a: V, b: V, c: V) -> V {
    if cfg!(all(windows, target_env = "gnu")) {
        return dekker_product_less(a, b, c);
    }
    a.mul_sub_precise(b, c)
}

/// In lanes what `arithmetic::two_product` is for one number.
#[inline(always)]
fn dekker_product_less<S: Simd, V: SimdFloat<S, Element = f64>>(a: V, b: V, c: V) -> V {
    let split = |x: V| {
        let large = x * 134_217_729.0; // 2^27 + 1
        let high = large - (large - x);
        (high, x - high)
    };
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    let product = a * b;
    let rest = product - a_high * b_high - a_low * b_high - a_high * b_low;
    (product - c) + (a_low * b_low - rest)
}

/// Returns a product, and what its rounding leaves.
#[inline(always)]
fn exact_product<S: Simd, V: SimdFloat<S, Element = f64>>(a: V, b: V) -> (V, V) {
    let product = a * b;
    (product, product_less(a, b, product))
}

#[inline(always)]
fn lane<S: Simd, const LANE: usize>(simd: S, v: f64x4<S>) -> f64x4<S> {
    f64x4::splat(simd, v.to_array()[LANE])
}

/// The quotients of numbers by others.
///
/// The quotient of two high halves is off by less than 3u of itself, as one rounded inverse serves all. Its rest
/// `high - first den`, with one rounding, and the low halves, which must be at most u times the high ones, are divided
/// once more, which is off by a few u of at most `5u` of the quotient: with the last difference, by less than `64u^2`
/// of it. The errors of the dividend and of the divisor add to that, as in `quotients.rs`. Where both ends of that
/// interval are rounded to one number, so is the quotient.
pub(super) struct Quotients<V> {
    /// The second of at most `5.1u` of the first.
    pub(super) first: V,
    pub(super) second: V,
    /// Bounds how far they are off together.
    pub(super) error: V,
    /// The lanes whose divisor is far enough from zero for the bounds, as bits.
    pub(super) hold: u32,
    /// The quotients, as bits, that are 0 or so large that no bound underflows.
    pub(super) are_usual: u32,
}

impl<V: Copy> Quotients<V> {
    /// Divides numbers by others, each off by at most its error.
    #[inline(always)]
    pub(super) fn of<S: Simd>(
        simd: S,
        (dots, error): (Sum<V>, V),
        (den, den_error): (Sum<V>, V),
    ) -> Self
    where
        V: SimdFloat<S, Element = f64>,
    {
        let inverse = V::splat(simd, 1.0) / den.high;
        let first = dots.high * inverse;
        let rest = dots.low - product_less(first, den.high, dots.high) - first * den.low;
        let second = rest * inverse;
        let size = inverse.abs() * V::splat(simd, 1.0 + 1.0 / 512.0);
        let own = first.abs() * V::splat(simd, 64.0 * U_SQUARE);
        let error = (first.abs().mul_add(den_error, error)).mul_add(size, own);
        let hold = (den_error * size).simd_lt(V::splat(simd, 1.0 / 1024.0));
        let is_large = first.abs().simd_ge(V::splat(simd, LEAST));
        let is_zero = dots.high.simd_eq(V::splat(simd, 0.0));
        Quotients {
            first,
            second,
            error,
            hold: hold.to_bitmask() as u32,
            are_usual: (is_large | is_zero).to_bitmask() as u32,
        }
    }

    /// Returns the quotients rounded to `f64`, and those whose rounding the bounds decide, as bits.
    #[inline(always)]
    pub(super) fn rounded<S: Simd>(&self) -> (V, u32)
    where
        V: SimdFloat<S, Element = f64>,
    {
        let (least, most) = ends::<S, V>(self.first, self.second, self.error);
        // In this form NaN is refused.
        let same = least.simd_eq(most).to_bitmask() as u32;
        (least, same & self.hold & self.are_usual)
    }
}

impl<S: Simd> Quotients<f64x4<S>> {
    /// Divides numbers by that of one lane, each off by at most its error.
    #[inline(always)]
    pub(super) fn by_lane<const DEN: usize>(simd: S, dots: Sum<f64x4<S>>, error: f64x4<S>) -> Self {
        let den = (dots.lane::<DEN>(simd), lane::<S, DEN>(simd, error));
        Quotients::of(simd, (dots, error), den)
    }
}

/// Returns the numbers that both ends of `first + (second - error)` and `first + (second + error)` are rounded to.
#[inline(always)]
pub(super) fn ends<S: Simd, V: SimdFloat<S, Element = f64>>(
    first: V,
    second: V,
    error: V,
) -> (V, V) {
    (first + (second - error), first + (second + error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{Level, dispatch};

    /// Compares, at products whose rests do not underflow, and at what is close to the products.
    #[inline(always)]
    fn compare<S: Simd>(simd: S) {
        let mut state = 1_u64;
        for _ in 0..100_000 {
            let [a, b] = [(); 2].map(|()| {
                let number = [(); 4].map(|()| {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    // From 2^-400 to 2^400, of both signs, and one of eight is 0.
                    let exponent = 1023 - 400 + (state >> 20) % 800;
                    let is_zero = state >> 50 & 7 == 0;
                    let number = state >> 12 & ((1 << 52) - 1) | exponent << 52;
                    f64::from_bits(if is_zero {
                        0
                    } else {
                        number | state >> 62 << 63
                    })
                });
                f64x4::from_slice(simd, &number)
            });
            let product = a * b;
            for c in [product, product * f64x4::splat(simd, 1.0 + f64::EPSILON)] {
                let expected = a.mul_sub_precise(b, c).to_array();
                assert_eq!(dekker_product_less(a, b, c).to_array(), expected);
            }
        }
    }

    #[cfg_attr(
        all(windows, target_env = "gnu"),
        ignore = "what it compares with is wrong there"
    )]
    #[test]
    fn products_have_the_same_rests_without_an_instruction() {
        for level in [Level::baseline(), Level::new()] {
            dispatch!(level, simd => compare(simd));
        }
    }
}
