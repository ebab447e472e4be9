//! Reading STL: facets as text or as records of 50 bytes.

mod ascii;
mod binary;

use super::draft::Draft;
use super::error::MeshError;
use super::input::Input;
use super::text::words;
use estoc_core::glam::Vec3;

/// How much is looked at to tell text from records.
const HEAD: usize = 4096;

/// Whether a file that begins like this is STL. Text has `solid` at its beginning and a word
/// of STL behind it; records are as long as their number says.
pub(super) fn is_stl(head: &[u8], length: Option<u64>) -> bool {
    let goes_on = |word: &[u8]| {
        [&b"facet"[..], b"endsolid"]
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known))
    };
    binary::has_length_of_records(head, length)
        || (is_text(head) && head.split(u8::is_ascii_whitespace).any(goes_on))
}

/// Whether it begins with `solid`, and has no byte that text does not have: some writers of
/// records begin with `solid` too, but numbers have zeros.
fn is_text(head: &[u8]) -> bool {
    let first = |line: &[u8]| {
        words(line)
            .next()
            .is_some_and(|word| word.eq_ignore_ascii_case(b"solid"))
    };
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let line = text.trim_ascii_start().split(|&byte| byte == b'\n' || byte == b'\r').next();
    line.is_some_and(first) && !head.contains(&0)
}

/// Reads a whole file.
pub(super) fn read(input: &mut Input<'_>, draft: &mut Draft) -> Result<(), MeshError> {
    let length = input.length();
    let head = input.peek(HEAD)?;
    if is_text(head) && !binary::has_length_of_records(head, length) {
        ascii::read(input, draft)
    } else {
        binary::read(input, draft)
    }
}

/// Adds a facet: its corners are vertices of its own.
fn facet(draft: &mut Draft, corners: impl Iterator<Item = Vec3>) -> Result<(), MeshError> {
    draft.begin_face(None);
    for corner in corners {
        draft.corner(draft.vertex_count() as i64);
        draft.vertex(corner, None)?;
    }
    draft.end_face()
}
