//! Why a mesh was refused.

use core::fmt;
use std::io;

use estoc_core::PrimId;
use estoc_core::glam::{Mat4, Vec3};

use crate::format::Format;

/// Where in the input something was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The file, or the name that the caller gave to what was read; `None` for a mesh made
    /// from positions and indices.
    pub file: Option<String>,
    /// The physical line, from 1.
    pub line: Option<u64>,
    /// The part of the file, where no line tells it.
    pub part: Option<Box<FilePart>>,
    /// The face, from 0, those that were left out included.
    pub face: Option<u64>,
}

/// A part of a file that has no lines.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FilePart {
    /// What begins behind so many bytes; those of a packed file count as they are unpacked.
    Byte(u64),
    /// What the format has this name for, as `meshes[0].primitives[1]`.
    Named(String),
}

impl fmt::Display for FilePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FilePart::Byte(offset) => write!(f, "byte {offset}"),
            FilePart::Named(name) => f.write_str(name),
        }
    }
}

impl Location {
    pub(crate) fn of_file(name: &str) -> Location {
        Location {
            file: Some(name.to_owned()),
            ..Location::default()
        }
    }

    pub(crate) fn at_byte(self, offset: u64) -> Location {
        Location {
            part: Some(FilePart::Byte(offset).into()),
            ..self
        }
    }

