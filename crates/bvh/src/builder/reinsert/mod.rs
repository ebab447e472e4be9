//! Makes a binary tree better by moving subtrees to better places: parallel reinsertion
//! (Meister and Bittner 2018, "Parallel Reinsertion for Bounding Volume Hierarchy
//! Optimization").
//!
//! A round looks at the nodes with the largest boxes. For each of them, all threads search the
//! place in the tree where it would cost the least area, the place that it has included; then
//! the moves are made one after the other, those that gain most first. A move that would touch
//! what an earlier one changed is left to the next round. Neither what is found nor what is
//! made depends on the threads.

pub mod search;
pub mod topology;

use super::binary_tree::BinaryTree;
use super::watch::{Cancelled, Watch};
use crate::builder::unfinished::Unfinished;
use rayon::prelude::*;
use search::{Search, Step};
use topology::Topology;

/// Trees of fewer nodes are left alone: there is no other place in them.
const FEWEST: usize = 7;

/// Nodes that a thread takes at a time: fewer than are searched in a millisecond, but for
/// scenes where everything overlaps.
const CHUNK: usize = 64;

/// As many nodes say where the largest begin.
const SAMPLE: usize = 1 << 12;

/// The tree after some rounds. It has the same leaves in another order.
/// `rounds` says of each which share of all nodes it looks at, about; when one finds nothing,
/// those after it that look at no more are left out.
pub(super) fn reinsert(
    tree: BinaryTree,
    rounds: &[f64],
    watch: &Watch<'_>,
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

/// The moves that pay, each as if it were the only one; those that gain most first.
pub fn found(topology: &Topology, share: f64, watch: &Watch<'_>) -> Result<Vec<Step>, Cancelled> {
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

/// Makes what can be made of these; whether the tree became better. If it did not, as each move
/// knows nothing of the others, it is as it was before.
pub fn made(topology: &mut Topology, steps: &[Step], watch: &Watch<'_>) -> Result<bool, Cancelled> {
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

/// Nodes with the largest boxes, about this share of all; not the root and its children, which
/// have no other place.
fn candidates(topology: &Topology, share: f64) -> Vec<u32> {
    let count = topology.len();
    let step = count.div_ceil(SAMPLE);
    let mut sample: Vec<f64> = (1..count)
        .step_by(step)
        .map(|node| topology.hull(node as u32).half_area())
        .collect();
    sample.sort_unstable_by(|a, b| b.total_cmp(a));
    let last = ((sample.len() as f64 * share) as usize).min(sample.len() - 1);
    let least = if share < 1.0 { sample[last] } else { 0.0 };
    let top = topology.node(0).first;
    (1..count as u32)
        .into_par_iter()
        .filter(|&node| node != top && node != top + 1)
        .filter(|&node| topology.hull(node).half_area() >= least)
        .collect()
}
