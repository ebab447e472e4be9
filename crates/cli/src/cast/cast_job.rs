//! Rays cast as a job, whose result is a folder of parts.

use super::Args;
use super::cast_rays::BlockAnswers;
use super::job_input::JobInput;
use super::query::SIDES;
use crate::answer_columns::{Doubles, ResultColumns};
use crate::failure::Failure;
use crate::job_run;
use crate::session::Session;
use crate::value_name::name_of;
use crate::version;
use estoc::Ray;
use estoc_rays_io::job::{JobDescription, JobFolder, OpenOptions, PartRows, PartWriter};
use estoc_rays_io::{
    HitSink, Input, InputError, InputProblem, InputProgress, Item, Limits, OutputError, RunError,
    SinkOptions, TableFormat, Watch, hit_sink, run,
};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::BufWriter;
use std::ops::Range;
use std::path::Path;

/// A part while it is written.
pub(super) type PartBuffer = BufWriter<PartWriter>;

/// A job that is open.
pub(super) struct CastJob<'a> {
    folder: JobFolder,
    input: JobInput,
    session: &'a Session,
}

/// Refuses columns that the format of the parts cannot hold, before there is a folder.
pub(super) fn check_columns(
    rays: &Input<Ray>,
    columns: &ResultColumns,
    format: TableFormat,
) -> Result<(), Failure> {
    let mut options = SinkOptions::default();
    options.passed = rays.passed_types();
    let sink = hit_sink(
        format,
        columns.output(format, Doubles::None),
        Vec::new(),
        options,
    );
    sink.map(drop)
        .map_err(|error| Failure::Usage(format!("--format {}: {error}", format.extension())))
}

impl<'a> CastJob<'a> {
    /// Opens the folder of the job, and prints what the user should know about it. `mesh` identifies the
    /// mesh, `is_f64` says in which numbers it is, and `rays` is the number of rays, if it is known.
    pub(super) fn open(
        (folder, input): (&Path, JobInput),
        (mesh, is_f64): (String, bool),
        format: TableFormat,
        rays: Option<u64>,
        args: &Args,
        session: &'a Session,
    ) -> Result<Self, Failure> {
        let mut options = BTreeMap::new();
        let mut set = |name: &str, value: String| options.insert(name.to_owned(), value);
        set("query", name_of(&args.query));
        let cull = SIDES.iter().find(|(.., cull)| *cull == args.cull);
        set("cull", cull.map_or("", |(name, ..)| name).to_owned());
        if args.open_ends {
            set("open-ends", "true".to_owned());
        }
        if let Some(k) = args.k {
            set("k", k.to_string());
        }
        if !args.columns.is_empty() {
            set("columns", args.columns.join(","));
        }
        if is_f64 {
            set("precision", "f64".to_owned());
        }
        if let Some(frame) = session.local_frame_text() {
            set("local-frame", frame);
        }
        let job = JobDescription {
            estoc: version::with_commit(),
            mesh,
            format: format.extension().to_owned(),
            options,
            part_rows: args.job.part_rows(),
            input: input.identity().clone(),
        };
        let mut options = OpenOptions::default();
        options.resume = args.job.resume;
        options.rays = rays;
        options.cancel = Some(&session.cancel);
        Ok(CastJob {
            folder: job_run::open(folder, job, args.job.shard, options, session)?,
            input,
            session,
        })
    }

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
        let bar = self.session.progress("casting", input.progress().total);
        // The rays of the parts that this run has finished.
        let answered = Cell::new(0);
        let answer_part = |rows: Range<u64>, part: PartWriter| {
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
                    self.input.refuse_touched(&self.session.cancel)?;
                    answered.set(answered.get() + summary.items);
                    Ok(PartRows {
                        rays: summary.items,
                        rows: summary.rows,
                        input_rows: None,
                    })
                }
                // The input ended before this part.
                Err(RunError::Input(InputError::Unusable {
                    problem: InputProblem::NoRow { .. },
                    ..
                })) if input.row() < asked => Ok(PartRows {
                    rays: 0,
                    rows: 0,
                    input_rows: Some(input.row()),
                }),
                Err(error) => Err(Failure::of_run(error, &name)),
            }
        };
        job_run::run(
            self.folder,
            self.input.can_be_read_again(),
            answer_part,
            || self.input.refuse_changed(&self.session.cancel),
            self.session,
        )
    }
}
