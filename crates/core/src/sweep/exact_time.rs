//! Exact times of contact: roots of quadratics whose coefficients are exact numbers.

use super::number::Root;
use crate::arithmetic::{Dyadic, Interval, cmp_root, nearest, sqrt};
use core::cmp::Ordering;

/// The exact time `(way - sqrt(square)) / rate`, which is not negative.
#[derive(Clone)]
pub(super) struct ExactTime {
    way: Dyadic,
    square: Dyadic,
    rate: Dyadic,
}

impl ExactTime {
    pub(super) fn of(root: Root<Dyadic>) -> Self {
        ExactTime {
            way: root.way,
            square: root.square,
            rate: root.rate,
        }
    }

    /// Compares with a number that may be infinite but not NaN.
    pub(super) fn cmp_f64(&self, other: f64) -> Ordering {
        if other.is_infinite() {
            return 0.0f64.total_cmp(&other);
        }
        let left = self.way.sub(&self.rate.mul(&Dyadic::from_f64(other)));
        cmp_root(&left, &self.square)
    }

    /// Compares two times by the sign of `way a' - way' a + a sqrt(D') - a' sqrt(D)`, with the
    /// rates a and squares D.
    pub(super) fn cmp(&self, other: &ExactTime) -> Ordering {
        let (own, others) = (&self.rate, &other.rate);
        let rest = self.way.mul(others).sub(&other.way.mul(own));
        let plus = own.mul(own).mul(&other.square);
        let minus = others.mul(others).mul(&self.square);
        sign_with_roots(rest, plus, minus).cmp(&0)
    }

    /// Returns the sign of `start + time * step`: that of
    /// `rate start + way step - step sqrt(square)`.
    pub(super) fn sign_at(&self, start: &Dyadic, step: &Dyadic) -> i32 {
        let left = self.rate.mul(start).add(&self.way.mul(step));
        let square = step.mul(step).mul(&self.square);
        match step.sign() {
            1 => cmp_root(&left, &square) as i32,
            -1 => -(cmp_root(&left.neg(), &square) as i32),
            _ => start.sign(),
        }
    }

    /// Returns an interval that contains the time: the estimate has less than 32 roundings.
    pub(super) fn interval(&self) -> Interval {
        let time = self.estimate();
        let error = time * (256.0 * f64::EPSILON) + f64::MIN_POSITIVE;
        ((time - error).max(0.0), time + error)
    }

    /// Returns the nearest `f32`, ties to even; overflow is infinite.
    pub(super) fn to_f32(&self) -> f32 {
        nearest(self.estimate() as f32, |boundary| self.cmp_f64(boundary))
    }

    /// Returns the time to within a few roundings of itself, where that is within the range of
    /// `f64`: `(way^2 - square) / way^2 * way / rate / (1 + sqrt(square / way^2))`. The difference is
    /// exact, and nothing cancels after it.
    pub(super) fn estimate(&self) -> f64 {
        let way_square = self.way.mul(&self.way);
        let gap = parts(&way_square.sub(&self.square));
        let (way, whole) = (parts(&self.way), parts(&way_square));
        let (rate, square) = (parts(&self.rate), parts(&self.square));
        let share = times_power(square.0 / whole.0, square.1 - whole.1);
        let size = gap.0 / whole.0 * (way.0 / rate.0) / (1.0 + sqrt(share));
        times_power(size, gap.1 - whole.1 + way.1 - rate.1)
    }
}

/// Returns the sign of `x + sqrt(plus) - sqrt(minus)`, by squaring twice.
fn sign_with_roots(x: Dyadic, plus: Dyadic, minus: Dyadic) -> i32 {
    if x.sign() < 0 {
        return -sign_with_roots(x.neg(), minus, plus);
    }
    // (x + sqrt(plus))^2 - minus = rest + 2 x sqrt(plus)
    let square = x.mul(&x);
    let rest = square.add(&plus).sub(&minus);
    let product = square.mul(&plus);
    match rest.sign() {
        -1 => {
            let four = product.mul(&Dyadic::from_f64(4.0));
            four.sub(&rest.mul(&rest)).sign()
        }
        sign => sign.max(product.sign()),
    }
}

/// 2^600.
const LARGE: f64 = f64::from_bits((1023 + 600) << 52);

/// Returns m and e with the number nearly `m 2^e`, and m in the middle of the range of `f64`.
fn parts(x: &Dyadic) -> (f64, i32) {
    if x.sign() == 0 {
        return (0.0, 0);
    }
    let (mut x, mut exponent) = (x.clone(), 0);
    loop {
        let size = x.estimate();
        if size.abs() < 1.0 / LARGE {
            x = x.mul(&Dyadic::from_f64(LARGE));
            exponent -= 600;
        } else if size.abs() > LARGE {
            x = x.mul(&Dyadic::from_f64(1.0 / LARGE));
            exponent += 600;
        } else {
            // Within 2^-600 ..= 2^600: bring it near 1, so that products stay in range.
            let power = (size.to_bits() >> 52 & 0x7ff) as i32 - 1023;
            return (times_power(size, -power), exponent + power);
        }
    }
}

/// Returns `x 2^exponent`.
fn times_power(x: f64, exponent: i32) -> f64 {
    let power = |exponent: i32| f64::from_bits(((1023 + exponent) as u64) << 52);
    let mut exponent = exponent.clamp(-3000, 3000);
    let mut x = x;
    while exponent != 0 {
        let step = exponent.clamp(-1000, 1000);
        x *= power(step);
        exponent -= step;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(x: f64) -> Dyadic {
        Dyadic::from_f64(x)
    }

    fn time(way: f64, square: f64, rate: f64) -> ExactTime {
        let [way, square, rate] = [way, square, rate].map(number);
        ExactTime { way, square, rate }
    }

    #[test]
    fn signs_of_sums_with_roots_are_exact() {
        let sign =
            |x: f64, plus: f64, minus: f64| sign_with_roots(number(x), number(plus), number(minus));
        for x in -6..=6 {
            for plus in 0..=6 {
                for minus in 0..=6 {
                    let [x, plus, minus] = [x, plus, minus].map(f64::from);
                    // All are squares, so that the sum is an integer.
                    let sum = x + plus - minus;
                    let found = sign(x, plus * plus, minus * minus);
                    assert_eq!(f64::from(found), sum.signum() * f64::from(sum != 0.0));
                }
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
            let scaled = ExactTime {
                way: times(3.0),
                square: times(5.0).mul(&scale),
                rate: times(2.0),
            };
            assert!((scaled.estimate() - 0.381_966_011_250_105_1).abs() < 1e-15);
            assert_eq!(scaled.to_f32(), 0.381_966_02);
        }
        // way^2 - square is 2^-200 of way^2: t = 2^-201.
        let hair = power(0.5, 200);
        let soon = ExactTime {
            way: number(1.0),
            square: number(1.0).sub(&hair),
            rate: number(1.0),
        };
        assert_eq!(soon.estimate(), 2f64.powi(-201));
        assert_eq!(soon.to_f32(), 0.0);
    }
}
