//! Where the frame of a tile for any hit begins, and which way it goes.

use super::super::tile::tile_rays::sixteen;
use crate::traverse::kernel_ray::U;
use crate::wide::WideTree;
use fearless_simd::{Simd, SimdBase, f32x16};

/// 2^125.
pub(super) const LONGEST: f32 = f32::from_bits((127 + 125) << 23);

/// The ranges of numbers over the rays of a tile.
pub(super) struct Ranges<S: Simd> {
    least: [f32x16<S>; 9],
    most: [f32x16<S>; 9],
    /// The greatest absolute coordinate of an origin.
    pub(super) farthest: f32x16<S>,
}

impl<S: Simd> Ranges<S> {
    #[inline(always)]
    pub(super) fn new(simd: S) -> Self {
        let infinity = sixteen(simd, f32::INFINITY);
        Ranges {
            least: [infinity; 9],
            most: [-infinity; 9],
            farthest: sixteen(simd, 0.0),
        }
    }

    #[inline(always)]
    pub(super) fn take(&mut self, numbers: [f32x16<S>; 9]) {
        let mut i = 0;
        while i < 9 {
            self.least[i] = self.least[i].min(numbers[i]);
            self.most[i] = self.most[i].max(numbers[i]);
            i += 1;
        }
    }

    #[inline(always)]
    pub(super) fn of(&self, i: usize) -> [f32; 2] {
        [self.least[i].reduce_min(), self.most[i].reduce_max()]
    }
}

/// Positions of numbers in [`Ranges`]: of origins and of ends in the frame's axes, the last along
/// the rays, and of whole slopes and the greatest parameter.
const ORIGIN: usize = 0;
const END: usize = 3;
pub(super) const SLOPE: usize = 6;
const T_MAX: usize = 8;

/// Where the frame begins and which way it goes.
pub(super) struct Begin {
    /// Whether the frame goes against the rays.
    pub(super) is_reversed: bool,
    pub(super) origin: [f32; 3],
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

/// Chooses where the frame begins.
#[inline(always)]
pub(super) fn begin<S: Simd>(ranges: &Ranges<S>, forward: f32, tree: &WideTree) -> Begin {
    let (x, y, z) = (
        ranges.of(ORIGIN),
        ranges.of(ORIGIN + 1),
        ranges.of(ORIGIN + 2),
    );
    let farthest = ranges.farthest.reduce_max();
    if ranges.most[T_MAX].reduce_max() < LONGEST {
        let (end_x, end_y, end_z) = (ranges.of(END), ranges.of(END + 1), ranges.of(END + 2));
        let ends = [end_x, end_y, end_z].into_iter().flatten();
        let end = ends.fold(0.0, |most: f32, x| most.max(x.abs()));
        let farthest = farthest.max(end);
        let is_closer = width(end_x).max(width(end_y)) < width(x).max(width(y));
        // Ends that overflow are infinite, and so is `farthest`.
        if is_closer && farthest <= tree.measures.plain {
            let top = end_z[1] + farthest * (8.0 * U) + f32::MIN_POSITIVE;
            return Begin {
                is_reversed: true,
                origin: [middle(end_x), middle(end_y), top * forward],
                way: tree.measures.reach + farthest * (1.0 + 16.0 * U),
                farthest,
            };
        }
    }
    Begin {
        is_reversed: false,
        origin: [middle(x), middle(y), z[0] * forward],
        way: tree.measures.reach + farthest,
        farthest,
    }
}
