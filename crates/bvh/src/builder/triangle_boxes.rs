//! The boxes of a mesh's triangles.

use super::bounds::ReferenceBounds;
use super::boxes::Boxes;
use crate::wide::Scale;
use estoc_core::InlineMap;
use estoc_core::glam::Vec3;
use estoc_mesh::parts::Buffers;

/// The boxes of all triangles, in units of the tree.
pub struct TriangleBoxes<'a> {
    positions: &'a [Vec3],
    indices: &'a [[u32; 3]],
    scale: Scale,
}

impl<'a> TriangleBoxes<'a> {
    pub fn of(mesh: &'a Buffers, scale: Scale) -> Self {
        TriangleBoxes {
            positions: mesh.positions(),
            indices: mesh.indices(),
            scale,
        }
    }
}

impl Boxes for TriangleBoxes<'_> {
    fn count(&self) -> usize {
        self.indices.len()
    }

    #[inline(always)]
    fn bounds(&self, number: usize) -> ReferenceBounds {
        let corners = self.indices[number].inline_map(|corner| self.positions[corner as usize]);
        of_corners(corners.inline_map(|corner| self.scale.point_up(corner)))
    }
}

/// Returns the box of a triangle with these corners, which are finite, as those of meshes are.
#[inline(always)]
pub fn of_corners([a, b, c]: [Vec3; 3]) -> ReferenceBounds {
    let less = |a: f32, b: f32| if b < a { b } else { a };
    let more = |a: f32, b: f32| if b > a { b } else { a };
    let each = |of: &dyn Fn(f32, f32) -> f32| {
        [
            of(of(a.x, b.x), c.x),
            of(of(a.y, b.y), c.y),
            of(of(a.z, b.z), c.z),
        ]
    };
    ReferenceBounds {
        min: each(&less),
        max: each(&more),
    }
}
