//! A buffered reader for mesh files.

use core::ops::Range;
use estoc_core::CancelToken;
use estoc_system::read_to_end;
use std::io::Read;

use crate::error::{InputLimits, Location, MeshError};
use crate::format::Format;
use crate::packing;

/// The number of bytes read at once: large enough that calls do not matter, small compared with a
/// mesh.
const CHUNK: usize = 1 << 18;

/// Reads lines and records from a stream. Buffers the current one and what was read with it; memory
/// grows only as bytes arrive.
pub(crate) struct MeshInput<'a> {
    name: &'a str,
    format: Format,
    reader: Box<dyn Read + 'a>,
    /// The number of bytes of the stream, if known.
    length: Option<u64>,
    cancel: &'a CancelToken,
    progress: &'a dyn Fn(),
    buffer: Vec<u8>,
    /// The last line or record, as a range of the buffer.
    last: Range<usize>,
    /// The start of the unread bytes in the buffer.
    used: usize,
    /// The offset of the buffer in the file.
    before: u64,
    /// Whether the reader has reached its end.
    is_over: bool,
    /// The one-based number of the last line.
    line: u64,
    /// Whether a lone carriage return ends a line, so that a line feed after it belongs to what
    /// follows.
    pub(crate) carriage_return_ends: bool,
}