    #[cfg(feature = "gltf")]
    pub(crate) fn in_part(self, name: String) -> Location {
        Location {
            part: Some(FilePart::Named(name).into()),
            ..self
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line, self.face) {
            (Some(file), Some(line), _) => write!(f, "{file}:{line}")?,
            (Some(file), None, Some(face)) => write!(f, "{file}: face {face}")?,
            (Some(file), None, None) => f.write_str(file)?,
            (None, _, Some(face)) => write!(f, "face {face}")?,
            (None, _, None) => f.write_str("mesh")?,
        }
        match &self.part {
            Some(part) => write!(f, ": {part}"),
            None => Ok(()),
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
        /// The index as the input has it: from 1 or negative in an OBJ file, else from 0.
        index: String,
        /// How many vertices there are; in glTF, for that face.
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
    /// The numbers given are not three for each vertex, or not three for each triangle.
    NotTriples {
        /// Where.
        at: Location,
        /// What they are: `positions` or `indices`.
        what: &'static str,
        /// How many numbers there are.
        length: usize,
    },
    /// The matrix that a mesh was to be moved by is not affine, or not finite.
    NotAffine {
        /// Where.
        at: Location,
        /// The matrix.
        matrix: Box<Mat4>,
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
    /// The input is not what its format asks for, or is cut short.
    Malformed {
        /// Where.
        at: Location,
        /// What it was read as.
        format: Format,
        /// What is wrong.
        problem: String,
    },
    /// The input uses something of its format that is not read, and that the mesh cannot do
    /// without.
    Unsupported {
        /// Where.
        at: Location,
        /// What it was read as.
        format: Format,
        /// What it is, and the way out.
        problem: String,
    },
    /// The input is of a format that is not read, such as FBX, or a picture.
    NotRead {
        /// Which file.
        at: Location,
        /// What the format is called.
        what: &'static str,
    },
    /// The input is a tree file, as `Bvh::save` writes them.
    TreeFile {
        /// Which file.
        at: Location,
    },
    /// The input is packed, and cannot be unpacked.
    Unpack {
        /// Which file.
        at: Location,
        /// How it is packed: `gzip` or `zstd`.
        packing: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// What reads such an input was left out when this program was compiled.
    FeatureOff {
        /// Which file.
        at: Location,
        /// What it is: `glTF`, or packed by `gzip` or `zstd`.
        what: &'static str,
        /// The feature of the crate `estoc` to switch on.
        feature: &'static str,
    },
    /// The input has more bytes than may be read; see
    /// [`MeshLoader::max_input`](crate::MeshLoader::max_input).
    TooLarge {
        /// Which file.
        at: Location,
        /// The most bytes there may be, counted as they are unpacked.
        limit: u64,
    },
    /// The system does not have the memory that the mesh takes.
    NoMemory {
        /// What was being loaded.
        at: Location,
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

    /// Returns an error unless the system has `bytes` more to give, and a few megabytes for what
    /// is small.
    pub(crate) fn check_room(bytes: usize, at: impl FnOnce() -> Location) -> Result<(), MeshError> {
        const BESIDES: usize = 4 << 20;
        // Small meshes have no time to ask.
        const SMALL: usize = 1 << 16;
        match bytes <= SMALL || estoc_memory::has_room(bytes.saturating_add(BESIDES)) {
            true => Ok(()),
            false => Err(MeshError::NoMemory { at: at() }),
        }
    }

    /// Whether [`BadFaces::Skip`](crate::BadFaces::Skip) gets past it.
    pub fn can_skip(&self) -> bool {
        self.way_out().is_some() && !matches!(self, MeshError::TooLarge { .. })
    }

    /// The message up to where it would name what to do in a program, such as
    /// [`BadFaces::Skip`](crate::BadFaces::Skip): `city.obj:48213: vertex index 99182 of 99180`. Of
    /// an error that no setting of a program helps with, the whole message.
    pub fn without_advice(&self) -> String {
        WhatIsWrong(self).to_string()
    }

    /// What to do about it, where a setting of the loader helps.
    fn way_out(&self) -> Option<&'static str> {
        match self {
            MeshError::IndexOutOfRange { .. }
            | MeshError::NonFiniteVertex { .. }
            | MeshError::BadIndex { .. } => Some("to leave such faces out use BadFaces::Skip"),
            MeshError::BadVertex { .. } => {
                Some("to leave out the faces that use such vertices use BadFaces::Skip")
            }
            MeshError::TooLarge { .. } => Some("MeshLoader::max_input can allow more"),
            MeshError::NotTriples { .. }
            | MeshError::NotAffine { .. }
            | MeshError::TooManyVertices { .. }
            | MeshError::TooManyTriangles { .. }
            | MeshError::LineTooLong { .. }
            | MeshError::NotObj { .. }
            | MeshError::NoMemory { .. }
            | MeshError::Malformed { .. }
            | MeshError::Unsupported { .. }
            | MeshError::NotRead { .. }
            | MeshError::TreeFile { .. }
            | MeshError::Unpack { .. }
            | MeshError::FeatureOff { .. }
            | MeshError::Io { .. }
            | MeshError::Cancelled { .. } => None,
        }
    }

    /// Where it is.
    pub fn location(&self) -> &Location {
        match self {
            MeshError::IndexOutOfRange { at, .. }
            | MeshError::NonFiniteVertex { at, .. }
            | MeshError::BadVertex { at, .. }
            | MeshError::BadIndex { at, .. }
            | MeshError::NotTriples { at, .. }
            | MeshError::NotAffine { at, .. }
            | MeshError::TooManyVertices { at, .. }
            | MeshError::TooManyTriangles { at, .. }
            | MeshError::LineTooLong { at, .. }
            | MeshError::NotObj { at, .. }
            | MeshError::Malformed { at, .. }
            | MeshError::Unsupported { at, .. }
            | MeshError::NotRead { at, .. }
            | MeshError::TreeFile { at }
            | MeshError::Unpack { at, .. }
            | MeshError::FeatureOff { at, .. }
            | MeshError::TooLarge { at, .. }
            | MeshError::NoMemory { at }
            | MeshError::Io { at, .. }
            | MeshError::Cancelled { at } => at,
        }
    }

    /// The same of a face in some part of a file.
    pub(crate) fn within(mut self, name: Option<&str>) -> Self {
        if let MeshError::IndexOutOfRange { at, .. } | MeshError::NonFiniteVertex { at, .. } =
            &mut self
        {
            at.part = name.map(|name| FilePart::Named(name.to_owned()).into());
        }
        self
    }

    /// The same of a face that can name so many vertices only.
    pub(crate) fn of(mut self, count: Option<u64>) -> Self {
        if let (MeshError::IndexOutOfRange { vertices, .. }, Some(count)) = (&mut self, count) {
            *vertices = count;
        }
        self
    }
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        WhatIsWrong(self).fmt(f)?;
        match self.way_out() {
            Some(way_out) => write!(f, "; {way_out}"),
            None => Ok(()),
        }
    }
}

/// Displays where and what.
struct WhatIsWrong<'a>(&'a MeshError);

impl fmt::Display for WhatIsWrong<'_> {
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
            MeshError::NotTriples { at, what, length } => write!(
                f,
                "{at}: the {what} are {length} numbers, which is no multiple of 3"
            ),
            MeshError::NotAffine { at, matrix } => write!(
                f,
                "{at}: the matrix with the columns {} is not affine: its numbers must be finite \
                 and its last row (0, 0, 0, 1)",
                [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis]
                    .map(|column| column.to_string())
                    .join(" ")
            ),
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
            MeshError::Malformed {
                at,
                format,
                problem,
            } => write!(f, "{at}: {problem}; is it a sound {format} file?"),
            MeshError::Unsupported {
                at,
                format,
                problem,
            } => write!(f, "{at}: {format} with {problem}"),
            MeshError::NotRead { at, what } => {
                write!(f, "{at}: {what} is not read; {} are", Format::list())
            }
            MeshError::TreeFile { at } => write!(
                f,
                "{at}: is a tree file and no mesh; read it from an unpacked file on disk, in a \
                 program by TreeFile::load"
            ),
            MeshError::Unpack {
                at,
                packing,
                problem,
            } => write!(f, "{at}: cannot be unpacked by {packing}: {problem}"),
            MeshError::FeatureOff { at, what, feature } => write!(
                f,
                "{at}: {what} is not read by this program; compile estoc with the feature \"{feature}\""
            ),
            MeshError::TooLarge { at, limit } => {
                write!(
                    f,
                    "{at}: it has more than {limit} bytes, counted as they are unpacked"
                )
            }
            MeshError::NoMemory { at } => {
                write!(
                    f,
                    "{at}: no memory for the mesh; free some, or split the mesh"
                )
            }
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
