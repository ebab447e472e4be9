//! The frame of kernels for a ray that is known with an error.
//!
//! # Bound
//! The true line is `O + (t - start) D`, of which `o` and `d` are known, off by at most eo and ed
//! in each component. The frame starts at the least parameter that counts or, for an origin far
//! out, at the one at which the ray enters the box of everything. There the point computed is off
//! by eo, by ed times the way from the origin, and by the roundings of the point; its rounding to
//! `f32` adds to that: e in all. The direction of the kernels is off by ed, and the rounding to
//! `f32`; f is that in units of its largest component.
//!
//! A point of the true ray is within `e + l f` of the kernels', where l is the way along the
//! longest axis. Where it is in the box of everything, no coordinate is above `reach`, so l is at
//! most `way + e`, where `way` is the sum of `reach` and the largest coordinate of the frame's
//! origin: that is the error of the origin that box tests and the ends of leaf tests take
//! (`kernel_ray.rs`, `leaf_test.rs`). The shear of a corner at the depth Z (`edge_functions.rs`) is
//! off by 2e for the origin, as the slopes are at most 1, and by `|Z| 2f / (1 - f)` for them, where
//! |Z| is at most `way`; that test grants `2 moved`. So `moved = 1.2 (e + 1.2 way f)` covers all of
//! these, and the roundings of this formula, as f is at most 2^-18.

use crate::traverse::kernel_ray::{Frame, SPREAD, U, largest, power};
use crate::wide::{FAR, ItemTree, WIDE, WideTree};
use estoc_core::{InlineMap, WorldLine};
use estoc_mesh::parts::NarrowFrame;

/// A ray in the space of a tree, with bounds of its errors.
#[derive(Clone, Copy, Debug)]
pub struct MappedRay {
    /// The point at the parameter `start`.
    pub origin: [f64; 3],
    /// The direction.
    pub dir: [f64; 3],
    /// Bounds the error of each coordinate of the origin.
    pub origin_error: f64,
    /// Bounds the error of each coordinate of the direction.
    pub dir_error: f64,
    /// The parameter of the origin.
    pub start: f64,
    /// The least parameter that counts; may be infinite.
    pub t_min: f64,
}

/// What a frame needs to know of a tree.
pub(in crate::traverse) trait Space {
    /// Returns the largest coordinate, in units of the tree.
    fn reach(&self) -> f32;

    /// Returns the exponent of the power of two that gives units of the tree.
    fn exponent(&self) -> i32;

    /// Returns the box of everything in the ray's units.
    fn bounds(&self) -> [[f64; 3]; 2];
}

impl Space for WideTree {
    #[inline(always)]
    fn reach(&self) -> f32 {
        self.measures.reach
    }

    #[inline(always)]
    fn exponent(&self) -> i32 {
        self.scale.exponent()
    }

    fn bounds(&self) -> [[f64; 3]; 2] {
        WideTree::bounds(self).inline_map(|p| p.inline_map(f64::from))
    }
}

/// For rays that have been [moved](MappedRay::seen_from) to the tree's frame.
impl Space for ItemTree {
    #[inline(always)]
    fn reach(&self) -> f32 {
        self.measures.reach
    }

    #[inline(always)]
    fn exponent(&self) -> i32 {
        self.frame.exponent
    }

    fn bounds(&self) -> [[f64; 3]; 2] {
        let down = power(-self.frame.exponent);
        let corners = [self.measures.min, self.measures.max];
        corners.inline_map(|p| p.inline_map(|x| f64::from(x) * down))
    }
}

/// The frame of a ray.
pub(in crate::traverse) enum MappedFrame {
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
pub(super) const BLURRED: f64 = f64::from_bits((1023 - 20) << 52);
/// Exponents of units in which powers and their products are normal numbers.
const UNITS: core::ops::RangeInclusive<i32> = -1000..=1000;
/// A ray from farther out than this many times the largest coordinate starts at the box.
pub(in crate::traverse) const SIZES: f32 = 4.0;
/// 2^-200: coordinates of a direction that are smaller are taken as parallel.
const FLAT: f64 = f64::from_bits((1023 - 200) << 52);

impl MappedRay {
    /// Returns a ray as it is.
    #[inline(always)]
    pub fn of(line: &WorldLine, t_min: f64) -> Self {
        MappedRay {
            origin: line.origin,
            dir: line.dir,
            origin_error: 0.0,
            dir_error: 0.0,
            start: 0.0,
            t_min,
        }
    }

