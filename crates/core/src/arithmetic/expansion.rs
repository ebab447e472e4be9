//! Exact sums of `f64`s (Shewchuk 1997, "Adaptive Precision Floating-Point Arithmetic and
//! Fast Robust Geometric Predicates").
//!
//! A number is represented as a sum of `f64` components that do not overlap, the smallest first.
//! Adding, subtracting and multiplying such sums is exact as long as no component overflows or
//! falls below the least `f64`. Here neither can happen: the inputs are `f32`s and differences of
//! `f32`s, and no product has more than seven of them, or six and one rounding boundary. So
//! magnitudes stay below 2^129^7 * 2^8 = 2^911 (Dekker's splitting needs 2^996) and every bit is at
//! or above 2^-149^6 * 2^-150 = 2^-1044 (the least `f64` is 2^-1074). Triangles need six; the
//! product of seven is a bound of a sheared box (a determinant and a coordinate) times the slope of
//! a ray in another one.

use smallvec::SmallVec;

/// An exact real number: the sum of its parts, which do not overlap, are not zero, and increase in
/// magnitude. Zero has no parts.
///
/// Compressed parts are at least 52 bits apart, so the inline parts have 800 bits: only inputs with
/// very different magnitudes need the heap, for at most 38 parts after compression.
#[derive(Clone, Debug)]
pub(crate) struct Expansion {
    parts: SmallVec<[f64; 16]>,
}

/// Returns `a + b` rounded, and the rounding error (Knuth).
#[inline]
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_virtual = sum - a;
    let a_virtual = sum - b_virtual;
    (sum, (a - a_virtual) + (b - b_virtual))
}

/// Returns `a + b` rounded, and the rounding error, for `|a| >= |b|` (Dekker).
fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
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

impl Expansion {
    fn zero() -> Self {
        Expansion {
            parts: SmallVec::new(),
        }
    }

    /// Returns one number as a sum.
    pub(crate) fn from_f64(a: f64) -> Self {
        let mut sum = Expansion::zero();
        sum.push(a);
        sum
    }

    /// Returns `a - b`, exactly.
    pub(crate) fn difference(a: f64, b: f64) -> Self {
        let (high, low) = two_sum(a, -b);
        let mut sum = Expansion::zero();
        sum.push(low);
        sum.push(high);
        sum
    }

    fn push(&mut self, part: f64) {
        if part != 0.0 {
            self.parts.push(part);
        }
    }

    /// Adds one number (Shewchuk's Grow-Expansion, dropping zeros).
    fn grow(&mut self, b: f64) {
        let mut carry = b;
        let mut kept = 0;
        for i in 0..self.parts.len() {
            let (sum, lost) = two_sum(carry, self.parts[i]);
            carry = sum;
            if lost != 0.0 {
                self.parts[kept] = lost; // never past the part read
                kept += 1;
            }
        }
        self.parts.truncate(kept);
        self.push(carry);
    }

    /// Reduces the sum to as few parts as its bits need (Shewchuk's Compress).
    fn compress(&mut self) {
        let len = self.parts.len();
        if len < 2 {
            return;
        }
        let mut carry = self.parts[len - 1];
        let mut bottom = len;
        for i in (0..len - 1).rev() {
            let (sum, lost) = fast_two_sum(carry, self.parts[i]);
            if lost == 0.0 {
                carry = sum;
            } else {
                bottom -= 1;
                self.parts[bottom] = sum;
                carry = lost;
            }
        }
        let mut kept = 0;
        for i in bottom..len {
            let (sum, lost) = fast_two_sum(self.parts[i], carry);
            carry = sum;
            if lost != 0.0 {
                self.parts[kept] = lost;
                kept += 1;
            }
        }
        self.parts.truncate(kept);
        self.push(carry);
    }

    pub(crate) fn add(mut self, other: &Expansion) -> Self {
        self.add_in_place(other);
        self
    }

    pub(crate) fn sub(mut self, other: &Expansion) -> Self {
        self.subtract_in_place(other);
        self
    }

    /// Adds without moving the parts; a move takes as long as the addition.
    pub(crate) fn add_in_place(&mut self, other: &Expansion) {
        if self.parts.is_empty() {
            self.parts.extend_from_slice(&other.parts);
            return;
        }
        for &part in &other.parts {
            self.grow(part);
        }
        self.compress();
    }

    /// Subtracts without moving the parts.
    pub(crate) fn subtract_in_place(&mut self, other: &Expansion) {
        for &part in &other.parts {
            self.grow(-part);
        }
        self.compress();
    }

    pub(crate) fn neg(mut self) -> Self {
        for part in &mut self.parts {
            *part = -*part;
        }
        self
    }

