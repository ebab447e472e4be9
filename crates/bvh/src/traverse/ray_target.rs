//! What rays in flight are traced at: the triangles of a tree, or others that these stand for
//! (`wide_target.rs`).

use super::completion::complete_unfit;
use super::f64_walk::walk_f64;
use super::kernel_ray::{KernelRay, Prepared, RayEnds};
use super::late_hits::LateHits;
use super::prepare8::{OriginError, Prepared8};
use super::ray_group::RayPreparation;
use crate::wide::{LeafView, WIDTH, WideTree};
use estoc_core::exact::PreparedRay;
use estoc_core::{InlineMap, PrimId, Queue, Ray, RayKind, Triangle};
use fearless_simd::Simd;

/// The first slot and the length of a leaf, and the place of a triangle in it.
pub(super) type Place = (usize, usize, usize);

/// A tree, and what decides about the triangles that its kernels leave in doubt.
pub(super) trait RayTarget<R: RayKind = Ray>: RayPreparation<R> {
    /// Whether first hits are decided by spans in any frame. Otherwise they are in the mesh's own only: the
    /// spans of rays that were moved are wide, and their first hits take 2 to 4 % longer by them.
    const HAS_SPANS_IN_ANY_FRAME: bool;

    /// Returns the tree.
    fn tree(&self) -> &WideTree;

    /// Returns a triangle and its id.
    fn triangle(&self, leaves: LeafView<'_>, place: Place) -> Option<(PrimId, Self::Primitive)>;

    /// Returns the direction of a ray, if triangles of the tree that are certainly parallel to it are missed.
    fn exact_dir(&self, ray: &PreparedRay<'_, R>) -> Option<[f64; 3]>;

    /// Completes a ray, given with its place, whose first hit is certainly on this triangle, now or later.
    fn complete<'r, S: Simd>(
        &self,
        simd: S,
        leaves: LeafView<'_>,
        ray: (usize, PreparedRay<'r, R>),
        hit: Place,
        late: &mut LateHits<'r, R>,
        queue: &mut Queue<'r, Self::Primitive, R>,
    );

    /// Completes the rays that are late.
    #[inline(always)]
    fn complete_late<'r, S: Simd>(
        &self,
        simd: S,
        leaves: LeafView<'_>,
        late: &mut LateHits<'r, R>,
        queue: &mut Queue<'r, Self::Primitive, R>,
    ) {
        let _ = (simd, leaves, queue);
        debug_assert!(late.is_empty(), "no hit is completed later");
    }
}

/// The tree holds the triangles.
impl RayPreparation for &WideTree {
    type Primitive = Triangle;

    #[inline(always)]
    fn prepare8<S: Simd>(&self, simd: S, rays: [PreparedRay<'_>; WIDTH]) -> Prepared8<S> {
        let rows = rays.inline_map(
            #[inline(always)]
            |ray: PreparedRay<'_>| ray.ray().as_array(),
        );
        Prepared8::of(simd, self, rows, OriginError::NONE)
    }

    #[inline(always)]
    fn usual_ends(&self, ray: &PreparedRay<'_>) -> RayEnds {
        let t_max = ray.ray().t_max;
        RayEnds::own(self.measures.has_plain_rays().then_some(t_max))
    }

    #[inline(always)]
    fn prepare<S: Simd>(&self, simd: S, ray: &PreparedRay<'_>) -> Prepared {
        KernelRay::prepare(simd, ray, self)
    }

    #[inline(always)]
    fn trace_unfit<'r, S: Simd>(
        &self,
        _: S,
        place: usize,
        ray: PreparedRay<'r>,
        queue: &mut Queue<'r>,
    ) {
        complete_unfit(place, ray, queue, |collector| {
            walk_f64(self, &ray, collector, &());
        });
    }
}

impl RayTarget for &WideTree {
    const HAS_SPANS_IN_ANY_FRAME: bool = false;

    #[inline(always)]
    fn tree(&self) -> &WideTree {
        self
    }

    #[inline(always)]
    fn triangle(
        &self,
        leaves: LeafView<'_>,
        (first, len, place): Place,
    ) -> Option<(PrimId, Triangle)> {
        Some(leaves.triangle(first, len, place))
    }

    #[inline(always)]
    fn exact_dir(&self, ray: &PreparedRay<'_>) -> Option<[f64; 3]> {
        Some(ray.dir())
    }

    #[inline(always)]
    fn complete<'r, S: Simd>(
        &self,
        _: S,
        leaves: LeafView<'_>,
        (place, ray): (usize, PreparedRay<'r>),
        (first, len, hit): Place,
        _: &mut LateHits<'r, Ray>,
        queue: &mut Queue<'r>,
    ) {
        let (prim, triangle) = leaves.triangle(first, len, hit);
        queue.only(place, ray, prim, &triangle);
    }
}
