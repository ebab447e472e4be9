//! The triangles of a leaf, prepared for a tile: up to eight at once, so that the test of a ray
//! against one of them takes five products for each edge, or two if rays start at one point.
//!
//! # Edges
//! A corner is taken to `(x', y', Z)`: less the frame's origin, less `middle Z` aside
//! (`tile_rays.rs`). Seen from a ray it lies at `x' - ox - sx Z`, with the ray's offset o and slope
//! s. Of two corners P and Q the edge function, as in `leaf_test.rs`, is
//!
//! ```text
//! (Px' - ox - sx PZ) (Qy' - oy - sy QZ) - (Py' - oy - sy PZ) (Qx' - ox - sx QZ)
//!   = (Px' Qy' - Py' Qx') + sx (Py' QZ - PZ Qy') + sy (PZ Qx' - Px' QZ)
//!     + ox (Py' - Qy') + oy (Qx' - Px') + m (QZ - PZ),      m = ox sy - oy sx
//! ```
//!
//! since the products of two slopes or of two offsets cancel. So it is linear in five numbers of
//! the ray, of which rays from one point have two; without offsets it is `(P x Q) . (sx, sy, 1)`.
//! The coefficients depend on the triangle and the frame alone. They are computed in `f64` and
//! rounded once, so that the error is relative to the edge function's own terms, not to the products
//! of coordinates that cancel in them.
//!
//! # Sides of a triangle that rays from one point see
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
//! Let v = 2^-53 and way as in `tile_rays.rs`. Slopes of the middle are at most 1.5. `x - ox` and Z
//! are off by `v way`, the product by `1.5 v way` for Z and as much for its own rounding, and the sum
//! by `2.5 v way`: corners are off by `d = 6.5 v way` in each coordinate. Let depth be the greatest
//! |Z|, L the sum of the six |x'| and |y'|, and S the sum of L and of three times `|o| + |s| depth`
//! of both axes, by the greatest numbers; slopes of rays are at most 0.5 beside the middle's.
//!
//! Besides, offsets are off by `20 v way` and slopes by `5 v`, which is `5 v way` at a corner. So a
//! corner seen from a ray is off by `e = 1.5 d + 25 v way`, less than `35 v way`. `slack` is
//! `2^-47 way = 64 v way`, so e is less than `0.55 slack`. An |x'| is at most `2.5 way`, an |o| at
//! most `0.1 way`, so S is at most `19 way`.
//! - By e the edge function is off by `e S + 2 e^2`, less than `0.55 slack S + 0.61 slack^2`.
//! - Coefficients have three roundings of terms with a sum of at most `S^2 / 4`, which is
//!   `0.75 v S^2`, less than `0.23 slack S`.
//! - What underflows in `f32` is at most `2^-150` of slopes times `13 way^2`, or of offsets and of
//!   coefficients times `5 way`, where way is at least 2^-20: far less than `0.1 slack^2`; and of
//!   products and sums, for which there is 1e-37.
//!
//! In total that is less than `B = slack (S + slack)`, and so it is for rays from one point, where
//! `slack` is `2^-48 way = 32 v way`, d is less than `0.21 slack` and S at most `18 way`:
//! - **Edge functions.** Slopes have only errors relative to themselves. Seen from a ray, coordinates
//!   are off by `1.5 d`, so the function is off by `1.5 d S + 2 (1.5 d)^2`, less than
//!   `0.32 slack S + 0.2 slack^2`; and by three roundings of terms with a sum of at most `S^2 / 4`,
//!   which is `0.75 v S^2 <= 13.5 v way S`, less than `0.43 slack S`. N is off by less than `3 B`,
//!   with the roundings of two sums.
//! - **D.** The cofactors of all x' and y' have a sum of at most `2 depth L`, and those of Z of at
//!   most `L^2 / 3`, so D is off by `d (2 depth L + L^2 / 3)`, which is less than
//!   `0.42 slack L (L + depth)`; by `2 d^2 (L + 3 depth) + 6 d^3` for products of errors, less than
//!   `0.3 slack^2 (L + depth) + 0.1 slack^3`; and by five roundings of terms with a sum of at most
//!   `2 depth L^2 / 3`, less than `slack L^2 / 8`. `slack (L + slack) (L + depth + slack)` is
//!   more than all of these and the roundings of itself.
//!
//! With rays and corners in `f64` (`tile_rays.rs`), slack is twice as large. Then `x - ox` and Z are
//! off by `2v way`, or `3v way` where rays start at one point and that is rounded: d is `9 v way` or
//! `11.5 v way`, and e less than `42 v way` of the slack's `128 v way`, or, with `5v` for slopes,
//! `23 v way` of `64 v way`. All parts of the slack are smaller than those above but one: edge functions
//! of rays from one point are off by `0.36 slack S + 0.26 slack^2` instead of
//! `0.32 slack S + 0.2 slack^2`; with `0.22 slack S` for the roundings that is less than B, too. Z is off
//! by a bound of its own besides.
//!
//! # Errors of `f32`
//! Let u = 2^-24, and T be the largest absolute value of an edge function's terms added up: of its
//! middle, and of its coefficients times the greatest numbers. A term is off by u for its
//! coefficient, by `5u` for the moment, which is the worst number, and by `6u` for a product and five
//! sums that are not fused: `12u T`. So the bound `E = 13u T + B + 1e-37` suffices, for the largest T
//! of the three edges, with a spare `u T` for its own roundings and those of the comparison; 1e-37
//! covers what underflows. Nothing overflows: way is below 2^31, so T is below 2^70. Of rays from one
//! point a term is off by u for its coefficient, by `2u` for the slope, and by `3u` for a product and
//! two sums: `6u T`, and `E = 8u T + B + 1e-37`.
//!
//! For these, the same holds for `1 / Z` with the terms of `N / D`: `8u T`. With n and d for the
//! computed values, `N / D - n / d` is `(N - n) / D - (n / d) (D - d) / D`, and D is at least
//! 1023/1024 of d: together `T (8u + 1.01 e / |d|) + 3.1 B / |d| + 1e-37`, with e for the bound of D.
//! Tiles are traced only in trees with a reach from 2^-20 to 2^30, from origins below 2^26: S is below
//! 2^36, and D below 2^102. D of a triangle that is not flat exceeds 1024 times its bound, which has
//! another 2^-126; so `|N / D| <= 3 L (L + depth) / |D|` is less than `3 / (1024 slack)`, or 2^60
//! where the bound underflows.
//!
//! # Places
//! Where edge functions are beyond E and have one sign, a triangle is certainly hit, at
//! `Z = z + (sum w (Z - z)) / (sum w)`, for any z. Let z be the middle of the three Z, as an
//! `f32`, and h half of their extent. Then `|Z - z| <= h` except for roundings, and the
//! quotient is at most h. By the edge functions, its numerator is off by `3 E h`, and its
//! denominator, of size A, by `3 E`; so the quotient by `6 E h / A`. It is computed as a sum of
//! corners with weights `w / A` that are not negative and have a sum of 1: `2u` for A, `u` for its
//! inverse, or `4u` where that is not normal, `2u` for products and `2u` for sums, all of h. The Z
//! are off by u depth, and so is their mean. Two more sums, with z and with the error, are off by
//! u of their results, which are at most depth and the error. So `9 h E / A + 24u h + 4u depth`
//! covers all errors, its own roundings included.
//!
//! No product with h comes before the division by A: edge functions large enough to overflow then,
//! or an E small enough to vanish, would not be noticed. A itself is less than `S^2`.
//!
//! A hit that is not certain is between the least and the greatest Z, each with `4u depth`.
//!
//! The Z of placed triangles (`tile_placement.rs`), and of those in `f64`, are off by a bound of their own
//! besides, and so is the sum with
//! weights; for rays from one point, their slack contains it.
//!
//! # Hulls
//! The least and the greatest value of an edge function over all rays are bounded by sums of the
//! least and of the greatest of its terms. They are off like the function itself, so that the same E
//! suffices to skip a triangle for the whole tile. For a group of rays from one point with middle m
//! and radius r, of which `|m| + r` is at most the widest slope, the greatest value is bounded by a
//! sum of five terms, whose absolute values have a sum of at most `T (1 + 4u)`: four more roundings
//! than above. So `2 E` suffices there.

