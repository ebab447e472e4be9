//! Lists the files of a folder.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Lists the files with this extension, in order, without what builds made, hidden folders and links.
pub(crate) fn below(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if kind.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules"
            {
                folders.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|it| it == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
