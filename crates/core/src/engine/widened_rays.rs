//! Traces the rays of a queue as rays in `f64`.

use crate::collect::{RayTest, Rules};
use crate::engine::scaled_rays::PIECE;
use crate::engine::{QuerySlice, Queue, RayEngine, Technique, TechniqueCounts, one_by_one, trace};
use crate::shapes::{Ray, Ray64};
use alloc::vec::Vec;

impl<P: RayTest<Ray> + RayTest<Ray64>> Queue<'_, P> {
    /// Has an engine trace all rays that are left as [`Ray64`]s of the same numbers, so that it needs no kernels for
    /// both. Without memory for the copies they are traced one by one. Returns how many rays each technique traced.
    #[doc(hidden)]
    pub fn trace_widened<E: RayEngine<Ray64, Primitive = P> + ?Sized>(
        &mut self,
        engine: &E,
        technique: Technique,
    ) -> TechniqueCounts {
        let len = self.many.len();
        let mut rays = Vec::new();
        let is_alone = technique == Technique::OneByOne;
        if is_alone || rays.try_reserve_exact(PIECE.min(len - self.next)).is_err() {
            return one_by_one::<Ray, E>(engine, self);
        }
        let accept = self.rules.accept;
        let accept_widened =
            |ray: &Ray64, hit: &P::Hit| accept.is_none_or(|accept| accept(&ray.to_ray(), hit));
        let rules = Rules {
            masks: self.rules.masks,
            accept: accept.map(|_| &accept_widened as &dyn Fn(&Ray64, &P::Hit) -> bool),
            crossings: self.rules.crossings,
            ..Rules::default()
        };
        let mut counts = TechniqueCounts::default();
        while self.next < len && self.error.is_none() {
            let first = self.next;
            self.next = len.min(first + PIECE);
            let own = self.many.part(first..self.next);
            rays.clear();
            rays.extend(own.items.iter().map(|&ray| Ray64::from(ray)));
            let many = QuerySlice {
                items: &rays,
                options: own.options,
                active: own.active,
                technique,
                is_adaptive: own.is_adaptive,
            };
            let places = first..self.next;
            let traced = (self.sink).in_part(places, |sink| trace(engine, &many, rules, sink));
            counts += self.take_result(first, traced);
        }
        counts
    }
}