use super::ray_rows::wide;
use super::tile_beam::TileBeam;
use super::tile_mesh::TileMesh;
use super::tile_rays::NUMBERS;
use super::triangle_table::Leaf;
use crate::traverse::kernel_ray::U;
use crate::wide::WIDTH;
use bytemuck::Zeroable;
use estoc_core::InlineMap;
use fearless_simd::{Simd, SimdBase, SimdFloat, SimdMask, SimdNarrow, SimdSplit, f32x8, f64x8};

/// A number of each triangle.
pub type TriangleRow = [f32; WIDTH];
pub type CornerLanes<S> = [f64x8<S>; 3];

/// A function that is linear in a ray's numbers, of each triangle.
#[derive(Clone, Copy, Zeroable)]
pub struct Linear {
    /// Its value for the middle ray.
    pub middle: TriangleRow,
    /// The coefficients of numbers, of which only slopes are set for rays from one point.
    pub factor: [TriangleRow; NUMBERS],
}

/// Up to eight triangles.
#[derive(Zeroable)]
#[repr(C, align(64))]
pub struct TileTriangles {
    /// The edge functions opposite the first corner, the second, the third; for rays from one point
    /// not negative inside.
    pub edges: [Linear; 3],
    /// The bound of the errors of edge functions.
    pub error: TriangleRow,
    /// For rays from one point, `-1 / Z`, and the bound of its errors.
    pub place: Linear,
    pub place_error: TriangleRow,
    /// For others, the positions of the corners along the axis: a middle, and the differences from
    /// it; the bound of the error of a position along the axis: the factor of the error by the area,
    /// and the rest; and bounds of all positions.
    pub middle: TriangleRow,
    pub corners: [TriangleRow; 3],
    pub spread: TriangleRow,
    pub besides: TriangleRow,
    pub nearest: TriangleRow,
    pub farthest: TriangleRow,
}

