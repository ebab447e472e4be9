//! All engines on the same rays: first whether they agree, then round after round how fast
//! they are.

use crate::agreement::Agreement;
use crate::answers::{Answers, CHUNK};
use crate::engine::Engine;
use crate::peers::Exact;
use crate::ray::Ray;
use crate::rays::Kind;
use crate::row::{RaysRow, Row};
use crate::statistics::{median, spread};
use rayon::ThreadPool;

/// However slow the slowest engine is, all get this many rays.
const FEWEST: usize = 1 << 16;
/// So many tell how slow an engine is.
const PROBE: usize = 16 * CHUNK;

/// How long and how often.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) rounds: usize,
    /// About how long the slowest engine may take for the rays.
    pub(crate) seconds: f64,
}

/// A scene's engines and what they are judged by.
pub(crate) struct Contest<'a> {
    pub(crate) scene: &'a str,
    pub(crate) engines: &'a [Box<dyn Engine>],
    pub(crate) exact: &'a Exact,
    pub(crate) pools: &'a [ThreadPool],
    pub(crate) effort: Effort,
}

/// An engine with its answers judged and its rounds so far.
struct Entry<'a> {
    engine: &'a dyn Engine,
    agreement: Agreement,
    mrays: Vec<f64>,
}

impl Contest<'_> {
    /// The rows of all engines for one kind of rays, with each number of threads.
    pub(crate) fn rows(&self, kind: Kind, rays: &[Ray]) -> Vec<Row> {
        let affordable = self.effort.seconds / self.slowest(kind, &sample(rays, PROBE));
        let rays = sample(rays, FEWEST.max(affordable as usize));
        let exact = self.pools[0].install(|| self.exact.first_hits(&rays));
        let mut answers = Answers::room(kind.is_any(), rays.len());
        eprintln!("{} {}: {} rays", self.scene, kind.name(), rays.len());

        let mut rows = Vec::new();
        for pool in self.pools {
            // The warm-up and the check of the answers are the same run.
            let mut entries: Vec<Entry<'_>> = Vec::new();
            for engine in self.engines {
                let engine = &**engine;
                if answers.ask(engine, &rays, pool).is_some() {
                    entries.push(Entry {
                        engine,
                        agreement: answers.agreement(&rays, &exact),
                        mrays: Vec::new(),
                    });
                } else {
                    let (name, scene) = (engine.name(), self.scene);
                    eprintln!("{name} panicked at {scene} {}: left out", kind.name());
                }
            }
            let count = entries.len();
            for round in 0..self.effort.rounds {
                // Nobody comes after the same neighbour each time.
                for turn in 0..count {
                    let entry = &mut entries[(turn + round) % count];
                    if let Some(seconds) = answers.ask(entry.engine, &rays, pool) {
                        entry.mrays.push(rays.len() as f64 / seconds / 1e6);
                    }
                }
            }
            let row = |entry: &Entry<'_>| self.row(kind, pool.current_num_threads(), entry);
            rows.extend(entries.iter().map(row));
        }
        rows
    }

    fn row(&self, kind: Kind, threads: usize, entry: &Entry<'_>) -> Row {
        Row::Rays(RaysRow {
            scene: self.scene.to_owned(),
            rays: kind.name().to_owned(),
            mode: entry.engine.mode().name().to_owned(),
            engine: entry.engine.name().to_owned(),
            threads,
            mrays: median(&entry.mrays),
            spread: spread(&entry.mrays),
            hits: entry.agreement.hits,
            disagree: entry.agreement.disagree,
        })
    }

    /// The seconds a ray that the slowest engine takes on the first pool.
    fn slowest(&self, kind: Kind, rays: &[Ray]) -> f64 {
        let mut answers = Answers::room(kind.is_any(), rays.len());
        let mut slowest = 0.0;
        for engine in self.engines {
            let seconds = answers.ask(&**engine, rays, &self.pools[0]);
            slowest = seconds.unwrap_or_default().max(slowest);
        }
        slowest / rays.len().max(1) as f64
    }
}

/// About so many of the rays, in blocks of neighbours that cover the whole evenly.
///
/// Each block is taken from its own stretch of the rays, at a place in it that follows the
/// golden ratio: blocks at equal distances would all lie in one column of a picture.
fn sample(rays: &[Ray], wanted: usize) -> Vec<Ray> {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let chunks: Vec<&[Ray]> = rays.chunks(CHUNK).collect();
    let kept = wanted.div_ceil(CHUNK);
    if kept >= chunks.len() {
        return rays.to_vec();
    }
    let edge = |index: usize| index * chunks.len() / kept;
    let kept = (0..kept).map(|index| {
        let stretch = &chunks[edge(index)..edge(index + 1)];
        let place = (index as f64 * GOLDEN).fract() * stretch.len() as f64;
        stretch[place as usize]
    });
    kept.flatten().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn samples_lie_in_all_rows_and_columns() {
        let ray = |id: u32| Ray {
            origin: [0.0; 3],
            t_max: f32::from_bits(id),
            dir: [0.0; 3],
        };
        let rays: Vec<Ray> = (0..1 << 20).map(ray).collect();
        let ids =
            |rays: &[Ray]| -> HashSet<u32> { rays.iter().map(|ray| ray.t_max.to_bits()).collect() };
        assert_eq!(sample(&rays, 1 << 20).len(), rays.len());
        for wanted in [PROBE, FEWEST, 3 * FEWEST, 700_000] {
            let kept = ids(&sample(&rays, wanted));
            assert_eq!(kept.len(), wanted.next_multiple_of(CHUNK), "none twice");
            // A row of the picture's tiles is 16 blocks.
            let blocks = kept.iter().map(|id| id / CHUNK as u32);
            let columns: HashSet<u32> = blocks.clone().map(|block| block % 16).collect();
            let rows: HashSet<u32> = blocks.map(|block| block / 16).collect();
            assert!(
                columns.len() >= 8 && rows.len() >= 16,
                "{wanted}: {columns:?}"
            );
        }
    }
}
