//! The cells of a line of CSV.

/// Iterates over the cells of a line, separated by commas. A cell that starts with a double quote may
/// contain commas up to the closing one; elsewhere quotes are text, as in `5" nail`.
pub(super) struct Cells<'a>(Option<&'a [u8]>);

/// One cell.
#[derive(Clone, Copy)]
pub(super) struct CsvCell<'a> {
    /// The cell as written, without surrounding spaces.
    pub(super) raw: &'a [u8],
    /// The cell without surrounding spaces and double quotes.
    pub(super) text: &'a [u8],
    /// Whether the line ends inside its quotes.
    pub(super) is_open: bool,
}

impl<'a> Cells<'a> {
    pub(super) fn of(line: &'a [u8]) -> Self {
        Cells(Some(line))
    }
}

impl<'a> Iterator for Cells<'a> {
    type Item = CsvCell<'a>;

    fn next(&mut self) -> Option<CsvCell<'a>> {
        let line = self.0?;
        let is_quoted = line.trim_ascii_start().starts_with(b"\"");
        let mut is_inside = false;
        let end = line.iter().position(|&byte| {
            is_inside ^= is_quoted && byte == b'"';
            byte == b',' && !is_inside
        });
        self.0 = end.map(|end| &line[end + 1..]);
        let raw = line[..end.unwrap_or(line.len())].trim_ascii();
        let inner = raw
            .strip_prefix(b"\"")
            .and_then(|cell| cell.strip_suffix(b"\""));
        let text = inner.unwrap_or(raw);
        Some(CsvCell {
            raw,
            text,
            is_open: is_inside,
        })
    }
}
