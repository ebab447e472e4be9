//! The top-down recursion: which part of the triangles becomes which node.

use super::binary::{BinaryNode, BinaryTree};
use super::binned::{Bins, Grid, Unit};
use super::bounds::Bounds;
use super::partition::{part, part_together};
use super::quality::Settings;
use super::reference::{Reach, Reference};
use crate::tree::MAX_DEPTH;
use bytemuck::Zeroable;
use estoc_core::CancelToken;
use fearless_simd::{Level, Simd, SimdBase as _, dispatch};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// From this depth on, groups are halved whatever it costs, so that depth is bounded:
/// 2^32 triangles are gone after 32 halvings.
const HALVE_FROM: usize = MAX_DEPTH - 32;

/// Groups of this size and more are worth handing to another thread.
const FORK_FROM: usize = 4096;

/// Groups of this size and more are binned and parted by several threads.
const SHARE_FROM: usize = 1 << 16;

/// By so many are large groups binned at a time.
const CHUNK: usize = 1 << 14;

pub(super) struct Builder<'a> {
    pub(super) settings: Settings,
    pub(super) level: Level,
    pub(super) cancel: Option<&'a CancelToken>,
    pub(super) progress: Option<&'a (dyn Fn(usize) + Sync)>,
    placed: AtomicUsize,
}

/// Triangles that lie together, not yet split.
#[derive(Clone, Copy)]
struct Group {
    first: usize,
    len: usize,
    depth: usize,
    /// Where they reach, and where their half centres do.
    reach: Reach,
    centres: Reach,
}

