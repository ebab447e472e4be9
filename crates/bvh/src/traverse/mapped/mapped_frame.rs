//! The frame of kernels for a ray that is known with an error.
//!
//! # Bound
//! The true line is `O + t D`, of which `o` and `d` are known, off by at most eo and ed in each
//! component. The frame starts at the parameter `start` at which the ray enters the tree's box or
//! later. There the point computed is off by `eo + |start| ed` and the roundings of the point; its
//! rounding to `f32` adds to that: e in all. The direction of the kernels is off by f: ed, and the
//! rounding to `f32`. Both in units of the kernels, in which the largest component of the direction
//! is between 1 and 2.
//!
//! A point of the true ray at the parameter s of the kernels is within `e + s f` of theirs, where s
//! goes up to where the ray leaves the box: that is the error of the origin that box tests and the
//! ends of leaf tests take (`kernel_ray.rs`, `leaf_test.rs`). The shear of a corner at the depth Z
//! (`edge_functions.rs`) is off by 2e for the origin, as the slopes are at most 1, and by
//! `|Z| 2f / (1 - f)` for them, where |Z| is at most the way to the farthest corner; that test grants
//! `2 moved`. So with `far` the larger of that way and of the span of s, `moved = 1.2 (e + 1.2 far f)`
//! covers all of these, and the roundings of this formula.

use crate::traverse::kernel_ray::{Frame, U, largest, power};
use crate::wide::{FAR, WIDE, WideTree};
use estoc_core::InlineMap;

/// A ray in the space of a tree, with bounds of its errors.
#[derive(Clone, Copy, Debug)]
pub struct MappedRay {
    /// The origin.
    pub origin: [f64; 3],
    /// The direction.
    pub dir: [f64; 3],
    /// Bounds the error of each coordinate of the origin.
    pub origin_error: f64,
    /// Bounds the error of each coordinate of the direction.
    pub dir_error: f64,
    /// The least parameter that counts; may be infinite.
    pub t_min: f64,
}

/// The frame of a ray.
pub(super) enum MappedFrame {
    Ready(Frame),
    /// The ray does not meet the tree's box up to the limit.
    Misses,
    /// The ray is unfit for `f32`.
    Unfit,
}

/// Directions between 2^-300 and 2^300 are usual, and so are origins up to there.
const USUAL: core::ops::RangeInclusive<f64> =
    f64::from_bits((1023 - 300) << 52)..=f64::from_bits((1023 + 300) << 52);
/// 2^-20: the largest usual error of a direction.
const BLURRED: f64 = f64::from_bits((1023 - 20) << 52);
/// 2^-200: coordinates of a direction that are smaller are taken as parallel.
const FLAT: f64 = f64::from_bits((1023 - 200) << 52);

impl MappedRay {
    /// Returns bounds of the parameters at which the ray is in the tree's box, or `None` if there are
    /// none.
    ///
    /// Differences are widened by the error of the origin and by more than their rounding, and
    /// divided by the direction's coordinate plus or minus its error, whichever widens more.
    fn span(&self, tree: &WideTree, t_limit: f64) -> Option<(f64, f64)> {
        let [min, max] = tree.bounds();
        let parallel = (2.0 * self.dir_error).max(longest(self.dir) * FLAT);
        let (mut first, mut last) = (self.t_min, t_limit);
        for axis in 0..3 {
            let (o, d) = (self.origin[axis], self.dir[axis]);
            if d.abs() <= parallel {
                continue;
            }
            let [min, max] = [f64::from(min[axis]), f64::from(max[axis])];
            let wide = |x: f64| self.origin_error + (x.abs() + o.abs()) * (2.0 * f64::EPSILON);
            let (low, high) = (min - o - wide(min), max - o + wide(max));
            let (near, far) = if d > 0.0 { (low, high) } else { (-high, -low) };
            let (short, long) = (d.abs() - self.dir_error, d.abs() + self.dir_error);
            let entry = near / if near > 0.0 { long } else { short };
            let exit = far / if far > 0.0 { short } else { long };
            first = first.max(entry - entry.abs() * (4.0 * f64::EPSILON));
            last = last.min(exit + exit.abs() * (4.0 * f64::EPSILON));
        }
        (first <= last).then_some((first, last))
    }

    pub(super) fn frame(&self, tree: &WideTree, t_limit: f64) -> MappedFrame {
        let longest = longest(self.dir);
        let farthest = self.origin.inline_map(f64::abs).into_iter().sum::<f64>();
        // Written so that NaN is unfit.
        let dirs = self.dir.inline_map(f64::abs).into_iter().sum::<f64>();
        let is_usual = USUAL.contains(&longest)
            && dirs <= 4.0 * longest
            && self.dir_error <= longest * BLURRED
            && farthest <= *USUAL.end()
            && self.origin_error <= *USUAL.end()
            && tree.measures.reach <= WIDE;
        if !is_usual {
            return MappedFrame::Unfit;
        }
        let Some((first, last)) = self.span(tree, t_limit) else {
            return MappedFrame::Misses;
        };
        let exponent = (longest.to_bits() >> 52) as i32 - 1023;
        let shrink = power(-exponent);
        let up = power(tree.scale.exponent());
        let unit = power(tree.scale.exponent() + exponent);
        let mut at = self.origin;
        let mut lost = 0.0f64;
        for (at, d) in at.iter_mut().zip(self.dir) {
            let way = first * d;
            *at += way;
            lost = lost.max(way.abs() + at.abs());
        }
        lost = lost * (2.0 * f64::EPSILON) + self.origin_error + first.abs() * self.dir_error;
        let at = at.inline_map(|x| x * up);
        let dir = self.dir.inline_map(|d| d * shrink);
        let (origin, narrow) = (at.inline_map(|x| x as f32), dir.inline_map(|d| d as f32));
        let off = |wide: [f64; 3], narrow: [f32; 3]| {
            let off = |axis: usize| (wide[axis] - f64::from(narrow[axis])).abs();
            off(0).max(off(1)).max(off(2))
        };
        let origin_off = lost * up + off(at, origin);
        let dir_off = self.dir_error * shrink + off(dir, narrow);
        let way = f64::from(tree.measures.reach) + f64::from(largest(origin));
        let far = way.max((last - first) * unit);
        let moved = 1.2 * (origin_off + 1.2 * far * dir_off);
        let frame = Frame {
            origin,
            dir: narrow,
            moved: moved as f32 * (1.0 + 4.0 * U) + f32::MIN_POSITIVE,
            least: 0.0,
            greatest: None,
            unit,
            start: first * unit,
        };
        // In this form NaN is unfit.
        match frame.is_within(FAR) {
            true => MappedFrame::Ready(frame),
            false => MappedFrame::Unfit,
        }
    }
}

fn longest(dir: [f64; 3]) -> f64 {
    dir.into_iter().fold(0.0, |longest, d| longest.max(d.abs()))
}
