//! Errors of jobs.

use super::identity::InputIdentity;
use super::job_description::Difference;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// An error of a job.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// A file or a folder that cannot be read or written.
    #[error("cannot {doing} {path}: {source}", path = path.display())]
    #[non_exhaustive]
    Io {
        /// What could not be done with it: `read`, `write`, `create` or `lock`.
        doing: &'static str,
        /// The file or the folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file of a part that cannot be written.
    #[error("cannot write {path}, the part of rows {} to {}: {source}", rows.start,
            rows.end.saturating_sub(1), path = path.display())]
    #[non_exhaustive]
    Part {
        /// The file.
        path: PathBuf,
        /// The rows of the input that it answers, or would if the input went on.
        rows: Range<u64>,
        /// The reason.
        source: io::Error,
    },
    /// Another process works in the folder.
    #[error(
        "{folder}: another run of estoc works in this folder; wait until it ends, or name another \
         folder", folder = folder.display()
    )]
    #[non_exhaustive]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder holds a job, and the caller does not want to go on with it.
    #[error(
        "{folder}: a job was begun in this folder; add --resume to go on with it, or name another \
         folder", folder = folder.display()
    )]
    #[non_exhaustive]
    Begun {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder holds files, but no job.
    #[error(
        "{folder}: the folder holds {name:?}, but no job; name an empty folder, or one that does not \
         exist", folder = folder.display()
    )]
    #[non_exhaustive]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
        /// The first name in it.
        name: String,
    },
    /// The job in the folder is another one.
    #[error(
        "{folder}: the job in this folder is another one: {what} is {there} there, but {here} now; name \
         another folder", folder = folder.display()
    )]
    #[non_exhaustive]
    OtherJob {
        /// The folder.
        folder: PathBuf,
        /// What differs.
        what: String,
        /// Its value in the folder.
        there: String,
        /// Its value now.
        here: String,
    },
    /// A job whose input was stdin is to be resumed.
    #[error(
        "{folder}: its job reads stdin, which cannot be read a second time; name another folder, or put \
         the rays into a file", folder = folder.display()
    )]
    #[non_exhaustive]
    Stdin {
        /// The folder.
        folder: PathBuf,
    },
    /// The input is not what it was when the job began.
    #[error(
        "the input changed while the job ran: {what} was {before}, and is {now}; begin again in another \
         folder"
    )]
    #[non_exhaustive]
    InputChanged {
        /// What changed.
        what: String,
        /// Its value before.
        before: String,
        /// Its value after.
        now: String,
    },
    /// A job would have more parts than jobs may have.
    #[error("the job would have more than {most} parts; give --part-rows more than {part_rows}")]
    #[non_exhaustive]
    TooManyParts {
        /// The most parts of a job.
        most: u64,
        /// The number of rows of each part.
        part_rows: u64,
    },
    /// A file of the job that is not what estoc writes.
    #[error("{path}: {problem}", path = path.display())]
    #[non_exhaustive]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and the way out.
        problem: String,
    },
    /// A folder to merge that does not exist.
    #[error(
        "{folder}: there is no such folder; name folders that estoc cast --out-dir wrote",
        folder = folder.display()
    )]
    #[non_exhaustive]
    NoFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// A folder to merge that has no job.
    #[error(
        "{folder}: there is no _manifest.json in this folder; name folders that estoc cast --out-dir wrote",
        folder = folder.display()
    )]
    #[non_exhaustive]
    NoJob {
        /// The folder.
        folder: PathBuf,
    },
    /// A folder to merge whose job is not complete.
    #[error(
        "{folder}: its job is not complete; run its command again with --resume", folder = folder.display()
    )]
    #[non_exhaustive]
    Incomplete {
        /// The folder.
        folder: PathBuf,
    },
    /// Shards to merge that read stdin or a pipe, each its own.
    #[error(
        "{folder}: its shard reads stdin or a pipe, and nothing tells whether the others read the same \
         rays; put the rays into a file, and cast it again", folder = folder.display()
    )]
    #[non_exhaustive]
    StdinShard {
        /// The folder.
        folder: PathBuf,
    },
    /// Folders to merge that do not have the same job.
    #[error(
        "{first} and {second} hold parts of different jobs: {what} is {one} in the first of them, but \
         {other} in the second", first = first.display(), second = second.display()
    )]
    #[non_exhaustive]
    DifferentJobs {
        /// The folder that was named first.
        first: PathBuf,
        /// The folder that differs from it.
        second: PathBuf,
        /// What differs.
        what: String,
        /// Its value in the first folder.
        one: String,
        /// Its value in the second folder.
        other: String,
    },
    /// A part that no folder has.
    #[error("part {part} is in none of the folders; name the folder of shard {shard}, too")]
    #[non_exhaustive]
    MissingPart {
        /// The number of the part, from 0.
        part: u64,
        /// A shard that has the part.
        shard: String,
    },
    /// What the parts were merged to cannot be written.
    #[error("cannot write: {source}")]
    #[non_exhaustive]
    Output {
        /// The reason.
        source: io::Error,
    },
    /// The work was cancelled.
    #[error("the job was cancelled")]
    Cancelled,
}

impl JobError {
    pub(super) fn io(doing: &'static str, path: &Path, source: io::Error) -> Self {
        JobError::Io {
            doing,
            path: path.to_owned(),
            source,
        }
    }

    pub(super) fn of_part(path: &Path, rows: &Range<u64>, source: io::Error) -> Self {
        JobError::Part {
            path: path.to_owned(),
            rows: rows.clone(),
            source,
        }
    }

    pub(super) fn damaged(path: &Path, problem: impl Into<String>) -> Self {
        JobError::Damaged {
            path: path.to_owned(),
            problem: problem.into(),
        }
    }

    /// Returns an error if the input is no longer what it was.
    ///
    /// # Errors
    /// [`JobError::InputChanged`].
    pub fn refuse_changed(before: &InputIdentity, now: &InputIdentity) -> Result<(), JobError> {
        match before.difference(now) {
            None => Ok(()),
            Some(Difference {
                what,
                first,
                second,
            }) => Err(JobError::InputChanged {
                what,
                before: first,
                now: second,
            }),
        }
    }

    /// Returns whether the caller asked for something that the folder does not allow, and no file is
    /// at fault.
    pub fn is_wrong_usage(&self) -> bool {
        matches!(
            self,
            JobError::Begun { .. }
                | JobError::NotEmpty { .. }
                | JobError::OtherJob { .. }
                | JobError::Stdin { .. }
                | JobError::TooManyParts { .. }
                | JobError::StdinShard { .. }
                | JobError::DifferentJobs { .. }
                | JobError::MissingPart { .. }
        )
    }
}
