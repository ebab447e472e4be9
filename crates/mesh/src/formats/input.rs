//! The bytes of a mesh as they come, with the place where reading is.

use core::ops::Range;
use estoc_core::CancelToken;
use std::io::Read;

use crate::error::{Limits, Location, MeshError};
use crate::format::Format;
use crate::packing;

/// How much is read at once: enough that a call does not count, little beside a mesh.
const CHUNK: usize = 1 << 18;

/// Reads lines and records from a stream. Holds one of them, and what was read with it; memory
/// is asked for only as bytes come.
pub(crate) struct Input<'a> {
    name: &'a str,
    format: Format,
    reader: Box<dyn Read + 'a>,
    /// How many bytes there are, where that is known.
    length: Option<u64>,
    cancel: &'a CancelToken,
    progress: &'a dyn Fn(),
    buffer: Vec<u8>,
    /// What was handed out last.
    last: Range<usize>,
    /// Where in the buffer the rest begins.
    used: usize,
    /// Where in the file the buffer begins.
    before: u64,
    /// Whether the reader has come to its end.
    is_over: bool,
    /// The number, from 1, of the line that was handed out last.
    line: u64,
    /// A line feed behind a carriage return belongs to what follows.
    pub(crate) carriage_return_ends: bool,
}

impl<'a> Input<'a> {
    pub(crate) fn new(
        (name, format): (&'a str, Format),
        (reader, length): (Box<dyn Read + 'a>, Option<u64>),
        cancel: &'a CancelToken,
        progress: &'a dyn Fn(),
    ) -> Self {
        Input {
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

    /// What was handed out last: a line without its end, or a record.
    pub(crate) fn last(&self) -> &[u8] {
        &self.buffer[self.last.clone()]
    }

    /// Up to `count` of the next bytes, which stay; fewer at the end.
    pub(crate) fn peek(&mut self, count: usize) -> Result<&[u8], MeshError> {
        while self.buffer.len() - self.used < count && !self.is_over {
            self.fill()?;
        }
        let rest = &self.buffer[self.used..];
        Ok(&rest[..rest.len().min(count)])
    }

    /// Hands out the next `count` bytes; whether there were so many.
    #[inline]
    pub(crate) fn take(&mut self, count: usize) -> Result<bool, MeshError> {
        if self.buffer.len() - self.used < count && self.peek(count)?.len() < count {
            return Ok(false);
        }
        self.last = self.used..self.used + count;
        self.used += count;
        Ok(true)
    }

    /// Passes over bytes; whether there were so many.
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

    /// Hands out the next line. It ends with a line feed, a carriage return, or both. Whether
    /// there was one.
    pub(crate) fn next_line(&mut self) -> Result<bool, MeshError> {
        let mut searched = 0;
        let (length, end) = loop {
            let rest = &self.buffer[self.used..];
            let found = memchr::memchr2(b'\n', b'\r', &rest[searched..]);
            let length = found.map_or(rest.len(), |at| searched + at);
            match rest[length..] {
                [b'\r', ..] if self.carriage_return_ends => break (length, 1),
                [b'\r', b'\n', ..] => break (length, 2),
                // Whether a line feed belongs to it is still to come.
                [b'\r'] if !self.is_over => {}
                [_, ..] => break (length, 1),
                [] if self.is_over => break (length, 0),
                [] => {}
            }
            if length as u64 > Limits::REAL.statement {
                return Err(MeshError::LineTooLong {
                    at: Location {
                        line: Some(self.line + 1),
                        ..self.whole()
                    },
                    limit: Limits::REAL.statement,
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

    /// Hands out the next line that is not blank.
    pub(crate) fn next_text(&mut self) -> Result<bool, MeshError> {
        while self.next_line()? {
            if !self.last().trim_ascii_start().is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Hands out all that is left.
    #[cfg(feature = "gltf")]
    pub(crate) fn take_rest(&mut self) -> Result<(), MeshError> {
        while !self.is_over {
            self.fill()?;
        }
        self.last = self.used..self.buffer.len();
        self.used = self.buffer.len();
        Ok(())
    }

    /// Reads a chunk more, behind what was not yet handed out.
    #[cold]
    fn fill(&mut self) -> Result<(), MeshError> {
        if self.cancel.is_cancelled() {
            return Err(MeshError::Cancelled { at: self.whole() });
        }
        // Moving what is left costs no more than having read it.
        if self.used > self.buffer.len() / 2 {
            self.buffer.drain(..self.used);
            self.before += self.used as u64;
            self.used = 0;
            self.last = 0..0;
        }
        let mut chunk = (&mut self.reader).take(CHUNK as u64);
        let read = chunk.read_to_end(&mut self.buffer);
        let read = read.map_err(|source| packing::io_error(self.whole(), source))?;
        self.is_over = read < CHUNK;
        (self.progress)();
        Ok(())
    }

    /// Of `count` records of `size` bytes, those that there can be; room for as many may be
    /// asked for at once.
    pub(crate) fn possible(&self, count: u64, size: u64) -> usize {
        let left = self.length.unwrap_or(0).saturating_sub(self.offset());
        count.min(left / size.max(1)) as usize
    }

    /// How many bytes there are, where that is known.
    pub(crate) fn length(&self) -> Option<u64> {
        self.length
    }

    /// The number, from 1, of the line that was handed out last.
    pub(crate) fn line_number(&self) -> u64 {
        self.line
    }

    /// Where in the file the rest begins.
    pub(crate) fn offset(&self) -> u64 {
        self.before + self.used as u64
    }

    /// The file as a whole.
    pub(crate) fn whole(&self) -> Location {
        Location::of_file(self.name)
    }

    /// The line that was handed out last.
    pub(crate) fn at_line(&self) -> Location {
        Location {
            line: Some(self.line).filter(|&line| line > 0),
            ..self.whole()
        }
    }

    /// The next byte.
    pub(crate) fn at_byte(&self) -> Location {
        self.whole().at_byte(self.offset())
    }

    /// Something is wrong with the line that was handed out last.
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

    /// Gives so many bytes a call.
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
        let mut input = Input::new(name, (reader, None), &cancel, &|| {});
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
        // Across the chunks.
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
        let mut input = Input::new(name, (reader, length), &cancel, &|| {});
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
        let mut input = Input::new(name, (reader, length), &cancel, &|| {});
        assert!(matches!(
            input.next_line(),
            Err(MeshError::Cancelled { .. })
        ));
    }
}
