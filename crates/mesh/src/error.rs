//! Why a mesh was refused.

mod limits;
mod message;

pub(crate) use limits::Limits;

use core::fmt;
use std::io;

use estoc_core::CancelToken;
use estoc_core::glam::{DVec3, Mat4, Vec3};
use estoc_memory::NoMemory;

use crate::format::Format;
use message::WhatIsWrong;

/// A location in the input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The file, or the name that the caller gave to the input; `None` for a mesh made from
    /// positions and indices.
    pub file: Option<String>,
    /// The one-based physical line.
    pub line: Option<u64>,
    /// The part of the file, for formats without lines.
    pub part: Option<Box<FilePart>>,
    /// The zero-based index of the face; skipped faces count.
    pub face: Option<u64>,
}

/// A part of a file that has no lines.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FilePart {
    /// The part that begins at this byte offset, after decompression.
    Byte(u64),
    /// The part with this name in the format, such as `meshes[0].primitives[1]`.
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

/// Why a mesh was refused. The message names the location and the problem and says what to do about
/// it, in one line. [`without_advice`](MeshError::without_advice) is for programs that give advice
/// of their own.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A face refers to a vertex that does not exist.
    IndexOutOfRange {
        /// The location.
        at: Location,
        /// The index as in the input: one-based or negative in an OBJ file, else zero-based.
        index: String,
        /// The number of vertices; in glTF, of those that the face can refer to.
        vertices: u64,
    },
    /// A face uses a vertex with a coordinate that is NaN, infinite, or too large for `f32`.
    NonFiniteVertex {
        /// The location of the face.
        at: Location,
        /// The vertex, numbered like the indices of the input: from 1 in an OBJ file, else from 0.
        vertex: u64,
        /// The physical line of the vertex.
        vertex_line: Option<u64>,
        /// The vertex, with each number rounded to `f32`.
        value: Vec3,
    },
    /// A vertex cannot be parsed.
    BadVertex {
        /// The location.
        at: Location,
        /// The problem, with the text.
        problem: String,
    },
    /// A face cannot be parsed.
    BadIndex {
        /// The location.
        at: Location,
        /// The problem, with the text.
        problem: String,
    },
    /// The number of positions or indices is not a multiple of 3.
    NotTriples {
        /// The location.
        at: Location,
        /// The name of the array: `positions` or `indices`.
        what: &'static str,
        /// The length of the array.
        length: usize,
    },
    /// The matrix to transform a mesh by is not affine, or not finite.
    NotAffine {
        /// The location.
        at: Location,
        /// The matrix.
        matrix: Box<Mat4>,
    },
    /// The origin of a local frame is not finite.
    OriginNotFinite {
        /// The file.
        at: Location,
        /// The origin.
        origin: Box<DVec3>,
    },
    /// The distance to weld within is negative or not finite.
    WeldDistance {
        /// The file.
        at: Location,
        /// The distance.
        distance: f64,
    },
    /// [`Weld::Auto`](crate::Weld::Auto) has no distance for the mesh.
    NotWelded {
        /// The file.
        at: Location,
        /// What was found instead.
        problem: String,
    },
    /// The meshes to join have different origins.
    OriginsDiffer {
        /// The location.
        at: Location,
        /// The origins of both.
        origins: Box<[DVec3; 2]>,
    },
    /// There are more vertices than `u32` indices can address.
    TooManyVertices {
        /// The location.
        at: Location,
        /// The largest number of vertices.
        limit: u64,
    },
    /// There are more triangles than [`PrimId`](estoc_core::PrimId)s.
    TooManyTriangles {
        /// The location.
        at: Location,
        /// The largest number of triangles.
        limit: u64,
    },
    /// A statement is too long, as in a file that is not text.
    LineTooLong {
        /// The line on which the statement begins.
        at: Location,
        /// The largest length of a statement in bytes, including line ends.
        limit: u64,
    },
    /// The input is not empty but has no OBJ statement, or no vertex and mostly other statements.
    NotObj {
        /// The location.
        at: Location,
        /// What was found instead.
        problem: String,
    },
    /// The input does not conform to its format, or is truncated.
    Malformed {
        /// The location.
        at: Location,
        /// The format it was read as.
        format: Format,
        /// The problem.
        problem: String,
    },
    /// The input uses an unsupported feature of its format that the mesh depends on.
    Unsupported {
        /// The location.
        at: Location,
        /// The format it was read as.
        format: Format,
        /// The feature, and what to do about it.
        problem: String,
    },
    /// The input is in a format that is not supported, such as FBX, or is not a mesh, such as a
    /// picture.
    NotRead {
        /// The file.
        at: Location,
        /// The name of the format, as in "FBX" and "a PNG picture".
        what: &'static str,
    },
    /// The input is a tree file, as written by `Bvh::save`.
    TreeFile {
        /// The file.
        at: Location,
        /// The compression of the input, `gzip` or `zstd`, if it is compressed.
        packing: Option<&'static str>,
    },
    /// The input is compressed and cannot be decompressed.
    Unpack {
        /// The file.
        at: Location,
        /// The compression: `gzip` or `zstd`.
        packing: &'static str,
        /// The problem.
        problem: String,
    },
    /// The program was compiled without the reader of such input.
    FeatureOff {
        /// The file.
        at: Location,
        /// The kind of input: `glTF`, or the compression `gzip` or `zstd`.
        what: &'static str,
        /// The feature of the crate `estoc` to enable.
        feature: &'static str,
    },
    /// The input has more bytes than allowed; see
    /// [`MeshLoader::max_input`](crate::MeshLoader::max_input).
    TooLarge {
        /// The file.
        at: Location,
        /// The largest number of bytes, after decompression.
        limit: u64,
    },
    /// There is not enough memory for the mesh.
    NoMemory {
        /// The name of the input.
        at: Location,
    },
    /// The input could not be read.
    Io {
        /// The file.
        at: Location,
        /// The error of the system.
        source: io::Error,
    },
    /// Loading was cancelled with the caller's [`CancelToken`](estoc_core::CancelToken).
    Cancelled {
        /// The name of the input.
        at: Location,
    },
}

