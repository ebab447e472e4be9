//! What the rays of a bundle have found so far on what is placed in a world.

use super::inverse_map::InverseMap;
use super::placed_hit::{FirstPlaced, FoundHit};
use crate::traverse::bundle::bundle_leaf::{BundleProgress, LaneDoubts};
use crate::traverse::bundle::ray_lanes::RayLanes;
use crate::traverse::bundle::{LANES, Lanes};
use crate::traverse::kernel_ray::grant;
use crate::traverse::leaf_visits::smaller;
use crate::traverse::nearest_certain::NearestCertain;
use crate::traverse::wanted::Wanted;
use fearless_simd::Simd;

/// What is known of the rays, in part as bits.
pub(super) struct Found {
    pub(super) best: [Option<FoundHit>; LANES],
    /// Those of these hits that lie in worlds that are placed in this one; others mean nothing.
    pub(super) inner: [Option<FirstPlaced>; LANES],
    pub(super) t_limit: [f64; LANES],
    pub(super) hit: u32,
    pub(super) unsure: u32,
    pub(super) done: u32,
}

impl Found {
    pub(super) fn new() -> Self {
        Found {
            best: [None; LANES],
            inner: [None; LANES],
            t_limit: [0.0; LANES],
            hit: 0,
            unsure: 0,
            done: 0,
        }
    }

    /// Forgets other rays; these have the given limits.
    #[inline(always)]
    pub(super) fn begin(&mut self, limits: &Lanes) {
        self.best = [None; LANES];
        for (to, &limit) in self.t_limit.iter_mut().zip(limits) {
            *to = f64::from(limit);
        }
        (self.hit, self.unsure, self.done) = (0, 0, 0);
    }

    /// Takes in what rays, as bits, have found on an item, and which of them left something open there.
    #[inline(always)]
    pub(super) fn take<W: Wanted>(
        &mut self,
        rays: &mut RayLanes,
        (inverse, starts): (&InverseMap, &Lanes),
        (part, open): (u32, u32),
        item: u32,
        progress: &BundleProgress,
    ) {
        self.unsure |= open;
        if !W::FIRST {
            self.hit |= progress.done & part;
            self.done |= progress.done & part;
            return;
        }
        self.done |= open;
        let mut left = part & !open;
        while left != 0 {
            let lane = left.trailing_zeros() as usize % LANES;
            left &= left - 1;
            let kept = progress.kept(lane);
            let Some(place) = kept.place() else {
                continue;
            };
            let start = starts[lane];
            let ends = inverse.ends(start);
            let (from, to) = ends.own_interval(kept.from().into(), kept.limit().into());
            let hit = FoundHit {
                from,
                to,
                item,
                start,
                place,
            };
            self.keep(rays, lane, hit);
        }
    }

    /// Takes in a hit of the ray of a lane. Returns whether it is the nearest now.
    #[inline(always)]
    pub(super) fn keep(&mut self, rays: &mut RayLanes, lane: usize, hit: FoundHit) -> bool {
        match &self.best[lane] {
            Some(best) if hit.from > best.to => return false,
            Some(best) if hit.to >= best.from => {
                self.unsure |= 1 << lane;
                self.done |= 1 << lane;
                return false;
            }
            _ => {}
        }
        self.t_limit[lane] = hit.to;
        let limit = grant((hit.to as f32).next_up());
        rays.limit[lane] = smaller(limit, rays.limit[lane]);
        self.best[lane] = Some(hit);
        true
    }
}

/// Leaves all doubts open, of rays that are given as bits.
pub(super) struct OpenDoubts(pub(super) u32);

impl LaneDoubts for OpenDoubts {
    #[inline(always)]
    fn settle<S: Simd>(
        &mut self,
        _: S,
        lane: usize,
        _: (NearestCertain, u32, usize, usize),
    ) -> Option<NearestCertain> {
        self.0 |= 1 << lane;
        None
    }

    #[inline(always)]
    fn any<S: Simd>(&mut self, _: S, lane: usize, _: (u32, usize, usize)) -> bool {
        self.0 |= 1 << lane;
        false
    }
}
