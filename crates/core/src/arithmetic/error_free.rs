//! Sums and products of two `f64`s with their rounding errors.

/// Returns `a + b` rounded, and the rounding error (Knuth).
#[inline(always)]
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_virtual = sum - a;
    let a_virtual = sum - b_virtual;
    (sum, (a - a_virtual) + (b - b_virtual))
}

/// Returns the upper 26 bits of `a` and the rest (Dekker, Veltkamp).
fn split(a: f64) -> (f64, f64) {
    let c = 134_217_729.0 * a; // 2^27 + 1
    let high = c - (c - a);
    (high, a - high)
}

/// Returns `a * b` rounded, and the rounding error (Dekker, Veltkamp).
#[inline]
pub(crate) fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let (a_high, a_low) = split(a);
    let (b_high, b_low) = split(b);
    let rest = product - a_high * b_high - a_low * b_high - a_high * b_low;
    (product, a_low * b_low - rest)
}
