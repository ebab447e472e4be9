//! Cells of CSV and the text that they stand for.

/// Returns the text as a cell, in double quotes if it needs them.
pub fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// Returns the text of a cell, without its quotes.
pub fn unquoted(cell: &str) -> String {
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
