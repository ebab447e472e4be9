//! Finds triangles of a leaf that are parallel to the ray, which therefore never hits them.
//!
//! A ray in the plane of many triangles passes the leaf test of each, as it is on the edges of
//! all. If several of a leaf pass, `den = d . ((p1-p0) x (p2-p0))` is computed for all of them at
//! once, in `f64` and exactly: where coplanarity is no coincidence, coordinates have few bits.
//!
//! # Proof
//! Flat: where an axis has the same coordinate in all corners and none in the direction, every
//! product that `den` is a sum of has a factor zero.
//!
//! Few bits: let S be the largest size of a component of the two edges of a triangle, and M
//! be `S * K` for a power of two K of at least 2^29. A number p of 24 bits for which
//! `(p + M) - M` is p is a multiple of the power of two V next above `M * 2^-55`. If it is not
//! above M/2, then p + M lies above M/2, where numbers are multiples of V, and so is the
//! difference, which is p; otherwise p has its last bit at `M * 2^-25` or above. The edges are
//! differences of multiples of V, and no longer than S, which is less than 2^53 V: they are
//! exact. Let the direction's components be multiples of W, and less than 2^b W. Then `den`,
//! and every intermediate result, is a multiple of V V W and less than
//! `6 S S 2^b W = 6 (M/K)^2 2^b W <= 6 * 2^110 V V 2^b W / K^2`. That is less than
//! 2^53 V V W, so that none is rounded, if `K^2 >= 2^(60 + b)`.

use crate::wide::{Axis, Block, WIDTH};
use fearless_simd::{Simd, SimdBase, SimdMask, SimdWiden, f32x8, f64x4, mask64x4};

/// Returns the places in a leaf whose triangles are certainly parallel to the ray, as bits.
///
/// The components of the direction are `f32`s.
#[cold]
#[inline(never)]
pub fn parallel_triangles<S: Simd>(simd: S, block: Block<'_>, dir: [f64; 3]) -> u32 {
    simd.vectorize(
        #[inline(always)]
        || flat(simd, block, dir) | few_bits(simd, block, dir),
    )
}

const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

#[inline(always)]
fn flat<S: Simd>(simd: S, block: Block<'_>, dir: [f64; 3]) -> u32 {
    let mut found = 0;
    for axis in AXES {
        if dir[axis.index()] == 0.0 {
            let a = f32x8::load_array_ref(simd, block.row::<0>(axis));
            let b = f32x8::load_array_ref(simd, block.row::<1>(axis));
            let c = f32x8::load_array_ref(simd, block.row::<2>(axis));
            found |= (a.simd_eq(b) & a.simd_eq(c)).to_bitmask();
        }
    }
    found as u32
}

type CornerHalves<S> = [f64x4<S>; 3];

#[inline(always)]
fn few_bits<S: Simd>(simd: S, block: Block<'_>, dir: [f64; 3]) -> u32 {
    let Some(spread) = spread(dir) else { return 0 };
    let (a0, a1) = corner::<S, 0>(simd, block);
    let (b0, b1) = corner::<S, 1>(simd, block);
    let (c0, c1) = corner::<S, 2>(simd, block);
    let low = half(simd, a0, b0, c0, dir, spread);
    let high = half(simd, a1, b1, c1, dir, spread);
    low | high << (WIDTH / 2)
}

/// Returns K, or `None` for a direction with too many bits for any triangle.
#[inline(always)]
fn spread(dir: [f64; 3]) -> Option<f64> {
    let (mut low, mut high) = (i32::MAX, i32::MIN);
    for d in dir {
        let bits = d.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as i32;
        if d != 0.0 {
            // The exponent of the lowest set bit.
            low = low.min(exponent + (bits.trailing_zeros() as i32).min(52) - 52);
            high = high.max(exponent + 1);
        }
    }
    let bits = high - low;
    (bits <= 44).then(|| f64::from_bits(((1023 + (61 + bits) / 2) as u64) << 52))
}

#[inline(always)]
fn corner<S: Simd, const CORNER: usize>(
    simd: S,
    block: Block<'_>,
) -> (CornerHalves<S>, CornerHalves<S>) {
    let (x0, x1) = f32x8::load_array_ref(simd, block.row::<CORNER>(Axis::X)).widen();
    let (y0, y1) = f32x8::load_array_ref(simd, block.row::<CORNER>(Axis::Y)).widen();
    let (z0, z1) = f32x8::load_array_ref(simd, block.row::<CORNER>(Axis::Z)).widen();
    ([x0, y0, z0], [x1, y1, z1])
}

#[inline(always)]
fn half<S: Simd>(
    simd: S,
    a: CornerHalves<S>,
    b: CornerHalves<S>,
    c: CornerHalves<S>,
    dir: [f64; 3],
    spread: f64,
) -> u32 {
    let e1 = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    let e2 = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    let nx = e1[1] * e2[2] - e1[2] * e2[1];
    let ny = e1[2] * e2[0] - e1[0] * e2[2];
    let nz = e1[0] * e2[1] - e1[1] * e2[0];
    let [dx, dy, dz] = [
        f64x4::splat(simd, dir[0]),
        f64x4::splat(simd, dir[1]),
        f64x4::splat(simd, dir[2]),
    ];
    let den = dx * nx + dy * ny + dz * nz;
    let zero = den.simd_eq(f64x4::splat(simd, 0.0));
    if zero.to_bitmask() == 0 {
        return 0;
    }
    let offset = size(e1).max(size(e2)) * f64x4::splat(simd, spread);
    let few = coarse(a, offset) & coarse(b, offset) & coarse(c, offset);
    (zero & few).to_bitmask() as u32
}

/// Returns the largest size of a component.
#[inline(always)]
fn size<S: Simd>(e: CornerHalves<S>) -> f64x4<S> {
    e[0].abs().max(e[1].abs()).max(e[2].abs())
}

/// Returns whether adding the offset loses no bit of any component.
#[inline(always)]
fn coarse<S: Simd>(p: CornerHalves<S>, offset: f64x4<S>) -> mask64x4<S> {
    let same = [
        ((p[0] + offset) - offset).simd_eq(p[0]),
        ((p[1] + offset) - offset).simd_eq(p[1]),
        ((p[2] + offset) - offset).simd_eq(p[2]),
    ];
    same[0] & same[1] & same[2]
}
