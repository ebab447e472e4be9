//! What tells that a file was touched, without reading it.

use std::fs::Metadata;
use std::path::PathBuf;
use std::time::SystemTime;

/// The lengths and times of files; `None` for one that is not there, or is no ordinary file.
pub(crate) type FileStamps = Vec<Option<(u64, Option<SystemTime>)>>;

/// Looks at files without opening them.
pub(crate) fn stamps_of(files: &[PathBuf]) -> FileStamps {
    let look = |file: &PathBuf| {
        let found = file.metadata().ok().filter(Metadata::is_file)?;
        Some((found.len(), found.modified().ok()))
    };
    files.iter().map(look).collect()
}
