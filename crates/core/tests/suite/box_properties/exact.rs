//! Exact numbers for the reference: integers times powers of two, and their quotients.

use num_bigint::{BigInt, Sign};
use num_traits::{One, Signed, ToPrimitive};
use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

/// The number `integer * 2^exponent`.
#[derive(Clone, Debug)]
pub(crate) struct Dyadic {
    integer: BigInt,
    exponent: i64,
}

impl Dyadic {
    pub(crate) fn one() -> Self {
        Dyadic::power(BigInt::one(), 0)
    }

    fn power(integer: BigInt, exponent: i64) -> Self {
        Dyadic { integer, exponent }
    }

    pub(crate) fn half(&self) -> Self {
        Dyadic::power(self.integer.clone(), self.exponent - 1)
    }

    /// Converts a finite number.
    pub(crate) fn new(x: f32) -> Self {
        assert!(x.is_finite());
        let exponent = i64::from(x.to_bits() >> 23 & 0xff);
        let fraction = i64::from(x.to_bits() & 0x7f_ffff);
        let (size, exponent) = match exponent {
            0 => (fraction, -149),
            _ => (fraction | 0x80_0000, exponent - 150),
        };
        let signed = if x.is_sign_negative() { -size } else { size };
        Dyadic::power(signed.into(), exponent)
    }

    pub(crate) fn sign(&self) -> i32 {
        match self.integer.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }

    pub(crate) fn square(&self) -> Self {
        self * self
    }

    /// Returns the number to about 60 bits.
    fn rough(&self) -> (f64, i64) {
        let drop = (self.integer.bits() as i64 - 60).max(0);
        let top = (&self.integer >> drop).to_f64().unwrap();
        (top, self.exponent + drop)
    }
}

fn aligned(a: &Dyadic, b: &Dyadic) -> (BigInt, BigInt, i64) {
    let exponent = a.exponent.min(b.exponent);
    let at = |x: &Dyadic| &x.integer << (x.exponent - exponent);
    (at(a), at(b), exponent)
}

