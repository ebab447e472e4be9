//! Answers about the points of a file, in the order of the points: what `contains` and `near` share.

use crate::answer_columns::{AnswerColumn, AnswerKind, Choice, Columns};
use crate::common::Session;
use crate::failure::Failure;
use crate::mesh_source::MeshSource;
use crate::model::MeshModel;
use crate::number::counted;
use crate::output::Output;
use crate::output_name::Form;
use crate::point_target::{PointAnswerer, PointTarget};
use crate::result_rows::{JsonObject, ResultRows, metadata, rounding_note};
use crate::tree_args::TreeArgs;
use estoc::Bvh;
use estoc::glam::{DVec3, Vec3};
use estoc::scene::SceneSnapshot;
use estoc_rays_io::{
    Answers, Emit, Format, Input, InputOptions, InputProgress, Item, Limits, SinkOptions, Watch,
};
use rayon::prelude::*;
use std::path::PathBuf;

/// Points whose rows a thread makes at a time.
const PIECE: usize = 1 << 12;

/// What is asked, and about which points.
#[derive(clap::Args)]
pub(crate) struct PointArgs {
    /// A mesh file, a scene file, scene:FILE.glb, - for stdin, or demo:NAME
    #[arg(value_name = "MESH")]
    pub(crate) mesh: MeshSource,
    /// A file of points: CSV, NPY, PLY or lines of numbers, optionally compressed with gzip or zstd, NPZ or
    /// Parquet, or a folder of Parquet files; - is stdin
    ///
    /// The content tells the format. Arrays of numpy (NPY, or NPZ with one array) have N x 3 numbers of f32
    /// or f64, and PLY has vertices. Lines of numbers (XYZ, ASC, PTS) have three or more, of which the first
    /// are x, y and z, separated by spaces, tabs or semicolons; lines that begin with # or // are comments,
    /// and a number of points may stand before them. Their other columns are named column4, column5 and so
    /// on, and those of PLY as text as its header says. --out FILE.npy and --out FILE.parquet write these
    /// formats; Parquet needs a build with --features parquet. Points and answers take at most --memory, by
    /// default 1G, beside the tree
    #[arg(long, value_name = "FILE")]
    points: PathBuf,
}

/// What a verb about points is given.
pub(crate) struct PointAnswers<'a> {
    pub(crate) given: &'a PointArgs,
    /// The names of the columns of the result; empty for the default ones.
    pub(crate) columns: &'a [String],
    pub(crate) tree: TreeArgs,
    pub(crate) session: &'a Session,
}

/// A question about points.
pub(crate) trait PointQuestion {
    type Kind: AnswerKind;

    /// The name of the JSON format, such as "estoc.contains/1".
    const SCHEMA: &'static str;

    /// What points that are not finite are, for a note.
    const NOT_FINITE: &'static str;

    /// Returns the columns of the answers about a scene, or else a mesh.
    fn columns(is_scene: bool) -> Vec<AnswerColumn<Self::Kind>>;

    /// Refuses a mesh or a scene that has no answers.
    fn check(&self, target: &PointTarget) -> Result<(), Failure>;

    /// Returns the answers about points and a mesh.
    fn ask<'t>(&self, bvh: &'t Bvh, points: &[Vec3]) -> Result<AnswersTo<'t, Self>, Failure>;

    /// Returns the answers about points in the world, which the target is placed in.
    fn ask_world<'t>(
        &self,
        target: &'t PointTarget,
        world: &SceneSnapshot,
        points: &[DVec3],
    ) -> Result<AnswersTo<'t, Self>, Failure>;
}

/// The answers to a question about points.
pub(crate) type AnswersTo<'t, Q> = Vec<<<Q as PointQuestion>::Kind as AnswerKind>::Answer<'t>>;

