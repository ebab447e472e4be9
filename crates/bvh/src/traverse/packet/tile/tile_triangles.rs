//! The triangles of a leaf, prepared for a tile: up to eight at once, so that the test of a ray
//! against one of them takes two products for each edge and two for its place.
//!
//! # Edges
//! A corner is taken to `(x', y', Z)`: less the origin, less `middle Z` aside (`tile_rays.rs`). Of
//! two corners P and Q the edge function of a ray with slope s is, as in `prepared_triangles.rs`,
//!
//! ```text
//! (Px' Qy' - Py' Qx') + sx (Py' QZ - PZ Qy') + sy (PZ Qx' - Px' QZ) = (P x Q) . (sx, sy, 1)
//! ```
//!
//! The coefficients depend on the triangle and the origin alone. They are computed in `f64` and
//! rounded once, so that the error is relative to the edge function's own terms, not to the products
//! of coordinates that cancel in them.
//!
//! # Places
//! With `D = a . (b x c)` and `N = a x b + b x c + c x a`, the ray's point on the plane of the
//! triangle has `1 / Z = N . (sx, sy, 1) / D`, where the numerator is the sum of the three edge
//! functions. It is linear in the slopes: no division is left for rays. Where D is certainly
//! positive, a ray hits the triangle in front of its origin if and only if no edge function is
//! negative and their sum is positive; where D is certainly negative, the same holds with opposite
//! signs, and coefficients are negated. Where the sign of D is open, as with triangles in whose
//! plane the origin lies, edge functions of both signs exclude a hit, and all else is left to exact
//! arithmetic: such triangles are called flat.
//!
//! # Errors of `f64`
//! Let v = 2^-53, and way the sum of the tree's reach and the origin's largest coordinate. Slopes of
//! the middle are at most 1.5. `x - ox` and Z are off by `v way`, the product by `1.5 v way` for Z
//! and as much for its own rounding, and the sum by `2.5 v way`: corners are off by
//! `d = 6.5 v way` in each coordinate. `slack` is `2^-48 way = 32 v way`, so d is less than
//! `0.21 slack`. Let L be the sum of the six |x'| and |y'|, depth the greatest |Z|, and S the sum of
//! L and `3 depth` times the sum of the widest slopes, which are at most 0.5. L is at most
//! `15 way`, and S at most `18 way`.
//!
//! - **Edge functions.** Seen from a ray, coordinates are off by `1.5 d`, so the function is off by
//!   `1.5 d S + 2 (1.5 d)^2`, less than `0.32 slack S + 0.2 slack^2`; and by three roundings of
//!   terms with a sum of at most `S^2 / 4`, which is `0.75 v S^2 <= 13.5 v way S`, less than
//!   `0.43 slack S`. In total by less than `B = slack (S + slack)`. N is off by less than `3 B`,
//!   with the roundings of two sums.
//! - **D.** The cofactors of all x' and y' have a sum of at most `2 depth L`, and those of Z of at
//!   most `L^2 / 3`, so D is off by `d (2 depth L + L^2 / 3)`, which is less than
//!   `0.42 slack L (L + depth)`; by `2 d^2 (L + 3 depth) + 6 d^3` for products of errors, less than
//!   `0.3 slack^2 (L + depth) + 0.1 slack^3`; and by five roundings of terms with a sum of at most
//!   `2 depth L^2 / 3`, less than `slack L^2 / 8`. `slack (L + slack) (L + depth + slack)` is
//!   more than all of these and the roundings of itself.
//!
//! # Errors of `f32`
//! Let T be the largest absolute value of an edge function's terms added up: of its middle, and of
//! its coefficients times the widest slopes. A term is off by u = 2^-24 for its coefficient, by `2u`
//! for the slope, and by `3u` for a product and two sums that are not fused: `6u T`. The rest of
//! `8u T` covers the roundings of T and of the comparison. So `E = 8u T + B + 1e-37` suffices, for
//! the largest T of the three edges; 1e-37 covers what underflows.
//!
//! The same holds for `1 / Z` with the terms of `N / D`: `8u T`. With n and d for the computed
//! values, `N / D - n / d` is `(N - n) / D - (n / d) (D - d) / D`, and D is at least 1023/1024 of d:
//! together `T (8u + 1.01 e / |d|) + 3.1 B / |d| + 1e-37`, with e for the bound of D.
//!
//! Tiles are traced only in trees with a reach from 2^-20 to 2^30, from origins below 2^26. Nothing
//! overflows: S is below 2^36, and D below 2^102. D of a triangle that is not flat exceeds 1024
//! times its bound, which has another 2^-126; so `|N / D| <= 3 L (L + depth) / |D|` is less than
//! `3 / (1024 slack)`, or 2^60 where the bound underflows.
//!
//! # Hulls
//! For a group with middle m and radius r, of which `|m| + r` is at most the widest slope, the
//! greatest value of an edge function is bounded by a sum of five terms, whose absolute values have
//! a sum of at most `T (1 + 4u)`: four more roundings than above. So `2 E` suffices there.

