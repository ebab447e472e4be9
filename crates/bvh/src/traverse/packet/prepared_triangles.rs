//! The triangles of a leaf, prepared for a packet: up to eight at once, so that the test of a ray
//! against one of them takes little more than two products for each edge.
//!
//! # Edges
//! A corner is taken to `(x', y', Z)`: less the beam's origin, less `middle Z` aside
//! (`beam_rays.rs`). Seen from a ray it lies at `x' - ox - sx Z`, with the ray's offset o and slope
//! s. Of two corners P and Q the edge function, as in `leaf_test.rs`, is
//!
//! ```text
//! (Px' - ox - sx PZ) (Qy' - oy - sy QZ) - (Py' - oy - sy PZ) (Qx' - ox - sx QZ)
//!   = (Px' Qy' - Py' Qx') + sx (Py' QZ - PZ Qy') + sy (PZ Qx' - Px' QZ)
//!     + ox (Py' - Qy') + oy (Qx' - Px') + m (QZ - PZ),      m = ox sy - oy sx
//! ```
//!
//! since the products of two slopes or of two offsets cancel. So it is linear in five numbers of
//! the ray, of which rays with one origin have two.
//!
//! # Errors
//! Let u = 2^-24, and depth the greatest |Z| of a triangle. Let R be the greatest sum, over all
//! rays, of `|o|` and `|s| depth` over both axes, S the sum of the six |x'| and |y'| and of `3 R`,
//! and b the beam's slack.
//!
//! Corners are computed in `f64` and rounded: x', y' and Z are off by u of themselves, and by b,
//! as are offsets; slopes by 2u of themselves. With all products expanded, the edge function is a
//! sum of terms whose sizes have a sum of at most
//! `(|Px'| + |ox| + |sx PZ|) (|Qy'| + |oy| + |sy QZ|)` and the same with P and Q exchanged. The
//! sum of the four factors is at most S, so it is at most `S^2 / 4`. Each term is off by at most
//! `16u` of itself: 4u for its factors, with the moment's, 2u for the coefficient that it is
//! in, and ten roundings of five products and sums, if they are not fused. That is `4u S^2`. By
//! b, a factor of each term is off, in total by `b S + 2 b^2`. So
//! `E = 5u S^2 + 1.1 b S + 3 b^2 + 1e-37` suffices: the rest covers the roundings of E and S, and
//! 1e-37 covers what underflows. Where a product overflows, so does S^2, E is infinite, and nothing
//! is inside or outside.
//!
//! Over all rays of the packet, an edge function is off from its middle by at most the sum of its
//! coefficients times the largest absolute values of the five numbers. A triangle of which one edge
//! function is above E and another below -E for all rays is missed by all.
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
//! or an E small enough to vanish, would not be noticed. A itself is less than S^2.
//!
//! A hit that is not certain is between the least and the greatest Z, each with `4u depth`.

use super::beam::Beam;
use crate::traverse::kernel_ray::U;
use crate::wide::{Block, WIDTH};
use bytemuck::Zeroable;
use fearless_simd::{Simd, SimdBase, SimdFloat, SimdMask, SimdNarrow, SimdWiden, f32x8, f64x4};

type Row = [f32; WIDTH];

/// One of the three edge functions of each triangle: its value for the middle ray, and its
/// coefficients of the numbers by which rays differ.
#[derive(Clone, Copy, Zeroable)]
pub struct Edge {
    pub middle: Row,
    pub slope: [Row; 2],
    pub offset: [Row; 2],
    pub moment: Row,
}

/// Up to eight triangles.
#[derive(Zeroable)]
#[repr(C, align(64))]
pub struct PreparedTriangles {
    /// The edge functions opposite the first corner, the second, the third.
    pub edges: [Edge; 3],
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

impl PreparedTriangles {
    /// Prepares a leaf's triangles. Returns which of them some ray may hit up to the limit, as
    /// bits.
    #[inline(always)]
    pub fn prepare<S: Simd, const SHARED: bool>(
        &mut self,
        simd: S,
        block: Block<'_>,
        beam: &Beam,
        limit: f32,
    ) -> u32 {
        let a = corner::<S, 0>(simd, block, beam);
        let b = corner::<S, 1>(simd, block, beam);
        let c = corner::<S, 2>(simd, block, beam);
        let nearest = a[2].min(b[2]).min(c[2]);
        let farthest = a[2].max(b[2]).max(c[2]);
        let depth = nearest.abs().max(farthest.abs());

        let wide_x = f32x8::splat(simd, beam.slopes[0]);
        let wide_y = f32x8::splat(simd, beam.slopes[1]);
        let off_x = f32x8::splat(simd, beam.offsets[0]);
        let off_y = f32x8::splat(simd, beam.offsets[1]);
        let (mut reach, mut moment) = (depth * (wide_x + wide_y), f32x8::splat(simd, 0.0));
        if !SHARED {
            reach += off_x + off_y;
            moment = off_x * wide_y + off_y * wide_x;
        }
        let sizes =
            (a[0].abs() + a[1].abs()) + (b[0].abs() + b[1].abs()) + (c[0].abs() + c[1].abs());
        let sum = reach.mul_add(f32x8::splat(simd, 3.0), sizes);
        let slack = beam.slack;
        let constant = f32x8::splat(simd, 3.0 * slack * slack + 1e-37);
        let error = sum.mul_add(f32x8::splat(simd, 1.1 * slack), constant);
        let error = (sum * sum).mul_add(f32x8::splat(simd, 5.0 * U), error);

        let widths = Widths {
            slopes: [wide_x, wide_y],
            offsets: [off_x, off_y],
            moment,
        };
        let (highest_low, lowest_high) = self.prepare_edges::<S, SHARED>(simd, [a, b, c], &widths);

        let unsure = depth * f32x8::splat(simd, 4.0 * U);
        let first = nearest - unsure;
        let last = farthest + unsure;
        let missed = (highest_low.simd_gt(error) & lowest_high.simd_lt(-error))
            | first.simd_gt(f32x8::splat(simd, limit))
            | last.simd_lt(f32x8::splat(simd, beam.least));
        let there = ((1 << block.len()) - 1) & ((1 << WIDTH) - 1);
        let passed = !missed.to_bitmask() as u32 & there;
        if passed == 0 {
            return 0;
        }
        let half = (farthest - nearest) * f32x8::splat(simd, 0.5);
        let middle = nearest + half;
        error.store_array(&mut self.error);
        middle.store_array(&mut self.middle);
        (a[2] - middle).store_array(&mut self.corners[0]);
        (b[2] - middle).store_array(&mut self.corners[1]);
        (c[2] - middle).store_array(&mut self.corners[2]);
        (half * f32x8::splat(simd, 9.0)).store_array(&mut self.spread);
        half.mul_add(f32x8::splat(simd, 24.0 * U), unsure)
            .store_array(&mut self.besides);
        first.store_array(&mut self.nearest);
        last.store_array(&mut self.farthest);
        passed
    }

