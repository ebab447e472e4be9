//! A plain ray: its conditions, and the numbers for box tests.
//!
//! The conditions are those of the usual frame in `kernel_ray.rs`, with limits of the tree's reach:
//! no coordinate of the origin is beyond [`Measures::plain`], the longest coordinate of the
//! direction lies between 2^-8 and 2^8, and `0 <= t_min <= t_max`. A ray that meets them is defined:
//! NaN fails the comparisons, and so does an infinite origin or direction, and a direction that is
//! zero. The ends may be infinite, as those of any defined ray; with `t_min` infinite, no box is
//! met. The numbers and their bounds are derived there too, for `moved` = 2^-126. The numbers of a ray that was
//! mapped from another space are those of its frame in `mapped_frame.rs`, in the same range.

use super::super::kernel_ray::{SPREAD, STEEP, U, one_by_one};
use super::super::node_test::{AxisFaces, node_test};
use super::super::single_walk::BoxTest;
use crate::wide::{FAR, Measures, Node};
use estoc_core::{InlineMap, Ray};
use fearless_simd::{Select, Simd, SimdBase, SimdMask, f32x4, f32x8, i32x8, mask32x8};

/// A plain ray, with the numbers that box tests need.
#[derive(Debug)]
pub struct PlainRay<S: Simd> {
    /// By axis, the same numbers as in [`BoxRay`](super::super::kernel_ray::BoxRay), in every lane.
    pub inverse: [f32x8<S>; 3],
    pub near: [f32x8<S>; 3],
    pub far: [f32x8<S>; 3],
    pub least: i32x8<S>,
    /// Which of a node's faces is the near one.
    pub near_face: [usize; 3],
    pub t_min: f32,
    pub t_max: f32,
    /// The largest distance from the origin to the tree, in any coordinate.
    pub way: f32,
    /// By axis, the inverse of the direction.
    pub inverse_dir: [f32; 4],
}

/// The numbers of a plain ray that was prepared with others.
pub struct Numbers {
    /// By axis, as in [`BoxRay`](super::super::kernel_ray::BoxRay).
    pub inverse: [f32; 3],
    pub near: [f32; 3],
    pub far: [f32; 3],
    pub near_face: [usize; 3],
    pub t_min: f32,
    pub t_max: f32,
    pub way: f32,
}

impl<S: Simd> PlainRay<S> {
    /// Returns the ray of these numbers.
    #[inline(always)]
    pub fn of_numbers(simd: S, numbers: &Numbers) -> Self {
        let each = |[x, y, z]: [f32; 3]| {
            [
                f32x8::splat(simd, x),
                f32x8::splat(simd, y),
                f32x8::splat(simd, z),
            ]
        };
        let [x, y, z] = numbers.inverse;
        PlainRay {
            inverse: each(numbers.inverse),
            near: each(numbers.near),
            far: each(numbers.far),
            least: i32x8::splat(simd, numbers.t_min.to_bits() as i32),
            near_face: numbers.near_face,
            t_min: numbers.t_min,
            t_max: numbers.t_max,
            way: numbers.way,
            inverse_dir: [x, y, z, 0.0],
        }
    }

    /// Returns the ray if it is plain.
    #[inline(always)]
    pub fn of(simd: S, ray: &Ray, tree: &Measures) -> Option<Self> {
        let origin = one_by_one(&ray.origin);
        let dir = one_by_one(&ray.dir);
        let (t_min, t_max) = (ray.t_min, ray.t_max);
        let [ox, oy, oz] = origin;
        let [dx, dy, dz] = dir;
        let o = f32x4::load_array_ref(simd, &[ox, oy, oz, 0.0]);
        let d = f32x4::load_array_ref(simd, &[dx, dy, dz, 0.0]);
        // In this form NaN is not plain.
        if !(are_plain(simd, (o, d), tree) && t_min >= 0.0 && t_min <= t_max) {
            return None;
        }
        // The bits of -0 are out of order.
        let least = if t_min > 0.0 { t_min } else { 0.0 };
        let way = tree.reach + farthest(origin);
        const EXACT: f32 = f32::MIN_POSITIVE;
        Some(PlainRay::with(simd, (o, d), (least, t_max), way, EXACT))
    }

