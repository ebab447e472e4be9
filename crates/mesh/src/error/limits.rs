//! Limits of the input.

use estoc_core::PrimId;

use super::{Location, MeshError};

/// Limits of the input. A parameter, so that tests need no mesh of four billion triangles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputLimits {
    pub(crate) vertices: u64,
    pub(crate) triangles: u64,
    /// The largest length of a statement in bytes, including its line ends.
    pub(crate) statement: u64,
}

impl Default for InputLimits {
    fn default() -> Self {
        InputLimits::REAL
    }
}

impl InputLimits {
    /// What `u32` indices and [`PrimId`] can address; for a statement, more than any polygon needs
    /// and little compared with a machine's memory.
    pub(crate) const REAL: InputLimits = InputLimits {
        vertices: u32::MAX as u64,
        triangles: PrimId::MAX.get() as u64 + 1,
        statement: 1 << 28,
    };

    /// Returns an error if a mesh may not have this number of vertices.
    pub(crate) fn check_vertices(
        &self,
        count: u64,
        at: impl FnOnce() -> Location,
    ) -> Result<(), MeshError> {
        let limit = self.vertices;
        let error = || MeshError::TooManyVertices { at: at(), limit };
        (count <= limit).then_some(()).ok_or_else(error)
    }

    /// Returns an error if a mesh may not have this number of triangles.
    pub(crate) fn check_triangles(
        &self,
        count: u64,
        at: impl FnOnce() -> Location,
    ) -> Result<(), MeshError> {
        let limit = self.triangles;
        let error = || MeshError::TooManyTriangles { at: at(), limit };
        (count <= limit).then_some(()).ok_or_else(error)
    }
}
