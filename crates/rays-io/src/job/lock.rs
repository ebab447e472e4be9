//! The lock of a folder, which ends with the process that holds it.

use super::error::{FolderProblem, JobError};
use estoc_system::open_file;
use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// The name of the empty file that is locked.
pub(super) const LOCK_NAME: &str = ".estoc-lock";

/// A locked folder. The lock ends when this is dropped, or when the process ends for any reason.
#[derive(Debug)]
pub(super) struct FolderLock {
    _file: File,
    /// Why the folder could not be locked, on file systems without locks.
    pub(super) missing: Option<String>,
}

impl FolderLock {
    /// Locks a folder for the only process that writes to it.
    pub(super) fn exclusive(folder: &Path) -> Result<Self, JobError> {
        let path = folder.join(LOCK_NAME);
        match open_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(JobError::io("lock", &path, error));
            }
            _ => {}
        }
        let mut options = File::options();
        // Some network file systems lock only what is open for writing.
        let file = options.read(true).write(true).create(true).truncate(false);
        let file = file
            .open(&path)
            .map_err(|source| JobError::io("create", &path, source))?;
        FolderLock::of(folder, File::try_lock(&file), file)
    }

    /// Locks a folder for one of several processes that read it; a folder without the file needs no
    /// lock.
    pub(super) fn shared(folder: &Path) -> Result<Option<Self>, JobError> {
        let path = folder.join(LOCK_NAME);
        match open_file(&path) {
            Ok(file) => FolderLock::of(folder, File::try_lock_shared(&file), file).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(JobError::io("read", &path, source)),
        }
    }

    fn of(folder: &Path, locked: Result<(), TryLockError>, file: File) -> Result<Self, JobError> {
        let missing = match locked {
            Ok(()) => None,
            Err(TryLockError::WouldBlock) => return Err(FolderProblem::InUse.of(folder)),
            Err(TryLockError::Error(error)) => Some(error.to_string()),
        };
        Ok(FolderLock {
            _file: file,
            missing,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_writes_or_several_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        assert!(FolderLock::shared(path).unwrap().is_none());
        let writer = FolderLock::exclusive(path).unwrap();
        assert_eq!(writer.missing, None);
        let told = FolderLock::exclusive(path).unwrap_err().to_string();
        let expected = format!(
            "{}: another run of estoc works in this folder; wait until it ends, or name another folder",
            path.display()
        );
        assert_eq!(told, expected);
        let in_use = |error: JobError| error.to_string() == expected;
        assert!(in_use(FolderLock::shared(path).unwrap_err()));
        drop(writer);
        let readers = [(); 2].map(|()| FolderLock::shared(path).unwrap().unwrap());
        assert!(in_use(FolderLock::exclusive(path).unwrap_err()));
        drop(readers);
        FolderLock::exclusive(path).unwrap();
    }
}