impl MeshError {
    /// Checks that a mesh without a name may have this number of vertices.
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

    /// Returns an error without the name of the input if loading was cancelled.
    pub(crate) fn check_cancelled(cancel: &CancelToken) -> Result<(), MeshError> {
        let at = Location::default();
        match cancel.is_cancelled() {
            true => Err(MeshError::Cancelled { at }),
            false => Ok(()),
        }
    }

    /// Adds the name of the input to an error that concerns all of it and has none.
    pub(crate) fn of_input(mut self, name: &str) -> Self {
        if let MeshError::NoMemory { at }
        | MeshError::Cancelled { at }
        | MeshError::WeldDistance { at, .. }
        | MeshError::NotWelded { at, .. } = &mut self
        {
            at.file.get_or_insert_with(|| name.to_owned());
        }
        self
    }

    /// Returns whether [`BadFaces::Skip`](crate::BadFaces::Skip) avoids the error.
    pub fn can_skip(&self) -> bool {
        let is_other = matches!(
            self,
            MeshError::TooLarge { .. }
                | MeshError::OriginsDiffer { .. }
                | MeshError::TreeFile { .. }
                | MeshError::NotWelded { .. }
        );
        self.way_out().is_some() && !is_other
    }

    /// Returns the message without advice for programmers, such as
    /// [`BadFaces::Skip`](crate::BadFaces::Skip). It is the whole message if no setting of the
    /// loader helps with the error. An example is
    /// `city.obj:48213: vertex index 99182 is out of range (99180 vertices)`.
    pub fn without_advice(&self) -> String {
        WhatIsWrong(self).to_string()
    }

