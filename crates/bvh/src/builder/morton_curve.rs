//! Triangles in an order in which neighbours are near: that of their centres along Morton's
//! curve (Morton 1966, "A Computer Oriented Geodetic Data Base and a New Technique in File
//! Sequencing").
//!
//! The curve's grid is laid over the box of all centres and has as many steps along each axis
//! as make its cells about cubes, so that none of a key's bits is spent on an axis along which
//! there is nothing to tell apart. Where more than a leaf's triangles share a cell, they are
//! put in order by a grid of their own: a scene in a corner of a far larger one, or with one
//! vertex far away, is ordered as well as any other.

use super::radix;
use super::recursion::{Builder, extent};
use super::reference::{Reach, Reference};
use super::watch::Cancelled;
use crate::builder::unfinished::Unfinished;
use crate::simd_level::at_level;
use bytemuck::allocation::try_zeroed_vec;
use rayon::prelude::*;
use std::cmp::Ordering::Greater;
use std::ops::Range;

/// References are looked at in pieces of this size, by any thread.
const CHUNK: usize = 1 << 12;

/// Bits of a key.
const BITS: u32 = 32;

/// Puts the references into `sorted`, along the curve; `most` of them may share a cell in any
/// order. `centres` is where their half centres reach. Those with the same centre keep the order
/// in which they are given. What is left of the references has no meaning.
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
            // A key above, and below it the number of the reference: so no two are equal.
            let numbers = (chunk * CHUNK) as u64..;
            for (place, (number, reference)) in keys.iter_mut().zip(numbers.zip(references)) {
                *place = u64::from(grid.key(reference)) << u32::BITS | number;
            }
            Ok::<(), Cancelled>(())
        })?;
    let keys = radix::sorted(keys, watch)?;
    let places = sorted.par_chunks_mut(CHUNK).zip(keys.par_chunks(CHUNK));
    places.try_for_each(|(places, keys)| {
        watch.check()?;
        for (place, &key) in places.iter_mut().zip(keys) {
            *place = references[key as u32 as usize];
        }
        Ok::<(), Cancelled>(())
    })?;
    let crowds = crowded(&keys, most);
    drop(keys);
    // Both arrays change their roles, so that grids within grids take no more memory.
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

/// Where more than `most` neighbours have the same key.
fn crowded(keys: &[u64], most: usize) -> Vec<Range<usize>> {
    let mut crowds = Vec::new();
    let cell = |place: usize| keys[place] >> u32::BITS;
    let mut first = 0;
    while first + most < keys.len() {
        if cell(first) != cell(first + most) {
            // Whoever shares a cell with so many comes later.
            first += 1;
            continue;
        }
        let same = keys[first..].partition_point(|key| key >> u32::BITS == cell(first));
        crowds.push(first..first + same);
        first += same;
    }
    crowds
}

/// The parts of a slice at these places, which rise and do not overlap.
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

/// Cells over a box, about cubes, and numbers for them along the curve.
///
/// The longest axis is halved until it is no longer than the second, then both in turns until
/// they are no longer than the third, then all three: the key's upper, middle and lower bits.
#[derive(Debug)]
struct Grid {
    /// From the longest to the shortest.
    axes: [usize; 3],
    /// By axis in that order.
    start: [f64; 3],
    scale: [f64; 3],
    /// How many times the longest is halved alone, the two longest, and all three.
    alone: u32,
    two: u32,
    three: u32,
}

impl Grid {
    /// Over the half centres' box; `None` when all are the same, or there is none.
    fn over(centres: &Reach) -> Option<Grid> {
        let Reach(reach) = centres;
        let size = |axis: usize| f64::from(reach[axis]) + f64::from(reach[axis + 4]);
        let mut axes = [0, 1, 2];
        axes.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
        let sizes = axes.map(size);
        if sizes[0].partial_cmp(&0.0) != Some(Greater) {
            return None;
        }
        // How many halvings until one is no longer than the other. 0 / 0 is none.
        let halvings = |long: f64, short: f64| (long / short).log2().clamp(0.0, 64.0) as u32;
        let alone = halvings(sizes[0], sizes[1]).min(BITS);
        let two = halvings(sizes[1], sizes[2]).min((BITS - alone) / 2);
        // One or two bits may be left: cells that are no cubes any more are no help.
        let three = (BITS - alone - 2 * two) / 3;
        let bits = [alone + two + three, two + three, three];
        let scale = |i: usize| match sizes[i] > 0.0 {
            true => f64::from(bits[i]).exp2() / sizes[i],
            false => 0.0,
        };
        Some(Grid {
            axes,
            start: axes.map(|axis| -f64::from(reach[axis])),
            scale: [0, 1, 2].map(scale),
            alone,
            two,
            three,
        })
    }

    /// The number of the cell that a reference's centre lies in.
    fn key(&self, reference: &Reference) -> u32 {
        let Grid {
            alone, two, three, ..
        } = *self;
        let bits = [alone + two + three, two + three, three];
        let [x, y, z] = [0, 1, 2].map(|i| {
            let place =
                (f64::from(reference.centre_at(self.axes[i])) - self.start[i]) * self.scale[i];
            // The last centre lies on the far side of the last cell.
            (place as i64 as u64).min((1 << bits[i]) - 1)
        });
        let part = |place: u64, above: u32, bits: u32| place >> above & ((1 << bits) - 1);
        let upper = part(x, two + three, alone);
        let middle = by_two(part(x, three, two)) << 1 | by_two(part(y, three, two));
        let [x, y, z] = [x, y, z].map(|place| by_three(part(place, 0, three)));
        let lower = x << 2 | y << 1 | z;
        (upper << (2 * two + 3 * three) | middle << (3 * three) | lower) as u32
    }
}

/// A zero after each of the lowest 16 bits.
fn by_two(bits: u64) -> u64 {
    let bits = (bits | bits << 8) & 0x00ff_00ff;
    let bits = (bits | bits << 4) & 0x0f0f_0f0f;
    let bits = (bits | bits << 2) & 0x3333_3333;
    (bits | bits << 1) & 0x5555_5555
}

/// Two zeros after each of the lowest 10 bits.
fn by_three(bits: u64) -> u64 {
    let bits = (bits | bits << 16) & 0x0300_00ff;
    let bits = (bits | bits << 8) & 0x0300_f00f;
    let bits = (bits | bits << 4) & 0x030c_30c3;
    (bits | bits << 2) & 0x0924_9249
}
