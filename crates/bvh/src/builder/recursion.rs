//! The top-down recursion: chooses which triangles form which node.

use super::binary_tree::{BinaryNode, BinaryTree};
use super::binned::{Bins, Grid, Unit};
use super::boxes::Boxes;
use super::budget::Budget;
use super::node_array::Built;
use super::partition::{before, halve_watched, part, part_together};
use super::quality::QualitySettings;
use super::reference::{Reach, Reference};
use super::watch::{BuildWatch, Cancelled, Phase};
use crate::builder::unfinished::{Unfinished, room_for};
use crate::simd_level::at_level;
use crate::wide::MAX_DEPTH;
use bytemuck::Zeroable;
use estoc_system::parallel::prelude::*;
use estoc_system::{Arena, Growth, NoMemory, collected};
use fearless_simd::{Level, Simd, SimdBase as _};

/// From this depth on, groups are halved at any cost, so that the depth is bounded: 32 halvings
/// reduce 2^32 triangles to one.
const HALVE_FROM: usize = MAX_DEPTH - 32;

/// The size from which a group is worth another thread.
const FORK_FROM: usize = 4096;

/// The size from which several threads bin and partition a group together.
const SHARE_FROM: usize = 1 << 16;

/// References of a large group that a thread bins at a time.
const CHUNK: usize = 1 << 14;

pub struct Builder<'a> {
    pub settings: QualitySettings,
    pub level: Level,
    pub watch: &'a BuildWatch<'a>,
    pub memory: Budget,
    /// Bytes of each triangle in the finished tree.
    pub leaf_bytes: usize,
}

/// Consecutive triangles that are not split yet.
#[derive(Clone, Copy)]
pub(super) struct ReferenceGroup {
    first: usize,
    len: usize,
    depth: usize,
    /// The box of the triangles, and that of their half centres.
    reach: Reach,
    pub(super) centres: Reach,
}

impl ReferenceGroup {
    /// Returns the group of all triangles.
    pub(super) fn all(len: usize, [reach, centres]: [Reach; 2]) -> Self {
        ReferenceGroup {
            first: 0,
            len,
            depth: 0,
            reach,
            centres,
        }
    }

    fn leaf(&self) -> BinaryNode {
        BinaryNode::leaf(self.reach.bounds(), self.first, self.len)
    }

    /// Returns the axis on which centres differ most.
    fn widest(&self) -> usize {
        let width = |axis: usize| self.centres.0[axis] + self.centres.0[axis + 4];
        let wider = |best, axis| match width(axis) > width(best) {
            true => axis,
            false => best,
        };
        (1..3).fold(0, wider)
    }

    /// Returns the two groups that a split makes.
    fn halves(&self, middle: usize, reach: [Reach; 2], centres: [Reach; 2]) -> [ReferenceGroup; 2] {
        let depth = self.depth + 1;
        let half = |side: usize, first, len| ReferenceGroup {
            first,
            len,
            depth,
            reach: reach[side],
            centres: centres[side],
        };
        [
            half(0, self.first, middle),
            half(1, self.first + middle, self.len - middle),
        ]
    }
}

