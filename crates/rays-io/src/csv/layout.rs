//! How the lines of a text are split into cells.

/// What separates the cells of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CsvLayout {
    /// Commas; cells may be in quotes.
    Commas,
    /// Spaces and tabs, any number of them. Lines that begin with `#` or `//` are comments, here and below.
    Blanks,
    Semicolons,
}

impl CsvLayout {
    /// Returns whether a line without its end has no cells.
    pub(super) fn skips(self, line: &[u8]) -> bool {
        let line = line.trim_ascii_start();
        let is_comment = line.starts_with(b"#") || line.starts_with(b"//");
        line.is_empty() || (is_comment && self != CsvLayout::Commas)
    }

    /// Returns the cells of a line without quotes.
    #[inline]
    pub(super) fn cells(self, line: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
        let separates = move |byte: &u8| match self {
            CsvLayout::Commas => *byte == b',',
            CsvLayout::Blanks => byte.is_ascii_whitespace(),
            CsvLayout::Semicolons => *byte == b';',
        };
        let cells = line.split(separates).map(<[u8]>::trim_ascii);
        cells.filter(move |cell| self != CsvLayout::Blanks || !cell.is_empty())
    }
}
