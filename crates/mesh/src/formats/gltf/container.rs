//! The two containers of glTF: JSON as text, or JSON and a buffer in chunks.

use crate::error::MeshError;
use crate::formats::input::MeshInput;
use crate::text::counted;
use core::ops::Range;

/// The location of the JSON in a file, and of the buffer that comes with it.
pub(super) struct Container {
    pub(super) json: Range<usize>,
    pub(super) buffer: Option<Range<usize>>,
}

/// Returns the number at an offset, if it is in range.
fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let (&number, _) = bytes.get(at..)?.split_first_chunk()?;
    Some(u32::from_le_bytes(number))
}

/// Locates the parts of a file.
pub(super) fn open(bytes: &[u8], input: &MeshInput<'_>) -> Result<Container, MeshError> {
    if !bytes.starts_with(b"glTF") {
        return Ok(Container {
            json: 0..bytes.len(),
            buffer: None,
        });
    }
    let wrong =
        |at: usize, problem: String| input.malformed(input.whole().at_byte(at as u64), problem);
    let (Some(version), Some(length)) = (number(bytes, 4), number(bytes, 8)) else {
        return Err(wrong(bytes.len(), "the file ends within the header".into()));
    };
    if version != 2 {
        let problem = format!("container version {version}; save the file as version 2");
        return Err(input.unsupported(input.whole(), problem));
    }
    if u64::from(length) != bytes.len() as u64 {
        let problem = format!(
            "the header says {length} bytes, but there are {}",
            bytes.len()
        );
        return Err(wrong(8, problem));
    }
    let (mut json, mut buffer) = (None, None);
    let mut at = 12;
    while at < bytes.len() {
        let (Some(length), Some(kind)) = (number(bytes, at), bytes.get(at + 4..at + 8)) else {
            return Err(wrong(
                at,
                "the file ends within the header of a chunk".into(),
            ));
        };
        let start = at + 8;
        let end = usize::try_from(length)
            .ok()
            .and_then(|length| start.checked_add(length));
        let Some(end) = end.filter(|&end| end <= bytes.len()) else {
            let left = bytes.len() - start;
            let chunk = counted(length.into(), "byte");
            let problem = format!("a chunk of {chunk}, but only {left} left");
            return Err(wrong(at, problem));
        };
        // The first chunk of each kind counts; chunks of other kinds may follow anywhere.
        match kind {
            b"JSON" => json = json.or(Some(start..end)),
            b"BIN\0" if json.is_some() => buffer = buffer.or(Some(start..end)),
            _ => {}
        }
        at = end;
    }
    match json {
        Some(json) => Ok(Container { json, buffer }),
        None => Err(wrong(at, "the JSON chunk is missing".into())),
    }
}
