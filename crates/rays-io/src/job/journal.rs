//! The list of finished parts of a job that is not complete.

use super::error::JobError;
use super::manifest::PartRecord;
use estoc_system::open_file;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The name of the journal in its folder.
pub(super) const JOURNAL_NAME: &str = "_journal.jsonl";

/// The list of finished parts: a line of JSON for each, in the order in which they were finished.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    path: PathBuf,
    /// The length of the lines that are whole.
    length: u64,
}

impl Journal {
    /// Reads the journal of a folder, and opens it for more records. What a killed process left of a
    /// line is cut off.
    pub(super) fn open(folder: &Path) -> Result<(Self, Vec<PartRecord>), JobError> {
        let path = folder.join(JOURNAL_NAME);
        let open = || -> io::Result<(File, Vec<u8>)> {
            let mut text = Vec::new();
            match open_file(&path) {
                Ok(mut file) => drop(file.read_to_end(&mut text)?),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            let file = File::options().append(true).create(true).open(&path)?;
            Ok((file, text))
        };
        let (file, text) = open().map_err(|source| JobError::io("write", &path, source))?;
        let (mut records, mut length) = (Vec::new(), 0);
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            match serde_json::from_slice::<PartRecord>(line) {
                Ok(record) if line.ends_with(b"\n") => records.push(record),
                _ => break,
            }
            length += line.len() as u64;
        }
        let journal = Journal { file, path, length };
        let cut = journal.file.set_len(length);
        cut.map_err(|source| JobError::io("write", &journal.path, source))?;
        Ok((journal, records))
    }

    /// Adds a record, and waits until it is on the disk. After a failure the journal is as before.
    pub(super) fn add(&mut self, record: &PartRecord) -> Result<(), JobError> {
        let mut add = || -> io::Result<u64> {
            let mut line = serde_json::to_vec(record)?;
            line.push(b'\n');
            self.file.write_all(&line)?;
            self.file.sync_all()?;
            Ok(line.len() as u64)
        };
        match add() {
            Ok(length) => {
                self.length += length;
                Ok(())
            }
            Err(source) => {
                // If this fails too, the next run cuts off what is left of the line.
                let _ = self.file.set_len(self.length);
                Err(JobError::io("write", &self.path, source))
            }
        }
    }

    /// Removes the journal.
    pub(super) fn remove(folder: &Path) -> Result<(), JobError> {
        let path = folder.join(JOURNAL_NAME);
        match std::fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(JobError::io("remove", &path, source))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(part: u64) -> PartRecord {
        PartRecord {
            part,
            rays: 10,
            rows: 10,
            bytes: 100,
            xxh3: "00".into(),
        }
    }

    #[test]
    fn a_line_that_was_cut_off_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(JOURNAL_NAME);
        let (mut journal, records) = Journal::open(folder.path()).unwrap();
        assert_eq!(records, []);
        for part in 0..3 {
            journal.add(&record(part)).unwrap();
        }
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let line = whole.len() / 3;
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let (mut journal, records) = Journal::open(folder.path()).unwrap();
            let expected: Vec<PartRecord> = (0..(length / line) as u64).map(record).collect();
            assert_eq!(records, expected, "{length}");
            journal.add(&record(7)).unwrap();
            let (_, records) = Journal::open(folder.path()).unwrap();
            assert_eq!(records.len(), expected.len() + 1);
            assert_eq!(records.last(), Some(&record(7)));
        }
        // A disk that lost power may hold zeros.
        std::fs::write(&path, [&whole[..line], &[0; 50]].concat()).unwrap();
        assert_eq!(Journal::open(folder.path()).unwrap().1, [record(0)]);
        Journal::remove(folder.path()).unwrap();
        Journal::remove(folder.path()).unwrap();
        assert!(!path.exists());
    }
}
