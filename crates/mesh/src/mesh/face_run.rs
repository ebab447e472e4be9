//! Maps triangles to faces of the source.

/// A run of consecutive triangles whose faces have the same number of triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FaceRun {
    /// The face of the first triangle.
    pub(crate) face: u64,
    /// The number of triangles per face.
    pub(crate) per_face: u32,
}
