//! Building every structure in interleaved rounds; the structures of the last round are queried.

use crate::engine::{Builder, Built, Engine};
use crate::peak_memory::PeakMemory;
use crate::row::{BuildRow, Row};
use crate::scenes::Scene;
use crate::statistics::median;
use rayon::ThreadPool;
use std::sync::Arc;
use std::time::Instant;

/// Rows of builds, and the engines to query.
pub(crate) struct Builds {
    pub(crate) rows: Vec<Row>,
    pub(crate) engines: Vec<Box<dyn Engine>>,
}

/// Builds each structure once per round with each number of threads. A builder that fails is left
/// out, with a message on stderr.
pub(crate) fn build_all(
    builders: &[&dyn Builder],
    scene: &Arc<Scene>,
    pools: &[ThreadPool],
    rounds: usize,
) -> Builds {
    let mut seconds = vec![vec![Vec::new(); pools.len()]; builders.len()];
    let mut peaks = vec![vec![None; pools.len()]; builders.len()];
    let mut last: Vec<Option<Built>> = builders.iter().map(|_| None).collect();
    for round in 0..rounds {
        for (pool_index, pool) in pools.iter().enumerate() {
            for turn in 0..builders.len() {
                let index = (turn + round) % builders.len();
                last[index] = None; // dropped outside the timed part
                let memory = PeakMemory::watch();
                let start = Instant::now();
                let built =
                    pool.install(|| builders[index].build(scene, pool.current_num_threads()));
                let time = start.elapsed().as_secs_f64();
                match built {
                    Ok(built) => {
                        seconds[index][pool_index].push(time);
                        let peak = &mut peaks[index][pool_index];
                        *peak = memory.and_then(PeakMemory::grown).max(*peak);
                        last[index] = Some(built);
                    }
                    Err(reason) => {
                        let (name, scene) = (builders[index].name(), scene.name());
                        eprintln!("{name} failed to build {scene}: {reason}");
                    }
                }
            }
        }
    }
    let mut builds = Builds {
        rows: Vec::new(),
        engines: Vec::new(),
    };
    for (((builder, built), seconds), peaks) in builders.iter().zip(last).zip(seconds).zip(peaks) {
        let Some(built) = built else { continue };
        for ((pool, seconds), peak) in pools.iter().zip(&seconds).zip(peaks) {
            builds.rows.push(Row::Build(BuildRow {
                scene: scene.name().to_owned(),
                preset: builder.preset().to_owned(),
                engine: builder.name().to_owned(),
                threads: pool.current_num_threads(),
                seconds: median(seconds),
                bytes: built.bytes,
                peak,
            }));
        }
        builds.engines.extend(built.engines);
    }
    builds
}
