//! Files that killed runs left in the folder of a job.

use std::path::Path;

/// Returns whether a name is that of a temporary file of estoc.
pub(super) fn is_temporary(name: &str) -> bool {
    name.starts_with(".estoc-") && name.ends_with(".part")
}

/// Removes all temporary files from a folder in which no other process writes.
pub(super) fn remove_temporary_files(folder: &Path) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let is_file = entry.file_type().is_ok_and(|found| found.is_file());
        if is_file && is_temporary(&entry.file_name().to_string_lossy()) {
            // One that cannot be removed takes room, and does no other harm.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_files_are_removed_whoever_wrote_them() {
        let folder = tempfile::tempdir().unwrap();
        let names = [
            ".estoc-0.part",
            ".estoc-77-3.part",
            ".estoc-lock",
            "part-00000000.csv",
        ];
        for name in names {
            std::fs::write(folder.path().join(name), "left").unwrap();
        }
        remove_temporary_files(folder.path());
        let is_left = names.map(|name| folder.path().join(name).exists());
        assert_eq!(is_left, [false, false, true, true]);
    }
}
