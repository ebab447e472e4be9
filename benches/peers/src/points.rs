//! Closest points: the speed of all engines that find them.

use crate::answers::CHUNK;
use crate::engine::Engine;
use crate::measure::Effort;
use crate::peers::Exact;
use crate::ray::Hit;
use crate::row::{RaysRow, Row};
use crate::scenes::Scene;
use crate::statistics::{median, spread};
use estoc::demo::SplitMix64;
use estoc::glam::Vec3;
use estoc::{BruteForce, PointQuery, Triangle};
use rayon::ThreadPool;
use rayon::prelude::*;
use std::time::Instant;

/// The number of points.
const POINTS: usize = 50_000;

/// Where points lie.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// Within 1 % of the diagonal of a random triangle, in random order.
    Near,
    /// The same, in the order of the triangles.
    NearSorted,
    /// Anywhere in a box of 1.5 times the size.
    Far,
}

impl Place {
    pub(crate) const ALL: [Place; 3] = [Place::Near, Place::NearSorted, Place::Far];

    const fn name(self) -> &'static str {
        match self {
            Place::Near => "near",
            Place::NearSorted => "near-sorted",
            Place::Far => "far",
        }
    }

    fn points(self, scene: &Scene) -> Vec<Vec3> {
        let bounds = scene.mesh().bounds();
        let (centre, size) = (
            (bounds.min() + bounds.max()) * 0.5,
            bounds.max() - bounds.min(),
        );
        let mut rng = SplitMix64::new(19);
        let mut signed = || Vec3::from_array([(); 3].map(|()| rng.unit() as f32 * 2.0 - 1.0));
        if let Place::Far = self {
            return (0..POINTS)
                .map(|_| centre + 0.75 * size * signed())
                .collect();
        }
        let corners: Vec<[Vec3; 3]> = scene.corners().collect();
        let points = (0..POINTS).map(|i| {
            // A stride without a common factor: all parts of the mesh, in random order.
            let place = match self {
                Place::NearSorted => i * corners.len() / POINTS,
                _ => i * 7919 % corners.len(),
            };
            let [a, b, c] = corners[place];
            (a + b + c) / 3.0 + 0.01 * size.length() * signed()
        });
        points.collect()
    }
}

/// Measures all engines that find closest points, with each number of threads.
pub(crate) fn rows(
    scene: &Scene,
    engines: &[Box<dyn Engine>],
    exact: &Exact,
    pools: &[ThreadPool],
    effort: Effort,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for place in Place::ALL {
        let points = place.points(scene);
        eprintln!("{} {}: {POINTS} points", scene.name(), place.name());
        for pool in pools {
            let mut found = vec![Hit::MISS; POINTS];
            let mut entries: Vec<(&dyn Engine, usize, Vec<f64>)> = Vec::new();
            for engine in engines {
                let engine = &**engine;
                if ask(engine, &points, &mut found, pool).is_some() {
                    let disagree = pool.install(|| disagreements(scene, exact, &points, &found));
                    entries.push((engine, disagree, Vec::new()));
                }
            }
            let count = entries.len();
            for round in 0..effort.rounds {
                for turn in 0..count {
                    let (engine, _, speeds) = &mut entries[(turn + round) % count];
                    let seconds = ask(*engine, &points, &mut found, pool);
                    speeds.extend(seconds.map(|seconds| POINTS as f64 / seconds / 1e6));
                }
            }
            rows.extend(entries.into_iter().map(|(engine, disagree, rounds)| {
                Row::Points(RaysRow {
                    scene: scene.name().to_owned(),
                    rays: place.name().to_owned(),
                    mode: engine.mode().name().to_owned(),
                    engine: engine.name().to_owned(),
                    threads: pool.current_num_threads(),
                    mrays: median(&rounds),
                    spread: spread(&rounds),
                    rounds,
                    hits: POINTS,
                    disagree,
                    plan: String::new(),
                })
            }));
        }
    }
    rows
}

/// Returns the seconds that an engine takes; `None` if it does not find closest points.
fn ask(engine: &dyn Engine, points: &[Vec3], found: &mut [Hit], pool: &ThreadPool) -> Option<f64> {
    let whole = engine.spreads_itself() || pool.current_num_threads() == 1;
    let chunk = if whole { points.len() } else { CHUNK };
    pool.install(|| {
        let start = Instant::now();
        let chunks = points.par_chunks(chunk).zip(found.par_chunks_mut(chunk));
        let answers = chunks.all(|(points, found)| engine.closest_points(points, found));
        answers.then(|| start.elapsed().as_secs_f64())
    })
}

/// Returns for how many points there is a nearer triangle than the one found, by the nearest `f32`
/// to exact distances: of several equally near ones, each is right.
fn disagreements(scene: &Scene, exact: &Exact, points: &[Vec3], found: &[Hit]) -> usize {
    let corners: Vec<[Vec3; 3]> = scene.corners().collect();
    let is_wrong = |(&point, found): (&Vec3, &Hit)| {
        let right = exact.bvh().distance(point);
        let theirs = corners
            .get(found.prim as usize)
            .and_then(|&[a, b, c]| BruteForce::new([Triangle::new(a, b, c)]).distance(point));
        right != theirs
    };
    points
        .par_iter()
        .zip(found)
        .filter(|&pair| is_wrong(pair))
        .count()
}
