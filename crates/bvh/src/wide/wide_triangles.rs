//! The triangles of a tree in `f64`.

use super::{LeafView, WIDTH, WideTree};
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{Coordinate, InlineMap, PrimId, Triangle64};
use estoc_mesh::Mesh;
use estoc_mesh::parts::{Buffers, NarrowFrame, WidePositions, buffers, wide_positions};
use estoc_system::parallel::prelude::*;
use estoc_system::{Arena, NoMemory};
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
    let mut faces = Arena::zeroed(if is_wide { indices.len() } else { 0 }).ok_or(NoMemory)?;
    if is_wide {
        let faces: &mut [[u32; 3]] = &mut faces;
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
pub struct WideTriangles {
    positions: WidePositions,
    /// Of the triangles in the frame.
    buffers: Buffers,
    /// Whether every triangle has an area.
    have_area: bool,
    /// The vertex indices in the order of the leaves: a hit waits for one array less.
    faces: Arc<Arena<[u32; 3]>>,
}

/// What the corners of all triangles say about their frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FrameMeasures {
    /// The box around them, without -0; infinities of the wrong signs if there are none.
    pub(crate) bounds: [DVec3; 2],
    /// The largest distance of a coordinate in the frame from what it was rounded to.
    pub(crate) error: f64,
    /// Whether every triangle has an area.
    pub(crate) have_area: bool,
}

impl FrameMeasures {
    const NONE: FrameMeasures = FrameMeasures {
        bounds: [DVec3::INFINITY, DVec3::NEG_INFINITY],
        error: 0.0,
        have_area: true,
    };

    fn and(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.bounds, other.bounds);
        FrameMeasures {
            bounds: [a.min(c), b.max(d)],
            error: self.error.max(other.error),
            have_area: self.have_area && other.have_area,
        }
    }
}

impl WideTriangles {
    /// Returns the triangles of these arrays, which must fit together: `buffers` has the positions in the frame, and
    /// `faces` its indices in the order of the leaves.
    pub fn of_arrays(
        positions: WidePositions,
        buffers: Buffers,
        have_area: bool,
        faces: Arena<[u32; 3]>,
    ) -> Self {
        WideTriangles {
            positions,
            buffers,
            have_area,
            faces: Arc::new(faces),
        }
    }

    /// Returns whether these are all triangles of a mesh, with the same bits.
    pub(crate) fn is_of(&self, buffers: &Buffers, positions: &WidePositions) -> bool {
        let [own, others] = [&self.positions, positions].map(WidePositions::all);
        let is_shared = core::ptr::eq(own, others);
        // As bytes, since vertices may be NaN.
        let are_same = || {
            let [own, others] = [own, others].map(bytemuck::cast_slice::<DVec3, u8>);
            own == others
        };
        (is_shared || are_same()) && self.buffers.indices() == buffers.indices()
    }

    /// Measures all corners. The error is infinite if one of them is not finite. Returns early, with part of the result, once `stop` returns
    /// true.
    pub(crate) fn measured(&self, stop: &(impl Fn() -> bool + Sync)) -> FrameMeasures {
        const PIECE: usize = 1 << 14;
        let pieces = self.buffers.indices().par_chunks(PIECE);
        let measure = |faces: &[[u32; 3]]| {
            let faces = if stop() { &[] } else { faces };
            let each = faces.iter().map(|face| self.measured_face(face));
            each.fold(FrameMeasures::NONE, FrameMeasures::and)
        };
        let all = pieces.map(measure).reduce_with(FrameMeasures::and);
        let all = all.unwrap_or(FrameMeasures::NONE);
        FrameMeasures {
            bounds: all.bounds.map(|corner| corner + DVec3::ZERO),
            ..all
        }
    }

