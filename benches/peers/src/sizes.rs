//! The cost of a ray in batches of all sizes, and with one ray per call.

use crate::kind::Kind;
use crate::measure::Effort;
use crate::peers::{Exact, ours};
use crate::rays;
use crate::row::{Row, SizeRow};
use crate::sample::{blocks, mixed};
use crate::scenes::Scene;
use crate::statistics::{median, spread};
use estoc::glam::Vec3;
use estoc::query::{Any, Closest};
use estoc::{Batch, Bvh, Hit, Ray, RayQuery};
use estoc_demo::ray_kinds::Places;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;
use std::time::Instant;

/// Small batches are traced one after the other, until they have about this many rays, or as many
/// as the time allows; a larger batch is traced alone.
const MOST: usize = 1 << 20;
/// The smallest number of rays, even on a slow machine.
const FEWEST: usize = 1 << 16;
/// The number of neighbours that stay together when the rays are mixed; without mixing, one batch
/// of a million would be the sky, and the next one the ground.
const PIECE: usize = 1 << 12;
/// Rays that a thread takes at a time with one ray per call.
const CHUNK: usize = crate::answers::CHUNK;

/// A scene and the sizes of its batches.
pub(crate) struct Sizes<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) exact: &'a Exact,
    pub(crate) places: &'a Places<Vec3>,
    pub(crate) sizes: &'a [usize],
    pub(crate) pools: &'a [ThreadPool],
    pub(crate) effort: Effort,
}

/// Rays per call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    One,
    Batch(usize),
}

/// One size of batches, with its rounds so far.
struct Entry<'a> {
    call: Call,
    rays: Cow<'a, [Ray]>,
    disagree: usize,
    mrays: Vec<f64>,
}

impl Sizes<'_> {
    /// Measures all sizes with one kind of rays and each number of threads.
    ///
    /// Rays and answers are in estoc's own layout, because no other engine is measured.
    pub(crate) fn rows(&self, kind: Kind) -> Vec<Row> {
        let largest = self.sizes.iter().copied().fold(MOST, usize::max);
        let rays = rays::make(kind, self.scene, self.places, side_for(largest));
        let (first, bvh) = (&self.pools[0], self.exact.bvh());
        let rays = mixed(&rays, PIECE);
        let rays: Vec<Ray> = first.install(|| rays.par_iter().map(ours).collect());
        let mut exact = Answers::room(kind, rays.len());
        first.install(|| exact.ask(Call::One, bvh, &rays));

        let mut answers = Answers::room(kind, rays.len());
        let probe = &rays[..FEWEST.min(rays.len())];
        let seconds = first.install(|| answers.ask(Call::One, bvh, probe));
        let wanted = (self.effort.seconds / seconds * FEWEST as f64) as usize;
        let wanted = wanted.clamp(FEWEST, MOST);

        let mut rows = Vec::new();
        for pool in self.pools {
            let calls = self.sizes.iter().map(|&size| Call::Batch(size));
            let entry = |call: Call| {
                let kept: Vec<_> = blocks(rays.len(), call.block(), wanted).collect();
                let sampled = gathered(&rays, &kept);
                answers.forget();
                pool.install(|| answers.ask(call, bvh, &sampled));
                Entry {
                    call,
                    rays: sampled,
                    disagree: answers.disagree(&exact, &kept),
                    mrays: Vec::new(),
                }
            };
            let mut entries: Vec<_> = [Call::One].into_iter().chain(calls).map(entry).collect();
            let count = entries.len();
            for round in 0..self.effort.rounds {
                for turn in 0..count {
                    let entry = &mut entries[(turn + round) % count];
                    let seconds = pool.install(|| answers.ask(entry.call, bvh, &entry.rays));
                    entry.mrays.push(entry.rays.len() as f64 / seconds / 1e6);
                }
            }
            let row = |entry: &Entry<'_>| self.row(kind, pool.current_num_threads(), entry);
            rows.extend(entries.iter().map(row));
        }
        rows
    }

    fn row(&self, kind: Kind, threads: usize, entry: &Entry<'_>) -> Row {
        let (mode, size) = match entry.call {
            Call::One => ("single", 1),
            Call::Batch(size) => ("batch", size),
        };
        Row::Size(SizeRow {
            scene: self.scene.name().to_owned(),
            rays: kind.name().to_owned(),
            mode: mode.to_owned(),
            engine: "estoc".to_owned(),
            threads,
            mrays: median(&entry.mrays),
            spread: spread(&entry.mrays),
            size,
            disagree: entry.disagree,
        })
    }
}

