//! Welds meshes after loading.

use super::MeshLoader;
use crate::error::MeshError;
use crate::mesh::Mesh;
use crate::weld::{Weld, welded};

impl MeshLoader<'_> {
    /// Joins corners that are near each other, as [`Mesh::welded`] does, after the coordinates were
    /// rounded or taken into a local frame. Nothing is welded by default.
    ///
    /// A distance in `f64` is that of the coordinates of the mesh; [`Weld::Auto`] finds the least one
    /// that closes the mesh.
    ///
    /// # Errors
    /// Loading fails with [`MeshError::WeldDistance`] or [`MeshError::NotWelded`].
    ///
    /// ```
    /// # mod estoc { pub use estoc_mesh::*; }
    /// use estoc::MeshLoader;
    /// let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 1 2.7e-16\nf 1 2 3\nf 2 4 5\n";
    /// let mesh = MeshLoader::new().weld(1e-9).read(text, "seam.obj")?;
    /// let told = mesh.report().warnings()[0].to_string();
    /// assert_eq!(told, "welded within 1e-9: 1 vertex moved, in 1 cluster, no coordinate by more than 2.7e-16");
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn weld(mut self, weld: impl Into<Weld>) -> Self {
        self.weld = Some(weld.into());
        self
    }

    /// Returns the mesh welded, if that is asked for.
    pub(super) fn welded(&self, mesh: Mesh, name: &str) -> Result<Mesh, MeshError> {
        let Some(weld) = self.weld else {
            return Ok(mesh);
        };
        welded(mesh, weld, &self.cancel).map_err(|error| error.of_input(name))
    }
}
