//! Splits one group by the surface area heuristic over bins (Wald 2007, "On fast Construction
//! of SAH-based Bounding Volume Hierarchies").
//!
//! All in `f32`, although coordinates may be as large and as small as `f32` allows: half centres
//! do not overflow, and areas are computed in units of the group's own size.

use super::quality::MAX_BINS;
use super::reference::{Reach, Reference};
use estoc_core::InlineMap;
use fearless_simd::{Simd, SimdBase as _, f32x4, f32x8, u32x4};

/// The mapping of a group's centres to bins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// By axis: the least half centre, negated, and the bins per unit of length; 0 on an axis on
    /// which all centres are equal.
    start: [f32; 4],
    scale: [f32; 4],
    bins: usize,
}

impl Grid {
    /// Returns `None` if all centres are equal.
    pub(super) fn new(centres: &Reach, bins: usize) -> Option<Self> {
        let [x, y, z, _, ..] = centres.0;
        // Slightly less than the number of bins, so that the greatest centre falls into the last
        // bin.
        let usable = bins as f32 * (1.0 - 1e-5);
        let scale = [0, 1, 2].inline_map(|axis| {
            let width = centres.0[axis] + centres.0[axis + 4];
            match width > 0.0 {
                true => (usable / width).min(f32::MAX),
                false => 0.0,
            }
        });
        scale.iter().any(|&scale| scale > 0.0).then(|| Grid {
            start: [x, y, z, 0.0],
            scale: [scale[0], scale[1], scale[2], 0.0],
            bins,
        })
    }

    /// Returns three numbers that tell whether a half centre lies in a bin before a split's
    /// boundary: it does if its coordinate, plus the first and times the second number, is less
    /// than the third. A bin is the integer part of a number that is not negative.
    #[inline(always)]
    pub(super) fn side(&self, split: &Split) -> [f32; 3] {
        let axis = split.axis;
        [self.start[axis], self.scale[axis], split.boundary as f32]
    }

    /// Returns the bin of a half centre by axis, below [`MAX_BINS`] for any input.
    #[inline(always)]
    pub(super) fn place<S: Simd>(&self, simd: S, centre: f32x8<S>) -> [usize; 3] {
        let (_, centre) = simd.split_f32x8(centre);
        let start = f32x4::load_array_ref(simd, &self.start);
        let scale = f32x4::load_array_ref(simd, &self.scale);
        let place = simd.cvt_i32_f32x4((centre + start) * scale);
        let place: [i32; 4] = place.into();
        [
            place[0] as usize % MAX_BINS,
            place[1] as usize % MAX_BINS,
            place[2] as usize % MAX_BINS,
        ]
    }
}

/// The counts and boxes of all bins of each axis.
#[derive(Clone)]
pub(super) struct Bins {
    reach: [[Reach; MAX_BINS]; 3],
    /// By bin, then by axis; the fourth entry is always 0.
    count: [[u32; 4]; MAX_BINS],
}

/// A plane between bins, and the groups on both sides of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    pub(super) axis: usize,
    /// The first bin of the second side.
    pub(super) boundary: usize,
    /// The number of references on the first side.
    pub(super) middle: usize,
    pub(super) sides: [Reach; 2],
}

impl Bins {
    pub(super) const EMPTY: Bins = Bins {
        reach: [[Reach::EMPTY; MAX_BINS]; 3],
        count: [[0; 4]; MAX_BINS],
    };

    /// Empties the first `bins` bins.
    #[inline(always)]
    pub(super) fn clear(&mut self, bins: usize) {
        for axis in 0..3 {
            self.reach[axis][..bins].fill(Reach::EMPTY);
        }
        self.count[..bins].fill([0; 4]);
    }

    #[inline(always)]
    pub(super) fn add<S: Simd>(&mut self, simd: S, part: &[Reference], grid: &Grid) {
        // Consecutive references often fall into the same bin, which makes each update wait for the
        // one before. Two positions alternate instead.
        let (near, far) = part.split_at(part.len() / 2);
        for (near, far) in near.iter().zip(far) {
            self.add_one(simd, near, grid);
            self.add_one(simd, far, grid);
        }
        if far.len() > near.len() {
            self.add_one(simd, &far[near.len()], grid);
        }
    }

    #[inline(always)]
    fn add_one<S: Simd>(&mut self, simd: S, reference: &Reference, grid: &Grid) {
        let place = grid.place(simd, reference.centre(simd));
        let lanes = reference.reach().load(simd);
        for (axis, place) in place.into_iter().enumerate() {
            let reach = &mut self.reach[axis][place];
            *reach = Reach::of(reach.load(simd).max(lanes));
            self.count[place][axis] += 1;
        }
    }

    pub(super) fn join(&mut self, other: &Bins) {
        for axis in 0..3 {
            for bin in 0..MAX_BINS {
                let reach = &mut self.reach[axis][bin];
                *reach = reach.join(other.reach[axis][bin]);
                self.count[bin][axis] += other.count[bin][axis];
            }
        }
    }

