//! A file that appears complete or not at all.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// A file beside the one that it is going to be; gone when it is dropped before that.
pub(super) struct Part {
    file: Option<File>,
    path: PathBuf,
    /// What it will replace: where a link leads to, so that it stays one.
    target: PathBuf,
}

impl Part {
    /// An empty file in the folder of another, which need not be there.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        /// As many as an unlucky folder may hold of earlier runs with this number.
        const TRIES: u32 = 1000;
        let target = end_of_links(path)?;
        target.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        let mut last = io::ErrorKind::AlreadyExists.into();
        for number in 0..TRIES {
            // Short, whatever the name: that may be as long as the system bears.
            let part = format!(".estoc-{}-{number}.part", std::process::id());
            let path = target.with_file_name(part);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    return Ok(Part {
                        file: Some(file),
                        path,
                        target,
                    });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
                Err(error) => return Err(error),
            }
        }
        Err(last)
    }

    pub(super) fn file(&mut self) -> io::Result<&mut File> {
        self.file.as_mut().ok_or(io::ErrorKind::NotFound.into())
    }

    /// Gives it its name, once all of it is on the disk.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.file()?.sync_all()?;
        // Closed, which some systems want before it gets another name.
        self.file = None;
        std::fs::rename(&self.path, &self.target)?;
        self.path = PathBuf::new();
        sync_folder(&self.target);
        Ok(())
    }
}

/// Where links lead to, be there a file or not yet.
fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    /// More than systems follow.
    const MOST: usize = 64;
    let mut target = path.to_owned();
    for _ in 0..MOST {
        match target.read_link() {
            // From the folder that the link is in.
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            // It is none, or not there.
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}

/// So that the name outlives a power failure too. A system that cannot do it has written the
/// file nevertheless.
fn sync_folder(file: &Path) {
    #[cfg(unix)]
    {
        let folder = file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
            let _ = folder.sync_all();
        }
    }
    #[cfg(not(unix))]
    let _ = file;
}

impl Drop for Part {
    fn drop(&mut self) {
        self.file = None;
        if !self.path.as_os_str().is_empty() {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
