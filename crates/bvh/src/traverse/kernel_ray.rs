//! A ray in the form that kernels use: in `f32`, with bounds of the rounding errors.
//!
//! # The frame
//! Coordinates are the tree's: the mesh's times a power of two, exactly. A direction whose largest
//! coordinate is not near 1 is scaled by a power of two as well, also exactly, except for
//! coordinates below 2^-96, which count as parallel. The parameter of the kernels is
//! `s = t * unit - start`. Usually `start` is 0. A ray that comes from far away, or whose `t_min`
//! is negative, starts where it meets the tree's box, so that `f32` is precise where it matters.
//! The origin of the kernels is then off from a point of the ray by at most `moved`. That is never
//! less than 2^-126, which covers all that is lost below the normal `f32`s: a few times 2^-150, of
//! products and of the least parameter.
//!
//! # Boxes
//! Let u = 2^-24. `r` is the `f32` quotient `1/d`, and `q` the number `-o r` less (for near
//! faces) or plus (for far faces) `pad`; the parameter of a face at `x` is computed as
//! `x r + q`. Let s be the true parameter, and |s| its size with either the true origin or the one
//! that is used. The computed one is off from `s -+ pad`
//! - by `moved / |d|` for the origin, which is `moved |r|` and a rounding,
//! - by `u |s|` for the quotient,
//! - by `u |o r|` for the product in `q`, and `u (|o r| + pad)` for its sum,
//! - by `u (|s| + |o r|)` for the product `x r` if it is rounded, and `u (|s| + pad)` for the
//!   last sum,
//!
//! in total by less than `3.1u |s| + 3.1u |o r| + 1.1 moved |r| + 2u pad`.
//!
//! Nodes hold boxes that are larger than those of their triangles, by at least `7u |x|` for a
//! face at `x` (`Node::set`), so that its parameter is early or late by `7u |x r|`. As |s| is at
//! most `|x r| + |o r|` except for roundings, `pad = 8u |o r| + 2 moved |r|` leaves near faces
//! early and far faces late by more than `3.8u |x r| + 1.7u |o r| + 0.8 moved |r|`. So a box
//! that the ray meets has every near face, the least parameter included, strictly before every
//! far face and the limit. The comparison `exit > entry` therefore loses no box, needs no further
//! margin, and excludes lanes without a child. `moved` is at least 2^-126 and |r| at least 2^-8:
//! what underflows, a few times 2^-150, is far less than the spare `0.8 moved |r|`.
//!
//! The margin for `x` is in the boxes and not in `pad`, which would have to cover all faces at
//! once: one corner far from all others would make every box too large to be of use.
//!
//! The numbers are compared by their bits. The maximum must include a number without a sign bit,
//! which is the least parameter: it must be +0 and not -0, and never negative. Otherwise the keys
//! on the stack would have a sign too, and their order would be wrong.
//!
//! On an axis with |d| < 2^-96, zero included, `r = 2^96`. A point of the ray in the slab at
//! parameter s has `(low-o) r <= s` and `(high-o) r >= -s`, so near faces are early enough, and far
//! faces are late enough with another `2 s` of `pad`. A point in the tree's box is no farther along
//! the longest axis than `reach + |o|`, and its s is at most 256 times that: `4 * 256` times covers
//! it.
//!
//! Nothing is NaN: |o| < 2^26 and |r| <= 2^96, so |o r| < 2^122, `pad` < 2^126 and `q` is
//! finite; r is not zero. Where `x r` overflows, `(x-o) r` is above 2^127, and no s in the
//! tree's box, of a reach of at most 2^115, is above 2^124: either near faces are indeed too late
//! and far faces too early, or the far face is late and the near face early enough.
//!
//! # Ends
//! Where it has to be rounded to `f32`, the least parameter is then made smaller by 2u, which with the
//! rounding of that leaves at most the true one: `(1 + u)^2 (1 - 2u) < 1`. The limit is made larger by
//! `16u |limit|`, which covers one rounding to `f32` and those of its own. Hits are certain only if the
//! least parameter is exact, and up to an end that is exact or rounded down (`certain_end`).
//!
//! # Triangles
//! See `edge_functions.rs`, `leaf_test.rs` and `t_spans.rs`.