    /// Returns the split of least cost, the first of equal ones; `None` if no split leaves
    /// something on both sides.
    ///
    /// Scans the bins of all three axes at once, one in each lane.
    #[inline(always)]
    pub(super) fn cheapest<S: Simd>(&self, simd: S, grid: &Grid, unit: Unit) -> Option<Split> {
        let bins = grid.bins.min(MAX_BINS);
        let empty = Reach::EMPTY.load(simd);
        let mut right_costs = [[0.0; 4]; MAX_BINS];
        let (mut sums, mut unions) = (u32x4::splat(simd, 0), [empty; 3]);
        for bin in (1..bins).rev() {
            right_costs[bin] = self.grown(simd, bin, &mut sums, &mut unions, unit).into();
        }
        let (mut sums, mut unions) = (u32x4::splat(simd, 0), [empty; 3]);
        let mut least = f32x4::splat(simd, f32::INFINITY);
        let mut boundaries = f32x4::splat(simd, 0.0);
        for (bin, right) in right_costs.iter().enumerate().take(bins).skip(1) {
            let left = self.grown(simd, bin - 1, &mut sums, &mut unions, unit);
            // NaN where a side is empty, which compares as not less. So it is everywhere on an axis
            // on which all centres are equal.
            let cost = left + f32x4::load_array_ref(simd, right);
            let is_less = simd.simd_lt_f32x4(cost, least);
            least = simd.select_f32x4(is_less, cost, least);
            let boundary = f32x4::splat(simd, bin as f32);
            boundaries = simd.select_f32x4(is_less, boundary, boundaries);
        }
        let (least, boundaries): ([f32; 4], [f32; 4]) = (least.into(), boundaries.into());
        let mut axis = 0;
        for other in 1..3 {
            if least[other] < least[axis] {
                axis = other;
            }
        }
        let boundary = boundaries[axis] as usize;
        if boundary == 0 {
            return None;
        }
        let reach = &self.reach[axis];
        let [mut left, mut right] = [Reach::EMPTY.load(simd); 2];
        let mut middle = 0;
        for (bin, (reach, count)) in reach.iter().zip(&self.count).enumerate().take(bins) {
            if bin < boundary {
                middle += count[axis] as usize;
                left = left.max(reach.load(simd));
            } else {
                right = right.max(reach.load(simd));
            }
        }
        Some(Split {
            axis,
            boundary,
            middle,
            sides: [Reach::of(left), Reach::of(right)],
        })
    }

    /// Adds a bin of each axis to the running sums. Returns the count so far times half the area of
    /// its box, by axis.
    #[inline(always)]
    fn grown<S: Simd>(
        &self,
        simd: S,
        bin: usize,
        sums: &mut u32x4<S>,
        unions: &mut [f32x8<S>; 3],
        unit: Unit,
    ) -> f32x4<S> {
        *sums += u32x4::load_array_ref(simd, &self.count[bin]);
        for (union, reach) in unions.iter_mut().zip(&self.reach) {
            *union = union.max(reach[bin].load(simd));
        }
        simd.cvt_f32_u32x4(*sums) * unit.half_areas(simd, unions)
    }
}

/// The size of a group, as the unit of areas within it, so that none overflows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit(f32);

impl Unit {
    pub(super) fn of(reach: &Reach) -> Self {
        let width = |axis: usize| 0.25 * reach.0[axis] + 0.25 * reach.0[axis + 4];
        let widest = width(0).max(width(1)).max(width(2));
        let unit = (1.0 / widest).clamp(f32::MIN_POSITIVE, f32::MAX);
        // A power of two, so that differences of coordinates stay exact.
        Unit(f32::from_bits(unit.to_bits() & f32::INFINITY.to_bits()))
    }

    /// Returns half the areas of three boxes, infinite for an empty one; the fourth lane is unused.
    #[inline(always)]
    fn half_areas<S: Simd>(self, simd: S, boxes: &[f32x8<S>; 3]) -> f32x4<S> {
        let [a, b, c] = [
            self.width(simd, boxes[0]),
            self.width(simd, boxes[1]),
            self.width(simd, boxes[2]),
        ];
        let (ac, bb) = (simd.zip_low_f32x4(a, c), simd.zip_low_f32x4(b, b));
        let x = simd.zip_low_f32x4(ac, bb);
        let y = simd.zip_high_f32x4(ac, bb);
        let (ac, bb) = (simd.zip_high_f32x4(a, c), simd.zip_high_f32x4(b, b));
        let z = simd.zip_low_f32x4(ac, bb);
        x * (y + z) + y * z
    }

    /// Returns the extent of a box along each axis.
    #[inline(always)]
    fn width<S: Simd>(self, simd: S, reach: f32x8<S>) -> f32x4<S> {
        let (low, high) = simd.split_f32x8(reach * f32x8::splat(simd, self.0));
        low + high
    }
}