impl PointAnswers<'_> {
    /// Reads all points and writes a row for each.
    pub(crate) fn write<Q: PointQuestion>(&self, question: &Q) -> Result<(), Failure> {
        let session = self.session;
        let PointArgs { mesh, points } = self.given;
        let from_stdin = points.as_os_str() == "-";
        if from_stdin && matches!(mesh, MeshSource::Stdin) {
            let problem =
                "stdin cannot be both the mesh and the points; name a file for one of them";
            return Err(Failure::Usage(problem.into()));
        }
        let format = session.rows_format()?;
        // Open the points first, so that a mistyped name fails before a large mesh is loaded.
        let options = InputOptions::memory(session.rows_memory());
        let mut source = Input::<Vec3>::open(points, &options)?;
        for (name, known) in source.lookalikes() {
            session.note(format_args!(
                "{}: the column {name:?} is ignored; rename it to {known} to use it",
                points.display()
            ));
        }
        if format == Format::Parquet {
            source.read_ids();
        }
        let choice = Choice {
            item: "point",
            answers: Q::columns(mesh.is_scene()),
            reserved: Vec::new(),
            input: source.columns(),
            asked: "there is",
        };
        let (columns, passed) = Columns::new(self.columns, choice)?;
        source.pass_through(passed);
        let mut inputs = mesh.files();
        inputs.extend((!from_stdin).then_some(&**points));
        let output = session.output(Form::of_rows(format), &inputs)?;
        let target = PointTarget::open(mesh, self.tree, session)?;
        question.check(&target)?;
        let is_world = matches!(target.engine(), PointAnswerer::World(_));
        let rows = (columns, is_world);
        // Written into Parquet only.
        let hashed = target.model().filter(|_| format == Format::Parquet);
        let hash = hashed.and_then(MeshModel::content_hash);
        let to = (output, format, hash);
        match target.engine() {
            PointAnswerer::Mesh(bvh) => {
                let ask = |points: &[Vec3]| question.ask(bvh, points);
                self.answer::<Q, _>(source, Vec3::is_finite, rows, to, ask)
            }
            PointAnswerer::World(world) => {
                let ask = |points: &[DVec3]| question.ask_world(&target, world, points);
                self.answer::<Q, _>(source.with_items(), DVec3::is_finite, rows, to, ask)
            }
        }
    }

    /// Answers about all points of a source.
    fn answer<'t, Q: PointQuestion, P: Item>(
        &self,
        mut source: Input<P>,
        is_finite: fn(P) -> bool,
        (columns, is_world): (Columns<Q::Kind>, bool),
        (mut output, format, hash): (Output, Format, Option<u64>),
        ask: impl Fn(&[P]) -> Result<AnswersTo<'t, Q>, Failure>,
    ) -> Result<(), Failure> {
        let (session, schema) = (self.session, Q::SCHEMA);
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
        let written = columns.output(format, is_world);
        let mut result = ResultRows::begin(&mut output, format, written, json, options)?;
        let bar = session.progress("querying", source.progress().total);
        let progress = |items: u64, progress: InputProgress| {
            bar.set(progress.done);
            bar.set_items(items, "points");
        };
        let mut not_finite = 0;
        let answer = |points: &[P], emit: &mut Emit<'_>| {
            not_finite += (points.iter().filter(|&&point| !is_finite(point))).count();
            emit.put(rows(&columns, is_world, &ask(points)?));
            session.check_interrupt()
        };
        let watch = Watch::cancel(&session.cancel).progress(&progress);
        let limits = Limits::memory(session.rows_memory());
        let asked = estoc_rays_io::run(
            &mut source,
            0..u64::MAX,
            limits,
            answer,
            result.sink(),
            watch,
        );
        drop(bar);
        if not_finite > 0 {
            let points = counted(not_finite, "point");
            session.note(format_args!(
                "{}: {points} with a coordinate that is not finite: {}",
                self.given.points.display(),
                Q::NOT_FINITE
            ));
        }
        if let Some(note) = rounding_note(&source) {
            session.note(note);
        }
        if let Err(error) = asked {
            let end = result.end();
            drop(result);
            return Err(output.fail(Failure::of_run(error, &to), end));
        }
        result
            .finish("")
            .map_err(|error| Failure::of_output(error, &to))?;
        output.finish()
    }
}

/// Returns the rows of the answers about all points of a block.
fn rows<K: AnswerKind>(columns: &Columns<K>, is_world: bool, answers: &[K::Answer<'_>]) -> Answers {
    let pieces = answers.par_chunks(PIECE).enumerate();
    let pieces = pieces.map(|(piece, answers)| {
        let first = piece * PIECE;
        let mut rows = columns.rows(is_world);
        rows.push(answers);
        rows.finish(first..first + answers.len(), None)
    });
    Answers::joined(pieces.collect())
}