use super::slab::SlabNumbers;
use crate::wide::{FAR, Measures, WIDE, WideTree};
use bytemuck::{Pod, Zeroable};
use estoc_core::BoxQuestion;
use estoc_core::InlineMap;
use estoc_core::exact::PreparedRay;
use estoc_core::glam::Vec3;
use fearless_simd::{Simd, SimdBase, SimdFloat, SimdMask, f32x4};

/// 2^-24: half an ulp of 1.
pub const U: f32 = f32::EPSILON / 2.0;
/// 2^96.
pub const STEEP: f32 = f32::from_bits((127 + 96) << 23);
/// The largest coordinate of a direction lies between this and its inverse.
pub const SPREAD: f32 = 256.0;

/// The part of a ray for box tests: two rows of eight numbers, two of them unused.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct BoxRay {
    /// By axis, `r`.
    pub inverse: [f32; 3],
    /// The least parameter.
    pub least: f32,
    /// By axis, `q` for near faces.
    pub near: [f32; 3],
    /// The limit of a traversal: the initial one, if parameters are the ray's own.
    pub limit: f32,
    /// By axis, `q` for far faces.
    pub far: [f32; 3],
    pub unused: f32,
    /// By axis, which of a node's faces is the near one.
    pub near_face: [u32; 3],
    pub unused_too: u32,
}

/// The relation between parameters of the kernels and the ray's own.
#[derive(Clone, Copy)]
pub struct RayEnds {
    /// A parameter up to which hits are certainly before the ray's own end, if the leaf test of plain
    /// rays applies (`plain_ray/leaf.rs`).
    pub greatest: Option<f32>,
    /// The ray's parameter `t` is `t unit - start` for the kernels.
    pub unit: f64,
    pub start: f64,
}

pub struct KernelRay {
    pub boxes: BoxRay,
    pub ends: RayEnds,

    pub origin: [f32; 3],
    pub dir: [f32; 3],
    pub moved: f32,
    /// The largest distance from the origin to the tree, in any coordinate.
    pub way: f32,
}

/// The result of preparing a ray for a tree.
pub enum Prepared {
    Ready(KernelRay),
    /// The ray does not meet the tree's box.
    Misses,
    /// The ray is unfit for `f32`.
    Unfit,
}

/// The position of the kernels' frame.
pub(super) struct Frame {
    pub(super) origin: [f32; 3],
    pub(super) dir: [f32; 3],
    pub(super) moved: f32,
    pub(super) least: f32,
    pub(super) greatest: Option<f32>,
    pub(super) unit: f64,
    pub(super) start: f64,
}

impl Frame {
    /// Returns the mesh's own frame, if it suffices, which it does for most rays.
    #[inline(always)]
    pub(super) fn usual(ray: &PreparedRay<'_>, measures: &Measures) -> Option<Self> {
        let ray = ray.ray();
        let (origin, dir, least) = (one_by_one(&ray.origin), one_by_one(&ray.dir), ray.t_min);
        let longest = largest(dir);
        let is_usual = (1.0 / SPREAD..=SPREAD).contains(&longest)
            && largest(origin) <= measures.usual
            && least >= 0.0;
        is_usual.then_some(Frame {
            origin,
            dir,
            moved: f32::MIN_POSITIVE,
            least,
            greatest: measures.has_plain_rays().then_some(ray.t_max),
            unit: 1.0,
            start: 0.0,
        })
    }

