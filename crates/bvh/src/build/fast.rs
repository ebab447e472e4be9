//! A tree that is built soon: the leaves are cut from the triangles' order along Morton's curve
//! ([`curve`], [`runs`]), and only the tree above them is chosen from the top down.
//!
//! So the expensive steps, which look at everything once for each level, have a sixth of the
//! things to look at, and none of the levels where groups are small. Building a tree over
//! clusters that a curve gives follows Garanzha, Pantaleoni and McAllister 2011 ("Simpler and
//! Faster HLBVH with Work Queues"); cutting the curve where the boxes are smallest is our own.

use super::binary::{BinaryNode, BinaryTree};
use super::curve;
use super::recursion::Builder;
use super::reference::Reference;
use super::runs::{MOST, ROW, Run, cut};
use estoc_core::CancelToken;
use rayon::prelude::*;

/// Rows that a thread cuts at a time.
const ROWS: usize = 8;

/// The tree over all triangles, above the leaves by a builder like this; `None` when
/// cancelled.
pub(super) fn build(references: Vec<Reference>, builder: &Builder<'_>) -> Option<BinaryTree> {
    let &Builder {
        settings,
        level,
        cancel,
        progress,
        ..
    } = builder;
    let count = references.len();
    let sorted = curve::sorted(&references, MOST, level, cancel)?;
    drop(references);
    let runs = all_runs(&sorted, cancel)?;
    let names: Vec<u32> = sorted.par_iter().map(Reference::prim).collect();
    drop(sorted);
    // Each run is like a triangle to the builder. Of runs as of triangles there are fewer than
    // 2^32.
    let numbered = runs.iter().zip(0..);
    let clusters: Vec<Reference> = numbered
        .map(|(run, number)| Reference::around(&run.reach, number))
        .collect();
    let placed = |done: usize| {
        if let Some(progress) = progress {
            progress((done as u128 * count as u128 / runs.len() as u128) as usize);
        }
    };
    let builder = Builder::new(settings, level, cancel, Some(&placed));
    let tree = builder.build(clusters)?;
    Some(opened(tree, &runs, &names))
}

fn all_runs(sorted: &[Reference], cancel: Option<&CancelToken>) -> Option<Vec<Run>> {
    let chunks = sorted.par_chunks(ROW * ROWS).map(|rows| {
        if cancel.is_some_and(CancelToken::is_cancelled) {
            return None;
        }
        let mut runs = Vec::with_capacity(rows.len() / 4);
        for row in rows.chunks(ROW) {
            cut(row, &mut runs);
        }
        Some(runs)
    });
    let chunks: Vec<Vec<Run>> = chunks.collect::<Option<_>>()?;
    Some(chunks.concat())
}

/// The tree over triangles that a tree over runs of them stands for.
fn opened(mut tree: BinaryTree, runs: &[Run], names: &[u32]) -> BinaryTree {
    // Where each run begins among the names, and where it comes to lie.
    let ends = |lens: &mut dyn Iterator<Item = u32>| {
        let mut end = 0;
        let mut starts = Vec::with_capacity(runs.len());
        for len in lens {
            starts.push(end);
            end += len;
        }
        starts
    };
    let from = ends(&mut runs.iter().map(|run| run.len));
    let to = ends(&mut tree.order.iter().map(|&run| runs[run as usize].len));
    let leaves = tree.nodes.par_iter_mut().filter(|node| node.is_leaf());
    leaves.for_each(|node| {
        let run = tree.order[node.first as usize];
        *node = BinaryNode {
            first: to[node.first as usize],
            len: runs[run as usize].len,
            ..*node
        };
    });
    let mut order = Vec::with_capacity(names.len());
    for &run in &tree.order {
        let first = from[run as usize] as usize;
        order.extend_from_slice(&names[first..first + runs[run as usize].len as usize]);
    }
    tree.order = order;
    tree
}
