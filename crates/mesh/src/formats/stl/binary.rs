//! Reads STL as records: 80 unused bytes, the number of facets, and 50 bytes for each, which may be
//! followed by as many bytes as their attribute count says.

use super::facet;
use crate::assemble::draft::Draft;
use crate::error::MeshError;
use crate::formats::input::MeshInput;
use crate::text::counted;

const HEADER: usize = 84;
/// A normal, three corners, and the attribute count.
const RECORD: usize = 50;

/// The longest tail that is not read, in bytes, if the facets are not even longer. Real ones are
/// padding or a comment; anything longer means that the file is not STL, or its number of facets wrong.
const LONGEST_TAIL: u64 = 4096;

/// Returns whether the length of a file with this head matches its number of facets.
pub(super) fn has_length_of_records(head: &[u8], length: Option<u64>) -> bool {
    let Some(count) = head.get(..HEADER).map(count) else {
        return false;
    };
    length == Some(length_of(count))
}

/// Returns the length of a file of facets without further bytes.
fn length_of(count: u64) -> u64 {
    HEADER as u64 + RECORD as u64 * count
}

/// Returns whether there is a facet, and all numbers of those within the head are finite: of facets
/// one after the other, or each followed by as many bytes as its attribute count.
pub(super) fn begins_with_facets(head: &[u8]) -> bool {
    let Some((header, records)) = head.split_at_checked(HEADER) else {
        return false;
    };
    let count = usize::try_from(count(header)).unwrap_or(usize::MAX);
    let is_finite = |number: &[u8; 4]| f32::from_le_bytes(*number).is_finite();
    let all_finite = |has_payload: bool| {
        let mut rest = records;
        let facets = core::iter::from_fn(|| {
            let (facet, after) = rest.split_at_checked(RECORD)?;
            let bytes = if has_payload { attribute(facet) } else { 0 };
            rest = after.get(bytes.into()..).unwrap_or_default();
            Some(facet)
        });
        let mut facets = facets.take(count).peekable();
        facets.peek().is_some() && facets.all(|facet| facet.as_chunks().0.iter().all(is_finite))
    };
    all_finite(false) || all_finite(true)
}

/// Returns the attribute count, the last two bytes of a facet.
fn attribute(facet: &[u8]) -> u16 {
    facet.last_chunk().copied().map_or(0, u16::from_le_bytes)
}

/// Returns whether the attribute counts say how many bytes follow each facet: if these are the facets
/// and bytes up to the end of the file, but facets without them are not. `first` is the count of the
/// facet just read, the first one that is not 0, and `left` the number of facets after it.
fn has_payload(input: &mut MeshInput<'_>, first: u16, left: u64) -> Result<bool, MeshError> {
    // The end must be known, which that of a stream is not before, unless it is too far.
    let most = (left + 1).saturating_mul(RECORD as u64 + u64::from(u16::MAX));
    let rest = input.peek(usize::try_from(most).unwrap_or(usize::MAX))?;
    if rest.len() as u64 == left * RECORD as u64 {
        return Ok(false);
    }
    let mut at = usize::from(first);
    for _ in 0..left {
        match rest.get(at..at + RECORD) {
            Some(facet) => at += RECORD + usize::from(attribute(facet)),
            None => return Ok(false),
        }
    }
    Ok(at == rest.len())
}

/// Returns the number of facets in a header of 84 bytes.
fn count(header: &[u8]) -> u64 {
    match header.last_chunk() {
        Some(&bytes) => u32::from_le_bytes(bytes).into(),
        None => 0,
    }
}

pub(super) fn read(input: &mut MeshInput<'_>, draft: &mut Draft) -> Result<(), MeshError> {
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
    // Known from the beginning, or from the first attribute count that is not 0.
    let mut payload = (input.length() == Some(length_of(count))).then_some(false);
    for facet_number in 0..count {
        if !input.take(RECORD)? {
            let problem = format!("the file ends within facet {facet_number} of {count}");
            return Err(input.malformed(input.at_byte(), problem));
        }
        let attribute = attribute(input.last());
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
        if attribute > 0 {
            let is_payload = match payload {
                Some(known) => known,
                None => has_payload(input, attribute, count - facet_number - 1)?,
            };
            payload = Some(is_payload);
            if is_payload {
                input.skip(attribute.into())?;
            }
        }
    }
    let end = input.at_byte();
    let start = input.offset();
    input.skip(u64::MAX)?;
    match input.offset() - start {
        0 => Ok(()),
        tail if tail > LONGEST_TAIL.max(RECORD as u64 * count) => {
            let problem = format!(
                "{} follow the {} that the header declares: this is not STL, or that number is wrong",
                counted(tail, "byte"),
                counted(count, "facet")
            );
            Err(input.malformed(end, problem))
        }
        tail => {
            draft.ignore("bytes after the last facet", tail);
            Ok(())
        }
    }
}
