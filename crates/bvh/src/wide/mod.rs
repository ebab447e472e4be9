//! The tree that queries traverse: eight children a node, up to eight triangles a leaf.

mod gathered_leaf;
mod item_tree;
mod leaf_blocks;
mod leaf_layout;
mod leaf_view;
mod node;
mod scale;
mod wide_triangles;

pub use item_tree::WideBounds;
pub(crate) use item_tree::{ItemFrame, ItemTree};
pub use leaf_blocks::{Axis, Block, Leaves, ROWS, write_leaf};
pub use leaf_layout::Layout;
pub(crate) use leaf_view::{Leaf, LeafView};
pub use node::{Child, Node, Tag, WIDTH};
pub use scale::Scale;
pub use wide_triangles::WideTriangles;
pub(crate) use wide_triangles::{bytes_beside, wide_triangles};

use estoc_core::InlineMap;
use estoc_core::{PrimId, Triangle};
use estoc_system::Arena;

/// The largest depth of a leaf in a binary tree, in steps from the root.
pub(crate) const MAX_DEPTH: usize = 96;

/// The largest number of nodes on the path to a leaf of a wide tree: one for each step of the
/// binary tree, with some to spare.
pub(crate) const MAX_WIDE_DEPTH: usize = MAX_DEPTH + 12;

/// The most children that wait in a traversal that takes a node off its stack before it adds the
/// node's children.
pub(crate) const MOST_WAITING: usize = 1 + (WIDTH - 1) * MAX_WIDE_DEPTH;

/// The costs of testing the eight boxes of a node, and of testing a leaf of any size, whose
/// triangles are tested together.
pub(crate) const NODE_COST: f64 = 1.0;
pub(crate) const LEAF_COST: f64 = 0.8;

/// Origins farther out than this many times the tree's farthest coordinate are far away.
const SIZES: f32 = 16.0;

/// The limit, in units of the tree, of origins for kernels in `f32`.
pub(crate) const FAR: f32 = (1u64 << 26) as f32;
/// 2^115: the largest reach of a tree for kernels in `f32`.
pub(crate) const WIDE: f32 = f32::from_bits((127 + 115) << 23);

/// Nodes and leaves, in units of `scale`.
#[derive(Clone, Debug)]
pub struct WideTree {
    /// Node 0 is the root; empty if there are no triangles.
    pub nodes: Arena<Node>,
    pub leaves: Leaves,
    pub scale: Scale,
    pub measures: Measures,
}

/// What kernels need to know of a tree before they traverse it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// The box of everything; `+inf` and `-inf` if there is nothing.
    pub min: [f32; 3],
    pub max: [f32; 3],
    /// The largest absolute coordinate.
    pub reach: f32,
    /// Origins farther out are far away.
    pub far: f32,
    /// Origins up to here need no special care in kernels; negative if all do.
    pub usual: f32,
    /// Origins up to here are fit for the kernels of plain rays; negative if none is.
    pub plain: f32,
}

/// 2^-20 and 2^30: the least and the largest reach of a tree for the kernels of plain rays.
const PLAIN: core::ops::RangeInclusive<f32> =
    f32::from_bits((127 - 20) << 23)..=f32::from_bits((127 + 30) << 23);

impl Measures {
    pub fn of(nodes: &[Node], scale: Scale) -> Self {
        let (min, max) = nodes.first().unwrap_or(&Node::EMPTY).hull();
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
            plain: if PLAIN.contains(&reach) { usual } else { -1.0 },
        }
    }

    /// Returns whether the leaf test of plain rays applies to rays from this origin.
    pub fn may_be_certain(&self, origin: [f32; 3]) -> bool {
        origin.into_iter().all(|x| x.abs() <= self.plain)
    }

    /// Returns whether any origins are fit for the kernels of plain rays.
    pub fn has_plain_rays(&self) -> bool {
        self.plain >= 0.0
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

    /// Updates the measures after the boxes have changed.
    pub(crate) fn measure(&mut self) {
        self.measures = Measures::of(&self.nodes, self.scale);
    }

    /// Returns whether the stored measures are right and the scale is valid.
    pub(crate) fn is_measured(&self) -> bool {
        self.scale.is_sound() && self.measures == Measures::of(&self.nodes, self.scale)
    }

    /// Returns the box of everything, in the mesh's units.
    pub(crate) fn bounds(&self) -> [[f32; 3]; 2] {
        [self.measures.min, self.measures.max].inline_map(|p| self.unscaled(p))
    }

    /// Returns a corner of a box in the mesh's units.
    pub(crate) fn unscaled(&self, p: [f32; 3]) -> [f32; 3] {
        // Boxes are larger than their contents, whose numbers are finite.
        p.inline_map(|x| self.scale.down(x).clamp(f32::MIN, f32::MAX))
    }

    /// Returns the triangle at a place in a leaf, in the mesh's units.
    #[inline(always)]
    pub fn triangle(&self, first: usize, len: usize, place: usize) -> (PrimId, Triangle) {
        self.view().triangle(first, len, place)
    }

    /// Returns the leaves in the form that queries read.
    #[inline(always)]
    pub(crate) fn view(&self) -> LeafView<'_> {
        self.leaves.view(self.scale)
    }

    /// Returns all triangles in the order of the leaves, in the mesh's units.
    pub(crate) fn triangles(&self) -> impl Iterator<Item = (PrimId, Triangle)> + '_ {
        let leaves = self.leaf_ranges();
        leaves.flat_map(move |(first, len)| {
            (0..len).map(move |place| self.triangle(first, len, place))
        })
    }

    /// Returns the first slot and the length of every leaf.
    pub(crate) fn leaf_ranges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.nodes.iter().flat_map(Node::leaves)
    }
}
