//! The folder of a job.

use super::error::{FolderProblem, JobError};
use super::identity::InputIdentity;
use super::job_description::{JobDescription, JobDifference};
use super::journal::Journal;
use super::lock::{FolderLock, LOCK_NAME};
use super::manifest::{MANIFEST_NAME, Manifest, PartRecord};
use super::own_files::{is_temporary, remove_temporary_files};
use super::part::{PartFile, part_name};
use super::part_fault::fault;
use super::shard::Shard;
use estoc_core::CancelToken;
use estoc_system::WholeFile;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The most parts of a job, so that its manifest stays small.
const MOST_PARTS: u64 = 1_000_000;

/// The folder of a job, locked by this process.
#[derive(Debug)]
pub struct JobFolder {
    path: PathBuf,
    manifest: Manifest,
    /// The finished parts.
    records: BTreeMap<u64, PartRecord>,
    /// The number of rows of the input, as soon as it is known.
    rays: Option<u64>,
    /// The part before which all are finished.
    next: Option<u64>,
    journal: Journal,
    notes: Vec<String>,
    _lock: FolderLock,
}

/// How the folder of a job is opened.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions<'a> {
    /// Whether to go on with a job that was begun.
    pub resume: bool,
    /// The number of rows of the input, if it is known: a job of too many parts then is not begun.
    pub rays: Option<u64>,
    /// Cancels the check of finished parts when it is set.
    pub cancel: Option<&'a CancelToken>,
}

impl JobFolder {
    /// Locks the folder, which is created if it does not exist, and begins the job, or goes on with it
    /// if it was begun and `resume` is set. Removes the temporary files of killed runs. Checks the
    /// finished parts: those that are missing or damaged are made again, as [`notes`](Self::notes)
    /// tells.
    ///
    /// # Errors
    /// Returns a [`JobError`] if another process works in the folder, if a job was begun there and
    /// `resume` is not set, if that is another job, if the folder holds anything else, if the job would
    /// have too many parts, if the folder cannot be read or written, and if it is cancelled.
    pub fn open(
        path: &Path,
        job: JobDescription,
        shard: Option<Shard>,
        options: OpenOptions<'_>,
    ) -> Result<Self, JobError> {
        if options
            .rays
            .is_some_and(|rays| parts_of(rays, job.part_rows) > MOST_PARTS)
        {
            return Err(too_many_parts(job.part_rows));
        }
        match std::fs::create_dir(path) {
            Ok(()) => WholeFile::sync_name(path),
            Err(source) if source.kind() != io::ErrorKind::AlreadyExists => {
                return Err(JobError::io("create", path, source));
            }
            Err(_) if !path.is_dir() => {
                return Err(JobError::io(
                    "create",
                    path,
                    io::ErrorKind::NotADirectory.into(),
                ));
            }
            Err(_) => refuse_other_files(path)?,
        }
        let lock = FolderLock::exclusive(path)?;
        WholeFile::remove_leftovers(path);
        let mut notes = Vec::new();
        if let Some(problem) = &lock.missing {
            notes.push(format!(
                "{}: the folder cannot be locked ({problem}); make sure that no other run writes to it",
                path.display()
            ));
            // Nothing tells which of these files are in use; only one run may write here, which is this.
            remove_temporary_files(path);
        }
        let wanted = Manifest::new(job, shard);
        let manifest = match Manifest::read(path)? {
            Some(_) if !options.resume => return Err(FolderProblem::Begun.of(path)),
            Some(there) => {
                refuse_other_job(path, &there, &wanted)?;
                there
            }
            None => {
                wanted.write(path)?;
                wanted
            }
        };
        let (journal, journaled) = Journal::open(path)?;
        let records = match manifest.rays {
            Some(_) => manifest.parts.clone(),
            None => journaled,
        };
        let mut folder = JobFolder {
            path: path.to_owned(),
            rays: manifest.rays,
            manifest,
            records: BTreeMap::new(),
            next: None,
            journal,
            notes,
            _lock: lock,
        };
        let cancel = options.cancel.cloned().unwrap_or_default();
        for record in records {
            folder.take(record, &cancel)?;
        }
        Ok(folder)
    }

    /// Returns what the user should know about the folder, one line each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns what the job is.
    pub fn job(&self) -> &JobDescription {
        &self.manifest.job
    }

    /// Returns the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns which of the job's parts the folder has; `None` for all.
    pub fn shard(&self) -> Option<Shard> {
        self.manifest.shard
    }

    /// Returns the finished parts in their order.
    pub fn parts(&self) -> impl Iterator<Item = &PartRecord> {
        self.records.values()
    }

    /// Returns the number of rows of the input, if it is known yet.
    pub fn rays(&self) -> Option<u64> {
        self.rays
    }

    /// Returns the number of parts that the folder will have, if it is known yet.
    pub fn part_count(&self) -> Option<u64> {
        let (first, step) = Shard::first_and_step(self.manifest.shard);
        Some(self.end()?.saturating_sub(first).div_ceil(step))
    }

    /// Sets the number of rows of the input.
    ///
    /// # Errors
    /// [`JobError::InputChanged`] if it was another one, and [`JobError::TooManyParts`].
    pub fn set_rays(&mut self, rays: u64) -> Result<(), JobError> {
        let before = self.rays.or_else(|| {
            let end = |record: &PartRecord| self.rows_of(record.part).start + record.rays;
            let most = self.records.values().map(end).max();
            most.filter(|&most| most > rays)
        });
        if let Some(before) = before.filter(|&before| before != rays) {
            return Err(JobError::InputChanged(JobDifference {
                what: "the number of rows of the input".into(),
                first: before.to_string(),
                second: rays.to_string(),
            }));
        }
        self.rays = Some(rays);
        match self.end() {
            Some(end) if end > MOST_PARTS => Err(too_many_parts(self.manifest.job.part_rows)),
            _ => Ok(()),
        }
    }

