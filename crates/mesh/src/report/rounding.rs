//! What is lost by rounding the numbers of a file.

/// What the rounding to `f32` did to the vertices of a file, in the frame of the mesh
/// ([`MeshLoader::local_frame`](crate::MeshLoader::local_frame)). All zero for a mesh that does not
/// come from a file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RoundingLoss {
    /// The largest distance between a vertex of the file, used or not, and its rounded position. The
    /// vertex is that of the file rounded to `f64`; infinitely distant vertices do not count.
    pub largest_movement: f64,
    /// The number of corners of triangles that became equal to another one, different in the file (as
    /// `f64`s): that of different corners in the file, less that of different positions. `None` unless
    /// [`MeshLoader::survey_rounding`](crate::MeshLoader::survey_rounding) asked for it.
    pub merged_corners: Option<u64>,
    /// The lowest and the highest coordinates of the corners of triangles in the file, rounded to
    /// `f64`. `None` without triangles, and unless
    /// [`MeshLoader::survey_rounding`](crate::MeshLoader::survey_rounding) asked for it.
    pub bounds_in_file: Option<[[f64; 3]; 2]>,
}

/// No number is NaN.
impl Eq for RoundingLoss {}

impl RoundingLoss {
    /// Returns the loss in two parts of a source, or in two meshes, as far as it is known from that in
    /// each.
    pub(crate) fn joined(self, other: RoundingLoss) -> RoundingLoss {
        RoundingLoss {
            largest_movement: self.largest_movement.max(other.largest_movement),
            merged_corners: None,
            bounds_in_file: None,
        }
    }
}
