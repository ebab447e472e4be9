//! Answers about points, in their order: what `contains` and `near` share.

use crate::answer_columns::{AnswerColumn, Choice, ResultColumns};
use crate::common::Session;
use crate::failure::Failure;
use crate::mesh_model::MeshModel;
use crate::mesh_source::MeshSource;
use crate::number::counted;
use crate::output_name::Form;
use crate::point_source::PointSource;
use crate::result_rows::{JsonObject, WantedRows, metadata, rounding_note};
use crate::scene_model::SceneModel;
use crate::tree_args::TreeArgs;
use estoc::Bvh;
use estoc::glam::{DVec3, Vec3};
use estoc_rays_io::{Answers, ColumnValues, Input, Item, TableFormat};

/// What is asked, and about which points.
#[derive(clap::Args)]
pub(crate) struct PointArgs {
    /// A mesh file, a scene file, scene:FILE.glb, - for stdin, or demo:NAME
    #[arg(value_name = "MESH")]
    pub(crate) mesh: MeshSource,
    #[command(flatten)]
    pub(crate) source: PointSource,
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
    type Answer;

    /// The name of the JSON format, such as "estoc.contains/1".
    const SCHEMA: &'static str;

    /// What points that are not finite are, for a note.
    const NOT_FINITE: &'static str;

    /// Returns the columns of the answers about a scene, or else a mesh.
    fn columns(is_scene: bool) -> Vec<AnswerColumn>;

    /// Refuses a mesh or a scene that has no answers.
    fn check(&self, scene: &SceneModel) -> Result<(), Failure>;

    /// Returns the answers about points and a mesh.
    fn ask(&self, bvh: &Bvh, points: &[Vec3]) -> Result<Vec<Self::Answer>, Failure>;

    /// Returns the answers about points in the world.
    fn ask_world(&self, scene: &SceneModel, points: &[DVec3])
    -> Result<Vec<Self::Answer>, Failure>;

    /// Returns the values of the columns of answers about a scene.
    fn values(
        columns: &ResultColumns,
        scene: &SceneModel,
        answers: &[Self::Answer],
    ) -> Vec<ColumnValues>;
}

impl PointAnswers<'_> {
    /// Reads all points and writes a row for each.
    pub(crate) fn write<Q: PointQuestion>(&self, question: &Q) -> Result<(), Failure> {
        let session = self.session;
        let PointArgs {
            mesh,
            source: given,
        } = self.given;
        mesh.refuse_stdin_twice(given.is_stdin(), "the mesh and the points")?;
        let format = session.rows_format()?;
        // Open the points first, so that a mistyped name fails before a large mesh is loaded.
        let mut source = given.open(session)?;
        if format == TableFormat::Parquet {
            source.read_ids();
        }
        let choice = Choice {
            item: "point",
            answers: Q::columns(mesh.is_scene()),
            reserved: Vec::new(),
            input: source.columns(),
            asked: "there is",
        };
        let (columns, passed) = ResultColumns::new(self.columns, choice)?;
        source.pass_through(passed);
        let mut inputs = mesh.files();
        inputs.extend(given.file());
        let output = session.output(Form::of_rows(format), &inputs)?;
        let scene = SceneModel::open(mesh, self.tree, session)?.in_file()?;
        question.check(&scene)?;
        // Written into Parquet only.
        let hashed = scene.mesh().filter(|_| format == TableFormat::Parquet);
        let query = Q::SCHEMA.trim_start_matches("estoc.");
        let wanted = |is_world| WantedRows {
            output,
            format,
            columns: columns.output(format, is_world),
            json: JsonObject {
                head: format!("\"schema\":\"{}\"", Q::SCHEMA),
                has_nulls: true,
            },
            rows: source.rows(),
            metadata: metadata(
                query.trim_end_matches("/1"),
                hashed.and_then(MeshModel::content_hash),
            ),
            session,
        };
        let values = |answers: &[Q::Answer]| Q::values(&columns, &scene, answers);
        match scene.near_mesh() {
            Some(mesh) => {
                let ask = |points: &[Vec3]| Ok(values(&question.ask(mesh.bvh(), points)?));
                let wanted = wanted(false);
                self.answer::<Q, _>(source, Vec3::is_finite, wanted, ask)
            }
            None => {
                let ask = |points: &[DVec3]| Ok(values(&question.ask_world(&scene, points)?));
                let wanted = wanted(true);
                self.answer::<Q, _>(source.with_items(), DVec3::is_finite, wanted, ask)
            }
        }
    }

    /// Answers about all points of a source.
    fn answer<Q: PointQuestion, P: Item>(
        &self,
        mut source: Input<P>,
        is_finite: fn(P) -> bool,
        wanted: WantedRows<'_>,
        ask: impl Fn(&[P]) -> Result<Vec<ColumnValues>, Failure>,
    ) -> Result<(), Failure> {
        let session = self.session;
        wanted.write(&mut source, |mut asked| {
            let mut not_finite = 0;
            let answered = asked.answer("querying", |points, emit| {
                not_finite += (points.iter().filter(|&&point| !is_finite(point))).count();
                emit.put(Answers {
                    items: 0..points.len(),
                    item_of_row: None,
                    columns: ask(points)?,
                });
                session.check_interrupt()
            });
            if not_finite > 0 {
                let points = counted(not_finite, "point");
                session.note(format_args!(
                    "{}: {points} with a coordinate that is not finite: {}",
                    self.given.source.name(),
                    Q::NOT_FINITE
                ));
            }
            if let Some(note) = rounding_note(asked.input) {
                session.note(note);
            }
            answered.map(|()| String::new())
        })
    }
}
