//! The arrays of a mesh, which trees can share.

use crate::mesh::Mesh;
use estoc_core::glam::Vec3;
use estoc_core::{Coordinate, InlineMap, PrimId, Triangle};
use estoc_system::Arena;
use std::sync::Arc;

/// Returns the arrays of a mesh, which trees can share.
#[inline(always)]
pub fn buffers<C: Coordinate>(mesh: &Mesh<C>) -> &Buffers {
    &mesh.buffers
}

/// The vertices of a mesh and the vertex indices of its triangles.
///
/// Immutable. A clone shares the arrays and costs two reference counts, whatever the size.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    positions: Arc<Arena<Vec3>>,
    indices: Arc<Arena<[u32; 3]>>,
    /// The last position, padded: positions are read four numbers at a time.
    last: [f32; 4],
}

impl Buffers {
    /// Returns the buffers of these arrays; each index must be in range.
    pub fn of_arenas(positions: Arena<Vec3>, indices: Arena<[u32; 3]>) -> Self {
        Buffers {
            indices: Arc::new(indices),
            ..Buffers::default()
        }
        .with_positions(positions)
    }

    /// Returns the buffers with as many other positions; both share the indices.
    pub(crate) fn with_positions(&self, positions: Arena<Vec3>) -> Self {
        let [x, y, z] = positions.last().map_or([0.0; 3], Vec3::to_array);
        Buffers {
            last: [x, y, z, 0.0],
            positions: Arc::new(positions),
            indices: Arc::clone(&self.indices),
        }
    }

    /// Returns all vertices.
    #[inline(always)]
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Returns the vertex indices of each triangle.
    #[inline(always)]
    pub fn indices(&self) -> &[[u32; 3]] {
        &self.indices
    }

    /// Returns a position and an arbitrary fourth number.
    #[inline(always)]
    pub fn position_and_more(&self, place: u32) -> &[f32; 4] {
        let numbers: &[f32] = bytemuck::cast_slice::<Vec3, f32>(&self.positions);
        let start = 3 * place as usize;
        match numbers.get(start..start + 4).and_then(<[f32]>::first_chunk) {
            Some(four) => four,
            None => {
                // A branch that is rarely taken, rather than a conditional move of addresses.
                core::hint::cold_path();
                &self.last
            }
        }
    }

    /// Returns the triangle of this index, which must be in range.
    #[inline(always)]
    pub fn triangle(&self, prim: PrimId) -> Triangle {
        self.triangle_of(&self.indices[prim.index()])
    }

    /// Returns the triangle of these vertices, which must be in range.
    #[inline(always)]
    pub fn triangle_of(&self, face: &[u32; 3]) -> Triangle {
        let [a, b, c] = face.inline_map(|corner| self.positions[corner as usize]);
        Triangle::new(a, b, c)
    }

    /// Returns the size of both arrays in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.positions()) + size_of_val(self.indices())
    }
}
