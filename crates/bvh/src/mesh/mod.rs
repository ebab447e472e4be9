//! The mesh: checked triangles and what the file said about them.

use estoc_core::glam::Vec3;
use estoc_core::{Aabb, PrimId, Triangle};

/// Triangles over shared corners, all finite and in range.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    positions: Vec<Vec3>,
    indices: Vec<[u32; 3]>,
    report: MeshReport,
}

/// What to do with faces that cannot be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Refuse the mesh.
    #[default]
    Reject,
    /// Leave them out and count them.
    Skip,
}

/// What was noticed while a mesh was made.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct MeshReport {}

/// Why a mesh was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {}

impl Mesh {
    /// Stub.
    pub fn new<P: Into<Vec3>>(
        positions: impl IntoIterator<Item = P>,
        indices: impl IntoIterator<Item = [u32; 3]>,
    ) -> Result<Mesh, MeshError> {
        Ok(Mesh {
            positions: positions.into_iter().map(Into::into).collect(),
            indices: indices.into_iter().collect(),
            report: MeshReport::default(),
        })
    }
    /// Stub.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }
    /// Stub.
    pub fn indices(&self) -> &[[u32; 3]] {
        &self.indices
    }
    /// Stub.
    pub fn triangle_count(&self) -> usize {
        self.indices.len()
    }
    /// Stub.
    pub fn triangle(&self, prim: PrimId) -> Option<Triangle> {
        let [a, b, c] = self
            .indices
            .get(prim.index())?
            .map(|i| self.positions[i as usize]);
        Some(Triangle::new(a, b, c))
    }
    /// All triangles, in order.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = Triangle> + '_ {
        self.indices.iter().map(|face| {
            let [a, b, c] = face.map(|i| self.positions[i as usize]);
            Triangle::new(a, b, c)
        })
    }
    /// Stub.
    pub fn bounds(&self) -> Aabb {
        Aabb::of_points(self.positions.iter().copied())
    }
    /// Stub.
    pub fn report(&self) -> &MeshReport {
        &self.report
    }
}
