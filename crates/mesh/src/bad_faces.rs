//! What to do with what cannot be used.

/// What to do with faces that cannot be used: those that name a vertex that does not exist,
/// that is not finite, or that could not be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum BadFaces {
    /// Refuse the mesh with an error that names the first such face.
    #[default]
    Reject,
    /// Leave such faces out and count them in the [`MeshReport`](crate::MeshReport). A vertex
    /// that could not be read keeps its number, so that later ones do not move up.
    Skip,
}
