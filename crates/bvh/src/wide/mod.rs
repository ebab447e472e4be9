//! The tree as queries walk it: eight children a node, up to eight triangles a leaf.

mod gathered_leaf;
mod leaf_blocks;
mod leaf_layout;
mod leaf_view;
mod node;
mod scale;

pub use leaf_blocks::{Axis, Block, Leaves, ROWS, write_leaf};
pub use leaf_layout::Layout;
pub(crate) use leaf_view::{Leaf, LeafView};
pub use node::{Child, Node, Tag, WIDTH};
pub use scale::Scale;

use estoc_core::{PrimId, Triangle};
use estoc_memory::Arena;

/// The most steps from the root to a leaf that a tree has before it becomes wide.
pub(crate) const MAX_DEPTH: usize = 96;

/// The most nodes on the way to a leaf that a tree may have: one for each step of the binary tree,
/// and some to spare.
pub(crate) const MAX_WIDE_DEPTH: usize = MAX_DEPTH + 12;

/// What testing the eight boxes of a node costs, and what a leaf of any size does: its
/// triangles are tested together.
pub(crate) const NODE_COST: f64 = 1.0;
pub(crate) const LEAF_COST: f64 = 0.8;

/// From so many times its farthest coordinate on, an origin is far away.
const SIZES: f32 = 16.0;

/// From here on, in units of the tree, origins are not for kernels in `f32`.
pub(crate) const FAR: f32 = (1u64 << 26) as f32;
/// 2^115: the farthest reach of a tree that is for kernels in `f32`.
pub(crate) const WIDE: f32 = f32::from_bits((127 + 115) << 23);

/// Nodes and leaves, in units of `scale`.
#[derive(Clone, Debug)]
pub struct WideTree {
    /// Node 0 is the root; empty when there are no triangles.
    pub nodes: Arena<Node>,
    pub leaves: Leaves,
    pub scale: Scale,
    pub measures: Measures,
}

/// What kernels have to know of a tree before they enter it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// The box of everything; `+inf` and `-inf` when there is nothing.
    min: [f32; 3],
    max: [f32; 3],
    /// The farthest coordinate.
    pub reach: f32,
    /// Origins farther out are far away.
    pub far: f32,
    /// Up to here, kernels need not think about an origin; negative if they always must.
    pub usual: f32,
}

impl Measures {
    fn of(nodes: &[Node], scale: Scale) -> Self {
        let [mut min, mut max] = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        if let Some(root) = nodes.first() {
            for axis in 0..3 {
                let [low, high] = root.faces[axis];
                min[axis] = low.into_iter().fold(f32::INFINITY, f32::min);
                max[axis] = high.into_iter().fold(f32::NEG_INFINITY, f32::max);
            }
        }
        let reach = min.into_iter().chain(max).map(f32::abs).fold(0.0, f32::max);
        let far = SIZES * reach;
        let usual = match scale.is_one() && reach <= WIDE {
            true => far.min(FAR.next_down()),
            false => -1.0,
        };
        Measures {
            min,
            max,
            reach,
            far,
            usual,
        }
    }
}

impl WideTree {
    pub fn new(nodes: Arena<Node>, leaves: Leaves, scale: Scale) -> Self {
        let measures = Measures::of(&nodes, scale);
        WideTree {
            nodes,
            leaves,
            scale,
            measures,
        }
    }

    /// Measures it again, after its boxes have changed.
    pub(crate) fn measure(&mut self) {
        self.measures = Measures::of(&self.nodes, self.scale);
    }

    /// Whether it is as large as it says, in a unit that is sound.
    pub(crate) fn is_measured(&self) -> bool {
        self.scale.is_sound() && self.measures == Measures::of(&self.nodes, self.scale)
    }

    /// The box of everything, as the mesh has it.
    pub(crate) fn bounds(&self) -> [[f32; 3]; 2] {
        [self.measures.min, self.measures.max].map(|p| self.unscaled(p))
    }

    /// The corner of a box as the mesh has it.
    pub(crate) fn unscaled(&self, p: [f32; 3]) -> [f32; 3] {
        // Boxes are larger than what is in them, which has finite numbers.
        p.map(|x| self.scale.down(x).clamp(f32::MIN, f32::MAX))
    }

    /// The triangle at a place in a leaf, as the mesh has it.
    #[inline(always)]
    pub fn triangle(&self, first: usize, len: usize, place: usize) -> (PrimId, Triangle) {
        self.view().triangle(first, len, place)
    }

    /// The leaves as queries read them.
    #[inline(always)]
    pub(crate) fn view(&self) -> LeafView<'_> {
        self.leaves.view(self.scale)
    }

    /// First slot and length of every leaf.
    pub(crate) fn leaf_ranges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let children = self
            .nodes
            .iter()
            .flat_map(|node| node.lanes().map(|lane| node.child(lane)));
        children.filter_map(|child| match child {
            Child::Leaf { first, len } => Some((first, len)),
            Child::Node(_) => None,
        })
    }
}
