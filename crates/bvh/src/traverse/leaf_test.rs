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

use super::ray::{KernelRay, U};
use crate::wide::{Axis, Block, WIDTH};
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, SimdMask, f32x8};

/// A ray as leaves see it: what boxes have no use for.
pub(super) struct LeafRay {
    /// The axes in an order that has the longest of the direction last; the others in it.
    axes: [Axis; 3],
    origin: [f32; 3],
    /// The direction's slopes along the last axis, negated.
    shear: [f32; 2],
    dir_z: f32,
    /// Where the least parameter is, in z, and the farthest that a corner can be.
    from: f32,
    farthest: f32,
    moved: f32,
}

impl LeafRay {
    #[inline(always)]
    pub(super) fn of(ray: &KernelRay) -> Self {
        let [x, y, z] = ray.dir.map(f32::abs);
        // No branches: rays that have nothing to do with each other would take each at random.
        let last = usize::from((if y > z { y } else { z }) >= x) * (1 + usize::from(z >= y));
        const AXES: &[[Axis; 3]; 3] = &[
            [Axis::Y, Axis::Z, Axis::X],
            [Axis::Z, Axis::X, Axis::Y],
            [Axis::X, Axis::Y, Axis::Z],
        ];
        let axes = AXES[last];
        let [dir_x, dir_y, dir_z] = axes.map(|axis| ray.dir[axis.index()]);
        LeafRay {
            axes,
            origin: axes.map(|axis| ray.origin[axis.index()]),
            shear: [-dir_x / dir_z, -dir_y / dir_z],
            dir_z,
            from: ray.least * dir_z,
            farthest: 4.0 * ray.way,
            moved: ray.moved,
        }
    }
}

/// The places in a leaf whose triangles a ray hits, as bits.
pub(super) struct Passed {
    /// Those that it may hit up to the limit.
    pub(super) maybe: u32,
    /// Of these, those that it certainly hits up to the limit, if that was asked.
    pub(super) certain: u32,
}

