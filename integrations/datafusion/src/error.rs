//! The errors of ray queries in SQL.

use datafusion::arrow::datatypes::DataType;
use datafusion::error::DataFusionError;
use estoc::io::TreeFileError;
use estoc::{BatchError, BuildError, MeshError};
use std::fmt;

/// The reason why a query with rays cannot be planned or answered.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum RaycastError {
    /// The function has neither 7 nor 9 nor 10 arguments.
    #[error(
        "raycast has {} here; it takes the mesh, six numbers of a ray and perhaps an interval and a mask: \
         raycast('mesh', ox, oy, oz, dx, dy, dz[, tmin, tmax[, mask]])", counted(*.found, "argument")
    )]
    ArgumentCount {
        /// The number of arguments.
        found: usize,
    },
    /// A mask has a type that is no integer.
    #[error("mask of raycast is {found}; wanted is an integer type: write CAST(mask AS BIGINT)")]
    NotAMask {
        /// The type.
        found: DataType,
    },
    /// A mask has more than 32 bits.
    #[error(
        "mask of raycast is {mask}, which is not a whole number from -2147483648 to 4294967295"
    )]
    LargeMask {
        /// The number.
        mask: i64,
    },
    /// A number of a ray has a type that is no number, or not one that is rounded once.
    #[error(
        "{argument} of raycast is {found}; wanted is a real or an integer type: write CAST({argument} AS DOUBLE) if \
         this column holds numbers"
    )]
    NotANumber {
        /// The name of the argument, such as `ox`.
        argument: &'static str,
        /// The type that was found.
        found: DataType,
    },
    /// The mesh is not a text that is known when the query is planned.
    #[error(
        "the mesh of raycast is {found}; wanted is a text between quotes, as every ray of a query is cast at the same \
         mesh: raycast('terrain.estoc', ...)"
    )]
    MeshNotLiteral {
        /// The expression that was found.
        found: String,
    },
    /// The whole answer is selected.
    #[error("{marker} stands alone; select its fields t, prim, u or v: raycast(...)['t']")]
    MarkerLeft {
        /// The expression.
        marker: String,
    },
    /// The function stands where no column can be added below.
    #[error(
        "raycast cannot stand in {place}; select its fields in a subquery and use them here: SELECT ... FROM (SELECT \
         *, raycast(...)['t'] AS t FROM rays) ..."
    )]
    MarkerPlace {
        /// The kind of plan node.
        place: String,
    },
    /// A ray of a subquery is made of columns of the query around it.
    #[error(
        "{argument} of raycast is a column of the outer query; join the tables instead, and cast the rays of the join"
    )]
    Correlated {
        /// The expression.
        argument: String,
    },
    /// The rows that rays are made of depend on the query around a subquery.
    #[error(
        "raycast cannot stand in a subquery whose rows depend on {column}, a column of the outer query; cast the rays \
         in an inner subquery: SELECT ... FROM (SELECT *, raycast(...)['t'] AS t FROM rays) ... WHERE ..."
    )]
    CorrelatedRows {
        /// The column.
        column: String,
    },
    /// A cluster would answer a plan with other rows, or not at all.
    #[cfg(feature = "cluster")]
    #[error("a cluster cannot run {part}; {way_out}")]
    OnCluster {
        /// The part of the plan.
        part: &'static str,
        /// What to do instead.
        way_out: &'static str,
    },
    /// A column for the answers exists already.
    #[error(
        "the table has a column {name} already; give the answers another prefix, as RayColumns::prefix(\"hit_\")"
    )]
    ColumnExists {
        /// The name of the column.
        name: String,
    },
    /// A mesh is named by an empty text or by a URI that is no file.
    #[error(
        "the mesh '{uri}' is no file: wanted is a path or file:///path, in which # is %23 and ? is %3F; after both, \
         #0123456789abcdef may give the hash of its content"
    )]
    NotAFile {
        /// The URI.
        uri: String,
    },
    /// A mesh file cannot be read.
    #[error("cannot read the mesh {path}: {reason}; {MESH_WAY_OUT}")]
    Read {
        /// The path.
        path: String,
        /// The message of the system.
        reason: String,
    },
    /// A mesh file is refused.
    #[error("cannot use the mesh {path}: {source}")]
    Mesh {
        /// The path.
        path: String,
        /// What is wrong with it.
        source: Box<MeshError>,
    },
    /// A tree file is refused.
    #[error("cannot use the tree file {path}: {source}")]
    Tree {
        /// The path.
        path: String,
        /// What is wrong with it.
        source: Box<TreeFileError>,
    },
    /// A tree cannot be built.
    #[error("cannot build the tree of {path}: {source}")]
    Build {
        /// The path of the mesh.
        path: String,
        /// The reason.
        source: BuildError,
    },
    /// A tree file was saved without its mesh.
    #[error(
        "the tree file {path} has no hash of its mesh, by which all machines of a query agree on the mesh; save it \
         again with `estoc build`"
    )]
    NoHash {
        /// The path.
        path: String,
    },
    /// The coordinates of a tree are relative to an origin.
    #[error(
        "the mesh {path} is relative to the origin {x}, {y}, {z}, which rays of f32 columns cannot be brought to \
         exactly; use a tree that was saved without a local frame"
    )]
    LocalFrame {
        /// The path.
        path: String,
        /// The origin.
        x: f64,
        /// The origin.
        y: f64,
        /// The origin.
        z: f64,
    },
    /// A mesh is not the one that the query was planned with.
    #[error(
        "the mesh {path} has the hash {found:016x} on this machine, and the query was planned with {expected:016x}; \
         correct or remove the # and the hash in the query, or, on a cluster, copy the file of the client here or \
         start the executor with the right --mesh-dir"
    )]
    OtherMesh {
        /// The path.
        path: String,
        /// The hash that the query names.
        expected: u64,
        /// The hash of the mesh that was found.
        found: u64,
    },
    /// A mesh has more triangles than an `Int32` counts.
    #[error(
        "triangle {prim} does not fit the column prim, whose type is Int32; cut the mesh into parts"
    )]
    TooManyTriangles {
        /// The number of the triangle.
        prim: u32,
    },
    /// A batch of rays failed.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// A plan from another machine cannot be read.
    #[error(
        "cannot read a plan of raycast: {problem}; use the same version of estoc-query on all machines"
    )]
    Plan {
        /// The problem.
        problem: String,
    },
    /// The function was evaluated as if it were one.
    #[error(
        "raycast was not replaced by its operator; the rule RaycastRule is missing in this session: make it with \
         estoc_datafusion::session_state"
    )]
    Evaluated,
}

const MESH_WAY_OUT: &str =
    "a relative path is looked up in the folder of --mesh-dir, or in the current one";

/// Writes the message: Ballista sends errors between machines as their `Debug` text.
impl fmt::Debug for RaycastError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<RaycastError> for DataFusionError {
    fn from(error: RaycastError) -> Self {
        DataFusionError::External(Box::new(error))
    }
}

/// Formats a count with its noun, as in "1 row" and "2 rows".
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