impl Builder<'_> {
    /// Builds the binary tree over these boxes.
    pub fn build(&self, boxes: &impl Boxes) -> Result<BinaryTree, Unfinished> {
        if boxes.count() == 0 {
            return Ok(BinaryTree::default());
        }
        let (references, all) = self.references(boxes)?;
        self.split_all(references, all)
    }

    /// Returns references to all boxes, and the group of them, which is not empty.
    pub(super) fn references(
        &self,
        boxes: &impl Boxes,
    ) -> Result<(Arena<Reference>, ReferenceGroup), Unfinished> {
        let mut references = Arena::zeroed(boxes.count()).ok_or(Unfinished::NoMemory)?;
        let all = self.read(boxes, &mut references)?;
        Ok((references, all))
    }

    /// Builds the binary tree over these references.
    pub(super) fn split_all(
        &self,
        mut references: Arena<Reference>,
        all: ReferenceGroup,
    ) -> Result<BinaryTree, Unfinished> {
        let built = self.group(&mut references, all)?;
        if u32::try_from(built.len()).is_err() {
            return Err(Unfinished::TooMany);
        }
        let mut order = room_for(references.len())?;
        let names = references.par_iter().map(Reference::prim);
        names.collect_into_vec(&mut order);
        drop(references);
        self.memory
            .laid_out(self.leaf_bytes, order.len(), built.len())?;
        let nodes = built.into_nodes().ok_or(Unfinished::NoMemory)?;
        Ok(BinaryTree { nodes, order })
    }

    /// Writes a reference to each box, and returns the group of them all.
    fn read(
        &self,
        boxes: &impl Boxes,
        references: &mut [Reference],
    ) -> Result<ReferenceGroup, Cancelled> {
        let chunks = references.par_chunks_mut(CHUNK);
        let extent = chunks
            .enumerate()
            .map(|(chunk, references)| {
                self.watch.check()?;
                for (reference, number) in references.iter_mut().zip(chunk * CHUNK..) {
                    *reference = Reference::new(number as u32, boxes.bounds(number));
                }
                self.watch.done(Phase::Read, references.len());
                Ok(at_level!(self.level, simd => extent(simd, references)))
            })
            .try_reduce_with(joined)
            .unwrap_or(Ok([Reach::EMPTY; 2]))?;
        Ok(ReferenceGroup::all(references.len(), extent))
    }

    /// Builds a group, together with other threads if it is large.
    fn group(&self, part: &mut [Reference], group: ReferenceGroup) -> Result<Built, Unfinished> {
        self.watch.check()?;
        if group.len < FORK_FROM {
            let nodes = at_level!(self.level, simd => self.alone(simd, part, group))?;
            self.watch.done(Phase::Split, group.len);
            return Ok(Built::Whole(nodes));
        }
        let halves = match group.len < SHARE_FROM {
            true => {
                let mut bins = Bins::EMPTY;
                let split =
                    at_level!(self.level, simd => self.split(simd, part, &group, &mut bins));
                split.expect("leaves are small")
            }
            false => self.split_together(part, &group)?,
        };
        let (left, right) = part.split_at_mut(halves[0].len);
        let (left, right) = estoc_system::parallel::join(
            || self.group(left, halves[0]),
            || self.group(right, halves[1]),
        );
        let bounds = group.reach.bounds();
        Ok(Built::Forked(bounds, collected([left?, right?])?))
    }

    fn split_together(
        &self,
        part: &mut [Reference],
        group: &ReferenceGroup,
    ) -> Result<[ReferenceGroup; 2], Unfinished> {
        if let Some(grid) = self.grid(group, self.settings.bins(group.len)) {
            let bins = self.bin_together(part, &grid)?;
            let unit = Unit::of(&group.reach);
            let split = at_level!(self.level, simd => bins[0].cheapest(simd, &grid, unit));
            if let Some(split) = split {
                let centres = part_together(self.level, self.watch, part, &grid, &split)?;
                return Ok(group.halves(split.middle, split.sides, centres));
            }
        }
        halve_watched(self.watch, part, group.widest())?;
        let middle = part.len() / 2;
        let (left, right) = part.split_at(middle);
        let [left, right] = [self.extent(left)?, self.extent(right)?];
        Ok(group.halves(middle, [left[0], right[0]], [left[1], right[1]]))
    }

    /// Does what [`extent`] does with several threads.
    fn extent(&self, part: &[Reference]) -> Result<[Reach; 2], Cancelled> {
        let chunks = part.par_chunks(CHUNK).map(|part| {
            self.watch.check()?;
            Ok(at_level!(self.level, simd => extent(simd, part)))
        });
        let extent = chunks.try_reduce_with(joined);
        extent.unwrap_or(Ok([Reach::EMPTY; 2]))
    }

    /// Returns the bins in a vector of one, which reports a lack of memory where a box cannot.
    fn bin_together(&self, part: &[Reference], grid: &Grid) -> Result<Vec<Bins>, Unfinished> {
        self.watch.check()?;
        if part.len() > CHUNK {
            let (left, right) = part.split_at(part.len() / 2);
            let (left, right) = estoc_system::parallel::join(
                || self.bin_together(left, grid),
                || self.bin_together(right, grid),
            );
            let (mut left, right) = (left?, right?);
            left[0].join(&right[0]);
            return Ok(left);
        }
        let mut bins = collected([Bins::EMPTY])?;
        at_level!(self.level, simd => bins[0].add(simd, part, grid));
        Ok(bins)
    }

    /// Returns bins for a group, unless it is to be halved.
    #[inline(always)]
    fn grid(&self, group: &ReferenceGroup, bins: usize) -> Option<Grid> {
        match group.depth < HALVE_FROM {
            true => Grid::new(&group.centres, bins),
            false => None,
        }
    }

    /// Builds a small group. Its root comes first, all others after their parents.
    #[inline(always)]
    fn alone<S: Simd>(
        &self,
        simd: S,
        part: &mut [Reference],
        root: ReferenceGroup,
    ) -> Result<Vec<BinaryNode>, NoMemory> {
        let mut nodes = Vec::new();
        nodes.make_room(root.len)?;
        nodes.push(BinaryNode::zeroed());
        let mut bins = Bins::EMPTY;
        let mut pending = Vec::new();
        pending.make_room(64)?;
        pending.push((root, 0));
        while let Some((group, place)) = pending.pop() {
            let from = group.first - root.first;
            let part = &mut part[from..from + group.len];
            match self.split(simd, part, &group, &mut bins) {
                None => nodes[place] = group.leaf(),
                Some([left, right]) => {
                    let below = nodes.len();
                    nodes[place] = BinaryNode::inner(group.reach.bounds(), below);
                    // Final if they are leaves; overwritten otherwise.
                    nodes.make_room(2)?;
                    nodes.extend([left.leaf(), right.leaf()]);
                    if right.len > self.settings.max_leaf {
                        pending.try_push((right, below + 1))?;
                    }
                    if left.len > self.settings.max_leaf {
                        pending.try_push((left, below))?;
                    }
                }
            }
        }
        nodes.trim();
        Ok(nodes)
    }

    /// Splits a group; `None` if it is a leaf.
    #[inline(always)]
    fn split<S: Simd>(
        &self,
        simd: S,
        references: &mut [Reference],
        group: &ReferenceGroup,
        bins: &mut Bins,
    ) -> Option<[ReferenceGroup; 2]> {
        if group.len <= self.settings.max_leaf {
            return None;
        }
        let count = self.settings.bins(group.len);
        let grid = self.grid(group, count);
        let unit = Unit::of(&group.reach);
        // No closures: they would not be compiled with the instructions of their callers.
        let mut best = None;
        if let Some(grid) = grid {
            bins.clear(count);
            bins.add(simd, references, &grid);
            if let Some(split) = bins.cheapest(simd, &grid, unit) {
                best = Some((grid, split));
            }
        }
        let Some((grid, split)) = best else {
            return Some(halve(simd, references, group));
        };
        let (_, centres) = part(simd, references, &grid, &split);
        Some(group.halves(split.middle, split.sides, centres))
    }
}

