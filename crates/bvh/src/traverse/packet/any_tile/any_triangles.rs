//! The triangles of a leaf, prepared for a tile for any hit: up to eight at once, so that the test
//! of a ray against one of them takes five products for each edge.
//!
//! # Edges
//! A corner is taken to `(x', y', Z)`: less the frame's origin, less `middle Z` aside
//! (`any_rays.rs`). Edge functions are those of `prepared_triangles.rs`, linear in the five numbers
//! of a ray:
//!
//! ```text
//! (Px' Qy' - Py' Qx') + sx (Py' QZ - PZ Qy') + sy (PZ Qx' - Px' QZ)
//!   + ox (Py' - Qy') + oy (Qx' - Px') + m (QZ - PZ),      m = ox sy - oy sx
//! ```
//!
//! The coefficients depend on the triangle and the frame alone. As in `tile_triangles.rs`, they are
//! computed in `f64` and rounded once, so that errors are relative to the edge function's own terms.
//!
//! # Errors
//! Let u = 2^-24, v = 2^-53 and way as in `any_rays.rs`. Corners are off by `d = 6.5 v way` in each
//! coordinate, as in `tile_triangles.rs`; besides their roundings to `f32`, offsets by `20 v way`
//! and slopes by `5 v`, which is `5 v way` at a corner. Slopes of rays are at most 0.5 beside the
//! middle's. So a corner seen from a ray is off by `e = 1.5 d + 25 v way`, less than `35 v way`.
//! `slack` is `2^-47 way = 64 v way`, so e is less than `0.55 slack`. Let S be the sum of the six
//! |x'| and |y'| and of three times `|o| + |s| depth` of both axes, by the greatest numbers; an |x'|
//! is at most `2.5 way`, an |o| at most `0.1 way`, so S is at most `19 way`.
//! - By e the edge function is off by `e S + 2 e^2`, less than `0.55 slack S + 0.61 slack^2`.
//! - Coefficients have three roundings of terms with a sum of at most `S^2 / 4`, which is
//!   `0.75 v S^2`, less than `0.23 slack S`.
//! - What underflows in `f32` is at most `2^-150` of slopes times `13 way^2`, or of offsets and of
//!   coefficients times `5 way`, where way is at least 2^-20: far less than `0.1 slack^2`; and of
//!   products and sums, for which there is 1e-37.
//!
//! Let T be the sum of the absolute values of an edge function's terms, by the greatest numbers. A
//! term is off by u for its coefficient, by `5u` for the moment, which is the worst number, and by
//! `6u` for a product and five sums that are not fused: `12u T`. So the bound
//! `E = 13u T + slack (S + slack) + 1e-37` suffices, for the greatest T of the three edges, with a
//! spare `u T` for its own roundings. Nothing overflows: way is below 2^31, so T is below 2^70.
//!
//! # Whole tiles
//! The least and the greatest value of an edge function over all rays are bounded by sums of the
//! least and of the greatest of its terms. They are off like the function itself, by less than
//! `13u T` besides the slack, so that the same E suffices to skip a triangle for the whole tile.
//!
//! # Places
//! Where edge functions are beyond E and have one sign, the triangle is certainly hit, between its
//! least and its greatest Z. What tells them more precisely is derived in `prepared_triangles.rs`
//! from E and from errors of Z of u.

use super::super::tile::tile_triangles::{corner, cross};
use super::any_rays::{AnyBeam, NUMBERS};
use crate::traverse::kernel_ray::U;
use crate::wide::{Block, WIDTH};
use bytemuck::Zeroable;
use fearless_simd::{Simd, SimdBase, SimdFloat, SimdMask, SimdNarrow, SimdSplit, f32x8, f64x8};

type Row = [f32; WIDTH];

/// One of the three edge functions of each triangle.
#[derive(Clone, Copy, Zeroable)]
pub struct AnyEdge {
    /// Its value for the middle ray.
    pub middle: Row,
    /// The coefficients of a ray's numbers.
    pub factor: [Row; NUMBERS],
}

/// Up to eight triangles.
#[derive(Zeroable)]
#[repr(C, align(64))]
pub struct AnyTriangles {
    pub edges: [AnyEdge; 3],
    /// The bound of the errors of edge functions.
    pub error: Row,
    /// The positions of the corners along the axis: a middle, and the differences from it.
    pub middle: Row,
    pub corners: [Row; 3],
    /// The bound of the error of a position along the axis: the factor of the error by the area,
    /// and the rest.
    pub spread: Row,
    pub besides: Row,
    /// Bounds of all positions.
    pub nearest: Row,
    pub farthest: Row,
}