    /// Returns another frame; `None` for a ray that does not meet the tree's box.
    #[cold]
    #[inline(never)]
    fn moved(ray: &PreparedRay<'_>, tree: &WideTree) -> Option<Self> {
        let dir = ray.dir();
        let longest = dir[0].abs().max(dir[1].abs()).max(dir[2].abs());
        // The exponents of `f32`s are those of normal `f64`s.
        let exponent = (longest.to_bits() >> 52) as i32 - 1023;
        let shrink = power(-exponent);
        let dir = dir.inline_map(|d| d * shrink);
        let up = power(tree.scale.exponent());
        let unit = power(tree.scale.exponent() + exponent);

        let mut at = ray.origin().inline_map(|o| o * up);
        let mut start = 0.0;
        let mut lost = 0.0;
        let farthest = at[0].abs().max(at[1].abs()).max(at[2].abs());
        if farthest > f64::from(tree.measures.far) || ray.t_min() < 0.0 {
            let [min, max] = tree.bounds();
            let entry = BoxQuestion::new(ray).enter(min, max, ray.t_max())?;
            start = entry.max(ray.t_min()) * unit;
            for axis in 0..3 {
                let way = start * dir[axis];
                at[axis] += way;
                lost = f64::max(lost, way.abs() + at[axis].abs());
            }
            lost *= 2.0 * f64::EPSILON;
        }
        let origin = at.inline_map(|x| x as f32);
        let off = |axis: usize| (at[axis] - f64::from(origin[axis])).abs();
        lost += off(0).max(off(1)).max(off(2));
        // After the origin was moved to the start of the ray, nothing lies before it.
        let begin = if start == 0.0 {
            ray.t_min() * unit
        } else {
            0.0
        };
        let is_exact = f64::from(begin as f32) == begin;
        let least = match is_exact {
            true => begin as f32,
            false => begin as f32 * (1.0 - 2.0 * U),
        };
        let greatest = (is_exact && tree.measures.may_be_certain(origin))
            .then(|| certain_end(ray.t_max(), unit, start));
        Some(Frame {
            origin,
            dir: dir.inline_map(|d| d as f32),
            moved: lost as f32 * (1.0 + 4.0 * U) + f32::MIN_POSITIVE,
            least,
            greatest,
            unit,
            start,
        })
    }

    pub(super) fn is_within(&self, far: f32) -> bool {
        largest(self.origin) < far && self.moved < far
    }
}

/// Reads the numbers of a vector one by one.
///
/// The compiler would read two or four at a time. For a ray that was made just before, these were
/// written by several stores, and a processor that loads what spans several stores waits until
/// these have reached the cache.
#[inline(always)]
#[allow(
    unsafe_code,
    reason = "saves 10 to 14 % of a query with a ray that was just written"
)]
pub(super) fn one_by_one(v: &Vec3) -> [f32; 3] {
    // SAFETY: references to numbers are valid to read.
    unsafe {
        [
            (&raw const v.x).read_volatile(),
            (&raw const v.y).read_volatile(),
            (&raw const v.z).read_volatile(),
        ]
    }
}

/// Returns the largest absolute value of numbers that are not NaN, compared as integers.
#[inline(always)]
pub(super) fn largest(v: [f32; 3]) -> f32 {
    let [x, y, z] = v.inline_map(|x| x.to_bits() & !(1 << 31));
    f32::from_bits(x.max(y).max(z))
}

impl KernelRay {
    #[inline(always)]
    pub fn prepare<S: Simd>(simd: S, ray: &PreparedRay<'_>, tree: &WideTree) -> Prepared {
        let frame = match Frame::usual(ray, &tree.measures) {
            Some(frame) => frame,
            None => match Frame::moved(ray, tree) {
                None => return Prepared::Misses,
                // Written so that NaN is unfit.
                Some(frame) if !(frame.is_within(FAR) && tree.measures.reach <= WIDE) => {
                    return Prepared::Unfit;
                }
                Some(frame) => frame,
            },
        };
        Prepared::Ready(KernelRay::of_frame(simd, frame, tree.measures.reach))
    }

