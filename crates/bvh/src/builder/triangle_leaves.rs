//! Writes leaves of triangles.

use super::binary_tree::BinaryTree;
use super::budget::Budget;
use super::chances::{Chances, ChildOrder};
use super::collapse::collapse;
use super::leaf_kind::LeafKind;
use super::unfinished::Unfinished;
use super::watch::BuildWatch;
use super::wide_plan::WidePlan;
use crate::wide::{Layout, Leaves, ROWS, Scale, WIDTH, WideTree, write_leaf};
use estoc_core::Triangle;
use estoc_mesh::parts::Buffers;

/// The number of triangles that are fetched at a time. They lie anywhere in memory, and a loop that
/// does nothing else keeps many loads in flight.
const FETCH: usize = 64;

/// Leaves of a mesh's triangles.
struct TriangleLeaves<'a> {
    mesh: &'a Buffers,
    scale: Scale,
    layout: Layout,
}

/// Returns the wide tree of a binary one over the triangles of a mesh. The boxes of the binary tree
/// are in units of the scale.
pub fn tree_over_mesh(
    tree: BinaryTree,
    mesh: &Buffers,
    scale: Scale,
    watch: &BuildWatch<'_>,
    memory: Budget,
    layout: Layout,
    order: ChildOrder,
) -> Result<WideTree, Unfinished> {
    let triangles = tree.order.len();
    let plan = WidePlan::of(&tree, WIDTH, watch)?;
    let (chances, memory) = match order {
        ChildOrder::Area => (None, memory),
        ChildOrder::Chance => {
            let memory = memory.besides(Chances::bytes(tree.nodes.len()));
            (Some(Chances::of(&tree, &plan, watch)?), memory)
        }
    };
    let writer = TriangleLeaves {
        mesh,
        scale,
        layout,
    };
    let (nodes, numbers) = collapse(tree, (&plan, chances.as_ref()), &writer, watch, memory)?;
    let leaves = match layout {
        Layout::Fast => Leaves::new(numbers, triangles),
        Layout::Compact => Leaves::of_names(numbers, mesh),
    };
    Ok(WideTree::new(nodes, leaves, scale))
}

impl LeafKind for TriangleLeaves<'_> {
    fn numbers_each(&self) -> usize {
        self.layout.leaf_bytes() / size_of::<u32>()
    }

    fn spare(&self) -> usize {
        match self.layout {
            Layout::Fast => WIDTH,
            Layout::Compact => 0,
        }
    }

    fn write(&self, names: &[u32], lens: &[u8], numbers: &mut [u32]) {
        match self.layout {
            Layout::Fast => self.write_all(names, lens, numbers),
            Layout::Compact => numbers.copy_from_slice(names),
        }
    }
}

impl TriangleLeaves<'_> {
    /// Does what [`LeafKind::write`] does, for leaves with the corners of the triangles.
    fn write_all(&self, mut names: &[u32], lens: &[u8], mut numbers: &mut [u32]) {
        let (positions, indices) = (self.mesh.positions(), self.mesh.indices());
        let mut faces = [[0; 3]; FETCH];
        let mut triangles = [Triangle::new([0.0; 3], [0.0; 3], [0.0; 3]); FETCH];
        let mut leaves = lens.iter().map(|&len| usize::from(len)).peekable();
        let mut lens = [0; FETCH];
        while leaves.peek().is_some() {
            // Takes whole leaves only.
            let (mut count, mut sum) = (0, 0);
            while let Some(len) = leaves.next_if(|&len| sum + len <= FETCH) {
                lens[count] = len;
                count += 1;
                sum += len;
            }
            let (fetched, later) = names.split_at(sum);
            for (face, &name) in faces.iter_mut().zip(fetched) {
                *face = indices[name as usize];
            }
            for (triangle, face) in triangles[..sum].iter_mut().zip(&faces) {
                let [a, b, c] = face.map(|corner| positions[corner as usize]);
                *triangle = self.scale.triangle_up(Triangle::new(a, b, c));
            }
            let mut from = 0;
            for len in &lens[..count] {
                let (block, rest) = numbers.split_at_mut(ROWS * len);
                let named = fetched[from..from + len].iter().copied();
                write_leaf(
                    block,
                    named.zip(triangles[from..from + len].iter().copied()),
                );
                numbers = rest;
                from += len;
            }
            names = later;
        }
    }
}
