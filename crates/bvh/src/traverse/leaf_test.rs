//! Up to eight triangles at once: which of them the ray may hit.
//!
//! Badouel's order, plane before inside, is not to be had here: of the plane no more is asked
//! than whether some corner lies before and some behind the limits. Then the corners are
//! sheared along the ray onto a plane across it, and the ray is outside where two of the three
//! edge functions certainly have different signs (as in Woop, Benthin and Wald 2013,
//! "Watertight Ray/Triangle Intersection"). Passing one too many costs an exact test.
//!
//! # Edges
//! Let u = 2^-24. X, Y, Z are a corner less the ray's true origin, and `x`, `y`, `z` what is
//! computed for them: `z` is off by `u |z|` for the subtraction and by `moved` for the origin.
//! A slope of the direction is at most 1 and off by u. So `k z` is off from `slope Z` by
//! `2u |z| + moved`, by another `u |z|` if the product is rounded; `x` by
//! `u |x| + moved <= u |a| + u |z| + moved`; and their sum is rounded, `u |a|`. Together
//! `a` is off from `A = X - slope Z` by `2u |a| + 4u |z| + 2 moved`.
//!
//! Let depth be the greatest |z| of a triangle, S the sum of its six |a|, and
//! `b = 5.1u depth + 2.2 moved`, which with the roundings of its own is more than the last two
//! terms. What underflows there is a few times 2^-150, or as small a part of the depth, and
//! `moved` is 2^-126 at least.
//!
//! An edge function `a b' - a' b` with `P = |a b'| + |a' b|` is then off by
//! `4u P + b S + 2 b^2`, the rest of second order; and by its roundings, fused or not, by
//! `2u P`. The four numbers in P have no greater sum than S, so `P <= S^2 / 4`, and
//! `E = 6.5u S^2 + b S + 2 b^2 + 1e-37` is more than enough: `1.5u S^2` is due, the rest pays
//! for all roundings of E, and 1e-37 for what vanishes below the least `f32`, less than 2^-147.
//!
//! A product overflows only where S^2 does: `S^2 / 4` bounds both. Corners are finite and
//! below 2^118, so S and b are finite and E is infinite, not NaN: nothing is outside or
//! inside. A corner that is not finite makes S infinite or NaN, and is not inside either.
//!
//! # Ends
//! In z the ray goes from `low` to `high`: the least parameter and the limit times the
//! direction's z, in their order, each off by u relatively. The farthest a corner can be is
//! `way` and `moved`, so an end beyond `4 way` may be at `4 way`: `moved` may be larger still,
//! and then decides nothing. A hit lies between the Z of the corners. It is too early if the
//! greatest z is below `low - 4u |low| - 2 moved`: two roundings of that take `2u |low|`, and
//! what is left is u for the end, u for z, which is smaller in size or has the other sign, and
//! `moved`. Likewise for too late, and with the signs turned for a triangle that is certainly
//! between the ends.
//!
//! A triangle on both sides of an end is met at `place / area`, of the sums of `w z` and of
//! `w` over the edge functions w. To divide would be to lose the sign; what is asked is
//! `F = place - end area = sum w (z - end)`. Let `far = depth + |end| + 2 moved`, no less than
//! any `|Z - end|`, and W the sum of the |w|. F is off
//! - by the edges: `3 E far`,
//! - by z and by the end: `u depth W + moved W + u |end| W`,
//! - by the roundings of place, `3u depth W`, of the area, `2u |end| W`, of its product,
//!   `u |end| W`, and of the difference, `u (depth + |end|) W`,
//!
//! so by less than `(3E + 5u W) far + moved W`. And the sign of the area may be wrong, only if
//! the area is less than `3E + 2u W`. A hit has edge functions of one sign, so that its |F| is
//! at most `area far`: then what is computed is less than `(6E + 7u W) far + moved W`.
//! The kernel takes `2 far (3.1E + 4u W) + 4 moved W + 1e-37`, which is more than both with
//! its own roundings. Inside for certain, the sign is right.
//!
//! Every number on the way to F is at most `(depth + |end|) W`, so where one overflows,
//! `2 far W` does; where W or E does, too. The error is then infinite or NaN, as is F, and
//! no comparison with them is true. A least parameter that is infinite makes `low` so, with the
//! same effect.
//!
//! # Spans
//! A triangle that is certainly met has true edge functions W of one sign, and so have the w that
//! are computed, which are off by E at most. Its hit is at `H = sum W Z / sum W`, between the Z of
//! its corners. With A the sum of the w, which has no cancellation,
//! `sum w z - H A = sum (w - W) (Z - H) + sum w (z - Z)`, as the sum of `W (Z - H)` is zero. So
//! `sum w z / A` is off from H by at most
//! - `3E |Z - H| / |A|`, and `|Z - H|` is no more than the spread of the z and what two of them are
//!   off by, `2u depth + 2 moved`; as E is less than each |w|, that is at most
//!   `3E spread / |A| + 2u depth + 2 moved`,
//! - `u depth + moved`, for the z.
//!
//! To that come the roundings: place `3u depth`, the area 2u, its inverse u, the product u, and in
//! the parameter the inverse of the direction's z and a product, 2u: together with those of the
//! sum and the difference that the span's ends are, less than `10u depth`; where the area is above
//! 2^126, its inverse has fewer bits and is off by 4u. So the kernel takes
//! `3.2 E spread / |A| + 20u depth + 4 moved` in z, divided by the direction's, which is no less
//! than 2^-8: `moved` is not lost by that.
//!
//! No sum on the way is larger than `depth |A|`, but for roundings. Within bounds of its own that
//! neither vanishes, where a few times 2^-150 are nothing to it, nor overflows; beyond them nothing
//! is said of the triangle. Its error may overflow, and the span is then infinite or NaN at both
//! ends: no comparison with those that decides.

