//! Parses numbers.

/// Parses a decimal and returns the nearest `f32`, ties to even, rounded once; infinite if too
/// large. Accepts the forms that C libraries print for infinities and NaN. Returns `None` for
/// anything else.
pub(crate) fn parse_f32(word: &[u8]) -> Option<f32> {
    if let Some((value, [])) = leading_decimal(word) {
        return Some(value as f32);
    }
    let text = std::str::from_utf8(word).ok()?;
    match text.parse() {
        Ok(value) => Some(value),
        Err(_) => is_named_non_finite(text).then_some(f32::NAN),
    }
}

/// Parses the decimal at the start of a text and returns it, rounded to `f64`, and the rest, if it is
/// of the form that nearly all numbers in files have: at most 2^53 without its point, times a power of
/// ten with an exponent of at most 22 in magnitude. Returns `None` for anything that needs more care.
///
/// The digits and the power of ten are exact in `f64`, so the product or quotient is rounded once
/// (Clinger 1990, "How to read floating point numbers accurately"). Rounding it again to `f32`
/// gives the same as rounding the decimal itself, unless the `f64` is the midpoint of two `f32`s,
/// which is not returned: midpoints are `f64`s, and rounding is monotonic, so it never moves a number
/// past one.
#[inline]
pub(crate) fn leading_decimal(text: &[u8]) -> Option<(f64, &[u8])> {
    const FARTHEST: usize = 22;
    const POWERS: [f64; FARTHEST + 1] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ];
    let (negative, text) = match text {
        [b'-', text @ ..] => (true, text),
        text => (false, text),
    };
    let (mut count, mut digits, mut rest) = digits_before(text);
    let mut behind = 0;
    if let [b'.', fraction @ ..] = rest {
        rest = fraction;
        // A second pass, if the first eight digits were not all.
        for _ in 0..2 {
            let (more, value, after) = digits_before(rest);
            digits = digits.wrapping_mul(TENS[more]).wrapping_add(value);
            behind += more;
            rest = after;
            if more < WORD {
                break;
            }
        }
        count += behind;
    }
    // A number with more digits may not fit into 64 bits, and its digits were not all read.
    if count == 0 || count > 18 || digits > 1 << 53 {
        return None;
    }
    let mut places = -(behind as i32);
    if let [b'e' | b'E', exponent @ ..] = rest {
        let (negative, exponent) = match exponent {
            [b'-', digits @ ..] => (true, digits),
            [b'+', digits @ ..] => (false, digits),
            digits => (false, digits),
        };
        let (count, value, after) = digits_before(exponent);
        if count == 0 || count == WORD {
            return None;
        }
        // Less than 10^8.
        places += if negative {
            -(value as i32)
        } else {
            value as i32
        };
        rest = after;
    }
    if let [b'0'..=b'9', ..] = rest {
        return None;
    }
    let power = *POWERS.get(places.unsigned_abs() as usize)?;
    let digits = digits as f64;
    let value = match places < 0 {
        true => digits / power,
        false => digits * power,
    };
    // The 29 bits that an f32 lacks: between 10^-22 and 2^53 * 10^22, the range of all these
    // values, f32s have 24 bits.
    let is_middle = value.to_bits() & ((1 << 29) - 1) == 1 << 28;
    let value = if negative { -value } else { value };
    (!is_middle).then_some((value, rest))
}

/// The number of digits parsed at once.
const WORD: usize = 8;

/// The powers of ten by which a value is shifted for up to eight further digits.
const TENS: [u64; WORD + 1] = [
    1,
    10,
    100,
    1000,
    10_000,
    100_000,
    1_000_000,
    10_000_000,
    100_000_000,
];

/// Parses up to eight digits at the start of a text; returns their number, their value, and the
/// rest.
///
/// All digits at once and without branches, since the lengths of numbers are unpredictable (Lemire
/// 2021, "Number parsing at a gigabyte per second").
#[inline]
fn digits_before(text: &[u8]) -> (usize, u64, &[u8]) {
    const ONES: u64 = u64::MAX / 0xff;
    let bytes = match text.first_chunk::<WORD>() {
        Some(bytes) => *bytes,
        None => {
            let mut bytes = [0; WORD];
            bytes[..text.len()].copy_from_slice(text);
            bytes
        }
    };
    // The first byte is the lowest; digits become 0 to 9, everything else more.
    let word = u64::from_le_bytes(bytes) ^ (ONES * u64::from(b'0'));
    // The upper bit of each byte beyond 9. A carry only affects bytes after such a byte.
    let others = (word.wrapping_add(ONES * (0x80 - 10)) | word) & (ONES * 0x80);
    let count = others.trailing_zeros() as usize / 8;
    // Shifts zeros in before the digits, and the bytes after the digits out.
    let word = word.unbounded_shl(64 - 8 * count as u32);
    let pairs = word.wrapping_mul(10).wrapping_add(word >> 8);
    const FIRST_OF_FOUR: u64 = 0x0000_00ff_0000_00ff;
    let outer = (pairs & FIRST_OF_FOUR).wrapping_mul(100 + (1_000_000 << 32));
    let inner = ((pairs >> 16) & FIRST_OF_FOUR).wrapping_mul(1 + (10_000 << 32));
    let value = outer.wrapping_add(inner) >> 32;
    (count, value, &text[count..])
}

