//! The triangles of a tree in `f64`.

use super::WideTree;
use estoc_core::{Coordinate, PrimId, Triangle64};
use estoc_mesh::Mesh;
use estoc_mesh::parts::{Buffers, NarrowFrame, WidePositions, buffers, wide_positions};
use estoc_system::{NoMemory, zeroed};
use std::sync::Arc;

/// Returns the bytes that a tree over this mesh holds beside it.
pub(crate) fn bytes_beside<C: Coordinate>(mesh: &Mesh<C>) -> usize {
    C::kept(wide_positions(mesh)).map_or(0, |_| size_of_val(mesh.indices()))
}

/// Returns the triangles of a mesh in `f64`, for a tree over those in its frame.
pub(crate) fn wide_triangles<C: Coordinate>(
    mesh: &Mesh<C>,
    tree: &WideTree,
) -> Result<C::Beside<WideTriangles>, NoMemory> {
    let indices = mesh.indices();
    let is_wide = C::kept(wide_positions(mesh)).is_some();
    let mut faces = zeroed(if is_wide { indices.len() } else { 0 })?;
    if is_wide {
        for (first, len) in tree.leaf_ranges() {
            for place in 0..len {
                faces[first + place] = indices[tree.view().prim(first, len, place).index()];
            }
        }
    }
    let faces = Arc::new(faces);
    Ok(C::map_beside(wide_positions(mesh), |positions| {
        WideTriangles {
            positions: positions.clone(),
            buffers: buffers(mesh).clone(),
            have_area: mesh.report().degenerate.count() == 0,
            faces,
        }
    }))
}

/// The triangles of a mesh in `f64`, whose arrays are shared with it.
#[derive(Clone, Debug)]
pub(crate) struct WideTriangles {
    positions: WidePositions,
    /// Of the triangles in the frame.
    buffers: Buffers,
    /// Whether every triangle has an area.
    have_area: bool,
    /// The vertex indices in the order of the leaves: a hit waits for one array less.
    faces: Arc<Vec<[u32; 3]>>,
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

    /// Returns the triangle in a slot of the tree.
    #[inline(always)]
    pub(crate) fn in_slot(&self, slot: usize) -> Option<Triangle64> {
        self.faces.get(slot).map(|face| self.of_face(face))
    }

    /// Returns the address of the vertex indices of a slot.
    #[inline(always)]
    pub(crate) fn face_at(&self, slot: usize) -> *const u8 {
        self.faces.as_ptr().wrapping_add(slot).cast()
    }

    /// Returns the addresses of the corners of the triangle in a slot.
    #[inline(always)]
    pub(crate) fn corners_at(&self, slot: usize) -> Option<[*const u8; 3]> {
        let positions = self.positions.all().as_ptr();
        let face = self.faces.get(slot)?;
        Some(face.map(|corner| positions.wrapping_add(corner as usize).cast()))
    }

    /// Returns all triangles, in order.
    pub(crate) fn all(&self) -> impl Iterator<Item = Triangle64> + '_ {
        self.buffers.indices().iter().map(|face| self.of_face(face))
    }

    /// Returns whether every triangle has an area.
    pub(crate) fn have_area(&self) -> bool {
        self.have_area
    }

    /// Returns the frame of the tree.
    #[inline(always)]
    pub(crate) fn frame(&self) -> &NarrowFrame {
        self.positions.frame()
    }

    /// Returns the size of the arrays in bytes, those in the frame included.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.positions.all()) + size_of_val(&self.faces[..]) + self.buffers.bytes()
    }
}
