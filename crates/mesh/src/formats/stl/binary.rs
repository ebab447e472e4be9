//! Reads STL as records: 80 unused bytes, the number of facets, and 50 bytes for each.

use super::facet;
use crate::assemble::draft::Draft;
use crate::error::MeshError;
use crate::formats::input::Input;

const HEADER: usize = 84;
/// A normal, three corners, and two unused bytes.
const RECORD: usize = 50;

/// Returns whether the length of a file with this head matches its number of facets.
pub(super) fn has_length_of_records(head: &[u8], length: Option<u64>) -> bool {
    let Some(count) = head.get(..HEADER).map(count) else {
        return false;
    };
    length == Some(HEADER as u64 + RECORD as u64 * count)
}

/// Returns whether there is a facet, and all numbers of those within the head are finite.
pub(super) fn begins_with_facets(head: &[u8]) -> bool {
    let Some((header, records)) = head.split_at_checked(HEADER) else {
        return false;
    };
    let count = usize::try_from(count(header)).unwrap_or(usize::MAX);
    let mut facets = records.chunks_exact(RECORD).take(count).peekable();
    let is_finite = |number: &[u8; 4]| f32::from_le_bytes(*number).is_finite();
    facets.peek().is_some() && facets.all(|facet| facet.as_chunks().0.iter().all(is_finite))
}

/// Returns the number of facets in a header of 84 bytes.
fn count(header: &[u8]) -> u64 {
    match header.last_chunk() {
        Some(&bytes) => u32::from_le_bytes(bytes).into(),
        None => 0,
    }
}

pub(super) fn read(input: &mut Input<'_>, draft: &mut Draft) -> Result<(), MeshError> {
    if !input.take(HEADER)? {
        let at = input.whole();
        return Err(match input.peek(1)?.is_empty() {
            true => input.malformed(at, "the file is empty"),
            false => input.malformed(
                at,
                "neither text that begins with \"solid\" nor a binary header of 84 bytes",
            ),
        });
    }
    let count = count(input.last());
    let possible = input.possible(count, RECORD as u64);
    draft.reserve(3 * possible, possible)?;
    for facet_number in 0..count {
        if !input.take(RECORD)? {
            let problem = format!("the file ends within facet {facet_number} of {count}");
            return Err(input.malformed(input.at_byte(), problem));
        }
        let (numbers, _) = input.last().as_chunks::<4>();
        let mut numbers = numbers.iter().map(|&bytes| f32::from_le_bytes(bytes));
        // The normal is redundant: the corners define it.
        let _ = numbers.nth(2);
        let frame = draft.frame;
        let corner = |_| {
            let mut number = |axis| frame.number(axis, numbers.next().unwrap_or(f32::NAN).into());
            [number(0), number(1), number(2)]
        };
        facet(draft, (0..3).map(corner))?;
    }
    let end = input.offset();
    if !input.peek(1)?.is_empty() {
        input.skip(u64::MAX)?;
        draft.ignore("bytes after the last facet", input.offset() - end);
    }
    Ok(())
}