    /// Returns the ray as one in the frame of triangles in `f64`, with the error of the corners. A difference has
    /// one rounding, a product none unless it underflows.
    #[inline(always)]
    pub(crate) fn framed(&self, frame: &NarrowFrame) -> Self {
        let up = frame.up();
        let origin = frame.place(self.origin.into());
        let lost = match frame.exponent {
            0 => 0.0,
            _ => f64::MIN_POSITIVE,
        };
        MappedRay {
            origin: origin.to_array(),
            dir: self.dir.map(|d| d * up),
            origin_error: { self.origin_error * up + frame.error }
                + origin.abs().max_element() * f64::EPSILON
                + lost,
            dir_error: self.dir_error * up + lost,
            ..*self
        }
    }

    /// Returns a lower bound of the parameters up to the limit at which the ray is in the box of
    /// everything, or `None` if there are none.
    ///
    /// Differences are widened by the error of the origin and by more than their rounding, and
    /// divided by the direction's coordinate plus or minus its error, whichever widens more.
    #[cold]
    fn span(&self, space: &impl Space, t_limit: f64) -> Option<f64> {
        let [min, max] = space.bounds();
        let parallel = (2.0 * self.dir_error).max(longest(self.dir) * FLAT);
        let (mut first, mut last) = (self.t_min, t_limit);
        for axis in 0..3 {
            let (o, d) = (self.origin[axis], self.dir[axis]);
            if d.abs() <= parallel {
                continue;
            }
            let [min, max] = [min[axis], max[axis]];
            let wide = |x: f64| self.origin_error + (x.abs() + o.abs()) * (2.0 * f64::EPSILON);
            let (low, high) = (min - o - wide(min), max - o + wide(max));
            let (near, far) = if d > 0.0 { (low, high) } else { (-high, -low) };
            let (short, long) = (d.abs() - self.dir_error, d.abs() + self.dir_error);
            let entry = near / if near > 0.0 { long } else { short };
            let exit = far / if far > 0.0 { short } else { long };
            let lost = |way: f64| (way.abs() + self.start.abs()) * (4.0 * f64::EPSILON);
            first = first.max(self.start + entry - lost(entry));
            last = last.min(self.start + exit + lost(exit));
        }
        (first <= last).then_some(first)
    }

    /// Returns the ray as it is seen from another origin.
    pub(super) fn seen_from(&self, origin: [f64; 3]) -> MappedRay {
        let at = [0, 1, 2].inline_map(|axis| self.origin[axis] - origin[axis]);
        let size = at.inline_map(f64::abs).into_iter().sum::<f64>();
        MappedRay {
            origin: at,
            origin_error: self.origin_error + size * f64::EPSILON,
            ..*self
        }
    }

    /// Returns the ray with its origin moved to a finite parameter.
    ///
    /// The difference of parameters has a rounding, and a coordinate `o + t d` two more, of at most
    /// `|t d|` and `|o| + |t d|`.
    #[inline(always)]
    pub fn starting_at(&self, t: f64) -> MappedRay {
        let way = t - self.start;
        let size = longest(self.origin) + 2.0 * way.abs() * longest(self.dir);
        MappedRay {
            origin: [0, 1, 2].inline_map(|axis| self.origin[axis] + way * self.dir[axis]),
            origin_error: size * f64::EPSILON + self.origin_error + way.abs() * self.dir_error,
            start: t,
            ..*self
        }
    }

