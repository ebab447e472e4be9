//! Numbers as text: some read back as the same number, others are rounded for people.

pub(crate) use estoc_picture::parts::short_number as short;

pub(crate) use estoc_rays_io::{Number, Number64};

use serde_json::Value;
use std::str::FromStr;

/// Numbers as JSON.
pub(crate) trait NumberJson {
    /// Returns the same digits as JSON; `null` for infinity and NaN, which JSON lacks.
    fn json(self) -> Value;
}

impl NumberJson for Number {
    fn json(self) -> Value {
        self.to_string()
            .parse::<f64>()
            .map_or(Value::Null, Value::from)
    }
}

/// Returns what parses the value of an option: a number for which `is_right`, as `wanted` tells.
pub(crate) fn number_where<N: FromStr + Copy + 'static>(
    is_right: fn(N) -> bool,
    wanted: &'static str,
) -> impl Fn(&str) -> Result<N, &'static str> + Clone {
    move |text| {
        let number = text.trim().parse().ok();
        number.filter(|&number| is_right(number)).ok_or(wanted)
    }
}

/// Formats a whole number with its digits in groups of three.
pub(crate) fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a count with its noun, as in "1 ray" and "2,000 rays".
pub(crate) fn counted(n: usize, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(n))
}

/// Rounds seconds to a millionth, for JSON: clocks are not more precise.
pub(crate) fn seconds(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// Formats a number of bytes with a unit, for people.
pub(crate) fn bytes(n: usize) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if n < 1 << 10 {
        return format!("{n} B");
    }
    let (mut size, mut unit) = (n as f64 / 1024.0, 0);
    // A value that would round to 1024.0 becomes 1.0 of the next unit.
    while size >= 1023.95 && unit + 1 < UNITS.len() {
        (size, unit) = (size / 1024.0, unit + 1);
    }
    format!("{size:.1} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_json_have_the_same_digits() {
        assert_eq!(Number(0.1).json().to_string(), "0.1");
        assert_eq!(Number(f32::INFINITY).json(), Value::Null);
    }

    #[test]
    fn digits_come_in_threes() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn one_thing_has_no_plural() {
        let told = [0, 1, 2000].map(|n| counted(n, "ray"));
        assert_eq!(told, ["0 rays", "1 ray", "2,000 rays"]);
    }

    #[test]
    fn seconds_have_no_tail_of_digits() {
        assert_eq!(seconds(2.303_626_528_999_999_8).to_string(), "2.303627");
    }

    #[test]
    fn bytes_come_in_units() {
        let told = [0, 1023, 1024, (1 << 20) - 1, 3 << 20, 5 << 40].map(bytes);
        let expected = ["0 B", "1023 B", "1.0 KiB", "1.0 MiB", "3.0 MiB", "5.0 TiB"];
        assert_eq!(told, expected);
    }
}
