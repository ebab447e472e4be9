//! `estoc contains`: tells whether points are inside a mesh or a scene, in the order of the points.

use crate::answer_columns::{AnswerColumn, ResultColumns};
use crate::closed::not_closed;
use crate::device_args::{DeviceArgs, DeviceRun};
use crate::failure::Failure;
use crate::mesh_model::MeshModel;
use crate::mesh_source::MeshSource;
use crate::model_number::ModelNumber;
use crate::number::counted;
use crate::point_answers::{PointAnswers, PointArgs, PointQuestion};
use crate::scene_model::SceneModel;
use crate::scene_parts::SceneParts;
use crate::session::Session;
use crate::side_rule::SideRule;
use crate::tree_args::TreeArgs;
use crate::value_name::name_of;
use estoc::Bvh;
use estoc::glam::{DVec3, Vec3};
use estoc::query::Contains;
use estoc_rays_io::{ColumnKind, ColumnValues, TypedValues};

/// Print which points are inside a mesh, or inside an object of a scene, as CSV in the order of the points.
///
/// The first line of a CSV file names its columns, in any order and letter case: x,y,z; other
/// columns are ignored, or passed through by --columns. Without --columns, the result has the columns
/// point,inside: `point` is the index of the data row, from 0; `inside` is 1 for a point inside or
/// exactly on the surface, and 0 outside. A point that is not finite is outside. --columns selects
/// from these and accepts the names of columns of the point file, such as an id; input:NAME is the
/// input's column if both have one of that name. With --json, prints an object of schema "estoc.contains/1" with
/// the same rows as objects in `results` (inside is true or false), then `points`, the number of
/// points. A line that cannot be read ends the run with exit status 3, as with estoc cast: rows of
/// the points before it are written to stdout.
///
/// By --rule parity, the default, a point is inside if a ray from it crosses the surface an odd number of
/// times. A mesh that is not closed is then rejected with exit status 3: every edge must belong to an even
/// number of triangles, as in a watertight solid, where corners at the same position count as one. The
/// message names such an edge, as estoc info MESH does. --rule winding also counts what shells have in
/// common as inside, and needs triangles that face one side consistently. --rule estimate answers for
/// every mesh, open ones such as scans too; it is not exact.
///
/// Points at a scene, at a mesh in f64, which --precision chooses, and at one with --local-frame or a tree
/// file with an origin, are in the coordinates of the world, in f64; none is rounded, except in a local frame
/// by --rule winding or estimate. In a scene, a point is inside if it is inside at least one closed mesh, sphere or
/// box; meshes that are not closed are left out, and a note counts them.
///
/// Example: estoc contains bunny.obj --points points.csv --out inside.csv
///
/// Example: estoc contains bunny.obj --points points.csv --columns id,inside
///
/// Example: estoc contains scan.ply --points points.csv --rule estimate
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    given: PointArgs,
    /// The columns of the result: point, inside, and columns of the point file by name
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    columns: Vec<String>,
    /// What decides whether a point that is not on the surface is inside
    #[arg(long, value_enum, default_value_t = SideRule::Parity)]
    rule: SideRule,
    #[command(flatten)]
    tree: TreeArgs,
    #[command(flatten)]
    device: DeviceArgs,
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let device = args.device.start(session)?;
    if let Some(device) = &device {
        device.refuse_scene(&args.given.mesh)?;
        if args.rule != SideRule::Parity {
            device.refuse(format_args!("--rule {}", name_of(&args.rule)))?;
        }
    }
    let answers = PointAnswers {
        given: &args.given,
        tree: args.tree,
        device: device.as_ref().filter(|_| args.rule == SideRule::Parity),
        columns: &args.columns,
        session,
    };
    if args.given.mesh.is_scene() && args.rule != SideRule::Parity {
        return Err(Failure::Usage(format!(
            "{}: --rule takes one mesh, not a scene of placed meshes; leave out --rule",
            args.given.mesh
        )));
    }
    answers.write(&IsInside { args, session })
}

/// The question whether points are inside.
struct IsInside<'a> {
    args: &'a Args,
    session: &'a Session,
}

impl IsInside<'_> {
    /// Returns the answers to all points in columns; there is one for each.
    fn known(
        &self,
        columns: &ResultColumns,
        found: Vec<Option<bool>>,
    ) -> Result<Vec<ColumnValues>, Failure> {
        let known: Option<Vec<bool>> = found.into_iter().collect();
        let inside = known.ok_or_else(|| not_closed(&self.args.given.mesh, ""))?;
        Ok(columns.values(|_| ColumnValues::all(TypedValues::Flags(inside.clone()))))
    }
}

impl PointQuestion for IsInside<'_> {
    const SCHEMA: &'static str = "estoc.contains/1";
    const NOT_FINITE: &'static str = "outside";

    fn columns(_: bool) -> Vec<AnswerColumn> {
        vec![AnswerColumn::new("inside", ColumnKind::Flag)]
    }

    fn check_mesh<C: ModelNumber>(&self, model: &MeshModel<C>) -> Result<(), Failure> {
        self.args
            .rule
            .check(&self.args.given.mesh, model, self.session)
    }

    fn check_scene(&self, scene: &SceneModel) -> Result<(), Failure> {
        let parts = scene
            .parts()
            .map(|parts| check_parts(&self.args.given.mesh, parts, self.session));
        parts.unwrap_or(Ok(()))
    }

    fn ask<C: ModelNumber>(
        &self,
        columns: &ResultColumns,
        bvh: &Bvh<C>,
        points: &[C::Point],
    ) -> Result<Vec<ColumnValues>, Failure> {
        self.known(columns, self.args.rule.inside(bvh, points, self.session)?)
    }

    fn ask_device(
        &self,
        columns: &ResultColumns,
        (_, device): (&Bvh, &DeviceRun<'_>),
        points: &[Vec3],
    ) -> Result<Vec<ColumnValues>, Failure> {
        let batch = DeviceRun::settings(self.session.batch());
        let found = batch.ask(device.engine(), Contains, points);
        self.known(columns, device.told(found.map_err(Failure::from))?)
    }

    fn ask_world(
        &self,
        columns: &ResultColumns,
        scene: &SceneModel,
        points: &[DVec3],
    ) -> Result<Vec<ColumnValues>, Failure> {
        let IsInside { args, session } = *self;
        self.known(columns, args.rule.inside_world(scene, points, session)?)
    }
}

fn check_parts(source: &MeshSource, scene: &SceneParts, session: &Session) -> Result<(), Failure> {
    for mesh in &scene.meshes {
        mesh.check_room_for_edges(session)?;
    }
    let world = scene.loaded.snapshot();
    let (open, closed) = (world.open_objects(), world.closed_objects());
    if closed == 0 {
        return Err(Failure::NotClosed(format!(
            "{source}: no object of the scene is closed, so nothing is inside; estoc check names the \
             open edges of a mesh"
        )));
    }
    if open > 0 {
        let verb = if open == 1 { "is" } else { "are" };
        session.note(format_args!(
            "{source}: {} {verb} not closed and left out",
            counted(open, "object")
        ));
    }
    Ok(())
}
