//! Lists the files of a folder.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Lists the files with this extension, in order, without what builds made, hidden folders and links.
pub(crate) fn below(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::path);
    let mut found = Vec::new();
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type()?);
        let is_made = path.ends_with("target") || path.ends_with("node_modules");
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if kind.is_dir() && !is_made && !is_hidden {
            found.extend(below(&path, extension)?);
        } else if kind.is_file() && path.extension().is_some_and(|it| it == extension) {
            found.push(path);
        }
    }
    Ok(found)
}
