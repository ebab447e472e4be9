//! Builds a tree from boxes: chooses splits from the top down, then lays out the nodes.
//!
//! ```text
//!  Boxes --recursion, or fast--> BinaryTree --reinsert--> BinaryTree
//!  BinaryTree --wide_plan, collapse, LeafKind--> nodes and leaves of the wide tree
//! ```
//!
//! Steps up to the binary tree see only numbered boxes; only [`triangle_boxes`],
//! [`triangle_leaves`] and [`mesh_scale`] know that these belong to triangles.

pub mod binary_tree;
mod binned;
pub mod bounds;
pub mod boxes;
mod budget;
pub mod chances;
mod collapse;
mod fast;
pub(crate) mod item_leaves;
mod leaf_fill;
mod leaf_kind;
pub mod leaf_runs;
mod mesh_scale;
mod morton_curve;
mod node_array;
mod partition;
mod quality;
pub mod radix;
pub mod recursion;
pub mod reference;
pub mod reinsert;
pub mod triangle_boxes;
pub mod triangle_leaves;
mod unfinished;
pub mod watch;
mod wide_plan;

pub use quality::Quality;

use crate::wide::{Layout, Scale, WideTree};
pub use budget::Budget;
use estoc_mesh::parts::Buffers;
use fearless_simd::Level;
use recursion::Builder;
use triangle_boxes::TriangleBoxes;
pub use unfinished::Unfinished;
pub use watch::BuildWatch;

/// The parameters of a build.
#[derive(Clone, Copy)]
pub(crate) struct How<'a> {
    pub(crate) quality: Quality,
    /// The instructions to build with; the tree does not depend on them.
    pub(crate) level: Level,
    pub(crate) watch: &'a BuildWatch<'a>,
    pub(crate) memory: Budget,
    /// The requested layout, if any.
    pub(crate) layout: Option<Layout>,
}

/// Builds the tree over the triangles of a mesh.
pub(crate) fn build_over_mesh(mesh: &Buffers, how: How<'_>) -> Result<WideTree, Unfinished> {
    let How {
        quality,
        level,
        watch,
        memory,
        layout,
    } = how;
    let layout = memory.start(mesh.indices().len(), layout)?;
    let scale = Scale::of_mesh(mesh, watch)?;
    let builder = Builder {
        settings: quality.settings(),
        level,
        watch,
        memory,
        leaf_bytes: layout.leaf_bytes(),
    };
    let tree = quality.tree(&builder, &TriangleBoxes::of(mesh, scale))?;
    triangle_leaves::tree_over_mesh(
        tree,
        mesh,
        scale,
        watch,
        memory,
        layout,
        quality.child_order(),
    )
}

/// Returns the builder's settings for a quality.
#[cfg(feature = "kernels")]
pub fn quality_settings(quality: Quality) -> quality::QualitySettings {
    quality.settings()
}
