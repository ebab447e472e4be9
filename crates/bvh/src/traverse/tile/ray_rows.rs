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

/// Returns the numbers at even places of two vectors, and those at odd ones.
#[inline(always)]
fn unzip<S: Simd>(a: f32x16<S>, b: f32x16<S>) -> [f32x16<S>; 2] {
    [a.unzip_low(b), a.unzip_high(b)]
}

/// Returns the numbers of sixteen rays, each in a vector.
#[inline(always)]
pub(super) fn transposed<S: Simd>(simd: S, rays: &[[f32; GROUP]]) -> [f32x16<S>; 8] {
    let rows: &[[f32; GROUP]; 8] = rays.try_into().expect("sixteen rays of eight numbers");
    let [a0, b0] = unzip(load(simd, &rows[0]), load(simd, &rows[1]));
    let [a1, b1] = unzip(load(simd, &rows[2]), load(simd, &rows[3]));
    let [a2, b2] = unzip(load(simd, &rows[4]), load(simd, &rows[5]));
    let [a3, b3] = unzip(load(simd, &rows[6]), load(simd, &rows[7]));
    let ([n04a, n26a], [n04b, n26b]) = (unzip(a0, a1), unzip(a2, a3));
    let ([n15a, n37a], [n15b, n37b]) = (unzip(b0, b1), unzip(b2, b3));
    let ([n0, n4], [n2, n6]) = (unzip(n04a, n04b), unzip(n26a, n26b));
    let ([n1, n5], [n3, n7]) = (unzip(n15a, n15b), unzip(n37a, n37b));
    [n0, n1, n2, n3, n4, n5, n6, n7]
}
