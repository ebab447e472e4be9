//! Text as a cell of CSV.

/// Returns a cell that reads back as the text: in double quotes where it needs them.
pub(crate) fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// Returns the text that a cell stands for, as it is written in a file.
pub(crate) fn unquoted(cell: &str) -> String {
    let inner = cell
        .strip_prefix('"')
        .and_then(|cell| cell.strip_suffix('"'));
    inner.map_or_else(|| cell.to_owned(), |inner| inner.replace("\"\"", "\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_hold_any_text() {
        assert_eq!(quoted("demo:hall?n=5"), "demo:hall?n=5");
        assert_eq!(quoted("a,\"b\".obj"), "\"a,\"\"b\"\".obj\"");
        for text in ["", "a", "a,b", "\"", "say \"no\", twice"] {
            assert_eq!(unquoted(&quoted(text)), text);
        }
    }
}
