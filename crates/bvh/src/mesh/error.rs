//! Why a mesh was refused.

use core::fmt;
use std::io;

use estoc_core::PrimId;
use estoc_core::glam::Vec3;

/// Where in the input something was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The file, or the name that the caller gave to what was read; `None` for a mesh made
    /// from positions and indices.
    pub file: Option<String>,
    /// The physical line, from 1.
    pub line: Option<u64>,
    /// The face, from 0, those that were left out included.
    pub face: Option<u64>,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line, self.face) {
            (Some(file), Some(line), _) => write!(f, "{file}:{line}"),
            (Some(file), None, Some(face)) => write!(f, "{file}: face {face}"),
            (Some(file), None, None) => f.write_str(file),
            (None, _, Some(face)) => write!(f, "face {face}"),
            (None, _, None) => f.write_str("mesh"),
        }
    }
}

/// Why a mesh was refused. The message says where, what, and what to do about it, in one
/// line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A face names a vertex that does not exist.
    #[error("{at}: vertex index {index} of {vertices}; {LEAVE_OUT_FACES}")]
    IndexOutOfRange {
        /// Where.
        at: Location,
        /// The index as the input has it: from 1 or negative in an OBJ file, from 0 for a
        /// mesh made from positions and indices.
        index: String,
        /// How many vertices there are.
        vertices: u64,
    },
    /// A face uses a vertex with a coordinate that is NaN, infinite, or too large for `f32`.
    #[error(
        "{at}: vertex {vertex}{} is ({}, {}, {}), not finite; {LEAVE_OUT_FACES}",
        on_line(*.vertex_line), .value.x, .value.y, .value.z
    )]
    NonFiniteVertex {
        /// Where the face is.
        at: Location,
        /// The vertex, counted like the indices of the input: from 1 in an OBJ file, else
        /// from 0.
        vertex: u64,
        /// The physical line of the vertex.
        vertex_line: Option<u64>,
        /// The vertex, each number rounded to `f32`.
        value: Vec3,
    },
    /// A vertex statement does not have numbers where they belong.
    #[error("{at}: {problem}; {LEAVE_OUT_VERTICES}")]
    BadVertex {
        /// Where.
        at: Location,
        /// What is wrong, with the text.
        problem: String,
    },
    /// A face statement has something else than indices.
    #[error("{at}: {problem}; {LEAVE_OUT_FACES}")]
    BadIndex {
        /// Where.
        at: Location,
        /// What is wrong, with the text.
        problem: String,
    },
    /// More vertices than `u32` indices can name.
    #[error("{at}: more than {limit} vertices; split the mesh")]
    TooManyVertices {
        /// Where.
        at: Location,
        /// The most there can be.
        limit: u64,
    },
    /// More triangles than there are [`PrimId`]s.
    #[error("{at}: more than {limit} triangles; split the mesh")]
    TooManyTriangles {
        /// Where.
        at: Location,
        /// The most there can be.
        limit: u64,
    },
    /// The input has no OBJ statement at all, though it is not empty.
    #[error("{at}: {problem}; is it an OBJ file?")]
    NotObj {
        /// Where.
        at: Location,
        /// What was found instead.
        problem: String,
    },
    /// The input could not be read.
    #[error("{at}: {source}")]
    Io {
        /// Which file.
        at: Location,
        /// What the system says.
        source: io::Error,
    },
    /// The caller's [`CancelToken`](estoc_core::CancelToken) was raised.
    #[error("{at}: loading was cancelled")]
    Cancelled {
        /// What was being loaded.
        at: Location,
    },
}

/// The way out when a face cannot be used.
const LEAVE_OUT_FACES: &str =
    "to leave such faces out use Policy::Skip (command line: --skip-bad-faces)";

/// The way out when a vertex cannot be read.
const LEAVE_OUT_VERTICES: &str = "to leave out the faces that use such vertices use Policy::Skip \
     (command line: --skip-bad-faces)";

fn on_line(line: Option<u64>) -> String {
    line.map(|line| format!(" (line {line})"))
        .unwrap_or_default()
}

/// How much a mesh can hold. A parameter so that tests need no mesh of four billion triangles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) vertices: u64,
    pub(crate) triangles: u64,
}

impl Limits {
    /// What `u32` indices and [`PrimId`] can name.
    pub(crate) const REAL: Limits = Limits {
        vertices: u32::MAX as u64,
        triangles: PrimId::MAX.get() as u64 + 1,
    };
}
