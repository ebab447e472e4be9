//! Doubts of the rays of a bundle, settled where they are met.

use super::LANES;
use super::bundle_leaf::LaneDoubts;
use super::ray_window::NumberedRay;
use crate::traverse::nearest_certain::NearestCertain;
use crate::traverse::plain_ray::doubts::{self, CROWD, Doubts};
use crate::traverse::plain_ray::hit_of;
use crate::wide::{LeafView, WideTree};
use estoc_core::{Hit, Ray};
use fearless_simd::Simd;

/// What the doubts of rays have led to so far.
pub struct BundleDoubts {
    /// For first hits: what is known of rays with doubts, given as bits.
    of_ray: [Doubts; LANES],
    doubted: u32,
    /// For any hit: by ray, the number of triangles in doubt of one leaf from which those parallel
    /// to the ray are dropped first.
    crowd: [u32; LANES],
}

impl BundleDoubts {
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

    /// Returns the first hit of the ray of a lane, which has kept this one as the nearest.
    #[inline(always)]
    pub(in crate::traverse) fn hit<S: Simd>(
        &self,
        simd: S,
        tree: &WideTree,
        leaves: LeafView<'_>,
        (lane, ray, kept): (usize, &Ray, NearestCertain),
    ) -> Option<Hit> {
        let lane = lane % LANES;
        let none = Doubts::new();
        let doubts = match self.doubted >> lane & 1 {
            0 => &none,
            _ => &self.of_ray[lane],
        };
        hit_of(simd, tree, leaves, ray, (kept, doubts))
    }
}

/// Settles the doubts of these rays.
pub(in crate::traverse) struct SettledDoubts<'a, 'r> {
    pub tree: &'a WideTree,
    pub rays: &'a [NumberedRay<'r>],
    pub doubts: &'a mut BundleDoubts,
}

impl LaneDoubts for SettledDoubts<'_, '_> {
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
        let ray = self.rays[lane].1.ray();
        Some(doubts.of_ray[lane].settle(simd, self.tree, ray, found))
    }

    #[inline(always)]
    fn any<S: Simd>(&mut self, simd: S, lane: usize, leaf: (u32, usize, usize)) -> bool {
        let crowd = &mut self.doubts.crowd[lane];
        match doubts::any(simd, self.tree, self.rays[lane].1.ray(), leaf, *crowd) {
            None => true,
            Some(now) => {
                *crowd = now;
                false
            }
        }
    }
}
