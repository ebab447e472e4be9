//! Jobs: queries of many rays whose answers are written to a folder in parts, so that a run that was
//! killed goes on where it stopped, with the same bytes in the end.
//!
//! A [`JobFolder`] holds
//!
//! - `part-00000000.csv` and so on: the answers of fixed ranges of rows, each written whole;
//! - `_manifest.json`: the [`Manifest`], which has the list of parts once the job is complete;
//! - `_journal.jsonl`, until then: a line for each finished part;
//! - `.estoc-lock`, an empty file that the running process has locked.
//!
//! Names that begin with an underscore or a dot are skipped by programs that read a folder of parts as
//! one table. Nothing in the folder depends on the time, the machine or the number of threads.
//!
//! This module knows neither formats nor queries: its caller writes a part, given the rows, to a
//! [`PartWriter`].

mod error;
mod identity;
mod job_description;
mod job_folder;
mod join;
mod journal;
mod lock;
mod manifest;
mod own_files;
mod part;
mod part_fault;
mod run_parts;
mod shard;
mod sources;

pub use error::{FolderProblem, JobError};
pub use identity::{FileIdentity, InputIdentity, hash_of};
pub use job_description::{JobDescription, JobDifference};
pub use job_folder::{JobFolder, OpenOptions};
pub use manifest::{Manifest, PartRecord};
pub use own_files::folder_of_job_file;
pub use part::PartWriter;
pub use run_parts::{JobEnd, PartRows, run_parts};
pub use shard::{Shard, ShardError};
pub use sources::MergeSources;
