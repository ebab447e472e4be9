//! A ray as the kernels see it, in `f32`, with bounds for what that costs.
//!
//! # The frame
//! Coordinates are the tree's: the mesh's times a power of two, exactly. The direction is
//! scaled by a power of two as well, so that its largest coordinate lies in `1 .. 2`; also
//! exactly, but for coordinates below 2^-96, which count as parallel. The parameter of the
//! kernels is `s = t * unit - start`. Usually `start` is 0; a ray that comes from far away,
//! or has a past, starts where it meets the tree's box, so that `f32` is precise where it
//! matters. The origin of the kernels is then off from a point of the ray by at most `moved`.
//!
//! # Boxes
//! Let u = 2^-24. With `r` the `f32` quotient `1/d`, and `q` the number `-o r` less (for near
//! faces) or plus (for far faces) `pad`, the parameter of a face at `x` is computed as
//! `x r + q`. Against `(x-o)/d`, the quotient is off by u relatively; `o r` and the sum with
//! `pad` by u |o r| each; a product rounded before the sum by u (|s| + |o r|) and the last
//! sum by u |s|; and the origin by `moved / |d|`. So it is off by less than
//! `3.1 u |s| + 3.1 u |o r| + 1.1 moved |r|`, and `pad = 4 u |o r| + 2 moved |r|` leaves a
//! near face late and a far face early by no more than `3.1 u |s|`. The test grants `8 u |s|`
//! to their comparison.
//!
//! On an axis with |d| < 2^-96, zero included, `r = 2^96`. A point of the ray in the slab at
//! parameter s has `(low-o) r <= s` and `(high-o) r >= -s`, so near faces are in time, and far
//! faces are with another `2 s` of `pad`. No point in the tree's box has a greater s than its
//! distance along the longest axis: four times the farthest coordinates cover that.
//!
//! Nothing is NaN: |o| < 2^26 and `pad` <= 2^126, so `q` is finite; `x r` may overflow, and
//! is right then.
//!
//! # Triangles
//! In `leaf_test.rs`.

use crate::wide::WideTree;
use estoc_core::BoxQuestion;
use estoc_core::exact::RayQuestion;

/// 2^-24: half an ulp of 1.
pub(super) const U: f32 = f32::EPSILON / 2.0;
/// Origins farther out, in units of the tree, are not for `f32`.
const FAR: f32 = (1u64 << 26) as f32;
/// 2^96.
const STEEP: f32 = f32::from_bits((127 + 96) << 23);
/// 2^123: what four times still fits.
const WIDE: f32 = f32::from_bits((127 + 123) << 23);

pub(super) struct KernelRay {
    /// By axis, `r`, and `q` for near and far faces.
    pub(super) inverse: [f32; 3],
    pub(super) near: [f32; 3],
    pub(super) far: [f32; 3],
    /// By axis, which of a node's faces is the near one.
    pub(super) near_face: [usize; 3],

    pub(super) origin: [f32; 3],
    /// The axes in an order that has the longest of the direction last.
    pub(super) axes: [usize; 3],
    /// The direction's slopes along the last axis, negated.
    pub(super) shear: [f32; 2],
    pub(super) dir_z: f32,
    pub(super) moved: f32,

    /// The least parameter.
    pub(super) least: f32,
    unit: f64,
    start: f64,
}

/// What becomes of a ray in a tree.
pub(super) enum Prepared {
    Ready(KernelRay),
    /// It does not meet the tree's box.
    Misses,
    /// It is not for `f32`.
    Unfit,
}

impl KernelRay {
    #[inline(always)]
    pub(super) fn prepare(ray: &RayQuestion, tree: &WideTree) -> Prepared {
        let dir = ray.dir();
        let longest = dir[0].abs().max(dir[1].abs()).max(dir[2].abs());
        // The exponents of f32s are those of normal f64s.
        let exponent = (longest.to_bits() >> 52) as i32 - 1023;
        let shrink = power(-exponent);
        let dir = dir.map(|d| d * shrink);
        let up = power(tree.scale.exponent());
        let unit = power(tree.scale.exponent() + exponent);

        let mut at = ray.origin().map(|o| o * up);
        let mut start = 0.0;
        let mut lost = 0.0;
        let farthest = at[0].abs().max(at[1].abs()).max(at[2].abs());
        if farthest > tree.far || ray.t_min() < 0.0 {
            let [min, max] = tree.bounds();
            let Some(entry) = BoxQuestion::new(ray).enter(min, max, ray.t_max()) else {
                return Prepared::Misses;
            };
            start = entry.max(ray.t_min()) * unit;
            for axis in 0..3 {
                let way = start * dir[axis];
                at[axis] += way;
                lost = f64::max(lost, way.abs() + at[axis].abs());
            }
            lost *= 2.0 * f64::EPSILON;
        }
        let origin = at.map(|x| x as f32);
        let off = |axis: usize| (at[axis] - f64::from(origin[axis])).abs();
        lost += off(0).max(off(1)).max(off(2));
        let moved = lost as f32 * (1.0 + 4.0 * U);

        let dir = dir.map(|d| d as f32);
        let size = origin[0].abs().max(origin[1].abs()).max(origin[2].abs());
        let steep = dir.map(|d| d.abs() < 1.0 / STEEP);
        let any_steep = steep[0] | steep[1] | steep[2];
        // Written so that NaN is unfit.
        if !(size < FAR && moved < FAR) || (any_steep && !(tree.reach <= WIDE)) {
            return Prepared::Unfit;
        }
        let beyond = 4.0 * (tree.reach + size);
        let inverse = [0, 1, 2].map(|k| if steep[k] { STEEP } else { 1.0 / dir[k] });
        let product = [0, 1, 2].map(|k| -origin[k] * inverse[k]);
        let pad = [0, 1, 2].map(|k| {
            let pad = 4.0 * U * product[k].abs() + 2.0 * moved * inverse[k].abs();
            if steep[k] { pad + beyond } else { pad }
        });

        let [x, y, z] = dir.map(f32::abs);
        let axes = if z >= x && z >= y {
            [0, 1, 2]
        } else if y >= x {
            [2, 0, 1]
        } else {
            [1, 2, 0]
        };
        let dir_z = dir[axes[2]];
        let least = (ray.t_min() * unit - start) as f32;
        Prepared::Ready(KernelRay {
            inverse,
            near: [0, 1, 2].map(|k| product[k] - pad[k]),
            far: [0, 1, 2].map(|k| product[k] + pad[k]),
            near_face: inverse.map(|r| usize::from(r < 0.0)),
            origin,
            axes,
            shear: [-dir[axes[0]] / dir_z, -dir[axes[1]] / dir_z],
            dir_z,
            moved,
            // Where the ray was moved to its start, nothing is before that.
            least: if start == 0.0 {
                least * (1.0 - 2.0 * U)
            } else {
                0.0
            },
            unit,
            start,
        })
    }

    /// The kernels' parameter of a limit, or a little more.
    #[inline(always)]
    pub(super) fn limit(&self, t_limit: f64) -> f32 {
        let way = t_limit * self.unit;
        let limit = way - self.start + (way.abs() + self.start.abs()) * (2.0 * f64::EPSILON);
        // Up by more than the rounding to f32, and by what box tests grant.
        let limit = limit as f32;
        limit + limit.abs() * (16.0 * U) + f32::MIN_POSITIVE
    }
}

fn power(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}