/// The triangles of a leaf that some ray may hit, as bits.
#[derive(Clone, Copy)]
pub struct Passed {
    /// Those in front of the origin or behind it; all if rays start at several points.
    pub upright: u32,
    /// Those that are flat.
    pub flat: u32,
}

impl TileTriangles {
    /// Prepares a leaf's triangles. Returns those that some ray may hit up to an end.
    #[inline(always)]
    pub fn prepare<S: Simd, M: TileMesh, const SHARED: bool>(
        &mut self,
        simd: S,
        (mesh, leaf): (&M, Leaf),
        beam: &TileBeam,
        end: f32,
    ) -> Passed {
        let [a, b, c] = mesh.corners(simd, leaf, beam.axes).inline_map(
            #[inline(always)]
            |corner: CornerLanes<S>| in_frame(simd, beam, corner),
        );
        let (slack, corner_off) = match mesh.placement() {
            None => (beam.slack, beam.off),
            Some(placement) => (
                (beam.slack + placement.slack) * (1.0 + 2.0 * U),
                placement.off,
            ),
        };
        let edges = [cross(b, c), cross(c, a), cross(a, b)];
        let sides =
            (a[0].abs() + a[1].abs()) + (b[0].abs() + b[1].abs()) + (c[0].abs() + c[1].abs());
        let depth = a[2].abs().max(b[2].abs()).max(c[2].abs());
        let (sides, depth) = sides.narrow(depth).split();
        let [sx, sy, ox, oy, _] = beam.widest;
        let mut reach = depth * eight(simd, sx + sy);
        if !SHARED {
            reach += eight(simd, ox + oy);
        }
        let slack = eight(simd, slack);
        let off = slack * (reach.mul_add(eight(simd, 3.0), sides) + slack);
        let there = ((1 << leaf.1) - 1) & ((1 << WIDTH) - 1);
        if SHARED {
            return self.prepare_upright(
                simd,
                beam,
                [a, b, c],
                edges,
                (sides, depth, slack, off),
                end,
                there,
            );
        }
        let (az, bz) = a[2].narrow(b[2]).split();
        let cz = c[2].narrow(c[2]).split().0;
        let (nearest, farthest) = (az.min(bz).min(cz), az.max(bz).max(cz));
        let mut hull = LinearHull::new(simd, beam);
        hull.take(&mut self.edges[0], edges[0], Some((b, c)));
        hull.take(&mut self.edges[1], edges[1], Some((c, a)));
        hull.take(&mut self.edges[2], edges[2], Some((a, b)));
        let error = hull
            .size
            .mul_add(eight(simd, 13.0 * U), off + eight(simd, 1e-37));
        let unsure = depth.mul_add(eight(simd, 4.0 * U), eight(simd, corner_off));
        let (first, last) = (nearest - unsure, farthest + unsure);
        let missed = (hull.highest_low.simd_gt(error) & hull.lowest_high.simd_lt(-error))
            | first.simd_gt(eight(simd, end))
            | last.simd_lt(eight(simd, 0.0));
        let upright = !missed.to_bitmask() as u32 & there;
        if upright != 0 {
            let half = (farthest - nearest) * eight(simd, 0.5);
            let middle = nearest + half;
            error.store_array(&mut self.error);
            middle.store_array(&mut self.middle);
            (az - middle).store_array(&mut self.corners[0]);
            (bz - middle).store_array(&mut self.corners[1]);
            (cz - middle).store_array(&mut self.corners[2]);
            (half * eight(simd, 9.0)).store_array(&mut self.spread);
            half.mul_add(eight(simd, 24.0 * U), unsure)
                .store_array(&mut self.besides);
            first.store_array(&mut self.nearest);
            last.store_array(&mut self.farthest);
        }
        Passed { upright, flat: 0 }
    }

