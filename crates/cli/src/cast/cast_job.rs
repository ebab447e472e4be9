//! Rays cast as a job, whose result is a folder of parts.

use super::Args;
use super::cast_rays::BlockAnswers;
use super::columns::Columns;
use super::job_args::JobArgs;
use crate::common::Session;
use crate::failure::Failure;
use crate::interrupt;
use crate::job_summary;
use crate::version;
use estoc::Ray;
use estoc_rays_io::job::{
    InputIdentity, JobDescription, JobEnd, JobError, JobFolder, OpenOptions, PartRows, PartWriter,
    run_parts,
};
use estoc_rays_io::{
    Format, HitSink, Input, InputError, InputProgress, Item, Limits, OutputError, RunError,
    SinkOptions, Watch, hit_sink, run,
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

/// What a job is, but for its mesh.
pub(super) struct JobPlan<'a> {
    folder: &'a Path,
    args: &'a JobArgs,
    options: BTreeMap<String, String>,
    format: Format,
    /// The files of rays; `None` for stdin.
    files: Option<Vec<PathBuf>>,
    session: &'a Session,
}

impl<'a> JobPlan<'a> {
    /// Returns the job that is wanted, if one is.
    pub(super) fn of(
        args: &'a Args,
        rays: &Input<Ray>,
        columns: &Columns,
        format: Format,
        session: &'a Session,
    ) -> Result<Option<Self>, Failure> {
        let Some(folder) = &args.job.out_dir else {
            return Ok(None);
        };
        // Columns that the format cannot hold are refused before there is a folder.
        let mut options = SinkOptions::default();
        options.passed = rays.passed_types();
        hit_sink(format, columns.output(format, false), Vec::new(), options)
            .map_err(|error| Failure::Usage(format!("--format {}: {error}", format.extension())))?;
        let mut options = BTreeMap::new();
        let mut set = |name: &str, value: String| options.insert(name.to_owned(), value);
        set("query", args.query.name().to_owned());
        set("cull", args.cull.name().to_owned());
        if let Some(k) = args.k {
            set("k", k.to_string());
        }
        if !args.columns.is_empty() {
            set("columns", args.columns.join(","));
        }
        if let Some(frame) = session.local_frame_text() {
            set("local-frame", frame);
        }
        // What is no file can be read only once, as stdin.
        let files = match args.source.file() {
            Some(path) if path.is_dir() => Some(rays.parquet_files()),
            Some(path) if path.is_file() => Some(vec![path.to_owned()]),
            _ => None,
        };
        Ok(Some(JobPlan {
            folder,
            args: &args.job,
            options,
            format,
            files,
            session,
        }))
    }

    /// Opens the folder of the job, and prints what the user should know about it. `mesh` identifies the
    /// mesh.
    pub(super) fn open(self, mesh: String) -> Result<CastJob<'a>, Failure> {
        let JobPlan { args, session, .. } = self;
        let keep_going = || !session.cancel.is_cancelled();
        let identify = |whole: bool| match &self.files {
            Some(files) => InputIdentity::of_files(files, whole, &keep_going),
            None => Ok(InputIdentity::Stdin),
        };
        let before = identify(false)?;
        let job = JobDescription {
            estoc: version::with_commit(),
            mesh,
            format: self.format.extension().to_owned(),
            options: self.options,
            part_rows: args.part_rows(),
            input: match args.verify_input {
                true => identify(true)?,
                false => before.clone(),
            },
        };
        let mut options = OpenOptions::default();
        options.resume = args.resume;
        options.keep_going = &keep_going;
        let folder = JobFolder::open(self.folder, job, args.shard, options)?;
        for note in folder.notes() {
            session.note(note);
        }
        Ok(CastJob {
            kept: folder.parts().count(),
            folder,
            files: self.files,
            before,
            session,
        })
    }
}

impl CastJob<'_> {
    /// Casts the rays of the parts that are not finished.
    pub(super) fn run<R: Item>(
        mut self,
        input: &mut Input<R>,
        sink: &dyn Fn(PartBuffer) -> Result<Box<dyn HitSink>, OutputError>,
        answer: &mut BlockAnswers<'_, R>,
    ) -> Result<(), Failure> {
        if let Some(rows) = input.rows() {
            self.folder.set_rays(rows)?;
        }
        let limits = Limits::memory(self.session.rows_memory());
        interrupt::finish_parts(self.folder.path());
        let bar = self.session.progress("casting", input.progress().total);
        let end = run_parts(&mut self.folder, &interrupt::stops, |rows, part| {
            let _watched = interrupt::Watched::new(part.path());
            let watch = Watch::cancel(&self.session.cancel);
            let progress = |_: u64, progress: InputProgress| bar.set(progress.done);
            let name = part.name();
            let of_output = |error| Failure::of_output(error, &name);
            let buffer = BufWriter::with_capacity(1 << 16, part);
            let mut sink = sink(buffer).map_err(of_output)?;
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