impl AnyTriangles {
    /// Prepares a leaf's triangles. Returns which of them some ray may hit, as bits.
    #[inline(always)]
    pub fn prepare<S: Simd>(&mut self, simd: S, block: Block<'_>, beam: &AnyBeam) -> u32 {
        let splat = |x: f32| f32x8::splat(simd, x);
        let (axes, frame, slope) = (beam.axes, &beam.frame, beam.slope);
        let a = corner::<S, 0>(simd, block, axes, frame, slope);
        let b = corner::<S, 1>(simd, block, axes, frame, slope);
        let c = corner::<S, 2>(simd, block, axes, frame, slope);
        let sides =
            (a[0].abs() + a[1].abs()) + (b[0].abs() + b[1].abs()) + (c[0].abs() + c[1].abs());
        let (sides, az) = sides.narrow(a[2]).split();
        let (bz, cz) = b[2].narrow(c[2]).split();
        let (nearest, farthest) = (az.min(bz).min(cz), az.max(bz).max(cz));
        let depth = nearest.abs().max(farthest.abs());

        let [sx, sy, ox, oy, m] = beam.widest;
        let mut hull = Hull {
            widest: [splat(sx), splat(sy), splat(ox), splat(oy), splat(m)],
            size: splat(0.0),
            lowest_high: splat(f32::INFINITY),
            highest_low: splat(f32::NEG_INFINITY),
        };
        hull.take(simd, &mut self.edges[0], b, c);
        hull.take(simd, &mut self.edges[1], c, a);
        hull.take(simd, &mut self.edges[2], a, b);
        let slack = splat(beam.slack);
        let reach = depth.mul_add(splat(sx + sy), splat(ox + oy));
        let off = slack * (reach.mul_add(splat(3.0), sides) + slack);
        let error = hull.size.mul_add(splat(13.0 * U), off + splat(1e-37));

        let unsure = depth * splat(4.0 * U);
        let (first, last) = (nearest - unsure, farthest + unsure);
        let missed = (hull.highest_low.simd_gt(error) & hull.lowest_high.simd_lt(-error))
            | first.simd_gt(splat(beam.limit))
            | last.simd_lt(splat(0.0));
        let there = ((1 << block.len()) - 1) & ((1 << WIDTH) - 1);
        let passed = !missed.to_bitmask() as u32 & there;
        if passed == 0 {
            return 0;
        }
        let half = (farthest - nearest) * splat(0.5);
        let middle = nearest + half;
        error.store_array(&mut self.error);
        middle.store_array(&mut self.middle);
        (az - middle).store_array(&mut self.corners[0]);
        (bz - middle).store_array(&mut self.corners[1]);
        (cz - middle).store_array(&mut self.corners[2]);
        (half * splat(9.0)).store_array(&mut self.spread);
        half.mul_add(splat(24.0 * U), unsure)
            .store_array(&mut self.besides);
        first.store_array(&mut self.nearest);
        last.store_array(&mut self.farthest);
        passed
    }
}

/// The ranges of edge functions over all rays.
struct Hull<S: Simd> {
    widest: [f32x8<S>; NUMBERS],
    /// The greatest sum of a function's terms.
    size: f32x8<S>,
    /// The highest low end and the lowest high end of the three ranges.
    lowest_high: f32x8<S>,
    highest_low: f32x8<S>,
}

impl<S: Simd> Hull<S> {
    /// Sets the edge function of two corners.
    #[inline(always)]
    fn take(&mut self, _: S, edge: &mut AnyEdge, p: [f64x8<S>; 3], q: [f64x8<S>; 3]) {
        let [slope_x, slope_y, middle] = cross(p, q);
        let (slope_x, slope_y) = slope_x.narrow(slope_y).split();
        let (middle, moment) = middle.narrow(q[2] - p[2]).split();
        let (offset_x, offset_y) = (p[1] - q[1]).narrow(q[0] - p[0]).split();
        let radius = slope_x.abs() * self.widest[0];
        let radius = slope_y.abs().mul_add(self.widest[1], radius);
        let radius = offset_x.abs().mul_add(self.widest[2], radius);
        let radius = offset_y.abs().mul_add(self.widest[3], radius);
        let radius = moment.abs().mul_add(self.widest[4], radius);
        middle.store_array(&mut edge.middle);
        slope_x.store_array(&mut edge.factor[0]);
        slope_y.store_array(&mut edge.factor[1]);
        offset_x.store_array(&mut edge.factor[2]);
        offset_y.store_array(&mut edge.factor[3]);
        moment.store_array(&mut edge.factor[4]);
        self.size = self.size.max(middle.abs() + radius);
        self.lowest_high = self.lowest_high.min(middle + radius);
        self.highest_low = self.highest_low.max(middle - radius);
    }
}
