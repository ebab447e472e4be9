//! A file that appears complete or not at all.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// A file that is written under a temporary name in the folder of its final one. Dropping it before
/// [`finish`](Self::finish) removes it.
///
/// Temporary names are `.estoc-0.part`, `.estoc-1.part` and so on: the first that is free in the
/// folder. If a process is killed, its file remains; the next process that writes to the folder
/// removes it. A lock, which ends with the process, marks the files still in use. This holds on
/// Unix; elsewhere the name contains the process id, and nothing is removed.
#[derive(Debug)]
pub struct WholeFile {
    file: Option<File>,
    path: PathBuf,
    /// The file to replace: the target if the path is a link, so that the link stays one.
    target: PathBuf,
    is_synced: bool,
}

/// The largest number of files that can be written to one folder at a time.
const MOST: u32 = 1000;

impl WholeFile {
    /// Creates an empty file in the folder of `path`, which need not exist itself.
    ///
    /// If it exists, the new file has its mode bits; otherwise those that new files usually have.
    ///
    /// # Errors
    /// When the folder does not exist, or nothing may be written there.
    pub fn beside(path: &Path) -> io::Result<Self> {
        let target = end_of_links(path)?;
        target.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let mode = Mode::of(&target);
        mode.begin(&mut options);
        remove_leftovers_beside(&target);
        for number in 0..MOST {
            let path = part(&target, number);
            let file = match options.open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            };
            if !is_held(&file, &path) {
                continue;
            }
            let part = WholeFile {
                file: Some(file),
                path,
                target,
                is_synced: false,
            };
            mode.set(part.file()?)?;
            return Ok(part);
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Removes the temporary files that killed processes left in a folder.
    pub fn remove_leftovers(folder: &Path) {
        remove_leftovers_beside(&folder.join("any"));
    }

    /// Waits until the name of a new file or folder is on the disk, so that it survives a power failure.
    /// Where the system cannot do that, does nothing.
    pub fn sync_name(path: &Path) {
        #[cfg(unix)]
        {
            let folder = path
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
                let _ = folder.sync_all();
            }
        }
        #[cfg(not(unix))]
        let _ = path;
    }

    /// Returns the temporary path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the file, for writing.
    ///
    /// # Errors
    /// None before [`finish`](Self::finish).
    pub fn file(&self) -> io::Result<&File> {
        self.file.as_ref().ok_or(io::ErrorKind::NotFound.into())
    }

    /// Waits until everything written is on the disk; [`finish`](Self::finish) then does so for the
    /// name.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub fn sync(&mut self) -> io::Result<()> {
        self.file()?.sync_all()?;
        self.is_synced = true;
        Ok(())
    }

    /// Renames the file to its final name, replacing an existing file.
    ///
    /// # Errors
    /// When it cannot be renamed; then it is removed.
    pub fn finish(mut self) -> io::Result<()> {
        // Unix keeps the file open, and locked, until it has its name. Other systems require it
        // closed.
        if cfg!(not(unix)) {
            self.file = None;
        }
        std::fs::rename(&self.path, &self.target)?;
        self.path = PathBuf::new();
        if self.is_synced {
            WholeFile::sync_name(&self.target);
        }
        Ok(())
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            if cfg!(not(unix)) {
                self.file = None;
            }
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Returns a temporary name in the folder of a file. It is short, whatever the file's name: that
/// may be as long as the system allows.
fn part(target: &Path, number: u32) -> PathBuf {
    let name = match cfg!(unix) {
        true => format!(".estoc-{number}.part"),
        false => format!(".estoc-{}-{number}.part", std::process::id()),
    };
    target.with_file_name(name)
}

/// Locks a file that was just created, and returns whether it is still there: another process may
/// have taken it for a leftover before it was locked.
#[cfg(unix)]
fn is_held(file: &File, path: &Path) -> bool {
    use std::fs::TryLockError;
    use std::os::unix::fs::MetadataExt;
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return false;
    }
    // If the system has no locks, no process removes such files either.
    let own = file.metadata();
    let found = path.symlink_metadata();
    matches!((own, found), (Ok(a), Ok(b)) if (a.dev(), a.ino()) == (b.dev(), b.ino()))
}

#[cfg(not(unix))]
fn is_held(_: &File, _: &Path) -> bool {
    true
}

/// Removes the temporary files that processes left in the folder of `target` when they were killed.
#[cfg(unix)]
fn remove_leftovers_beside(target: &Path) {
    /// The number of names tried even if there is no file of an earlier name.
    const ALWAYS: u32 = 16;
    for number in 0..MOST {
        let path = part(target, number);
        match path.symlink_metadata() {
            Ok(found) if found.is_file() => {
                // Some network file systems lock only what is open for writing.
                let file = OpenOptions::new().read(true).write(true).open(&path);
                let file = file.or_else(|_| File::open(&path));
                // Removed while it is locked, so that no other process takes it meanwhile.
                if let Ok(file) = file
                    && file.try_lock().is_ok()
                {
                    let _ = std::fs::remove_file(&path);
                }
            }
            Ok(_) => {}
            Err(_) if number >= ALWAYS => return,
            Err(_) => {}
        }
    }
}

