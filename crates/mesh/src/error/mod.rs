//! Why a mesh was refused.

mod limits;
mod location;

pub(crate) use limits::InputLimits;
pub use location::{FilePart, Location};

use std::io;

use estoc_core::CancelToken;
use estoc_core::glam::{DVec3, Mat4, Vec3};
use estoc_system::NoMemory;

use crate::foreign_format;
use crate::format::Format;
use crate::text::counted;

// The advice of messages.
const SKIP_FACES: &str = "use BadFaces::Skip to skip such faces";
const SKIP_VERTICES: &str = "use BadFaces::Skip to skip the faces that use such vertices";
const LOAD_IN_ONE_FRAME: &str =
    "load both with the same MeshLoader::local_frame(LocalFrame::At(origin))";
const RAISE_LIMIT: &str = "raise the limit with MeshLoader::max_input";
const LOAD_TREE: &str = "load it with TreeFile::load, from a file on disk";
const UNPACK_TREE: &str = "decompress it to a file, and load that with TreeFile::load";
const GIVE_DISTANCE: &str = "give a distance: Weld::Within(distance)";

/// Why a mesh was refused. The message names the location and the problem and says what to do about
/// it, in one line. [`without_advice`](MeshError::without_advice) is for programs that give advice
/// of their own.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A face refers to a vertex that does not exist.
    #[error("{at}: vertex index {index} is out of range ({}); {}", counted(*vertices, "vertex"), SKIP_FACES)]
    IndexOutOfRange {
        /// The location.
        at: Location,
        /// The index as in the input: one-based or negative in an OBJ file, else zero-based.
        index: String,
        /// The number of vertices; in glTF, of those that the face can refer to.
        vertices: u64,
    },
    /// A face uses a vertex with a coordinate that is NaN, infinite, or too large for `f32`.
    #[error(
        "{at}: vertex {vertex}{} is not finite: ({}, {}, {}); {}", on_line(vertex_line), value.x, value.y,
        value.z, SKIP_FACES
    )]
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
    #[error("{at}: {problem}; {}", SKIP_VERTICES)]
    BadVertex {
        /// The location.
        at: Location,
        /// The problem, with the text.
        problem: String,
    },
    /// A face cannot be parsed.
    #[error("{at}: {problem}; {}", SKIP_FACES)]
    BadIndex {
        /// The location.
        at: Location,
        /// The problem, with the text.
        problem: String,
    },
    /// The number of positions or indices is not a multiple of 3.
    #[error("{at}: the array of {what} has length {length}, which is not a multiple of 3")]
    NotTriples {
        /// The location.
        at: Location,
        /// The name of the array: `positions` or `indices`.
        what: &'static str,
        /// The length of the array.
        length: usize,
    },
    /// The matrix to transform a mesh by is not affine, or not finite.
    #[error(
        "{at}: the matrix with the columns {} {} {} {} is not affine: its numbers must be finite and its \
         last row (0, 0, 0, 1)", matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis
    )]
    NotAffine {
        /// The location.
        at: Location,
        /// The matrix.
        matrix: Box<Mat4>,
    },
    /// The origin of a local frame is not finite.
    #[error(
        "{at}: the origin {origin} of the local frame is not finite; give three finite numbers"
    )]
    OriginNotFinite {
        /// The file.
        at: Location,
        /// The origin.
        origin: Box<DVec3>,
    },
    /// The distance to weld within is negative or not finite.
    #[error(
        "{at}: the distance to weld within is {distance}; give a finite number that is not negative"
    )]
    WeldDistance {
        /// The file.
        at: Location,
        /// The distance.
        distance: f64,
    },
    /// [`Weld::Auto`](crate::Weld::Auto) has no distance for the mesh.
    #[error(
        "{at}: no distance to weld within was found: {problem}; {}",
        GIVE_DISTANCE
    )]
    NotWelded {
        /// The file.
        at: Location,
        /// What was found instead.
        problem: String,
    },
    /// Corners were to be welded, but also to be kept in `f64`.
    #[error("{at}: corners in f64 are not welded; load the mesh in f32, or without welding")]
    NotWeldedInF64 {
        /// The file.
        at: Location,
    },
    /// The meshes to join have different origins.
    #[error("{at}: the meshes have the origins {} and {}; {}", origins[0], origins[1], LOAD_IN_ONE_FRAME)]
    OriginsDiffer {
        /// The location.
        at: Location,
        /// The origins of both.
        origins: Box<[DVec3; 2]>,
    },
    /// There are more vertices than `u32` indices can address.
    #[error("{at}: more than {limit} vertices; split the mesh")]
    TooManyVertices {
        /// The location.
        at: Location,
        /// The largest number of vertices.
        limit: u64,
    },
    /// There are more triangles than [`PrimId`](estoc_core::PrimId)s.
    #[error("{at}: more than {limit} triangles; split the mesh")]
    TooManyTriangles {
        /// The location.
        at: Location,
        /// The largest number of triangles.
        limit: u64,
    },
    /// A statement is too long, as in a file that is not text.
    #[error("{at}: a statement has more than {}; is this an OBJ file?", byte_limit(*limit))]
    LineTooLong {
        /// The line on which the statement begins.
        at: Location,
        /// The largest length of a statement in bytes, including line ends.
        limit: u64,
    },
    /// The input is not empty but has no OBJ statement, or no vertex and mostly other statements.
    #[error("{at}: {problem}; is this an OBJ file?")]
    NotObj {
        /// The location.
        at: Location,
        /// What was found instead.
        problem: String,
    },
    /// The input does not conform to its format, or is truncated.
    #[error("{at}: invalid {format}: {problem}")]
    Malformed {
        /// The location.
        at: Location,
        /// The format it was read as.
        format: Format,
        /// The problem.
        problem: String,
    },
    /// The input uses an unsupported feature of its format that the mesh depends on.
    #[error("{at}: unsupported {format}: {problem}")]
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
    #[error("{at}: {}", foreign_format::problem(what))]
    NotRead {
        /// The file.
        at: Location,
        /// The name of the format, as in "FBX" and "a PNG picture".
        what: &'static str,
    },
    /// The input is a tree file, as written by `Bvh::save`.
    #[error("{at}: is a tree file{}", load_tree(*packing))]
    TreeFile {
        /// The file.
        at: Location,
        /// The compression of the input, `gzip` or `zstd`, if it is compressed.
        packing: Option<&'static str>,
    },
    /// The input is compressed and cannot be decompressed.
    #[error("{at}: cannot be decompressed ({packing}): {problem}")]
    Unpack {
        /// The file.
        at: Location,
        /// The compression: `gzip` or `zstd`.
        packing: &'static str,
        /// The problem.
        problem: String,
    },
    /// The program was compiled without the reader of such input.
    #[error("{at}: {what} support is not compiled in; enable the feature \"{feature}\" of estoc")]
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
    #[error("{at}: has more than {}, counted after decompression; {}", byte_limit(*limit), RAISE_LIMIT)]
    TooLarge {
        /// The file.
        at: Location,
        /// The largest number of bytes, after decompression.
        limit: u64,
    },
    /// There is not enough memory for the mesh.
    #[error(
        "{at}: not enough memory or address space (ulimit -v) for the mesh; free some, or split the mesh"
    )]
    NoMemory {
        /// The name of the input.
        at: Location,
    },
    /// The input could not be read.
    #[error("{at}: {source}")]
    Io {
        /// The file.
        at: Location,
        /// The error of the system.
        source: io::Error,
    },
    /// Loading was cancelled with the caller's [`CancelToken`](estoc_core::CancelToken).
    #[error("{at}: loading was cancelled")]
    Cancelled {
        /// The name of the input.
        at: Location,
    },
}

