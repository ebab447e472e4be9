//! From boxes to a tree: choose splits from the top down, then lay the nodes out.
//!
//! ```text
//!  Boxes --recursion, or fast--> BinaryTree --reinsert--> BinaryTree
//!  BinaryTree --wide_plan, collapse, LeafKind--> nodes and leaves of the wide tree
//! ```
//!
//! Steps up to the binary tree know boxes and numbers of things; what the things are, triangles
//! so far, only [`triangle_boxes`], [`triangle_leaves`] and [`mesh_scale`] know.

mod binary_tree;
mod binned;
mod bounds;
mod boxes;
mod budget;
mod collapse;
mod fast;
mod leaf_fill;
mod leaf_kind;
mod leaf_runs;
mod mesh_scale;
mod morton_curve;
mod node_array;
mod partition;
mod quality;
mod radix;
mod recursion;
mod reference;
mod reinsert;
mod triangle_boxes;
mod triangle_leaves;
mod unfinished;
mod watch;
mod wide_plan;

pub use quality::Quality;

pub(crate) use budget::Budget;
pub(crate) use unfinished::Unfinished;
pub(crate) use watch::Watch;
#[cfg(test)]
pub(crate) use {
    binary_tree::{BinaryNode, BinaryTree},
    bounds::Bounds,
    triangle_leaves::tree_over_mesh,
};

use crate::wide::{Layout, Scale, WideTree};
use estoc_mesh::Mesh;
use fearless_simd::Level;
use recursion::Builder;
use triangle_boxes::TriangleBoxes;

/// How to build.
#[derive(Clone, Copy)]
pub(crate) struct How<'a> {
    pub(crate) quality: Quality,
    /// The instructions to build with; the tree is the same for any.
    pub(crate) level: Level,
    pub(crate) watch: &'a Watch<'a>,
    pub(crate) memory: Budget,
    /// The one asked for.
    pub(crate) layout: Option<Layout>,
}

/// The tree over the triangles of a mesh.
pub(crate) fn build_over_mesh(mesh: &Mesh, how: How<'_>) -> Result<WideTree, Unfinished> {
    let How {
        quality,
        level,
        watch,
        memory,
        layout,
    } = how;
    let layout = memory.start(mesh.triangle_count(), layout)?;
    let scale = Scale::of_mesh(mesh, watch)?;
    let builder = Builder {
        settings: quality.settings(),
        level,
        watch,
        memory,
        leaf_bytes: layout.leaf_bytes(),
    };
    let tree = quality.tree(&builder, &TriangleBoxes::of(mesh, scale))?;
    triangle_leaves::tree_over_mesh(tree, mesh, scale, watch, memory, layout)
}
