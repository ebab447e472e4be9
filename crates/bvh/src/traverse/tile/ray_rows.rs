//! Numbers of the rays of a tile, in rows of sixteen.

use fearless_simd::{Simd, SimdBase, f32x16, f64x8};

/// The number of rays in a group, and of groups in a tile.
pub const GROUP: usize = 16;
/// The largest number of rays in a tile.
pub const TILE: usize = GROUP * GROUP;

/// A number of each ray of a group, or of each group.
pub type RayRow = [f32; GROUP];
/// A number of each ray.
pub type RayRows = [RayRow; GROUP];

#[inline(always)]
pub(in crate::traverse) fn sixteen<S: Simd>(simd: S, x: f32) -> f32x16<S> {
    f32x16::splat(simd, x)
}

#[inline(always)]
pub(super) fn wide<S: Simd>(simd: S, x: f32) -> f64x8<S> {
    f64x8::splat(simd, f64::from(x))
}

#[inline(always)]
pub(in crate::traverse) fn load<S: Simd>(simd: S, row: &RayRow) -> f32x16<S> {
    f32x16::load_array_ref(simd, row)
}
