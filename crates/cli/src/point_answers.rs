//! Answers about points, in their order: what `contains` and `near` share.

use crate::answer_columns::{AnswerColumn, Choice, Doubles, ResultColumns};
use crate::device_args::{DeviceRun, LoadedDevice, StartedDevice};
use crate::failure::Failure;
use crate::mesh_model::MeshModel;
use crate::mesh_source::MeshSource;
use crate::model_number::ModelNumber;
use crate::number::counted;
use crate::opened::Opened;
use crate::output_name::Form;
use crate::point_source::PointSource;
use crate::result_rows::{JsonObject, WantedRows, json_precision, metadata, rounding_note};
use crate::scene_model::SceneModel;
use crate::session::Session;
use crate::tree_args::TreeArgs;
use estoc::Bvh;
use estoc::glam::{DVec3, Vec3};
use estoc_batch::Record;
use estoc_core::ClosestPoint;
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
    pub(crate) device: Option<&'a StartedDevice>,
    pub(crate) session: &'a Session,
}

/// A question about points.
pub(crate) trait PointQuestion {
    /// The name of the JSON format, such as "estoc.contains/1".
    const SCHEMA: &'static str;

    /// What points that are not finite are, for a note.
    const NOT_FINITE: &'static str;

    /// Returns the columns of the answers about a scene, or else a mesh.
    fn columns(is_scene: bool) -> Vec<AnswerColumn>;

    /// Refuses a mesh that has no answers.
    fn check_mesh<C: ModelNumber>(&self, model: &MeshModel<C>) -> Result<(), Failure>;

    /// Refuses a scene that has no answers, and notes what is left out of it.
    fn check_scene(&self, scene: &SceneModel) -> Result<(), Failure>;

    /// Returns the answers about points and a mesh, in columns.
    fn ask<C: ModelNumber>(
        &self,
        columns: &ResultColumns,
        bvh: &Bvh<C>,
        points: &[C::Point],
    ) -> Result<Vec<ColumnValues>, Failure>
    where
        ClosestPoint<C>: Record;

    /// Returns the answers about points and a mesh whose tree is on a device, too. It is asked only by questions
    /// about rays.
    fn ask_device(
        &self,
        columns: &ResultColumns,
        (bvh, device): (&Bvh, &DeviceRun<'_>),
        points: &[Vec3],
    ) -> Result<Vec<ColumnValues>, Failure> {
        let _ = device;
        self.ask(columns, bvh, points)
    }

    /// Returns the answers about points in the world.
    fn ask_world(
        &self,
        columns: &ResultColumns,
        scene: &SceneModel,
        points: &[DVec3],
    ) -> Result<Vec<ColumnValues>, Failure>;
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
        let opened = Opened::open(mesh, self.tree, session)?;
        if let Some(device) = self.device {
            device.refuse_opened(mesh, &opened)?;
        }
        // Written into Parquet only.
        let is_hashed = format == TableFormat::Parquet;
        let query = Q::SCHEMA.trim_start_matches("estoc.");
        let rows = source.rows();
        let wanted = |doubles, hash: Option<u64>| WantedRows {
            output,
            format,
            columns: columns.output(format, doubles),
            json: JsonObject {
                head: format!("\"schema\":\"{}\"{}", Q::SCHEMA, json_precision(doubles)),
                has_nulls: true,
            },
            rows,
            metadata: metadata(query.trim_end_matches("/1"), hash, doubles),
            session,
        };
        let scene = match opened {
            Opened::Scene(scene) => scene.in_file()?,
            Opened::Wide(model) => {
                question.check_mesh(&model)?;
                let ask = |points: &[DVec3]| question.ask(&columns, model.bvh(), points);
                let hash = is_hashed.then(|| model.content_hash()).flatten();
                let (points, wanted) = (source.with_items(), wanted(Doubles::All, hash));
                return self.answer::<Q, _>(points, DVec3::is_finite, wanted, ask);
            }
        };
        match scene.mesh() {
            Some(mesh) => question.check_mesh(mesh)?,
            None => question.check_scene(&scene)?,
        }
        let hashed = scene.mesh().filter(|_| is_hashed);
        let wanted = wanted(scene.doubles(), hashed.and_then(MeshModel::content_hash));
        match scene.near_mesh() {
            Some(mesh) => {
                let loaded = match self.device {
                    Some(device) => device.load(mesh.bvh(), session)?,
                    None => None,
                };
                let device = loaded.as_ref().map(LoadedDevice::run);
                let ask = |points: &[Vec3]| match &device {
                    Some(device) => question.ask_device(&columns, (mesh.bvh(), device), points),
                    None => question.ask(&columns, mesh.bvh(), points),
                };
                self.answer::<Q, _>(source, Vec3::is_finite, wanted, ask)?;
                if let Some(note) = device.as_ref().and_then(DeviceRun::fault_note) {
                    session.note(note);
                }
                Ok(())
            }
            None => {
                let ask = |points: &[DVec3]| question.ask_world(&columns, &scene, points);
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