    /// Returns a ray of another space, if its numbers are those of a plain ray, with what its origin is off:
    /// `moved` of the largest distance to the tree. Parameters are at least 0.
    #[inline(always)]
    pub fn of_mapped(
        simd: S,
        (o, d): (f32x4<S>, f32x4<S>),
        tree: &Measures,
        moved: impl FnOnce(f32) -> f32,
    ) -> Option<(Self, f32)> {
        if !are_plain(simd, (o, d), tree) {
            return None;
        }
        let [x, y, z, _] = o.to_array();
        let way = tree.reach + farthest([x, y, z]);
        let moved = moved(way);
        // In this form NaN is refused.
        let is_known = moved < FAR;
        is_known.then(|| {
            let ray = PlainRay::with(simd, (o, d), (0.0, f32::INFINITY), way, moved);
            (ray, moved)
        })
    }

    #[inline(always)]
    fn with(
        simd: S,
        (o, d): (f32x4<S>, f32x4<S>),
        (t_min, t_max): (f32, f32),
        way: f32,
        moved: f32,
    ) -> Self {
        let mut inverse = f32x4::splat(simd, 1.0) / d;
        let mut product = -o * inverse;
        let mut pad = pad_of(simd, product, inverse, moved);
        let steep = d.abs().simd_lt(f32x4::splat(simd, 1.0 / STEEP));
        // A branch: it is nearly always the same way, and saves all rays these operations.
        if steep.to_bitmask() as u32 & 0b111 != 0 {
            inverse = steep.select(f32x4::splat(simd, STEEP), inverse);
            product = -o * inverse;
            let beyond = f32x4::splat(simd, 4.0 * SPREAD * way);
            let beyond = steep.select(beyond, f32x4::splat(simd, 0.0));
            pad = pad_of(simd, product, inverse, moved) + beyond;
        }
        let reversed = inverse.simd_lt(f32x4::splat(simd, 0.0)).to_bitmask() as usize;
        let near_face = [reversed & 1, reversed >> 1 & 1, reversed >> 2 & 1];
        PlainRay {
            inverse: each(simd, inverse),
            near: each(simd, product - pad),
            far: each(simd, product + pad),
            least: i32x8::splat(simd, t_min.to_bits() as i32),
            near_face,
            t_min,
            t_max,
            way,
            inverse_dir: inverse.to_array(),
        }
    }

    #[inline(always)]
    fn slab(&self, axis: usize) -> AxisFaces<S> {
        AxisFaces {
            near_face: self.near_face[axis],
            near: [self.inverse[axis], self.near[axis]],
            far: [self.inverse[axis], self.far[axis]],
        }
    }
}

impl<S: Simd> BoxTest<S> for PlainRay<S> {
    #[inline(always)]
    fn test(&self, simd: S, node: &Node, limit: f32) -> (i32x8<S>, mask32x8<S>) {
        let slabs = [self.slab(0), self.slab(1), self.slab(2)];
        node_test(simd, node, slabs, self.least, limit)
    }
}

/// Returns whether an origin and a direction are those of plain rays; NaN is not. The fourth lanes are unused.
#[inline(always)]
fn are_plain<S: Simd>(simd: S, (o, d): (f32x4<S>, f32x4<S>), tree: &Measures) -> bool {
    let (size_o, size_d) = (o.abs(), d.abs());
    let within = size_o.simd_le(f32x4::splat(simd, tree.plain));
    let short = size_d.simd_le(f32x4::splat(simd, SPREAD));
    let long = size_d.simd_ge(f32x4::splat(simd, 1.0 / SPREAD));
    let fits = (within & short).to_bitmask() as u32 & 0b111 == 0b111;
    fits && long.to_bitmask() as u32 & 0b111 != 0
}

/// Returns the margin of faces on axes that are not steep.
#[inline(always)]
fn pad_of<S: Simd>(simd: S, product: f32x4<S>, inverse: f32x4<S>, moved: f32) -> f32x4<S> {
    product.abs() * f32x4::splat(simd, 8.0 * U) + inverse.abs() * f32x4::splat(simd, 2.0 * moved)
}

/// Returns the largest size of a coordinate.
#[inline(always)]
fn farthest(origin: [f32; 3]) -> f32 {
    let [x, y, z] = origin.inline_map(f32::abs);
    let farthest = if x > y { x } else { y };
    if farthest > z { farthest } else { z }
}

/// Returns the first three numbers, each in every lane.
#[inline(always)]
fn each<S: Simd>(simd: S, v: f32x4<S>) -> [f32x8<S>; 3] {
    let [x, y, z, _] = v.to_array();
    [
        f32x8::splat(simd, x),
        f32x8::splat(simd, y),
        f32x8::splat(simd, z),
    ]
}
