//! `estoc near`: finds the point of a mesh or a scene that is closest to each point, in the order of the
//! points.

use crate::answer_columns::row_values::{each, numbers, some, texts, unless_all};
use crate::answer_columns::{AnswerColumn, Doubles, ResultColumns};
use crate::failure::Failure;
use crate::mesh_model::MeshModel;
use crate::mesh_source::MeshSource;
use crate::model_number::ModelNumber;
use crate::near_mesh;
use crate::number::{counted, number_where};
use crate::point_answers::{PointAnswers, PointArgs, PointQuestion};
use crate::scene_model::SceneModel;
use crate::session::Session;
use crate::side_rule::SideRule;
use crate::tree_args::TreeArgs;
use estoc::Bvh;
use estoc::glam::DVec3;
use estoc::query::{ClosestPointWithin, SignedDistanceBy};
use estoc::scene::SceneClosestPoint;
use estoc_batch::Record;
use estoc_core::ClosestPoint;
use estoc_rays_io::{ColumnKind, ColumnValues};

/// Print the point of a mesh or a scene that is closest to each point, as CSV in the order of the points.
///
/// The first line of a CSV file names its columns, in any order and letter case: x,y,z; other
/// columns are ignored, or passed through by --columns. Without --columns, the result has the columns
/// point,distance,prim,u,v,feature,x,y,z: `point` is the index of the data row, from 0; `distance`
/// is the distance from the mesh; `prim` is the index of the closest triangle in the order of the
/// file, from 0, the lowest where several are equally close; u and v are the weights of its second
/// and third corner; `feature` is the part of the triangle that the closest point lies on: vertex0,
/// vertex1, vertex2, edge0 (from vertex 0 to vertex 1), edge1, edge2 or face; x,y,z is the closest
/// point. Triangles are compared by their exact distances, and every number is the nearest f32 to
/// the exact value.
///
/// Points at a scene, and at a mesh with --local-frame or a tree file with an origin, are in the
/// coordinates of the world, in f64: none is rounded, except for its side in a local frame by --rule winding or
/// estimate, and x,y,z is the nearest f64 in the world. So are points
/// at a mesh in f64, which --precision chooses, where every number is the nearest f64. For a
/// scene there are also the columns `source`, the name of the object's file or generator, and `instance`,
/// the number of the placement in the scene file, from 0; for scenes in scenes, the numbers from the
/// outermost, separated by slashes. Spheres and boxes of a scene are near no point.
///
/// --signed adds the column `signed`: the distance with its sign, negative inside and positive outside
/// (as Open3D has it; trimesh has it the other way round), +0 on the surface and where it rounds to
/// zero. Inside is what estoc contains finds inside by the same --rule: by parity, a mesh that is not
/// closed has no inside and is rejected with exit status 3. It takes one mesh, not a scene.
///
/// Where there is no triangle, the row is N,inf,-1,,,,,, (and an empty cell for `signed`): farther than --within, for a point that is
/// not finite, and for triangles without area. Only prim tells this: a distance may be inf because it
/// overflows. A mesh file without faces is an error, as for every verb but info.
///
/// --columns selects from these and accepts the names of columns of the point file, such as an id;
/// input:NAME is the input's column if both have one of that name, such as input:x. With --json, prints
/// an object of schema "estoc.near/1" with the same rows as objects in `results` (missing values are
/// null, and so is a distance of inf), then `points`, the number of points. A line that cannot be read
/// ends the run with exit status 3, as with estoc cast: rows of the points before it are written to
/// stdout.
///
/// --to takes another mesh, in the same coordinates, instead of points, and prints how far the two
/// surfaces are apart (0 where they have a common point, or where it rounds to 0), and the triangles, their
/// parts and the points where they are that near: of equally near triangles those with the lowest indices, of
/// MESH first. Of a mesh inside the other it is the distance of the surfaces. There may be none within
/// --within. With --json, prints an object of schema "estoc.near-mesh/1": mesh, to, distance, nearest (of both
/// meshes {prim, feature, point}); distance and both are null where there is none.
///
/// Example: estoc near bunny.obj --points scan.csv --out near.csv
///
/// Example: estoc near bolt.stl --to plate.stl --within 2
///
/// Example: estoc near bunny.obj --point 0,0.1,0 --point 0,0.2,0
///
/// Example: estoc near bunny.obj --points scan.csv --within 0.01 --columns id,distance,prim
///
/// Example: estoc near teapot.obj --points grid.csv --signed --columns point,signed
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    given: PointArgs,
    /// Another mesh: print how far the two are apart, and where
    #[arg(long, value_name = "MESH", group = "PointSource",
          conflicts_with_all = ["signed", "rule", "columns"])]
    to: Option<MeshSource>,
    /// The greatest distance: triangles farther away do not count, those exactly this far do
    #[arg(long, value_name = "DISTANCE", default_value = "inf", allow_hyphen_values = true,
          value_parser = number_where(|distance: f64| distance >= 0.0,
                                      "a greatest distance is a number from 0, or inf"))]
    within: f64,
    /// Add the column signed: the distance, negative inside
    #[arg(long)]
    signed: bool,
    /// What decides whether a point that is not on the surface is inside, for the column signed
    /// [default: parity]
    #[arg(long, value_enum)]
    rule: Option<SideRule>,
    /// The columns of the result: point, distance, prim, u, v, feature, x, y, z, signed, source,
    /// instance, and columns of the point file by name
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    columns: Vec<String>,
    #[command(flatten)]
    tree: TreeArgs,
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    if let Some(to) = &args.to {
        return near_mesh::write(
            [&args.given.mesh, to],
            args.within as f32,
            args.tree,
            session,
        );
    }
    let mut columns = args.columns.clone();
    if args.signed {
        add_signed(&mut columns);
    }
    let is_signed = columns.iter().any(|name| name == SIGNED);
    if args.rule.is_some() && !is_signed {
        return Err(Failure::Usage(
            "--rule has no effect without the column signed; add --signed".into(),
        ));
    }
    if is_signed && args.given.mesh.is_scene() {
        return Err(Failure::Usage(format!(
            "{}: signed distances are of one mesh, not of a scene; leave out --signed, and ask estoc \
             contains which points are inside",
            args.given.mesh
        )));
    }
    let answers = PointAnswers {
        given: &args.given,
        tree: args.tree,
        columns: &columns,
        device: None,
        session,
    };
    answers.write(&ClosestOf {
        args,
        session,
        rule: is_signed.then(|| args.rule.unwrap_or(SideRule::Parity)),
    })
}

