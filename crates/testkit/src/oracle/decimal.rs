//! Decimals as rationals, and what remains of them in a local frame.

use super::number::nearest_f32;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Pow};

/// Returns the number that a decimal is, such as `-12.5e-3`.
///
/// # Panics
/// If the text is not a decimal, or its exponent does not fit into `i32`.
pub fn decimal(text: &str) -> BigRational {
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits: BigInt = format!("{whole}{fraction}").parse().expect("digits");
    let exponent: i32 = exponent.parse().expect("an exponent");
    let places = exponent - fraction.len() as i32;
    let power = Pow::pow(BigInt::from(10), places.unsigned_abs());
    match places < 0 {
        true => BigRational::new(digits, power),
        false => BigRational::from_integer(digits * power),
    }
}

/// Returns the number that an `f64` is.
///
/// # Panics
/// If it is not finite.
pub fn rational(x: f64) -> BigRational {
    BigRational::from_float(x).expect("a finite number")
}

/// Returns the `f32` nearest to a number, ties to even; zero is +0.
pub fn nearest(x: &BigRational) -> f32 {
    // The denominator of a rational is positive.
    debug_assert!(*x.denom() >= BigInt::one());
    nearest_f32(x.numer(), x.denom())
}
