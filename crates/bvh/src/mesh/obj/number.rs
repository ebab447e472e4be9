//! Numbers as text.

use super::words::is_printed_non_finite;

/// The `f32` nearest to a decimal, ties to even, rounded once; infinite when too large. What
/// C libraries print for infinities and NaN is one. `None` for anything else.
pub(in crate::mesh) fn parse_f32(word: &[u8]) -> Option<f32> {
    if let Some(value) = parse_short(word) {
        return Some(value);
    }
    let text = std::str::from_utf8(word).ok()?;
    match text.parse() {
        Ok(value) => Some(value),
        Err(_) => is_named_non_finite(text).then_some(f32::NAN),
    }
}

/// A decimal of at most 15 digits without an exponent, which most numbers of a file are;
/// `None` for anything that takes more care.
///
/// The digits and the power of ten are exact in `f64`, so the quotient is rounded once
/// (Clinger 1990, "How to read floating point numbers accurately"). Rounding it again to
/// `f32` gives what rounding the decimal gives, unless it fell on the middle between two
/// `f32`s: middles are `f64`s, and rounding never takes a number past one.
fn parse_short(word: &[u8]) -> Option<f32> {
    const MOST: usize = 15;
    const POWERS: [f64; MOST + 1] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ];
    let (negative, text) = match word {
        [b'-', text @ ..] => (true, text),
        text => (false, text),
    };
    // One more for the point.
    if text.len() > MOST + 1 {
        return None;
    }
    let (mut digits, mut point) = (0u64, None);
    for (place, &byte) in text.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit <= 9 {
            digits = 10 * digits + u64::from(digit);
        } else if byte == b'.' && point.is_none() {
            point = Some(place);
        } else {
            return None;
        }
    }
    let behind = point.map_or(0, |place| text.len() - place - 1);
    let count = text.len() - usize::from(point.is_some());
    if count == 0 || count > MOST {
        return None;
    }
    let value = digits as f64 / POWERS[behind];
    // What an f32 does not have are the last 29 bits.
    let is_middle = value.to_bits() & ((1 << 29) - 1) == 1 << 28;
    let value = if negative { -value } else { value };
    (!is_middle).then_some(value as f32)
}

/// The forms that [`str::parse`] does not know: `1.#INF` and its like, `nan(ind)`.
fn is_named_non_finite(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text).as_bytes();
    let nan_with_payload = text
        .get(..4)
        .is_some_and(|start| start.eq_ignore_ascii_case(b"nan("))
        && text.ends_with(b")");
    nan_with_payload || text.strip_prefix(b"1.").is_some_and(is_printed_non_finite)
}

/// The decimal integer with an optional sign that a text begins with, and what follows it;
/// beyond [`TOO_LARGE`] cut to it.
pub(super) fn leading_integer(text: &[u8]) -> (Option<i64>, &[u8]) {
    let (negative, mut rest) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let digits = rest.len();
    let mut size = 0i64;
    while let [byte @ b'0'..=b'9', later @ ..] = rest {
        size = size.saturating_mul(10).saturating_add((byte - b'0').into());
        rest = later;
    }
    if rest.len() == digits {
        return (None, rest);
    }
    (Some(if negative { -size } else { size }), rest)
}

/// Where integers end.
pub(super) const TOO_LARGE: i64 = i64::MAX;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_rounded_once() {
        // Halfway between two f32s, then a nudge that a detour through f64 would lose.
        let halfway = "1.000000059604644775390625";
        assert_eq!(parse_f32(halfway.as_bytes()), Some(1.0));
        let above = format!("{halfway}0000000000000000000000000000001");
        assert_eq!(parse_f32(above.as_bytes()), Some(1.0f32.next_up()));
        assert_eq!(above.parse::<f64>().unwrap() as f32, 1.0);
        let table = [
            ("+1", 1.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("-0", -0.0),
            ("1E+03", 1000.0),
            ("00001", 1.0),
            (".8e-001", 0.08),
            ("1e-46", 0.0),
            ("7.1e-46", f32::from_bits(1)),
            ("3.4028235e38", f32::MAX),
            ("16777217", 16_777_216.0),
            ("1e39", f32::INFINITY),
            ("-1e400", f32::NEG_INFINITY),
            ("inf", f32::INFINITY),
            ("-Infinity", f32::NEG_INFINITY),
        ];
        for (text, value) in table {
            let read = parse_f32(text.as_bytes()).unwrap();
            assert_eq!(read.to_bits(), f32::to_bits(value), "{text}");
        }
        for text in [
            "nan",
            "-NaN",
            "1.#INF",
            "-1.#IND",
            "1.#QNAN",
            "-nan(ind)",
            "nan(0x1)",
        ] {
            assert!(!parse_f32(text.as_bytes()).unwrap().is_finite(), "{text}");
        }
        for text in [
            "", ".", "e5", "1e", "+", "0x10", "1,5", "1d3", "1_0", "1.0f", "--1", "1.2.3", "abc",
            "1.#", "2.#INF", "nan(", "\u{ff11}",
        ] {
            assert_eq!(parse_f32(text.as_bytes()), None, "{text}");
        }
        assert_eq!(parse_f32(b"1\xe9"), None);
    }

    /// Numbers of every length, and those around the middle between two `f32`s.
    #[test]
    fn short_decimals_are_those_of_the_standard_library() {
        let mut state = 1u64;
        let mut random = move |n: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 20) % n
        };
        let mut short = 0;
        for round in 0..200_000 {
            let sign = ["", "-"][random(2) as usize];
            let digits = random(18) as usize;
            let text = match round % 3 {
                0 => format!("{sign}{:.digits$}", random(1 << 20) as f64 / 4096.0),
                1 => {
                    let x = f32::from_bits(0x3300_0000 + random(0x1800_0000) as u32);
                    let middle = (f64::from(x) + f64::from(x.next_up())) / 2.0;
                    format!("{sign}{middle:.digits$}")
                }
                _ => format!(
                    "{sign}{}.{}",
                    random(1000),
                    random(10u64.pow(digits as u32))
                ),
            };
            let expected: f32 = text.parse().unwrap();
            let read = parse_f32(text.as_bytes()).unwrap();
            assert_eq!(read.to_bits(), expected.to_bits(), "{text}");
            short += u32::from(parse_short(text.as_bytes()).is_some());
        }
        assert!(short > 100_000, "only {short} took the short way");
    }

    #[test]
    fn integers_do_not_wrap() {
        let table: [(&str, Option<i64>, &str); 14] = [
            ("1", Some(1), ""),
            ("+007", Some(7), ""),
            ("-3", Some(-3), ""),
            ("-0", Some(0), ""),
            ("9223372036854775806", Some(i64::MAX - 1), ""),
            ("18446744073709551619", Some(TOO_LARGE), ""),
            ("-99999999999999999999999999999999", Some(-TOO_LARGE), ""),
            ("99999999999999999999999999999999", Some(TOO_LARGE), ""),
            ("", None, ""),
            ("-", None, ""),
            ("1.0", Some(1), ".0"),
            ("0x1", Some(0), "x1"),
            ("-12/3", Some(-12), "/3"),
            ("/3", None, "/3"),
        ];
        for (text, value, rest) in table {
            let found = leading_integer(text.as_bytes());
            assert_eq!(found, (value, rest.as_bytes()), "{text}");
        }
    }
}
