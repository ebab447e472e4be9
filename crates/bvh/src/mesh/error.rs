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
            // Files count from 1.
            (Some(file), None, Some(face)) => write!(f, "{file}: face {}", face.saturating_add(1)),
            (Some(file), None, None) => f.write_str(file),
            (None, _, Some(face)) => write!(f, "face {face}"),
            (None, _, None) => f.write_str("mesh"),
        }
    }
}

/// Why a mesh was refused. The message says where, what, and what to do about it, in one
/// line; [`without_advice`](MeshError::without_advice) is for programs that have their own
/// way out to name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A face names a vertex that does not exist.
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
    BadVertex {
        /// Where.
        at: Location,
        /// What is wrong, with the text.
        problem: String,
    },
    /// A face statement has something else than indices.
    BadIndex {
        /// Where.
        at: Location,
        /// What is wrong, with the text.
        problem: String,
    },
    /// More vertices than `u32` indices can name.
    TooManyVertices {
        /// Where.
        at: Location,
        /// The most there can be.
        limit: u64,
    },
    /// More triangles than there are [`PrimId`]s.
    TooManyTriangles {
        /// Where.
        at: Location,
        /// The most there can be.
        limit: u64,
    },
    /// A statement that does not end, as in a file that is no text at all.
    LineTooLong {
        /// The line on which the statement begins.
        at: Location,
        /// The most bytes a statement can have, line ends included.
        limit: u64,
    },
    /// The input has no OBJ statement at all, though it is not empty.
    NotObj {
        /// Where.
        at: Location,
        /// What was found instead.
        problem: String,
    },
    /// The input could not be read.
    Io {
        /// Which file.
        at: Location,
        /// What the system says.
        source: io::Error,
    },
    /// The caller's [`CancelToken`](estoc_core::CancelToken) was raised.
    Cancelled {
        /// What was being loaded.
        at: Location,
    },
}

impl MeshError {
    /// Whether a mesh of nowhere in particular can have so many vertices.
    pub(crate) fn check_vertices(vertices: u64) -> Result<(), MeshError> {
        let limit = Limits::REAL.vertices;
        match vertices <= limit {
            true => Ok(()),
            false => Err(MeshError::TooManyVertices {
                at: Location::default(),
                limit,
            }),
        }
    }

    /// Whether [`Policy::Skip`](crate::Policy::Skip) gets past it.
    pub fn can_skip(&self) -> bool {
        self.way_out().is_some()
    }

    /// The message up to where it would name [`Policy::Skip`](crate::Policy::Skip):
    /// `city.obj:48213: vertex index 99182 of 99180`. Of an error that cannot be skipped,
    /// the whole message.
    pub fn without_advice(&self) -> String {
        Finding(self).to_string()
    }

    /// What to do about it, where a policy helps.
    fn way_out(&self) -> Option<&'static str> {
        match self {
            MeshError::IndexOutOfRange { .. }
            | MeshError::NonFiniteVertex { .. }
            | MeshError::BadIndex { .. } => Some("to leave such faces out use Policy::Skip"),
            MeshError::BadVertex { .. } => {
                Some("to leave out the faces that use such vertices use Policy::Skip")
            }
            MeshError::TooManyVertices { .. }
            | MeshError::TooManyTriangles { .. }
            | MeshError::LineTooLong { .. }
            | MeshError::NotObj { .. }
            | MeshError::Io { .. }
            | MeshError::Cancelled { .. } => None,
        }
    }
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Finding(self).fmt(f)?;
        match self.way_out() {
            Some(way_out) => write!(f, "; {way_out}"),
            None => Ok(()),
        }
    }
}

/// Displays where and what.
struct Finding<'a>(&'a MeshError);

impl fmt::Display for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            MeshError::IndexOutOfRange {
                at,
                index,
                vertices,
            } => write!(f, "{at}: vertex index {index} of {vertices}"),
            MeshError::NonFiniteVertex {
                at,
                vertex,
                vertex_line,
                value,
            } => {
                write!(f, "{at}: vertex {vertex}")?;
                if let Some(line) = vertex_line {
                    write!(f, " (line {line})")?;
                }
                let [x, y, z] = value.to_array();
                write!(f, " is ({x}, {y}, {z}), not finite")
            }
            MeshError::BadVertex { at, problem } | MeshError::BadIndex { at, problem } => {
                write!(f, "{at}: {problem}")
            }
            MeshError::TooManyVertices { at, limit } => {
                write!(f, "{at}: more than {limit} vertices; split the mesh")
            }
            MeshError::TooManyTriangles { at, limit } => {
                write!(f, "{at}: more than {limit} triangles; split the mesh")
            }
            MeshError::LineTooLong { at, limit } => {
                write!(
                    f,
                    "{at}: a statement of more than {limit} bytes; is it an OBJ file?"
                )
            }
            MeshError::NotObj { at, problem } => write!(f, "{at}: {problem}; is it an OBJ file?"),
            MeshError::Io { at, source } => write!(f, "{at}: {source}"),
            MeshError::Cancelled { at } => write!(f, "{at}: loading was cancelled"),
        }
    }
}

/// How much is read. A parameter so that tests need no mesh of four billion triangles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) vertices: u64,
    pub(crate) triangles: u64,
    /// Bytes of one statement, its line ends included.
    pub(crate) statement: u64,
}

impl Limits {
    /// What `u32` indices and [`PrimId`] can name; and for a statement, more than any polygon
    /// needs and little beside the memory of a machine.
    pub(crate) const REAL: Limits = Limits {
        vertices: u32::MAX as u64,
        triangles: PrimId::MAX.get() as u64 + 1,
        statement: 1 << 28,
    };
}
