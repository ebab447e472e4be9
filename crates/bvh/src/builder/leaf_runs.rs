//! A row of triangles, cut into runs whose boxes are small.

use super::reference::{Reach, Reference};
use fearless_simd::{Simd, SimdBase as _};

/// Most triangles in a run: what a leaf holds.
pub const MOST: usize = crate::wide::WIDTH;

/// Triangles that one row may have: what is needed of them stays in the nearest cache.
pub const ROW: usize = 256;

/// What a run costs beside its own box, in areas of the box of 64 neighbours: a node further up
/// has a place less. Without, there would be more and smaller runs, above which the tree takes
/// longer to build; with 0.04 rays cost 1 % more, with 0.01 there are a tenth more.
const RUN_COST: f32 = 0.025;

/// Bits that tell the lengths of runs apart.
const LENGTH: u32 = MOST as u32 - 1;
const _: () = assert!(MOST.is_power_of_two());

/// Triangles whose box says how large things are hereabouts.
const NEIGHBOURS: usize = 64;

/// Some triangles in a row, and where they reach together.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub reach: Reach,
    pub len: u32,
}

/// Cuts at most [`ROW`] triangles into runs of at most [`MOST`] so that the areas of their boxes
/// sum up to as little as can be: dynamic programming from left to right.
///
/// Most vectors are what the compiler makes of it, with the instructions of its caller.
///
/// Areas that overflow `f32` make runs that are longer or shorter than is best, nothing else.
#[inline(always)]
pub fn cut<S: Simd>(simd: S, row: &[Reference], runs: &mut Vec<Run>) {
    debug_assert!(row.len() <= ROW);
    let len = row.len();
    let areas = areas(row);
    // Before the row's beginning nothing ends: those places stay infinite.
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
        // A cost with the length in its last bits, which decides between equal ones, and needs
        // no branch. Numbers that are not negative are ordered as their bits are.
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
        runs.push(Run { reach, len });
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
    let [x, y, z] = [0, 1, 2].map(|axis| reach[axis + 4] + reach[axis]);
    x * y + y * z + z * x
}

/// For each triangle, half the areas of the boxes of the last `i + 1` up to it; of what there is
/// where there are not so many.
#[inline(always)]
fn areas(row: &[Reference]) -> [[f32; ROW]; MOST] {
    // Rows of one number, which compilers turn into vectors.
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
