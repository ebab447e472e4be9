//! Answers about the points of a file, in the order of the points: what `contains` and `near` share.

mod columns;
mod rows;

pub(crate) use columns::AnswerColumn;

use crate::common::Session;
use crate::failure::Failure;
use crate::mesh_source::MeshSource;
use crate::model::Model;
use crate::number::counted;
use crate::output::Output;
use crate::output_name::Form;
use crate::point_target::{PointEngine, PointTarget};
use crate::result_rows::{JsonObject, ResultRows, metadata, rounding_note};
use crate::tree_args::TreeArgs;
use columns::Columns;
use estoc::Bvh;
use estoc::glam::{DVec3, Vec3};
use estoc::scene::SceneSnapshot;
use estoc_rays_io::{
    Emit, Format, Input, InputOptions, InputProgress, Item, Limits, SinkOptions, Watch,
};
use rows::Rows;
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
}

/// A question about points.
pub(crate) trait PointQuestion {
    type Column: AnswerColumn;

    /// What points that are not finite are, for a note.
    const NOT_FINITE: &'static str;

    /// Refuses a mesh or a scene that has no answers.
    fn check(&self, target: &PointTarget) -> Result<(), Failure>;

    /// Replaces the answers by those about points and a mesh.
    fn ask(&self, bvh: &Bvh, points: &[Vec3], answers: &mut AnswersOf<Self>)
    -> Result<(), Failure>;

    /// Replaces the answers by those about points in the world, which the target is placed in.
    fn ask_world(
        &self,
        target: &PointTarget,
        world: &SceneSnapshot,
        points: &[DVec3],
        answers: &mut AnswersOf<Self>,
    ) -> Result<(), Failure>;
}

/// The answers to a question about points.
pub(crate) type AnswersOf<Q> = Vec<<<Q as PointQuestion>::Column as AnswerColumn>::Answer>;

impl PointAnswers<'_> {
    /// Reads all points and writes a row for each.
    pub(crate) fn write<Q: PointQuestion>(&self, question: &Q) -> Result<(), Failure> {
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
        let is_scene = self.mesh.is_scene();
        let mut columns = Columns::<Q::Column>::usual(is_scene);
        if !self.columns.is_empty() {
            let (chosen, passed) = Columns::chosen(self.columns, is_scene, source.columns())?;
            source.pass_through(passed);
            columns = chosen;
        }
        let mut inputs = self.mesh.files();
        inputs.extend((!from_stdin).then_some(self.points));
        let output = session.output(Form::of_rows(format), &inputs)?;
        let target = PointTarget::open(self.mesh, self.tree, session)?;
        question.check(&target)?;
        let rows = Rows {
            columns,
            is_world: matches!(target.engine(), PointEngine::World(_)),
            scene: target.scene(),
        };
        // Written into Parquet only.
        let hashed = target.model().filter(|_| format == Format::Parquet);
        let hash = hashed.and_then(Model::content_hash);
        let to = (output, format, hash);
        match target.engine() {
            PointEngine::Mesh(bvh) => {
                let ask = |points: &[Vec3], answers: &mut _| question.ask(bvh, points, answers);
                self.answer::<Q, _>(source, Vec3::is_finite, rows, to, ask)
            }
            PointEngine::World(world) => {
                let ask = |points: &[DVec3], answers: &mut _| {
                    question.ask_world(&target, world, points, answers)
                };
                self.answer::<Q, _>(source.with_items(), DVec3::is_finite, rows, to, ask)
            }
        }
    }

    /// Answers about all points of a source.
    fn answer<Q: PointQuestion, P: Item>(
        &self,
        mut source: Input<P>,
        is_finite: fn(P) -> bool,
        made: Rows<'_, Q::Column>,
        (mut output, format, hash): (Output, Format, Option<u64>),
        ask: impl Fn(&[P], &mut AnswersOf<Q>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let session = self.session;
        let schema = <Q::Column as AnswerColumn>::SCHEMA;
        let to = output.name().to_owned();
        let json = session.json().then(|| JsonObject {
            head: format!("\"schema\":\"{schema}\""),
            items: "points",
            has_nulls: true,
        });
        let mut options = SinkOptions::default();
        options.rows = source.rows();
        options.passed = source.passed_types();
        if format == Format::Parquet {
            let query = schema.trim_start_matches("estoc.").trim_end_matches("/1");
            options.metadata = metadata(query, hash);
        }
        let written = made.columns.output(format, made.is_world);
        let mut rows = ResultRows::begin(&mut output, format, written, json, options)?;
        let bar = session.progress("querying", source.progress().total);
        let progress = |items: u64, progress: InputProgress| {
            bar.set(progress.done);
            bar.set_items(items, "points");
        };
        let mut not_finite = 0;
        let mut answers = Vec::new();
        let answer = |points: &[P], emit: &mut Emit<'_>| {
            not_finite += (points.iter().filter(|&&point| !is_finite(point))).count();
            ask(points, &mut answers)?;
            emit.put(rows::rows(&made, &answers));
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
                Q::NOT_FINITE
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
