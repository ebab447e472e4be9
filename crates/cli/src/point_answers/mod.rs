//! Answers about the points of a file, in the order of the points: what `contains` and `near` share.

mod columns;
mod rows;

pub(crate) use columns::AnswerColumn;

use crate::common::Session;
use crate::failure::Failure;
use crate::mesh_source::MeshSource;
use crate::model::Opened;
use crate::number::counted;
use crate::output_name::Form;
use crate::result_rows::{JsonObject, ResultRows, metadata, rounding_note};
use crate::tree_args::TreeArgs;
use columns::Columns;
use estoc::Bvh;
use estoc::glam::Vec3;
use estoc_rays_io::{Emit, Format, Input, InputOptions, InputProgress, Limits, SinkOptions, Watch};
use std::path::Path;

/// What a verb about points is given.
pub(crate) struct PointAnswers<'a> {
    pub(crate) mesh: &'a MeshSource,
    /// The file or folder of points; `-` is stdin.
    pub(crate) points: &'a Path,
    /// The names of the columns of the result; empty for the default ones.
    pub(crate) columns: &'a [String],
    pub(crate) tree: TreeArgs,
    pub(crate) session: &'a Session,
    /// What points that are not finite are, for a note.
    pub(crate) not_finite: &'a str,
}

impl PointAnswers<'_> {
    /// Reads all points and writes a row for each. `check` refuses a mesh; `ask` replaces the
    /// answers by those about the points.
    pub(crate) fn write<C: AnswerColumn>(
        &self,
        check: impl FnOnce(&Opened) -> Result<(), Failure>,
        ask: impl Fn(&Bvh, &[Vec3], &mut Vec<C::Answer>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let session = self.session;
        let from_stdin = self.points.as_os_str() == "-";
        if from_stdin && matches!(self.mesh, MeshSource::Stdin) {
            let problem =
                "stdin cannot be both the mesh and the points; name a file for one of them";
            return Err(Failure::Usage(problem.into()));
        }
        let format = session.rows_format()?;
        // Open the points first, so that a mistyped name fails before a large mesh is loaded.
        let options = InputOptions::memory(session.rows_memory());
        let mut source = Input::<Vec3>::open(self.points, &options)?;
        for (name, known) in source.lookalikes() {
            session.note(format_args!(
                "{}: the column {name:?} is ignored; rename it to {known} to use it",
                self.points.display()
            ));
        }
        if format == Format::Parquet {
            source.read_ids();
        }
        let mut columns = Columns::<C>::usual();
        if !self.columns.is_empty() {
            let (chosen, passed) = Columns::chosen(self.columns, source.columns())?;
            source.pass_through(passed);
            columns = chosen;
        }
        let mut inputs = self.mesh.files();
        inputs.extend((!from_stdin).then_some(self.points));
        let mut output = session.output(Form::of_rows(format), &inputs)?;
        let opened = Opened::open(self.mesh, self.tree, session)?;
        let bvh = opened.model().bvh;
        check(&opened)?;
        let to = output.name().to_owned();
        let json = session.json().then(|| JsonObject {
            head: format!("\"schema\":\"{}\"", C::SCHEMA),
            items: "points",
            has_nulls: true,
        });
        let mut options = SinkOptions::default();
        options.rows = source.rows();
        options.passed = source.passed_types();
        if format == Format::Parquet {
            let query = C::SCHEMA
                .trim_start_matches("estoc.")
                .trim_end_matches("/1");
            options.metadata = metadata(query, opened.model().content_hash());
        }
        let written = columns.output(format);
        let mut rows = ResultRows::begin(&mut output, format, written, json, options)?;
        let bar = session.progress("querying", source.progress().total);
        let progress = |items: u64, progress: InputProgress| {
            bar.set(progress.done);
            bar.set_items(items, "points");
        };
        let mut not_finite = 0;
        let mut answers = Vec::new();
        let answer = |points: &[Vec3], emit: &mut Emit<'_>| {
            not_finite += (points.iter().filter(|point| !point.is_finite())).count();
            ask(bvh, points, &mut answers)?;
            emit.put(rows::rows(&columns, &answers));
            session.check_interrupt()
        };
        let watch = Watch::cancel(&session.cancel).progress(&progress);
        let limits = Limits::memory(session.rows_memory());
        let asked =
            estoc_rays_io::run(&mut source, 0..u64::MAX, limits, answer, rows.sink(), watch);
        drop(bar);
        if not_finite > 0 {
            let points = counted(not_finite, "point");
            session.note(format_args!(
                "{}: {points} with a coordinate that is not finite: {}",
                self.points.display(),
                self.not_finite
            ));
        }
        if let Some(note) = rounding_note(&source) {
            session.note(note);
        }
        if let Err(error) = asked {
            let end = rows.end();
            drop(rows);
            return Err(output.fail(Failure::of_run(error, &to), end));
        }
        rows.finish("")
            .map_err(|error| Failure::of_output(error, &to))?;
        output.finish()
    }
}
