//! Sorts triangles so that neighbours are near: by their centres along a Morton curve (Morton
//! 1966, "A Computer Oriented Geodetic Data Base and a New Technique in File Sequencing").
//!
//! The curve's grid covers the box of all centres, with numbers of steps along the axes that
//! make its cells nearly cubes, so that no bit of a key is spent on an axis along which nothing
//! differs. Where more triangles than fit a leaf share a cell, a grid of their own orders them:
//! a scene in a corner of a far larger one, or with one distant vertex, is ordered as well as
//! any other.

use super::radix;
use super::recursion::{Builder, extent};
use super::reference::{Reach, Reference};
use super::watch::Cancelled;
use crate::builder::unfinished::Unfinished;
use crate::simd_level::at_level;
use bytemuck::allocation::try_zeroed_vec;
use estoc_core::InlineMap;
use estoc_system::parallel::prelude::*;
use std::cmp::Ordering::Greater;
use std::ops::Range;

/// References that a thread takes at a time.
const CHUNK: usize = 1 << 12;

/// Bits of a key.
const BITS: u32 = 32;

/// Sorts the references along the curve into `sorted`; up to `most` of them may share a cell and
/// have any order. `centres` is the box of their half centres. References with the same centre
/// keep their order. The contents of `references` are unspecified afterwards.
pub(super) fn sort(
    references: &mut [Reference],
    sorted: &mut [Reference],
    centres: &Reach,
    most: usize,
    builder: &Builder<'_>,
) -> Result<(), Unfinished> {
    let watch = builder.watch;
    let Some(grid) = Grid::over(centres) else {
        sorted.copy_from_slice(references);
        return Ok(());
    };
    let keys = try_zeroed_vec(references.len());
    let mut keys = keys.map_err(|()| Unfinished::NoMemory)?;
    let places = keys.par_chunks_mut(CHUNK).zip(references.par_chunks(CHUNK));
    places
        .enumerate()
        .try_for_each(|(chunk, (keys, references))| {
            watch.check()?;
            // The key in the upper half, and the number of the reference in the lower, so that all
            // differ.
            let numbers = (chunk * CHUNK) as u64..;
            for (place, (number, reference)) in keys.iter_mut().zip(numbers.zip(references)) {
                *place = u64::from(grid.key(reference)) << u32::BITS | number;
            }
            Ok::<(), Cancelled>(())
        })?;
    let keys = radix::sorted(keys, watch)?;
    (sorted.par_chunks_mut(CHUNK).zip(keys.par_chunks(CHUNK))).try_for_each(|(places, keys)| {
        watch.check()?;
        for (place, &key) in places.iter_mut().zip(keys) {
            *place = references[key as u32 as usize];
        }
        Ok::<(), Cancelled>(())
    })?;
    let crowds = crowded(&keys, most);
    drop(keys);
    // The arrays swap their roles, so that nested grids need no more memory.
    let rooms = parts(references, crowds.clone());
    let crowds = parts(sorted, crowds);
    crowds
        .into_par_iter()
        .zip(rooms)
        .try_for_each(|(crowd, room)| {
            watch.check()?;
            let [_, centres] = at_level!(builder.level, simd => extent(simd, crowd));
            sort(crowd, room, &centres, most, builder)?;
            crowd.copy_from_slice(room);
            Ok::<(), Unfinished>(())
        })
}

/// Returns the ranges of more than `most` equal keys.
fn crowded(keys: &[u64], most: usize) -> Vec<Range<usize>> {
    let mut crowds = Vec::new();
    let cell = |place: usize| keys[place] >> u32::BITS;
    let mut first = 0;
    while first + most < keys.len() {
        if cell(first) != cell(first + most) {
            // No range of more than `most` equal keys begins here.
            first += 1;
            continue;
        }
        let same = keys[first..].partition_point(|key| key >> u32::BITS == cell(first));
        crowds.push(first..first + same);
        first += same;
    }
    crowds
}

