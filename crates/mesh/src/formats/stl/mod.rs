//! Reads STL: facets as text or as records of 50 bytes and more.

mod ascii;
mod binary;
mod keyword;

use crate::assemble::draft::Draft;
use crate::error::MeshError;
use crate::formats::HEAD;
use crate::formats::input::MeshInput;
use crate::frame::RoundedCoordinate;
use crate::text::words;

/// Returns whether a file with this head is STL. The length of a binary file must match its number
/// of records. A text begins with `solid` and continues with another keyword of STL; some binary
/// files begin with `solid` too, but their numbers contain zero bytes.
pub(crate) fn is_stl(head: &[u8], length: Option<u64>) -> bool {
    let goes_on = |word: &[u8]| {
        [&b"facet"[..], b"endsolid"]
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known))
    };
    let mut words = head.split(u8::is_ascii_whitespace);
    binary::has_length_of_records(head, length)
        || (begins_with_solid(head) && (has_zero(head) || words.any(goes_on)))
}

fn begins_with_solid(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let lines = text
        .trim_ascii_start()
        .split(|&byte| byte == b'\n' || byte == b'\r');
    let first = lines.map(|line| words(line).next()).next().flatten();
    first.is_some_and(|word| word.eq_ignore_ascii_case(b"solid"))
}

/// Returns whether there is a zero byte, which text does not contain.
fn has_zero(head: &[u8]) -> bool {
    memchr::memchr(0, head).is_some()
}

/// Returns whether a file of unknown length, or of a length that does not match, may be binary STL:
/// it has zero bytes, which text does not contain, and facets of finite numbers.
pub(crate) fn may_be_binary(head: &[u8]) -> bool {
    let is_utf16 = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    has_zero(head) && !is_utf16 && binary::begins_with_facets(head)
}

/// Reads a whole file.
pub(crate) fn read(input: &mut MeshInput<'_>, draft: &mut Draft) -> Result<(), MeshError> {
    let length = input.length();
    let head = input.peek(HEAD)?;
    let is_text = begins_with_solid(head) && !has_zero(head);
    if is_text && !binary::has_length_of_records(head, length) {
        ascii::read(input, draft)
    } else {
        binary::read(input, draft)
    }
}

/// Adds a facet, with three vertices of its own.
fn facet(
    draft: &mut Draft,
    corners: impl Iterator<Item = [RoundedCoordinate; 3]>,
) -> Result<(), MeshError> {
    draft.begin_face(None);
    for corner in corners {
        draft.corner(draft.vertex_count() as i64);
        draft.vertex(corner, None)?;
    }
    draft.end_face()
}
