//! estoc's tree, node by node and leaf by leaf, with triangles precomputed.

use super::child::Child;
use super::leaf::{self, ROWS, Rows, WIDTH, precomputed};
use super::node::Node;
use super::stack;
use estoc::{Bvh, Mesh, PrimId, stats::ChildView};

pub(super) struct Tree {
    /// As `Bvh::nodes` has them. Whatever a child says is within these two, and no way down is
    /// longer than `stack::DEPTH`.
    nodes: Vec<Node>,
    /// Rows of all leaves, and eight numbers more.
    leaves: Vec<u32>,
}

impl Tree {
    /// Errs when the tree is too large or too deep.
    pub(super) fn twin(bvh: &Bvh, mesh: &Mesh) -> Result<Self, String> {
        if bvh.stats().depth > stack::DEPTH {
            return Err("too deep for the stack".to_owned());
        }
        if mesh.triangle_count() > leaf::MOST {
            return Err("too many triangles for their names".to_owned());
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
                node.children[lane] = child.ok_or("too large for 32 bits a child")?;
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

    /// The node of a child of this tree that is one.
    #[inline(always)]
    pub(super) fn node(&self, child: Child) -> &Node {
        debug_assert!(child.bytes() < size_of_val(&self.nodes[..]));
        // SAFETY: the place in bytes of a node that there is. A check would stand in the loop's
        // longest chain of waiting.
        unsafe { &*self.nodes.as_ptr().byte_add(child.bytes()) }
    }

    /// The rows of a child of this tree that is a leaf.
    #[inline(always)]
    pub(super) fn rows(&self, child: Child) -> Rows<'_> {
        let (first, len) = (child.first(), child.len());
        let end = first + ROWS * len + WIDTH;
        debug_assert!(end <= self.leaves.len());
        // SAFETY: these are the leaf's rows, and after the last leaf are eight numbers more.
        unsafe { Rows::new(self.leaves.get_unchecked(first..end), len) }
    }
}
