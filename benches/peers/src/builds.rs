//! Building every structure in interleaved rounds; the structures of the last round are queried.

use crate::engine::{Builder, Built, Engine};
use crate::number::Number;
use crate::peak_memory::PeakMemory;
use crate::rounds::in_turns;
use crate::row::{Measured, Row};
use crate::scenes::Scene;
use rayon::ThreadPool;
use std::sync::Arc;
use std::time::Instant;

/// Builds each structure once per round, with each number of threads. A builder that fails is left
/// out, with a message on stderr. Returns the rows of builds, and the engines to query.
pub(crate) fn build_all<F: Number>(
    builders: &[&Builder<F>],
    scene: &Arc<Scene>,
    pools: &[ThreadPool],
    rounds: usize,
) -> (Vec<Row>, Vec<Engine<F>>) {
    let mut last: Vec<Option<Built<F>>> = builders.iter().map(|_| None).collect();
    let mut rows = Vec::new();
    for pool in pools {
        let threads = pool.current_num_threads();
        let mut times = vec![Vec::new(); builders.len()];
        let mut peaks = vec![None; builders.len()];
        for (_, index) in in_turns(rounds, builders.len()) {
            let builder = builders[index];
            last[index] = None; // dropped outside the timed part
            let memory = PeakMemory::watch();
            let start = Instant::now();
            let built = pool.install(|| (builder.build)(scene, threads));
            let time = start.elapsed().as_secs_f64();
            match built {
                Ok(built) => {
                    times[index].push(time * 1e9);
                    peaks[index] = memory.and_then(PeakMemory::grown).max(peaks[index]);
                    last[index] = Some(built);
                }
                Err(reason) => {
                    eprintln!("{} failed to build {}: {reason}", builder.name, scene.name);
                }
            }
        }
        for (index, builder) in builders.iter().enumerate() {
            let Some(built) = &last[index] else { continue };
            let row = Row {
                mode: builder.preset.to_owned(),
                bytes: built.bytes,
                peak: peaks[index],
                ..Row::of(Measured::Build, &scene.name, &builder.name, threads)
            };
            rows.push(row.timed(&times[index]));
        }
    }
    let engines = last.into_iter().flatten().flat_map(|built| built.engines);
    (rows, engines.collect())
}
