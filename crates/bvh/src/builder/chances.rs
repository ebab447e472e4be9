//! Estimates the chance that a ray which meets a node hits something in it.

use super::binary_tree::BinaryTree;
use super::unfinished::{Unfinished, room_for};
use super::watch::BuildWatch;
use super::wide_plan::WidePlan;
use crate::wide::LEAF_COST;
use estoc_core::InlineMap;

/// The order of the children of a wide node. Queries for any hit visit them in this order, and
/// those for the first hit do so with children in which the ray begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChildOrder {
    /// The largest box first.
    Area,
    /// The largest chance of a hit for its cost first.
    Chance,
}

/// The share of a wide node's cost that each of its binary nodes adds.
const BINARY_COST: f64 = 0.5;

/// For each node of a binary tree, what a ray that meets its box is expected to meet.
pub struct Chances(pub Vec<Chance>);

/// Expected numbers for a ray that meets a box. Random rays meet boxes in proportion to their areas.
#[derive(Clone, Copy, Default)]
pub struct Chance {
    hits: f32,
    cost: f32,
}

impl Chances {
    /// Returns the memory for this many nodes.
    pub(super) fn bytes(nodes: usize) -> usize {
        nodes * size_of::<Chance>()
    }

    /// Returns the chances of all nodes, of which each comes before those below it.
    pub(super) fn of(
        tree: &BinaryTree,
        plan: &WidePlan,
        watch: &BuildWatch<'_>,
    ) -> Result<Self, Unfinished> {
        /// The number of nodes between checks for cancellation.
        const CHUNK: usize = 1 << 13;
        let mut all: Vec<Chance> = room_for(tree.nodes.len())?;
        all.resize(tree.nodes.len(), Chance::default());
        for (place, node) in tree.nodes.iter().enumerate().rev() {
            if place % CHUNK == 0 {
                watch.check()?;
            }
            all[place] = match node.is_leaf() || plan.decision(place).is_leaf() {
                true => of_leaf(node.min, node.max),
                false => {
                    let area = node.bounds().half_area();
                    let (mut hits, mut cost) = (0.0, BINARY_COST);
                    for child in [node.first as usize, node.first as usize + 1] {
                        let share = match area > 0.0 {
                            true => tree.nodes[child].bounds().half_area() / area,
                            false => 1.0,
                        };
                        hits += share * f64::from(all[child].hits);
                        cost += share * f64::from(all[child].cost);
                    }
                    Chance {
                        hits: hits as f32,
                        cost: cost as f32,
                    }
                }
            };
        }
        Ok(Chances(all))
    }

    /// Returns the chance of a hit in a node for its cost.
    pub fn rank(&self, node: usize) -> f64 {
        let Chance { hits, cost } = self.0[node];
        let hits = f64::from(hits);
        // The chance of at least one, which is about the number if that is small, and never 1.
        hits / (1.0 + hits) / f64::from(cost)
    }
}

/// Returns the chance of a leaf with this box. Its triangles have about the area of the largest
/// face: exactly that if the box is flat and they fill it.
pub fn of_leaf(min: [f32; 3], max: [f32; 3]) -> Chance {
    let [x, y, z] = [0, 1, 2].inline_map(|i| f64::from(max[i]) - f64::from(min[i]));
    let faces = [x * y, y * z, z * x];
    let area: f64 = faces.iter().sum();
    let largest = faces.into_iter().fold(0.0, f64::max);
    Chance {
        hits: if area > 0.0 {
            (largest / area) as f32
        } else {
            1.0
        },
        cost: LEAF_COST as f32,
    }
}
