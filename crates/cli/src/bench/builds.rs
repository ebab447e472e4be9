//! Measures how long trees take to build.

use super::report::{BuildRow, Times};
use super::shuffle::Shuffle;
use crate::failure::Failure;
use crate::session::Session;
use estoc::{Bvh, Mesh, Quality, engine::Layout};
use rayon::ThreadPool;
use std::sync::Arc;
use std::time::Instant;

/// Builds all trees in rounds, each round in another order (see [`Shuffle`]). Returns one tree for each
/// quality, and one row for each quality and number of threads.
pub(super) fn build_all(
    mesh: &Mesh,
    levels: &[Quality],
    layout: Layout,
    pools: &[ThreadPool],
    rounds: u32,
    session: &Session,
) -> Result<(Vec<Arc<Bvh>>, Vec<BuildRow>), Failure> {
    let setups: Vec<(usize, usize)> = (0..levels.len())
        .flat_map(|level| (0..pools.len()).map(move |pool| (level, pool)))
        .collect();
    let mut samples = vec![Vec::new(); setups.len()];
    let mut trees: Vec<Option<Bvh>> = vec![None; levels.len()];
    let bar = session.progress("building", Some(u64::from(rounds) * setups.len() as u64));
    let triangles = mesh.triangle_count().max(1) as f64;
    let mut done = 0;
    let mut shuffle = Shuffle::new(setups.len());
    for _ in 0..rounds {
        for &place in shuffle.round() {
            let (level, pool) = setups[place];
            // Free the tree of the last round first: a quality must not have two trees in memory.
            trees[level] = None;
            let builder = session.tree_builder().quality(levels[level]).layout(layout);
            let (built, ns) = pools[pool].install(|| {
                let start = Instant::now();
                let built = builder.build(mesh);
                (built, start.elapsed().as_secs_f64() * 1e9)
            });
            trees[level] = Some(built?);
            samples[place].push(ns / triangles);
            done += 1;
            bar.set(done);
        }
    }
    let trees: Vec<Arc<Bvh>> = trees.into_iter().flatten().map(Arc::new).collect();
    let rows = setups
        .into_iter()
        .zip(samples)
        .filter_map(|((level, pool), samples)| {
            let stats = trees.get(level)?.stats();
            Some(BuildRow {
                quality: levels[level].to_string(),
                threads: pools[pool].current_num_threads(),
                sah_cost: stats.sah_cost,
                bytes_per_triangle: stats.bytes_per_triangle(),
                times: Times::of(samples),
                change: None,
            })
        });
    let rows = rows.collect();
    Ok((trees, rows))
}
