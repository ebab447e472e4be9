//! Names of objects, groups, materials and files.

use super::statement_words::{is_blank, trim_end};

/// Returns the name after a keyword: the rest of the statement without surrounding blanks, or
/// `None` if it is empty.
///
/// Names may contain blanks and `#` (`mat#2`, `Material #25`, `#ff0000`); a comment begins at a `#`
/// that is a word by itself. Bytes that are not UTF-8 are read as Latin-1.
pub(super) fn name(text: &[u8]) -> Option<String> {
    let text = trim(text);
    let blank_at = |i: usize| text.get(i).is_none_or(|&byte| is_blank(byte));
    let is_comment = |i: usize| (i == 0 || blank_at(i - 1)) && blank_at(i + 1);
    let end = memchr::memchr_iter(b'#', text).find(|&i| is_comment(i));
    let name = decode(&text[..end.unwrap_or(text.len())]);
    // Unicode blanks are trimmed too, as tobj does, so that names in both files match.
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// Decodes text as UTF-8, or else as Latin-1.
pub(super) fn decode(text: &[u8]) -> String {
    match std::str::from_utf8(text) {
        Ok(text) => text.to_owned(),
        Err(_) => text.iter().map(|&byte| char::from(byte)).collect(),
    }
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
            assert_eq!(name(text).as_deref(), expected, "{}", decode(text));
        }
    }
}
