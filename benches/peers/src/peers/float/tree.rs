//! A copy of estoc's tree, node by node and leaf by leaf, with precomputed triangles.

use super::child::Child;
use super::leaf::{self, ROWS, Rows, WIDTH, precomputed};
use super::node::Node;
use super::stack;
use estoc::{Bvh, Mesh, PrimId};
use estoc_bvh::ChildView;
use estoc_system::Arena;
use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

/// The memory of a tree, on huge pages from the same size as estoc's own arrays.
pub(super) struct Arrays {
    nodes: Arena<Node>,
    leaves: Arena<u32>,
}

/// A tree to query. It borrows the arrays as slices, which are looked up once for many rays.
#[derive(Clone, Copy)]
pub(super) struct Tree<'a> {
    /// In the order of `Bvh::nodes`. Every child refers into these two arrays, and no path is
    /// longer than `stack::DEPTH`.
    nodes: &'a [Node],
    /// Rows of all leaves, and eight more numbers.
    leaves: &'a [u32],
}

/// The size in bytes from which first hits gain by prefetches of all children that a ray meets. In smaller
/// trees they would lose 4 to 8 %, and for any hits nothing is gained: unlike estoc, which prefetches
/// in more trees, and for long rays for any hit, too, the twin has little else to compute.
pub(super) const LARGE: usize = 16 << 20;

impl Arrays {
    /// Copies a tree; an error when it is too large or too deep.
    pub(super) fn twin(bvh: &Bvh, mesh: &Mesh) -> Result<Self, String> {
        if bvh.stats().depth > stack::DEPTH {
            return Err("too deep for the stack".to_owned());
        }
        if mesh.triangle_count() > leaf::MOST {
            return Err("too many triangles for 28-bit ids".to_owned());
        }
        let mut nodes = Vec::with_capacity(bvh.nodes().len());
        let mut leaves = Vec::with_capacity(ROWS * mesh.triangle_count() + WIDTH);
        for view in bvh.nodes() {
            let mut node = Node::EMPTY;
            for (lane, (bounds, child)) in view.children().enumerate() {
                for axis in 0..3 {
                    node.faces[axis][0][lane] = bounds.min()[axis];
                    node.faces[axis][1][lane] = bounds.max()[axis];
                }
                let child = match child {
                    ChildView::Node(place) => Child::node(place),
                    ChildView::Leaf(prims) => {
                        push_leaf(&mut leaves, &prims.collect::<Vec<_>>(), mesh)
                    }
                };
                node.children[lane] = child.ok_or("too large for 32-bit child references")?;
            }
            nodes.push(node);
        }
        leaves.extend([0; WIDTH]);
        Ok(Arrays {
            nodes: Arena::of(nodes),
            leaves: Arena::of(leaves),
        })
    }

    /// Returns the tree in these arrays.
    pub(super) fn tree(&self) -> Tree<'_> {
        Tree {
            nodes: &self.nodes,
            leaves: &self.leaves,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.bytes() + self.leaves.bytes()
    }
}

/// Appends the rows of a leaf; `None` if it is out of reach of a child.
fn push_leaf(leaves: &mut Vec<u32>, prims: &[PrimId], mesh: &Mesh) -> Option<Child> {
    let child = Child::leaf(leaves.len(), prims.len());
    let corners = |prim: PrimId| {
        let face = mesh.indices()[prim.index()];
        face.map(|corner| mesh.positions()[corner as usize].to_array())
    };
    let triangle = |&prim: &PrimId| precomputed(corners(prim), prim.get());
    let triangles: Vec<[u32; ROWS]> = prims.iter().map(triangle).collect();
    for row in 0..ROWS {
        leaves.extend(triangles.iter().map(|numbers| numbers[row]));
    }
    child
}

impl<'a> Tree<'a> {
    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the node of a child of this tree that is one.
    #[inline(always)]
    pub(super) fn node(&self, child: Child) -> &'a Node {
        debug_assert!(child.bytes() < size_of_val(self.nodes));
        // SAFETY: the offset of an existing node. A bounds check would be on the critical path of
        // the loop.
        unsafe { &*self.nodes.as_ptr().byte_add(child.bytes()) }
    }

    /// Prefetches these children of a node, given as bits: nodes and leaves.
    #[inline(always)]
    pub(super) fn prefetch(&self, node: &Node, mut children: u32) {
        while children != 0 {
            let child = node.child(children.trailing_zeros());
            children &= children - 1;
            if child.is_node() {
                self.node(child).prefetch();
                continue;
            }
            let last = 4 * ROWS * child.len() - 1;
            let start = self
                .leaves
                .as_ptr()
                .wrapping_add(child.first())
                .cast::<i8>();
            for at in [0, last.min(64), last.min(128), last] {
                // SAFETY: a prefetch is only a hint.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(at)) };
            }
        }
    }

    /// Returns the rows of a child of this tree that is a leaf.
    #[inline(always)]
    pub(super) fn rows(&self, child: Child) -> Rows<'a> {
        let (first, len) = (child.first(), child.len());
        let end = first + ROWS * len + WIDTH;
        debug_assert!(end <= self.leaves.len());
        // SAFETY: these are the leaf's rows, and eight more numbers follow the last leaf.
        unsafe { Rows::new(self.leaves.get_unchecked(first..end), len) }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use estoc::demo::{Demo, DemoSpec};
    use std::fs::read_to_string;

    /// Returns whether the kernel was asked for huge pages at an address, or `None` if it does not
    /// tell.
    fn is_on_huge_pages(address: usize) -> Option<bool> {
        let text = read_to_string("/proc/self/smaps").ok()?;
        let mut is_here = false;
        for line in text.lines() {
            let range = line.split(' ').next()?.split_once('-');
            let hex = |text: &str| usize::from_str_radix(text, 16).ok();
            if let Some((Some(start), Some(end))) = range.map(|(a, b)| (hex(a), hex(b))) {
                is_here = (start..end).contains(&address);
            } else if is_here && let Some(flags) = line.strip_prefix("VmFlags:") {
                return Some(flags.split_whitespace().any(|flag| flag == "hg"));
            }
        }
        None
    }

    #[test]
    fn large_arrays_request_huge_pages_as_those_of_estoc_do() {
        let mesh = DemoSpec::new(Demo::Mountains).n(120_000).mesh();
        let arrays = Arrays::twin(&Bvh::build(&mesh), &mesh).expect("a small tree");
        let leaves = &*arrays.leaves;
        assert!(size_of_val(leaves) >= 4 << 20, "large enough");
        let ours = Arena::of(vec![1_u32; leaves.len()]);
        let pages = |numbers: &[u32]| is_on_huge_pages(numbers.as_ptr().addr() + (1 << 20));
        assert_eq!(pages(leaves), pages(&ours));
        assert_eq!(arrays.bytes(), size_of_val(leaves) + arrays.nodes.bytes());
    }
}