    pub(crate) fn mul(&self, other: &Expansion) -> Self {
        let mut product = Expansion::zero();
        if let ([a], [b]) = (&self.parts[..], &other.parts[..]) {
            // By far the most frequent product: differences of f32s are mostly one part.
            let (high, low) = two_product(*a, *b);
            product.push(low);
            product.push(high);
            return product;
        }
        for &b in &other.parts {
            for &a in &self.parts {
                let (high, low) = two_product(a, b);
                product.grow(low);
                product.grow(high);
            }
            product.compress();
        }
        product
    }

    /// Returns -1, 0 or 1: the largest part exceeds the sum of all others.
    pub(crate) fn sign(&self) -> i32 {
        match self.parts.last() {
            None => 0,
            Some(top) if *top > 0.0 => 1,
            Some(_) => -1,
        }
    }

    /// Returns the value to within a few units in the last place of `f64`.
    pub(crate) fn estimate(&self) -> f64 {
        self.parts.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a deterministic stream of `f32`s of every exponent, with few bits.
    fn numbers() -> impl Iterator<Item = f32> {
        let mut state = 0x9e37_79b9_u32;
        core::iter::repeat_with(move || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            let bits = state
                & if state & 64 == 0 {
                    0xfff0_0000
                } else {
                    0xffff_ffff
                };
            f32::from_bits(bits)
        })
        .filter(|x| x.is_finite())
    }

    /// Returns an independent exact value: 2^-1074 units in a wide two's complement integer.
    fn wide(parts: &[f64]) -> [u64; 40] {
        let mut total = [0u64; 40];
        for part in parts {
            let bits = part.to_bits();
            let exponent = (bits >> 52 & 0x7ff) as usize;
            let mantissa = bits & ((1 << 52) - 1) | u64::from(exponent > 0) << 52;
            let shift = exponent.max(1) - 1;
            let value = u128::from(mantissa) << (shift % 64);
            let mut term = [0u64; 40];
            term[shift / 64] = value as u64;
            term[shift / 64 + 1] = (value >> 64) as u64;
            let negative = *part < 0.0;
            let mut carry = u128::from(negative);
            for (sum, word) in total.iter_mut().zip(term) {
                let word = if negative { !word } else { word };
                carry += u128::from(*sum) + u128::from(word);
                *sum = carry as u64;
                carry >>= 64;
            }
        }
        total
    }

    #[test]
    fn sums_and_differences_are_exact() {
        let mut n = numbers();
        for _ in 0..2000 {
            let [a, b, c, d] = core::array::from_fn(|_| f64::from(n.next().unwrap()));
            let e = Expansion::difference(a, b);
            assert_eq!(wide(&e.parts), wide(&[a, -b]));
            let f = e.clone().add(&Expansion::difference(c, d));
            assert_eq!(wide(&f.parts), wide(&[a, -b, c, -d]));
            let zero = f.clone().sub(&e).sub(&Expansion::difference(c, d));
            assert_eq!(zero.sign(), 0);
            assert_eq!(zero.parts.len(), 0);
        }
    }

    #[test]
    fn products_obey_algebra_at_full_degree_and_range() {
        let mut n = numbers();
        for round in 0..300 {
            let mut factor = || {
                let [a, b] = core::array::from_fn(|_| f64::from(n.next().unwrap()));
                Expansion::difference(a, b)
            };
            let [a, b, c, d, e, f, g]: [Expansion; 7] = core::array::from_fn(|_| factor());
            let left = a.mul(&b).mul(&c).mul(&d.mul(&e).mul(&f)).mul(&g);
            let right = f.mul(&a).mul(&e.mul(&b)).mul(&g.mul(&d.mul(&c)));
            assert_eq!(wide(&left.parts), wide(&right.parts), "round {round}");
            let spread = a.mul(&b.clone().add(&c)).sub(&a.mul(&b)).sub(&a.mul(&c));
            assert_eq!(spread.sign(), 0, "round {round}");
            assert!(left.parts.len() <= 38);
            let product = [&a, &b, &c, &d, &e, &f, &g].map(Expansion::sign);
            assert_eq!(left.sign(), product.iter().product::<i32>());
        }
    }

    #[test]
    fn extremes_neither_overflow_nor_vanish() {
        let widest = Expansion::difference(f64::from(f32::MAX), f64::from(-f32::MAX));
        let top = widest.mul(&widest).mul(&widest);
        assert!(top.mul(&top).mul(&widest).estimate().is_finite());
        let least = Expansion::from_f64(f64::from(f32::from_bits(1)));
        let bottom = least.mul(&least).mul(&least);
        let bottom = bottom.mul(&bottom).mul(&least);
        assert_eq!(bottom.parts[..], [f64::from_bits(1 << 31)]); // 2^-1043, subnormal
        let both = widest.sub(&least);
        let cube = both.mul(&both).mul(&both);
        let mixed = cube.mul(&cube).mul(&both);
        assert_eq!(mixed.sign(), 1);
        assert!(mixed.parts.len() <= 38);
    }
}
