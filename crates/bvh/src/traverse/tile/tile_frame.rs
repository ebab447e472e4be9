//! Where the frame of a tile begins, and which way it goes.

use super::ray_rows::sixteen;
use crate::traverse::kernel_ray::U;
use crate::wide::Measures;
use estoc_core::InlineMap;
use fearless_simd::{Simd, SimdBase, f32x16};

/// 2^125.
pub(super) const LONGEST: f32 = f32::from_bits((127 + 125) << 23);

/// The origin and the axis of a tile's parameter; see `tile_rays.rs`.
pub struct Frame {
    /// The axes, in cyclic order, of which the last is the one along which rays go.
    pub axes: [usize; 3],
    /// 1 or -1: the direction along that axis.
    pub forward: f32,
    /// The origin, rounded to `f32` for boxes, and exact. They differ only for rays in `f64` from one point.
    pub origin: [f32; 3],
    pub exact: [f64; 3],
}

/// The least and the greatest of a number of each ray.
#[derive(Clone, Copy)]
pub(super) struct NumberRange<S: Simd> {
    least: f32x16<S>,
    most: f32x16<S>,
}

impl<S: Simd> NumberRange<S> {
    #[inline(always)]
    fn new(simd: S) -> Self {
        let infinity = sixteen(simd, f32::INFINITY);
        NumberRange {
            least: infinity,
            most: -infinity,
        }
    }

    #[inline(always)]
    pub(super) fn take(&mut self, numbers: f32x16<S>) {
        (self.least, self.most) = (self.least.min(numbers), self.most.max(numbers));
    }

    #[inline(always)]
    pub(super) fn ends(&self) -> [f32; 2] {
        [self.least.reduce_min(), self.most.reduce_max()]
    }
}

/// The ranges of numbers over the rays of a tile, in the axes of the frame, the last along the rays.
pub(super) struct Ranges<S: Simd> {
    /// Whole slopes.
    pub(super) slope: [NumberRange<S>; 2],
    pub(super) origin: [NumberRange<S>; 3],
    pub(super) end: [NumberRange<S>; 3],
    /// The greatest start and the greatest end.
    pub(super) t_min: f32x16<S>,
    pub(super) t_max: f32x16<S>,
    /// The greatest absolute coordinate of an origin.
    pub(super) farthest: f32x16<S>,
}

impl<S: Simd> Ranges<S> {
    #[inline(always)]
    pub(super) fn new(simd: S) -> Self {
        let range = NumberRange::new(simd);
        Ranges {
            slope: [range; 2],
            origin: [range; 3],
            end: [range; 3],
            t_min: sixteen(simd, 0.0),
            t_max: sixteen(simd, 0.0),
            farthest: sixteen(simd, 0.0),
        }
    }
}

/// Where the frame begins and which way it goes.
pub(super) struct Begin {
    /// Whether the frame goes against the rays.
    pub(super) is_reversed: bool,
    pub(super) origin: [f64; 3],
    /// The sum of the tree's reach and of the next number.
    pub(super) way: f32,
    /// The greatest absolute coordinate of an origin, and of an end if the frame begins there.
    pub(super) farthest: f32,
}

#[inline(always)]
pub(super) fn middle([low, high]: [f32; 2]) -> f32 {
    low + (high - low) * 0.5
}

#[inline(always)]
pub(super) fn width([low, high]: [f32; 2]) -> f32 {
    high - low
}

impl Begin {
    /// Begins the frame of rays from one point there.
    #[inline(always)]
    pub(super) fn at(origin: [f64; 3], measures: &Measures) -> Self {
        let [x, y, z] = origin.inline_map(f64::abs);
        let farthest = x.max(y).max(z) as f32;
        Begin {
            is_reversed: false,
            origin,
            way: measures.reach + farthest,
            farthest,
        }
    }

    /// Chooses where the frame of rays from several points begins; only for any hit it may go
    /// against the rays. Their origins and ends may be rounded, by up to 3u of the farthest: then the
    /// plane lies farther back.
    #[inline(always)]
    pub(super) fn of<S: Simd, const ANY: bool>(
        ranges: &Ranges<S>,
        forward: f32,
        measures: &Measures,
        are_rounded: bool,
    ) -> Self {
        let [x, y, z] = &ranges.origin;
        let (x, y, z) = (x.ends(), y.ends(), z.ends());
        let farthest = ranges.farthest.reduce_max();
        if ANY && ranges.t_max.reduce_max() < LONGEST {
            let [end_x, end_y, end_z] = &ranges.end;
            let (end_x, end_y, end_z) = (end_x.ends(), end_y.ends(), end_z.ends());
            let ends = [end_x, end_y, end_z].into_iter().flatten();
            let end = ends.fold(0.0, |most: f32, x| most.max(x.abs()));
            let farthest = farthest.max(end);
            let is_closer = width(end_x).max(width(end_y)) < width(x).max(width(y));
            // Ends that overflow are infinite, and so is `farthest`.
            if is_closer && farthest <= measures.plain {
                let top = end_z[1] + farthest * (8.0 * U) + f32::MIN_POSITIVE;
                return Begin {
                    is_reversed: true,
                    origin: [middle(end_x), middle(end_y), top * forward].inline_map(f64::from),
                    way: measures.reach + farthest * (1.0 + 16.0 * U),
                    farthest,
                };
            }
        }
        let bottom = match are_rounded {
            true => z[0] - farthest * (8.0 * U) - f32::MIN_POSITIVE,
            false => z[0],
        };
        Begin {
            is_reversed: false,
            origin: [middle(x), middle(y), bottom * forward].inline_map(f64::from),
            way: measures.reach + farthest,
            farthest,
        }
    }
}
