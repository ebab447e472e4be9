//! The space of a mesh, in which questions that need no other space are asked: that of the tree's own triangles, or
//! that of corners in `f64` whose frame the tree is in.

use super::wide_walk::world_box;
use crate::wide::{LeafView, WideTriangles};
use estoc_core::glam::DVec3;
use estoc_core::{MovingSphere64, PrimId, Triangle64};

/// How the space of a mesh and that of the tree's triangles lie to each other.
pub(crate) trait MeshSpace {
    /// Returns a box around what triangles with a point in a box of the mesh's space have of their `f32`s.
    fn in_tree(&self, bounds: [DVec3; 2]) -> [DVec3; 2];

    /// Returns a box in the mesh's space around all triangles of a box of the tree.
    fn box_around(&self, corners: [[f64; 3]; 2]) -> [DVec3; 2];

    /// Returns a sphere in the space of the tree that touches what one of the mesh's space does of their `f32`s, no
    /// later; `None` if its velocity is too small there.
    fn sphere_in_tree(&self, sphere: &MovingSphere64) -> Option<MovingSphere64>;

    /// Returns a triangle of the mesh, given the slot of its leaf, the length of that, and its place there.
    fn triangle(
        &self,
        leaves: LeafView<'_>,
        place: (usize, usize, usize),
    ) -> Option<(PrimId, Triangle64)>;
}

/// The triangles are those of the tree.
pub(crate) struct OwnTriangles;

impl MeshSpace for OwnTriangles {
    #[inline(always)]
    fn in_tree(&self, bounds: [DVec3; 2]) -> [DVec3; 2] {
        bounds
    }

    #[inline(always)]
    fn box_around(&self, corners: [[f64; 3]; 2]) -> [DVec3; 2] {
        corners.map(DVec3::from)
    }

    fn sphere_in_tree(&self, sphere: &MovingSphere64) -> Option<MovingSphere64> {
        Some(*sphere)
    }

    #[inline(always)]
    fn triangle(
        &self,
        leaves: LeafView<'_>,
        (first, len, place): (usize, usize, usize),
    ) -> Option<(PrimId, Triangle64)> {
        let (prim, triangle) = leaves.triangle(first, len, place);
        Some((prim, triangle.into()))
    }
}

impl MeshSpace for WideTriangles {
    /// A coordinate in the frame has a rounding, of the difference, and the corner's own error; two more roundings are
    /// those of the sums here.
    fn in_tree(&self, bounds: [DVec3; 2]) -> [DVec3; 2] {
        let frame = self.frame();
        let [low, high] = bounds.map(|corner| frame.place(corner));
        let spare = |x: DVec3| x.abs() * (4.0 * f64::EPSILON) + (frame.error + f64::MIN_POSITIVE);
        [low - spare(low), high + spare(high)]
    }

    #[inline(always)]
    fn box_around(&self, corners: [[f64; 3]; 2]) -> [DVec3; 2] {
        world_box(self.frame(), corners).corners().map(DVec3::from)
    }

    /// The centre has a rounding along each axis, and each corner its own error; twice the sum is more than the length
    /// of such a vector. 2^-500 is more than what underflows, also of a velocity that is multiplied by a time below 2^561.
    fn sphere_in_tree(&self, sphere: &MovingSphere64) -> Option<MovingSphere64> {
        const LOST: f64 = f64::from_bits((1023 - 500) << 52);
        let frame = self.frame();
        let center = frame.place(sphere.center);
        let off = center.abs().max_element() * (2.0 * f64::EPSILON) + frame.error;
        let velocity = sphere.velocity * frame.up();
        let is_lost = velocity == DVec3::ZERO && sphere.velocity != DVec3::ZERO;
        (!is_lost).then_some(MovingSphere64 {
            center,
            velocity,
            radius: (sphere.radius * frame.up() + 2.0 * off) * (1.0 + 4.0 * f64::EPSILON) + LOST,
            t_max: sphere.t_max,
        })
    }

    #[inline(always)]
    fn triangle(
        &self,
        leaves: LeafView<'_>,
        place: (usize, usize, usize),
    ) -> Option<(PrimId, Triangle64)> {
        self.in_leaf(leaves, place)
    }
}
