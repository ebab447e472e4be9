//! Fast parsing of simple statements, which make up nearly all lines of large files.
//!
//! These functions parse in one pass what [`split`](super::statement::split),
//! [`Words`](super::statement_words::Words) and the parsers of the statements parse step by step.
//! The latter take over when a line contains anything else: a comment, a continuation, a number
//! that needs more care, an error.

use super::face_corners::Corner;
use super::statement_words::is_blank;
use crate::text::number::leading_decimal;

/// A value parsed from the first line of a text.
#[derive(Debug, PartialEq)]
pub(super) struct Plain<T> {
    pub(super) value: T,
    /// The length of the line in bytes, including its end.
    pub(super) length: usize,
}

/// Parses a line of a keyword of `keyword` bytes and `N` decimals, each as [`leading_decimal`] does.
#[inline]
pub(super) fn decimals<const N: usize>(text: &[u8], keyword: usize) -> Option<Plain<[f64; N]>> {
    let mut rest = text.get(keyword..)?;
    let mut value = [0.0; N];
    for number in &mut value {
        (*number, rest) = leading_decimal(behind_blanks(rest)?)?;
    }
    Some(Plain {
        value,
        length: text.len() - behind_line(rest)?.len(),
    })
}

/// Parses a line of a keyword of `keyword` bytes and two decimals, or three of which the last is
/// ignored.
#[inline]
pub(super) fn two_or_three_decimals(text: &[u8], keyword: usize) -> Option<Plain<[f64; 2]>> {
    decimals(text, keyword).or_else(|| {
        let Plain { value, length } = decimals(text, keyword)?;
        let [u, v, _] = value;
        Some(Plain {
            value: [u, v],
            length,
        })
    })
}

/// Parses a line of a keyword of one byte and at least three corners; returns their number. `each`
/// is called for each corner as it is parsed, even if the line then turns out not to be a simple
/// face.
#[inline]
pub(super) fn face(text: &[u8], mut each: impl FnMut(Corner)) -> Option<Plain<usize>> {
    let mut rest = text.get(1..)?;
    let mut count = 0;
    loop {
        if count >= 3
            && let Some(after) = behind_line(rest)
        {
            return Some(Plain {
                value: count,
                length: text.len() - after.len(),
            });
        }
        let (corner, after) = corner(behind_blanks(rest)?)?;
        each(corner);
        rest = after;
        count += 1;
    }
}

/// Parses the corner at the start of a text if its vertex index is plausible; returns it and the
/// rest.
#[inline]
fn corner(text: &[u8]) -> Option<(Corner, &[u8])> {
    /// More vertices than any mesh has.
    const MANY: i64 = 1 << 32;
    let (corner, rest) = Corner::leading(text)?;
    (corner.vertex != 0 && corner.vertex.abs() < MANY).then_some((corner, rest))
}

/// Returns the text after at least one blank.
#[inline]
fn behind_blanks(text: &[u8]) -> Option<&[u8]> {
    let [blank, rest @ ..] = text else {
        return None;
    };
    let mut rest = is_blank(*blank).then_some(rest)?;
    while let [blank, later @ ..] = rest
        && is_blank(*blank)
    {
        rest = later;
    }
    Some(rest)
}

/// Returns the text after the line if only blanks are left of it.
#[inline]
fn behind_line(text: &[u8]) -> Option<&[u8]> {
    match text {
        [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] | [b'\r', rest @ ..] => Some(rest),
        [] => Some(text),
        _ => behind_line(behind_blanks(text)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_numbers_and_how_long_their_lines_are() {
        for (text, expected) in [
            ("v 1 2 3\nv 4", Some(([1.0, 2.0, 3.0], 8))),
            ("v\t-1. \x0b.5  1e2 \r\nf", Some(([-1.0, 0.5, 100.0], 17))),
            ("v 1 2 3\rf", Some(([1.0, 2.0, 3.0], 8))),
            ("v 1 2 3", Some(([1.0, 2.0, 3.0], 7))),
            ("v 1 2\n3", None),
            ("v 1 2 3 4\n", None),
            ("v 1 2 3#\n", None),
            ("v 1 2 3 \\\n", None),
            ("v 1 2 3x\n", None),
            ("v 1 2 nan\n", None),
            ("v 1 2 +3\n", None),
            ("v 1 2 0.1234567890123456789\n", None),
            ("v1 2 3\n", None),
            ("v", None),
        ] {
            let plain = decimals(text.as_bytes(), 1).map(|plain| (plain.value, plain.length));
            assert_eq!(plain, expected, "{text:?}");
        }
    }

    #[test]
    fn plain_faces_and_how_long_their_lines_are() {
        let corners = |text: &str| {
            let mut corners = Vec::new();
            let each = |c: Corner| {
                corners.push([c.vertex, c.texture.unwrap_or(0), c.normal.unwrap_or(0)]);
            };
            let plain = face(text.as_bytes(), each)?;
            assert_eq!(plain.value, corners.len());
            Some((corners, plain.length))
        };
        for (text, expected, length) in [
            ("f 1 2 3\nf 4", vec![[1, 0, 0], [2, 0, 0], [3, 0, 0]], 8),
            (
                "f -1/2 3//4 5/6/-7 8/\r\n",
                vec![[-1, 2, 0], [3, 0, 4], [5, 6, -7], [8, 0, 0]],
                23,
            ),
            ("f 1 1 1 1 1\n", vec![[1, 0, 0]; 5], 12),
            ("f 1 2  3 ", vec![[1, 0, 0], [2, 0, 0], [3, 0, 0]], 9),
        ] {
            assert_eq!(corners(text), Some((expected, length)), "{text:?}");
        }
        for text in [
            "f",
            "f 1 2\n",
            "f 1 2 3 4 5 x\n",
            "f 1 2 0\n",
            "f 1 2 3/-\n",
            "f 1 2 3/1/2/\n",
            "f 1 2 3.0\n",
            "f 1 2 4294967296\n",
            "f 1 2 3 #\n",
            "f 1 2 3\\\n4",
            "fo 1 2 3\n",
        ] {
            assert_eq!(corners(text), None, "{text:?}");
        }
    }
}
