//! The corners of a face statement.

use crate::text::number::{TOO_LARGE, leading_integer};
use crate::text::quote;

const MINUS_TOO_LARGE: i64 = -TOO_LARGE;

/// One corner: `v`, `v/vt`, `v//vn` or `v/vt/vn`, each one-based or negative (relative to the last
/// definition so far). Trailing slashes are allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Corner {
    pub(super) vertex: i64,
    pub(super) texture: Option<i64>,
    pub(super) normal: Option<i64>,
}

impl Corner {
    /// Parses a corner, or returns what is wrong with it.
    pub(super) fn parse(word: &[u8]) -> Result<Corner, String> {
        match Corner::leading(word) {
            Some((Corner { vertex: 0, .. }, [])) => {
                Err("vertex index 0, but OBJ counts from 1".into())
            }
            Some((corner, [])) if matches!(corner.vertex, TOO_LARGE | MINUS_TOO_LARGE) => {
                let vertex = word.split(|&byte| byte == b'/').next();
                let vertex = quote(vertex.unwrap_or_default());
                Err(format!("vertex index {vertex} is too large"))
            }
            Some((corner, [])) => Ok(corner),
            _ => Err(format!("{} is not a corner of a face", quote(word))),
        }
    }

    /// Parses the corner at the start of a text; returns it and the rest.
    #[inline]
    pub(super) fn leading(text: &[u8]) -> Option<(Corner, &[u8])> {
        let (vertex, rest) = leading_integer(text);
        let (texture, rest) = attribute(rest);
        let (normal, rest) = attribute(rest);
        let corner = Corner {
            vertex: vertex?,
            texture,
            normal,
        };
        Some((corner, rest))
    }
}

/// Parses a slash and an index, if both are present; returns the index and the rest.
#[inline]
fn attribute(text: &[u8]) -> (Option<i64>, &[u8]) {
    match text {
        [b'/', index @ ..] => match leading_integer(index) {
            // A sign alone is not an index and stays in the rest.
            (None, _) => (None, index),
            found => found,
        },
        _ => (None, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_in_all_forms() {
        let table = [
            ("1", Some((1, None, None))),
            ("+1", Some((1, None, None))),
            ("1/", Some((1, None, None))),
            ("1//", Some((1, None, None))),
            ("1/2", Some((1, Some(2), None))),
            ("1/2/", Some((1, Some(2), None))),
            ("1//3", Some((1, None, Some(3)))),
            ("-1/-2/-3", Some((-1, Some(-2), Some(-3)))),
            ("1/0/0", Some((1, Some(0), Some(0)))),
            ("4294967296", Some((1 << 32, None, None))),
            ("1/99999999999999999999", Some((1, Some(i64::MAX), None))),
            ("18446744073709551619", None),
            ("-18446744073709551619//1", None),
            ("0", None),
            ("-0/1", None),
            ("", None),
            ("/1", None),
            ("1.0", None),
            ("1/x", None),
            ("1/2/3/", None),
            ("1\\", None),
            ("a", None),
        ];
        for (text, expected) in table {
            let corner = Corner::parse(text.as_bytes()).ok();
            let corner = corner.map(|c| (c.vertex, c.texture, c.normal));
            assert_eq!(corner, expected, "{text}");
        }
    }
}
