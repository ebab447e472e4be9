//! A row of triangles, cut into runs whose boxes are small.

use super::bounds::Bounds;
use super::recursion::Reference;

/// Most triangles in a run: what a leaf holds.
pub(super) const MOST: usize = crate::wide::WIDTH;

/// Triangles that one row may have: what is needed of them stays in the nearest cache.
pub(super) const ROW: usize = 512;

/// What a run costs beside its own box, in areas of the box of 64 neighbours: a node further up
/// has a place less. Without, there would be more and smaller runs than a tree can use:
/// measured on the hall and the bunny, of 0, 0.012, 0.037 and 0.12 the middle ones gave the
/// cheapest rays for the time that the tree above the runs takes.
const RUN_COST: f32 = 0.025;

/// Triangles whose box says how large things are hereabouts.
const NEIGHBOURS: usize = 64;

/// Some triangles in a row and the box of all of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) bounds: Bounds,
    pub(super) len: u32,
}

/// Cuts at most [`ROW`] triangles into runs of at most [`MOST`] so that the areas of their boxes
/// sum up to as little as can be: dynamic programming from left to right.
///
/// Areas that overflow `f32` make runs that are longer or shorter than is best, nothing else.
pub(super) fn cut(row: &[Reference], runs: &mut Vec<Run>) {
    debug_assert!(row.len() <= ROW);
    let len = row.len();
    let areas = areas(row);
    let mut cost = [0.0f32; ROW + 1];
    let mut taken = [1u8; ROW + 1];
    let mut penalty = 0.0;
    for end in 1..=len {
        if (end - 1) % NEIGHBOURS == 0 {
            let near = &row[end - 1..len.min(end - 1 + NEIGHBOURS)];
            let share = near.len() as f32 / NEIGHBOURS as f32;
            penalty = bounds(near).half_area() as f32 * RUN_COST * share;
        }
        let mut best = f32::INFINITY;
        for (i, areas) in areas.iter().enumerate().take(end) {
            let sum = cost[end - 1 - i] + areas[end - 1];
            if sum <= best {
                best = sum;
                taken[end] = i as u8 + 1;
            }
        }
        cost[end] = best + penalty;
    }
    let before = runs.len();
    let mut end = len;
    while end > 0 {
        let first = end - usize::from(taken[end]);
        let bounds = bounds(&row[first..end]);
        let len = u32::from(taken[end]);
        runs.push(Run { bounds, len });
        end = first;
    }
    runs[before..].reverse();
}

fn bounds(part: &[Reference]) -> Bounds {
    let mut bounds = Bounds::EMPTY;
    for reference in part {
        bounds.add(&reference.min, &reference.max);
    }
    bounds
}

/// For each triangle, half the areas of the boxes of the last `i + 1` up to it; of what there is
/// where there are not so many.
fn areas(row: &[Reference]) -> [[f32; ROW]; MOST] {
    // Rows of one coordinate, which compilers turn into vectors.
    let [mut min, mut max] = [[[0.0f32; ROW]; 3]; 2];
    for (i, reference) in row.iter().enumerate() {
        for axis in 0..3 {
            min[axis][i] = reference.min[axis];
            max[axis][i] = reference.max[axis];
        }
    }
    let [mut low, mut high] = [min, max];
    let mut areas = [[0.0; ROW]; MOST];
    for (back, areas) in areas.iter_mut().enumerate() {
        for axis in 0..3 {
            for (low, min) in low[axis][back..].iter_mut().zip(&min[axis]) {
                *low = if min < low { *min } else { *low };
            }
            for (high, max) in high[axis][back..].iter_mut().zip(&max[axis]) {
                *high = if max > high { *max } else { *high };
            }
        }
        for (i, area) in areas.iter_mut().enumerate() {
            let [x, y, z] = [0, 1, 2].map(|axis| high[axis][i] - low[axis][i]);
            *area = x * y + y * z + z * x;
        }
    }
    areas
}
