//! Errors of jobs.

use super::identity::InputIdentity;
use super::job_description::JobDifference;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// An error of a job.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// A file or a folder that cannot be read or written.
    #[error("cannot {doing} {path}: {source}", path = path.display())]
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
    Part {
        /// The file.
        path: PathBuf,
        /// The rows of the input that it answers, or would if the input went on.
        rows: Range<u64>,
        /// The reason.
        source: io::Error,
    },
    /// A folder that cannot be used.
    #[error("{}: {problem}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why it cannot be used, and the way out.
        problem: FolderProblem,
    },
    /// The input is not what it was when the job began.
    #[error(
        "the input changed while the job ran: {} was {}, and is {}; begin again in another folder",
        .0.what, .0.first, .0.second
    )]
    InputChanged(JobDifference),
    /// A job would have more parts than jobs may have.
    #[error("the job would have more than {most} parts; give --part-rows more than {part_rows}")]
    TooManyParts {
        /// The most parts of a job.
        most: u64,
        /// The number of rows of each part.
        part_rows: u64,
    },
    /// A file of the job that is not what estoc writes.
    #[error("{path}: {problem}", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and the way out.
        problem: String,
    },
    /// Folders to merge that do not have the same job.
    #[error(
        "{} and {} hold parts of different jobs: {} is {} in the first of them, but {} in the second",
        first.display(), second.display(), difference.what, difference.first, difference.second
    )]
    DifferentJobs {
        /// The folder that was named first.
        first: PathBuf,
        /// The folder that differs from it.
        second: PathBuf,
        /// What differs.
        difference: JobDifference,
    },
    /// A part that no folder has.
    #[error("part {part} is in none of the folders; name the folder of shard {shard}, too")]
    MissingPart {
        /// The number of the part, from 0.
        part: u64,
        /// A shard that has the part.
        shard: String,
    },
    /// What the parts were merged to cannot be written.
    #[error("cannot write: {source}")]
    Output {
        /// The reason.
        source: io::Error,
    },
    /// The work was cancelled.
    #[error("the job was cancelled")]
    Cancelled,
}

/// Why the folder of a job cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FolderProblem {
    /// Another process works in it.
    #[error(
        "another run of estoc works in this folder; wait until it ends, or name another folder"
    )]
    InUse,
    /// It holds a job, and the caller does not want to go on with it.
    #[error(
        "a job was begun in this folder; add --resume to go on with it, or name another folder"
    )]
    Begun,
    /// It holds files, of which this is the first, but no job.
    #[error("the folder holds {0:?}, but no job; name an empty folder, or one that does not exist")]
    NotEmpty(String),
    /// The job in it is another one: first what it is there, then what it is now.
    #[error(
        "the job in this folder is another one: {} is {} there, but {} now; name another folder",
        .0.what, .0.first, .0.second
    )]
    OtherJob(JobDifference),
    /// Its job is to be resumed, but the input was stdin.
    #[error(
        "its job reads stdin, which cannot be read a second time; name another folder, or put the rays \
         into a file"
    )]
    Stdin,
    /// It is to be merged and does not exist.
    #[error("there is no such folder; name folders that estoc cast --out-dir wrote")]
    Missing,
    /// It is to be merged and has no job.
    #[error(
        "there is no _manifest.json in this folder; name folders that estoc cast --out-dir wrote"
    )]
    NoJob,
    /// It is to be merged and its job is not complete.
    #[error("its job is not complete; run its command again with --resume")]
    Incomplete,
    /// It is to be merged and its shard reads stdin or a pipe, as each other does.
    #[error(
        "its shard reads stdin or a pipe, and nothing tells whether the others read the same rays; put \
         the rays into a file, and cast it again"
    )]
    StdinShard,
}

impl FolderProblem {
    /// Returns the error of a folder with this problem.
    pub(super) fn of(self, folder: &Path) -> JobError {
        JobError::Folder {
            folder: folder.to_owned(),
            problem: self,
        }
    }
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
        let difference = before.difference(now);
        difference.map_or(Ok(()), |found| Err(JobError::InputChanged(found)))
    }

    /// Returns whether the caller asked for something that the folder does not allow, and no file is
    /// at fault.
    pub fn is_wrong_usage(&self) -> bool {
        use FolderProblem as Problem;
        match self {
            JobError::Folder { problem, .. } => matches!(
                problem,
                Problem::Begun
                    | Problem::NotEmpty(_)
                    | Problem::OtherJob(_)
                    | Problem::Stdin
                    | Problem::StdinShard
            ),
            JobError::TooManyParts { .. }
            | JobError::DifferentJobs { .. }
            | JobError::MissingPart { .. } => true,
            _ => false,
        }
    }
}
