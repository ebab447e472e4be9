//! The options of jobs.

use super::EngineChoice;
use crate::failure::Failure;
use crate::session::Session;
use crate::value_name::{NamedValue, one_of};
use estoc_rays_io::TableFormat;
use estoc_rays_io::job::Shard;
use std::path::PathBuf;

/// The number of rows of the input that a part answers, without `--part-rows`.
const PART_ROWS: u64 = 1 << 22;

/// Options of a job, whose result is a folder of parts.
#[derive(clap::Args)]
#[command(next_help_heading = "Options of jobs")]
pub(super) struct JobArgs {
    /// Write the result in parts to a folder, so that a run that was killed can go on: estoc help cast
    /// says more
    #[arg(long, value_name = "DIR", conflicts_with_all = ["ray", "explain"])]
    pub(super) out_dir: Option<PathBuf>,
    /// The format of the parts [default: csv]
    #[arg(long, value_parser = one_of(FORMATS), requires = "out_dir")]
    format: Option<TableFormat>,
    /// Go on with the job in --out-dir, or begin it if there is none
    #[arg(long, requires = "out_dir")]
    pub(super) resume: bool,
    /// Make every N-th part, from the K-th; estoc merge joins the folders of all N shards
    #[arg(long, value_name = "K/N", requires = "out_dir")]
    pub(super) shard: Option<Shard>,
    /// Identify the files of rays by all their bytes, whenever they were modified, and not by the first
    /// and last MiB and the time of modification
    #[arg(long, requires = "out_dir")]
    pub(super) verify_input: bool,
    /// Number of rays of each part [default: 4194304]
    #[arg(long, value_name = "N", requires = "out_dir", value_parser = clap::value_parser!(u64).range(1..))]
    part_rows: Option<u64>,
}

/// The formats of the parts.
const FORMATS: [NamedValue<TableFormat>; 3] = [
    ("csv", "Comma-separated values", TableFormat::Csv),
    ("npy", "Arrays of numpy", TableFormat::Npy),
    (
        "parquet",
        "Apache Parquet, in a build with --features parquet",
        TableFormat::Parquet,
    ),
];

impl JobArgs {
    /// Returns the format of the parts, if the result is a job.
    pub(super) fn format(&self) -> Option<TableFormat> {
        self.out_dir.as_ref()?;
        Some(self.format.unwrap_or(TableFormat::Csv))
    }

    /// Returns the number of rows of the input that a part answers.
    pub(super) fn part_rows(&self) -> u64 {
        self.part_rows.unwrap_or(PART_ROWS)
    }

    /// Returns an error if other options contradict these.
    pub(super) fn check(
        &self,
        is_stream: bool,
        engine: EngineChoice,
        session: &Session,
    ) -> Result<(), Failure> {
        let problem = match &self.out_dir {
            None => return Ok(()),
            Some(_) if session.named_out().is_some() => {
                "--out-dir and --out contradict each other: the result is a folder of parts, or one file"
            }
            Some(_) if engine == EngineChoice::Brute => {
                "--engine brute answers no jobs; use --engine tree, whose answers are the same"
            }
            Some(_) if self.format().is_some_and(|format| !format.is_built_in()) => {
                "--format parquet: this build of estoc does not write Parquet; install it with --features \
                 parquet, or use csv or npy"
            }
            Some(_) if is_stream && self.shard.is_some() => {
                "--shard needs a file of rays: no other run can read the same stdin or pipe"
            }
            Some(_) if is_stream && self.resume => {
                "--resume needs a file of rays: stdin or a pipe cannot be read a second time"
            }
            Some(_) => return Ok(()),
        };
        Err(Failure::Usage(problem.into()))
    }
}
