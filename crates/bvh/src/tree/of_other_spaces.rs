//! Traversals for scenes, with rays and points of another space.

use super::Bvh;
use super::outline::Outline;
use crate::traverse;
use crate::traverse::mapped::{MappedRay, TriangleSink, Visited, WideBox};
use crate::traverse::near::{MappedPoint, NearSink};
use crate::traverse::pair_walk::nearest_pair;
use crate::traverse::wide_walk::world_box;
use crate::wide::{Layout, WideBounds, WideTriangles};
use core::ops::ControlFlow;
use estoc_core::{
    CancelToken, Coordinate, NearestPair, PlacedTriangle, PlacementMatrix, PrimId, Triangle,
    Triangle64,
};
use estoc_mesh::parts::NarrowFrame;

/// What scenes need of a mesh: boxes around its images, and traversals with rays and points of another
/// space; see the module `object_space` of estoc-bvh.
impl<C: Coordinate> Bvh<C> {
    fn frame(&self) -> Option<&NarrowFrame> {
        C::kept(&self.wide).map(WideTriangles::frame)
    }

    /// Offers every triangle that a ray of another space may hit up to the limit, or counts those that it
    /// certainly hits where the sink permits that. Returns `None`, and does nothing, for a ray that is
    /// unfit for `f32`; use [`visit_boxes`](Bvh::visit_boxes) for it. Of a tree in `f64`, triangles are offered as
    /// they are in its frame; [`exactly`](Bvh::exactly) has them in the space of the mesh.
    pub fn visit_mapped(
        &self,
        ray: &MappedRay,
        t_limit: f64,
        sink: &mut dyn TriangleSink,
    ) -> Option<Visited> {
        let framed = self.frame().map(|frame| ray.framed(frame));
        let ray = framed.as_ref().unwrap_or(ray);
        traverse::mapped::visit_mapped(&self.tree, self.token, ray, t_limit, sink)
    }

    /// Returns a triangle that a traversal offered.
    #[inline(always)]
    pub fn exactly(&self, prim: PrimId, offered: &Triangle) -> Triangle64 {
        match C::kept(&self.wide) {
            None => (*offered).into(),
            Some(wide) => wide.get_or_nowhere(prim),
        }
    }

    /// Returns the mask of a triangle.
    #[inline(always)]
    pub fn mask_of(&self, prim: PrimId) -> u32 {
        let masks = self.masks.as_deref();
        masks.map_or(u32::MAX, |masks| masks.get(prim))
    }

    /// Returns whether the kernels of rays at placed meshes
    /// (`PlacedWorld` of estoc-bvh) are fit for the mesh: its
    /// tree is one in `f32` with the fast layout, and it is neither tiny nor huge.
    pub fn has_plain_rays(&self) -> bool {
        self.frame().is_none()
            && self.tree.measures.has_plain_rays()
            && self.tree.leaves.layout() == Layout::Fast
    }

    /// Returns a box around the images of all triangles under an affine map, whose rows have three factors
    /// and a translation: one around a polytope with the mesh in it, of about 48 corners, which the first call
    /// computes. Returns `None` if the mesh has no such polytope: in `f64`, without triangles, or far from the usual
    /// sizes.
    pub fn image_bounds(&self, rows: &[[f64; 4]; 3]) -> Option<WideBounds> {
        if self.frame().is_some() {
            return None;
        }
        let outline = self.outline.get_or_init(|| Outline::of(&self.tree));
        outline.as_ref()?.image(self.token, rows)
    }

    /// Offers every triangle in boxes that `enter` does not refuse. It takes a box in the space of the mesh and
    /// the limit, and returns a lower bound of the parameters at which the ray is in the box.
    pub fn visit_boxes(
        &self,
        enter: &dyn Fn(&WideBox, f64) -> Option<f64>,
        t_limit: f64,
        sink: &mut dyn TriangleSink,
    ) -> Visited {
        let frame = self.frame();
        let enter = |min: [f32; 3], max: [f32; 3], t_limit: f64| {
            enter(&box_in_space(frame, min, max), t_limit)
        };
        traverse::mapped::visit_boxes(&self.tree, &enter, t_limit, sink)
    }

    /// Offers every triangle that may be near a point of another space; where only the closest one is
    /// wanted, perhaps not all that are certainly farther than another one. Returns `None`, and offers
    /// nothing, for a point that is unfit for `f32`; use [`visit_near_boxes`](Bvh::visit_near_boxes) for
    /// it.
    pub fn visit_near_mapped(
        &self,
        point: &MappedPoint,
        wants_closest: bool,
        sink: &mut dyn NearSink,
    ) -> Option<ControlFlow<()>> {
        let framed = self.frame().map(|frame| point.framed(frame));
        let point = framed.as_ref().unwrap_or(point);
        // A triangle without area, which nothing is near, may have one in the frame.
        let corners_off = match C::kept(&self.wide) {
            Some(wide) if !wide.have_area() => wide.frame().error,
            _ => 0.0,
        };
        let tree = (&self.tree, corners_off);
        traverse::near::visit_near_mapped(tree, self.token, point, wants_closest, sink)
    }

    /// Offers every triangle in boxes whose squared distance is within the limit of the sink.
    /// `square_of` takes a box in the space of the mesh and returns a lower bound.
    pub fn visit_near_boxes(
        &self,
        square_of: &dyn Fn(&WideBox) -> f64,
        sink: &mut dyn NearSink,
    ) -> ControlFlow<()> {
        let frame = self.frame();
        let square_of = |min: [f32; 3], max: [f32; 3]| square_of(&box_in_space(frame, min, max));
        traverse::near::visit_near_boxes(&self.tree, &square_of, sink)
    }
}

/// Returns a box around all triangles of a box of a tree, in the space of its mesh.
fn box_in_space(frame: Option<&NarrowFrame>, min: [f32; 3], max: [f32; 3]) -> WideBox {
    let corners = [min, max].map(|corner| corner.map(f64::from));
    frame.map_or_else(|| WideBox::of(corners), |frame| world_box(frame, corners))
}

impl Bvh {
    /// Finds the nearest triangles of two meshes that are placed by matrices, as
    /// `PairEngine::nearest_pair` does for those of two meshes.
    pub fn nearest_placed_pair(
        placed: [(&Bvh, &PlacementMatrix); 2],
        nearest: NearestPair<PlacedTriangle>,
        cancel: &CancelToken,
    ) -> Option<NearestPair<PlacedTriangle>> {
        let sides = placed.map(|(bvh, matrix)| (&bvh.tree, matrix));
        nearest_pair(placed[0].0.token, sides, nearest, None, cancel)
    }
}