impl Add for &Dyadic {
    type Output = Dyadic;
    fn add(self, other: &Dyadic) -> Dyadic {
        let (a, b, exponent) = aligned(self, other);
        Dyadic::power(a + b, exponent)
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;
    fn sub(self, other: &Dyadic) -> Dyadic {
        let (a, b, exponent) = aligned(self, other);
        Dyadic::power(a - b, exponent)
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;
    fn mul(self, other: &Dyadic) -> Dyadic {
        let exponent = self.exponent + other.exponent;
        Dyadic::power(&self.integer * &other.integer, exponent)
    }
}

impl Neg for &Dyadic {
    type Output = Dyadic;
    fn neg(self) -> Dyadic {
        Dyadic::power(-&self.integer, self.exponent)
    }
}

/// A quotient with a positive denominator, not reduced.
#[derive(Clone, Debug)]
pub(crate) struct Fraction {
    pub(crate) num: Dyadic,
    pub(crate) den: Dyadic,
}

impl Fraction {
    pub(crate) fn new(num: Dyadic, den: Dyadic) -> Self {
        match den.sign() {
            0 => panic!("division by zero"),
            1 => Fraction { num, den },
            _ => Fraction {
                num: -&num,
                den: -&den,
            },
        }
    }

    pub(crate) fn whole(num: Dyadic) -> Self {
        Fraction::new(num, Dyadic::one())
    }

    pub(crate) fn cmp(&self, other: &Fraction) -> Ordering {
        self.cmp_dyadic_product(&other.num, &other.den)
    }

    fn cmp_dyadic_product(&self, num: &Dyadic, den: &Dyadic) -> Ordering {
        (&(&self.num * den) - &(num * &self.den)).sign().cmp(&0)
    }

    /// Compares with a number that may be infinite.
    pub(crate) fn cmp_f32(&self, x: f32) -> Ordering {
        if x.is_infinite() {
            0.0f32.total_cmp(&x)
        } else {
            self.cmp_dyadic_product(&Dyadic::new(x), &Dyadic::one())
        }
    }

    fn rough(&self) -> f64 {
        let ((a, e), (b, f)) = (self.num.rough(), self.den.rough());
        (a / b) * 2f64.powi((e - f).clamp(-1000, 1000) as i32)
    }

    /// Returns the error of `x` in units of its last place, after checking that no `f32` is nearer,
    /// that ties went to even and that zero is +0. Returns 0 for an infinity.
    pub(crate) fn error_of(&self, x: f32, context: &str) -> f64 {
        let describe = || format!("{x:e} for about {:e}, {context}", self.rough());
        assert!(x.to_bits() != (-0.0f32).to_bits(), "{}", describe());
        let (below, above) = boundaries(x);
        let fits = |side: Option<Dyadic>, beyond: Ordering| {
            side.is_none_or(|boundary| {
                let order = self.cmp(&Fraction::whole(boundary));
                order != beyond && (order != Ordering::Equal || x.to_bits() & 1 == 0)
            })
        };
        let nearest = fits(below, Ordering::Less) && fits(above, Ordering::Greater);
        assert!(!x.is_nan() && nearest, "not the nearest: {}", describe());
        if x.is_infinite() {
            return 0.0;
        }
        let off = &self.num - &(&Dyadic::new(x) * &self.den);
        let size = f64::from(x.abs().max(f32::MIN_POSITIVE));
        let step = size.log2().floor() - 23.0;
        let unit = Dyadic::power(BigInt::one(), step as i64);
        Fraction::new(off, &unit * &self.den).rough().abs()
    }

    /// Does the same for `x` as the square root of this, ignoring the sign of `x`.
    pub(crate) fn root_error_of(&self, x: f32, context: &str) -> f64 {
        let x = x.abs();
        let (below, above) = boundaries(x);
        let fits = |side: Option<Dyadic>, beyond: Ordering| {
            side.is_none_or(|boundary| {
                let order = match boundary.sign() {
                    -1 => Ordering::Greater,
                    _ => self.cmp(&Fraction::whole(boundary.square())),
                };
                order != beyond && (order != Ordering::Equal || x.to_bits() & 1 == 0)
            })
        };
        let nearest = fits(below, Ordering::Less) && fits(above, Ordering::Greater);
        let square = self.rough();
        assert!(nearest, "{x:e} for the root of {square:e}, {context}");
        let root = self.rough().sqrt();
        if x < f32::MIN_POSITIVE || x.is_infinite() || root < 1e-140 {
            return 0.0; // beyond the range of `rough`
        }
        let unit = 2f64.powf(f64::from(x).log2().floor() - 23.0);
        (root - f64::from(x)).abs() / unit
    }
}

/// Returns the midpoints to the neighbours, none beyond the infinities; 2^128 follows the largest
/// number.
fn boundaries(x: f32) -> (Option<Dyadic>, Option<Dyadic>) {
    let wide = |y: f32| {
        if y.is_infinite() {
            let size = Dyadic::power(BigInt::one(), 128);
            if y > 0.0 { size } else { -&size }
        } else {
            Dyadic::new(y)
        }
    };
    let middle = |a: f32, b: f32| (&wide(a) + &wide(b)).half();
    (
        (x != f32::NEG_INFINITY).then(|| middle(x.next_down(), x)),
        (x != f32::INFINITY).then(|| middle(x, x.next_up())),
    )
}

/// A vector of exact numbers.
pub(crate) type Vector = [Dyadic; 3];

pub(crate) fn vector(v: estoc_core::glam::Vec3) -> Vector {
    v.to_array().map(Dyadic::new)
}

pub(crate) fn minus(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| &a[i] - &b[i])
}

pub(crate) fn dot(a: &Vector, b: &Vector) -> Dyadic {
    let [x, y, z] = std::array::from_fn(|i| &a[i] * &b[i]);
    &(&x + &y) + &z
}

/// Returns the determinant of three columns, by the rule of Sarrus.
pub(crate) fn det(columns: [&Vector; 3]) -> Dyadic {
    let term = |i: usize, j: usize, k: usize| &(&columns[0][i] * &columns[1][j]) * &columns[2][k];
    let plus = &(&term(0, 1, 2) + &term(1, 2, 0)) + &term(2, 0, 1);
    let minus = &(&term(2, 1, 0) + &term(1, 0, 2)) + &term(0, 2, 1);
    &plus - &minus
}

pub(crate) fn is_negative(x: f32) -> bool {
    Dyadic::new(x).integer.is_negative()
}
