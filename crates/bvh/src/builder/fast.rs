//! Fast build: the leaves are cut from the triangles' order along a Morton curve
//! ([`morton_curve`], [`leaf_runs`]), and only the tree above them is built top-down.
//!
//! The expensive steps, which read everything once for each level, thus have a sixth of the
//! input, and none of the levels with small groups. Building a tree over clusters of a curve
//! follows Garanzha, Pantaleoni and McAllister 2011 ("Simpler and Faster HLBVH with Work
//! Queues"); cutting the curve where the boxes are smallest is our own.

use super::binary_tree::{BinaryNode, BinaryTree};
use super::boxes::Boxes;
use super::leaf_runs::{LeafRun, MOST, ROW, cut};
use super::morton_curve;
use super::recursion::{Builder, ReferenceGroup, extent};
use super::reference::Reference;
use super::watch::Phase;
use crate::builder::unfinished::{Unfinished, room_for};
use crate::simd_level::at_level;
use estoc_system::parallel::prelude::*;
use estoc_system::{Arena, Growth, NoMemory, zeroed};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rows that a thread cuts at a time.
const ROWS: usize = 16;

/// Runs that a thread writes at a time.
const CHUNK: usize = 1 << 12;

/// Builds the tree over all boxes; `builder` builds the part above the leaves.
pub(super) fn build(builder: &Builder<'_>, boxes: &impl Boxes) -> Result<BinaryTree, Unfinished> {
    let triangles = boxes.count();
    if triangles == 0 {
        return Ok(BinaryTree::default());
    }
    builder.memory.sorted(triangles)?;
    let (mut references, all) = builder.references(boxes)?;
    let mut sorted = Arena::zeroed(triangles).ok_or(Unfinished::NoMemory)?;
    morton_curve::sort(&mut references, &mut sorted, &all.centres, MOST, builder)?;
    drop(references);
    let runs = all_runs(&sorted, builder)?;
    let mut names = room_for(triangles)?;
    let prims = sorted.par_iter().map(Reference::prim);
    prims.collect_into_vec(&mut names);
    drop(sorted);
    // To the builder, each run is like one triangle. The progress of its triangles has been
    // reported already.
    let mut clusters = Arena::zeroed(runs.len()).ok_or(Unfinished::NoMemory)?;
    for ((cluster, run), number) in clusters.iter_mut().zip(&runs).zip(0..) {
        *cluster = Reference::around(&run.reach, number);
    }
    let extent = at_level!(builder.level, simd => extent(simd, &clusters));
    let above = Builder {
        watch: &builder.watch.silent(),
        memory: builder
            .memory
            .besides(names.len() * 4 + size_of_val(&*runs)),
        ..*builder
    };
    let all = ReferenceGroup::all(runs.len(), extent);
    let tree = above.split_all(clusters, all)?;
    Ok(opened(tree, &runs, &names)?)
}

fn all_runs(sorted: &[Reference], builder: &Builder<'_>) -> Result<Vec<LeafRun>, Unfinished> {
    let taken = AtomicUsize::new(0);
    let chunks = sorted.par_chunks(ROW * ROWS).map(|rows| {
        builder.watch.check()?;
        let mut runs = Vec::new();
        runs.make_room(rows.len() / 4)?;
        for row in rows.chunks(ROW) {
            at_level!(builder.level, simd => cut(simd, row, &mut runs));
        }
        builder.watch.done(Phase::Split, rows.len());
        let bytes = runs.capacity() * size_of::<LeafRun>();
        let bytes = taken.fetch_add(bytes, Ordering::Relaxed) + bytes;
        builder.memory.cut(sorted.len(), bytes)?;
        Ok(runs)
    });
    let chunks: Vec<Vec<LeafRun>> = chunks.collect::<Result<_, Unfinished>>()?;
    let mut runs = room_for(chunks.iter().map(Vec::len).sum())?;
    for chunk in chunks {
        runs.extend(chunk);
    }
    Ok(runs)
}

/// Replaces the runs in the leaves of a tree by their triangles.
fn opened(mut tree: BinaryTree, runs: &[LeafRun], names: &[u32]) -> Result<BinaryTree, NoMemory> {
    // The begin of each run among the names, and in the new order.
    let ends = |lens: &mut dyn Iterator<Item = u32>| {
        let mut end = 0;
        let mut starts = Vec::new();
        starts.make_room(runs.len())?;
        for len in lens {
            starts.push(end);
            end += len;
        }
        Ok(starts)
    };
    let from = ends(&mut runs.iter().map(|run| run.len))?;
    let to = ends(&mut tree.order.iter().map(|&run| runs[run as usize].len))?;
    let leaves = tree.nodes.par_iter_mut().filter(|node| node.is_leaf());
    leaves.for_each(|node| {
        let run = tree.order[node.first as usize];
        *node = BinaryNode {
            first: to[node.first as usize],
            len: runs[run as usize].len,
            ..*node
        };
    });
    let mut order = zeroed(names.len())?;
    let mut rest = &mut order[..];
    let mut pieces = Vec::new();
    for (chunk, starts) in tree.order.chunks(CHUNK).zip(to.chunks(CHUNK)) {
        let lens = chunk.iter().map(|&run| runs[run as usize].len as usize);
        let (piece, after) = rest.split_at_mut(lens.sum());
        rest = after;
        pieces.push((piece, chunk, starts));
    }
    pieces.into_par_iter().for_each(|(piece, chunk, starts)| {
        for (&run, start) in chunk.iter().zip(starts) {
            let (first, len) = (from[run as usize], runs[run as usize].len);
            let names = &names[first as usize..(first + len) as usize];
            let place = (start - starts[0]) as usize;
            piece[place..place + names.len()].copy_from_slice(names);
        }
    });
    tree.order = order;
    Ok(tree)
}
