//! A node over eight triangles, and a leaf with them.

use crate::leaf_writer::LeafWriter;
use estoc_bvh::internals::builder::BuildWatch;
use estoc_bvh::internals::traverse::kernel_ray::{KernelRay, Prepared};
use estoc_bvh::internals::wide::{Block, Child, Node, Scale, WIDTH, WideTree};
use estoc_core::exact::PreparedRay;
use estoc_core::{Aabb, PrimId, Triangle};
use estoc_system::Arena;

/// One node over eight triangles, each in a lane of its own; in the leaves they are contiguous.
pub(crate) struct Scene {
    pub(crate) tree: WideTree,
}

impl Scene {
    pub(crate) fn of(triangles: [Triangle; WIDTH]) -> Self {
        let watch = BuildWatch::new(None, None, 0);
        let scale = Scale::of(WIDTH, |i| triangles[i], &watch).unwrap_or_default();
        let scaled = triangles.map(|t| {
            let [a, b, c] = t.corners().map(|p| p.map(|x| scale.up(x)));
            Triangle::new(a, b, c)
        });
        let mut leaves = LeafWriter::with_triangles(WIDTH);
        leaves.write(0, scaled.into_iter().enumerate().map(|(i, t)| (prim(i), t)));
        let mut node = Node::EMPTY;
        for (lane, t) in scaled.iter().enumerate() {
            let bounds = Aabb::of_triangle(t);
            let (min, max) = (bounds.min().into(), bounds.max().into());
            node.set(
                lane,
                min,
                max,
                Child::Leaf {
                    first: lane,
                    len: 1,
                },
            );
        }
        Scene {
            tree: WideTree::new(Arena::of(vec![node]), leaves.finish(), scale),
        }
    }

    /// Returns the leaf of all triangles.
    pub(crate) fn block(&self) -> Block<'_> {
        Block::of(self.tree.leaves.numbers(), 0, WIDTH)
    }
}

pub(crate) fn prim(index: usize) -> PrimId {
    PrimId::from_index(index).unwrap()
}

/// Prepares the ray with the best level of this machine.
pub(crate) fn prepared(ray: &PreparedRay<'_>, tree: &WideTree) -> Prepared {
    fearless_simd::dispatch!(fearless_simd::Level::new(), simd => {
        KernelRay::prepare(simd, ray, tree)
    })
}
