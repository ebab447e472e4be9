//! Chooses which binary nodes become wide ones, which become leaves, and which are dissolved, so
//! that the expected cost of a random ray is least (Ylitie, Karras and Laine 2017, "Efficient
//! Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs", section 3).

use super::binary_tree::{BinaryNode, BinaryTree};
use super::unfinished::{Unfinished, room_for};
use super::watch::{BuildWatch, Phase};
use crate::wide::{LEAF_COST, NODE_COST, WIDTH};
use estoc_system::parallel::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// The number of triangles from which a subtree is worth sharing with other threads.
pub(super) const FORK_FROM: usize = 8192;

/// What becomes of a binary node, in one number.
///
/// Three bits for each number of places from two to seven: how many of these its first child gets,
/// 0 if one place less costs no more. Then three bits for the places of the first child if the node
/// becomes a wide one, and one bit that says that it becomes a leaf.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Decision(u32);

impl Decision {
    const BITS: usize = 3;
    const MASK: u32 = (1 << Self::BITS) - 1;
    const LEAF: u32 = 1 << (Self::BITS * (WIDTH - 1));

    /// Returns the position of the bits for this number of places; those for eight mean the wide
    /// node.
    fn shift(places: usize) -> usize {
        Self::BITS * (places - 2)
    }

    fn set(&mut self, places: usize, first: usize) {
        self.0 |= (first as u32) << Self::shift(places);
    }

    fn get(self, places: usize) -> usize {
        (self.0 >> Self::shift(places) & Self::MASK) as usize
    }

    pub(super) fn is_leaf(self) -> bool {
        self.0 & Self::LEAF != 0
    }

    /// Returns how many of a wide node's places its first binary child gets.
    pub(super) fn split(self) -> usize {
        self.get(WIDTH)
    }

    /// Returns the fewest places that cost no more than `places`, and how many of them the first
    /// child gets; `None` if one place costs no more, so that the node is not dissolved.
    pub(super) fn dissolved(self, places: usize) -> Option<(usize, usize)> {
        let splits = (2..=places).rev().map(|places| (places, self.get(places)));
        { splits }.find(|(_, first)| *first > 0)
    }
}

/// The least costs of a node with up to `i + 1` places among the children of a wide node, by `i`.
/// Never rises with `i`; the eighth entry is infinite.
type Costs = [f64; WIDTH];

/// The decision for each node of a binary tree.
pub(super) struct WidePlan {
    decisions: Vec<AtomicU32>,
    /// The largest number of items of a leaf.
    most: usize,
}

impl WidePlan {
    /// Returns the decisions of least cost, with leaves of at most `most` items.
    pub(super) fn of(
        tree: &BinaryTree,
        most: usize,
        watch: &BuildWatch<'_>,
    ) -> Result<Self, Unfinished> {
        let mut decisions = room_for(tree.nodes.len())?;
        let undecided = tree.nodes.par_iter().map(|_| AtomicU32::new(0));
        undecided.collect_into_vec(&mut decisions);
        let plan = WidePlan { decisions, most };
        if !tree.nodes.is_empty() {
            plan.decide_together(tree, 0, watch)?;
        }
        Ok(plan)
    }

    /// Decides on a subtree, together with other threads if it is large.
    fn decide_together(
        &self,
        tree: &BinaryTree,
        place: usize,
        watch: &BuildWatch<'_>,
    ) -> Result<(Costs, usize), Unfinished> {
        watch.check()?;
        let node = &tree.nodes[place];
        let triangles = tree.range(place).len();
        if node.is_leaf() || triangles < FORK_FROM {
            let decided = self.decide(tree, place);
            watch.done(Phase::Plan, triangles);
            return Ok(decided);
        }
        let first = node.first as usize;
        let (left, right) = estoc_system::parallel::join(
            || self.decide_together(tree, first, watch),
            || self.decide_together(tree, first + 1, watch),
        );
        let (decision, costs) = self.join(node, &left?.0, &right?.0, triangles);
        self.decisions[place].store(decision.0, Ordering::Relaxed);
        Ok((costs, triangles))
    }

    pub(super) fn decision(&self, node: usize) -> Decision {
        Decision(self.decisions[node].load(Ordering::Relaxed))
    }

    /// Decides on a subtree. Returns its costs and its number of triangles.
    fn decide(&self, tree: &BinaryTree, place: usize) -> (Costs, usize) {
        let node = &tree.nodes[place];
        let (decision, costs, triangles) = if node.is_leaf() {
            let mut costs = [node.bounds().half_area() * LEAF_COST; WIDTH];
            costs[WIDTH - 1] = f64::INFINITY;
            (Decision(Decision::LEAF), costs, node.len as usize)
        } else {
            let first = node.first as usize;
            let left = self.decide(tree, first);
            let right = self.decide(tree, first + 1);
            let triangles = left.1 + right.1;
            let (decision, costs) = self.join(node, &left.0, &right.0, triangles);
            (decision, costs, triangles)
        };
        self.decisions[place].store(decision.0, Ordering::Relaxed);
        (costs, triangles)
    }

    fn join(
        &self,
        node: &BinaryNode,
        left: &Costs,
        right: &Costs,
        triangles: usize,
    ) -> (Decision, Costs) {
        // By number of places up to eight, the cheapest distribution among both children, with at least
        // one place for each.
        let mut parted = [f64::INFINITY; WIDTH];
        let mut first = [1; WIDTH];
        let mut shifted = [f64::INFINITY; 2 * WIDTH];
        shifted[WIDTH..].copy_from_slice(right);
        for given in 1..WIDTH {
            for i in 0..WIDTH {
                let cost = left[given - 1] + shifted[WIDTH - given + i];
                let is_less = cost < parted[i];
                parted[i] = if is_less { cost } else { parted[i] };
                first[i] = if is_less { given } else { first[i] };
            }
        }
        let area = node.bounds().half_area();
        let as_node = parted[WIDTH - 1] + area * NODE_COST;
        let as_leaf = match triangles <= self.most {
            true => area * LEAF_COST,
            false => f64::INFINITY,
        };
        let mut decision = Decision(match as_leaf <= as_node {
            true => Decision::LEAF,
            false => 0,
        });
        decision.set(WIDTH, first[WIDTH - 1]);
        let mut costs = [f64::INFINITY; WIDTH];
        costs[0] = as_leaf.min(as_node);
        for places in 2..WIDTH {
            let (before, dissolved) = (costs[places - 2], parted[places - 1]);
            if dissolved < before {
                decision.set(places, first[places - 1]);
            }
            costs[places - 1] = before.min(dissolved);
        }
        (decision, costs)
    }
}
