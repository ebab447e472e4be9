//! Cuts a row of triangles into runs with small boxes.

use super::reference::{Reach, Reference};
use estoc_core::InlineMap;
use fearless_simd::{Simd, SimdBase as _};

/// The largest number of triangles in a run: that of a leaf.
pub const MOST: usize = crate::wide::WIDTH;

/// The largest number of triangles in a row; their data stays in the L1 cache.
pub const ROW: usize = 256;

/// The cost of a run beside its own box, in areas of the box of 64 neighbours: it takes a place in
/// a node further up. Without this cost there would be more and smaller runs, and the tree above
/// them would take longer to build; with 0.04 rays cost 1 % more, with 0.01 there are a tenth more
/// runs.
const RUN_COST: f32 = 0.025;

/// The bits that hold the length of a run.
const LENGTH: u32 = MOST as u32 - 1;
const _: () = assert!(MOST.is_power_of_two());

/// The number of triangles whose box measures the local size.
const NEIGHBOURS: usize = 64;

/// Consecutive triangles and their common box.
#[derive(Clone, Copy, Debug)]
pub struct LeafRun {
    pub reach: Reach,
    pub len: u32,
}

/// Cuts at most [`ROW`] triangles into runs of at most [`MOST`] with the least sum of the areas of
/// their boxes: dynamic programming from left to right.
///
/// The compiler vectorizes most of it, with the instructions of the caller.
///
/// Areas that overflow `f32` make runs that are longer or shorter than the best, nothing else.
#[inline(always)]
pub fn cut<S: Simd>(simd: S, row: &[Reference], runs: &mut Vec<LeafRun>) {
    debug_assert!(row.len() <= ROW);
    let len = row.len();
    let areas = areas(row);
    // No run ends before the beginning of the row: those entries stay infinite.
    let mut cost = [f32::INFINITY; MOST + ROW];
    cost[MOST - 1] = 0.0;
    let mut taken = [1u8; ROW + 1];
    let mut penalty = 0.0;
    for end in 1..=len {
        if (end - 1) % NEIGHBOURS == 0 {
            let near = &row[end - 1..len.min(end - 1 + NEIGHBOURS)];
            let share = near.len() as f32 / NEIGHBOURS as f32;
            penalty = half_area(&reach(simd, near)) * RUN_COST * share;
        }
        // The cost with the length in its last bits, which breaks ties and needs no branch. Numbers
        // that are not negative are ordered as their bits are.
        let mut best = u32::MAX;
        for run in (1..=MOST).rev() {
            let sum = cost[MOST - 1 + end - run] + areas[run - 1][end - 1];
            best = best.min(sum.to_bits() & !LENGTH | (MOST - run) as u32);
        }
        taken[end] = (MOST - (best & LENGTH) as usize).min(end) as u8;
        cost[MOST - 1 + end] = f32::from_bits(best) + penalty;
    }
    let before = runs.len();
    let mut end = len;
    while end > 0 {
        let first = end - usize::from(taken[end]);
        let reach = reach(simd, &row[first..end]);
        let len = u32::from(taken[end]);
        runs.push(LeafRun { reach, len });
        end = first;
    }
    runs[before..].reverse();
}

#[inline(always)]
fn reach<S: Simd>(simd: S, part: &[Reference]) -> Reach {
    let mut reach = Reach::EMPTY.load(simd);
    for reference in part {
        reach = reach.max(reference.reach().load(simd));
    }
    Reach::of(reach)
}

#[inline(always)]
fn half_area(Reach(reach): &Reach) -> f32 {
    let [x, y, z] = [0, 1, 2].inline_map(|axis| reach[axis + 4] + reach[axis]);
    x * y + y * z + z * x
}

/// Returns for each triangle half the area of the box of the last `i + 1` triangles up to it, or of
/// all up to it if they are fewer.
#[inline(always)]
fn areas(row: &[Reference]) -> [[f32; ROW]; MOST] {
    // One array for each coordinate, which the compiler vectorizes.
    let mut sides = [[0.0f32; ROW]; 6];
    for (i, reference) in row.iter().enumerate() {
        let Reach([x, y, z, _, u, v, w, _]) = reference.reach();
        for (side, number) in sides.iter_mut().zip([x, y, z, u, v, w]) {
            side[i] = number;
        }
    }
    let mut grown = sides;
    let mut areas = [[0.0; ROW]; MOST];
    for (back, areas) in areas.iter_mut().enumerate() {
        for (grown, side) in grown.iter_mut().zip(&sides) {
            for (grown, number) in grown[back..].iter_mut().zip(side) {
                *grown = if number > grown { *number } else { *grown };
            }
        }
        let [a, b, c, d, e, f] = &grown;
        for (i, area) in areas.iter_mut().enumerate() {
            let [x, y, z] = [a[i] + d[i], b[i] + e[i], c[i] + f[i]];
            *area = x * y + y * z + z * x;
        }
    }
    areas
}