    /// Does the same for rays from one point, given corners, the coefficients of edges, sums that the
    /// errors depend on, and the triangles that are there.
    #[inline(always)]
    #[expect(
        clippy::too_many_arguments,
        reason = "a part of the function above, compiled with it"
    )]
    fn prepare_upright<S: Simd>(
        &mut self,
        simd: S,
        beam: &TileBeam,
        [a, _, _]: [CornerLanes<S>; 3],
        [u, v, w]: [CornerLanes<S>; 3],
        (sides, depth, slack, off): (f32x8<S>, f32x8<S>, f32x8<S>, f32x8<S>),
        end: f32,
        there: u32,
    ) -> Passed {
        let volume = a[2].mul_add(u[2], a[1].mul_add(u[1], a[0] * u[0]));
        let inverse = f64x8::splat(simd, -1.0) / volume;
        let normal = [
            (u[0] + v[0] + w[0]) * inverse,
            (u[1] + v[1] + w[1]) * inverse,
            (u[2] + v[2] + w[2]) * inverse,
        ];
        let (volume, inverse) = volume.narrow(inverse).split();
        let mut hull = LinearHull::new(simd, beam);
        hull.sign = eight(simd, 1.0).copysign(volume);
        hull.take(&mut self.edges[0], u, None);
        hull.take(&mut self.edges[1], v, None);
        hull.take(&mut self.edges[2], w, None);
        let (relative, tiny) = (eight(simd, 8.0 * U), eight(simd, 1e-37));
        let error = hull.size.mul_add(relative, off + tiny);

        let volume_error = (slack * (sides + slack))
            .mul_add(sides + depth + slack, eight(simd, f32::MIN_POSITIVE));
        let upright = volume.abs().simd_gt(volume_error * eight(simd, 1024.0));
        let inverse = inverse.abs();
        let mut places = LinearHull::new(simd, beam);
        places.take(&mut self.place, normal, None);
        let relative = (volume_error * inverse).mul_add(eight(simd, 1.02), relative);
        let place_error = places
            .size
            .mul_add(relative, (off * inverse).mul_add(eight(simd, 3.1), tiny));

        let missed = (hull.lowest_high + error).simd_lt(eight(simd, 0.0))
            | (places.highest_low - place_error).simd_gt(eight(simd, end));
        let upright = upright.to_bitmask() as u32;
        error.store_array(&mut self.error);
        place_error.store_array(&mut self.place_error);
        Passed {
            upright: upright & !missed.to_bitmask() as u32 & there,
            flat: !upright & there,
        }
    }
}

