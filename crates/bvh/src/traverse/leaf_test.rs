//! Up to eight triangles at once: which of them the ray may hit.
//!
//! Badouel's order, plane before inside, is not to be had here: of the plane no more is asked
//! than whether some corner lies before and some behind the limits. Then the corners are
//! sheared along the ray onto a plane across it, and the ray is outside where two of the three
//! edge functions certainly have different signs (as in Woop, Benthin and Wald 2013,
//! "Watertight Ray/Triangle Intersection"). Passing one too many costs an exact test.
//!
//! # Bound
//! Let u = 2^-24. X, Y, Z are a corner less the origin: off by u |X| + moved, and so on. A
//! slope of the direction is at most 1 and off by u. So `A = X - slope Z`, whether the product
//! is rounded or not, is off by at most
//! `2u |A| + 4u |Z| + 2 moved (1 + u)`. With S the sum of the six |A| of a triangle and Z its
//! greatest |Z|, `e = 5u (S + Z) + 2.1 moved` is more than that with all its own roundings.
//!
//! An edge function `A B' - A' B` of two corners is then off by at most `4/5 e S + 2 e^2`, and
//! by its own roundings, at most `2u (|A B'| + |A' B|) <= u S^2 / 2`; what vanishes below the
//! least `f32` is less than 2^-148. So `E = e (S + 2 e) + u S^2 + 1e-37` covers it. Where a
//! product overflows, S^2 does too; then E is infinite or NaN, and the triangle passes.

use super::ray::{KernelRay, Limits, U};
use crate::wide::{Block, Leaves, WIDTH};
use fearless_simd::{Simd, SimdBase, SimdFloat, SimdMask, f32x8};

/// The places in a leaf whose triangles the ray may hit up to the limit, as bits.
#[inline(always)]
pub(super) fn leaf_test<S: Simd>(
    simd: S,
    leaves: &Leaves,
    first: usize,
    len: usize,
    ray: &KernelRay,
    limits: &Limits,
) -> u32 {
    let block = leaves.block(first, len);
    let (ax, ay, az) = sheared::<S, 0>(simd, &block, ray);
    let (bx, by, bz) = sheared::<S, 1>(simd, &block, ray);
    let (cx, cy, cz) = sheared::<S, 2>(simd, &block, ray);
    let before = az.max(bz).max(cz).simd_lt(f32x8::splat(simd, limits.low));
    let behind = az.min(bz).min(cz).simd_gt(f32x8::splat(simd, limits.high));

    let u = cx.mul_sub(by, cy * bx);
    let v = ax.mul_sub(cy, ay * cx);
    let w = bx.mul_sub(ay, by * ax);
    let sum = (ax.abs() + ay.abs()) + (bx.abs() + by.abs()) + (cx.abs() + cy.abs());
    let depth = az.abs().max(bz.abs()).max(cz.abs());
    // What needs the sum comes last: it is there last.
    let b = depth.mul_add(
        f32x8::splat(simd, 5.1 * U),
        f32x8::splat(simd, 2.2 * ray.moved),
    );
    let constant = (b + b).mul_add(b, f32x8::splat(simd, 1e-37));
    let linear = sum.mul_add(f32x8::splat(simd, 6.5 * U), b);
    let error = sum.mul_add(linear, constant);
    let positive = u.max(v).max(w).simd_gt(error);
    let negative = u.min(v).min(w).simd_lt(-error);
    let missed = (positive & negative) | before | behind;
    !missed.to_bitmask() as u32 & ((1 << len) - 1) & ((1 << WIDTH) - 1)
}

/// A corner of each triangle, less the origin, and sheared onto a plane across the ray.
///
/// A function and no closure: only functions can be made part of their caller for sure, and
/// apart from it the instructions would be calls.
#[inline(always)]
fn sheared<S: Simd, const CORNER: usize>(
    simd: S,
    block: &Block<'_>,
    ray: &KernelRay,
) -> (f32x8<S>, f32x8<S>, f32x8<S>) {
    let [x, y, z] = ray.axes;
    let load = |axis| block.row::<CORNER>(axis);
    let z = f32x8::load_array_ref(simd, load(z)) - f32x8::splat(simd, ray.origin[2]);
    let x = f32x8::load_array_ref(simd, load(x)) - f32x8::splat(simd, ray.origin[0]);
    let y = f32x8::load_array_ref(simd, load(y)) - f32x8::splat(simd, ray.origin[1]);
    let x = f32x8::splat(simd, ray.shear[0]).mul_add(z, x);
    let y = f32x8::splat(simd, ray.shear[1]).mul_add(z, y);
    (x, y, z)
}