    /// Prepares the edge functions of a leaf's triangles. Returns the highest low end and the
    /// lowest high end of their ranges over all rays.
    #[inline(always)]
    fn prepare_edges<S: Simd, const SHARED: bool>(
        &mut self,
        simd: S,
        [a, b, c]: [[f32x8<S>; 3]; 3],
        widths: &Widths<S>,
    ) -> (f32x8<S>, f32x8<S>) {
        let Widths {
            slopes: [wide_x, wide_y],
            offsets: [off_x, off_y],
            moment,
        } = *widths;
        let mut lowest_high = f32x8::splat(simd, f32::INFINITY);
        let mut highest_low = f32x8::splat(simd, f32::NEG_INFINITY);
        let ends = [(c, b), (a, c), (b, a)];
        for (edge, (p, q)) in self.edges.iter_mut().zip(ends) {
            let middle = p[0].mul_sub(q[1], p[1] * q[0]);
            let slope_x = p[1].mul_sub(q[2], p[2] * q[1]);
            let slope_y = p[2].mul_sub(q[0], p[0] * q[2]);
            let mut radius = slope_x.abs().mul_add(wide_x, slope_y.abs() * wide_y);
            middle.store_array(&mut edge.middle);
            slope_x.store_array(&mut edge.slope[0]);
            slope_y.store_array(&mut edge.slope[1]);
            if !SHARED {
                let offset_x = p[1] - q[1];
                let offset_y = q[0] - p[0];
                let twist = q[2] - p[2];
                radius = offset_x.abs().mul_add(off_x, radius);
                radius = offset_y.abs().mul_add(off_y, radius);
                radius = twist.abs().mul_add(moment, radius);
                offset_x.store_array(&mut edge.offset[0]);
                offset_y.store_array(&mut edge.offset[1]);
                twist.store_array(&mut edge.moment);
            }
            lowest_high = lowest_high.min(middle + radius);
            highest_low = highest_low.max(middle - radius);
        }
        (highest_low, lowest_high)
    }
}

/// The largest differences between rays of a beam and its middle.
struct Widths<S: Simd> {
    slopes: [f32x8<S>; 2],
    offsets: [f32x8<S>; 2],
    moment: f32x8<S>,
}

/// Returns a corner of each triangle, less the beam's origin and the middle's offset at its depth.
#[inline(always)]
fn corner<S: Simd, const CORNER: usize>(simd: S, block: Block<'_>, beam: &Beam) -> [f32x8<S>; 3] {
    let [x, y, z] = beam.axes;
    let (x0, x1) = f32x8::load_array_ref(simd, block.row::<CORNER>(x)).widen();
    let (y0, y1) = f32x8::load_array_ref(simd, block.row::<CORNER>(y)).widen();
    let (z0, z1) = f32x8::load_array_ref(simd, block.row::<CORNER>(z)).widen();
    let [x0, y0, z0] = sheared(simd, x0, y0, z0, beam);
    let [x1, y1, z1] = sheared(simd, x1, y1, z1, beam);
    [x0.narrow(x1), y0.narrow(y1), z0.narrow(z1)]
}

#[inline(always)]
fn sheared<S: Simd>(simd: S, x: f64x4<S>, y: f64x4<S>, z: f64x4<S>, beam: &Beam) -> [f64x4<S>; 3] {
    let z = (z - wide(simd, beam.frame.origin[2])) * wide(simd, beam.frame.forward);
    let x = wide(simd, -beam.slope[0]).mul_add(z, x - wide(simd, beam.frame.origin[0]));
    let y = wide(simd, -beam.slope[1]).mul_add(z, y - wide(simd, beam.frame.origin[1]));
    [x, y, z]
}

#[inline(always)]
fn wide<S: Simd>(simd: S, x: f32) -> f64x4<S> {
    f64x4::splat(simd, f64::from(x))
}
