//! The names of the files that belong to a job, and those that killed runs left.

use super::journal::JOURNAL_NAME;
use super::lock::LOCK_NAME;
use super::manifest::MANIFEST_NAME;
use std::path::Path;

/// Returns the folder of the job that a file belongs to, or would if it existed: its lock, its manifest,
/// its journal, a part or a temporary file. `None` for any other file, and in a folder without a job.
pub fn folder_of_job_file(path: &Path) -> Option<&Path> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent()?;
    let is_own = [LOCK_NAME, MANIFEST_NAME, JOURNAL_NAME].contains(&name)
        || is_temporary(name)
        || is_part(name);
    let has = |name: &&str| folder.join(name).symlink_metadata().is_ok();
    let has_job = || [LOCK_NAME, MANIFEST_NAME].iter().any(has);
    (is_own && has_job()).then_some(folder)
}

/// Returns whether a name is that of a part in any format.
fn is_part(name: &str) -> bool {
    let number = name
        .strip_prefix("part-")
        .and_then(|rest| rest.split_once('.'));
    number.is_some_and(|(number, _)| {
        number.len() >= 8 && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

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
    fn files_of_a_job_are_known_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let own = [
            ".estoc-lock",
            "_manifest.json",
            "_journal.jsonl",
            "part-00000007.csv",
            ".estoc-3.part",
        ];
        let told = |name: &str| folder_of_job_file(&folder.path().join(name)).is_some();
        assert_eq!(own.map(told), [false; 5]);
        std::fs::write(folder.path().join(MANIFEST_NAME), "").unwrap();
        assert_eq!(own.map(told), [true; 5]);
        let others = ["hits.csv", "part-7.csv", "part-0000000x.csv", "lock"];
        assert_eq!(others.map(told), [false; 4]);
    }

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