/// Returns whether this is a form that [`str::parse`] does not accept: `1.#INF` and the like,
/// `nan(ind)`.
pub(crate) fn is_named_non_finite(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text).as_bytes();
    let nan_with_payload = text
        .get(..4)
        .is_some_and(|start| start.eq_ignore_ascii_case(b"nan("))
        && text.ends_with(b")");
    nan_with_payload || text.strip_prefix(b"1.").is_some_and(is_printed_non_finite)
}

/// Parses the decimal integer with an optional sign at the start of a text; returns it and the
/// rest. Saturates at [`TOO_LARGE`].
#[inline]
pub(crate) fn leading_integer(text: &[u8]) -> (Option<i64>, &[u8]) {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let (count, value, mut rest) = digits_before(digits);
    if count == 0 {
        return (None, rest);
    }
    let mut size = value as i64;
    while let [byte @ b'0'..=b'9', later @ ..] = rest {
        size = size.saturating_mul(10).saturating_add((byte - b'0').into());
        rest = later;
    }
    (Some(if negative { -size } else { size }), rest)
}

/// The largest integer.
pub(crate) const TOO_LARGE: i64 = i64::MAX;

/// Returns whether a text starts with one of the printed forms that begin with `#`, such as `#INF`.
pub(crate) fn is_printed_non_finite(text: &[u8]) -> bool {
    ["#INF", "#IND", "#QNAN", "#SNAN"].iter().any(|form| {
        text.get(..form.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(form.as_bytes()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_rounded_once() {
        // The midpoint of two f32s, then an increment that a detour through f64 would lose.
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
            ("12345678", 12_345_678.0),
            ("123456789", 123_456_789.0),
            ("0.123456789012345678901", 0.123_456_79),
            ("9007199254740992e22", 9.007_199e37),
            ("1e-22", 1e-22),
            ("1e+023", 1e23),
            ("1e00000001", 10.0),
            ("1e-99999999", 0.0),
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

    /// Numbers of every length, and those around the midpoint of two `f32`s.
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
        for round in 0..400_000 {
            let sign = ["", "-"][random(2) as usize];
            let digits = random(18) as usize;
            let text = match round % 4 {
                0 => format!("{sign}{:.digits$}", random(1 << 20) as f64 / 4096.0),
                1 => {
                    let x = f32::from_bits(0x3300_0000 + random(0x1800_0000) as u32);
                    let middle = (f64::from(x) + f64::from(x.next_up())) / 2.0;
                    format!("{sign}{middle:.digits$}")
                }
                2 => format!(
                    "{sign}{:.digits$}e{}",
                    random(1 << 20) as f64 / 4096.0,
                    random(60) as i64 - 30
                ),
                _ => format!(
                    "{sign}{}.{}",
                    random(1000),
                    random(10u64.pow(digits as u32))
                ),
            };
            let expected: f32 = text.parse().unwrap();
            let read = parse_f32(text.as_bytes()).unwrap();
            assert_eq!(read.to_bits(), expected.to_bits(), "{text}");
            short += u32::from(
                leading_decimal(text.as_bytes()).is_some_and(|(_, rest)| rest.is_empty()),
            );
        }
        assert!(short > 200_000, "only {short} took the short way");
    }

    /// Any byte after any number of digits is not taken for a digit and does not affect one.
    #[test]
    fn digits_end_at_any_other_byte() {
        for count in 0..=9 {
            for other in 0..=u8::MAX {
                let mut text = b"918273645"[..count].to_vec();
                text.push(other);
                text.extend_from_slice(b"\xff7654321");
                let all = count + usize::from(other.is_ascii_digit());
                let expected = text[..all.min(WORD)].iter();
                let value = expected.fold(0, |value, byte| 10 * value + u64::from(byte - b'0'));
                let found = digits_before(&text);
                assert_eq!(found, (all.min(WORD), value, &text[all.min(WORD)..]));
                let short = &text[..count];
                assert_eq!(digits_before(short).0, count.min(WORD));
            }
        }
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