    #[inline(always)]
    pub(in crate::traverse) fn frame(&self, space: &impl Space, t_limit: f64) -> MappedFrame {
        let up = power(space.exponent());
        let origin = self.origin.inline_map(|x| (x * up) as f32);
        let dir = self.dir.inline_map(|d| d as f32);
        let reach = space.reach();
        // As integers: what is not a number is not usual.
        let is_usual = largest(origin).to_bits() <= (reach * SIZES).to_bits()
            && (1.0 / SPREAD..=SPREAD).contains(&largest(dir))
            && self.dir_error <= BLURRED / f64::from(SPREAD)
            && reach <= WIDE
            && self.t_min == self.start;
        let frame = match is_usual {
            true => {
                let dir_off = self.dir_error * f64::from(SPREAD);
                let moved = moved(self.origin_error * up, dir_off, origin, reach);
                let (unit, start) = (up, self.start * up);
                frame(origin, dir, moved, unit, start)
            }
            false => match self.unusual_frame(space, t_limit) {
                MappedFrame::Ready(frame) => frame,
                other => return other,
            },
        };
        // In this form NaN is unfit.
        match frame.is_within(FAR) {
            true => MappedFrame::Ready(frame),
            false => MappedFrame::Unfit,
        }
    }

    /// Returns the frame of a direction that is scaled, of an origin far out, or of another start.
    #[cold]
    #[inline(never)]
    fn unusual_frame(&self, space: &impl Space, t_limit: f64) -> MappedFrame {
        let longest = longest(self.dir);
        let farthest = self.origin.inline_map(f64::abs).into_iter().sum::<f64>();
        let dirs = self.dir.inline_map(f64::abs).into_iter().sum::<f64>();
        let exponent = (longest.to_bits() >> 52) as i32 - 1023;
        let unit = space.exponent() + exponent;
        let reach = space.reach();
        // Written so that NaN is unfit.
        let is_usual = USUAL.contains(&longest)
            && UNITS.contains(&unit)
            && dirs <= 4.0 * longest
            && self.dir_error <= longest * BLURRED
            && farthest <= *USUAL.end()
            && self.origin_error <= *USUAL.end()
            && reach <= WIDE;
        if !is_usual {
            return MappedFrame::Unfit;
        }
        let (shrink, up, unit) = (power(-exponent), power(space.exponent()), power(unit));
        let mut ray = *self;
        if self.t_min.is_finite() {
            ray = self.starting_at(self.t_min);
        }
        if !self.t_min.is_finite()
            || self::longest(ray.origin) * up > f64::from(reach) * f64::from(SIZES)
        {
            match self.span(space, t_limit) {
                Some(entry) => ray = self.starting_at(entry),
                None => return MappedFrame::Misses,
            }
        }
        let origin = ray.origin.inline_map(|x| (x * up) as f32);
        let dir = self.dir.inline_map(|d| (d * shrink) as f32);
        let dir_off = self.dir_error * shrink;
        let moved = moved(ray.origin_error * up, dir_off, origin, reach);
        MappedFrame::Ready(frame(origin, dir, moved, unit, ray.start * unit))
    }
}

/// Returns the bound of the error of a frame's origin, of the errors in its units but for the roundings
/// to `f32`: half a step.
#[inline(always)]
fn moved(origin_off: f64, dir_off: f64, origin: [f32; 3], reach: f32) -> f32 {
    let (size, half) = (f64::from(largest(origin)), f64::from(U));
    let way = f64::from(reach) + size;
    let moved = 1.2 * (origin_off + size * half + 1.2 * way * (dir_off + half));
    moved as f32 * (1.0 + 4.0 * U) + f32::MIN_POSITIVE
}

#[inline(always)]
fn frame(origin: [f32; 3], dir: [f32; 3], moved: f32, unit: f64, start: f64) -> Frame {
    Frame {
        origin,
        dir,
        moved,
        // Nothing lies before the start.
        least: 0.0,
        greatest: None,
        unit,
        start,
    }
}

/// Returns the largest absolute value of numbers that are not NaN.
#[inline(always)]
pub(in crate::traverse) fn longest([x, y, z]: [f64; 3]) -> f64 {
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    larger(larger(x.abs(), y.abs()), z.abs())
}
