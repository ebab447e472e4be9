//! Jobs whose answers are lines of text, for tests.

use estoc_rays_io::job::{
    FileIdentity, InputIdentity, JobDescription, JobEnd, JobError, JobFolder, OpenOptions,
    PartRows, PartWriter, Shard, run_parts,
};
use estoc_testkit::name_path;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;
use std::path::Path;

/// The beginning of the message about a folder that another run has locked.
pub(crate) const IN_USE: &str = "another run of estoc works in this folder";

/// Returns the description of a job with parts of ten rows.
pub(crate) fn job() -> JobDescription {
    JobDescription {
        estoc: "0.1.0".into(),
        mesh: "0123456789abcdef".into(),
        format: "csv".into(),
        options: [("query".to_owned(), "closest".to_owned())].into(),
        part_rows: 10,
        input: InputIdentity::Files(vec![FileIdentity {
            name: "rays.csv".into(),
            bytes: 1000,
            modified: Some(5),
            xxh3: "00000000deadbeef".into(),
        }]),
    }
}

pub(crate) fn shard(text: &str) -> Option<Shard> {
    Some(text.parse().unwrap())
}

pub(crate) fn open(
    path: &Path,
    job: JobDescription,
    shard: Option<Shard>,
    resume: bool,
) -> Result<JobFolder, JobError> {
    let mut options = OpenOptions::default();
    options.resume = resume;
    JobFolder::open(path, job, shard, options)
}

/// Writes two rows for each odd row of an input of `rays` rows, and none for the others.
pub(crate) fn answer(
    rays: u64,
    rows: &Range<u64>,
    mut part: PartWriter,
) -> Result<PartRows, JobError> {
    let end = rows.end.min(rays);
    let mut count = 0;
    writeln!(part, "ray,hit").unwrap();
    for ray in rows.start..end {
        for hit in 0..ray % 2 * 2 {
            writeln!(part, "{ray},{hit}").unwrap();
            count += 1;
        }
    }
    Ok(PartRows {
        rays: end.saturating_sub(rows.start),
        rows: count,
        input_rows: (rows.end > rays).then_some(rays),
    })
}

/// Runs a job over `rays` rows, and stops it after `most` parts; returns how it ended and the first rows
/// of the parts that were made.
pub(crate) fn run(folder: &mut JobFolder, rays: u64, most: usize) -> (JobEnd, Vec<u64>) {
    let made = std::cell::RefCell::new(Vec::new());
    let stop = || made.borrow().len() >= most;
    let end = run_parts(folder, &stop, |rows, part| {
        made.borrow_mut().push(rows.start);
        answer(rays, &rows, part)
    });
    let end = end.unwrap();
    if end == JobEnd::AllParts {
        folder.complete().unwrap();
    }
    (end, made.into_inner())
}

/// Opens the job of these tests, or goes on with it, and runs it like [`run`].
pub(crate) fn run_in(path: &Path, resume: bool, rays: u64, most: usize) -> (JobEnd, Vec<u64>) {
    run(&mut open(path, job(), None, resume).unwrap(), rays, most)
}

/// Runs all of a job, or of a shard of it, over `rays` rows.
pub(crate) fn run_all(path: &Path, job: JobDescription, shard: Option<Shard>, rays: u64) {
    let mut folder = open(path, job, shard, false).unwrap();
    assert_eq!(run(&mut folder, rays, usize::MAX).0, JobEnd::AllParts);
}

/// Returns the text of an error, in which `name` stands for a path.
pub(crate) fn told(error: &JobError, path: &Path, name: &str) -> String {
    name_path(&error.to_string(), path, name)
}

/// Returns the files of a folder and what they contain.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let file = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry.unwrap();
        let text = std::fs::read_to_string(entry.path()).unwrap();
        (entry.file_name().into_string().unwrap(), text)
    };
    entries.map(file).collect()
}