use super::leaf_ray::LeafRay;
use super::ray::U;
use crate::wide::{Block, WIDTH};
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, SimdMask, f32x8, mask32x8};

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
    let edges = Edges::of(simd, block, ray, limit);
    let mut maybe = edges.maybe;
    let mut certain = 0;
    if maybe == 0 {
        return Passed { maybe, certain };
    }
    let Edges {
        depth,
        error,
        ends: (low, high),
        ..
    } = edges;
    // Some lie on both sides of an end, such as the triangle that a ray has just left.
    let spacious = |x: f32| x.abs() * (4.0 * U) + 2.0 * ray.moved;
    let early = edges
        .nearest
        .simd_lt(f32x8::splat(simd, low + spacious(low)));
    let late = edges
        .farthest
        .simd_gt(f32x8::splat(simd, high - spacious(high)));
    let open = early | late;
    let inside = edges.inside();
    if CERTAIN {
        certain = (inside & !open).to_bitmask() as u32 & maybe;
        if certain != 0 {
            return Passed { maybe, certain };
        }
    }
    if maybe & open.to_bitmask() as u32 != 0 {
        // Where the ray meets the planes, in z: `place / area`.
        let (place, area) = edges.place_and_area(simd);
        let zero = f32x8::splat(simd, 0.0);
        let place = area.simd_lt(zero).select(-place, place);
        let area = area.abs();
        let [u, v, w] = edges.edges;
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

/// Where a ray hits the triangles of a leaf.
pub(super) struct Spans<S: Simd> {
    pub(super) passed: Passed,
    /// For those that are certain: between which parameters.
    pub(super) from: f32x8<S>,
    pub(super) to: f32x8<S>,
}

/// Which triangles of a leaf the ray may hit up to the limit, and where those are hit that
/// certainly are, up to the greatest parameter. Parameters must be the ray's own.
#[inline(always)]
pub(super) fn leaf_spans<S: Simd>(
    simd: S,
    block: Block<'_>,
    ray: &LeafRay,
    limit: f32,
    greatest: f32,
) -> Spans<S> {
    let edges = Edges::of(simd, block, ray, limit);
    let mut passed = Passed {
        maybe: edges.maybe,
        certain: 0,
    };
    let zero = f32x8::splat(simd, 0.0);
    if passed.maybe == 0 {
        let (from, to) = (zero, zero);
        return Spans { passed, from, to };
    }
    let (place, area) = edges.place_and_area(simd);
    let inverse = f32x8::splat(simd, 1.0) / area;
    let spread = (edges.farthest - edges.nearest) * f32x8::splat(simd, 3.2);
    let size = inverse.abs();
    let error = (edges.error * spread).mul_add(
        size,
        edges.depth.mul_add(
            f32x8::splat(simd, 20.0 * U),
            f32x8::splat(simd, 4.0 * ray.moved),
        ),
    ) * f32x8::splat(simd, ray.inverse_z.abs());
    let middle = place * inverse * f32x8::splat(simd, ray.inverse_z);
    let (from, to) = (middle - error, middle + error);
    let known = edges.inside().to_bitmask() as u32;
    // No sum in `place` is larger than this, but for roundings: it neither vanishes nor
    // overflows.
    let largest = edges.depth * area.abs();
    let normal =
        largest.simd_gt(f32x8::splat(simd, 1e-30)) & largest.simd_lt(f32x8::splat(simd, 1e38));
    let known = known & normal.to_bitmask() as u32;
    let missed =
        to.simd_lt(f32x8::splat(simd, ray.least)) | from.simd_gt(f32x8::splat(simd, limit));
    passed.maybe &= !(missed.to_bitmask() as u32 & known);
    let between =
        from.simd_ge(f32x8::splat(simd, ray.least)) & to.simd_le(f32x8::splat(simd, greatest));
    passed.certain = between.to_bitmask() as u32 & known & passed.maybe;
    Spans { passed, from, to }
}

/// One instruction, other than [`f32::min`], which has to pass over a NaN.
#[inline(always)]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// What both tests begin with.
struct Edges<S: Simd> {
    /// The edge functions and what each may be off by.
    edges: [f32x8<S>; 3],
    error: f32x8<S>,
    least: f32x8<S>,
    greatest: f32x8<S>,
    /// The z of the corners, the least and the greatest of them, and their size.
    corners: [f32x8<S>; 3],
    nearest: f32x8<S>,
    farthest: f32x8<S>,
    depth: f32x8<S>,
    /// Where the ray begins and ends in z, the lower first.
    ends: (f32, f32),
    /// The places of triangles that it may hit.
    maybe: u32,
}

impl<S: Simd> Edges<S> {
    #[inline(always)]
    fn of(simd: S, block: Block<'_>, ray: &LeafRay, limit: f32) -> Self {
        let (ax, ay, az) = sheared::<S, 0>(simd, block, ray);
        let (bx, by, bz) = sheared::<S, 1>(simd, block, ray);
        let (cx, cy, cz) = sheared::<S, 2>(simd, block, ray);
        let (nearest, farthest) = (az.min(bz).min(cz), az.max(bz).max(cz));
        let to = limit * ray.dir_z;
        let to = if to.abs() < ray.farthest {
            to
        } else {
            ray.farthest.copysign(to)
        };
        // The limit is not before the least parameter, so that their order tells the direction;
        // and no branch, which rays in turn would take at random.
        let (low, high) = (smaller(ray.from, to), larger(ray.from, to));
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
        Edges {
            edges: [u, v, w],
            error,
            least,
            greatest,
            corners: [az, bz, cz],
            nearest,
            farthest,
            depth,
            ends: (low, high),
            maybe: !missed.to_bitmask() as u32 & there,
        }
    }

    /// Triangles that the line certainly meets.
    #[inline(always)]
    fn inside(&self) -> mask32x8<S> {
        self.least.simd_gt(self.error) | self.greatest.simd_lt(-self.error)
    }

    /// Their quotient is where the line meets the plane, in z.
    #[inline(always)]
    fn place_and_area(&self, _: S) -> (f32x8<S>, f32x8<S>) {
        let ([u, v, w], [az, bz, cz]) = (self.edges, self.corners);
        (u.mul_add(az, v.mul_add(bz, w * cz)), u + v + w)
    }
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
    let [x, y, z] = ray.axes();
    let z = f32x8::load_array_ref(simd, block.row::<CORNER>(z)) - f32x8::splat(simd, ray.origin[2]);
    let x = f32x8::load_array_ref(simd, block.row::<CORNER>(x)) - f32x8::splat(simd, ray.origin[0]);
    let y = f32x8::load_array_ref(simd, block.row::<CORNER>(y)) - f32x8::splat(simd, ray.origin[1]);
    let x = f32x8::splat(simd, ray.shear[0]).mul_add(z, x);
    let y = f32x8::splat(simd, ray.shear[1]).mul_add(z, y);
    (x, y, z)
}
