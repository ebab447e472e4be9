//! `estoc near`: finds the point of a mesh that is closest to each point, in the order of the points.

use crate::closed::Closed;
use crate::common::Session;
use crate::contains::not_closed;
use crate::failure::Failure;
use crate::mesh_source::MeshSource;
use crate::model::Opened;
use crate::point_answers::{AnswerColumn, PointAnswers};
use crate::tree_args::TreeArgs;
use estoc::ClosestPoint;
use estoc::query::{Feature, SignedDistance};
use estoc_rays_io::{ColumnKind, Texts, Values};
use std::path::PathBuf;

/// Print the point of a mesh that is closest to each point, as CSV in the order of the points.
///
/// Points are read from CSV, from an array of numpy (NPY, or NPZ with one array, of N x 3 numbers of f32 or
/// f64), from Parquet, from the vertices of PLY, or from text without names of columns, as their content
/// tells; a folder of Parquet files is one input. --out FILE.npy and --out FILE.parquet
/// write these formats; Parquet needs a build with --features parquet. Points and answers take at most
/// --memory, by default 1G, beside the tree.
///
/// Text without names of columns has three or more numbers a line, of which the first are x, y and z,
/// separated by spaces, tabs or semicolons (XYZ, ASC, PTS); lines that begin with # or // are comments, and
/// a number of points may stand before them. The other columns are named column4, column5 and so on, and
/// those of PLY as text as its header says.
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
/// --signed adds the column `signed`: the distance with its sign, negative inside and positive outside
/// (as Open3D has it; trimesh has it the other way round), +0 on the surface and where it rounds to
/// zero. Inside is what estoc contains finds inside: a mesh that is not closed has no inside and is
/// rejected with exit status 3.
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
/// Example: estoc near bunny.obj --points scan.csv --out near.csv
///
/// Example: estoc near bunny.obj --points scan.csv --within 0.01 --columns id,distance,prim
///
/// Example: estoc near teapot.obj --points grid.csv --signed --columns point,signed
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A mesh file, - for stdin, or demo:NAME
    #[arg(value_name = "MESH")]
    mesh: MeshSource,
    /// A file of points: CSV, NPY, PLY or lines of numbers, optionally compressed with gzip or zstd, NPZ or
    /// Parquet, or a folder of Parquet files; - is stdin
    #[arg(long, value_name = "FILE")]
    points: PathBuf,
    /// The greatest distance: triangles farther away do not count, those exactly this far do
    #[arg(long, value_name = "DISTANCE", default_value = "inf",
          value_parser = greatest_distance, allow_hyphen_values = true)]
    within: f32,
    /// Add the column signed: the distance, negative inside
    #[arg(long)]
    signed: bool,
    /// The columns of the result: point, distance, prim, u, v, feature, x, y, z, signed, and columns
    /// of the point file by name
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
    let mut columns = args.columns.clone();
    if args.signed {
        add_signed(&mut columns);
    }
    let is_signed = columns.iter().any(|name| name == NearColumn::Signed.name());
    let answers = PointAnswers {
        mesh: &args.mesh,
        points: &args.points,
        columns: &columns,
        tree: args.tree,
        session,
        not_finite: "near nothing",
    };
    let batch = session.batch();
    answers.write::<NearColumn>(
        |opened| match is_signed {
            true => check_closed(opened, args, session),
            false => Ok(()),
        },
        |bvh, points, near| {
            let closest = batch.closest_points_within(bvh, points, args.within)?;
            let signed = match is_signed {
                true => batch.signed_distances(bvh, points)?,
                false => vec![None; points.len()],
            };
            let pairs = closest.into_iter().zip(signed);
            near.clear();
            near.extend(
                pairs.map(|(closest, signed)| closest.map(|closest| Near { closest, signed })),
            );
            Ok(())
        },
    )
}

/// Adds the column `signed` after the others.
fn add_signed(columns: &mut Vec<String>) {
    let name = |column: &NearColumn| column.name().to_owned();
    if columns.is_empty() {
        columns.push("point".into());
        columns.extend(NearColumn::USUAL.iter().map(name));
    }
    let signed = name(&NearColumn::Signed);
    if !columns.contains(&signed) {
        columns.push(signed);
    }
}

/// Refuses a mesh that is not closed.
fn check_closed(opened: &Opened, args: &Args, session: &Session) -> Result<(), Failure> {
    match Closed::of(opened.model(), session)? {
        Closed::No(edges) => Err(not_closed(&args.mesh, &format!(": {edges}"))),
        _ => Ok(()),
    }
}

/// The answer about a point near which there is a triangle.
#[derive(Clone, Copy)]
struct Near {
    closest: ClosestPoint,
    /// Where it is asked for.
    signed: Option<SignedDistance>,
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
    Signed,
}

impl NearColumn {
    /// Returns the number in this column, if it is one with a fraction.
    fn number(self, near: &Near) -> Option<f32> {
        let closest = &near.closest;
        match self {
            NearColumn::Signed => near.signed.map(|found| found.signed),
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
    type Answer = Option<Near>;

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
        NearColumn::Signed,
    ];
    /// Without `signed`, which is added only for those who ask.
    const USUAL: &'static [Self] = Self::ALL.split_at(Self::ALL.len() - 1).0;

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
            NearColumn::Signed => "signed",
        }
    }

    fn kind(self) -> ColumnKind {
        match self {
            NearColumn::Prim => ColumnKind::Prim,
            NearColumn::Feature => ColumnKind::Text,
            _ => ColumnKind::Number,
        }
    }

    fn missing(self) -> &'static str {
        match self {
            NearColumn::Distance => "inf",
            NearColumn::Prim => "-1",
            _ => "",
        }
    }

    fn values(self) -> Values {
        match self.kind() {
            ColumnKind::Prim => Values::Prims(Vec::new()),
            ColumnKind::Text => Values::Texts(Texts::default()),
            _ => Values::Numbers(Vec::new()),
        }
    }

    fn push(self, values: &mut Values, answer: &Option<Near>) -> bool {
        let near = answer.as_ref();
        match values {
            Values::Prims(prims) => {
                let prim = near.map(|near| near.closest.prim.get());
                prims.push(prim.unwrap_or_default());
                prim.is_some()
            }
            Values::Texts(texts) => {
                let word = near.map(|near| word(near.closest.feature));
                texts.push(word.unwrap_or_default());
                word.is_some()
            }
            Values::Numbers(numbers) => {
                let number = near.and_then(|near| self.number(near));
                numbers.push(number.unwrap_or_default());
                number.is_some()
            }
            _ => true,
        }
    }
}

/// Returns the word for a part of a triangle.
fn word(feature: Feature) -> &'static str {
    const VERTICES: [&str; 3] = ["vertex0", "vertex1", "vertex2"];
    const EDGES: [&str; 3] = ["edge0", "edge1", "edge2"];
    match feature {
        Feature::Vertex(vertex) => VERTICES
            .get(usize::from(vertex))
            .copied()
            .unwrap_or("vertex"),
        Feature::Edge(edge) => EDGES.get(usize::from(edge)).copied().unwrap_or("edge"),
        Feature::Face => "face",
    }
}