use super::super::beam::Frame;
use super::tile_rays::TileBeam;
use crate::traverse::kernel_ray::U;
use crate::wide::{Axis, Block, WIDTH};
use bytemuck::Zeroable;
use fearless_simd::{
    Simd, SimdBase, SimdCombine, SimdFloat, SimdMask, SimdNarrow, SimdSplit, SimdWiden, f32x8,
    f64x8,
};

type Row = [f32; WIDTH];

/// A function that is linear in the slopes, of each triangle.
#[derive(Clone, Copy, Zeroable)]
pub struct Linear {
    /// Its value for the middle ray.
    pub middle: Row,
    /// The coefficients of slopes.
    pub slope: [Row; 2],
}

/// Up to eight triangles.
#[derive(Zeroable)]
#[repr(C, align(64))]
pub struct TileTriangles {
    /// The edge functions opposite the first corner, the second, the third; not negative inside.
    pub edges: [Linear; 3],
    /// `1 / Z`.
    pub place: Linear,
    /// The bounds of the errors of edge functions and of `1 / Z`.
    pub edge_error: Row,
    pub place_error: Row,
}

/// The triangles of a leaf that some ray may hit, as bits.
pub struct Passed {
    /// Those in front of the origin or behind it.
    pub upright: u32,
    /// Those that are flat.
    pub flat: u32,
}

