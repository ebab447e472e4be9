//! Traces the rays of a queue as rays in `f64`.

use crate::collect::{RayTest, Rules};
use crate::engine::scaled_rays::PIECE;
use crate::engine::{
    QuerySlice, QuerySliceError, Queue, RayEngine, Sink, Technique, TechniqueCounts, trace,
};
use crate::shapes::{Ray, Ray64};
use alloc::vec::Vec;

impl<P: RayTest<Ray> + RayTest<Ray64>> Queue<'_, P> {
    /// Has an engine trace all rays that are left as [`Ray64`]s of the same numbers, so that it needs no kernels for
    /// both. Returns how many rays each technique traced.
    #[doc(hidden)]
    pub fn trace_widened<E: RayEngine<Ray64, Primitive = P> + ?Sized>(
        &mut self,
        engine: &E,
        technique: Technique,
    ) -> TechniqueCounts {
        let accept = self.rules.accept;
        let accept_widened =
            |ray: &Ray64, hit: &P::Hit| accept.is_none_or(|accept| accept(&ray.to_ray(), hit));
        let rules = Rules {
            masks: self.rules.masks,
            accept: accept.map(|_| &accept_widened as &dyn Fn(&Ray64, &P::Hit) -> bool),
            crossings: self.rules.crossings,
            ..Rules::default()
        };
        let len = self.many.len();
        let mut counts = TechniqueCounts::default();
        let mut rays = Vec::new();
        if (rays.try_reserve_exact(PIECE.min(len - self.next))).is_err() {
            let ray = core::mem::replace(&mut self.next, len);
            (self.error).get_or_insert(QuerySliceError::NoMemory { ray });
        }
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
            let trace = |sink: Sink<'_, P>| trace(engine, &many, rules, sink);
            let places = first..self.next;
            let traced = match &mut self.sink {
                Sink::First(hits) => trace(Sink::First(&mut hits[places])),
                Sink::Any(any) => trace(Sink::Any(&mut any[places])),
                Sink::Count(counts) => trace(Sink::Count(&mut counts[places])),
                Sink::Winding(sums) => trace(Sink::Winding(&mut sums[places])),
                Sink::Rows(emit, listed) => {
                    let mut emit = |place: usize, hits: &[P::Hit]| emit(first + place, hits);
                    trace(Sink::Rows(&mut emit, *listed))
                }
            };
            counts += self.take_result(first, traced);
        }
        counts
    }
}
