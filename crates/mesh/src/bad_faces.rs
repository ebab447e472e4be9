//! The treatment of invalid faces.

/// The treatment of invalid faces: those with an index out of range, with a vertex that is not
/// finite, or that cannot be parsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum BadFaces {
    /// Rejects the mesh with an error that names the first invalid face.
    #[default]
    Reject,
    /// Skips invalid faces and counts them in the [`MeshReport`](crate::MeshReport). A vertex that
    /// cannot be parsed keeps its index, so that later ones do not shift.
    Skip,
}
