//! Exact quotients, to compare parameters along a ray and to round them once.

use super::dyadic::Dyadic;
use core::cmp::Ordering;

/// The exact number `num / den`, with `den > 0`.
#[derive(Clone)]
pub(crate) struct Ratio {
    num: Dyadic,
    den: Dyadic,
}

impl Ratio {
    /// Returns `num / den` for a `den` that is not zero.
    pub(crate) fn new(num: Dyadic, den: Dyadic) -> Self {
        debug_assert_ne!(den.sign(), 0);
        if den.sign() < 0 {
            Ratio {
                num: num.neg(),
                den: den.neg(),
            }
        } else {
            Ratio { num, den }
        }
    }

    pub(crate) fn cmp(&self, other: &Ratio) -> Ordering {
        let left = self.num.mul(&other.den);
        left.sub(&other.num.mul(&self.den)).sign().cmp(&0)
    }

    /// Compares with a number that may be infinite but not NaN.
    pub(crate) fn cmp_f64(&self, other: f64) -> Ordering {
        if other.is_infinite() {
            return 0.0f64.total_cmp(&other);
        }
        let right = self.den.mul(&Dyadic::from_f64(other));
        self.num.clone().sub(&right).sign().cmp(&0)
    }

    /// Returns the nearest `f32`, ties to even; overflow is infinite, and zero is +0.
    pub(crate) fn to_f32(&self) -> f32 {
        // Within an ulp of f64, so at most one f32 away.
        let estimate = (self.num.estimate() / self.den.estimate()) as f32;
        nearest(estimate, |boundary| self.cmp_f64(boundary))
    }

    /// Returns the `f32` nearest to the square root, ties to even; overflow is infinite. The
    /// quotient must not be negative. The search starts at `estimate` and proceeds one `f32` at a
    /// time.
    pub(crate) fn root_to_f32(&self, estimate: f32) -> f32 {
        nearest(estimate, |boundary| {
            if boundary < 0.0 {
                Ordering::Greater
            } else {
                // A boundary has 25 bits: its square is exact.
                self.cmp_f64(boundary * boundary)
            }
        })
    }

    /// Returns `start + self * step`.
    pub(crate) fn on_line(&self, start: f64, step: f64) -> Ratio {
        let along = self.num.mul(&Dyadic::from_f64(step));
        Ratio {
            num: self.den.mul(&Dyadic::from_f64(start)).add(&along),
            den: self.den.clone(),
        }
    }
}

/// Returns the `f32` nearest to a number that can be compared, ties to even, by a search from
/// `estimate` in single steps.
pub(crate) fn nearest(estimate: f32, compare: impl Fn(f64) -> Ordering) -> f32 {
    let mut nearest = estimate;
    loop {
        let odd = nearest.to_bits() & 1 == 1;
        let beyond = |order: Ordering, way| order == way || (odd && order == Ordering::Equal);
        let (below, above) = boundaries(nearest);
        if beyond(compare(above), Ordering::Greater) {
            nearest = nearest.next_up();
        } else if beyond(compare(below), Ordering::Less) {
            nearest = nearest.next_down();
        } else {
            return nearest + 0.0; // turns -0 into +0
        }
    }
}

/// Returns the numbers halfway to the neighbours of `x`, exactly. The neighbour of the largest
/// `f32` is 2^128, as in IEEE rounding; infinity has no upper neighbour.
fn boundaries(x: f32) -> (f64, f64) {
    const TWO_TO_128: f64 = (1u128 << 127) as f64 * 2.0;
    let wide = |y: f32| match y {
        f32::INFINITY => TWO_TO_128,
        f32::NEG_INFINITY => -TWO_TO_128,
        _ => f64::from(y),
    };
    let below = if x == f32::NEG_INFINITY {
        f64::NEG_INFINITY
    } else {
        (wide(x.next_down()) + wide(x)) / 2.0
    };
    let above = if x == f32::INFINITY {
        f64::INFINITY
    } else {
        (wide(x.next_up()) + wide(x)) / 2.0
    };
    (below, above)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(num: f64, den: f64) -> Ratio {
        Ratio::new(Dyadic::from_f64(num), Dyadic::from_f64(den))
    }

    #[test]
    fn rounding_is_to_nearest_even_everywhere() {
        assert_eq!(ratio(1.0, 3.0).to_f32(), 1.0 / 3.0);
        assert_eq!(ratio(-1.0, -3.0).to_f32(), 1.0 / 3.0);
        assert_eq!(ratio(-0.0, -3.0).to_f32().to_bits(), 0);
        // Halfway between two floats: to the even one, on either side of zero.
        let tie = 1.0 + 2f64.powi(-24);
        assert_eq!(ratio(tie, 1.0).to_f32(), 1.0);
        assert_eq!(ratio(-tie, 1.0).to_f32(), -1.0);
        assert_eq!(
            ratio(tie + 2f64.powi(-23), 1.0).to_f32(),
            1.0 + 2f32.powi(-22)
        );
        // Slightly beyond halfway, by less than the resolution of the f64 quotient.
        let hair = Dyadic::difference(tie, -2f64.powi(-90));
        assert_eq!(
            Ratio::new(hair, Dyadic::from_f64(1.0)).to_f32(),
            1.0f32.next_up()
        );
        // Subnormal results, and results that round to zero.
        let tiny = f64::from(f32::from_bits(1));
        assert_eq!(ratio(tiny, 2.0).to_f32().to_bits(), 0);
        assert_eq!(ratio(-tiny, 3.0).to_f32().to_bits(), 0);
        assert_eq!(ratio(tiny * 3.0, 2.0).to_f32(), f32::from_bits(2));
        // Overflow: the boundary itself rounds away from the odd largest float.
        let boundary = f64::from(f32::MAX) + 2f64.powi(103);
        assert_eq!(ratio(boundary, 1.0).to_f32(), f32::INFINITY);
        assert_eq!(ratio(boundary - 2f64.powi(80), 1.0).to_f32(), f32::MAX);
        assert_eq!(ratio(-boundary, 1.0).to_f32(), f32::NEG_INFINITY);
        assert_eq!(ratio(f64::from(f32::MAX), tiny).to_f32(), f32::INFINITY);
    }

    #[test]
    fn comparisons_are_exact() {
        assert_eq!(ratio(1.0, 3.0).cmp(&ratio(2.0, 6.0)), Ordering::Equal);
        assert_eq!(ratio(1.0, -3.0).cmp(&ratio(-1.0, 3.0)), Ordering::Equal);
        let above = Dyadic::difference(1.0, -2f64.powi(-300));
        let above = Ratio::new(above, Dyadic::from_f64(3.0));
        assert_eq!(above.cmp(&ratio(1.0, 3.0)), Ordering::Greater);
        assert_eq!(above.cmp_f64(1.0 / 3.0), Ordering::Greater);
        assert_eq!(above.cmp_f64(f64::INFINITY), Ordering::Less);
        assert_eq!(above.cmp_f64(f64::NEG_INFINITY), Ordering::Greater);
    }
}