impl MeshError {
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

    /// Adds the name of the file, and the lines before the block, to an error about a block of OBJ.
    pub(crate) fn in_block(mut self, file: Option<&str>, lines_before: u64) -> Self {
        if let MeshError::BadVertex { at, .. }
        | MeshError::BadIndex { at, .. }
        | MeshError::NotObj { at, .. } = &mut self
        {
            at.file = file.map(str::to_owned);
            at.line = at.line.map(|line| line + lines_before);
        }
        self
    }

    /// Returns whether [`BadFaces::Skip`](crate::BadFaces::Skip) avoids the error.
    pub fn can_skip(&self) -> bool {
        matches!(self.advice(), Some(SKIP_FACES | SKIP_VERTICES))
    }

    /// Returns the message without advice for programmers, such as
    /// [`BadFaces::Skip`](crate::BadFaces::Skip). It is the whole message if no setting of the
    /// loader helps with the error. An example is
    /// `city.obj:48213: vertex index 99182 is out of range (99180 vertices)`.
    pub fn without_advice(&self) -> String {
        let mut message = self.to_string();
        if let Some(advice) = self.advice() {
            message.truncate(message.len() - "; ".len() - advice.len());
        }
        message
    }

    /// Returns the advice with which the message ends, if a setting of the loader helps.
    fn advice(&self) -> Option<&'static str> {
        match self {
            MeshError::IndexOutOfRange { .. }
            | MeshError::NonFiniteVertex { .. }
            | MeshError::BadIndex { .. } => Some(SKIP_FACES),
            MeshError::BadVertex { .. } => Some(SKIP_VERTICES),
            MeshError::OriginsDiffer { .. } => Some(LOAD_IN_ONE_FRAME),
            MeshError::TooLarge { .. } => Some(RAISE_LIMIT),
            MeshError::TreeFile { packing: None, .. } => Some(LOAD_TREE),
            MeshError::TreeFile { .. } => Some(UNPACK_TREE),
            MeshError::NotWelded { .. } => Some(GIVE_DISTANCE),
            MeshError::NotTriples { .. }
            | MeshError::NotWeldedInF64 { .. }
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
            | MeshError::NotWeldedInF64 { at }
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

fn on_line(line: &Option<u64>) -> String {
    line.map_or_else(String::new, |line| format!(" (line {line})"))
}

fn load_tree(packing: Option<&'static str>) -> String {
    match packing {
        None => format!(", not a mesh; {LOAD_TREE}"),
        Some(packing) => {
            format!(" compressed with {packing}; tree files are read uncompressed; {UNPACK_TREE}")
        }
    }
}

/// Formats a limit exactly, with the largest unit of which it is a multiple.
fn byte_limit(limit: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let unit = units
        .iter()
        .find(|(shift, _)| limit > 0 && limit.is_multiple_of(1 << shift));
    match unit {
        Some((shift, unit)) => format!("{} {unit}", limit >> shift),
        None => counted(limit, "byte"),
    }
}
