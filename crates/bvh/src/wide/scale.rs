//! The unit of a tree: a power of two that brings its typical triangle near the size 1.
//!
//! Kernels multiply two coordinates in `f32`. In a scene at 1e-30 or 1e30 the product would
//! underflow or overflow, so the tree stores its boxes and triangles multiplied by a power of two.
//! This is done only if it is exact.

use super::leaf_blocks::Block;
use estoc_core::InlineMap;
use estoc_core::glam::Vec3;
use estoc_core::{PrimId, Triangle};

/// A power of two that multiplies exactly, and its inverse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    exponent: i32,
    up: f32,
    down: f32,
}

impl Default for Scale {
    fn default() -> Self {
        Scale::of_exponent(0)
    }
}

impl Scale {
    /// The largest exponent: larger powers, or their inverses, are no normal `f32`s.
    pub const MOST: i32 = 126;

    fn of_exponent(exponent: i32) -> Self {
        let power = |exponent: i32| f32::from_bits(((127 + exponent) as u32) << 23);
        Scale {
            exponent,
            up: power(exponent),
            down: power(-exponent),
        }
    }

    /// Returns the scale of an exponent read from a file; `None` if no tree has it.
    pub fn from_exponent(exponent: i32) -> Option<Self> {
        let range = -Self::MOST..=Self::MOST;
        range
            .contains(&exponent)
            .then(|| Scale::of_exponent(exponent))
    }

    /// Returns whether it is a power of two that trees may have.
    pub(crate) fn is_sound(self) -> bool {
        (-Self::MOST..=Self::MOST).contains(&self.exponent)
            && self == Scale::of_exponent(self.exponent)
    }

    /// Returns whether the triangle of a tree is exactly one of a mesh. Both directions are
    /// checked, since either triangle may be computed from the other: what was rounded one way is
    /// reproduced by going back and forth.
    pub fn is_exact(self, scaled: &Triangle, own: &Triangle) -> bool {
        let numbers = |triangle: &Triangle| triangle.corners().map(|p| p.to_array());
        let (scaled, own) = (numbers(scaled), numbers(own));
        let mut both = { scaled.as_flattened().iter() }.zip(own.as_flattened());
        both.all(|(&scaled, &own)| {
            let finite = scaled.is_finite() && own.is_finite();
            finite && self.up(own) == scaled && self.down(scaled) == own
        })
    }

    #[inline(always)]
    pub fn is_one(self) -> bool {
        self.exponent == 0
    }

    pub fn exponent(self) -> i32 {
        self.exponent
    }

    pub fn up(self, x: f32) -> f32 {
        x * self.up
    }

    #[inline(always)]
    pub fn down(self, x: f32) -> f32 {
        x * self.down
    }

    /// Returns a point of the mesh in units of the tree.
    #[inline(always)]
    pub(crate) fn point_up(self, point: Vec3) -> Vec3 {
        match self.is_one() {
            true => point,
            false => point * self.up,
        }
    }

    /// Returns a triangle of the mesh in units of the tree.
    #[inline(always)]
    pub(crate) fn triangle_up(self, triangle: Triangle) -> Triangle {
        let [p0, p1, p2] = triangle.corners().inline_map(|point| self.point_up(point));
        Triangle::new(p0, p1, p2)
    }

    /// Returns the triangle at a place in a leaf, in the mesh's units.
    #[inline(always)]
    pub(crate) fn triangle_down(self, leaf: Block<'_>, place: usize) -> (PrimId, Triangle) {
        let mut triangle = leaf.triangle(place);
        if !self.is_one() {
            let [p0, p1, p2] = triangle.corners().inline_map(|p| p.map(|x| self.down(x)));
            triangle = Triangle::new(p0, p1, p2);
        }
        (leaf.prim(place), triangle)
    }
}