impl Group {
    /// The two groups that a split makes.
    fn halves(&self, middle: usize, reach: [Reach; 2], centres: [Reach; 2]) -> [Group; 2] {
        let depth = self.depth + 1;
        let half = |side: usize, first, len| Group {
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

/// What became of a group.
enum Built {
    /// It was built by one thread. Node 0 is its root.
    Whole(Vec<BinaryNode>),
    Forked(Bounds, Box<[Built; 2]>),
}

impl Built {
    /// How many nodes were built by several threads, and by single ones the roots apart.
    fn count(&self) -> (usize, usize) {
        match self {
            Built::Whole(nodes) => (1, nodes.len() - 1),
            Built::Forked(_, children) => {
                let [left, right] = [&children[0], &children[1]].map(Built::count);
                (1 + left.0 + right.0, left.1 + right.1)
            }
        }
    }

    /// Lays out the nodes at `place` and below: the upper ones in `upper`, from `next` on,
    /// and those of whole groups in pieces of `lower`, which begins at `start`, later.
    fn lay_out<'a>(
        self,
        place: usize,
        next: &mut usize,
        upper: &mut [BinaryNode],
        lower: &mut Lower<'a>,
    ) {
        match self {
            Built::Whole(nodes) => {
                let by = lower.start - 1;
                upper[place] = nodes[0].moved(by);
                let rest = std::mem::take(&mut lower.rest);
                let (piece, rest) = rest.split_at_mut(nodes.len() - 1);
                lower.start += piece.len();
                lower.rest = rest;
                lower.pieces.push((piece, nodes, by));
            }
            Built::Forked(bounds, children) => {
                let first = *next;
                upper[place] = BinaryNode::inner(bounds, first);
                *next += 2;
                let [left, right] = *children;
                left.lay_out(first, next, upper, lower);
                right.lay_out(first + 1, next, upper, lower);
            }
        }
    }
}

/// Where nodes of whole groups go.
struct Lower<'a> {
    start: usize,
    rest: &'a mut [BinaryNode],
    /// A place for all but the root, the nodes, and how far they move.
    pieces: Vec<(&'a mut [BinaryNode], Vec<BinaryNode>, usize)>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        settings: Settings,
        level: Level,
        cancel: Option<&'a CancelToken>,
        progress: Option<&'a (dyn Fn(usize) + Sync)>,
    ) -> Self {
        Builder {
            settings,
            level,
            cancel,
            progress,
            placed: AtomicUsize::new(0),
        }
    }

    /// Brings the triangles into the order of the leaves; `None` when cancelled.
    pub(super) fn build(&self, mut references: Vec<Reference>) -> Option<BinaryTree> {
        if references.is_empty() {
            return Some(BinaryTree::default());
        }
        if self.is_cancelled() {
            return None;
        }
        let [reach, centres] = references
            .par_chunks(CHUNK)
            .map(|chunk| dispatch!(self.level, simd => extent(simd, chunk)))
            .reduce(
                || [Reach::EMPTY; 2],
                |a, b| [a[0].join(b[0]), a[1].join(b[1])],
            );
        let all = Group {
            first: 0,
            len: references.len(),
            depth: 0,
            reach,
            centres,
        };
        let built = self.group(&mut references, all)?;
        let order = references.par_iter().map(Reference::prim).collect();
        drop(references);
        let (upper, lower) = built.count();
        let mut nodes = bytemuck::zeroed_vec(upper + lower);
        let (above, below) = nodes.split_at_mut(upper);
        let mut lower = Lower {
            start: upper,
            rest: below,
            pieces: Vec::new(),
        };
        built.lay_out(0, &mut 1, above, &mut lower);
        lower.pieces.into_par_iter().for_each(|(place, nodes, by)| {
            for (to, node) in place.iter_mut().zip(&nodes[1..]) {
                *to = node.moved(by);
            }
        });
        Some(BinaryTree { nodes, order })
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(CancelToken::is_cancelled)
    }

    /// Builds a group, together with other threads if it is large.
    fn group(&self, part: &mut [Reference], group: Group) -> Option<Built> {
        if self.is_cancelled() {
            return None;
        }
        if group.len < FORK_FROM {
            let nodes = dispatch!(self.level, simd => self.alone(simd, part, group));
            self.report(group.len);
            return Some(Built::Whole(nodes));
        }
        let halves = self.split_together(part, &group);
        let (left, right) = part.split_at_mut(halves[0].len);
        let (left, right) = rayon::join(
            || self.group(left, halves[0]),
            || self.group(right, halves[1]),
        );
        let bounds = group.reach.bounds();
        Some(Built::Forked(bounds, Box::new([left?, right?])))
    }

    fn split_together(&self, part: &mut [Reference], group: &Group) -> [Group; 2] {
        if group.len < SHARE_FROM {
            let split = |bins: &mut Bins, part: &mut [Reference]| {
                dispatch!(self.level, simd => {
                    self.split(simd, part, group, bins).expect("leaves are small")
                })
            };
            return split(&mut Bins::EMPTY.clone(), part);
        }
        let bins = self.settings.bins;
        let grid = (group.depth < HALVE_FROM)
            .then(|| Grid::new(&group.centres, bins))
            .flatten();
        let split = grid.and_then(|grid| {
            let bins = self.bin_together(part, &grid);
            let unit = Unit::of(&group.reach);
            let split = dispatch!(self.level, simd => bins.cheapest(simd, &grid, unit));
            split.map(|split| (grid, split))
        });
        match split {
            Some((grid, split)) => {
                let centres = part_together(self.level, part, &grid, &split);
                group.halves(split.middle, split.sides, centres)
            }
            None => dispatch!(self.level, simd => halve(simd, part, group)),
        }
    }

    fn bin_together(&self, part: &[Reference], grid: &Grid) -> Box<Bins> {
        if part.len() > CHUNK {
            let (left, right) = part.split_at(part.len() / 2);
            let (left, right) = rayon::join(
                || self.bin_together(left, grid),
                || self.bin_together(right, grid),
            );
            return Box::new(left.join(&right));
        }
        let mut bins = Box::new(Bins::EMPTY);
        dispatch!(self.level, simd => bins.add(simd, part, grid));
        bins
    }

    /// Builds a small group. Its root comes first, all others after the node above.
    #[inline(always)]
    fn alone<S: Simd>(&self, simd: S, part: &mut [Reference], root: Group) -> Vec<BinaryNode> {
        let mut nodes = Vec::with_capacity(root.len);
        nodes.push(BinaryNode::zeroed());
        let mut bins = Bins::EMPTY;
        let mut pending = Vec::with_capacity(64);
        pending.push((root, 0));
        while let Some((group, place)) = pending.pop() {
            let from = group.first - root.first;
            let part = &mut part[from..from + group.len];
            let bounds = group.reach.bounds();
            match self.split(simd, part, &group, &mut bins) {
                None => nodes[place] = BinaryNode::leaf(bounds, group.first, group.len),
                Some([left, right]) => {
                    let below = nodes.len();
                    nodes[place] = BinaryNode::inner(bounds, below);
                    nodes.extend([BinaryNode::zeroed(); 2]);
                    pending.push((right, below + 1));
                    pending.push((left, below));
                }
            }
        }
        nodes
    }

    /// Splits a group, or says that it is a leaf.
    #[inline(always)]
    fn split<S: Simd>(
        &self,
        simd: S,
        references: &mut [Reference],
        group: &Group,
        bins: &mut Bins,
    ) -> Option<[Group; 2]> {
        if group.len == 1 {
            return None;
        }
        let fits_leaf = group.len <= self.settings.max_leaf;
        let count = self.settings.bins.min(4 + group.len / 8);
        let grid = match group.depth < HALVE_FROM {
            true => Grid::new(&group.centres, count),
            false => None,
        };
        let unit = Unit::of(&group.reach);
        // No closures: they would not be compiled for the instructions of their callers.
        let mut best = None;
        if let Some(grid) = grid {
            bins.clear(count);
            bins.add(simd, references, &grid);
            if let Some(split) = bins.cheapest(simd, &grid, unit) {
                best = Some((grid, split));
            }
        }
        let Some((grid, split)) = best else {
            return match fits_leaf {
                true => None,
                false => Some(halve(simd, references, group)),
            };
        };
        if fits_leaf && unit.is_leaf(simd, &group.reach, group.len, split.cost) {
            return None;
        }
        let (_, centres) = part(simd, references, &grid, &split);
        Some(group.halves(split.middle, split.sides, centres))
    }
}

impl Builder<'_> {
    fn report(&self, len: usize) {
        if let Some(progress) = self.progress {
            progress(self.placed.fetch_add(len, Ordering::Relaxed) + len);
        }
    }
}

