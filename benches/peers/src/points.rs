//! Closest points: the speed of all engines that find them.

use crate::answers::chunk;
use crate::clock::Clock;
use crate::engine::{Engine, Queries};
use crate::peers::{Exact, Exactly};
use crate::ray::Hit;
use crate::rounds::in_turns;
use crate::row::Row;
use crate::scenes::Scene;
use estoc::demo::SplitMix64;
use estoc::glam::Vec3;
use rayon::ThreadPool;
use rayon::prelude::*;

/// The number of points.
const POINTS: usize = 50_000;

/// Where points lie: within 1 % of the diagonal of a random triangle, in random order; the same, in
/// the order of the triangles; and anywhere in a box of 1.5 times the size.
const PLACES: [&str; 3] = ["near", "near-sorted", "far"];

fn points(place: &str, scene: &Scene) -> Vec<Vec3> {
    let bounds = scene.mesh.bounds();
    let centre = (bounds.min() + bounds.max()) * 0.5;
    let size = bounds.max() - bounds.min();
    let corners: Vec<[Vec3; 3]> = scene.corners().collect();
    let mut rng = SplitMix64::new(19);
    let mut signed = || Vec3::from_array([(); 3].map(|()| rng.unit() as f32 * 2.0 - 1.0));
    let point = |i: usize| {
        let triangle = match place {
            // A stride without a common factor: all parts of the mesh, in random order.
            "near" => i * 7919 % corners.len(),
            "near-sorted" => i * corners.len() / POINTS,
            _ => return centre + 0.75 * size * signed(),
        };
        let [a, b, c] = corners[triangle];
        (a + b + c) / 3.0 + 0.01 * size.length() * signed()
    };
    (0..POINTS).map(point).collect()
}

/// Measures all engines that find closest points, with each number of threads.
pub(crate) fn rows<F: Exactly>(
    scene: &Scene,
    engines: &[Engine<F>],
    exact: &Exact<F>,
    clock: Clock,
    pools: &[ThreadPool],
    rounds: usize,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for place in PLACES {
        let points: Vec<F::Point> = points(place, scene).into_iter().map(F::of_point).collect();
        eprintln!("{} {place}: {POINTS} points", scene.name);
        for pool in pools {
            let mut found = vec![Hit::MISS; POINTS];
            let mut entries: Vec<(&Engine<F>, usize, Vec<f64>)> = Vec::new();
            for engine in engines {
                if ask(clock, &*engine.queries, &points, &mut found, pool).is_some() {
                    let wrong = pool.install(|| wrong(scene, exact, &points, &found));
                    entries.push((engine, wrong, Vec::new()));
                }
            }
            for (_, index) in in_turns(rounds, entries.len()) {
                let (engine, _, times) = &mut entries[index];
                let seconds = ask(clock, &*engine.queries, &points, &mut found, pool);
                times.extend(seconds.map(|seconds| seconds / POINTS as f64 * 1e9));
            }
            rows.extend(entries.into_iter().map(|(engine, wrong, times)| {
                let threads = pool.current_num_threads();
                let row = Row {
                    rays: place.to_owned(),
                    mode: engine.mode.to_owned(),
                    count: Some(POINTS),
                    elsewhere: Some(wrong),
                    ..Row::of(F::POINTS, &scene.name, &engine.name, threads)
                };
                row.timed(&times)
            }));
        }
    }
    rows
}

/// Returns the seconds that an engine takes; `None` if it does not find closest points.
fn ask<F: Exactly>(
    clock: Clock,
    engine: &dyn Queries<F>,
    points: &[F::Point],
    found: &mut [Hit<F>],
    pool: &ThreadPool,
) -> Option<f64> {
    let chunk = chunk(engine, points.len(), pool);
    pool.install(|| {
        let mut answers = false;
        let seconds = clock.time(|| {
            let chunks = points.par_chunks(chunk).zip(found.par_chunks_mut(chunk));
            answers = chunks.all(|(points, found)| engine.closest_points(points, found));
        });
        answers.then_some(seconds)
    })
}

/// Returns for how many points there is a nearer triangle than the one found, by the nearest numbers
/// to exact distances: of several equally near ones, each is right.
fn wrong<F: Exactly>(
    scene: &Scene,
    exact: &Exact<F>,
    points: &[F::Point],
    found: &[Hit<F>],
) -> usize {
    let is_wrong = |&(&point, found): &(&F::Point, &Hit<F>)| {
        let right = F::nearest(exact.bvh(), point);
        right.prim != found.prim && Some(right.t) != F::distance_to(scene, found.prim, point)
    };
    points.par_iter().zip(found).filter(is_wrong).count()
}