    fn measured_face(&self, face: &[u32; 3]) -> FrameMeasures {
        let (triangle, narrow) = (self.of_face(face), self.buffers.triangle_of(face));
        let [a, b, c] = triangle.corners();
        // The largest coordinate, of which NaN is none.
        let moved = |p: DVec3, narrow: Vec3| match p.is_finite() {
            true => self.frame().movement(p, narrow),
            false => f64::INFINITY,
        };
        FrameMeasures {
            bounds: [a.min(b).min(c), a.max(b).max(c)],
            error: moved(a, narrow.p0)
                .max(moved(b, narrow.p1))
                .max(moved(c, narrow.p2)),
            have_area: !triangle.is_degenerate(),
        }
    }

    /// Returns all vertices, with the frame of those in `f32`.
    pub(crate) fn positions(&self) -> &WidePositions {
        &self.positions
    }

    /// Returns the vertices in the frame, and the vertex indices of each triangle.
    pub(crate) fn buffers(&self) -> &Buffers {
        &self.buffers
    }

    /// Returns the vertex indices in the order of the leaves.
    pub(crate) fn slots(&self) -> &[[u32; 3]] {
        &self.faces
    }

    /// Returns a triangle, or `None` beyond the last one.
    #[inline(always)]
    pub(crate) fn get(&self, prim: PrimId) -> Option<Triangle64> {
        self.buffers
            .indices()
            .get(prim.index())
            .map(|face| self.of_face(face))
    }

    /// Returns a triangle that a traversal found; beyond the last one, which none does, one that nothing hits or is near.
    #[inline(always)]
    pub(crate) fn get_or_nowhere(&self, prim: PrimId) -> Triangle64 {
        const NOWHERE: Triangle64 = Triangle64 {
            p0: DVec3::NAN,
            p1: DVec3::NAN,
            p2: DVec3::NAN,
        };
        self.get(prim).unwrap_or(NOWHERE)
    }

    #[inline(always)]
    fn of_face(&self, face: &[u32; 3]) -> Triangle64 {
        let [a, b, c] = face.inline_map(
            #[inline(always)]
            |corner: u32| self.positions.all()[corner as usize],
        );
        Triangle64::new(a, b, c)
    }

    /// Returns the triangle in a slot of the tree.
    #[inline(always)]
    pub(crate) fn in_slot(&self, slot: usize) -> Option<Triangle64> {
        self.faces.get(slot).map(|face| self.of_face(face))
    }

    /// Returns a triangle of a leaf, which begins at a slot and has a length, and its id.
    #[inline(always)]
    pub(crate) fn in_leaf(
        &self,
        leaves: LeafView<'_>,
        (first, len, place): (usize, usize, usize),
    ) -> Option<(PrimId, Triangle64)> {
        let prim = leaves.prim(first, len, place);
        Some((prim, self.in_slot(first + place)?))
    }

    /// Returns the corners of the triangles of a leaf, which begins at a slot; those after the last one are of the
    /// first.
    #[inline(always)]
    pub(crate) fn corners_of_eight(&self, first: usize, len: usize) -> [[&[f64; 3]; WIDTH]; 3] {
        let positions = self.positions.all();
        let faces = &self.faces[first..first + len];
        let faces = [0, 1, 2, 3, 4, 5, 6, 7].inline_map(
            #[inline(always)]
            |lane: usize| faces.get(lane).unwrap_or(&faces[0]),
        );
        [0, 1, 2].inline_map(
            #[inline(always)]
            |corner: usize| {
                faces.inline_map(
                    #[inline(always)]
                    |face: &[u32; 3]| positions[face[corner] as usize].as_ref(),
                )
            },
        )
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

    /// Returns the size of the tree's own array in bytes.
    pub(crate) fn own_bytes(&self) -> usize {
        size_of_val(&self.faces[..])
    }

    /// Returns the size of the arrays that are shared with the mesh in bytes, those in the frame included.
    pub(crate) fn shared_bytes(&self) -> usize {
        size_of_val(self.positions.all()) + self.buffers.bytes()
    }
}
