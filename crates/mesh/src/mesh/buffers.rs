//! The arrays of a mesh, which trees may share.

use estoc_core::glam::Vec3;
use estoc_core::{PrimId, Triangle};
use estoc_memory::Arena;
use std::sync::Arc;

/// Vertices, and which of them each triangle has.
///
/// Never changed once they are there: whoever has a clone sees what the others see. A clone is
/// two counters, whatever the size.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    positions: Arc<Arena<Vec3>>,
    indices: Arc<Arena<[u32; 3]>>,
    /// The last position, with something behind it: the others are read four numbers at a time.
    last: [f32; 4],
}

impl Buffers {
    /// Each index names a position.
    pub fn of_arenas(positions: Arena<Vec3>, indices: Arena<[u32; 3]>) -> Self {
        let [x, y, z] = positions.last().map_or([0.0; 3], Vec3::to_array);
        Buffers {
            last: [x, y, z, 0.0],
            positions: Arc::new(positions),
            indices: Arc::new(indices),
        }
    }

    /// All vertices.
    #[inline(always)]
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// The vertices of each triangle.
    #[inline(always)]
    pub fn indices(&self) -> &[[u32; 3]] {
        &self.indices
    }

    /// A position, and some number behind it.
    #[inline(always)]
    pub fn position_and_more(&self, place: u32) -> &[f32; 4] {
        let numbers: &[f32] = bytemuck::cast_slice::<Vec3, f32>(&self.positions);
        let start = 3 * place as usize;
        match numbers.get(start..start + 4).and_then(<[f32]>::first_chunk) {
            Some(four) => four,
            None => {
                // A branch, which is hardly ever taken, and not a choice of addresses.
                core::hint::cold_path();
                &self.last
            }
        }
    }

    /// A triangle that there is.
    #[inline(always)]
    pub fn triangle(&self, prim: PrimId) -> Triangle {
        self.triangle_of(&self.indices[prim.index()])
    }

    /// The triangle of these vertices, which there are.
    #[inline(always)]
    pub fn triangle_of(&self, face: &[u32; 3]) -> Triangle {
        let [a, b, c] = face.map(|corner| self.positions[corner as usize]);
        Triangle::new(a, b, c)
    }

    /// How many bytes both arrays take.
    pub fn bytes(&self) -> usize {
        size_of_val(self.positions()) + size_of_val(self.indices())
    }
}