    /// Returns the advice, if a setting of the loader helps.
    fn way_out(&self) -> Option<&'static str> {
        match self {
            MeshError::IndexOutOfRange { .. }
            | MeshError::NonFiniteVertex { .. }
            | MeshError::BadIndex { .. } => Some("use BadFaces::Skip to skip such faces"),
            MeshError::BadVertex { .. } => {
                Some("use BadFaces::Skip to skip the faces that use such vertices")
            }
            MeshError::OriginsDiffer { .. } => {
                Some("load both with the same MeshLoader::local_frame(LocalFrame::At(origin))")
            }
            MeshError::TooLarge { .. } => Some("raise the limit with MeshLoader::max_input"),
            MeshError::TreeFile { packing: None, .. } => {
                Some("load it with TreeFile::load, from a file on disk")
            }
            MeshError::TreeFile { .. } => {
                Some("decompress it to a file, and load that with TreeFile::load")
            }
            MeshError::NotWelded { .. } => Some("give a distance: Weld::Within(distance)"),
            MeshError::NotTriples { .. }
            | MeshError::NotAffine { .. }
            | MeshError::OriginNotFinite { .. }
            | MeshError::WeldDistance { .. }
            | MeshError::TooManyVertices { .. }
            | MeshError::TooManyTriangles { .. }
            | MeshError::LineTooLong { .. }
            | MeshError::NotObj { .. }
            | MeshError::NoMemory { .. }
            | MeshError::Malformed { .. }
            | MeshError::Unsupported { .. }
            | MeshError::NotRead { .. }
            | MeshError::Unpack { .. }
            | MeshError::FeatureOff { .. }
            | MeshError::Io { .. }
            | MeshError::Cancelled { .. } => None,
        }
    }

    /// Returns the location of the error.
    pub fn location(&self) -> &Location {
        match self {
            MeshError::IndexOutOfRange { at, .. }
            | MeshError::NonFiniteVertex { at, .. }
            | MeshError::BadVertex { at, .. }
            | MeshError::BadIndex { at, .. }
            | MeshError::NotTriples { at, .. }
            | MeshError::NotAffine { at, .. }
            | MeshError::OriginNotFinite { at, .. }
            | MeshError::WeldDistance { at, .. }
            | MeshError::NotWelded { at, .. }
            | MeshError::OriginsDiffer { at, .. }
            | MeshError::TooManyVertices { at, .. }
            | MeshError::TooManyTriangles { at, .. }
            | MeshError::LineTooLong { at, .. }
            | MeshError::NotObj { at, .. }
            | MeshError::Malformed { at, .. }
            | MeshError::Unsupported { at, .. }
            | MeshError::NotRead { at, .. }
            | MeshError::TreeFile { at, .. }
            | MeshError::Unpack { at, .. }
            | MeshError::FeatureOff { at, .. }
            | MeshError::TooLarge { at, .. }
            | MeshError::NoMemory { at }
            | MeshError::Io { at, .. }
            | MeshError::Cancelled { at } => at,
        }
    }

    /// Adds the name of the part that contains the face to an error about a face.
    pub(crate) fn within(mut self, name: Option<&str>) -> Self {
        if let MeshError::IndexOutOfRange { at, .. } | MeshError::NonFiniteVertex { at, .. } =
            &mut self
        {
            at.part = name.map(|name| FilePart::Named(name.to_owned()).into());
        }
        self
    }

    /// Replaces the number of vertices in an error about an index, if `count` is given.
    pub(crate) fn of(mut self, count: Option<u64>) -> Self {
        if let (MeshError::IndexOutOfRange { vertices, .. }, Some(count)) = (&mut self, count) {
            *vertices = count;
        }
        self
    }
}

impl From<NoMemory> for MeshError {
    fn from(_: NoMemory) -> Self {
        let at = Location::default();
        MeshError::NoMemory { at }
    }
}
