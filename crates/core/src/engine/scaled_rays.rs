//! Traces the rays of a queue with directions that are scaled to usual lengths.

use crate::engine::{Engine, QuerySlice, Queue, Sink, Technique, TechniqueCounts, trace};
use crate::shapes::{Ray, ScaledRay, Triangle};
use alloc::vec::Vec;

impl Queue<'_, Triangle> {
    /// Has the engine trace all rays that are left with scaled directions, if those of most are longer
    /// than `spread` or shorter than its inverse: kernels that trace rays together take no others.
    /// Returns how many rays each technique traced; `None`, and takes no ray, if most rays are usual or
    /// cannot be scaled, or if anything but [`trace`] itself sees the parameters of hits.
    #[doc(hidden)]
    pub fn trace_scaled(
        &mut self,
        engine: &(impl Engine<Primitive = Triangle> + ?Sized),
        technique: Technique,
        spread: f32,
    ) -> Option<TechniqueCounts> {
        let first = self.next;
        let own = QuerySlice {
            technique,
            ..self.many.part(first..self.many.len())
        };
        let scaled = |ray: &Ray| ScaledRay::of(ray, spread);
        let are_seen = self.rules.accept.is_some() || matches!(self.sink, Sink::Rows(..));
        if are_seen || !are_most(own.items, |ray| scaled(ray).is_some()) {
            return None;
        }
        let mut rays = Vec::new();
        rays.try_reserve_exact(own.len()).ok()?;
        rays.extend((own.items.iter()).map(|ray| scaled(ray).map_or(*ray, |scaled| scaled.ray)));
        let many = QuerySlice {
            items: &rays,
            ..own
        };
        self.next = self.many.len();
        let crossings = self.rules.crossings;
        let trace = |many: &QuerySlice<'_>, sink: Sink<'_, Triangle>| {
            trace(engine, many, None, crossings, sink)
        };
        let traced = match &mut self.sink {
            Sink::First(hits) => {
                let hits = &mut hits[first..];
                let traced = trace(&many, Sink::First(hits));
                for (place, ray) in own.items.iter().enumerate() {
                    let (Some(hit), Some(scaled)) = (&mut hits[place], scaled(ray)) else {
                        continue;
                    };
                    if let Some(t) = scaled.own_parameter(hit.t) {
                        hit.t = t;
                        continue;
                    }
                    let alone = QuerySlice {
                        technique: Technique::OneByOne,
                        ..own.part(place..place + 1)
                    };
                    // The scaled ray had no error, which does not depend on the length.
                    let _ = trace(&alone, Sink::First(&mut hits[place..=place]));
                }
                traced
            }
            Sink::Any(any) => trace(&many, Sink::Any(&mut any[first..])),
            Sink::Count(counts) => trace(&many, Sink::Count(&mut counts[first..])),
            Sink::Winding(sums) => trace(&many, Sink::Winding(&mut sums[first..])),
            Sink::Rows(..) => return None,
        };
        Some(self.traced(first, traced))
    }
}

/// Returns whether this is true of most of a sample of the rays.
fn are_most(rays: &[Ray], are: impl Fn(&Ray) -> bool) -> bool {
    const SAMPLE: usize = 16;
    let sample = || rays.iter().step_by(rays.len().div_ceil(SAMPLE).max(1));
    2 * sample().filter(|ray| are(ray)).count() > sample().count()
}
