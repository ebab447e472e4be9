//! Decimals, compared exactly.

use super::Dyadic;
use core::cmp::Ordering;

/// Every number of so many digits is below 2^53.
const AT_ONCE: usize = 15;

/// Compares `digits * 10^exponent`, negated if `is_negative`, with `a + b`, exactly. The digits are 0 to 9,
/// the first the most significant; `a` and `b` are finite. The time grows with the number of digits times
/// the exponent, which callers bound.
pub fn compare_decimal(
    is_negative: bool,
    digits: &[u8],
    exponent: i64,
    (a, b): (f64, f64),
) -> Ordering {
    let mut decimal = Dyadic::from_f64(0.0);
    for digits in digits.chunks(AT_ONCE) {
        let value = digits
            .iter()
            .fold(0.0, |v, &digit| 10.0 * v + f64::from(digit));
        decimal = shifted(decimal, digits.len() as u64).add(&Dyadic::from_f64(value));
    }
    let mut sum = Dyadic::from_f64(a).add(&Dyadic::from_f64(b));
    match exponent < 0 {
        true => sum = shifted(sum, exponent.unsigned_abs()),
        false => decimal = shifted(decimal, exponent.unsigned_abs()),
    }
    let decimal = if is_negative { decimal.neg() } else { decimal };
    decimal.sub(&sum).sign().cmp(&0)
}

/// Returns a number times `10^places`.
fn shifted(mut number: Dyadic, places: u64) -> Dyadic {
    let [many, one] = [1e15, 10.0].map(Dyadic::from_f64);
    for _ in 0..places / AT_ONCE as u64 {
        number = number.mul(&many);
    }
    for _ in 0..places % AT_ONCE as u64 {
        number = number.mul(&one);
    }
    number
}