/// The ranges of linear functions over all rays.
struct LinearHull<S: Simd> {
    widest: [f32x8<S>; NUMBERS],
    /// 1, or -1 where functions are negated.
    sign: f32x8<S>,
    /// The greatest sum of a function's terms.
    size: f32x8<S>,
    /// The highest low end and the lowest high end of the ranges.
    lowest_high: f32x8<S>,
    highest_low: f32x8<S>,
}

impl<S: Simd> LinearHull<S> {
    #[inline(always)]
    fn new(simd: S, beam: &TileBeam) -> Self {
        let [sx, sy, ox, oy, m] = beam.widest;
        LinearHull {
            widest: [
                eight(simd, sx),
                eight(simd, sy),
                eight(simd, ox),
                eight(simd, oy),
                eight(simd, m),
            ],
            sign: eight(simd, 1.0),
            size: eight(simd, 0.0),
            lowest_high: eight(simd, f32::INFINITY),
            highest_low: eight(simd, f32::NEG_INFINITY),
        }
    }

    /// Sets a function with these coefficients of slopes and of the middle: the edge function of two
    /// corners, if rays start at several points.
    #[inline(always)]
    fn take(
        &mut self,
        linear: &mut Linear,
        [x, y, middle]: CornerLanes<S>,
        corners: Option<(CornerLanes<S>, CornerLanes<S>)>,
    ) {
        let (x, y) = x.narrow(y).split();
        let middle = middle.narrow(middle).split().0;
        let (x, y, middle) = (x * self.sign, y * self.sign, middle * self.sign);
        let mut radius = x.abs().mul_add(self.widest[0], y.abs() * self.widest[1]);
        middle.store_array(&mut linear.middle);
        x.store_array(&mut linear.factor[0]);
        y.store_array(&mut linear.factor[1]);
        if let Some((p, q)) = corners {
            let (x, y) = (p[1] - q[1]).narrow(q[0] - p[0]).split();
            let twist = q[2] - p[2];
            let twist = twist.narrow(twist).split().0;
            radius = x.abs().mul_add(self.widest[2], radius);
            radius = y.abs().mul_add(self.widest[3], radius);
            radius = twist.abs().mul_add(self.widest[4], radius);
            x.store_array(&mut linear.factor[2]);
            y.store_array(&mut linear.factor[3]);
            twist.store_array(&mut linear.factor[4]);
        }
        self.size = self.size.max(middle.abs() + radius);
        self.lowest_high = self.lowest_high.min(middle + radius);
        self.highest_low = self.highest_low.max(middle - radius);
    }
}

/// Returns a corner of each triangle, less the frame's origin and the middle's offset at its depth.
#[inline(always)]
fn in_frame<S: Simd>(simd: S, beam: &TileBeam, [x, y, z]: CornerLanes<S>) -> CornerLanes<S> {
    let (frame, slope) = (&beam.frame, beam.slope);
    let [origin_x, origin_y, origin_z] = frame.exact;
    let z = (z - f64x8::splat(simd, origin_z)) * wide(simd, frame.forward);
    let x = wide(simd, -slope[0]).mul_add(z, x - f64x8::splat(simd, origin_x));
    let y = wide(simd, -slope[1]).mul_add(z, y - f64x8::splat(simd, origin_y));
    [x, y, z]
}

#[inline(always)]
fn eight<S: Simd>(simd: S, x: f32) -> f32x8<S> {
    f32x8::splat(simd, x)
}

#[inline(always)]
fn cross<S: Simd>(p: CornerLanes<S>, q: CornerLanes<S>) -> CornerLanes<S> {
    [
        p[1].mul_sub(q[2], p[2] * q[1]),
        p[2].mul_sub(q[0], p[0] * q[2]),
        p[0].mul_sub(q[1], p[1] * q[0]),
    ]
}
