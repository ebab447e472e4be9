//! Runs of jobs: their folders, their parts, and the summary at the end.

use crate::failure::Failure;
use crate::interrupt;
use crate::number::{counted, grouped};
use crate::output::ResultOutput;
use crate::session::Session;
use estoc_rays_io::job::{
    JobDescription, JobEnd, JobError, JobFolder, OpenOptions, PartRows, PartWriter, Shard,
    run_parts,
};
use serde_json::json;
use std::ops::Range;
use std::path::Path;

/// Opens the folder of a job, and prints what the user should know about it.
pub(crate) fn open(
    path: &Path,
    job: JobDescription,
    shard: Option<Shard>,
    options: OpenOptions<'_>,
    session: &Session,
) -> Result<JobFolder, Failure> {
    let folder = JobFolder::open(path, job, shard, options)?;
    for note in folder.notes() {
        session.note(note);
    }
    Ok(folder)
}

/// Makes the parts that are not finished, completes the job after a last check, and prints the summary.
/// `answer` writes a part; `can_resume` tells whether another run can go on with the job.
pub(crate) fn run(
    mut folder: JobFolder,
    can_resume: bool,
    mut answer: impl FnMut(Range<u64>, PartWriter) -> Result<PartRows, Failure>,
    check: impl FnOnce() -> Result<(), JobError>,
    session: &Session,
) -> Result<(), Failure> {
    let kept = folder.parts().count();
    interrupt::finish_parts(folder.path(), can_resume);
    let end = run_parts(&mut folder, &interrupt::stops, |rows, part| {
        let _watched = interrupt::Watched::new(part.path());
        answer(rows, part)
    });
    match end? {
        JobEnd::Stopped => Err(Failure::Interrupted),
        JobEnd::AllParts => {
            check()?;
            folder.complete()?;
            print(&folder, kept, session)
        }
    }
}

/// Prints what a folder holds; `kept` is the number of parts that an earlier run had finished.
fn print(folder: &JobFolder, kept: usize, session: &Session) -> Result<(), Failure> {
    let (mut parts, mut rows, mut bytes, mut answered) = (0_usize, 0, 0, 0);
    for record in folder.parts() {
        parts += 1;
        rows += record.rows;
        bytes += record.bytes;
        answered += record.rays;
    }
    let made = parts.saturating_sub(kept);
    let name = folder.path().display();
    let text = format!(
        "{name}: {} in {}, {} of them made by this run\n",
        counted(usize::try_from(answered).unwrap_or(usize::MAX), "ray"),
        counted(parts, "part"),
        grouped(made)
    );
    let object = json!({
        "schema": "estoc.job-summary/1",
        "out_dir": name.to_string(),
        "format": folder.job().format,
        "shard": folder.shard().map(|shard| shard.to_string()),
        "rays": folder.rays(),
        "rays_of_parts": answered,
        "rows": rows,
        "bytes": bytes,
        "parts": parts,
        "made": made,
        "kept": kept,
    });
    session.print_done(ResultOutput::open(None)?, &text, &object)
}
