//! `estoc near`: finds the point of a mesh that is closest to each point, in the order of the points.

use crate::common::Session;
use crate::failure::Failure;
use crate::mesh_source::MeshSource;
use crate::number::Number;
use crate::point_answers::{AnswerColumn, PointAnswers};
use crate::tree_args::TreeArgs;
use estoc::ClosestPoint;
use estoc::query::Feature;
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;

/// Print the point of a mesh that is closest to each point, as CSV in the order of the points.
///
/// The first line of a point file names its columns, in any order and letter case: x,y,z; other
/// columns are ignored, or passed through by --columns. Without --columns, the result has the columns
/// point,distance,prim,u,v,feature,x,y,z: `point` is the index of the data row, from 0; `distance`
/// is the distance from the mesh; `prim` is the index of the closest triangle in the order of the
/// file, from 0, the lowest where several are equally close; u and v are the weights of its second
/// and third corner; `feature` is the part of the triangle that the closest point lies on: vertex0,
/// vertex1, vertex2, edge0 (from vertex 0 to vertex 1), edge1, edge2 or face; x,y,z is the closest
/// point. Triangles are compared by their exact distances, and every number is the nearest f32 to
/// the exact value.
///
/// Where there is no triangle, the row is N,inf,-1,,,,,,: farther than --within, for a point that is
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
/// Example: estoc near bunny.obj --points scan.csv --out near.csv
///
/// Example: estoc near bunny.obj --points scan.csv --within 0.01 --columns id,distance,prim
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A mesh file, - for stdin, or demo:NAME
    #[arg(value_name = "MESH")]
    mesh: MeshSource,
    /// A CSV file of points, optionally compressed with gzip or zstd; - is stdin
    #[arg(long, value_name = "FILE")]
    points: PathBuf,
    /// The greatest distance: triangles farther away do not count, those exactly this far do
    #[arg(long, value_name = "DISTANCE", default_value = "inf",
          value_parser = greatest_distance, allow_hyphen_values = true)]
    within: f32,
    /// The columns of the result: point, distance, prim, u, v, feature, x, y, z, and columns of the
    /// point file by name
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    columns: Vec<String>,
    #[command(flatten)]
    tree: TreeArgs,
}

/// Parses the greatest distance that counts.
fn greatest_distance(text: &str) -> Result<f32, String> {
    let number = text.parse().ok();
    number
        .filter(|&distance: &f32| distance >= 0.0)
        .ok_or_else(|| "a greatest distance is a number from 0, or inf".into())
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let answers = PointAnswers {
        mesh: &args.mesh,
        points: &args.points,
        columns: &args.columns,
        tree: args.tree,
        session,
        not_finite: "near nothing",
    };
    let batch = session.batch();
    answers.write::<NearColumn>(
        |_| Ok(()),
        |bvh, points, closest| {
            closest.resize(points.len(), None);
            batch.closest_points_within_into(bvh, points, args.within, closest)?;
            Ok(())
        },
    )
}

/// A column of the answers.
#[derive(Clone, Copy)]
enum NearColumn {
    Distance,
    Prim,
    U,
    V,
    Feature,
    X,
    Y,
    Z,
}

impl NearColumn {
    /// Returns the number in this column, if it is one with a fraction.
    fn number(self, closest: &ClosestPoint) -> Option<f32> {
        match self {
            NearColumn::Distance => Some(closest.distance),
            NearColumn::U => Some(closest.u),
            NearColumn::V => Some(closest.v),
            NearColumn::X => Some(closest.point.x),
            NearColumn::Y => Some(closest.point.y),
            NearColumn::Z => Some(closest.point.z),
            NearColumn::Prim | NearColumn::Feature => None,
        }
    }
}

impl AnswerColumn for NearColumn {
    type Answer = Option<ClosestPoint>;

    const SCHEMA: &'static str = "estoc.near/1";
    const ALL: &'static [Self] = &[
        NearColumn::Distance,
        NearColumn::Prim,
        NearColumn::U,
        NearColumn::V,
        NearColumn::Feature,
        NearColumn::X,
        NearColumn::Y,
        NearColumn::Z,
    ];

    fn name(self) -> &'static str {
        match self {
            NearColumn::Distance => "distance",
            NearColumn::Prim => "prim",
            NearColumn::U => "u",
            NearColumn::V => "v",
            NearColumn::Feature => "feature",
            NearColumn::X => "x",
            NearColumn::Y => "y",
            NearColumn::Z => "z",
        }
    }

    fn put_csv(self, text: &mut Vec<u8>, answer: &Option<ClosestPoint>) {
        // Writing to memory does not fail.
        let _ = match (self, answer) {
            (NearColumn::Distance, None) => write!(text, "inf"),
            (NearColumn::Prim, None) => write!(text, "-1"),
            (_, None) => Ok(()),
            (NearColumn::Prim, Some(closest)) => write!(text, "{}", closest.prim),
            (NearColumn::Feature, Some(closest)) => write!(text, "{}", word(closest.feature)),
            (column, Some(closest)) => match column.number(closest) {
                Some(number) => write!(text, "{}", Number(number)),
                None => Ok(()),
            },
        };
    }

    fn json(self, answer: &Option<ClosestPoint>) -> Value {
        match (self, answer) {
            (_, None) => Value::Null,
            (NearColumn::Prim, Some(closest)) => closest.prim.get().into(),
            (NearColumn::Feature, Some(closest)) => word(closest.feature).into(),
            (column, Some(closest)) => {
                let number = column.number(closest);
                number.map_or(Value::Null, |number| Number(number).json())
            }
        }
    }
}

/// Returns the word for a part of a triangle.
fn word(feature: Feature) -> String {
    match feature {
        Feature::Vertex(vertex) => format!("vertex{vertex}"),
        Feature::Edge(edge) => format!("edge{edge}"),
        Feature::Face => "face".into(),
    }
}