/// Where triangles and their half centres reach.
#[inline(always)]
pub(super) fn extent<S: Simd>(simd: S, part: &[Reference]) -> [Reach; 2] {
    let (mut reach, mut centres) = (Reach::EMPTY.load(simd), Reach::EMPTY.load(simd));
    for reference in part {
        reach = reach.max(reference.reach().load(simd));
        centres = centres.max(reference.centre(simd));
    }
    [Reach::of(reach), Reach::of(centres)]
}

/// Splits a group in the middle, by the order of centres along the axis on which they differ
/// most; if they do not, by numbers.
fn halve<S: Simd>(simd: S, part: &mut [Reference], group: &Group) -> [Group; 2] {
    let width = |axis: usize| group.centres.0[axis] + group.centres.0[axis + 4];
    let wider = |best, axis| match width(axis) > width(best) {
        true => axis,
        false => best,
    };
    let axis = (1..3).fold(0, wider);
    let middle = part.len() / 2;
    let centre = |reference: &Reference| reference.centre_at(axis);
    part.select_nth_unstable_by(middle, |a, b| {
        let by_centre = centre(a).total_cmp(&centre(b));
        by_centre.then(a.prim().cmp(&b.prim()))
    });
    let (left, right) = part.split_at(middle);
    let [left, right] = [extent(simd, left), extent(simd, right)];
    group.halves(middle, [left[0], right[0]], [left[1], right[1]])
}