    /// Returns the ray of a frame that is within the range of kernels.
    #[inline(always)]
    pub(super) fn of_frame<S: Simd>(simd: S, frame: Frame, reach: f32) -> Self {
        let Frame { origin, dir, .. } = frame;
        let way = reach + largest(origin);

        // The three axes at once; the fourth lane is unused.
        let [o, d] = [origin, dir].inline_map(|[x, y, z]| [x, y, z, 1.0]);
        let o = f32x4::load_array_ref(simd, &o);
        let d = f32x4::load_array_ref(simd, &d);
        let [way4, moved4] = [way, frame.moved].inline_map(|x| f32x4::splat(simd, x));
        let slab = SlabNumbers::of(simd, o, d, way4, moved4);
        let reversed = slab.inverse.simd_lt(f32x4::splat(simd, 0.0));
        let reversed = reversed.to_bitmask() as u32;

        let three = |v: f32x4<S>| {
            let [x, y, z, _] = v.to_array();
            [x, y, z]
        };
        KernelRay {
            boxes: BoxRay {
                inverse: three(slab.inverse),
                // Nothing lies before the start of the frame, and the bits of -0 are out of order.
                least: if frame.least > 0.0 { frame.least } else { 0.0 },
                near: three(slab.near),
                limit: f32::INFINITY,
                far: three(slab.far),
                unused: 0.0,
                near_face: [0, 1, 2].inline_map(|axis| reversed >> axis & 1),
                unused_too: 0,
            },
            ends: RayEnds {
                greatest: frame.greatest,
                unit: frame.unit,
                start: frame.start,
            },
            origin,
            dir,
            moved: frame.moved,
            way,
        }
    }
}

impl RayEnds {
    /// Returns the ends of a ray whose own parameters are those of the kernels.
    #[inline(always)]
    pub fn own(greatest: Option<f32>) -> Self {
        RayEnds {
            greatest,
            unit: 1.0,
            start: 0.0,
        }
    }

    /// Returns the ends of a ray whose parameter `t` is `t unit - start` for the kernels.
    #[inline(always)]
    pub(super) fn shifted(unit: f64, start: f64) -> Self {
        RayEnds {
            greatest: None,
            unit,
            start,
        }
    }

    /// Returns the same ends, where hits up to this one may be certain.
    pub(super) fn certain_to(self, t_end: f64) -> Self {
        let greatest = Some(certain_end(t_end, self.unit, self.start));
        RayEnds { greatest, ..self }
    }

    /// Returns the ray's own parameter of one of the kernels, or slightly less.
    #[inline(always)]
    pub(super) fn own_parameter(&self, s: f32) -> f64 {
        let s = f64::from(s);
        let lost = (s.abs() + self.start.abs()) * (4.0 * f64::EPSILON);
        (s + self.start - lost) / self.unit
    }

    /// Returns an interval of the ray's own parameters around one of the kernels'.
    #[inline(always)]
    pub(super) fn own_interval(&self, from: f64, to: f64) -> (f64, f64) {
        let size = |s: f64| s.abs() + self.start.abs();
        let lost = |s: f64| size(s) * (4.0 * f64::EPSILON);
        let low = (from + self.start - lost(from)) / self.unit;
        (low, (to + self.start + lost(to)) / self.unit)
    }

    /// Returns the kernels' parameter of a limit, or slightly more.
    #[inline(always)]
    pub fn limit(&self, t_limit: f64) -> f32 {
        let way = t_limit * self.unit;
        let limit = way - self.start + (way.abs() + self.start.abs()) * (2.0 * f64::EPSILON);
        grant(limit as f32)
    }
}

/// Returns a parameter of the kernels that is no greater than that of an end, for a ray whose parameter `t`
/// is `t unit - start` for them.
#[inline(always)]
pub(super) fn certain_end(t_end: f64, unit: f64, start: f64) -> f32 {
    let way = t_end * unit;
    let end = way - start - (way.abs() + start.abs()) * (2.0 * f64::EPSILON);
    match t_end == f64::INFINITY {
        true => f32::MAX,
        // What is not a number is no end.
        false => (end as f32).next_down(),
    }
}

/// Returns a limit, increased by more than its rounding to `f32` and the margin of box tests.
#[inline(always)]
pub fn grant(limit: f32) -> f32 {
    limit + limit.abs() * (16.0 * U) + f32::MIN_POSITIVE
}

/// Does what [`grant`] does, for many limits.
#[inline(always)]
pub fn grant_all<S: Simd, V: SimdFloat<S, Element = f32>>(simd: S, limits: V) -> V {
    limits + limits.abs() * V::splat(simd, 16.0 * U) + V::splat(simd, f32::MIN_POSITIVE)
}

#[inline(always)]
pub(super) fn power(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}
