//! `estoc::Batch`: all rays at once, on the threads of the pool that it is called in.

use super::{Asked, ours};
use crate::answers::CHUNK;
use crate::engine::Queries;
use crate::ray::{Hit, Ray};
use estoc::engine::{HitOf, Technique, TechniqueCounts};
use estoc::glam::Vec3;
use estoc::query::{Any, Closest, CountCrossings};
use estoc::{Batch, batch::BatchReport};
use estoc_core::IdOf;
use rayon::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// Rays per thread between two conversions: few enough that they are still in the caches when they
/// are traced (a megabyte of rays), enough to amortise the start and end of a batch.
pub(super) const STRETCH: usize = 1 << 15;

pub(super) struct Batched<E: Asked> {
    asked: Arc<E>,
    /// The technique for all rays, whether it suits them or not; the plan chooses if it is not given.
    technique: Option<Technique>,
    /// Rays per batch; as many as suit conversions if it is not given.
    size: Option<usize>,
    /// Reused between calls, as in a program that queries often.
    room: Mutex<Room<HitOf<E>>>,
}

struct Room<H> {
    rays: Vec<estoc::Ray>,
    hits: Vec<Option<H>>,
    /// The report of the last call.
    report: Option<BatchReport>,
}

impl<E: Asked> Batched<E> {
    pub(super) fn new(asked: Arc<E>, technique: Option<Technique>, size: Option<usize>) -> Self {
        Batched {
            asked,
            technique,
            size,
            room: Mutex::new(Room {
                rays: Vec::new(),
                hits: Vec::new(),
                report: None,
            }),
        }
    }

    fn batch(&self) -> Batch<'static, IdOf<E>> {
        Batch::default().technique(self.technique)
    }

    /// Converts the rays stretch by stretch and calls `ask` with each stretch and the buffer for
    /// its answers.
    fn by_stretches<A>(
        &self,
        rays: &[Ray],
        answers: &mut [A],
        ask: impl Fn(&[estoc::Ray], &mut [A], &mut Vec<Option<HitOf<E>>>) -> BatchReport,
    ) {
        let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        let room = &mut *room;
        room.report = None;
        let stretch = STRETCH * rayon::current_num_threads();
        let stretch = self.size.unwrap_or(stretch);
        let nowhere = estoc::Ray::new([0.0; 3], [0.0; 3]);
        for (rays, answers) in rays.chunks(stretch).zip(answers.chunks_mut(stretch)) {
            room.rays.resize(rays.len(), nowhere);
            convert(rays, &mut room.rays, ours);
            let report = ask(&room.rays, answers, &mut room.hits);
            match &mut room.report {
                Some(sum) => *sum += report,
                none => *none = Some(report),
            }
        }
    }
}

/// Converts in all threads of the pool.
pub(super) fn convert<A: Sync, B: Send>(from: &[A], to: &mut [B], each: impl Fn(&A) -> B + Sync) {
    let chunks = from.par_chunks(CHUNK).zip(to.par_chunks_mut(CHUNK));
    chunks.for_each(|(from, to)| {
        for (from, to) in from.iter().zip(to) {
            *to = each(from);
        }
    });
}

impl<E: Asked> Queries for Batched<E> {
    fn spreads_itself(&self) -> bool {
        true
    }

    fn plan(&self) -> Option<String> {
        let room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        room.report.as_ref().map(in_words)
    }

    fn closest_hits(&self, rays: &[Ray], hits: &mut [Hit]) {
        self.by_stretches(rays, hits, |rays, hits, room| {
            room.resize(rays.len(), None);
            let done = self
                .batch()
                .ask_into(&*self.asked, Closest, rays, &mut room[..]);
            convert(room, hits, |&hit| E::common(hit));
            done.expect("the output is as long as the rays, and nothing cancels")
        });
    }

    fn closest_points(&self, points: &[Vec3], found: &mut [Hit]) -> bool {
        self.asked.nearest_of_many(points, found)
    }

    fn count_surfaces(&self, rays: &[Ray]) -> Option<Vec<usize>> {
        let mut counts = vec![0; rays.len()];
        self.by_stretches(rays, &mut counts, |rays, counts, _| {
            let done = self
                .batch()
                .ask_into(&*self.asked, CountCrossings, rays, counts);
            done.expect("the output is as long as the rays, and nothing cancels")
        });
        Some(counts)
    }

    fn any_hits(&self, rays: &[Ray], hits: &mut [bool]) {
        self.by_stretches(rays, hits, |rays, hits, _| {
            let done = self.batch().ask_into(&*self.asked, Any, rays, hits);
            done.expect("the output is as long as the rays, and nothing cancels")
        });
    }
}

/// Returns the shares of the techniques, and the number of rays that a thread took at a time.
fn in_words(report: &BatchReport) -> String {
    let (techniques, plan) = (report.techniques, &report.plan);
    let order = if plan.reorder { " sorted" } else { "" };
    format!(
        "{} by {}{order}",
        shares_in_words(techniques),
        plan.chunk_size
    )
}

/// Returns shares such as `97% packets + 3% interleaved`, without techniques that traced no ray.
fn shares_in_words(techniques: TechniqueCounts) -> String {
    let total = techniques.total().max(1) as f64;
    let parts = [
        (techniques.packets, "packets"),
        (techniques.bundles, "bundles"),
        (techniques.interleaved, "interleaved"),
        (techniques.one_by_one, "one by one"),
    ];
    let parts = parts.iter().filter(|(rays, _)| *rays > 0);
    let parts = parts.map(|&(rays, name)| match rays as f64 / total * 100.0 {
        share @ ..1.0 => format!("{share:.1}% {name}"),
        share => format!("{share:.0}% {name}"),
    });
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() {
        return "no rays".to_owned();
    }
    parts.join(" + ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_said_in_words() {
        let of = TechniqueCounts::of;
        let both = of(Technique::Packets, 970) + of(Technique::Interleaved, 30);
        assert_eq!(shares_in_words(both), "97% packets + 3% interleaved");
        let few = of(Technique::Packets, 997) + of(Technique::OneByOne, 3);
        assert_eq!(shares_in_words(few), "100% packets + 0.3% one by one");
        assert_eq!(shares_in_words(TechniqueCounts::default()), "no rays");
    }
}
