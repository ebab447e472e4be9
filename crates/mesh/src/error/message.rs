//! The message of an error.

use super::MeshError;
use crate::foreign_format;
use crate::text::counted;
use core::fmt;

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        WhatIsWrong(self).fmt(f)?;
        match self.way_out() {
            Some(way_out) => write!(f, "; {way_out}"),
            None => Ok(()),
        }
    }
}

/// Displays the message without advice.
pub(super) struct WhatIsWrong<'a>(pub(super) &'a MeshError);

impl fmt::Display for WhatIsWrong<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            MeshError::IndexOutOfRange {
                at,
                index,
                vertices,
            } => write!(
                f,
                "{at}: vertex index {index} is out of range ({})",
                counted(*vertices, "vertex")
            ),
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
                write!(f, " is not finite: ({x}, {y}, {z})")
            }
            MeshError::BadVertex { at, problem } | MeshError::BadIndex { at, problem } => {
                write!(f, "{at}: {problem}")
            }
            MeshError::NotTriples { at, what, length } => write!(
                f,
                "{at}: the array of {what} has length {length}, which is not a multiple of 3"
            ),
            MeshError::NotAffine { at, matrix } => write!(
                f,
                "{at}: the matrix with the columns {} is not affine: its numbers must be finite \
                 and its last row (0, 0, 0, 1)",
                [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis]
                    .map(|column| column.to_string())
                    .join(" ")
            ),
            MeshError::OriginNotFinite { at, origin } => write!(
                f,
                "{at}: the origin {origin} of the local frame is not finite; give three finite numbers"
            ),
            MeshError::OriginsDiffer { at, origins } => write!(
                f,
                "{at}: the meshes have the origins {} and {}",
                origins[0], origins[1]
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
                    "{at}: a statement has more than {}; is this an OBJ file?",
                    byte_limit(*limit)
                )
            }
            MeshError::NotObj { at, problem } => write!(f, "{at}: {problem}; is this an OBJ file?"),
            MeshError::Malformed {
                at,
                format,
                problem,
            } => write!(f, "{at}: invalid {format}: {problem}"),
            MeshError::Unsupported {
                at,
                format,
                problem,
            } => write!(f, "{at}: unsupported {format}: {problem}"),
            MeshError::NotRead { at, what } => write!(f, "{at}: {}", foreign_format::problem(what)),
            MeshError::TreeFile { at } => write!(
                f,
                "{at}: is a tree file, not a mesh; load it from an uncompressed file on disk, in a \
                 program with TreeFile::load"
            ),
            MeshError::Unpack {
                at,
                packing,
                problem,
            } => write!(f, "{at}: cannot be decompressed ({packing}): {problem}"),
            MeshError::FeatureOff { at, what, feature } => write!(
                f,
                "{at}: {what} support is not compiled in; enable the feature \"{feature}\" of estoc"
            ),
            MeshError::TooLarge { at, limit } => {
                write!(
                    f,
                    "{at}: has more than {}, counted after decompression",
                    byte_limit(*limit)
                )
            }
            MeshError::NoMemory { at } => {
                write!(
                    f,
                    "{at}: not enough memory for the mesh; free some, or split the mesh"
                )
            }
            MeshError::Io { at, source } => write!(f, "{at}: {source}"),
            MeshError::Cancelled { at } => write!(f, "{at}: loading was cancelled"),
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
