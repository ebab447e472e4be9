//! The time of building and of changing the upper level of a world.

use super::{Placing, Rows, World};
use crate::clock::Clock;
use crate::peers::{self, EmbreeWorlds};
use crate::rounds::in_turns;
use crate::row::{Measured, Row};
use crate::statistics::median;
use estoc::demo::SplitMix64;
use rayon::ThreadPool;
use std::sync::Arc;

/// A scene of placed meshes that can change. The trees of the meshes are built before.
pub(crate) trait Changing: Send {
    /// Removes all placements, and everything that was made of them.
    fn clear(&mut self);

    /// Places meshes in a scene that has been cleared; the error is the library's message.
    fn place(&mut self, placings: &[Placing]) -> Result<(), String>;

    /// Moves a placement, by its number.
    fn set(&mut self, number: usize, matrix: &Rows);

    /// Makes the scene ready for queries.
    fn commit(&mut self);
}

/// A scene with its name.
pub(crate) type NamedChanging = (&'static str, Box<dyn Changing>);

/// The placements that move at a time.
const MOVED: usize = 10;
/// How often they do in a round; the median counts.
const MOVES: usize = 5;

/// What is timed.
const STEPS: [&str; 4] = ["place all", "first commit", "move ten", "move all"];

/// Measures a world of one level with the threads of a pool.
pub(super) fn rows(
    world: &Arc<World>,
    embree: Option<&EmbreeWorlds>,
    pool: &ThreadPool,
    rounds: usize,
) -> Vec<Row> {
    let threads = pool.current_num_threads();
    let mut all = pool.install(|| peers::changing(world));
    if let Some(embree) = embree {
        all.extend(embree.changing(world, threads));
    }
    let placings = &world.levels[0];
    eprintln!("{} changes: {} threads", world.name, threads);
    let mut times = vec![[const { Vec::new() }; STEPS.len()]; all.len()];
    for (round, index) in in_turns(rounds + 1, all.len()) {
        let scene = &mut *all[index].1;
        let taken = pool.install(|| time(scene, placings, threads, round as u64));
        // The first round is not counted: memory comes from the system.
        if round > 0 {
            for (times, seconds) in times[index].iter_mut().zip(taken) {
                times.push(seconds * 1e9);
            }
        }
        scene.clear();
    }
    let mut rows = Vec::new();
    for ((name, _), times) in all.iter().zip(times) {
        for (step, times) in STEPS.iter().zip(times) {
            let row = Row {
                rays: (*step).to_owned(),
                ..Row::of(Measured::Change, &world.name, name, threads)
            };
            rows.push(row.timed(&times));
        }
    }
    rows
}

/// Returns the seconds of each step.
fn time(
    scene: &mut dyn Changing,
    placings: &[Placing],
    threads: usize,
    seed: u64,
) -> [f64; STEPS.len()] {
    let clock = match threads {
        1 => Clock::Processor,
        _ => Clock::Wall,
    };
    let place = clock.time(|| scene.place(placings).expect("these can be placed"));
    let commit = clock.time(|| scene.commit());
    let mut random = SplitMix64::new(seed);
    let mut moves = [0.0; MOVES];
    for taken in &mut moves {
        let moved = [(); MOVED].map(|()| {
            let number = random.below(placings.len());
            (
                number,
                beside(&placings[number].matrix, random.unit() as f32),
            )
        });
        *taken = clock.time(|| {
            for (number, matrix) in &moved {
                scene.set(*number, matrix);
            }
            scene.commit();
        });
    }
    let all: Vec<Rows> = placings
        .iter()
        .map(|placing| beside(&placing.matrix, random.unit() as f32))
        .collect();
    let move_all = clock.time(|| {
        for (number, matrix) in all.iter().enumerate() {
            scene.set(number, matrix);
        }
        scene.commit();
    });
    [place, commit, median(&moves), move_all]
}

/// Returns the matrix of a place up to a metre away.
fn beside(matrix: &Rows, way: f32) -> Rows {
    let mut matrix = *matrix;
    matrix[0][3] += way;
    matrix[2][3] -= way * 0.5;
    matrix
}
