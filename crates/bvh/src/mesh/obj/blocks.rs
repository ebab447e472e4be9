//! A text in blocks of whole statements.

use std::io::{self, Read};

use super::lines::continued;

/// Cuts what a reader gives into blocks that end where a statement ends, so that each can be
/// parsed on its own.
pub(super) struct Blocks<R> {
    reader: R,
    buffer: Vec<u8>,
    /// How much of the buffer was handed out.
    used: usize,
    size: usize,
    longest: u64,
}

/// Why there is no next block.
#[derive(Debug)]
pub(super) enum Stop {
    Io(io::Error),
    /// The next statement does not end where it must.
    TooLong,
}

impl<R: Read> Blocks<R> {
    /// Blocks of about `size` bytes; larger when a statement is, which may have `longest`
    /// bytes with its line ends.
    pub(super) fn new(reader: R, size: usize, longest: u64) -> Self {
        Blocks {
            reader,
            buffer: Vec::new(),
            used: 0,
            size: size.max(1),
            longest,
        }
    }

    /// The next block; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<&[u8]>, Stop> {
        self.buffer.drain(..self.used);
        self.used = 0;
        // Each round reads as much as there is, so that looking for the end of a huge
        // statement again and again takes linear time.
        let mut wanted = self.size as u64;
        loop {
            let missing = wanted.saturating_sub(self.buffer.len() as u64);
            let read = (&mut self.reader)
                .take(missing)
                .read_to_end(&mut self.buffer)
                .map_err(Stop::Io)?;
            if (read as u64) < missing {
                self.used = self.buffer.len();
                break;
            }
            if let Some(end) = last_statement_end(&self.buffer) {
                self.used = end;
                break;
            }
            // The buffer begins with a statement, and does not end it.
            let length = self.buffer.len() as u64;
            if length > self.longest {
                return Err(Stop::TooLong);
            }
            wanted = (2 * length).min(self.longest + 1);
        }
        let block = &self.buffer[..self.used];
        Ok((!block.is_empty()).then_some(block))
    }
}

/// Where the last statement that certainly ends in `text` ends, its line end included. The
/// text begins with a physical line.
fn last_statement_end(text: &[u8]) -> Option<usize> {
    let mut end = text.len();
    loop {
        let at = memchr::memrchr2(b'\n', b'\r', &text[..end])?;
        end = at;
        let line = match text[at] {
            // Whether a line feed belongs to it is still to come.
            b'\r' if at + 1 == text.len() => continue,
            b'\n' if at > 0 && text[at - 1] == b'\r' => &text[..at - 1],
            _ => &text[..at],
        };
        // The first half of a CR LF pair never comes here: the search met the LF before.
        if continued(line).is_none() {
            return Some(at + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_end_where_statements_end_and_lose_nothing() {
        let text = b"v 1\r\nf 1 \\\n2 \\\r\n3\rg\\\rx\n\nlast";
        let ends = [5, 18, 23, 24, 28];
        for size in 1..40 {
            let mut blocks = Blocks::new(&text[..], size, 1000);
            let mut seen = Vec::new();
            while let Some(block) = blocks.next().unwrap() {
                seen.extend_from_slice(block);
                assert!(ends.contains(&seen.len()), "size {size}: {}", seen.len());
            }
            assert_eq!(seen, text, "size {size}");
        }
    }

    #[test]
    fn a_statement_may_have_so_many_bytes() {
        let short = b"0\n12345\\\n890\r\n# \\\n";
        let longest = b"12345\\\n890\r\n".len() as u64;
        for size in 1..short.len() {
            let read = |longest: u64| {
                let mut blocks = Blocks::new(&short[..], size, longest);
                let mut length = 0;
                while let Some(block) = blocks.next()? {
                    length += block.len();
                }
                Ok(length)
            };
            assert!(matches!(read(longest), Ok(length) if length == short.len()));
            // Once its end is read, nothing is won by refusing it.
            let result: Result<usize, Stop> = read(longest - 2);
            if size < longest as usize {
                assert!(matches!(result, Err(Stop::TooLong)), "size {size}");
            }
        }
        let mut endless = Blocks::new(io::repeat(b' '), 10, 1000);
        assert!(matches!(endless.next(), Err(Stop::TooLong)));
        assert_eq!(endless.buffer.len(), 1001);
        let comments = b"#\\\n".repeat(1000);
        let mut blocks = Blocks::new(&comments[..], 10, 20);
        while let Some(block) = blocks.next().expect("each is a statement") {
            assert!(block.len() <= 20);
        }
    }

    #[test]
    fn an_error_of_the_reader_comes_through() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("worn out"))
            }
        }
        assert!(Blocks::new(Broken, 10, 1000).next().is_err());
    }
}
