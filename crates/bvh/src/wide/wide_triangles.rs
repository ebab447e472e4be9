//! The triangles of a tree in `f64`.

use estoc_core::{Coordinate, PrimId, Triangle64};
use estoc_mesh::Mesh;
use estoc_mesh::parts::{Buffers, NarrowFrame, WidePositions, buffers, wide_positions};

/// Returns the triangles of a mesh in `f64`.
pub(crate) fn wide_triangles<C: Coordinate>(mesh: &Mesh<C>) -> C::Beside<WideTriangles> {
    C::map_beside(wide_positions(mesh), |positions| WideTriangles {
        positions: positions.clone(),
        buffers: buffers(mesh).clone(),
    })
}

/// The triangles of a mesh in `f64`, whose arrays are shared with it.
#[derive(Clone, Debug)]
pub(crate) struct WideTriangles {
    positions: WidePositions,
    /// Of the triangles in the frame.
    buffers: Buffers,
}

impl WideTriangles {
    /// Returns a triangle, or `None` beyond the last one.
    #[inline(always)]
    pub(crate) fn get(&self, prim: PrimId) -> Option<Triangle64> {
        self.buffers
            .indices()
            .get(prim.index())
            .map(|face| self.of_face(face))
    }

    #[inline(always)]
    fn of_face(&self, face: &[u32; 3]) -> Triangle64 {
        let [a, b, c] = face.map(|corner| self.positions.all()[corner as usize]);
        Triangle64::new(a, b, c)
    }

    /// Returns all triangles, in order.
    pub(crate) fn all(&self) -> impl Iterator<Item = Triangle64> + '_ {
        self.buffers.indices().iter().map(|face| self.of_face(face))
    }

    /// Returns the frame of the tree.
    #[inline(always)]
    pub(crate) fn frame(&self) -> &NarrowFrame {
        self.positions.frame()
    }

    /// Returns the size of the arrays in bytes, those in the frame included.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.positions.all()) + self.buffers.bytes()
    }
}
