//! Hands the rays of a queue to another engine.

use crate::collect::{Primitive, QueryOptions, RayTest, Rules};
use crate::engine::{
    Engine, HitOf, IdOf, Options, QuerySlice, QuerySliceError, Queue, Sink, Technique,
    TechniqueCounts, trace,
};
use crate::shapes::Ray;
use alloc::vec::Vec;

/// How an engine with primitives `P` names those of another engine, `E`, in which it finds them.
pub trait Delegate<P: Primitive, E: Engine + ?Sized> {
    /// Returns the other engine's id of a primitive; `None` if that engine does not have it.
    fn id(&self, id: P::Id) -> Option<IdOf<E>>;

    /// Returns a hit of the other engine as one of this engine.
    fn hit(&self, hit: &HitOf<E>) -> P::Hit;
}

impl<P: RayTest> Queue<'_, P> {
    /// Has another engine trace all rays that are left. Its primitives must be those of the queue's
    /// engine, in the same order and on the same sides, with other names, and the same masks must hide
    /// them; a queue that leaves out masks leaves out those of the other engine, too. Returns how many
    /// rays each technique traced; `None`, and takes no ray, if one continues after a primitive that the
    /// other engine does not have.
    pub fn delegate<E: Engine + ?Sized>(
        &mut self,
        engine: &E,
        technique: Technique,
        names: &dyn Delegate<P, E>,
    ) -> Option<TechniqueCounts> {
        let first = self.next;
        let renamed = |options: &QueryOptions<P::Id>| {
            let after = match options.after {
                Some(id) => Some(names.id(id)?),
                None => None,
            };
            Some(QueryOptions {
                cull: options.cull,
                after,
                skip: options.skip.and_then(|id| names.id(id)),
                mask: options.mask,
                open_ends: options.open_ends,
            })
        };
        let own = self.many.part(first..self.many.len());
        let left = own.len();
        let same;
        let (mut each, mut found) = (Vec::new(), Vec::new());
        let has_memory = match (&own.options, &self.sink) {
            (Options::Each(_), _) if each.try_reserve_exact(left).is_err() => false,
            (_, Sink::First(_)) => found.try_reserve_exact(left).is_ok(),
            _ => true,
        };
        if !has_memory {
            let ray = first;
            self.next = self.many.items.len();
            (self.error).get_or_insert(QuerySliceError::NoMemory { ray });
            return Some(TechniqueCounts::default());
        }
        let options = match own.options {
            Options::Same(options) => {
                same = renamed(options)?;
                Options::Same(&same)
            }
            Options::Each(options) => {
                for options in options {
                    each.push(renamed(options)?);
                }
                Options::Each(&each)
            }
        };
        let many = QuerySlice {
            options,
            technique,
            ..own.about(own.items)
        };
        let accept = self.rules.accept;
        let accept_renamed =
            |ray: &Ray, hit: &HitOf<E>| accept.is_none_or(|accept| accept(ray, &names.hit(hit)));
        let accept = accept.map(|_| &accept_renamed as &dyn Fn(&Ray, &HitOf<E>) -> bool);
        let rules = Rules {
            masks: self.rules.masks.and(engine.masks()),
            accept,
            crossings: self.rules.crossings,
            ..Rules::default()
        };
        let trace = |sink: Sink<'_, E::Primitive>| trace(engine, &many, rules, sink);
        self.next = self.many.items.len();
        let traced = match &mut self.sink {
            Sink::First(hits) => {
                found.resize(left, None);
                let traced = trace(Sink::First(&mut found));
                for (hit, found) in hits[first..].iter_mut().zip(&found) {
                    *hit = found.as_ref().map(|hit| names.hit(hit));
                }
                traced
            }
            Sink::Any(any) => trace(Sink::Any(&mut any[first..])),
            Sink::Count(counts) => trace(Sink::Count(&mut counts[first..])),
            Sink::Winding(sums) => trace(Sink::Winding(&mut sums[first..])),
            Sink::Rows(emit, listed) => {
                let mut row = Vec::new();
                let mut emit = |place: usize, hits: &[HitOf<E>]| {
                    row.clear();
                    row.extend(hits.iter().map(|hit| names.hit(hit)));
                    emit(first + place, &row);
                };
                trace(Sink::Rows(&mut emit, *listed))
            }
        };
        Some(self.take_result(first, traced))
    }
}
