//! `estoc merge`: joins the parts of a job.

use crate::failure::Failure;
use crate::job_run;
use crate::output_name::Form;
use crate::session::Session;
use estoc_rays_io::TableFormat;
use estoc_rays_io::job::{
    InputIdentity, JobError, MergeSources, OpenOptions, PartRows, PartWriter,
};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Join the parts that estoc cast --out-dir wrote, in one file or one folder.
///
/// The folders must hold all parts of one job: those of all shards, or those of a run that had no
/// --shard. Every part is checked by its length and its hash. The result has the bytes that a run
/// without --shard gives: with --out, the file that estoc cast --out writes, and with --out-dir, the
/// folder that estoc cast --out-dir writes. Without either, the result goes to stdout.
///
/// A run with --out-dir that was killed goes on with --resume; parts that were copied are checked and
/// kept. With --json and --out-dir, prints an object of schema "estoc.job-summary/1", as estoc cast does.
///
/// Example: estoc merge shard1 shard2 shard3 --out hits.csv
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folders that estoc cast --out-dir wrote
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// Copy the parts to a folder
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
    /// Go on with the merge in --out-dir, or begin it if there is none
    #[arg(long, requires = "out_dir")]
    resume: bool,
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    if args.out_dir.is_some() && session.named_out().is_some() {
        let problem = "--out-dir and --out contradict each other: name one folder, or one file";
        return Err(Failure::Usage(problem.into()));
    }
    if let Some(folder) = &args.out_dir {
        refuse_source(folder, &args.folders)?;
    }
    let sources = MergeSources::open(&args.folders)?;
    match &args.out_dir {
        Some(folder) => to_folder(&sources, folder, args.resume, session),
        None => to_file(&sources, session),
    }
}

/// Returns an error if the folder for the parts is one of those to merge.
fn refuse_source(folder: &Path, sources: &[PathBuf]) -> Result<(), Failure> {
    // A folder that does not exist yet is none of them.
    let Ok(place) = folder.canonicalize() else {
        return Ok(());
    };
    let is_it = |source: &PathBuf| source.canonicalize().is_ok_and(|source| source == place);
    match sources.iter().any(is_it) {
        true => Err(Failure::Usage(format!(
            "--out-dir {} is one of the folders to merge; name another folder",
            folder.display()
        ))),
        false => Ok(()),
    }
}

/// Copies the parts to a folder.
fn to_folder(
    sources: &MergeSources,
    path: &Path,
    resume: bool,
    session: &Session,
) -> Result<(), Failure> {
    let mut options = OpenOptions::default();
    options.resume = resume;
    options.cancel = Some(&session.cancel);
    let mut folder = job_run::open(path, sources.job().clone(), None, options, session)?;
    folder.set_rays(sources.rays())?;
    let can_resume = sources.job().input != InputIdentity::Stdin;
    let bar = session.progress("merging", Some(sources.parts().len() as u64));
    let part_rows = sources.job().part_rows;
    let copy = |rows: Range<u64>, mut part: PartWriter| {
        let number = rows.start / part_rows;
        sources.copy(number, |bytes| part.write_all(bytes), &session.cancel)?;
        bar.set(number + 1);
        let record = sources.part(number);
        Ok(PartRows {
            rays: record.map_or(0, |record| record.rays),
            rows: record.map_or(0, |record| record.rows),
            input_rows: Some(sources.rays()),
        })
    };
    job_run::run(folder, can_resume, copy, || Ok(()), session)
}

/// Joins the parts in one file, or on stdout.
fn to_file(sources: &MergeSources, session: &Session) -> Result<(), Failure> {
    if session.json() {
        let problem = "estoc merge supports --json only with --out-dir";
        return Err(Failure::Usage(problem.into()));
    }
    let inputs: Vec<PathBuf> = sources
        .parts()
        .filter_map(|record| sources.path(record.part))
        .collect();
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    let format = TableFormat::of_name(Path::new(&format!("x.{}", sources.job().format)));
    let form = Form::of_rows(format.unwrap_or(TableFormat::Csv));
    let mut output = session.output(form, &inputs)?;
    match sources.join(&mut output, &session.cancel) {
        Ok(()) => output.finish(),
        Err(JobError::Output { source, .. }) => Err(output.failure(source)),
        Err(error) => Err(error.into()),
    }
}