/// Returns the parts of a slice at these ranges, which are in order and disjoint.
fn parts<T>(mut slice: &mut [T], places: Vec<Range<usize>>) -> Vec<&mut [T]> {
    let mut parts = Vec::with_capacity(places.len());
    let mut start = 0;
    for place in places {
        let (_, rest) = slice.split_at_mut(place.start - start);
        let (part, rest) = rest.split_at_mut(place.len());
        parts.push(part);
        slice = rest;
        start = place.end;
    }
    parts
}

/// A grid of nearly cubic cells over a box, and their numbers along the curve.
///
/// The longest axis is halved until it is no longer than the second, then both in turn until they
/// are no longer than the third, then all three: the upper, middle and lower bits of the key.
#[derive(Debug)]
struct Grid {
    /// From the longest to the shortest.
    axes: [usize; 3],
    /// By axis in that order.
    start: [f64; 3],
    scale: [f64; 3],
    /// The number of halvings of the longest axis alone, of the two longest, and of all three.
    alone: u32,
    two: u32,
    three: u32,
}

impl Grid {
    /// Returns a grid over the box of the half centres; `None` if all are equal or there is none.
    fn over(centres: &Reach) -> Option<Grid> {
        let Reach(reach) = centres;
        let size = |axis: usize| f64::from(reach[axis]) + f64::from(reach[axis + 4]);
        let mut axes = [0, 1, 2];
        axes.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
        let sizes = axes.map(size);
        if sizes[0].partial_cmp(&0.0) != Some(Greater) {
            return None;
        }
        // The number of halvings until one is no longer than the other; none for 0 / 0.
        let halvings = |long: f64, short: f64| match long / short {
            times if times >= 1.0 => (times.to_bits() >> 52) as u32 - 1023,
            _ => 0,
        };
        let alone = halvings(sizes[0], sizes[1]).min(BITS);
        let two = halvings(sizes[1], sizes[2]).min((BITS - alone) / 2);
        // One or two bits may remain unused: cells that are no longer cubes do not help.
        let three = (BITS - alone - 2 * two) / 3;
        let bits = [alone + two + three, two + three, three];
        let scale = |i: usize| match sizes[i] > 0.0 {
            true => (1_u64 << bits[i]) as f64 / sizes[i],
            false => 0.0,
        };
        Some(Grid {
            axes,
            start: axes.inline_map(|axis| -f64::from(reach[axis])),
            scale: [0, 1, 2].inline_map(scale),
            alone,
            two,
            three,
        })
    }

    /// Returns the number of the cell that a reference's centre lies in.
    fn key(&self, reference: &Reference) -> u32 {
        let Grid {
            alone, two, three, ..
        } = *self;
        let bits = [alone + two + three, two + three, three];
        let [x, y, z] = [0, 1, 2].inline_map(|i| {
            let place =
                (f64::from(reference.centre_at(self.axes[i])) - self.start[i]) * self.scale[i];
            // The greatest centre lies on the upper face of the last cell.
            (place as i64 as u64).min((1 << bits[i]) - 1)
        });
        let part = |place: u64, above: u32, bits: u32| place >> above & ((1 << bits) - 1);
        let upper = part(x, two + three, alone);
        let middle = by_two(part(x, three, two)) << 1 | by_two(part(y, three, two));
        let [x, y, z] = [x, y, z].inline_map(|place| by_three(part(place, 0, three)));
        let lower = x << 2 | y << 1 | z;
        (upper << (2 * two + 3 * three) | middle << (3 * three) | lower) as u32
    }
}

/// Inserts a zero after each of the lowest 16 bits.
fn by_two(bits: u64) -> u64 {
    let bits = (bits | bits << 8) & 0x00ff_00ff;
    let bits = (bits | bits << 4) & 0x0f0f_0f0f;
    let bits = (bits | bits << 2) & 0x3333_3333;
    (bits | bits << 1) & 0x5555_5555
}

/// Inserts two zeros after each of the lowest 10 bits.
fn by_three(bits: u64) -> u64 {
    let bits = (bits | bits << 16) & 0x0300_00ff;
    let bits = (bits | bits << 8) & 0x0300_f00f;
    let bits = (bits | bits << 4) & 0x030c_30c3;
    (bits | bits << 2) & 0x0924_9249
}