/// Adds the column `signed` after the others.
fn add_signed(columns: &mut Vec<String>) {
    if columns.is_empty() {
        columns.push("point".into());
        let all = ClosestOf::columns(false).into_iter();
        let usual = all.filter(|column| column.is_usual);
        columns.extend(usual.map(|column| column.name.to_owned()));
    }
    if !columns.iter().any(|name| name == SIGNED) {
        columns.push(SIGNED.into());
    }
}

/// The question for the closest points.
struct ClosestOf<'a> {
    args: &'a Args,
    session: &'a Session,
    /// The rule for the sign, if the column is asked for.
    rule: Option<SideRule>,
}

impl ClosestOf<'_> {
    /// Returns the columns of answers; `signed` has a distance for each point, or is empty.
    fn columns_of<P: Record, C: ModelNumber>(
        columns: &ResultColumns,
        closest: &[Option<P>],
        signed: &[Option<C>],
        scene: Option<&SceneModel>,
        doubles: Doubles,
    ) -> Vec<ColumnValues> {
        let rows = closest.len();
        let found = |row: usize| closest[row].as_ref();
        let present = unless_all(each(rows, |row| closest[row].is_some()));
        columns.values(|column| match column {
            SIGNED => some(rows, C::values, |row| {
                found(row).and(signed.get(row).copied().flatten())
            }),
            "source" => texts(rows, &|row| {
                Some(scene?.parts()?.source_at(*found(row)?.path()?).into())
            }),
            "instance" => texts(rows, &|row| Some(found(row)?.path()?.to_string().into())),
            number => ColumnValues {
                values: numbers(number, doubles, rows, found),
                present: present.clone(),
            },
        })
    }
}

/// Returns the distance, negative inside. One that rounds to 0 is +0 on either side.
fn with_sign(distance: f32, inside: bool) -> f32 {
    match inside && distance > 0.0 {
        true => -distance,
        false => distance,
    }
}

impl PointQuestion for ClosestOf<'_> {
    const SCHEMA: &'static str = "estoc.near/1";
    const NOT_FINITE: &'static str = "near nothing";

    fn columns(is_scene: bool) -> Vec<AnswerColumn> {
        let mut all = AnswerColumn::of_numbers::<SceneClosestPoint>();
        all.push(AnswerColumn::new(SIGNED, ColumnKind::Number).on_request());
        if is_scene {
            all.extend(
                ["source", "instance"].map(|name| AnswerColumn::new(name, ColumnKind::Text)),
            );
        }
        all
    }

    fn check_mesh<C: ModelNumber>(&self, model: &MeshModel<C>) -> Result<(), Failure> {
        let check = |rule: SideRule| rule.check(&self.args.given.mesh, model, self.session);
        self.rule.map_or(Ok(()), check)
    }

    fn check_scene(&self, scene: &SceneModel) -> Result<(), Failure> {
        let ClosestOf { args, session, .. } = *self;
        let shapes = scene.world().shape_count();
        if shapes > 0 {
            session.note(format_args!(
                "{}: {} left out: points are near triangles, not spheres and boxes",
                args.given.mesh,
                counted(shapes, "shape")
            ));
        }
        Ok(())
    }

    fn ask<C: ModelNumber>(
        &self,
        columns: &ResultColumns,
        bvh: &Bvh<C>,
        points: &[C::Point],
    ) -> Result<Vec<ColumnValues>, Failure>
    where
        ClosestPoint<C>: Record,
    {
        let (batch, engine) = (self.session.batch(), C::engine(bvh));
        let closest = batch.ask(engine, ClosestPointWithin(C::of(self.args.within)), points)?;
        let mut signed = Vec::new();
        if let Some(rule) = self.rule {
            let found = batch.ask(engine, SignedDistanceBy(rule.into()), points)?;
            signed.extend(found.into_iter().map(|found| Some(found?.signed)));
        }
        Ok(Self::columns_of(
            columns,
            &closest,
            &signed,
            None,
            C::DOUBLES,
        ))
    }

    fn ask_world(
        &self,
        columns: &ResultColumns,
        scene: &SceneModel,
        points: &[DVec3],
    ) -> Result<Vec<ColumnValues>, Failure> {
        let ClosestOf { args, session, .. } = *self;
        let question = ClosestPointWithin(args.within as f32);
        let closest = session.batch().ask(scene.world(), question, points)?;
        let mut signed = Vec::new();
        if let Some(rule) = self.rule {
            let inside = rule.inside_world(scene, points, session)?;
            let found = closest.iter().zip(inside);
            signed.extend(
                found.map(|(found, inside)| Some(with_sign(found.as_ref()?.distance, inside?))),
            );
        }
        let doubles = Doubles::Coordinates;
        Ok(Self::columns_of(
            columns,
            &closest,
            &signed,
            Some(scene),
            doubles,
        ))
    }
}

/// The column of signed distances.
const SIGNED: &str = "signed";
