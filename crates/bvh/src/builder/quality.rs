//! The choice between build time and query speed.

use super::binary_tree::BinaryTree;
use super::boxes::Boxes;
use super::chances::ChildOrder;
use super::fast;
use super::recursion::Builder;
use super::reinsert::reinsert;
use crate::builder::unfinished::Unfinished;

/// How much work goes into building a tree. It affects the speed of queries, never their answers.
///
/// Measured on scenes of 66 thousand to 2 million triangles: soups, scans, terrain and buildings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Quality {
    /// The fastest build, in 0.55 to 0.85 of the time of `Balanced`; rays take 1 to 1.13 times as
    /// long, on average 4 % longer.
    ///
    /// Leaves are cut from the order of the triangles along a Morton curve so that their boxes are
    /// small, and only the tree above them is built by the surface area heuristic (after Garanzha,
    /// Pantaleoni and McAllister 2011, "Simpler and Faster HLBVH with Work Queues").
    Fast,
    /// The default: the whole tree is built by the surface area heuristic over bins (Wald 2007,
    /// "On fast Construction of SAH-based Bounding Volume Hierarchies").
    #[default]
    Balanced,
    /// The fastest queries; the build takes 2.5 to 4 times as long as with `Balanced`. It pays
    /// where triangles differ in size: rays are 4 % to 30 % faster in buildings and 2 % to 5 % in
    /// soups. On scans and terrain, whose triangles are alike, it gains 1 % at the most.
    ///
    /// The tree is built as with `Balanced`, with smaller leaves; then subtrees are moved to where
    /// they cost less (Meister and Bittner 2018, "Parallel Reinsertion for Bounding Volume
    /// Hierarchy Optimization"). Rays that look for any hit visit those children of a node first
    /// that are most likely to be hit for their cost.
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

/// The settings of the top-down builder for a quality.
#[derive(Clone, Copy, Debug)]
pub struct QualitySettings {
    /// The number of bins along an axis in large groups; at most [`MAX_BINS`].
    bins: usize,
    /// The number of bins of even the smallest groups.
    least_bins: usize,
    /// Groups of more triangles are always split, others never: the collapse finds out which
    /// leaves to join, and a split costs more than it can gain there.
    pub max_leaf: usize,
}

/// The settings of trees over boxes of whole objects, which take far longer to test than a box. Such
/// trees are built again whenever objects move.
pub(super) const OF_ITEMS: QualitySettings = QualitySettings {
    bins: 32,
    least_bins: 4,
    max_leaf: 1,
};

/// The largest number of bins of any quality.
pub(super) const MAX_BINS: usize = 128;

impl QualitySettings {
    /// Returns the number of bins of a group of this size. Scanning the bins takes as long as
    /// filling them, so small groups have fewer.
    pub(super) fn bins(&self, triangles: usize) -> usize {
        self.bins.min(self.least_bins + triangles / 8)
    }
}

impl Quality {
    /// Returns the order of the children of nodes.
    pub(super) fn child_order(self) -> ChildOrder {
        match self {
            Quality::Fast | Quality::Balanced => ChildOrder::Area,
            Quality::Best => ChildOrder::Chance,
        }
    }

    /// Builds the binary tree over these boxes.
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

    pub(super) const fn settings(self) -> QualitySettings {
        match self {
            // Counts runs of triangles.
            Quality::Fast => QualitySettings {
                bins: 8,
                least_bins: 4,
                max_leaf: 1,
            },
            Quality::Balanced => QualitySettings {
                bins: MAX_BINS,
                least_bins: 8,
                max_leaf: 4,
            },
            Quality::Best => QualitySettings {
                bins: MAX_BINS,
                least_bins: 8,
                max_leaf: 2,
            },
        }
    }
}

/// The share of all nodes that each round of [`Quality::Best`] tries to move, largest first. All
/// are tried once: where triangles are long and thin, the gain is at the bottom of the tree. The
/// rounds before and after improve the few nodes near the root, which costs little.
const ROUNDS: [f64; 6] = [0.05, 0.05, 0.05, 1.0, 0.05, 0.05];
