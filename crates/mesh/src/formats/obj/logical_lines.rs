//! Joins physical lines to logical ones.
//!
//! `\n`, `\r\n` and `\r` each end a physical line. A backslash followed only by blanks joins the
//! next line, and the joint counts as a blank. A line that contains a `#` does not continue, so
//! that a comment that happens to end in a backslash (a Windows folder, say) does not swallow a
//! statement.

use super::statement_words::trim_end;
use estoc_system::{Growth, NoMemory};

/// A statement with the number of the physical line on which it begins, from 1.
pub(super) struct LogicalLine<'a> {
    pub(super) text: &'a [u8],
    pub(super) number: u64,
}

/// Iterates over the logical lines of a text. Only lines that continue are copied.
pub(super) struct LogicalLines<'a> {
    rest: &'a [u8],
    /// The number of physical lines consumed.
    passed: u64,
    joined: Vec<u8>,
}

impl<'a> LogicalLines<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        LogicalLines {
            rest: text,
            passed: 0,
            joined: Vec::new(),
        }
    }

    /// Returns the number of physical lines consumed.
    pub(super) fn passed(&self) -> u64 {
        self.passed
    }

    /// Returns the remaining text, which starts at a logical line.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Skips a logical line of `length` bytes, including its end, that is a single physical line.
    pub(super) fn pass(&mut self, length: usize) {
        self.rest = &self.rest[length..];
        self.passed += 1;
    }

    /// Returns the next logical line.
    pub(super) fn next(&mut self) -> Result<Option<LogicalLine<'_>>, NoMemory> {
        let Some(mut text) = self.next_physical() else {
            return Ok(None);
        };
        let number = self.passed;
        if continued(text).is_none() {
            return Ok(Some(LogicalLine { text, number }));
        }
        self.joined.clear();
        while let Some(part) = continued(text) {
            self.joined.try_append(part)?;
            self.joined.try_push(b' ')?;
            text = self.next_physical().unwrap_or_default();
        }
        self.joined.try_append(text)?;
        Ok(Some(LogicalLine {
            text: &self.joined,
            number,
        }))
    }

    fn next_physical(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.passed += 1;
        let end = memchr::memchr2(b'\n', b'\r', self.rest).unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at(end);
        let end_of_line = if rest.starts_with(b"\r\n") { 2 } else { 1 };
        self.rest = rest.get(end_of_line..).unwrap_or_default();
        Some(line)
    }
}

/// Returns the text before the backslash if the last line of `text` continues.
pub(super) fn continued(text: &[u8]) -> Option<&[u8]> {
    let before = trim_end(text).strip_suffix(b"\\")?;
    let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1);
    let line = &before[start..];
    memchr::memchr(b'#', line).is_none().then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8]) -> Vec<(u64, String)> {
        let mut lines = LogicalLines::new(text);
        let mut all = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            all.push((line.number, String::from_utf8_lossy(line.text).into()));
        }
        all
    }

    #[test]
    fn line_ends_and_continuations() {
        type Case<'a> = (&'a [u8], &'a [(u64, &'a str)]);
        let table: [Case<'_>; 12] = [
            (b"", &[]),
            (b"a", &[(1, "a")]),
            (b"a\n\nb\n", &[(1, "a"), (2, ""), (3, "b")]),
            (
                b"a\r\nb\rc\n\rd",
                &[(1, "a"), (2, "b"), (3, "c"), (4, ""), (5, "d")],
            ),
            (b"f 1\\\n2\\\r\n3\nx", &[(1, "f 1 2 3"), (4, "x")]),
            (b"a\\\\\nb", &[(1, "a\\ b")]),
            (b"# c:\\\nf", &[(1, "# c:\\"), (2, "f")]),
            (b"f\\", &[(1, "f ")]),
            (b"f 1\\ \t\n2\\ \r\n3\nx", &[(1, "f 1 2 3"), (4, "x")]),
            (b"f\\ ", &[(1, "f ")]),
            (b"f\\ 1\nx", &[(1, "f\\ 1"), (2, "x")]),
            (b"# c:\\ \nf", &[(1, "# c:\\ "), (2, "f")]),
        ];
        for (text, expected) in table {
            let expected: Vec<_> = expected.iter().map(|&(n, s)| (n, s.to_string())).collect();
            assert_eq!(lines(text), expected, "{:?}", String::from_utf8_lossy(text));
        }
    }
}
