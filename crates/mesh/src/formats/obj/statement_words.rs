//! The words of a statement.

use crate::text::number::is_printed_non_finite;

/// Returns whether a byte separates words.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)
}

/// Returns the text without trailing blanks.
pub(super) fn trim_end(mut text: &[u8]) -> &[u8] {
    while let [rest @ .., blank] = text
        && is_blank(*blank)
    {
        text = rest;
    }
    text
}

/// Splits a statement into its keyword, which is empty for an empty one and a comment, and the rest.
pub(super) fn keyword(line: &[u8]) -> (&[u8], &[u8]) {
    let start = line.iter().position(|&byte| !is_blank(byte));
    let line = &line[start.unwrap_or(line.len())..];
    let end = line.iter().position(|&byte| is_blank(byte) || byte == b'#');
    line.split_at(end.unwrap_or(line.len()))
}

/// The words of a statement, separated by blanks, up to a comment. A `#` begins a comment anywhere
/// except where old C libraries print numbers that are not finite (`1.#INF`, `-1.#IND`, `1.#QNAN`):
/// cut there, they would read as 1.
#[derive(Clone)]
pub(super) struct Words<'a>(&'a [u8]);

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Words(text)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.0.iter().position(|&byte| !is_blank(byte))?;
        let text = &self.0[start..];
        let mut end = 0;
        while let Some(&byte) = text.get(end) {
            if is_blank(byte) {
                self.0 = &text[end..];
                return Some(&text[..end]);
            }
            if byte == b'#' && !(text[..end].ends_with(b".") && is_printed_non_finite(&text[end..]))
            {
                break;
            }
            end += 1;
        }
        self.0 = &[];
        (end > 0).then(|| &text[..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_blanks_and_comments() {
        let table: [(&str, &[&str]); 7] = [
            ("", &[]),
            (" \t 1  2\x0b3\x0c", &["1", "2", "3"]),
            ("1 2#3", &["1", "2"]),
            ("1 2 # 3", &["1", "2"]),
            ("#1 2", &[]),
            (
                "1.#INF -1.#IND 1.#qnan0",
                &["1.#INF", "-1.#IND", "1.#qnan0"],
            ),
            ("1.#x 2", &["1."]),
        ];
        for (text, expected) in table {
            let words: Vec<_> = Words::new(text.as_bytes())
                .map(|word| std::str::from_utf8(word).unwrap())
                .collect();
            assert_eq!(words, expected, "{text:?}");
        }
    }
}
