//! Roots of quadratics whose coefficients are exact numbers.

use super::dyadic::scaled;
use super::{Dyadic, Interval, cmp_root, nearest, sqrt};
use core::cmp::Ordering;

/// The exact number `(middle - sqrt(square)) / rate` or `(middle + sqrt(square)) / rate`. The square is not
/// negative, and the rate is positive.
#[derive(Clone)]
pub(crate) struct Surd {
    middle: Dyadic,
    square: Dyadic,
    rate: Dyadic,
    /// 1 where the root is added, and -1 where it is subtracted.
    side: i32,
}

impl Surd {
    /// Returns `(middle - sqrt(square)) / rate`.
    pub(crate) fn lesser(middle: Dyadic, square: Dyadic, rate: Dyadic) -> Self {
        Surd {
            middle,
            square,
            rate,
            side: -1,
        }
    }

    /// Returns `(middle + sqrt(square)) / rate`.
    pub(crate) fn greater(middle: Dyadic, square: Dyadic, rate: Dyadic) -> Self {
        Surd {
            side: 1,
            ..Surd::lesser(middle, square, rate)
        }
    }

    /// Returns `num / den` for a `den` that is not zero.
    pub(crate) fn quotient(num: Dyadic, den: Dyadic) -> Self {
        let zero = Dyadic::from_f64(0.0);
        match den.sign() < 0 {
            true => Surd::lesser(num.neg(), zero, den.neg()),
            false => Surd::lesser(num, zero, den),
        }
    }

    /// Compares with a number that may be infinite but not NaN.
    pub(crate) fn cmp_f64(&self, other: f64) -> Ordering {
        if other.is_infinite() {
            return 0.0f64.total_cmp(&other);
        }
        self.cmp_exact(&Dyadic::from_f64(other))
    }

    /// Returns the sign of `x + sqrt(square)` or `x - sqrt(square)`.
    fn sign_beside(&self, x: Dyadic, square: &Dyadic) -> i32 {
        match self.side {
            1 => -(cmp_root(&x.neg(), square) as i32),
            _ => cmp_root(&x, square) as i32,
        }
    }

    /// Compares two numbers by the sign of `middle a' - middle' a ± a' sqrt(D) ± a sqrt(D')`, with the
    /// rates a and squares D.
    pub(crate) fn cmp(&self, other: &Surd) -> Ordering {
        let (own, others) = (&self.rate, &other.rate);
        let rest = self.middle.mul(others).sub(&other.middle.mul(own));
        let roots = [
            (self.side, others.mul(others).mul(&self.square)),
            (-other.side, own.mul(own).mul(&other.square)),
        ];
        sign_with_roots(&rest, &roots).cmp(&0)
    }

    /// Returns the sign of `start + self * step`: that of
    /// `rate start + middle step ± step sqrt(square)`.
    pub(crate) fn sign_at(&self, start: &Dyadic, step: &Dyadic) -> i32 {
        let left = self.rate.mul(start).add(&self.middle.mul(step));
        let square = step.mul(step).mul(&self.square);
        match step.sign() {
            1 => self.sign_beside(left, &square),
            -1 => -self.sign_beside(left.neg(), &square),
            _ => start.sign(),
        }
    }

    /// Returns an interval that contains the number: the estimate has less than 32 roundings. Beyond
    /// 2^1000 it is open.
    pub(crate) fn interval(&self) -> Interval {
        let estimate = self.scaled_estimate();
        let value = estimate.to_f64();
        let error = value.abs() * (256.0 * f64::EPSILON) + f64::MIN_POSITIVE;
        match (estimate.0 < 0.0, estimate.1 <= 1000) {
            (_, true) => (value - error, value + error),
            (false, false) => (1e300, f64::INFINITY),
            (true, false) => (f64::NEG_INFINITY, -1e300),
        }
    }

    /// Returns the nearest `f32`, ties to even; overflow is infinite, and zero is +0.
    pub(crate) fn to_f32(&self) -> f32 {
        nearest(self.estimate() as f32, |boundary| self.cmp_f64(boundary))
    }

    /// Compares with an exact number.
    pub(super) fn cmp_exact(&self, other: &Dyadic) -> Ordering {
        let left = self.middle.sub(&self.rate.mul(other));
        self.sign_beside(left, &self.square).cmp(&0)
    }

    /// Returns a number within a few roundings and a power of two that it is to be multiplied by.
    pub(crate) fn rough(&self) -> (f64, i32) {
        let Scaled(size, exponent) = self.scaled_estimate();
        (size, exponent)
    }

    /// Returns the number to within a few roundings of itself, where that is within the range of
    /// `f64`; beyond it, a number of about 2^1020, or zero.
    pub(crate) fn estimate(&self) -> f64 {
        self.scaled_estimate().to_f64()
    }