/// Joins both pairs of boxes.
fn joined(a: [Reach; 2], b: [Reach; 2]) -> Result<[Reach; 2], Cancelled> {
    Ok([a[0].join(b[0]), a[1].join(b[1])])
}

/// Returns the boxes of triangles and of their half centres.
#[inline(always)]
pub(super) fn extent<S: Simd>(simd: S, part: &[Reference]) -> [Reach; 2] {
    let (mut reach, mut centres) = (Reach::EMPTY.load(simd), Reach::EMPTY.load(simd));
    for reference in part {
        reach = reach.max(reference.reach().load(simd));
        centres = centres.max(reference.centre(simd));
    }
    [Reach::of(reach), Reach::of(centres)]
}

/// Splits a group at the median of centres along the axis on which they differ most; by numbers if
/// they do not differ.
fn halve<S: Simd>(simd: S, part: &mut [Reference], group: &ReferenceGroup) -> [ReferenceGroup; 2] {
    let (middle, axis) = (part.len() / 2, group.widest());
    part.select_nth_unstable_by(middle, |a, b| before(axis, a, b));
    let (left, right) = part.split_at(middle);
    let [left, right] = [extent(simd, left), extent(simd, right)];
    group.halves(middle, [left[0], right[0]], [left[1], right[1]])
}