/// Which triangles of a leaf the ray may hit up to the limit, and if `CERTAIN`, which it hits
/// for sure; then the limit must be the ray's own.
#[inline(always)]
pub(super) fn leaf_test<S: Simd, const CERTAIN: bool>(
    simd: S,
    block: Block<'_>,
    ray: &LeafRay,
    limit: f32,
) -> Passed {
    let (ax, ay, az) = sheared::<S, 0>(simd, block, ray);
    let (bx, by, bz) = sheared::<S, 1>(simd, block, ray);
    let (cx, cy, cz) = sheared::<S, 2>(simd, block, ray);
    let (nearest, farthest) = (az.min(bz).min(cz), az.max(bz).max(cz));
    let to = limit * ray.dir_z;
    let to = if to.abs() < ray.farthest { to } else { ray.farthest.copysign(to) };
    let (low, high) = if ray.dir_z > 0.0 { (ray.from, to) } else { (to, ray.from) };
    let before = low - low.abs() * (4.0 * U) - 2.0 * ray.moved;
    let behind = high + high.abs() * (4.0 * U) + 2.0 * ray.moved;
    let before = farthest.simd_lt(f32x8::splat(simd, before));
    let behind = nearest.simd_gt(f32x8::splat(simd, behind));

    let u = cx.mul_sub(by, cy * bx);
    let v = ax.mul_sub(cy, ay * cx);
    let w = bx.mul_sub(ay, by * ax);
    let sum = (ax.abs() + ay.abs()) + (bx.abs() + by.abs()) + (cx.abs() + cy.abs());
    let depth = nearest.abs().max(farthest.abs());
    // What needs the sum comes last: it is there last.
    let b = depth.mul_add(
        f32x8::splat(simd, 5.1 * U),
        f32x8::splat(simd, 2.2 * ray.moved),
    );
    let constant = (b + b).mul_add(b, f32x8::splat(simd, 1e-37));
    let linear = sum.mul_add(b, constant);
    let error = (sum * sum).mul_add(f32x8::splat(simd, 6.5 * U), linear);
    let (least, greatest) = (u.min(v).min(w), u.max(v).max(w));
    let positive = greatest.simd_gt(error);
    let negative = least.simd_lt(-error);
    let missed = (positive & negative) | before | behind;
    let there = ((1 << block.len()) - 1) & ((1 << WIDTH) - 1);
    let mut maybe = !missed.to_bitmask() as u32 & there;
    let mut certain = 0;
    if maybe == 0 {
        return Passed { maybe, certain };
    }
    // Some lie on both sides of an end, such as the triangle that a ray has just left.
    let spacious = |x: f32| x.abs() * (4.0 * U) + 2.0 * ray.moved;
    let early = nearest.simd_lt(f32x8::splat(simd, low + spacious(low)));
    let late = farthest.simd_gt(f32x8::splat(simd, high - spacious(high)));
    let open = early | late;
    let inside = least.simd_gt(error) | greatest.simd_lt(-error);
    if CERTAIN {
        certain = (inside & !open).to_bitmask() as u32 & maybe;
        if certain != 0 {
            return Passed { maybe, certain };
        }
    }
    if maybe & open.to_bitmask() as u32 != 0 {
        // Where the ray meets the planes, in z: `place / area`.
        let area = u + v + w;
        let place = u.mul_add(az, v.mul_add(bz, w * cz));
        let zero = f32x8::splat(simd, 0.0);
        let place = area.simd_lt(zero).select(-place, place);
        let area = area.abs();
        let weights = u.abs() + v.abs() + w.abs();
        let edges = error * f32x8::splat(simd, 3.1);
        let moved = weights.mul_add(
            f32x8::splat(simd, 4.0 * ray.moved),
            f32x8::splat(simd, 1e-37),
        );
        // Twice as far as need be: where a sum could overflow, so does `far * weights`, and
        // nothing is decided.
        let far = |end: f32| {
            let far = depth + f32x8::splat(simd, end.abs() + 2.0 * ray.moved);
            far + far
        };
        let sums = |far: f32x8<S>| (far * weights).mul_add(f32x8::splat(simd, 4.0 * U), moved);
        let after = place - f32x8::splat(simd, low) * area;
        let after_error = far(low).mul_add(edges, sums(far(low)));
        let over = place - f32x8::splat(simd, high) * area;
        let over_error = far(high).mul_add(edges, sums(far(high)));
        let missed = after.simd_lt(-after_error) | over.simd_gt(over_error);
        maybe &= !missed.to_bitmask() as u32;
        if CERTAIN {
            let in_time = after.simd_gt(after_error) & over.simd_lt(-over_error);
            certain = (inside & in_time).to_bitmask() as u32 & maybe;
        }
    }
    Passed { maybe, certain }
}

/// A corner of each triangle, less the origin, and sheared onto a plane across the ray.
///
/// A function and no closure: only functions can be made part of their caller for sure, and
/// apart from it the instructions would be calls.
#[inline(always)]
fn sheared<S: Simd, const CORNER: usize>(
    simd: S,
    block: Block<'_>,
    ray: &LeafRay,
) -> (f32x8<S>, f32x8<S>, f32x8<S>) {
    let [x, y, z] = ray.axes;
    let z = f32x8::load_array_ref(simd, block.row::<CORNER>(z)) - f32x8::splat(simd, ray.origin[2]);
    let x = f32x8::load_array_ref(simd, block.row::<CORNER>(x)) - f32x8::splat(simd, ray.origin[0]);
    let y = f32x8::load_array_ref(simd, block.row::<CORNER>(y)) - f32x8::splat(simd, ray.origin[1]);
    let x = f32x8::splat(simd, ray.shear[0]).mul_add(z, x);
    let y = f32x8::splat(simd, ray.shear[1]).mul_add(z, y);
    (x, y, z)
}
