//! The file of a part, which appears complete or not at all.

use super::error::JobError;
use super::identity::{digits, put};
use super::manifest::PartRecord;
use crate::output::ResultFile;
use estoc_core::CancelToken;
use estoc_system::WholeFile;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use xxhash_rust::xxh3::Xxh3Default;

/// The file of a part while it is written, under a temporary name in the folder of the job. Dropping it
/// before [`finish`](Self::finish) removes it.
#[derive(Debug)]
pub(super) struct PartFile {
    part: u64,
    path: PathBuf,
    /// The rows of the input that it answers, or would if the input went on.
    rows: Range<u64>,
    shared: Arc<Mutex<Written>>,
}

/// Writes the bytes of a part. Any number may exist; they write at the same place.
#[derive(Debug)]
pub struct PartWriter {
    shared: Arc<Mutex<Written>>,
    name: PathBuf,
}

/// What was written so far.
struct Written {
    /// `None` after the part was finished or dropped.
    file: Option<WholeFile>,
    /// The hash of the bytes, as long as they were written one after the other.
    hash: Xxh3Default,
    /// The place of the next byte.
    at: u64,
    is_sequential: bool,
    /// The first error.
    failure: Option<(io::ErrorKind, String)>,
}

impl PartFile {
    /// Creates the file of a part beside its final name. A link of that name is removed: the part
    /// belongs into the folder, and what the link leads to is not ours.
    pub(super) fn create(part: u64, path: PathBuf, rows: Range<u64>) -> Result<Self, JobError> {
        let begin = || -> io::Result<WholeFile> {
            if path.is_symlink() {
                std::fs::remove_file(&path)?;
            }
            WholeFile::beside(&path)
        };
        let file = begin().map_err(|source| JobError::of_part(&path, &rows, source))?;
        let written = Written {
            file: Some(file),
            hash: Xxh3Default::new(),
            at: 0,
            is_sequential: true,
            failure: None,
        };
        Ok(PartFile {
            part,
            path,
            rows,
            shared: Arc::new(Mutex::new(written)),
        })
    }

    /// Returns what writes to the file.
    pub(super) fn writer(&self) -> PartWriter {
        PartWriter {
            shared: Arc::clone(&self.shared),
            name: self.path.clone(),
        }
    }

    /// Returns the first error of writing, if there was one; it names the file.
    pub(super) fn failure(&self) -> Option<JobError> {
        let (kind, text) = lock(&self.shared).failure.clone()?;
        Some(self.error(io::Error::new(kind, text)))
    }

    /// Waits until the bytes are on the disk, renames the file to its final name, and returns what
    /// identifies it.
    ///
    /// # Errors
    /// When it cannot be written or renamed, or writing failed before; then it is removed.
    pub(super) fn finish(self, rays: u64, rows: u64) -> Result<PartRecord, JobError> {
        if let Some(error) = self.failure() {
            return Err(error);
        }
        let (bytes, hash) = lock(&self.shared)
            .finish()
            .map_err(|error| self.error(error))?;
        Ok(PartRecord {
            part: self.part,
            rays,
            rows,
            bytes,
            xxh3: digits(hash),
        })
    }

    fn error(&self, source: io::Error) -> JobError {
        JobError::of_part(&self.path, &self.rows, source)
    }
}

impl PartWriter {
    /// Returns the final path of the file, for messages.
    pub fn name(&self) -> String {
        self.name.display().to_string()
    }

    /// Returns the temporary path of the file; `None` once it is finished or dropped.
    pub fn path(&self) -> Option<PathBuf> {
        let written = lock(&self.shared);
        written.file.as_ref().map(|file| file.path().to_owned())
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        // A writer that still exists must not keep the file.
        lock(&self.shared).file = None;
    }
}

impl std::fmt::Debug for Written {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Written")
            .field("file", &self.file)
            .field("at", &self.at)
            .finish_non_exhaustive()
    }
}

impl Written {
    fn file(&self) -> io::Result<&File> {
        self.file.as_ref().ok_or(io::ErrorKind::NotFound)?.file()
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let most = allow(DiskStep::Write, bytes.len())?;
        let count = self.file()?.write(&bytes[..most])?;
        if self.is_sequential {
            self.hash.update(&bytes[..count]);
        }
        self.at += count as u64;
        Ok(count)
    }

    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        allow(DiskStep::Seek, 0)?;
        let at = self.file()?.seek(to)?;
        self.is_sequential &= at == self.at;
        self.at = at;
        Ok(at)
    }

    /// Returns the length and the hash of the finished file.
    fn finish(&mut self) -> io::Result<(u64, u64)> {
        let mut file = self.file.take().ok_or(io::ErrorKind::NotFound)?;
        let bytes = file.file()?.metadata()?.len();
        if !self.is_sequential {
            self.hash.reset();
            put(
                &mut self.hash,
                &mut File::open(file.path())?,
                &CancelToken::new(),
            )?;
        }
        allow(DiskStep::Sync, 0)?;
        file.sync()?;
        allow(DiskStep::Rename, 0)?;
        file.finish()?;
        Ok((bytes, self.hash.digest()))
    }

    /// Keeps the first error.
    fn keep<T>(&mut self, done: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &done
            && error.kind() != io::ErrorKind::Interrupted
        {
            self.failure
                .get_or_insert_with(|| (error.kind(), error.to_string()));
        }
        done
    }
}

impl Write for PartWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = lock(&self.shared);
        let done = written.write(bytes);
        written.keep(done)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for PartWriter {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let mut written = lock(&self.shared);
        let done = written.seek(to);
        written.keep(done)
    }
}

impl ResultFile for PartWriter {
    fn can_rewrite(&self) -> bool {
        true
    }

