//! The triangles that a tile's rays are tested against: those of the tree, which may be placed, or those in `f64` that
//! these stand for.

use super::tile_placement::TilePlacement;
use super::tile_ray::TileRay;
use super::tile_triangles::CornerLanes;
use super::triangle_table::Leaf;
use crate::traverse::leaf_block::with_block;
use crate::traverse::prefetch;
use crate::traverse::wide_target::WideTarget;
use crate::wide::{Axis, Block, Node, Tag, WIDTH, WideTree};
use estoc_core::exact::PreparedRay;
use estoc_core::{InlineMap, Ray, Ray64, RayTest};
use estoc_mesh::parts::NarrowFrame;
use fearless_simd::{Simd, SimdBase, SimdCombine, SimdWiden, f32x8, f64x8};

/// The triangles of a tree, as they lie in the space of a tile's rays.
pub trait TileMesh: Copy {
    type Ray: TileRay;

    fn tree(&self) -> &WideTree;

    /// Returns how the tree is placed in the world of the rays; `None` if it is where it is.
    #[inline(always)]
    fn placement(&self) -> Option<&TilePlacement> {
        None
    }

    /// Returns the corners of the triangles of a leaf, by these axes. What lanes beyond the last one hold has no
    /// meaning.
    fn corners<S: Simd>(&self, simd: S, leaf: Leaf, axes: [Axis; 3]) -> [CornerLanes<S>; 3];

    /// Returns bounds of the parameter at which a ray hits the triangle at a place of a leaf.
    fn touch(&self, ray: &PreparedRay<'_, Self::Ray>, leaf: Leaf, place: usize)
    -> Option<[f64; 2]>;

    /// Returns what takes rays to its space.
    fn frame(&self) -> <Self::Ray as TileRay>::Frame;

    /// Prefetches the children of a node, given as bits.
    fn prefetch(&self, node: &Node, children: u32);
}

/// The tree holds the triangles, which may be placed in the world of the rays.
#[derive(Clone, Copy)]
pub struct OwnMesh<'a> {
    pub tree: &'a WideTree,
    pub placement: Option<&'a TilePlacement>,
}

impl TileMesh for OwnMesh<'_> {
    type Ray = Ray;

    #[inline(always)]
    fn tree(&self) -> &WideTree {
        self.tree
    }

    #[inline(always)]
    fn placement(&self) -> Option<&TilePlacement> {
        self.placement
    }

    #[inline(always)]
    fn corners<S: Simd>(&self, simd: S, leaf: Leaf, axes: [Axis; 3]) -> [CornerLanes<S>; 3] {
        with_block(
            simd,
            self.tree.view(),
            leaf,
            #[inline(always)]
            |block| {
                [
                    self.corner::<S, 0>(simd, block, axes),
                    self.corner::<S, 1>(simd, block, axes),
                    self.corner::<S, 2>(simd, block, axes),
                ]
            },
        )
    }

    fn touch(&self, ray: &PreparedRay<'_>, (first, len): Leaf, place: usize) -> Option<[f64; 2]> {
        let (prim, triangle) = self.tree.triangle(first, len, place);
        match self.placement {
            None => {
                let touch = ray.touch(prim, &triangle, f64::INFINITY)?;
                Some([touch.t_low(), touch.t_high()])
            }
            Some(placement) => placement.touch(ray, (prim, triangle)),
        }
    }

    #[inline(always)]
    fn frame(&self) {}

    #[inline(always)]
    fn prefetch(&self, node: &Node, children: u32) {
        let leaves = self.tree.view();
        prefetch_all(node, children, |tag, place| {
            prefetch::child(&self.tree.nodes, leaves, tag, place);
        });
    }
}

impl OwnMesh<'_> {
    #[inline(always)]
    fn corner<S: Simd, const CORNER: usize>(
        &self,
        simd: S,
        block: Block<'_>,
        axes: [Axis; 3],
    ) -> CornerLanes<S> {
        let [x, y, z] = match self.placement {
            None => axes,
            Some(_) => [Axis::X, Axis::Y, Axis::Z],
        };
        let at = [
            row::<S, CORNER>(simd, block, x),
            row::<S, CORNER>(simd, block, y),
            row::<S, CORNER>(simd, block, z),
        ];
        match self.placement {
            None => at,
            Some(placement) => {
                placement.image(simd, at, axes.inline_map(|axis: Axis| axis.index()))
            }
        }
    }
}

#[inline(always)]
fn row<S: Simd, const CORNER: usize>(simd: S, block: Block<'_>, axis: Axis) -> f64x8<S> {
    let row = f32x8::load_array_ref(simd, block.row::<CORNER>(axis));
    row.combine(row).widen().0
}

/// Calls `prefetch` with children of a node, given as bits.
///
/// All children that are met will most likely be visited soon.
#[inline(always)]
fn prefetch_all(node: &Node, mut children: u32, prefetch: impl Fn(Tag, u32)) {
    while children != 0 {
        let lane = children.trailing_zeros() as usize % WIDTH;
        children &= children - 1;
        prefetch(Tag(node.tags[lane]), node.place[lane]);
    }
}

/// The triangles of the tree stand for others, whose corners are taken to its space: each coordinate has one rounding,
/// but for what underflows.
impl TileMesh for WideTarget<'_> {
    type Ray = Ray64;

    #[inline(always)]
    fn tree(&self) -> &WideTree {
        self.tree
    }

    #[inline(always)]
    fn corners<S: Simd>(
        &self,
        simd: S,
        (first, len): Leaf,
        axes: [Axis; 3],
    ) -> [CornerLanes<S>; 3] {
        let frame = self.triangles.frame();
        let up = f64x8::splat(simd, frame.up());
        let origin = frame.origin.to_array();
        self.triangles.corners_of_eight(first, len).inline_map(
            #[inline(always)]
            |points: [&[f64; 3]; WIDTH]| {
                axes.inline_map(
                    #[inline(always)]
                    |axis: Axis| {
                        let axis = axis.index();
                        let row = points.inline_map(|point: &[f64; 3]| point[axis]);
                        (f64x8::load_array(simd, row) - f64x8::splat(simd, origin[axis])) * up
                    },
                )
            },
        )
    }

    fn touch(
        &self,
        ray: &PreparedRay<'_, Ray64>,
        (first, len): Leaf,
        place: usize,
    ) -> Option<[f64; 2]> {
        let (prim, triangle) = self
            .triangles
            .in_leaf(self.tree.view(), (first, len, place))?;
        let touch = triangle.touch(ray, prim, f64::INFINITY)?;
        Some([touch.t_low(), touch.t_high()])
    }

    #[inline(always)]
    fn frame(&self) -> NarrowFrame {
        *self.triangles.frame()
    }

    #[inline(always)]
    fn prefetch(&self, node: &Node, children: u32) {
        prefetch_all(node, children, |tag, place| match tag.len() {
            0 => prefetch::node(&self.tree.nodes, place),
            len => prefetch::faces(self.triangles, place as usize, len),
        });
    }
}