#[cfg(not(unix))]
fn remove_leftovers_beside(_: &Path) {}

/// The mode bits of the file that is replaced.
#[cfg(unix)]
struct Mode(Option<u32>);

#[cfg(unix)]
impl Mode {
    fn of(target: &Path) -> Self {
        use std::os::unix::fs::PermissionsExt;
        let found = target.metadata().ok().filter(std::fs::Metadata::is_file);
        Mode(found.map(|found| found.permissions().mode() & 0o7777))
    }

    /// Restricts the new file to users who may open the old one, even while it is empty.
    fn begin(&self, options: &mut OpenOptions) {
        use std::os::unix::fs::OpenOptionsExt;
        if let Some(mode) = self.0 {
            options.mode(mode & 0o777);
        }
    }

    /// Sets the bits that the process's mask left out.
    fn set(&self, file: &File) -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        match self.0 {
            Some(mode) if file.metadata()?.permissions().mode() & 0o7777 != mode => {
                file.set_permissions(std::fs::Permissions::from_mode(mode))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(not(unix))]
struct Mode;

#[cfg(not(unix))]
impl Mode {
    fn of(_: &Path) -> Self {
        Mode
    }

    fn begin(&self, _: &mut OpenOptions) {}

    fn set(&self, _: &File) -> io::Result<()> {
        Ok(())
    }
}

/// Returns where links lead to, whether a file exists there or not.
fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    /// More links than systems follow.
    const MOST: usize = 64;
    let mut target = path.to_owned();
    for _ in 0..MOST {
        match target.read_link() {
            // Relative to the folder of the link.
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            // Not a link, or nonexistent.
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Write;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn it_appears_complete_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a");
        let [one, other] = [(); 2].map(|()| WholeFile::beside(&target).unwrap());
        one.file().unwrap().write_all(b"one").unwrap();
        assert_eq!(names(folder.path()), [".estoc-0.part", ".estoc-1.part"]);
        drop(other);
        assert_eq!(names(folder.path()), [".estoc-0.part"]);
        one.finish().unwrap();
        assert_eq!(names(folder.path()), ["a"]);
        assert_eq!(std::fs::read(target).unwrap(), b"one");
    }

    #[test]
    fn leftovers_are_removed_and_files_in_use_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a");
        let in_use = WholeFile::beside(&target).unwrap();
        for left in [".estoc-1.part", ".estoc-9.part"] {
            std::fs::write(folder.path().join(left), "left").unwrap();
        }
        let elsewhere = folder.path().join("elsewhere");
        std::fs::write(&elsewhere, "kept").unwrap();
        symlink(&elsewhere, folder.path().join(".estoc-2.part")).unwrap();
        let mine = WholeFile::beside(&target).unwrap();
        assert_eq!(
            names(folder.path()),
            [
                ".estoc-0.part",
                ".estoc-1.part",
                ".estoc-2.part",
                "elsewhere"
            ]
        );
        assert!(mine.path().ends_with(".estoc-1.part"));
        assert_eq!(std::fs::read(&elsewhere).unwrap(), b"kept");
        std::fs::write(folder.path().join(".estoc-7.part"), "left").unwrap();
        WholeFile::remove_leftovers(folder.path());
        let [first, second] = [".estoc-0.part", ".estoc-1.part"];
        assert_eq!(
            names(folder.path()),
            [first, second, ".estoc-2.part", "elsewhere"]
        );
        drop((in_use, mine));
    }

    #[test]
    fn mode_bits_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a");
        for mode in [0o600, 0o644, 0o666, 0o755, 0o400] {
            std::fs::write(&target, "old").unwrap();
            std::fs::set_permissions(&target, std::fs::Permissions::from_mode(mode)).unwrap();
            let part = WholeFile::beside(&target).unwrap();
            let bits = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o7777;
            assert_eq!(bits(part.path()), mode, "{mode:o}");
            part.finish().unwrap();
            assert_eq!(bits(&target), mode, "{mode:o}");
            std::fs::remove_file(&target).unwrap();
        }
    }

    #[test]
    fn a_link_stays_a_link_even_if_it_leads_to_nothing() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("sub")).unwrap();
        let link = folder.path().join("link");
        symlink("sub/file", &link).unwrap();
        let part = WholeFile::beside(&link).unwrap();
        part.file().unwrap().write_all(b"new").unwrap();
        part.finish().unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(
            std::fs::read(folder.path().join("sub/file")).unwrap(),
            b"new"
        );
        symlink("b", folder.path().join("c")).unwrap();
        symlink("c", folder.path().join("b")).unwrap();
        assert!(WholeFile::beside(&folder.path().join("b")).is_err());
    }
}
