//! All engines on the same rays: first their agreement with the exact answers, then their speed,
//! round by round.

use crate::agreement::Agreement;
use crate::answers::{Answers, CHUNK};
use crate::engine::Engine;
use crate::peers::Exact;
use crate::ray::Ray;
use crate::row::{RaysRow, Row};
use crate::sample::sample;
use crate::statistics::{median, spread};
use estoc_demo::ray_kinds::RayKind;
use rayon::ThreadPool;

/// The smallest number of rays, even if an engine takes longer than `seconds`.
const FEWEST: usize = 1 << 16;
/// The number of rays that estimates the speed of an engine.
const PROBE: usize = 16 * CHUNK;

/// How long and how often to measure.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) rounds: usize,
    /// The approximate time that the slowest engine may take for the rays.
    pub(crate) seconds: f64,
}

/// The engines of a scene and the exact answers that they are compared with.
pub(crate) struct Contest<'a> {
    pub(crate) scene: &'a str,
    pub(crate) engines: &'a [Box<dyn Engine>],
    pub(crate) exact: &'a Exact,
    pub(crate) pools: &'a [ThreadPool],
    pub(crate) effort: Effort,
}

/// An engine with its agreement and its rounds so far.
struct Entry<'a> {
    engine: &'a dyn Engine,
    agreement: Agreement,
    plan: String,
    mrays: Vec<f64>,
}

impl Contest<'_> {
    /// Measures all engines with one kind of rays and each number of threads.
    pub(crate) fn rows(&self, kind: RayKind, rays: &[Ray]) -> Vec<Row> {
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
                        plan: engine.plan().unwrap_or_default(),
                        mrays: Vec::new(),
                    });
                } else {
                    let (name, scene) = (engine.name(), self.scene);
                    eprintln!("{name} panicked on {scene} {}: skipped", kind.name());
                }
            }
            let count = entries.len();
            for round in 0..self.effort.rounds {
                // No engine always follows the same one.
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

    fn row(&self, kind: RayKind, threads: usize, entry: &Entry<'_>) -> Row {
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
            plan: entry.plan.clone(),
        })
    }

    /// Returns the seconds per ray of the slowest engine on the first pool.
    fn slowest(&self, kind: RayKind, rays: &[Ray]) -> f64 {
        let mut answers = Answers::room(kind.is_any(), rays.len());
        let mut slowest = 0.0;
        for engine in self.engines {
            let seconds = answers.ask(&**engine, rays, &self.pools[0]);
            slowest = seconds.unwrap_or_default().max(slowest);
        }
        slowest / rays.len().max(1) as f64
    }
}
