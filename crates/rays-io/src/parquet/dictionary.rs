//! The longest text of a dictionary, which every row may repeat.

use super::quiet_panic::tried;
use parquet::column::page::{Page, PageReader};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::serialized_reader::SerializedPageReader;
use std::fs::File;
use std::sync::Arc;

/// Returns the length of the longest text in the dictionary of a column; `None` if it cannot be read.
/// Its first page must be checked.
pub(super) fn longest_text(file: &File, chunk: &ColumnChunkMetaData) -> Option<u64> {
    let file = Arc::new(file.try_clone().ok()?);
    let rows = usize::try_from(chunk.num_values()).ok()?;
    let read = || SerializedPageReader::new(file, chunk, rows, None)?.get_next_page();
    match tried(read).ok()?? {
        Page::DictionaryPage { buf, .. } => longest_in(&buf),
        _ => None,
    }
}

/// Returns the length of the longest of some texts, each of which follows its length in four bytes.
fn longest_in(mut texts: &[u8]) -> Option<u64> {
    let mut longest = 0;
    while !texts.is_empty() {
        let (length, rest) = texts.split_first_chunk()?;
        let length = u32::from_le_bytes(*length);
        texts = rest.get(usize::try_from(length).ok()?..)?;
        longest = longest.max(length);
    }
    Some(longest.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_text_is_found() {
        let texts = b"\x01\0\0\0a\0\0\0\0\x03\0\0\0bcd\x02\0\0\0ef";
        assert_eq!(longest_in(texts), Some(3));
        assert_eq!(longest_in(b""), Some(0));
        assert_eq!(longest_in(&texts[..texts.len() - 1]), None);
        assert_eq!(longest_in(b"\xff\xff\xff\xff"), None);
    }
}
