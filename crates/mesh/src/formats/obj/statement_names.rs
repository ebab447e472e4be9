//! Names of objects, groups, materials and files.

use super::statement_words::{is_blank, trim_end};
use estoc_system::NoMemory;

/// Returns the name after a keyword: the rest of the statement without surrounding blanks, or
/// `None` if it is empty.
///
/// Names may contain blanks and `#` (`mat#2`, `Material #25`, `#ff0000`); a comment begins at a `#`
/// that is a word by itself. Bytes that are not UTF-8 are read as Latin-1.
pub(super) fn name(text: &[u8]) -> Result<Option<String>, NoMemory> {
    let text = trim(text);
    let blank_at = |i: usize| text.get(i).is_none_or(|&byte| is_blank(byte));
    let is_comment = |i: usize| (i == 0 || blank_at(i - 1)) && blank_at(i + 1);
    let end = memchr::memchr_iter(b'#', text).find(|&i| is_comment(i));
    let mut name = decode(&text[..end.unwrap_or(text.len())])?;
    // Unicode blanks are trimmed too, so that names in both files match.
    name.truncate(name.trim_end().len());
    name.drain(..name.len() - name.trim_start().len());
    Ok((!name.is_empty()).then_some(name))
}

/// Decodes text as UTF-8, or else as Latin-1.
fn decode(text: &[u8]) -> Result<String, NoMemory> {
    let mut name = String::new();
    let utf8 = std::str::from_utf8(text);
    // In UTF-8, a byte of Latin-1 has up to two.
    let most = utf8.map_or(2 * text.len(), str::len);
    name.try_reserve_exact(most).map_err(|_| NoMemory)?;
    match utf8 {
        Ok(text) => name.push_str(text),
        Err(_) => name.extend(text.iter().map(|&byte| char::from(byte))),
    }
    Ok(name)
}

fn trim(mut text: &[u8]) -> &[u8] {
    while let [blank, rest @ ..] = text
        && is_blank(*blank)
    {
        text = rest;
    }
    trim_end(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_blanks_and_glued_hashes() {
        let table: [(&[u8], Option<&str>); 12] = [
            (b"", None),
            (b" \t", None),
            (b" a  b ", Some("a  b")),
            (b"mat#2", Some("mat#2")),
            (b"mat #2", Some("mat #2")),
            (b"mat # comment", Some("mat")),
            (b"#ff0000", Some("#ff0000")),
            (b"# comment", None),
            (b"#", None),
            (b"\xa0a\xa0", Some("a")),
            (b"caf\xe9", Some("caf\u{e9}")),
            ("größe".as_bytes(), Some("größe")),
        ];
        for (text, expected) in table {
            let found = name(text).unwrap();
            assert_eq!(found.as_deref(), expected, "{}", text.escape_ascii());
        }
    }
}
