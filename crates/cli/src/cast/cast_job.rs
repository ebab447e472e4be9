//! Rays cast as a job, whose result is a folder of parts.

use super::Args;
use super::cast_rays::BlockAnswers;
use super::columns::Columns;
use super::job_args::JobArgs;
use super::job_input::JobInput;
use crate::common::Session;
use crate::failure::Failure;
use crate::interrupt;
use crate::job_summary;
use crate::value_name::name_of;
use crate::version;
use estoc::Ray;
use estoc_rays_io::job::{
    JobDescription, JobEnd, JobFolder, OpenOptions, PartRows, PartWriter, run_parts,
};
use estoc_rays_io::{
    Format, HitSink, Input, InputError, InputProgress, Item, Limits, OutputError, RunError,
    SinkOptions, Watch, hit_sink, run,
};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::BufWriter;
use std::path::Path;

/// A part while it is written.
pub(super) type PartBuffer = BufWriter<PartWriter>;

/// A job that is open.
pub(super) struct CastJob<'a> {
    folder: JobFolder,
    /// The number of parts that earlier runs finished.
    kept: usize,
    input: JobInput,
    session: &'a Session,
}

/// What a job is, but for its mesh.
pub(super) struct JobPlan<'a> {
    folder: &'a Path,
    args: &'a JobArgs,
    options: BTreeMap<String, String>,
    format: Format,
    input: JobInput,
    /// The number of rays, if it is known.
    rays: Option<u64>,
    session: &'a Session,
}

impl<'a> JobPlan<'a> {
    /// Returns the job that is wanted, if one is.
    pub(super) fn of(
        args: &'a Args,
        (rays, input): (&Input<Ray>, Option<JobInput>),
        columns: &Columns,
        format: Format,
        session: &'a Session,
    ) -> Result<Option<Self>, Failure> {
        let (Some(folder), Some(input)) = (&args.job.out_dir, input) else {
            return Ok(None);
        };
        // Columns that the format cannot hold are refused before there is a folder.
        let mut options = SinkOptions::default();
        options.passed = rays.passed_types();
        hit_sink(format, columns.output(format, false), Vec::new(), options)
            .map_err(|error| Failure::Usage(format!("--format {}: {error}", format.extension())))?;
        let mut options = BTreeMap::new();
        let mut set = |name: &str, value: String| options.insert(name.to_owned(), value);
        set("query", name_of(&args.query));
        set("cull", name_of(&args.cull));
        if let Some(k) = args.k {
            set("k", k.to_string());
        }
        if !args.columns.is_empty() {
            set("columns", args.columns.join(","));
        }
        if let Some(frame) = session.local_frame_text() {
            set("local-frame", frame);
        }
        Ok(Some(JobPlan {
            folder,
            args: &args.job,
            options,
            format,
            input,
            rays: rays.rows(),
            session,
        }))
    }

    /// Opens the folder of the job, and prints what the user should know about it. `mesh` identifies the
    /// mesh.
    pub(super) fn open(self, mesh: String) -> Result<CastJob<'a>, Failure> {
        let JobPlan { args, session, .. } = self;
        let keep_going = || !session.cancel.is_cancelled();
        let job = JobDescription {
            estoc: version::with_commit(),
            mesh,
            format: self.format.extension().to_owned(),
            options: self.options,
            part_rows: args.part_rows(),
            input: self.input.identity().clone(),
        };
        let mut options = OpenOptions::default();
        options.resume = args.resume;
        options.rays = self.rays;
        options.keep_going = &keep_going;
        let folder = JobFolder::open(self.folder, job, args.shard, options)?;
        for note in folder.notes() {
            session.note(note);
        }
        Ok(CastJob {
            kept: folder.parts().count(),
            folder,
            input: self.input,
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
        let can_resume = self.input.can_be_read_again();
        interrupt::finish_parts(self.folder.path(), can_resume);
        let bar = self.session.progress("casting", input.progress().total);
        let keep_going = || !self.session.cancel.is_cancelled();
        // The rays of the parts that this run has finished.
        let answered = Cell::new(0);
        let end = run_parts(&mut self.folder, &interrupt::stops, |rows, part| {
            let _watched = interrupt::Watched::new(part.path());
            let watch = Watch::cancel(&self.session.cancel);
            let progress = |items: u64, progress: InputProgress| {
                bar.set(progress.done);
                bar.set_items(answered.get() + items, "rays");
            };
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
                    self.input.refuse_touched(&keep_going)?;
                    answered.set(answered.get() + summary.items);
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
        self.input.refuse_changed(&keep_going)?;
        self.folder.complete()?;
        job_summary::print(&self.folder, self.kept, self.session)
    }
}
