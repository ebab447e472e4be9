//! Read access to the nodes of a tree.

use super::Bvh;
use crate::wide::{Child, LeafView, Node, WideTree};
use core::fmt;
use core::ops::Range;
use estoc_core::{Aabb, PrimId};

/// A node of a tree; see [`Bvh::nodes`].
#[derive(Clone, Copy)]
pub struct NodeView<'a> {
    tree: &'a WideTree,
    node: &'a Node,
}

/// A child of a node; see [`NodeView::children`].
#[derive(Clone, Debug)]
pub enum ChildView<'a> {
    /// Another node, as its index in [`Bvh::nodes`], which is greater than that of its parent.
    Node(usize),
    /// One to eight triangles, in the order in which the tree stores them.
    Leaf(LeafPrims<'a>),
}

/// The triangles of a leaf; see [`ChildView::Leaf`].
#[derive(Clone)]
pub struct LeafPrims<'a> {
    leaves: LeafView<'a>,
    first: usize,
    len: usize,
    places: Range<usize>,
}

impl Iterator for LeafPrims<'_> {
    type Item = PrimId;

    fn next(&mut self) -> Option<PrimId> {
        Some(self.leaves.prim(self.first, self.len, self.places.next()?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

impl ExactSizeIterator for LeafPrims<'_> {}

impl fmt::Debug for LeafPrims<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl Bvh {
    /// Returns the nodes, to draw, export or measure the tree: the root first, and each before
    /// those below it. There are none if there are no triangles.
    ///
    /// How a tree is split may change with any version; answers never depend on it.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_mesh::*}; }
    /// use estoc::{Bvh, Mesh};
    /// use estoc_bvh::ChildView;
    /// let corners = [[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [1.0, 1.0, 6.0], [0.0, 1.0, 6.0]];
    /// let bvh = Bvh::build(&Mesh::try_new(corners, [[0, 1, 2], [0, 2, 3]])?);
    ///
    /// let mut triangles = 0;
    /// for node in bvh.nodes() {
    ///     for (bounds, child) in node.children() {
    ///         assert!(bounds.min().z > 4.9 && bounds.max().z < 6.1);
    ///         match child {
    ///             ChildView::Leaf(prims) => triangles += prims.len(),
    ///             ChildView::Node(place) => assert!(place < bvh.nodes().len()),
    ///         }
    ///     }
    /// }
    /// assert_eq!(triangles, 2);
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeView<'_>> + Clone {
        let tree = self.tree();
        tree.nodes.iter().map(move |node| NodeView { tree, node })
    }
}

impl<'a> NodeView<'a> {
    /// Returns the children, at most eight, each with a box in the mesh's units that contains all
    /// of its triangles with a margin of a few units in the last place. Queries for any hit try the
    /// first children first.
    pub fn children(self) -> impl ExactSizeIterator<Item = (Aabb, ChildView<'a>)> + Clone {
        let NodeView { tree, node } = self;
        node.lanes().map(move |lane| {
            let (min, max) = node.bounds(lane);
            let bounds = Aabb::try_new(tree.unscaled(min), tree.unscaled(max));
            let child = match node.child(lane) {
                Child::Node(place) => ChildView::Node(place),
                Child::Leaf { first, len } => ChildView::Leaf(LeafPrims {
                    leaves: tree.view(),
                    first,
                    len,
                    places: 0..len,
                }),
            };
            // A mesh has finite corners, so the box always exists.
            (bounds.unwrap_or(Aabb::EMPTY), child)
        })
    }
}

impl fmt::Debug for NodeView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.children()).finish()
    }
}