impl Call {
    /// Returns the number of neighbours that stay together when a sample of the rays is taken.
    fn block(self) -> usize {
        match self {
            Call::One => CHUNK,
            Call::Batch(size) => size,
        }
    }
}

/// Returns the edge length of a picture of at least `rays` rays.
fn side_for(rays: usize) -> usize {
    let floor = rays.isqrt();
    let edge = floor + usize::from(floor * floor < rays);
    edge.next_power_of_two().max(16)
}

/// Returns these blocks one after the other, without a copy when they are all rays.
fn gathered<'a>(rays: &'a [Ray], blocks: &[Range<usize>]) -> Cow<'a, [Ray]> {
    if blocks.iter().map(Range::len).sum::<usize>() == rays.len() {
        return Cow::Borrowed(rays);
    }
    let blocks = blocks.iter().flat_map(|block| &rays[block.clone()]);
    Cow::Owned(blocks.copied().collect())
}

/// Buffers for the answers to either question.
enum Answers {
    Closest(Vec<Option<Hit>>),
    Any(Vec<bool>),
}

impl Answers {
    fn room(kind: Kind, rays: usize) -> Self {
        if kind.is_any() {
            Answers::Any(vec![false; rays])
        } else {
            Answers::Closest(vec![None; rays])
        }
    }

    fn forget(&mut self) {
        match self {
            Answers::Closest(hits) => hits.fill(None),
            Answers::Any(any) => any.fill(false),
        }
    }

    /// Queries with these rays, for which the buffer is large enough, in the caller's pool; returns
    /// the seconds taken.
    fn ask(&mut self, call: Call, bvh: &Bvh, rays: &[Ray]) -> f64 {
        let start = Instant::now();
        match (self, call) {
            (Answers::Closest(hits), Call::One) => each(rays, hits, |ray| bvh.closest_hit(ray)),
            (Answers::Any(any), Call::One) => each(rays, any, |ray| bvh.any_hit(ray)),
            (Answers::Closest(hits), Call::Batch(size)) => {
                for (rays, hits) in rays.chunks(size).zip(hits.chunks_mut(size)) {
                    let hits = &mut hits[..rays.len()];
                    let done = Batch::new().ask_into(bvh, Closest, rays, hits);
                    done.expect("the output is as long as the rays, and nothing cancels");
                }
            }
            (Answers::Any(any), Call::Batch(size)) => {
                for (rays, any) in rays.chunks(size).zip(any.chunks_mut(size)) {
                    let any = &mut any[..rays.len()];
                    let done = Batch::new().ask_into(bvh, Any, rays, any);
                    done.expect("the output is as long as the rays, and nothing cancels");
                }
            }
        }
        start.elapsed().as_secs_f64()
    }

    /// Returns how many answers to these blocks, gathered, differ in any bit.
    fn disagree(&self, exact: &Answers, blocks: &[Range<usize>]) -> usize {
        match (self, exact) {
            (Answers::Closest(ours), Answers::Closest(exact)) => differing(ours, exact, blocks),
            (Answers::Any(ours), Answers::Any(exact)) => differing(ours, exact, blocks),
            _ => unreachable!("both are made for the same kind of rays"),
        }
    }
}

/// Calls `ask` for each ray; a single thread takes them in order.
fn each<A: Send>(rays: &[Ray], answers: &mut [A], ask: impl Fn(&Ray) -> A + Sync) {
    let run = |(rays, answers): (&[Ray], &mut [A])| {
        for (ray, answer) in rays.iter().zip(answers) {
            *answer = ask(ray);
        }
    };
    if rayon::current_num_threads() == 1 {
        return run((rays, answers));
    }
    let chunks = rays.par_chunks(CHUNK).zip(answers.par_chunks_mut(CHUNK));
    chunks.for_each(run);
}

fn differing<A: PartialEq>(ours: &[A], exact: &[A], blocks: &[Range<usize>]) -> usize {
    let exact = blocks.iter().flat_map(|block| &exact[block.clone()]);
    ours.iter().zip(exact).filter(|(a, b)| a != b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_large_enough() {
        for (rays, side) in [
            (1, 16),
            (1 << 20, 1024),
            ((1 << 20) + 1, 2048),
            (1 << 24, 4096),
        ] {
            assert_eq!(side_for(rays), side);
        }
    }

    #[test]
    fn answers_are_judged_where_they_came_from() {
        let exact = [0, 1, 2, 3, 4, 5];
        assert_eq!(differing(&[1, 2, 4, 5], &exact, &[1..3, 4..6]), 0);
        assert_eq!(differing(&[1, 9, 4, 9], &exact, &[1..3, 4..6]), 2);
    }
}