impl<'a> MeshInput<'a> {
    pub(crate) fn new(
        (name, format): (&'a str, Format),
        (reader, length): (Box<dyn Read + 'a>, Option<u64>),
        cancel: &'a CancelToken,
        progress: &'a dyn Fn(),
    ) -> Self {
        MeshInput {
            name,
            format,
            reader,
            length,
            cancel,
            progress,
            buffer: Vec::new(),
            last: 0..0,
            used: 0,
            before: 0,
            is_over: false,
            line: 0,
            carriage_return_ends: false,
        }
    }

    /// Returns the last line, without its end, or the last record.
    pub(crate) fn last(&self) -> &[u8] {
        &self.buffer[self.last.clone()]
    }

    /// Returns up to `count` of the next bytes without consuming them; fewer at the end.
    pub(crate) fn peek(&mut self, count: usize) -> Result<&[u8], MeshError> {
        while self.buffer.len() - self.used < count && !self.is_over {
            self.fill()?;
        }
        let rest = &self.buffer[self.used..];
        Ok(&rest[..rest.len().min(count)])
    }

    /// Consumes the next `count` bytes as a record; returns `false` if there are fewer.
    #[inline]
    pub(crate) fn take(&mut self, count: usize) -> Result<bool, MeshError> {
        if self.buffer.len() - self.used < count && self.peek(count)?.len() < count {
            return Ok(false);
        }
        self.last = self.used..self.used + count;
        self.used += count;
        Ok(true)
    }

    /// Skips `count` bytes; returns `false` if there are fewer.
    pub(crate) fn skip(&mut self, mut count: u64) -> Result<bool, MeshError> {
        loop {
            let rest = (self.buffer.len() - self.used) as u64;
            let step = rest.min(count);
            self.used += step as usize;
            count -= step;
            if count == 0 || self.is_over {
                return Ok(count == 0);
            }
            self.fill()?;
        }
    }

    /// Consumes the next line, which ends with a line feed, a carriage return, or both. Returns
    /// `false` at the end.
    pub(crate) fn next_line(&mut self) -> Result<bool, MeshError> {
        let mut searched = 0;
        let (length, end) = loop {
            let rest = &self.buffer[self.used..];
            let found = memchr::memchr2(b'\n', b'\r', &rest[searched..]);
            let length = found.map_or(rest.len(), |at| searched + at);
            match rest[length..] {
                [b'\r', ..] if self.carriage_return_ends => break (length, 1),
                [b'\r', b'\n', ..] => break (length, 2),
                // Whether a line feed follows is not known yet.
                [b'\r'] if !self.is_over => {}
                [_, ..] => break (length, 1),
                [] if self.is_over => break (length, 0),
                [] => {}
            }
            if length as u64 > InputLimits::REAL.statement {
                return Err(MeshError::LineTooLong {
                    at: self.at(self.line + 1),
                    limit: InputLimits::REAL.statement,
                });
            }
            searched = length;
            self.fill()?;
        };
        self.last = self.used..self.used + length;
        self.used += length + end;
        self.line += u64::from(length + end > 0);
        Ok(length + end > 0)
    }

    /// Consumes lines up to the next one that is not blank.
    pub(crate) fn next_text(&mut self) -> Result<bool, MeshError> {
        while self.next_line()? {
            if !self.last().trim_ascii_start().is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Consumes all remaining bytes as a record.
    #[cfg(feature = "gltf")]
    pub(crate) fn take_rest(&mut self) -> Result<(), MeshError> {
        while !self.is_over {
            self.fill()?;
        }
        self.last = self.used..self.buffer.len();
        self.used = self.buffer.len();
        Ok(())
    }

    /// Returns the bytes that were read and not consumed.
    pub(crate) fn into_unread(mut self) -> Vec<u8> {
        self.buffer.split_off(self.used)
    }

    /// Reads another chunk after the unread bytes.
    #[cold]
    fn fill(&mut self) -> Result<(), MeshError> {
        MeshError::check_cancelled(self.cancel)?;
        // Moving the unread bytes costs no more than reading them did.
        if self.used > self.buffer.len() / 2 {
            self.buffer.drain(..self.used);
            self.before += self.used as u64;
            self.used = 0;
            self.last = 0..0;
        }
        let chunk = (&mut self.reader).take(CHUNK as u64);
        let read = read_to_end(chunk, &mut self.buffer);
        let read = read.map_err(|source| packing::io_error(self.whole(), source))?;
        self.is_over = read < CHUNK;
        (self.progress)();
        Ok(())
    }

    /// Returns `count`, limited to the number of records of `size` bytes that the rest of the file
    /// can hold, so that their memory can be reserved at once.
    pub(crate) fn possible(&self, count: u64, size: u64) -> usize {
        let left = self.length.unwrap_or(0).saturating_sub(self.offset());
        count.min(left / size.max(1)) as usize
    }

    /// Returns the number of bytes of the stream, if known.
    pub(crate) fn length(&self) -> Option<u64> {
        self.length
    }

    /// Returns the one-based number of the last line.
    pub(crate) fn line_number(&self) -> u64 {
        self.line
    }

    /// Returns the offset of the unread bytes in the file.
    pub(crate) fn offset(&self) -> u64 {
        self.before + self.used as u64
    }

    /// Returns the location of the file as a whole.
    pub(crate) fn whole(&self) -> Location {
        Location::of_file(self.name)
    }

    /// Returns the location of the last line.
    pub(crate) fn at_line(&self) -> Location {
        self.at(self.line)
    }

    /// Returns the location of a line; 0 is none.
    pub(crate) fn at(&self, line: u64) -> Location {
        Location {
            line: Some(line).filter(|&line| line > 0),
            ..self.whole()
        }
    }

    /// Returns the location of the next byte.
    pub(crate) fn at_byte(&self) -> Location {
        self.whole().at_byte(self.offset())
    }

    /// Returns an error about the last line.
    pub(crate) fn bad_line(&self, problem: impl Into<String>) -> MeshError {
        self.malformed(self.at_line(), problem)
    }

    pub(crate) fn malformed(&self, at: Location, problem: impl Into<String>) -> MeshError {
        MeshError::Malformed {
            at,
            format: self.format,
            problem: problem.into(),
        }
    }

    pub(crate) fn unsupported(&self, at: Location, problem: impl Into<String>) -> MeshError {
        MeshError::Unsupported {
            at,
            format: self.format,
            problem: problem.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns at most this number of bytes per call.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let count = self.1.min(self.0.len()).min(into.len());
            into[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn lines(bytes: &[u8], step: usize) -> Vec<Vec<u8>> {
        let cancel = CancelToken::new();
        let reader = Box::new(Slow(bytes, step));
        let name = ("a.stl", Format::Stl);
        let mut input = MeshInput::new(name, (reader, None), &cancel, &|| {});
        let mut lines = Vec::new();
        while input.next_line().unwrap() {
            lines.push(input.last().to_vec());
            assert_eq!(input.line_number(), lines.len() as u64);
        }
        assert_eq!(input.offset(), bytes.len() as u64);
        lines
    }

    #[test]
    fn lines_end_in_every_way() {
        let bytes = b"a\nb\r\n\rc\r\r\nd";
        for step in 1..=bytes.len() {
            let expected: [&[u8]; 6] = [b"a", b"b", b"", b"c", b"", b"d"];
            assert_eq!(lines(bytes, step), expected, "{step}");
        }
        assert_eq!(lines(b"a\r\n", 1).len(), 1);
        assert_eq!(lines(b"", 1).len(), 0);
        // Across the boundary of chunks.
        let mut long = vec![b'x'; CHUNK - 1];
        long.extend_from_slice(b"\r\ny\n");
        let found = lines(&long, CHUNK);
        assert_eq!((found.len(), found[0].len()), (2, CHUNK - 1));
    }

    #[test]
    fn records_are_whole_or_not_there() {
        let bytes: Vec<u8> = (0..2 * CHUNK).map(|i| i as u8).collect();
        let cancel = CancelToken::new();
        let reader = Box::new(&bytes[..]);
        let length = Some(bytes.len() as u64);
        let name = ("a.stl", Format::Stl);
        let mut input = MeshInput::new(name, (reader, length), &cancel, &|| {});
        assert!(input.take(3).unwrap());
        assert_eq!(input.last(), [0, 1, 2]);
        assert!(input.skip(CHUNK as u64).unwrap());
        assert!(input.take(2).unwrap());
        assert_eq!(input.last(), [3, 4]);
        assert_eq!(input.possible(10, 1 << 30), 0);
        assert_eq!(input.possible(10, 4), 10);
        assert!(!input.take(2 * CHUNK).unwrap());
        assert!(!input.skip(2 * CHUNK as u64).unwrap());
        assert_eq!(input.offset(), bytes.len() as u64);
        cancel.cancel();
        let reader = Box::new(&bytes[..]);
        let mut input = MeshInput::new(name, (reader, length), &cancel, &|| {});
        assert!(matches!(
            input.next_line(),
            Err(MeshError::Cancelled { .. })
        ));
    }
}
