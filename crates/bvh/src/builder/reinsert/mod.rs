//! Improves a binary tree by moving subtrees to better places: parallel reinsertion (Meister and
//! Bittner 2018, "Parallel Reinsertion for Bounding Volume Hierarchy Optimization").
//!
//! A round considers the nodes with the largest boxes. For each of them, in parallel, it searches
//! the place in the tree where the node would add the least area, its present place included. Then
//! it makes the moves one after the other, those of largest gain first. A move that touches what an
//! earlier one changed waits for the next round. The result does not depend on the threads.

pub mod search;
pub mod topology;

use super::binary_tree::BinaryTree;
use super::watch::{BuildWatch, Cancelled};
use crate::builder::unfinished::Unfinished;
use estoc_core::sort_compactly;
use estoc_system::parallel::prelude::*;
use search::{Search, Step};
use topology::Topology;

/// Trees of fewer nodes do not change: they have no other place for any node.
const FEWEST: usize = 7;

/// Nodes that a thread takes at a time: fewer than it searches in a millisecond, except in scenes
/// where everything overlaps.
const CHUNK: usize = 64;

/// The size of the sample from which the least area of a candidate is estimated.
const SAMPLE: usize = 1 << 12;

/// Returns the tree after some rounds, with the same leaves in another order. `rounds` are the
/// approximate shares of all nodes that each round considers; once a round gains nothing, later
/// ones with no larger share are skipped.
pub(super) fn reinsert(
    tree: BinaryTree,
    rounds: &[f64],
    watch: &BuildWatch<'_>,
) -> Result<BinaryTree, Unfinished> {
    if tree.nodes.len() < FEWEST {
        return Ok(tree);
    }
    let BinaryTree { nodes, order } = tree;
    let mut topology = Topology::new(nodes).ok_or(Unfinished::NoMemory)?;
    let mut done = 0.0;
    for &share in rounds {
        if share <= done {
            continue;
        }
        let steps = found(&topology, share, watch)?;
        if !made(&mut topology, &steps, watch)? {
            done = share;
        }
    }
    topology.finish(&order, watch)
}

/// Returns the moves that gain, each as if it were the only one, those of largest gain first.
pub fn found(
    topology: &Topology,
    share: f64,
    watch: &BuildWatch<'_>,
) -> Result<Vec<Step>, Cancelled> {
    let nodes = candidates(topology, share);
    let chunks = nodes
        .par_chunks(CHUNK)
        .map_init(Search::default, |search, nodes| {
            watch.check()?;
            let steps = nodes.iter().filter_map(|&node| search.best(topology, node));
            Ok(steps.collect::<Vec<Step>>())
        });
    let chunks: Vec<Vec<Step>> = chunks.collect::<Result<_, Cancelled>>()?;
    let mut steps = chunks.concat();
    steps.par_sort_unstable_by(|a, b| b.gain.total_cmp(&a.gain).then(a.from.cmp(&b.from)));
    Ok(steps)
}

/// Makes as many of these moves as possible, and returns whether the tree became better. If it did
/// not, since each move ignores the others, the tree is restored.
pub fn made(
    topology: &mut Topology,
    steps: &[Step],
    watch: &BuildWatch<'_>,
) -> Result<bool, Cancelled> {
    let before = topology.area();
    let log = topology.log_len();
    for steps in steps.chunks(CHUNK) {
        watch.check()?;
        for step in steps {
            topology.try_move(step.from, step.to);
        }
    }
    topology.end_round();
    let better = topology.area() < before;
    if !better {
        topology.take_back(log);
    }
    Ok(better)
}

/// Returns the nodes with the largest boxes, about this share of all, without the root and its
/// children, which have no other place.
fn candidates(topology: &Topology, share: f64) -> Vec<u32> {
    let count = topology.len();
    let step = count.div_ceil(SAMPLE);
    let mut sample: Vec<f64> = (1..count)
        .step_by(step)
        .map(|node| topology.hull(node as u32).half_area())
        .collect();
    sort_compactly(&mut sample, |a, b| b.total_cmp(a));
    let last = ((sample.len() as f64 * share) as usize).min(sample.len() - 1);
    let least = if share < 1.0 { sample[last] } else { 0.0 };
    let top = topology.node(0).first;
    (1..count as u32)
        .into_par_iter()
        .filter(|&node| node != top && node != top + 1)
        .filter(|&node| topology.hull(node).half_area() >= least)
        .collect()
}
