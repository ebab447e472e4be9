//! Words and numbers of text formats.

pub(crate) mod number;

use std::borrow::Cow;

/// Returns whether a byte separates words.
pub(crate) fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c | b'\r')
}

/// Returns the words of a line.
pub(crate) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    line.split(is_blank).filter(|word| !word.is_empty())
}

/// Parses an index or a count: an integer, or another number without a fraction. Saturates at the
/// bounds of `i64`.
pub(crate) fn parse_index(word: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(word).ok()?;
    text.parse().ok().or_else(|| {
        let value: f64 = text.parse().ok()?;
        (value.fract() == 0.0).then_some(value as i64)
    })
}

/// Decodes a name: UTF-8, else Latin-1, without surrounding blanks.
pub(crate) fn name(bytes: &[u8]) -> String {
    let bytes = bytes.trim_ascii();
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// Quotes at most the first forty characters, on one line, for a message.
pub(crate) fn quote(text: &[u8]) -> String {
    const SHOWN: usize = 40;
    let head = &text[..text.len().min(4 * SHOWN)];
    let shown: String = String::from_utf8_lossy(head)
        .chars()
        .take(SHOWN)
        .flat_map(char::escape_debug)
        .collect();
    let dots = if text.len() > SHOWN { "..." } else { "" };
    format!("\"{shown}{dots}\"")
}

/// Formats a number with its noun, as in "1 face", "2 faces" and "3 vertices".
pub fn counted(n: u64, noun: &str) -> String {
    match (n, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "index") => format!("{n} indices"),
        (_, "vertex") => format!("{n} vertices"),
        _ => format!("{n} {noun}s"),
    }
}

/// Formats a number so that parsing the text returns it, in scientific notation where that is
/// shorter.
pub(crate) fn number(x: f64) -> String {
    match x == 0.0 || (1e-4..1e7).contains(&x.abs()) {
        true => x.to_string(),
        false => format!("{x:e}"),
    }
}

/// Formats a number with the digits that an `f32` needs.
pub(crate) fn short_number(x: f64) -> String {
    let short = (x as f32).to_string().parse();
    number(short.ok().filter(|x: &f64| x.is_finite()).unwrap_or(x))
}

/// Returns a name with control characters replaced, so that it cannot break a line or control a
/// terminal.
pub fn shown(name: &str) -> Cow<'_, str> {
    match name.contains(char::is_control) {
        false => name.into(),
        true => name.replace(char::is_control, " ").into(),
    }
}

/// Returns the text without the numbers of system errors, as in "No such file or directory (os
/// error 2)".
pub fn without_error_numbers(text: &str) -> String {
    const START: &str = " (os error ";
    let mut parts = text.split(START);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                plain.push_str(rest);
            }
            _ => {
                plain.push_str(START);
                plain.push_str(part);
            }
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_system_have_no_numbers() {
        let plain = without_error_numbers("a: No such file (os error 2); b (os error 13)");
        assert_eq!(plain, "a: No such file; b");
        for text in ["", "x (os error", "x (os error y)"] {
            assert_eq!(without_error_numbers(text), text);
        }
    }

    #[test]
    fn indices_do_not_wrap() {
        for (word, index) in [
            ("7", Some(7)),
            ("-1", Some(-1)),
            ("+3", Some(3)),
            ("2.0", Some(2)),
            ("1e2", Some(100)),
            ("0.5", None),
            ("nan", None),
            ("inf", None),
            ("", None),
            ("1,5", None),
            ("0x10", None),
            ("18446744073709551617", Some(i64::MAX)),
            ("-1e300", Some(i64::MIN)),
        ] {
            assert_eq!(parse_index(word.as_bytes()), index, "{word}");
        }
        assert_eq!(words(b" a\t b \r").count(), 2);
        assert_eq!(name(b" caf\xe9 "), "caf\u{e9}");
        assert_eq!(shown("a\nb"), "a b");
        let all = [0.0, 0.5, 2.7e-16, 1e300, -1e-9].map(number);
        assert_eq!(all, ["0", "0.5", "2.7e-16", "1e300", "-1e-9"]);
        let all = [f64::from(2.7e-16f32), 1e300].map(short_number);
        assert_eq!(all, ["2.7e-16", "1e300"]);
    }

    #[test]
    fn quotes_are_short_and_on_one_line() {
        assert_eq!(quote(b"1,5"), "\"1,5\"");
        assert_eq!(quote(b"a\x00\x1b"), "\"a\\0\\u{1b}\"");
        assert!(quote(&[b'x'; 1000]).len() < 50);
    }
}
