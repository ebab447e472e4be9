//! The treatment of invalid faces.

/// The treatment of invalid faces: those with an index out of range, with a vertex that is not
/// finite, or that cannot be parsed.
///
/// ```
/// # mod estoc { pub use estoc_mesh::*; pub mod io { pub use estoc_mesh::*; } pub mod glam { pub use estoc_core::glam::*; } }
/// use estoc::{MeshLoader, io::BadFaces};
/// let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 9\n";
/// let error = MeshLoader::new().read(obj.as_bytes(), "a.obj").unwrap_err();
/// assert!(error.to_string().contains("9"), "{error}");
/// let loaded = MeshLoader::new().bad_faces(BadFaces::Skip).read(obj.as_bytes(), "a.obj")?;
/// assert_eq!(loaded.triangle_count(), 1);
/// # Ok::<(), estoc::MeshError>(())
/// ```
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
