//! How much work goes into a tree.

use super::binary_tree::BinaryTree;
use super::boxes::Boxes;
use super::fast;
use super::recursion::Builder;
use super::reinsert::reinsert;
use crate::builder::unfinished::Unfinished;

/// How much work goes into the tree. Answers do not depend on it, only their speed does.
///
/// Measured on scenes of 66 thousand to 2 million triangles: soups, scans, terrain and buildings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Quality {
    /// Built soonest, in 0.55 to 0.85 of the time of the usual choice; rays take as long
    /// to 1.13 times as long, on average 4 % longer.
    ///
    /// Leaves are cut from the order of the triangles along Morton's curve so that their boxes
    /// are small, and only the tree above them is chosen by what rays are expected to cost (after
    /// Garanzha, Pantaleoni and McAllister 2011, "Simpler and Faster HLBVH with Work Queues").
    Fast,
    /// The usual choice: all of the tree by what rays are expected to cost, over bins (Wald
    /// 2007, "On fast Construction of SAH-based Bounding Volume Hierarchies").
    #[default]
    Balanced,
    /// Queries are fastest, the build takes 2.5 to 4 times as long as the usual one. It pays where
    /// triangles differ in size: rays are 4 % to 30 % faster in buildings and 2 % to 5 % in soups.
    /// On scans and terrain, whose triangles are alike, it gains 1 % at the most.
    ///
    /// The usual tree with smaller leaves, of which subtrees are then moved to
    /// where they cost less (Meister and Bittner 2018, "Parallel Reinsertion for Bounding Volume
    /// Hierarchy Optimization").
    Best,
}

impl std::fmt::Display for Quality {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Quality::Fast => "fast",
            Quality::Balanced => "balanced",
            Quality::Best => "best",
        })
    }
}

/// What a quality means to the builder from the top down.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Places along an axis between which a split is tried in large groups; at most
    /// [`MAX_BINS`].
    bins: usize,
    /// How many of these even the smallest groups have.
    least_bins: usize,
    /// A larger group of triangles is always split, and no smaller one: becoming wide finds
    /// out which leaves had better be joined, and a split costs more than it can gain there.
    pub max_leaf: usize,
}

/// The most bins that any quality has.
pub(super) const MAX_BINS: usize = 128;

impl Settings {
    /// How many bins a group of so many triangles has: to look through them takes as long as
    /// to fill them, so small groups have fewer.
    pub(super) fn bins(&self, triangles: usize) -> usize {
        self.bins.min(self.least_bins + triangles / 8)
    }
}

impl Quality {
    /// The binary tree over what has these boxes.
    pub(super) fn tree(
        self,
        builder: &Builder<'_>,
        boxes: &impl Boxes,
    ) -> Result<BinaryTree, Unfinished> {
        match self {
            Quality::Fast => fast::build(builder, boxes),
            Quality::Balanced => builder.build(boxes),
            Quality::Best => {
                let tree = builder.build(boxes)?;
                let (triangles, nodes) = (tree.order.len(), tree.nodes.len());
                builder.memory.moved(triangles, nodes)?;
                reinsert(tree, &ROUNDS, builder.watch)
            }
        }
    }

    pub(super) const fn settings(self) -> Settings {
        match self {
            // Of runs of triangles.
            Quality::Fast => Settings {
                bins: 8,
                least_bins: 4,
                max_leaf: 1,
            },
            Quality::Balanced => Settings {
                bins: MAX_BINS,
                least_bins: 8,
                max_leaf: 4,
            },
            Quality::Best => Settings {
                bins: MAX_BINS,
                least_bins: 8,
                max_leaf: 2,
            },
        }
    }
}

/// Which share of all nodes each round of [`Quality::Best`] tries to move, largest first. All
/// are tried once: where triangles are long and thin, the gain is at the lower end of the tree.
/// The rounds before and after put the few nodes near its root right, which costs little.
const ROUNDS: [f64; 6] = [0.05, 0.05, 0.05, 1.0, 0.05, 0.05];