    /// Where the root would be taken from what has the same sign, it is
    /// `(middle^2 - square) / (middle ± sqrt(square)) / rate`. The difference is exact, and nothing cancels
    /// after it.
    fn scaled_estimate(&self) -> Scaled {
        let (middle, root) = (Scaled::of(&self.middle), Scaled::of(&self.square).root());
        let rate = Scaled::of(&self.rate);
        let away = if self.side < 0 { root.negated() } else { root };
        if self.middle.sign() * self.side >= 0 || self.square.sign() == 0 {
            return middle.plus(away).over(rate);
        }
        let gap = self.middle.mul(&self.middle).sub(&self.square);
        let sum = middle.plus(away.negated());
        Scaled::of(&gap).over(sum).over(rate)
    }
}

/// Returns the sign of `x ± sqrt(p) ± sqrt(q)`, by squaring twice. A term has a sign, 1 or -1, and a
/// square, which is not negative.
fn sign_with_roots(x: &Dyadic, [(one, p), (other, q)]: &[(i32, Dyadic); 2]) -> i32 {
    let roots = match one == other {
        true => one * p.sign().max(q.sign()),
        false => one * p.sub(q).sign(),
    };
    let own = x.sign();
    if own * roots >= 0 {
        return if own == 0 { roots } else { own };
    }
    // x^2 against (sqrt(p) ± sqrt(q))^2 = p + q ± sqrt(4 p q)
    let rest = x.mul(x).sub(p).sub(q);
    let product = p.mul(q).mul(&Dyadic::from_f64(4.0));
    let sizes = match one == other {
        true => cmp_root(&rest, &product),
        false => cmp_root(&rest.neg(), &product).reverse(),
    };
    own * (sizes as i32)
}

/// A number `m 2^e` with m in the middle of the range of `f64`, or zero.
#[derive(Clone, Copy)]
struct Scaled(f64, i32);

impl Scaled {
    fn of(x: &Dyadic) -> Self {
        let (size, exponent) = x.to_f64_and_exponent();
        Scaled(size, exponent)
    }

    fn negated(self) -> Self {
        Scaled(-self.0, self.1)
    }

    /// Returns the square root of a number that is not negative.
    fn root(self) -> Self {
        match self.1.rem_euclid(2) {
            0 => Scaled(sqrt(self.0), self.1 / 2),
            _ => Scaled(sqrt(2.0 * self.0), (self.1 - 1) / 2),
        }
    }

    /// Returns the sum.
    fn plus(self, other: Scaled) -> Self {
        let (more, less) = match (self.0 == 0.0, other.0 == 0.0) {
            (true, _) => return other,
            (_, true) => return self,
            _ if self.1 < other.1 => (other, self),
            _ => (self, other),
        };
        Scaled(more.0 + scaled(less.0, less.1 - more.1), more.1).near_one()
    }

    /// Returns the quotient.
    fn over(self, other: Scaled) -> Self {
        Scaled(self.0 / other.0, self.1 - other.1).near_one()
    }

    /// Returns the same number with m near 1, for an m that is not far from it.
    fn near_one(self) -> Self {
        if self.0 == 0.0 {
            return self;
        }
        let power = (self.0.to_bits() >> 52 & 0x7ff) as i32 - 1023;
        Scaled(scaled(self.0, -power), self.1 + power)
    }