    /// Returns the first part that is not finished; `None` if none is left. If the number of rows of the
    /// input is not known, the part may be beyond its end.
    ///
    /// # Errors
    /// [`JobError::TooManyParts`].
    pub(super) fn next_part(&mut self) -> Result<Option<u64>, JobError> {
        let (first, step) = Shard::first_and_step(self.manifest.shard);
        let next = self.next.get_or_insert(first);
        while self.records.contains_key(next) {
            *next += step;
        }
        let next = *next;
        match self.end() {
            Some(end) if next >= end => Ok(None),
            _ if next >= MOST_PARTS => Err(too_many_parts(self.manifest.job.part_rows)),
            _ => Ok(Some(next)),
        }
    }

    /// Returns the rows of the input that a part answers.
    pub(super) fn rows_of(&self, part: u64) -> Range<u64> {
        let rows = self.manifest.job.part_rows;
        let start = part.saturating_mul(rows);
        start
            ..start
                .saturating_add(rows)
                .min(self.rays.unwrap_or(u64::MAX))
    }

    /// Creates the file of a part.
    pub(super) fn create_part(&self, part: u64) -> Result<PartFile, JobError> {
        PartFile::create(part, self.part_path(part), self.rows_of(part))
    }

    /// Gives the file of a part its name, and records it.
    pub(super) fn finish_part(
        &mut self,
        file: PartFile,
        rays: u64,
        rows: u64,
    ) -> Result<&PartRecord, JobError> {
        let record = file.finish(rays, rows)?;
        self.journal.add(&record)?;
        Ok(self
            .records
            .entry(record.part)
            .insert_entry(record)
            .into_mut())
    }

    /// Writes the list of parts to the manifest, after the last one.
    ///
    /// # Errors
    /// Returns a [`JobError`] if the manifest cannot be written.
    pub fn complete(&mut self) -> Result<(), JobError> {
        let (rays, parts) = (self.rays, self.records.values().cloned().collect());
        if self.manifest.rays != rays || self.manifest.parts != parts {
            self.manifest.rays = rays;
            self.manifest.parts = parts;
            self.manifest.write(&self.path)?;
        }
        Journal::remove(&self.path)
    }

    fn part_path(&self, part: u64) -> PathBuf {
        self.path.join(part_name(part, &self.manifest.job.format))
    }

    /// Returns the number of parts of the whole job, if it is known.
    fn end(&self) -> Option<u64> {
        Some(parts_of(self.rays?, self.manifest.job.part_rows))
    }

    /// Takes over a part that an earlier run finished, unless something is wrong with it.
    fn take(&mut self, record: PartRecord, cancel: &CancelToken) -> Result<(), JobError> {
        let part = record.part;
        let (first, step) = Shard::first_and_step(self.manifest.shard);
        let rows = self.manifest.job.part_rows;
        if part >= MOST_PARTS || part % step != first || record.rays > rows {
            let problem =
                format!("part {part} is not one of this job; begin again in another folder");
            return Err(JobError::damaged(&self.path.join(MANIFEST_NAME), problem));
        }
        let path = self.part_path(part);
        let fault = fault(&path, &record, cancel)?;
        if cancel.is_cancelled() {
            return Err(JobError::Cancelled);
        }
        if let Some(fault) = fault {
            let path = path.display();
            self.notes
                .push(format!("{path}: {fault}; the part is made again"));
            return Ok(());
        }
        let is_last = record.rays < rows;
        let end = self.rows_of(part).start + record.rays;
        self.records.insert(part, record);
        match is_last {
            true => self.set_rays(end),
            false => Ok(()),
        }
    }
}

/// Returns the number of parts of a job. There is always one, so that the columns of an empty result are
/// known.
fn parts_of(rays: u64, part_rows: u64) -> u64 {
    rays.div_ceil(part_rows).max(1)
}

fn too_many_parts(part_rows: u64) -> JobError {
    let most = MOST_PARTS;
    JobError::TooManyParts { most, part_rows }
}

/// Returns an error if a folder without a job holds anything that jobs do not leave there.
fn refuse_other_files(path: &Path) -> Result<(), JobError> {
    let read = |source| JobError::io("read", path, source);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(path).map_err(read)? {
        let name = entry.map_err(read)?.file_name();
        names.push(name.to_string_lossy().into_owned());
    }
    if names.iter().any(|name| name == MANIFEST_NAME) {
        return Ok(());
    }
    let is_own = |name: &&String| name.as_str() == LOCK_NAME || is_temporary(name);
    names.sort();
    match names.iter().find(|name| !is_own(name)) {
        None => Ok(()),
        Some(name) => Err(FolderProblem::NotEmpty(name.clone()).of(path)),
    }
}

/// Returns an error if the job in a folder is not the one that is wanted, or cannot be resumed.
fn refuse_other_job(path: &Path, there: &Manifest, wanted: &Manifest) -> Result<(), JobError> {
    let shard = |manifest: &Manifest| match manifest.shard {
        Some(shard) => shard.to_string(),
        None => "not given".to_owned(),
    };
    let difference = there.job.difference(&wanted.job);
    let shards = || JobDifference::between("--shard", shard(there), shard(wanted));
    match difference.or_else(shards) {
        Some(difference) => Err(FolderProblem::OtherJob(difference).of(path)),
        None if wanted.job.input == InputIdentity::Stdin => Err(FolderProblem::Stdin.of(path)),
        None => Ok(()),
    }
}
