//! Traces the rays of a queue with directions that are scaled to usual lengths.

use crate::collect::Rules;
use crate::engine::{Engine, QuerySlice, QuerySliceError, Queue, Sink, Technique, TechniqueCounts};
use crate::shapes::{Ray, ScaledRay, Triangle};
use alloc::vec::Vec;

/// The number of rays that are copied at a time.
pub(super) const PIECE: usize = 4096;

impl Queue<'_, Triangle> {
    /// Traces all remaining rays with scaled directions, if most directions are longer than `spread` or
    /// shorter than its inverse, which kernels for several rays do not accept. Returns the counts;
    /// `None`, and takes no ray, if most rays are usual or cannot be scaled exactly, if a filter or rows
    /// of hits would see scaled parameters, or without memory for the copies.
    #[doc(hidden)]
    pub fn trace_scaled(
        &mut self,
        engine: &(impl Engine<Primitive = Triangle> + ?Sized),
        technique: Technique,
        spread: f32,
    ) -> Option<TechniqueCounts> {
        let scaled = |ray: &Ray| ScaledRay::of(ray, spread);
        let (first, len) = (self.next, self.many.len());
        let are_seen = self.rules.accept.is_some() || matches!(self.sink, Sink::Rows(..));
        if are_seen || !holds_for_most(&self.many.items[first..], |ray| scaled(ray).is_some()) {
            return None;
        }
        let mut rays = Vec::new();
        rays.try_reserve_exact(PIECE.min(len - first)).ok()?;
        let mut counts = TechniqueCounts::default();
        while self.next < len && self.error.is_none() {
            let begin = self.next;
            self.next = len.min(begin + PIECE);
            let own = self.many.part(begin..self.next);
            rays.clear();
            rays.extend((own.items.iter()).map(|ray| scaled(ray).map_or(*ray, |it| it.ray)));
            let many = QuerySlice {
                items: &rays,
                technique,
                ..own
            };
            let traced = self.trace_part(engine, begin, &many);
            let answered = match traced {
                Err(QuerySliceError::Query { ray, .. }) => ray,
                _ => own.len(),
            };
            for (place, ray) in (begin..).zip(&own.items[..answered]) {
                let Sink::First(hits) = &mut self.sink else {
                    break;
                };
                let (Some(hit), Some(scaled)) = (&mut hits[place], scaled(ray)) else {
                    continue;
                };
                if let Some(t) = scaled.own_parameter(hit.t) {
                    hit.t = t;
                    continue;
                }
                let alone = QuerySlice {
                    technique: Technique::OneByOne,
                    ..self.many.part(place..place + 1)
                };
                // Whether it is an error depends on the line, so the scaled ray would have had it.
                let _ = self.trace_part(engine, place, &alone);
            }
            counts += self.take_result(begin, traced);
        }
        Some(counts)
    }

    /// Traces rays in place of those from this place on.
    fn trace_part(
        &mut self,
        engine: &(impl Engine<Primitive = Triangle> + ?Sized),
        place: usize,
        many: &QuerySlice<'_>,
    ) -> Result<TechniqueCounts, QuerySliceError> {
        // The engine may be behind another one, whose masks and triangles are those of the queue.
        let rules = Rules {
            accept: None,
            ..self.rules
        };
        let find_after = self.find_after;
        (self.sink).in_part(place..place + many.len(), |mut sink| {
            let mut queue = Queue::new(many, rules, find_after, sink.reborrow());
            let counts = engine.visit_many(many.technique, &mut queue);
            queue.end().map(|()| counts)
        })
    }
}

/// Returns whether a test holds for most of a sample of the rays.
fn holds_for_most(rays: &[Ray], test: impl Fn(&Ray) -> bool) -> bool {
    const SAMPLE: usize = 16;
    let sample = || rays.iter().step_by(rays.len().div_ceil(SAMPLE).max(1));
    2 * sample().filter(|ray| test(ray)).count() > sample().count()
}
