//! The sign of a sum of `f64`s, exactly.

use core::cmp::Ordering;

/// Returns the sum rounded to `f64`, and the rest of it; exact unless the sum overflows (Knuth, "The
/// Art of Computer Programming", volume 2, 4.2.2, theorem B).
#[inline]
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    let of_a = sum - of_b;
    (sum, (a - of_a) + (b - of_b))
}

/// Returns the product rounded to `f64`, and the rest of it; exact unless it overflows or the rest
/// underflows.
pub(crate) fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    // The `fma` of MinGW's C library, which `mul_add` calls, rounds twice.
    #[cfg(all(windows, target_env = "gnu"))]
    let rest = libm::fma(a, b, -product);
    #[cfg(not(all(windows, target_env = "gnu")))]
    let rest = a.mul_add(b, -product);
    (product, rest)
}

/// A sum of up to `N` numbers as parts that do not overlap, in ascending order of size (Shewchuk
/// 1997, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates").
#[derive(Clone, Copy)]
pub(crate) struct ExactSum<const N: usize> {
    parts: [f64; N],
    count: usize,
}

impl<const N: usize> ExactSum<N> {
    pub(crate) fn new() -> Self {
        ExactSum {
            parts: [0.0; N],
            count: 0,
        }
    }

    /// Adds a number; there may be at most `N`. The sum must not overflow.
    pub(crate) fn add(&mut self, x: f64) {
        let mut carried = x;
        for part in &mut self.parts[..self.count] {
            (carried, *part) = two_sum(carried, *part);
        }
        self.parts[self.count] = carried;
        self.count += 1;
    }

    /// Returns the sum with a relative error of less than 2^-51.
    #[cfg(any(test, feature = "gltf"))]
    pub(crate) fn about(&self) -> f64 {
        self.parts[..self.count].iter().sum()
    }

    /// Returns the nearest `f64` to the sum, ties to even; the sum must have room for two more. Zero is +0.
    #[cfg(any(test, feature = "gltf"))]
    pub(crate) fn nearest(self) -> f64 {
        let mut nearest = self.about();
        // Half of it might be none; and then it is exact, as all numbers are multiples of the least.
        if nearest.abs() < 8.0 * f64::MIN_POSITIVE {
            return nearest + 0.0;
        }
        loop {
            let odd = nearest.to_bits() & 1 == 1;
            let middle_to = |other: f64| {
                let mut sum = self;
                sum.add(-0.5 * nearest);
                sum.compare(0.5 * other)
            };
            let is_beyond = |order, way| order == way || (odd && order == Ordering::Equal);
            let (up, down) = (nearest.next_up(), nearest.next_down());
            if is_beyond(middle_to(up), Ordering::Greater) {
                nearest = up;
            } else if is_beyond(middle_to(down), Ordering::Less) {
                nearest = down;
            } else {
                return nearest + 0.0;
            }
        }
    }

    /// Compares the sum with a number; it must have room for one more.
    pub(crate) fn compare(mut self, x: f64) -> Ordering {
        self.add(-x);
        // Larger than all parts before it together.
        let largest = self.parts[..self.count].iter().rfind(|part| **part != 0.0);
        match largest {
            None => Ordering::Equal,
            Some(part) if *part < 0.0 => Ordering::Less,
            Some(_) => Ordering::Greater,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C libraries have wrong `fma`s: that of MinGW fails here.
    #[test]
    fn products_have_exact_rests() {
        let mut state = 1_u64;
        for _ in 0..10_000 {
            let [a, b] = [(); 2].map(|()| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                state >> 11
            });
            let (product, rest) = two_product(a as f64, b as f64);
            let exact = i128::from(a) * i128::from(b);
            assert_eq!(exact - product as i128, rest as i128, "{a} {b}");
        }
    }

    #[test]
    fn sums_are_compared_exactly() {
        let sum = |terms: &[f64]| {
            let mut sum = ExactSum::<8>::new();
            for &term in terms {
                sum.add(term);
            }
            sum
        };
        let tiny = f64::from_bits(1);
        for (terms, x, order) in [
            (&[][..], 0.0, Ordering::Equal),
            (&[1e300, tiny, -1e300], 0.0, Ordering::Greater),
            (&[1e300, tiny, -1e300], tiny, Ordering::Equal),
            (&[1e300, -tiny, -1e300], 0.0, Ordering::Less),
            (&[0.1, 0.2], 0.3, Ordering::Greater),
            (&[1.0, 2e-17], 1.0, Ordering::Greater),
            (&[-1.0, 2e-17], -1.0, Ordering::Greater),
            (&[5_200_000.1, -5_200_000.0], 0.1, Ordering::Less),
        ] {
            assert_eq!(sum(terms).compare(x), order, "{terms:?} {x}");
        }
        let (product, rest) = two_product(0.1, 3.0);
        assert_eq!(sum(&[product, rest]).compare(0.3), Ordering::Greater);
        assert_eq!(sum(&[1.0, 2.0, 4.0]).about(), 7.0);
        let half = f64::EPSILON / 2.0;
        for (terms, nearest) in [
            (&[][..], 0.0),
            (&[1.0, half], 1.0),
            (&[1.0, half, 1e-60], 1.0 + f64::EPSILON),
            (&[1.0 + f64::EPSILON, half], 1.0 + 2.0 * f64::EPSILON),
            (&[1e300, 1.0, -1e300, -3.0], -2.0),
            (&[1e16, 1.0, 1.0, 1.0], 1e16 + 4.0),
            (&[5e-324], 5e-324),
            (&[1.5e-323, 1e-323], 2.5e-323),
        ] {
            assert_eq!(sum(terms).nearest(), nearest, "{terms:?}");
        }
    }
}
