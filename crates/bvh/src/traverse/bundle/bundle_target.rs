//! What bundles are traced at: the triangles of a tree, or those in `f64` that these stand for.

use super::ray_bundle::{Bundle, prepare_rows};
use super::{LANES, Lanes};
use crate::traverse::late_hits::LateHits;
use crate::traverse::nearest_certain::NearestCertain;
use crate::traverse::plain_ray::decider::Decider;
use crate::traverse::plain_ray::doubts::Doubts;
use crate::traverse::plain_ray::hit_of;
use crate::traverse::plain_ray::wide_ray::{NearRay, WideDecider, near_ends, origin_error};
use crate::traverse::ray_group::RayInGroup;
use crate::traverse::ray_target::RayTarget;
use crate::traverse::wide_target::WideTarget;
use crate::wide::{LeafView, WideTree};
use estoc_core::exact::{PreparedRay, Touch};
use estoc_core::{Hit, PrimId, Queue, Ray, Ray64, Triangle64};
use fearless_simd::Simd;

/// A tree as what bundles are traced at.
pub(in crate::traverse) trait BundleTarget<R: RayInGroup = Ray>:
    RayTarget<R>
{
    /// A certified hit.
    type Touch: Copy;
    /// What decides about the triangles in doubt.
    type Decider<'r>: Decider<Touch = Self::Touch>;

    /// Calls a function with what decides about a ray.
    fn with_decider<'r, O>(
        &self,
        ray: PreparedRay<'r, R>,
        decide: impl FnOnce(&Self::Decider<'r>) -> O,
    ) -> O;

    /// Prepares the rays of a bundle.
    fn prepare_bundle<S: Simd>(&self, simd: S, bundle: &mut Bundle<'_, R>);

    /// Completes the first hit of a ray, given with its place, that has kept this one as the nearest, now or later.
    fn complete_kept<'r, S: Simd>(
        &self,
        simd: S,
        leaves: LeafView<'_>,
        ray: (usize, PreparedRay<'r, R>),
        found: (NearestCertain, Option<&Doubts<Self::Touch>>),
        late: &mut LateHits<'r, R>,
        queue: &mut Queue<'r, Self::Primitive, R>,
    );
}

impl BundleTarget for &WideTree {
    type Touch = Touch;
    type Decider<'r> = Ray;

    #[inline(always)]
    fn with_decider<'r, O>(
        &self,
        ray: PreparedRay<'r>,
        decide: impl FnOnce(&Self::Decider<'r>) -> O,
    ) -> O {
        decide(ray.ray())
    }

    #[inline(always)]
    fn prepare_bundle<S: Simd>(&self, simd: S, bundle: &mut Bundle<'_>) {
        bundle.prepare(simd, &self.measures);
    }

    #[inline(always)]
    fn complete_kept<'r, S: Simd>(
        &self,
        simd: S,
        leaves: LeafView<'_>,
        (place, ray): (usize, PreparedRay<'r>),
        (kept, doubts): (NearestCertain, Option<&Doubts>),
        _: &mut LateHits<'r, Ray>,
        queue: &mut Queue<'r>,
    ) {
        let none = Doubts::new();
        let doubts = doubts.unwrap_or(&none);
        let hit = hit_of(simd, self, leaves, ray.ray(), (kept, doubts));
        queue.certified(place, hit);
    }
}

impl<'t> BundleTarget<Ray64> for WideTarget<'t> {
    type Touch = Touch<PrimId, Triangle64>;
    type Decider<'r> = WideDecider<'t, 'r>;

    #[inline(always)]
    fn with_decider<'r, O>(
        &self,
        ray: PreparedRay<'r, Ray64>,
        decide: impl FnOnce(&WideDecider<'t, 'r>) -> O,
    ) -> O {
        decide(&self.decider(ray))
    }

    /// Rays that are not near are left over.
    #[inline(always)]
    fn prepare_bundle<S: Simd>(&self, simd: S, bundle: &mut Bundle<'_, Ray64>) {
        let (frame, measures) = (self.triangles.frame(), &self.tree.measures);
        let (ends, error) = (self.near_ends(), origin_error(frame));
        // A direction of 0 is not plain.
        let mut rows = [[0.0; 8]; LANES];
        let mut certain: Lanes = [0.0; LANES];
        if error.off <= measures.reach {
            for (lane, (_, ray)) in bundle.rays.iter().enumerate() {
                if let Some(near) = NearRay::of(simd, (frame, measures.reach), ray.ray())
                    && near.is_on_time()
                {
                    let (end, limit) = near_ends(ray.t_max(), &ends);
                    rows[lane] = near.numbers(limit);
                    certain[lane] = end;
                }
            }
        }
        let all = bundle.all();
        let lanes = &mut bundle.lanes;
        let rows = (&rows, Some(&certain));
        let (_, ready) = prepare_rows(simd, measures, (lanes, all), rows, error);
        bundle.ready = ready;
    }

    #[inline(always)]
    fn complete_kept<'r, S: Simd>(
        &self,
        simd: S,
        leaves: LeafView<'_>,
        (place, ray): (usize, PreparedRay<'r, Ray64>),
        (kept, doubts): (NearestCertain, Option<&Doubts<Self::Touch>>),
        late: &mut LateHits<'r, Ray64>,
        queue: &mut Queue<'r, Triangle64, Ray64>,
    ) {
        let Some(hit) = kept.place() else {
            return queue.certified(place, None);
        };
        match doubts {
            None => self.complete(simd, leaves, (place, ray), hit, late, queue),
            Some(doubts) => {
                let hit: Option<Hit<f64>> =
                    hit_of(simd, self.tree, leaves, &self.decider(ray), (kept, doubts));
                queue.certified(place, hit);
            }
        }
    }
}