impl TileTriangles {
    /// Prepares a leaf's triangles. Returns those that some ray may hit with a `1 / Z` of at least
    /// `least`.
    #[inline(always)]
    pub fn prepare<S: Simd>(
        &mut self,
        simd: S,
        block: Block<'_>,
        beam: &TileBeam,
        least: f32,
    ) -> Passed {
        let a = corner::<S, 0>(simd, block, beam.axes, &beam.frame, beam.slope);
        let b = corner::<S, 1>(simd, block, beam.axes, &beam.frame, beam.slope);
        let c = corner::<S, 2>(simd, block, beam.axes, &beam.frame, beam.slope);
        let edges = [cross(b, c), cross(c, a), cross(a, b)];
        let [u, v, w] = edges;
        let volume = a[2].mul_add(u[2], a[1].mul_add(u[1], a[0] * u[0]));
        let inverse = f64x8::splat(simd, 1.0) / volume;
        let nx = (u[0] + v[0] + w[0]) * inverse;
        let ny = (u[1] + v[1] + w[1]) * inverse;
        let nz = (u[2] + v[2] + w[2]) * inverse;
        let sides =
            (a[0].abs() + a[1].abs()) + (b[0].abs() + b[1].abs()) + (c[0].abs() + c[1].abs());
        let depth = a[2].abs().max(b[2].abs()).max(c[2].abs());

        let (sides, depth) = sides.narrow(depth).split();
        let (volume, inverse) = volume.narrow(inverse).split();
        let one = f32x8::splat(simd, 1.0);
        let sign = one.copysign(volume);
        let wide_x = f32x8::splat(simd, beam.widest[0]);
        let wide_y = f32x8::splat(simd, beam.widest[1]);
        let slack = f32x8::splat(simd, beam.slack);
        let relative = f32x8::splat(simd, 8.0 * U);
        let tiny = f32x8::splat(simd, 1e-37);

        let zero = f32x8::splat(simd, 0.0);
        let (mut size, mut lowest) = (zero, f32x8::splat(simd, f32::INFINITY));
        for (edge, coefficients) in edges.iter().enumerate() {
            let [x, y, z] = coefficients;
            let (x, y) = x.narrow(*y).split();
            let (x, y, z) = (x * sign, y * sign, z.narrow(*z).split().0 * sign);
            let edge = &mut self.edges[edge];
            z.store_array(&mut edge.middle);
            x.store_array(&mut edge.slope[0]);
            y.store_array(&mut edge.slope[1]);
            let radius = x.abs().mul_add(wide_x, y.abs() * wide_y);
            size = size.max(z.abs() + radius);
            lowest = lowest.min(z + radius);
        }
        let reach = (depth * f32x8::splat(simd, 3.0)).mul_add(wide_x + wide_y, sides);
        let off = slack * (reach + slack);
        let error = size.mul_add(relative, off + tiny);

        let volume_error = (slack * (sides + slack))
            .mul_add(sides + depth + slack, f32x8::splat(simd, f32::MIN_POSITIVE));
        let upright = volume
            .abs()
            .simd_gt(volume_error * f32x8::splat(simd, 1024.0));
        let inverse = inverse.abs();
        let (x, y) = nx.narrow(ny).split();
        let z = nz.narrow(nz).split().0;
        let radius = x.abs().mul_add(wide_x, y.abs() * wide_y);
        let relative = (volume_error * inverse).mul_add(f32x8::splat(simd, 1.02), relative);
        let off = (off * inverse).mul_add(f32x8::splat(simd, 3.1), tiny);
        let place_error = (z.abs() + radius).mul_add(relative, off);

        let missed = (lowest + error).simd_lt(zero)
            | (z + radius + place_error).simd_lt(f32x8::splat(simd, least));
        let there = ((1 << block.len()) - 1) & ((1 << WIDTH) - 1);
        let upright = upright.to_bitmask() as u32;
        let passed = Passed {
            upright: upright & !missed.to_bitmask() as u32 & there,
            flat: !upright & there,
        };
        if passed.upright | passed.flat != 0 {
            z.store_array(&mut self.place.middle);
            x.store_array(&mut self.place.slope[0]);
            y.store_array(&mut self.place.slope[1]);
            error.store_array(&mut self.edge_error);
            place_error.store_array(&mut self.place_error);
        }
        passed
    }
}

/// Returns a corner of each triangle, less the beam's origin and the middle's offset at its depth.
#[inline(always)]
pub(in super::super) fn corner<S: Simd, const CORNER: usize>(
    simd: S,
    block: Block<'_>,
    [x, y, z]: [Axis; 3],
    frame: &Frame,
    slope: [f32; 2],
) -> [f64x8<S>; 3] {
    let (x, y) = (
        row::<S, CORNER>(simd, block, x),
        row::<S, CORNER>(simd, block, y),
    );
    let z = row::<S, CORNER>(simd, block, z);
    let [origin_x, origin_y, origin_z] = frame.origin;
    let z = (z - wide(simd, origin_z)) * wide(simd, frame.forward);
    let x = wide(simd, -slope[0]).mul_add(z, x - wide(simd, origin_x));
    let y = wide(simd, -slope[1]).mul_add(z, y - wide(simd, origin_y));
    [x, y, z]
}

#[inline(always)]
fn row<S: Simd, const CORNER: usize>(simd: S, block: Block<'_>, axis: Axis) -> f64x8<S> {
    let row = f32x8::load_array_ref(simd, block.row::<CORNER>(axis));
    row.combine(row).widen().0
}

#[inline(always)]
pub(in super::super) fn cross<S: Simd>(p: [f64x8<S>; 3], q: [f64x8<S>; 3]) -> [f64x8<S>; 3] {
    [
        p[1].mul_sub(q[2], p[2] * q[1]),
        p[2].mul_sub(q[0], p[0] * q[2]),
        p[0].mul_sub(q[1], p[1] * q[0]),
    ]
}

#[inline(always)]
fn wide<S: Simd>(simd: S, x: f32) -> f64x8<S> {
    f64x8::splat(simd, f64::from(x))
}
