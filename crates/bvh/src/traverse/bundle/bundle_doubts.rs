//! Doubts of the rays of a bundle, settled where they are met.

use super::LANES;
use super::bundle_leaf::LaneDoubts;
use super::bundle_target::BundleTarget;
use super::ray_window::NumberedRay;
use crate::traverse::nearest_certain::NearestCertain;
use crate::traverse::plain_ray::doubts::{self, CROWD, Doubts};
use crate::traverse::ray_group::RayInGroup;
use estoc_core::exact::Touch;
use fearless_simd::Simd;

/// What the doubts of rays have led to so far.
pub struct BundleDoubts<T = Touch> {
    /// For first hits: what is known of rays with doubts, given as bits.
    of_ray: [Doubts<T>; LANES],
    doubted: u32,
    /// For any hit: by ray, the number of triangles in doubt of one leaf from which those parallel
    /// to the ray are dropped first.
    crowd: [u32; LANES],
}

impl<T: Copy> BundleDoubts<T> {
    pub fn new() -> Self {
        BundleDoubts {
            of_ray: core::array::from_fn(|_| Doubts::new()),
            doubted: 0,
            crowd: [CROWD; LANES],
        }
    }

    /// Forgets other rays.
    #[inline(always)]
    pub fn begin(&mut self) {
        self.crowd = [CROWD; LANES];
        self.doubted = 0;
    }

    /// Returns what the doubts of the ray of a lane have led to, if it had any.
    #[inline(always)]
    pub(in crate::traverse) fn of(&self, lane: usize) -> Option<&Doubts<T>> {
        (self.doubted >> lane & 1 == 1).then(|| &self.of_ray[lane % LANES])
    }
}

/// Settles the doubts of these rays.
pub(in crate::traverse) struct SettledDoubts<'a, 'r, R: RayInGroup, T: BundleTarget<R>> {
    pub target: T,
    pub rays: &'a [NumberedRay<'r, R>],
    pub doubts: &'a mut BundleDoubts<T::Touch>,
}

impl<R: RayInGroup, T: BundleTarget<R>> LaneDoubts for SettledDoubts<'_, '_, R, T> {
    #[inline(always)]
    fn settle<S: Simd>(
        &mut self,
        simd: S,
        lane: usize,
        found: (NearestCertain, u32, usize, usize),
    ) -> Option<NearestCertain> {
        let doubts = &mut *self.doubts;
        if doubts.doubted >> lane & 1 == 0 {
            doubts.of_ray[lane] = Doubts::new();
            doubts.doubted |= 1 << lane;
        }
        let (target, of_ray) = (self.target, &mut doubts.of_ray[lane]);
        Some(target.with_decider(
            self.rays[lane].1,
            #[inline(always)]
            |decider| of_ray.settle(simd, target.tree(), decider, found),
        ))
    }

    #[inline(always)]
    fn any<S: Simd>(&mut self, simd: S, lane: usize, leaf: (u32, usize, usize)) -> bool {
        let (target, crowd) = (self.target, &mut self.doubts.crowd[lane]);
        let left = target.with_decider(
            self.rays[lane].1,
            #[inline(always)]
            |decider| doubts::any(simd, target.tree(), decider, leaf, *crowd),
        );
        match left {
            None => true,
            Some(now) => {
                *crowd = now;
                false
            }
        }
    }
}
