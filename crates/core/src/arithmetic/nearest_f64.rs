//! Rounds quotients to `f64`.

use super::dyadic::scaled;
use super::{Dyadic, Ratio, Surd, sqrt};
use core::cmp::Ordering;

impl Ratio {
    /// Returns the nearest `f64`, ties to even; overflow is infinite, and zero is +0.
    pub(crate) fn to_f64(&self) -> f64 {
        let (size, exponent) = self.estimate();
        nearest(far_scaled(size, exponent), |middle| {
            self.num.cmp(&self.den.mul(&middle))
        })
    }

    /// Returns the `f64` nearest to the square root, ties to even; overflow is infinite. The quotient must not
    /// be negative.
    pub(crate) fn root_to_f64(&self) -> f64 {
        let (size, exponent) = self.estimate();
        let odd = exponent.rem_euclid(2);
        let root = sqrt(scaled(size, odd));
        nearest(far_scaled(root, (exponent - odd) / 2), |middle| {
            match middle.sign() < 0 {
                true => Ordering::Greater,
                false => self.num.cmp(&self.den.mul(&middle.square())),
            }
        })
    }
}

impl Surd {
    /// Returns the nearest `f64`, ties to even; overflow is infinite, and zero is +0.
    pub(crate) fn to_f64(&self) -> f64 {
        let (size, exponent) = self.rough();
        nearest(far_scaled(size, exponent), |middle| self.cmp_exact(&middle))
    }
}

/// Returns a number times a power of two of any exponent.
pub(crate) fn far_scaled(mut size: f64, mut exponent: i32) -> f64 {
    while exponent != 0 && size != 0.0 && size.is_finite() {
        let step = exponent.clamp(-1000, 1000);
        size *= f64::from_bits(((1023 + step) as u64) << 52);
        exponent -= step;
    }
    size
}

/// Returns the `f64` nearest to a number that can be compared, ties to even, by a search in single steps from an
/// estimate within a few.
fn nearest(estimate: f64, order: impl Fn(Dyadic) -> Ordering) -> f64 {
    let mut nearest = estimate;
    loop {
        let odd = nearest.to_bits() & 1 == 1;
        let beyond = |order: Ordering, way| order == way || (odd && order == Ordering::Equal);
        let (up, down) = (nearest.next_up(), nearest.next_down());
        if nearest < f64::INFINITY && beyond(order(middle(nearest, up)), Ordering::Greater) {
            nearest = up;
        } else if nearest > f64::NEG_INFINITY
            && beyond(order(middle(nearest, down)), Ordering::Less)
        {
            nearest = down;
        } else {
            return nearest + 0.0; // turns -0 into +0
        }
    }
}

/// Returns the number halfway between two `f64`s, where infinity stands for 2^1024, as in IEEE rounding.
fn middle(a: f64, b: f64) -> Dyadic {
    let half = |x: f64| match x.is_infinite() {
        true => Dyadic::from_f64(f64::from_bits(2046 << 52).copysign(x)),
        false => Dyadic::from_f64(x).mul(&Dyadic::from_f64(0.5)),
    };
    half(a).add(&half(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Numbers;

    fn ratio(num: f64, den: f64) -> Ratio {
        Ratio::new(Dyadic::from_f64(num), Dyadic::from_f64(den))
    }

    #[test]
    fn rounding_to_f64_is_to_nearest_even_everywhere() {
        // One rounding of the exact quotient is what IEEE division does.
        let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
        let tiny = f64::from_bits(1);
        let (least, most) = (f64::MIN_POSITIVE, f64::MAX);
        let ends = [0.0, tiny, 3.0 * tiny, least, 1.0, -3.0, 1e200, most, -most];
        let both = ends.iter().flat_map(|&a| ends.map(|b| (a, b)));
        let random: [(f64, f64); 2_000] = core::array::from_fn(|round| {
            let kind = (round % 5) as u64;
            (numbers.float(kind), numbers.float(kind))
        });
        for (a, b) in both.chain(random) {
            if b != 0.0 && a.is_finite() && b.is_finite() {
                let expected = a / b + 0.0;
                assert_eq!(
                    ratio(a, b).to_f64().to_bits(),
                    expected.to_bits(),
                    "{a} / {b}"
                );
            }
        }
        // Halfway, and a hair beyond it.
        let halfway = Dyadic::difference(1.0, -f64::EPSILON / 2.0);
        let one = || Dyadic::from_f64(1.0);
        assert_eq!(Ratio::new(halfway.clone(), one()).to_f64(), 1.0);
        let beyond = halfway.add(&Dyadic::from_f64(1e-300));
        assert_eq!(Ratio::new(beyond, one()).to_f64(), 1.0f64.next_up());
        let product = Dyadic::from_f64(most).mul(&Dyadic::from_f64(most));
        assert_eq!(Ratio::new(product.clone(), one()).to_f64(), f64::INFINITY);
        assert_eq!(Ratio::new(one(), product.neg()).to_f64().to_bits(), 0);
    }
}
