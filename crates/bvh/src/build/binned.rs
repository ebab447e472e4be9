//! The split of one group: surface area heuristic over bins (Wald 2007, "On fast
//! Construction of SAH-based Bounding Volume Hierarchies").
//!
//! All in `f32`, though coordinates may be as large as `f32` allows and as small: half
//! centres do not overflow, and areas are taken in units of the group's own size.

use super::quality::MAX_BINS;
use super::reference::{Reach, Reference};
use fearless_simd::{Simd, SimdBase as _, f32x4, f32x8};

/// How the centres of a group fall into bins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// By axis: the first half centre, with its sign changed, and bins a unit; 0 on an axis
    /// where all centres are the same.
    start: [f32; 4],
    scale: [f32; 4],
    bins: usize,
}

impl Grid {
    /// `None` when all centres are the same.
    pub(super) fn new(centres: &Reach, bins: usize) -> Option<Self> {
        let [x, y, z, _, ..] = centres.0;
        // A little less than the number of bins, so that the last centre is in the last one.
        let usable = bins as f32 * (1.0 - 1e-5);
        let scale = [0, 1, 2].map(|axis| {
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

    /// Whether centres differ along an axis.
    fn has(&self, axis: usize) -> bool {
        self.scale[axis] > 0.0
    }

    /// The bin of a half centre by axis, below [`MAX_BINS`] whatever it is.
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

/// What fell into each bin of each axis.
#[derive(Clone)]
pub(super) struct Bins {
    reach: [[Reach; MAX_BINS]; 3],
    count: [[u32; MAX_BINS]; 3],
}

/// A plane between bins, and what lies on both sides of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    pub(super) axis: usize,
    /// The first bin of the second side.
    pub(super) boundary: usize,
    /// How many are on the first side.
    pub(super) middle: usize,
    pub(super) sides: [Reach; 2],
}

impl Bins {
    pub(super) const EMPTY: Bins = Bins {
        reach: [[Reach::EMPTY; MAX_BINS]; 3],
        count: [[0; MAX_BINS]; 3],
    };

    /// Empties the first bins.
    #[inline(always)]
    pub(super) fn clear(&mut self, bins: usize) {
        for axis in 0..3 {
            self.reach[axis][..bins].fill(Reach::EMPTY);
            self.count[axis][..bins].fill(0);
        }
    }

    #[inline(always)]
    pub(super) fn add<S: Simd>(&mut self, simd: S, part: &[Reference], grid: &Grid) {
        // Neighbours fall into the same bin, where each has to wait for the one before. So
        // two places take turns.
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
            self.count[axis][place] += 1;
        }
    }

    pub(super) fn join(&mut self, other: &Bins) {
        for axis in 0..3 {
            for bin in 0..MAX_BINS {
                let reach = &mut self.reach[axis][bin];
                *reach = reach.join(other.reach[axis][bin]);
                self.count[axis][bin] += other.count[axis][bin];
            }
        }
    }

    /// The split of least cost, of equals the first one met; `None` when there is none that
    /// leaves something on both sides.
    #[inline(always)]
    pub(super) fn cheapest<S: Simd>(&self, simd: S, grid: &Grid, unit: Unit) -> Option<Split> {
        let mut best = (f32::INFINITY, 0, 0);
        for axis in 0..3 {
            if !grid.has(axis) {
                continue;
            }
            let (reach, count) = (&self.reach[axis], &self.count[axis]);
            let mut right_costs = [0.0; MAX_BINS];
            let (mut sum, mut union) = (0, Reach::EMPTY.load(simd));
            for bin in (1..grid.bins).rev() {
                sum += count[bin];
                union = union.max(reach[bin].load(simd));
                right_costs[bin] = sum as f32 * unit.half_area(simd, union);
            }
            let (mut sum, mut union) = (0, Reach::EMPTY.load(simd));
            for bin in 1..grid.bins {
                sum += count[bin - 1];
                union = union.max(reach[bin - 1].load(simd));
                // Not a number where a side is empty, and then not less.
                let cost = sum as f32 * unit.half_area(simd, union) + right_costs[bin];
                if cost < best.0 {
                    best = (cost, axis, bin);
                }
            }
        }
        let (_, axis, boundary) = best;
        if boundary == 0 {
            return None;
        }
        let (reach, count) = (&self.reach[axis], &self.count[axis]);
        let [mut left, mut right] = [Reach::EMPTY.load(simd); 2];
        let mut middle = 0;
        for bin in 0..grid.bins {
            if bin < boundary {
                middle += count[bin] as usize;
                left = left.max(reach[bin].load(simd));
            } else {
                right = right.max(reach[bin].load(simd));
            }
        }
        Some(Split {
            axis,
            boundary,
            middle,
            sides: [Reach::of(left), Reach::of(right)],
        })
    }
}

/// The size of a group, in which areas within it are taken so that none overflows.
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

    /// Not a number for an empty box, or when there is nothing but a point.
    #[inline(always)]
    pub(super) fn half_area<S: Simd>(self, simd: S, reach: f32x8<S>) -> f32 {
        let scaled = reach * f32x8::splat(simd, self.0);
        let width = scaled + simd.slide_f32x8::<4>(scaled, scaled);
        let [x, y, z, ..]: [f32; 8] = width.into();
        x * (y + z) + y * z
    }
}
