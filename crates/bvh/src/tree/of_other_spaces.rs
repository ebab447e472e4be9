//! Traversals for scenes, with rays and points of another space.

use super::Bvh;
use super::outline::Outline;
use crate::traverse;
use crate::traverse::mapped::{MappedRay, TriangleSink, Visited};
use crate::traverse::near::{MappedPoint, NearSink};
use crate::traverse::pair_walk::nearest_pair;
use crate::wide::{Layout, WideBounds};
use core::ops::ControlFlow;
use estoc_core::{CancelToken, NearestPair, PlacedTriangle, PlacementMatrix};

/// What scenes need of a mesh: boxes around its images, and traversals with rays and points of another
/// space; see the module `object_space` of estoc-bvh.
impl Bvh {
    /// Offers every triangle that a ray of another space may hit up to the limit, or counts those that it
    /// certainly hits where the sink permits that. Returns `None`, and does nothing, for a ray that is
    /// unfit for `f32`; use [`visit_boxes`](Bvh::visit_boxes) for it.
    pub fn visit_mapped(
        &self,
        ray: &MappedRay,
        t_limit: f64,
        sink: &mut dyn TriangleSink,
    ) -> Option<Visited> {
        traverse::mapped::visit_mapped(&self.tree, self.token, ray, t_limit, sink)
    }

    /// Returns whether the kernels of rays at placed meshes
    /// (`PlacedWorld` of estoc-bvh) are fit for the mesh: its
    /// tree has the fast layout, and it is neither tiny nor huge.
    pub fn has_plain_rays(&self) -> bool {
        self.tree.measures.has_plain_rays() && self.tree.leaves.layout() == Layout::Fast
    }

    /// Returns a box around the images of all triangles under an affine map, whose rows have three factors
    /// and a translation: one around a polytope with the mesh in it, of about 48 corners, which the first call
    /// computes. Returns `None` if the mesh has no such polytope: without triangles, or far from the usual
    /// sizes.
    pub fn image_bounds(&self, rows: &[[f64; 4]; 3]) -> Option<WideBounds> {
        let outline = self.outline.get_or_init(|| Outline::of(&self.tree));
        outline.as_ref()?.image(self.token, rows)
    }

    /// Offers every triangle in boxes that `enter` does not refuse. It takes the two corners of a box
    /// and the limit, and returns a lower bound of the parameters at which the ray is in the box.
    pub fn visit_boxes(
        &self,
        enter: &dyn Fn([f32; 3], [f32; 3], f64) -> Option<f64>,
        t_limit: f64,
        sink: &mut dyn TriangleSink,
    ) -> Visited {
        traverse::mapped::visit_boxes(&self.tree, enter, t_limit, sink)
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
        traverse::near::visit_near_mapped(&self.tree, self.token, point, wants_closest, sink)
    }

    /// Offers every triangle in boxes whose squared distance is within the limit of the sink.
    /// `square_of` takes the two corners of a box and returns a lower bound.
    pub fn visit_near_boxes(
        &self,
        square_of: &dyn Fn([f32; 3], [f32; 3]) -> f64,
        sink: &mut dyn NearSink,
    ) -> ControlFlow<()> {
        traverse::near::visit_near_boxes(&self.tree, square_of, sink)
    }

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
