//! Links of pages.

use crate::is_absolute;
use std::path::Path;
use std::{fs, io};

/// Links in the documentation of implementations that come from other crates, which rustdoc copies and
/// does not resolve.
const COPIED: [&str; 1] = ["CheckedBitPattern::is_valid_bit_pattern"];

/// Checks the links of a page within its folder, and returns their number.
pub(crate) fn check(folder: &Path, page: &Path, dead: &mut Vec<String>) -> io::Result<usize> {
    let text = fs::read_to_string(page)?;
    let depth = page.components().count() - folder.components().count() - 1;
    let mut count = 0;
    for link in text.split("href=\"").skip(1) {
        let link = link.split('"').next().unwrap_or("");
        let path = link.split(['#', '?']).next().unwrap_or("");
        // `${f}` stands in a script.
        if is_absolute(link)
            || path.is_empty()
            || path.contains("${")
            || path.matches("../").count() > depth
            || COPIED.contains(&path)
        {
            continue;
        }
        count += 1;
        if !page.with_file_name(path).exists() {
            dead.push(format!("{}: {link}", page.display()));
        }
    }
    Ok(count)
}
