//! Decimals as in a text, exactly.

use core::cmp::Ordering;

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
            Some(end) => (&text[..end], exponent_of(&text[end + 1..])?),
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
        if about == 0.0 && !digits.is_empty() {
            (digits, exponent) = (vec![1], VANISHING);
        }
        Some(ExactDecimal {
            is_negative,
            digits,
            exponent,
        })
    }

    /// Compares the decimal with a sum of two finite numbers.
    pub(crate) fn compare(&self, (a, b): (f64, f64)) -> Ordering {
        let (sum_is_negative, mut sum, mut power) = sum(a, b);
        if self.digits.is_empty() || sum.is_zero() || self.is_negative != sum_is_negative {
            let sign = |is_zero: bool, is_negative: bool| match (is_zero, is_negative) {
                (true, _) => 0,
                (_, true) => -1,
                _ => 1,
            };
            let own = sign(self.digits.is_empty(), self.is_negative);
            return own.cmp(&sign(sum.is_zero(), sum_is_negative));
        }
        // Both sides times 5^-exponent if that is positive, and divided by 2^exponent.
        let mut own = Natural::default();
        for &digit in &self.digits {
            own.multiply_and_add(10, digit.into());
        }
        let fives = match self.exponent < 0 {
            true => &mut sum,
            false => &mut own,
        };
        for _ in 0..self.exponent.unsigned_abs() {
            fives.multiply_and_add(5, 0);
        }
        power -= self.exponent;
        match power < 0 {
            true => own.shift(power.unsigned_abs()),
            false => sum.shift(power.unsigned_abs()),
        }
        match self.is_negative {
            true => sum.compare(&own),
            false => own.compare(&sum),
        }
    }
}

/// Parses an exponent; saturates, far beyond those of finite numbers.
fn exponent_of(text: &[u8]) -> Option<i64> {
    let (is_negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let mut size = 0i64;
    for digit in digits {
        let digit = digit.is_ascii_digit().then(|| digit - b'0')?;
        size = size.saturating_mul(10).saturating_add(digit.into());
    }
    Some(if is_negative { -size } else { size })
}

/// Returns the sign of a sum, its size divided by a power of two, and that power.
fn sum(a: f64, b: f64) -> (bool, Natural, i64) {
    let [(_, _, of_a), (_, _, of_b)] = [parts(a), parts(b)];
    let power = of_a.min(of_b);
    let [(a_is_negative, mut a), (b_is_negative, mut b)] = [a, b].map(|x| {
        let (is_negative, digits, own) = parts(x);
        let mut size = Natural::default();
        size.multiply_and_add(0, digits);
        size.shift((own - power).unsigned_abs());
        (is_negative, size)
    });
    if a_is_negative == b_is_negative {
        a.add(&b);
        return (a_is_negative, a, power);
    }
    match a.compare(&b) {
        Ordering::Less => {
            b.subtract(&a);
            (b_is_negative, b, power)
        }
        _ => {
            a.subtract(&b);
            (a_is_negative, a, power)
        }
    }
}

/// Returns the sign, the digits and the power of two of a finite number.
fn parts(x: f64) -> (bool, u64, i64) {
    const BITS: u32 = f64::MANTISSA_DIGITS - 1;
    /// The power of two of the last digit of the smallest numbers.
    const LOWEST: i64 = -1074;
    let fraction = x.to_bits() & ((1 << BITS) - 1);
    match (x.to_bits() >> BITS) & 0x7ff {
        0 => (x.is_sign_negative(), fraction, LOWEST),
        exponent => (
            x.is_sign_negative(),
            fraction | 1 << BITS,
            exponent as i64 - 1 + LOWEST,
        ),
    }
}

/// A natural number of any size, the lowest 32 bits first and without zeros at the end.
#[derive(Clone, Default)]
struct Natural(Vec<u32>);

impl Natural {
    fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    fn multiply_and_add(&mut self, factor: u32, mut carry: u64) {
        for part in &mut self.0 {
            carry += u64::from(*part) * u64::from(factor);
            *part = carry as u32;
            carry >>= 32;
        }
        while carry > 0 {
            self.0.push(carry as u32);
            carry >>= 32;
        }
        self.trim();
    }

    /// Multiplies by a power of two.
    fn shift(&mut self, bits: u64) {
        if self.is_zero() {
            return;
        }
        let (parts, bits) = ((bits / 32) as usize, (bits % 32) as u32);
        if bits > 0 {
            self.multiply_and_add(1 << bits, 0);
        }
        self.0.splice(..0, core::iter::repeat_n(0, parts));
    }

    fn add(&mut self, other: &Natural) {
        let count = self.0.len().max(other.0.len());
        self.0.resize(count, 0);
        let mut carry = 0;
        for (place, part) in self.0.iter_mut().enumerate() {
            let more = other.0.get(place).copied().unwrap_or(0);
            carry += u64::from(*part) + u64::from(more);
            *part = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    /// Subtracts a number that is not larger.
    fn subtract(&mut self, other: &Natural) {
        let mut borrowed = false;
        for (place, part) in self.0.iter_mut().enumerate() {
            let less = other.0.get(place).copied().unwrap_or(0);
            let (difference, first) = part.overflowing_sub(less);
            let (difference, second) = difference.overflowing_sub(borrowed.into());
            (*part, borrowed) = (difference, first | second);
        }
        self.trim();
    }

    fn compare(&self, other: &Natural) -> Ordering {
        let by_length = self.0.len().cmp(&other.0.len());
        by_length.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
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
