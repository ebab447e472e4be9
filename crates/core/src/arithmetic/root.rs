//! Square roots, in `f64` and as exact numbers in comparisons.

use super::Dyadic;
use core::cmp::Ordering;

/// Returns the square root, rounded once: the same number with and without the standard library.
#[inline]
pub(crate) fn sqrt(x: f64) -> f64 {
    #[cfg(feature = "std")]
    return x.sqrt();
    #[cfg(not(feature = "std"))]
    return libm::sqrt(x);
}

/// Compares `x` with the root of `square`, which must not be negative.
pub(crate) fn cmp_root(x: &Dyadic, square: &Dyadic) -> Ordering {
    if x.sign() < 0 {
        Ordering::Less
    } else {
        x.mul(x).sub(square).sign().cmp(&0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_with_roots() {
        let cmp = |x: f64, square: f64| cmp_root(&Dyadic::from_f64(x), &Dyadic::from_f64(square));
        assert_eq!(cmp(3.0, 9.0), Ordering::Equal);
        assert_eq!(cmp(-3.0, 9.0), Ordering::Less);
        assert_eq!(cmp(0.0, 0.0), Ordering::Equal);
        assert_eq!(cmp(2f64.sqrt(), 2.0), Ordering::Greater);
        assert_eq!(cmp(2f64.sqrt().next_down(), 2.0), Ordering::Less);
        assert_eq!(sqrt(9.0), 3.0);
    }
}
