//! Whole lines of a text, many at a time.

use std::io::{self, Read};

/// The largest length of a line in bytes, with its end. A longer line is not CSV.
pub(super) const LONGEST_LINE: usize = 1 << 20;

/// Bytes in memory at a time, unless one line has more.
const MOST_BYTES: usize = 1 << 24;

/// Bytes requested at a time, at least, of a large input.
const STEP: usize = 1 << 18;

/// Reads whole lines.
pub(super) struct CsvLines {
    input: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    /// The bytes of the buffer that are still to be taken.
    start: usize,
    end: usize,
    is_end: bool,
    /// The error after the bytes in the buffer.
    error: Option<io::Error>,
}

impl CsvLines {
    pub(super) fn new(input: Box<dyn Read + Send>) -> Self {
        CsvLines {
            input,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            is_end: false,
            error: None,
        }
    }

    /// Returns the next lines with their ends, at most `most`; empty at the end. The last line of
    /// the input may lack its end, and so does the start of a line that is longer than
    /// [`LONGEST_LINE`]. They count as taken.
    ///
    /// # Errors
    /// Returns the error of the input, after all whole lines before it.
    pub(super) fn take(&mut self, most: usize) -> io::Result<&[u8]> {
        // Number and end of the lines found in the buffer.
        let (mut lines, mut end, mut seen) = (0, self.start, self.start);
        loop {
            for at in memchr::memchr_iter(b'\n', &self.buffer[seen..self.end]) {
                if lines == most {
                    break;
                }
                (lines, end) = (lines + 1, seen + at + 1);
            }
            let has_all = lines == most || end - self.start >= MOST_BYTES;
            if has_all || self.error.is_some() || self.is_end {
                break;
            }
            if self.end - end > LONGEST_LINE {
                break;
            }
            seen = self.end;
            let moved = self.start;
            self.read_more();
            // Reading moves what is left to the start of the buffer.
            (end, seen) = (end - (moved - self.start), seen - (moved - self.start));
        }
        if end == self.start {
            if let Some(error) = self.error.take() {
                return Err(error);
            }
            end = self.end.min(self.start + LONGEST_LINE + 1);
        }
        let start = std::mem::replace(&mut self.start, end);
        Ok(&self.buffer[start..end])
    }

    /// Returns what [`take`](Self::take) returns, which is still to be taken.
    pub(super) fn peek(&mut self, most: usize) -> io::Result<&[u8]> {
        let length = self.take(most)?.len();
        self.start -= length;
        Ok(&self.buffer[self.start..self.start + length])
    }

    /// Reads until at least this many bytes are still to be taken, or the input ends or fails, and returns
    /// what is to be taken.
    pub(super) fn read(&mut self, least: usize) -> &[u8] {
        while self.end - self.start < least && !self.is_end && self.error.is_none() {
            self.read_more();
        }
        &self.buffer[self.start..self.end]
    }

    /// Takes bytes that are read.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.start = (self.start + bytes).min(self.end);
    }

    fn read_more(&mut self) {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        // Small inputs need little.
        let step = self.buffer.len().clamp(1 << 12, STEP);
        if self.buffer.len() - self.end < step {
            self.buffer.resize(self.end + 2 * step, 0);
        }
        loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.is_end = true,
                Ok(read) => self.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => self.error = Some(error),
            }
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads two bytes at a time.
    struct Slow(&'static [u8]);

    impl Read for Slow {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(2).min(into.len());
            let (now, later) = self.0.split_at(count);
            into[..count].copy_from_slice(now);
            self.0 = later;
            Ok(count)
        }
    }

    #[test]
    fn lines_are_whole_however_they_arrive() {
        let text = b"one\n\nthree\r\nfour";
        let mut lines = CsvLines::new(Box::new(Slow(text)));
        assert_eq!(lines.take(2).unwrap(), b"one\n\n");
        assert_eq!(lines.take(9).unwrap(), b"three\r\n");
        assert_eq!(lines.take(9).unwrap(), b"four");
        assert_eq!(lines.take(9).unwrap(), b"");
    }

    #[test]
    fn an_error_comes_after_the_lines_before_it() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let mut lines = CsvLines::new(Box::new(Slow(b"a\nb\nc").chain(Broken)));
        assert_eq!(lines.take(9).unwrap(), b"a\nb\n");
        assert!(lines.take(9).is_err());
    }
}
