//! Partitions a group in place: the references of one side before those of the other.

use super::binned::{Grid, Split};
use super::reference::{Reach, Reference};
use super::watch::{BuildWatch, Cancelled};
use crate::simd_level::at_level;
use estoc_core::sort_compactly;
use estoc_system::parallel::prelude::*;
use fearless_simd::{Level, Simd, SimdBase as _, f32x8};
use std::cmp::Ordering;

/// The block size for large groups. The bounds of blocks affect the order of triangles, so they
/// must not depend on threads.
const BLOCK: usize = 1 << 14;

/// By side: the offsets of a half centre with which it counts on the second side, and on the first.
const AWAY: [[f32; 2]; 2] = [[0.0, f32::NEG_INFINITY], [f32::NEG_INFINITY, 0.0]];

/// Moves the references of the first side to the front. Returns their number, and the boxes of the
/// half centres of both sides.
#[inline(always)]
pub(super) fn part<S: Simd>(
    simd: S,
    part: &mut [Reference],
    grid: &Grid,
    split: &Split,
) -> (usize, [Reach; 2]) {
    let (mut left, mut right) = (Reach::EMPTY.load(simd), Reach::EMPTY.load(simd));
    let [start, scale, boundary] = grid.side(split);
    let mut middle = 0;
    // Everything before `middle` is of the first side, and from there to `i` of the second. So the
    // swap is harmless if it is not needed, and there is no branch to mispredict.
    for i in 0..part.len() {
        let centre = part[i].centre(simd);
        let is_left = (part[i].centre_at(split.axis) + start) * scale < boundary;
        part.swap(i, middle);
        middle += usize::from(is_left);
        // Unchanged, or moved to where it does not affect the maximum.
        let [away, stays] = AWAY[usize::from(is_left)];
        left = left.max(centre + f32x8::splat(simd, stays));
        right = right.max(centre + f32x8::splat(simd, away));
    }
    (middle, [Reach::of(left), Reach::of(right)])
}

/// Does what [`part`] does with several threads: partitions blocks separately, and then swaps the
/// stretches on the wrong side of the whole.
pub(super) fn part_together(
    level: Level,
    watch: &BuildWatch<'_>,
    references: &mut [Reference],
    grid: &Grid,
    split: &Split,
) -> Result<[Reach; 2], Cancelled> {
    let blocks = references.par_chunks_mut(BLOCK);
    let parted: Vec<(usize, [Reach; 2])> = blocks
        .map(|block| {
            watch.check()?;
            Ok(at_level!(level, simd => part(simd, block, grid, split)))
        })
        .collect::<Result<_, _>>()?;
    // On each side of the whole, the stretches that belong on the other.
    let (mut low, mut high) = (Vec::new(), Vec::new());
    let mut rest = references;
    let mut start = 0;
    for (middle, _) in &parted {
        let (block, after) = rest.split_at_mut(rest.len().min(BLOCK));
        rest = after;
        let len = block.len();
        let (first, second) = block.split_at_mut(*middle);
        let (_, misplaced) = first.split_at_mut(outside(start..start + middle, split.middle));
        high.push(misplaced);
        let second_start = start + middle;
        let within = outside(second_start..start + len, split.middle);
        low.push(second.split_at_mut(within).0);
        start += len;
    }
    let mut swaps = Vec::new();
    let (mut low, mut high) = (low.into_iter(), high.into_iter());
    let (mut a, mut b): (&mut [Reference], &mut [Reference]) = (&mut [], &mut []);
    loop {
        if a.is_empty() {
            let Some(next) = low.next() else { break };
            a = next;
        } else if b.is_empty() {
            let Some(next) = high.next() else { break };
            b = next;
        } else {
            let len = a.len().min(b.len());
            let (a_now, a_later) = a.split_at_mut(len);
            let (b_now, b_later) = b.split_at_mut(len);
            swaps.push((a_now, b_now));
            (a, b) = (a_later, b_later);
        }
    }
    swaps
        .into_par_iter()
        .for_each(|(low, high)| low.swap_with_slice(high));
    let join = |a: [Reach; 2], b: [Reach; 2]| [a[0].join(b[0]), a[1].join(b[1])];
    let reaches = parted.into_iter().map(|(_, reach)| reach);
    Ok(reaches.fold([Reach::EMPTY; 2], join))
}

/// Compares half centres along an axis, and the numbers of references if these are equal: no two
/// references are equal.
pub(super) fn before(axis: usize, a: &Reference, b: &Reference) -> Ordering {
    let by_centre = a.centre_at(axis).total_cmp(&b.centre_at(axis));
    by_centre.then(a.prim().cmp(&b.prim()))
}

/// Moves the references before the median along an axis to the front, for groups of any size.
/// Checks for cancellation after every block.
pub(super) fn halve_watched(
    watch: &BuildWatch<'_>,
    references: &mut [Reference],
    axis: usize,
) -> Result<(), Cancelled> {
    /// The number of references whose median is the pivot.
    const SAMPLE: usize = 63;
    /// Each try leaves about half. After this many misleading samples another is not worth it.
    const TRIES: usize = 64;
    let middle = references.len() / 2;
    let (mut low, mut high) = (0, references.len());
    for _ in 0..TRIES {
        if high - low <= BLOCK {
            break;
        }
        let sample = references[low..high].iter().step_by((high - low) / SAMPLE);
        let mut sample: Vec<Reference> = sample.copied().collect();
        sort_compactly(&mut sample, |a, b| before(axis, a, b));
        let pivot = sample[SAMPLE / 2];
        let mut end = low;
        for block in (low..high).step_by(BLOCK) {
            watch.check()?;
            for i in block..high.min(block + BLOCK) {
                let is_before = before(axis, &references[i], &pivot).is_lt();
                references.swap(i, end);
                end += usize::from(is_before);
            }
        }
        match middle < end {
            true => high = end,
            false => low = end,
        }
    }
    watch.check()?;
    references[low..high].select_nth_unstable_by(middle - low, |a, b| before(axis, a, b));
    Ok(())
}

/// Returns how much of a range is before the middle.
fn outside(range: std::ops::Range<usize>, middle: usize) -> usize {
    middle.clamp(range.start, range.end) - range.start
}
