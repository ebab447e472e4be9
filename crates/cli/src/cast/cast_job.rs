//! Rays cast as a job, whose result is a folder of parts.

use super::job_args::JobArgs;
use crate::common::Session;
use crate::failure::Failure;
use crate::interrupt;
use crate::job_summary;
use crate::version;
use estoc_rays_io::job::{
    InputIdentity, JobDescription, JobEnd, JobError, JobFolder, OpenOptions, PartRows, PartWriter,
    run_parts,
};
use estoc_rays_io::{
    Emit, HitSink, Input, InputError, InputProgress, Item, Limits, OutputError, RunError,
    SinkOptions, Watch, run,
};
use std::collections::BTreeMap;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// A part while it is written.
pub(super) type PartBuffer = BufWriter<PartWriter>;

/// A job that is open.
pub(super) struct CastJob<'a> {
    folder: JobFolder,
    /// The number of parts that earlier runs finished.
    kept: usize,
    /// The files of rays; `None` for stdin.
    files: Option<Vec<PathBuf>>,
    /// What identifies these files in little time, as they were at first.
    before: InputIdentity,
    session: &'a Session,
}

/// What a job is, but for its target.
pub(super) struct JobInput {
    pub(super) options: BTreeMap<String, String>,
    pub(super) format: &'static str,
    /// The files of rays; `None` for stdin.
    pub(super) files: Option<Vec<PathBuf>>,
}

impl<'a> CastJob<'a> {
    /// Opens the folder of a job, and prints what the user should know about it.
    pub(super) fn open(
        path: &Path,
        args: &JobArgs,
        input: JobInput,
        mesh: String,
        session: &'a Session,
    ) -> Result<Self, Failure> {
        let keep_going = || !session.cancel.is_cancelled();
        let identify = |whole: bool| match &input.files {
            Some(files) => InputIdentity::of_files(files, whole, &keep_going),
            None => Ok(InputIdentity::Stdin),
        };
        let before = identify(false)?;
        let job = JobDescription {
            estoc: version::with_commit(),
            mesh,
            format: input.format.to_owned(),
            options: input.options,
            part_rows: args.part_rows(),
            input: match args.verify_input {
                true => identify(true)?,
                false => before.clone(),
            },
        };
        let mut options = OpenOptions::default();
        options.resume = args.resume;
        options.keep_going = &keep_going;
        let folder = JobFolder::open(path, job, args.shard, options)?;
        for note in folder.notes() {
            session.note(note);
        }
        Ok(CastJob {
            kept: folder.parts().count(),
            folder,
            files: input.files,
            before,
            session,
        })
    }

    /// Casts the rays of the parts that are not finished.
    pub(super) fn run<R: Item>(
        mut self,
        input: &mut Input<R>,
        limits: Limits,
        sink: &dyn Fn(PartBuffer, SinkOptions) -> Result<Box<dyn HitSink>, OutputError>,
        answer: &mut dyn FnMut(&[R], &mut Emit<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if let Some(rows) = input.rows() {
            self.folder.set_rays(rows)?;
        }
        interrupt::finish_parts(self.folder.path());
        let bar = self.session.progress("casting", input.progress().total);
        let end = run_parts(&mut self.folder, &interrupt::stops, |rows, part| {
            let _watched = interrupt::Watched::new(part.path());
            let watch = Watch::cancel(&self.session.cancel);
            let progress = |_: u64, progress: InputProgress| bar.set(progress.done);
            let name = part.name();
            let of_output = |error| Failure::of_output(error, &name);
            let mut options = SinkOptions::default();
            options.passed = input.passed_types();
            let buffer = BufWriter::with_capacity(1 << 16, part);
            let mut sink = sink(buffer, options).map_err(of_output)?;
            let asked = rows.start;
            match run(
                input,
                rows,
                limits,
                &mut *answer,
                &mut *sink,
                watch.progress(&progress),
            ) {
                Ok(summary) => {
                    sink.finish().map_err(of_output)?;
                    Ok(PartRows {
                        rays: summary.items,
                        rows: summary.rows,
                        input_rows: None,
                    })
                }
                // The input ended before this part.
                Err(RunError::Input(InputError::NoRow { .. })) if input.row() < asked => {
                    Ok(PartRows {
                        rays: 0,
                        rows: 0,
                        input_rows: Some(input.row()),
                    })
                }
                Err(error) => Err(Failure::of_run(error, &name)),
            }
        });
        if end? == JobEnd::Stopped {
            return Err(Failure::Interrupted);
        }
        if let Some(files) = &self.files {
            let keep_going = || !self.session.cancel.is_cancelled();
            let now = InputIdentity::of_files(files, false, &keep_going)?;
            JobError::refuse_changed(&self.before, &now)?;
        }
        self.folder.complete()?;
        job_summary::print(&self.folder, self.kept, self.session)
    }
}
