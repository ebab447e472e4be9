//! Works on the parts of a job, one after the other.

use super::error::JobError;
use super::job_folder::JobFolder;
use super::part::PartWriter;
use std::ops::Range;

/// What was written to a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartRows {
    /// The number of rows of the input that it answers: as many as were asked for, or fewer at the end
    /// of the input.
    pub rays: u64,
    /// The number of its own rows.
    pub rows: u64,
    /// The number of rows of the whole input, if its end was reached. If fewer rows were answered than
    /// asked for, the last of them is taken for the end unless this says otherwise.
    pub input_rows: Option<u64>,
}

/// How work on a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobEnd {
    /// All parts are there; [`JobFolder::complete`] then completes the job.
    AllParts,
    /// It was stopped after a part.
    Stopped,
}

/// Makes the parts that are not finished, in their order. `answer`
/// writes the answers of the rows in a range, which may extend beyond the end of the input; `stop` is
/// asked before each part.
///
/// # Errors
/// Those of `answer`, and a [`JobError`] if a part cannot be written; finished parts
/// stay as they are.
pub fn run_parts<E: From<JobError>>(
    folder: &mut JobFolder,
    stop: &dyn Fn() -> bool,
    mut answer: impl FnMut(Range<u64>, PartWriter) -> Result<PartRows, E>,
) -> Result<JobEnd, E> {
    while let Some(part) = folder.next_part()? {
        if stop() {
            return Ok(JobEnd::Stopped);
        }
        let asked = folder.rows_of(part);
        let file = folder.create_part(part)?;
        let answered = match answer(asked.clone(), file.writer()) {
            Ok(answered) => answered,
            Err(error) => return Err(file.failure().map_or(error, E::from)),
        };
        let end = asked.start + answered.rays;
        match answered.input_rows {
            Some(rays) => folder.set_rays(rays)?,
            None if end < asked.end => folder.set_rays(end)?,
            None => {}
        }
        // The first part is there even if it is empty.
        if answered.rays > 0 || part == 0 {
            folder.finish_part(file, answered.rays, answered.rows)?;
        }
    }
    Ok(JobEnd::AllParts)
}
