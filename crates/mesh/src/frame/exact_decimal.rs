//! Decimals as in a text, exactly.

use crate::text::number::leading_integer;
use core::cmp::Ordering;
use estoc_core::compare_decimal;

/// A decimal: `digits * 10^exponent`.
pub(crate) struct ExactDecimal {
    is_negative: bool,
    /// The digits from the first that is not 0; none for 0.
    digits: Vec<u8>,
    exponent: i64,
}

/// More digits than decide a comparison with two `f64`s, which have at most 1074 digits behind the
/// point, when the first digit is that of an `f64`. If there are more, all that matters about the rest
/// is whether it is 0.
const MOST_DIGITS: usize = 1500;

/// Less than the smallest `f64`, 10^-323.3, and so less than any difference of two `f64`s.
const VANISHING: i64 = -400;

impl ExactDecimal {
    /// Returns the number that a text is, if its `f64` is finite: `about`, as [`str::parse`] returns it.
    pub(crate) fn of(text: &str, about: f64) -> Option<ExactDecimal> {
        let (is_negative, text) = match text.as_bytes() {
            [b'-', text @ ..] => (true, text),
            [b'+', text @ ..] => (false, text),
            text => (false, text),
        };
        let end = text.iter().position(|byte| matches!(byte, b'e' | b'E'));
        let (number, exponent) = match end {
            Some(end) => (&text[..end], leading_integer(&text[end + 1..]).0?),
            None => (text, 0),
        };
        let point = number.iter().position(|&byte| byte == b'.');
        let behind = point.map_or(0, |point| number.len() - point - 1);
        let all = number.iter().filter(|&&byte| byte != b'.');
        let mut digits = Vec::new();
        let (mut dropped, mut rest) = (0, false);
        for digit in all.map(|byte| byte.wrapping_sub(b'0')) {
            match digit {
                0 if digits.is_empty() => {}
                10.. => return None,
                _ if digits.len() < MOST_DIGITS => digits.push(digit),
                _ => {
                    dropped += 1;
                    rest |= digit > 0;
                }
            }
        }
        let mut exponent = exponent
            .saturating_sub(behind as i64)
            .saturating_add(dropped);
        if rest {
            digits.push(1);
            exponent -= 1;
        }
        if digits.is_empty() {
            exponent = 0;
        } else if about == 0.0 {
            (digits, exponent) = (vec![1], VANISHING);
        }
        Some(ExactDecimal {
            is_negative,
            digits,
            exponent,
        })
    }

    /// Compares the decimal with a sum of two finite numbers.
    pub(crate) fn compare(&self, sum: (f64, f64)) -> Ordering {
        compare_decimal(self.is_negative, &self.digits, self.exponent, sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(text: &str, a: f64, b: f64) -> Ordering {
        ExactDecimal::of(text, text.parse().unwrap())
            .unwrap()
            .compare((a, b))
    }

    #[test]
    fn decimals_are_compared_exactly() {
        let tenth = "0.1000000000000000055511151231257827021181583404541015625";
        let long = format!("{tenth}{}1", "0".repeat(5000));
        let whole = format!("1{}", "0".repeat(300));
        let part = format!("0.{}1", "0".repeat(900));
        for (text, a, b, order) in [
            ("0", 0.0, 0.0, Ordering::Equal),
            ("-0", 0.0, -0.0, Ordering::Equal),
            ("0e99999999999999999999", 0.0, 0.0, Ordering::Equal),
            ("0.1", 0.1, 0.0, Ordering::Less),
            (tenth, 0.1, 0.0, Ordering::Equal),
            (&long, 0.1, 0.0, Ordering::Greater),
            ("-0.1", -0.1, 0.0, Ordering::Greater),
            ("0.3", 0.1, 0.2, Ordering::Less),
            ("5200000.125", 5_200_000.0, 0.125, Ordering::Equal),
            ("5200000.125", 5_200_001.0, -0.875, Ordering::Equal),
            ("-5200000.125", -5_200_001.0, 0.875, Ordering::Equal),
            ("-5200000.125", 0.875, -5_200_001.0, Ordering::Equal),
            ("5200000.125", 5_200_001.0, -0.874, Ordering::Less),
            ("-1", 1.0, 0.0, Ordering::Less),
            ("1", -1.0, 0.0, Ordering::Greater),
            ("+1.5E+2", 150.0, 0.0, Ordering::Equal),
            ("1e22", 1e22, 0.0, Ordering::Equal),
            ("1e23", 1e23, 0.0, Ordering::Greater),
            (&whole, 1e300, 0.0, Ordering::Less),
            (&part, 0.0, 0.0, Ordering::Greater),
            ("1e-99999999999999999999", 0.0, 0.0, Ordering::Greater),
            ("-1e-99999999", 0.0, 0.0, Ordering::Less),
            ("1e-99999999", f64::from_bits(1), 0.0, Ordering::Less),
            ("5e-324", f64::from_bits(1), 0.0, Ordering::Greater),
            ("1.7976931348623157e308", f64::MAX, 0.0, Ordering::Less),
            ("1e300", 1e300, f64::from_bits(1), Ordering::Less),
            (".5", 0.25, 0.25, Ordering::Equal),
            ("5.", 2.0, 3.0, Ordering::Equal),
        ] {
            assert_eq!(compare(text, a, b), order, "{text} {a} {b}");
        }
    }
}
