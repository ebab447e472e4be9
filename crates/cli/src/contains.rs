//! `estoc contains`: tells whether points are inside a mesh, in the order of the points.

use crate::closed::Closed;
use crate::common::Session;
use crate::failure::Failure;
use crate::mesh_source::MeshSource;
use crate::point_answers::{AnswerColumn, PointAnswers};
use crate::tree_args::TreeArgs;
use estoc_rays_io::{ColumnKind, Values};
use std::path::PathBuf;

/// Print which points are inside a closed mesh, as CSV in the order of the points.
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
/// point,inside: `point` is the index of the data row, from 0; `inside` is 1 for a point inside or
/// exactly on the surface, and 0 outside. A point that is not finite is outside. --columns selects
/// from these and accepts the names of columns of the point file, such as an id; input:NAME is the
/// input's column if both have one of that name. With --json, prints an object of schema "estoc.contains/1" with
/// the same rows as objects in `results` (inside is true or false), then `points`, the number of
/// points. A line that cannot be read ends the run with exit status 3, as with estoc cast: rows of
/// the points before it are written to stdout.
///
/// A mesh that is not closed has no inside and is rejected with exit status 3: every edge must
/// belong to an even number of triangles, as in a watertight solid, where corners at the same
/// position count as one. The message names such an edge, as estoc info MESH does.
///
/// Example: estoc contains bunny.obj --points points.csv --out inside.csv
///
/// Example: estoc contains bunny.obj --points points.csv --columns id,inside
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A mesh file, - for stdin, or demo:NAME
    #[arg(value_name = "MESH")]
    mesh: MeshSource,
    /// A file of points: CSV, NPY, PLY or lines of numbers, optionally compressed with gzip or zstd, NPZ or
    /// Parquet, or a folder of Parquet files; - is stdin
    #[arg(long, value_name = "FILE")]
    points: PathBuf,
    /// The columns of the result: point, inside, and columns of the point file by name
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    columns: Vec<String>,
    #[command(flatten)]
    tree: TreeArgs,
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let answers = PointAnswers {
        mesh: &args.mesh,
        points: &args.points,
        columns: &args.columns,
        tree: args.tree,
        session,
        not_finite: "outside",
    };
    let batch = session.batch();
    answers.write::<Inside>(
        |opened| match Closed::of(opened.model(), session)? {
            Closed::No(edges) => Err(not_closed(&args.mesh, &format!(": {edges}"))),
            _ => Ok(()),
        },
        |bvh, points, inside| {
            let found = batch.contains(bvh, points)?;
            let known: Option<Vec<bool>> = found.into_iter().collect();
            *inside = known.ok_or_else(|| not_closed(&args.mesh, ""))?;
            Ok(())
        },
    )
}

/// The only column of the answers.
#[derive(Clone, Copy)]
struct Inside;

impl AnswerColumn for Inside {
    type Answer = bool;

    const SCHEMA: &'static str = "estoc.contains/1";
    const ALL: &'static [Self] = &[Inside];

    fn name(self) -> &'static str {
        "inside"
    }

    fn kind(self) -> ColumnKind {
        ColumnKind::Flag
    }

    fn values(self) -> Values {
        Values::Flags(Vec::new())
    }

    fn push(self, values: &mut Values, &inside: &bool) -> bool {
        if let Values::Flags(flags) = values {
            flags.push(inside);
        }
        true
    }
}

/// Returns the error for a mesh that is not closed.
pub(crate) fn not_closed(mesh: &MeshSource, edges: &str) -> Failure {
    Failure::NotClosed(format!(
        "{mesh}: the mesh is not closed, so it has no inside{edges}; close the surface: every edge \
         must belong to an even number of triangles, where corners at the same position count as one"
    ))
}
