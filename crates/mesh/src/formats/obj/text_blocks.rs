//! Splits a text into blocks of whole statements.

use estoc_system::{Growth, NoMemory, read_to_end};
use std::io::{self, Read};

use super::logical_lines::continued;

/// Splits the output of a reader into blocks that end where a statement ends, so that each can be
/// parsed by itself.
pub(super) struct Blocks<'a> {
    reader: &'a mut dyn Read,
    /// Bytes read after the last block.
    rest: Vec<u8>,
    /// Whether the reader has ended.
    over: bool,
    size: usize,
    longest: u64,
}

/// Why there is no next block.
#[derive(Debug)]
pub(super) enum Stop {
    Io(io::Error),
    /// The next statement exceeds the limit.
    TooLong,
}

impl From<NoMemory> for Stop {
    fn from(error: NoMemory) -> Self {
        Stop::Io(error.into())
    }
}

impl<'a> Blocks<'a> {
    /// Returns blocks of about `size` bytes, or more for a larger statement, which may have up to
    /// `longest` bytes including its line ends.
    pub(super) fn new(reader: &'a mut dyn Read, size: usize, longest: u64) -> Self {
        Blocks {
            reader,
            rest: Vec::new(),
            over: false,
            size: size.max(1),
            longest,
        }
    }

    /// Returns whether there are no more blocks.
    pub(super) fn are_over(&self) -> bool {
        self.over && self.rest.is_empty()
    }

    /// Returns the next block, in the memory of `block`; empty at the end.
    pub(super) fn next(&mut self, mut block: Vec<u8>) -> Result<Vec<u8>, Stop> {
        block.clear();
        block.try_append(&self.rest)?;
        self.rest.clear();
        if self.over {
            return Ok(block);
        }
        // The amount doubles each time, so that the repeated search for the end of a huge statement
        // takes linear time.
        let mut wanted = self.size as u64;
        loop {
            let missing = wanted.saturating_sub(block.len() as u64);
            // A block at once: growing by doubling would request twice that.
            block.make_room(missing.min(1 << 20) as usize + (1 << 13))?;
            let next = (&mut self.reader).take(missing);
            let read = read_to_end(next, &mut block).map_err(Stop::Io)?;
            if (read as u64) < missing {
                self.over = true;
                return Ok(block);
            }
            if let Some(end) = last_statement_end(&block) {
                self.rest.try_append(&block[end..])?;
                block.truncate(end);
                return Ok(block);
            }
            // The block begins with a statement but does not contain its end.
            let length = block.len() as u64;
            if length > self.longest {
                return Err(Stop::TooLong);
            }
            wanted = (2 * length).min(self.longest + 1);
        }
    }
}

/// Returns the end of the last statement that certainly ends in `text`, including its line end. The
/// text must start at a physical line.
fn last_statement_end(text: &[u8]) -> Option<usize> {
    let mut end = text.len();
    loop {
        let at = memchr::memrchr2(b'\n', b'\r', &text[..end])?;
        end = at;
        let line = match text[at] {
            // Whether a line feed follows is not known yet.
            b'\r' if at + 1 == text.len() => continue,
            b'\n' if at > 0 && text[at - 1] == b'\r' => &text[..at - 1],
            _ => &text[..at],
        };
        // Never the first half of a CR LF pair: the search finds the LF first.
        if continued(line).is_none() {
            return Some(at + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all blocks, reusing the memory of one of them.
    fn all(blocks: &mut Blocks<'_>) -> Result<Vec<Vec<u8>>, Stop> {
        let (mut all, mut memory) = (Vec::new(), b"before".to_vec());
        while !blocks.are_over() {
            memory = blocks.next(memory)?;
            all.push(memory.clone());
        }
        assert!(blocks.next(memory).unwrap().is_empty());
        Ok(all)
    }

    #[test]
    fn blocks_end_where_statements_end_and_lose_nothing() {
        let text = b"v 1\r\nf 1 \\\n2 \\\r\n3\rg\\\rx\n\nlast";
        let ends = [5, 18, 23, 24, 28];
        for size in 1..40 {
            let blocks = all(&mut Blocks::new(&mut &text[..], size, 1000)).unwrap();
            let mut seen = 0;
            for block in &blocks {
                seen += block.len();
                assert!(ends.contains(&seen), "size {size}: {seen}");
            }
            assert_eq!(blocks.concat(), text, "size {size}");
        }
    }

    #[test]
    fn a_statement_may_have_so_many_bytes() {
        let short = b"0\n12345\\\n890\r\n# \\\n";
        let longest = b"12345\\\n890\r\n".len() as u64;
        for size in 1..short.len() {
            let read = |longest| all(&mut Blocks::new(&mut &short[..], size, longest));
            assert_eq!(read(longest).unwrap().concat(), short);
            // A statement whose end has been read is never refused.
            if size < longest as usize {
                let result = read(longest - 2);
                assert!(matches!(result, Err(Stop::TooLong)), "size {size}");
            }
        }
        let mut given = 0;
        let mut counting = Counting(&mut given);
        let mut endless = Blocks::new(&mut counting, 10, 1000);
        assert!(matches!(endless.next(Vec::new()), Err(Stop::TooLong)));
        assert_eq!(given, 1001);
        let comments = b"#\\\n".repeat(1000);
        let blocks =
            all(&mut Blocks::new(&mut &comments[..], 10, 20)).expect("each is a statement");
        assert!(blocks.iter().all(|block| block.len() <= 20));
    }

    /// Returns endless blanks, and counts them.
    struct Counting<'a>(&'a mut usize);

    impl Read for Counting<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            to.fill(b' ');
            *self.0 += to.len();
            Ok(to.len())
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
        let result = Blocks::new(&mut Broken, 10, 1000).next(Vec::new());
        assert!(matches!(result, Err(Stop::Io(_))));
    }
}