    fn to_f64(self) -> f64 {
        scaled(self.0, self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn number(x: f64) -> Dyadic {
        Dyadic::from_f64(x)
    }

    fn time(middle: f64, square: f64, rate: f64) -> Surd {
        Surd::lesser(number(middle), number(square), number(rate))
    }

    #[test]
    fn signs_of_sums_with_roots_are_exact() {
        let signed = |x: f64, roots: [(i32, f64); 2]| {
            sign_with_roots(
                &number(x),
                &roots.map(|(side, square)| (side, number(square))),
            )
        };
        let sign = |x: f64, plus: f64, minus: f64| signed(x, [(1, plus), (-1, minus)]);
        let sides = [(1, -1), (-1, 1), (1, 1), (-1, -1)];
        for (one, other) in sides {
            for (x, p, q) in
                (-13..=13).flat_map(|x| (0..=6).flat_map(move |p| (0..=6).map(move |q| (x, p, q))))
            {
                // All are squares, so that the sum is an integer.
                let squares = [(one, f64::from(p * p)), (other, f64::from(q * q))];
                let sum: i32 = x + one * p + other * q;
                assert_eq!(signed(x.into(), squares), sum.signum(), "{x} {squares:?}");
            }
        }
        // 1 + sqrt(2) against sqrt(3 + 2 sqrt(2)) = sqrt(5.828...).
        assert_eq!(sign(1.0, 2.0, 5.828_427), 1);
        assert_eq!(sign(1.0, 2.0, 5.828_428), -1);
        assert_eq!(sign(-1.0, 2.0, 0.0), 1);
        assert_eq!(sign(0.0, 2.0, 2.0), 0);
        assert_eq!(sign(-2.0, 8.0, 2f64.sqrt()), -1);
    }

    #[test]
    fn times_compare_and_round_exactly() {
        // (3 - sqrt(5)) / 2 = 0.381966...
        let golden = time(3.0, 5.0, 2.0);
        assert_eq!(golden.to_f32(), 0.381_966_02);
        let estimate = golden.estimate();
        assert!((estimate - 0.381_966_011_250_105_1).abs() < 1e-15);
        let (low, high) = golden.interval();
        assert_eq!(golden.cmp_f64(low), Ordering::Greater);
        assert_eq!(golden.cmp_f64(high), Ordering::Less);
        assert_eq!(golden.cmp_f64(f64::INFINITY), Ordering::Less);
        assert_eq!(golden.cmp(&time(6.0, 20.0, 4.0)), Ordering::Equal);
        assert_eq!(
            golden.cmp(&time(6.0, 20.0f64.next_up(), 4.0)),
            Ordering::Greater
        );
        assert_eq!(golden.cmp(&time(0.381_966_02, 0.0, 1.0)), Ordering::Less);
        let exact = time(3.0, 4.0, 2.0);
        assert_eq!(exact.cmp_f64(0.5), Ordering::Equal);
        assert_eq!(exact.cmp(&time(1.0, 0.0, 2.0)), Ordering::Equal);
        // The sign of 1 - 2 t and of its neighbours at t = 1/2..
        assert_eq!(exact.sign_at(&number(1.0), &number(-2.0)), 0);
        assert_eq!(exact.sign_at(&number(1f64.next_up()), &number(-2.0)), 1);
        assert_eq!(exact.sign_at(&number(-1.0), &number(2f64.next_up())), 1);
        assert_eq!(exact.sign_at(&number(-1.0), &number(2f64.next_down())), -1);
        assert_eq!(exact.sign_at(&number(-1.0), &number(0.0)), -1);
    }

    /// Numbers beyond the range of `f64`, and differences far below its resolution.
    #[test]
    fn estimates_hold_at_every_size() {
        let power =
            |x: f64, n: usize| (0..n).fold(number(1.0), |product, _| product.mul(&number(x)));
        for base in [1e-300, 1e-40, 1.0, 1e40, 1e300] {
            let scale = power(base, 5);
            let times = |x: f64| number(x).mul(&scale);
            let scaled = Surd::lesser(times(3.0), times(5.0).mul(&scale), times(2.0));
            assert!((scaled.estimate() - 0.381_966_011_250_105_1).abs() < 1e-15);
            assert_eq!(scaled.to_f32(), 0.381_966_02);
        }
        // middle^2 - square is 2^-200 of middle^2: t = 2^-201.
        let hair = power(0.5, 200);
        let soon = Surd::lesser(number(1.0), number(1.0).sub(&hair), number(1.0));
        assert_eq!(soon.estimate(), 2f64.powi(-201));
        assert_eq!(soon.to_f32(), 0.0);
    }

    /// Both roots of `a t^2 - 2 b t + c`, whatever their signs, against each other and numbers.
    #[test]
    fn both_roots_of_quadratics_are_ordered_and_rounded() {
        let mut roots = Vec::new();
        for (b, c, a) in (-4..=4).flat_map(|b| (-4..=4).flat_map(move |c| [(b, c, 1), (b, c, 3)])) {
            let square: i32 = b * b - a * c;
            if square < 0 {
                continue;
            }
            let [middle, square, rate] = [b, square, a].map(|x| number(x.into()));
            let lesser = Surd::lesser(middle.clone(), square.clone(), rate.clone());
            let greater = Surd::greater(middle, square, rate);
            let order = 0.cmp(&(b * b - a * c));
            assert_eq!(lesser.cmp(&greater), order, "{a} {b} {c}");
            let discriminant = f64::from(b * b - a * c).sqrt();
            for (surd, side) in [(lesser, -1.0), (greater, 1.0)] {
                let value = (f64::from(b) + side * discriminant) / f64::from(a);
                assert!((surd.estimate() - value).abs() < 1e-14, "{a} {b} {c}");
                let (low, high) = surd.interval();
                assert_ne!(surd.cmp_f64(low), Ordering::Less);
                assert_ne!(surd.cmp_f64(high), Ordering::Greater);
                assert_eq!(surd.to_f32(), value as f32, "{a} {b} {c}");
                let sign = surd.sign_at(&number(-value.round()), &number(1.0));
                assert_eq!(sign, surd.cmp_f64(value.round()) as i32);
                roots.push((surd, value));
            }
        }
        for (one, value) in &roots {
            for (other, others) in &roots {
                let order = match (value - others).abs() < 1e-9 {
                    true => Ordering::Equal,
                    false => value.total_cmp(others),
                };
                assert_eq!(one.cmp(other), order, "{value} {others}");
            }
        }
        let third = Surd::quotient(number(-1.0), number(-3.0));
        assert_eq!(
            (third.to_f32(), third.cmp_f64(1.0 / 3.0)),
            (1.0 / 3.0, Ordering::Greater)
        );
        assert_eq!(
            Surd::quotient(number(0.0), number(-3.0)).to_f32().to_bits(),
            0
        );
    }
}