    fn rewrite_start(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.seek(SeekFrom::Start(0))?;
        self.write_all(bytes)?;
        self.seek(SeekFrom::End(0))?;
        Ok(())
    }
}

fn lock(shared: &Mutex<Written>) -> MutexGuard<'_, Written> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the name of a part.
pub(super) fn part_name(part: u64, format: &str) -> String {
    format!("part-{part:08}.{format}")
}

/// What a disk may fail to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DiskStep {
    Write,
    Seek,
    Sync,
    Rename,
}

/// Returns how many of these bytes may be written; in tests, the disk may be full or broken.
#[cfg(not(test))]
fn allow(_: DiskStep, bytes: usize) -> io::Result<usize> {
    Ok(bytes)
}

#[cfg(test)]
use tests::allow;

#[cfg(test)]
mod tests {
    use super::super::part_fault::fault;
    use super::*;
    use std::cell::Cell;
    use std::path::Path;

    thread_local! {
        /// The step that fails, and the number of bytes that are written before.
        static FAULT: Cell<Option<(DiskStep, usize)>> = const { Cell::new(None) };
    }

    pub(super) fn allow(step: DiskStep, bytes: usize) -> io::Result<usize> {
        match FAULT.get() {
            Some((DiskStep::Write, 0)) if step == DiskStep::Write => {
                Err(io::ErrorKind::StorageFull.into())
            }
            Some((DiskStep::Write, left)) if step == DiskStep::Write => {
                let most = bytes.min(left);
                FAULT.set(Some((DiskStep::Write, left - most)));
                Ok(most)
            }
            Some((fault, _)) if fault == step => Err(io::Error::other("the disk is broken")),
            _ => Ok(bytes),
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let name = |entry: io::Result<std::fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<String> = entries
            .map(|entry| name(entry).into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_record_identifies_the_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(part_name(7, "csv"));
        for rewrites in [false, true] {
            let part = PartFile::create(7, path.clone(), 0..9).unwrap();
            let mut writer = part.writer();
            writer.write_all(b"-----").unwrap();
            assert_eq!(writer.stream_position().unwrap(), 5);
            writer.write_all(b", hits").unwrap();
            if rewrites {
                writer.seek(SeekFrom::Start(0)).unwrap();
                writer.write_all(b"begin").unwrap();
            }
            let record = part.finish(3, 4).unwrap();
            assert_eq!(
                (record.part, record.rays, record.rows, record.bytes),
                (7, 3, 4, 11)
            );
            assert_eq!(names(folder.path()), ["part-00000007.csv"]);
            let text = std::fs::read(&path).unwrap();
            assert_eq!(
                text,
                if rewrites {
                    b"begin, hits"
                } else {
                    b"-----, hits"
                }
            );
            assert_eq!(record.xxh3, digits(xxhash_rust::xxh3::xxh3_64(&text)));
            assert_eq!(fault(&path, &record, &CancelToken::new()).unwrap(), None);
            assert!(writer.write(b"more").is_err());
            std::fs::write(&path, "begin, miss").unwrap();
            let told = fault(&path, &record, &CancelToken::new()).unwrap().unwrap();
            assert!(told.starts_with("its hash is "), "{told}");
            std::fs::write(&path, "begin").unwrap();
            let told = fault(&path, &record, &CancelToken::new()).unwrap().unwrap();
            assert_eq!(told, "it has 5 bytes instead of 11");
            std::fs::remove_file(&path).unwrap();
            let told = fault(&path, &record, &CancelToken::new()).unwrap().unwrap();
            assert_eq!(told, "it is missing");
        }
    }

    /// Whatever fails, the earlier part of this name stays as it was, and nothing else is left.
    #[test]
    fn a_disk_that_fails_leaves_no_part() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(part_name(0, "csv"));
        std::fs::write(&path, "old").unwrap();
        let steps = [DiskStep::Seek, DiskStep::Sync, DiskStep::Rename].map(|step| (step, 0));
        let full = [0, 1, 4, 5, 9].map(|bytes| (DiskStep::Write, bytes));
        for (step, bytes) in steps.into_iter().chain(full) {
            FAULT.set(Some((step, bytes)));
            let part = PartFile::create(0, path.clone(), 300..400).unwrap();
            let mut writer = part.writer();
            let mut write = || -> io::Result<()> {
                writer.write_all(b"01234")?;
                writer.seek(SeekFrom::Start(0))?;
                writer.write_all(b"56789")
            };
            let written = write();
            assert_eq!(
                written.is_ok(),
                matches!(step, DiskStep::Sync | DiskStep::Rename)
            );
            // Even if the one who writes ignores the error.
            let told = part.finish(1, 1).unwrap_err().to_string();
            let problem = match step {
                DiskStep::Write => "no storage space",
                _ => "the disk is broken",
            };
            assert_eq!(
                told,
                format!(
                    "cannot write {}, the part of rows 300 to 399: {problem}",
                    path.display()
                )
            );
            FAULT.set(None);
            assert_eq!(
                names(folder.path()),
                ["part-00000000.csv"],
                "{step:?} {bytes}"
            );
            assert_eq!(std::fs::read(&path).unwrap(), b"old");
        }
    }

    #[test]
    fn a_part_that_is_dropped_is_removed_though_a_writer_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let part = PartFile::create(0, folder.path().join(part_name(0, "npy")), 300..400).unwrap();
        let mut writer = part.writer();
        writer.write_all(b"some").unwrap();
        assert_eq!(names(folder.path()).len(), 1);
        drop(part);
        assert_eq!(names(folder.path()), Vec::<String>::new());
        assert!(writer.write(b"more").is_err());
    }
}
