//! Which faces of the source triangles come from.

/// Which faces the triangles from here on come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FaceRun {
    /// The face of the first triangle.
    pub(crate) face: u64,
    /// How many triangles each face has.
    pub(crate) per_face: u32,
}
