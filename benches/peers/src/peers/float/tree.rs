//! A copy of estoc's tree, node by node and leaf by leaf, with precomputed triangles.

use super::child::Child;
use super::leaf::{self, ROWS, Rows, WIDTH, precomputed};
use super::node::Node;
use super::stack;
use estoc::{Bvh, Mesh, PrimId, stats::ChildView};

pub(super) struct Tree {
    /// In the order of `Bvh::nodes`. Every child refers into these two arrays, and no path is
    /// longer than `stack::DEPTH`.
    nodes: Vec<Node>,
    /// Rows of all leaves, and eight more numbers.
    leaves: Vec<u32>,
}

impl Tree {
    /// Copies a tree; an error when it is too large or too deep.
    pub(super) fn twin(bvh: &Bvh, mesh: &Mesh) -> Result<Self, String> {
        if bvh.stats().depth > stack::DEPTH {
            return Err("too deep for the stack".to_owned());
        }
        if mesh.triangle_count() > leaf::MOST {
            return Err("too many triangles for 28-bit ids".to_owned());
        }
        let mut tree = Tree {
            nodes: Vec::with_capacity(bvh.nodes().len()),
            leaves: Vec::with_capacity(ROWS * mesh.triangle_count() + WIDTH),
        };
        for view in bvh.nodes() {
            let mut node = Node::EMPTY;
            for (lane, (bounds, child)) in view.children().enumerate() {
                for axis in 0..3 {
                    node.faces[axis][0][lane] = bounds.min()[axis];
                    node.faces[axis][1][lane] = bounds.max()[axis];
                }
                let child = match child {
                    ChildView::Node(place) => Child::node(place),
                    ChildView::Leaf(prims) => tree.push_leaf(&prims.collect::<Vec<_>>(), mesh),
                };
                node.children[lane] = child.ok_or("too large for 32-bit child references")?;
            }
            tree.nodes.push(node);
        }
        tree.leaves.extend([0; WIDTH]);
        Ok(tree)
    }

    fn push_leaf(&mut self, prims: &[PrimId], mesh: &Mesh) -> Option<Child> {
        let child = Child::leaf(self.leaves.len(), prims.len());
        let corners = |prim: PrimId| {
            let face = mesh.indices()[prim.index()];
            face.map(|corner| mesh.positions()[corner as usize].to_array())
        };
        let triangle = |&prim: &PrimId| precomputed(corners(prim), prim.get());
        let triangles: Vec<[u32; ROWS]> = prims.iter().map(triangle).collect();
        for row in 0..ROWS {
            self.leaves
                .extend(triangles.iter().map(|numbers| numbers[row]));
        }
        child
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..]) + size_of_val(&self.leaves[..])
    }

    /// Returns the node of a child of this tree that is one.
    #[inline(always)]
    pub(super) fn node(&self, child: Child) -> &Node {
        debug_assert!(child.bytes() < size_of_val(&self.nodes[..]));
        // SAFETY: the offset of an existing node. A bounds check would be on the critical path of
        // the loop.
        unsafe { &*self.nodes.as_ptr().byte_add(child.bytes()) }
    }

    /// Returns the rows of a child of this tree that is a leaf.
    #[inline(always)]
    pub(super) fn rows(&self, child: Child) -> Rows<'_> {
        let (first, len) = (child.first(), child.len());
        let end = first + ROWS * len + WIDTH;
        debug_assert!(end <= self.leaves.len());
        // SAFETY: these are the leaf's rows, and eight more numbers follow the last leaf.
        unsafe { Rows::new(self.leaves.get_unchecked(first..end), len) }
    }
}
