//! Read access to the nodes of a tree.

use super::Bvh;
use crate::traverse::pair_space::{LANES, PairSpace};
use crate::wide::{Child, LeafView, Node, WideTree, WideTriangles};
use core::fmt;
use core::ops::Range;
use estoc_core::glam::DVec3;
use estoc_core::{Aabb, Coordinate, InlineMap, PrimId};

/// A node of a tree; see [`Bvh::nodes`].
pub struct NodeView<'a, C: Coordinate = f32> {
    tree: &'a WideTree,
    wide: &'a C::Beside<WideTriangles>,
    node: &'a Node,
}

impl<C: Coordinate> Clone for NodeView<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Coordinate> Copy for NodeView<'_, C> {}

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

impl<C: Coordinate> Bvh<C> {
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
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeView<'_, C>> + Clone {
        let (tree, wide) = (self.tree(), self.wide());
        tree.nodes
            .iter()
            .map(move |node| NodeView { tree, wide, node })
    }
}

impl<'a> NodeView<'a> {
    /// Returns the children, at most eight, each with a box in the mesh's units that contains all
    /// of its triangles with a margin of a few units in the last place. Queries for any hit try the
    /// first children first.
    pub fn children(self) -> impl ExactSizeIterator<Item = (Aabb, ChildView<'a>)> + Clone {
        self.each(move |lane| {
            let [min, max] = self.bounds(lane);
            // A mesh has finite corners, so the box always exists.
            Aabb::try_new(min, max).unwrap_or(Aabb::EMPTY)
        })
    }
}

impl<'a> NodeView<'a, f64> {
    /// Returns the children, at most eight, each with the corners of a box that contains all of its triangles, the
    /// lower first: as large as boxes of `f32`s in the frame of the mesh are.
    pub fn children(self) -> impl ExactSizeIterator<Item = ([DVec3; 2], ChildView<'a>)> + Clone {
        self.each(move |lane| {
            let [min, max] = self.bounds(lane);
            let ends = |axis: usize| [[min[axis]; LANES.len()], [max[axis]; LANES.len()]];
            let boxes = self.wide.boxes([0, 1, 2].inline_map(ends));
            [0, 1].map(|end: usize| DVec3::from_array(boxes.map(|ends| ends[end][0])))
        })
    }
}

impl<'a, C: Coordinate> NodeView<'a, C> {
    /// Returns the corners of the box of a child, in the units of the mesh or of its frame.
    fn bounds(self, lane: usize) -> [[f32; 3]; 2] {
        let (min, max) = self.node.bounds(lane);
        [min, max].map(|p| self.tree.unscaled(p))
    }

    fn each<B>(
        self,
        bounds: impl Fn(usize) -> B + Clone,
    ) -> impl ExactSizeIterator<Item = (B, ChildView<'a>)> + Clone {
        let NodeView { tree, node, .. } = self;
        node.lanes().map(move |lane| {
            let child = match node.child(lane) {
                Child::Node(place) => ChildView::Node(place),
                Child::Leaf { first, len } => ChildView::Leaf(LeafPrims {
                    leaves: tree.view(),
                    first,
                    len,
                    places: 0..len,
                }),
            };
            (bounds(lane), child)
        })
    }
}

impl fmt::Debug for NodeView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.children()).finish()
    }
}
