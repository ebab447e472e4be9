//! All engines on the same rays: first their agreement with the exact answers, then their speed,
//! round by round.

use crate::agreement::Agreement;
use crate::answers::{Answers, CHUNK};
use crate::engine::Engine;
use crate::kind::Kind;
use crate::peers::Exact;
use crate::ray::Ray;
use crate::row::{RaysRow, Row};
use crate::sample::sample;
use crate::statistics::{median, spread};
use rayon::ThreadPool;

/// The smallest number of rays, even if an engine takes longer than `seconds`.
pub(crate) const FEWEST: usize = 1 << 16;
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

impl Entry<'_> {
    /// Times the engine, directly after an untimed run of its own.
    ///
    /// Otherwise the run before decides what the caches hold: an engine that shares its tree with
    /// the engine before it was measured up to 20 % faster than one that does not.
    fn time(&mut self, answers: &mut Answers, rays: &[Ray], pool: &ThreadPool) {
        if answers.ask(self.engine, rays, pool).is_none() {
            return;
        }
        if let Some(seconds) = answers.ask(self.engine, rays, pool) {
            self.mrays.push(rays.len() as f64 / seconds / 1e6);
        }
    }
}

impl Contest<'_> {
    /// Measures all engines with one kind of rays and each number of threads.
    pub(crate) fn rows(&self, kind: Kind, rays: &[Ray]) -> Vec<Row> {
        let affordable = self.effort.seconds / self.slowest(kind, &sample(rays, PROBE));
        let rays = sample(rays, FEWEST.max(affordable as usize));
        let exact = self.pools[0].install(|| self.exact.first_hits(&rays));
        let mut answers = Answers::room(kind.is_any(), rays.len());
        eprintln!("{} {}: {} rays", self.scene, kind.name(), rays.len());

        let mut rows = Vec::new();
        for pool in self.pools {
            // The answers are checked before anything is timed.
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
                    entry.time(&mut answers, &rays, pool);
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
            rounds: entry.mrays.clone(),
            hits: entry.agreement.hits,
            disagree: entry.agreement.disagree,
            plan: entry.plan.clone(),
        })
    }

    /// Returns the seconds per ray of the slowest engine on the first pool.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Mode;
    use crate::ray::Hit;
    use crate::scenes::Scene;
    use estoc::Mesh;
    use rayon::ThreadPoolBuilder;
    use std::sync::{Arc, Mutex};

    /// The names of the engines in the order in which they were called.
    type Calls = Arc<Mutex<Vec<&'static str>>>;

    /// An engine that hits nothing and remembers its calls.
    struct Recorder(&'static str, Calls);

    impl Engine for Recorder {
        fn name(&self) -> &str {
            self.0
        }

        fn mode(&self) -> Mode {
            Mode::Single
        }

        fn closest_hits(&self, _: &[Ray], hits: &mut [Hit]) {
            hits.fill(Hit::MISS);
            self.1.lock().expect("no panic").push(self.0);
        }

        fn any_hits(&self, _: &[Ray], hits: &mut [bool]) {
            hits.fill(false);
            self.1.lock().expect("no panic").push(self.0);
        }
    }

    #[test]
    fn each_timed_run_follows_an_untimed_one_of_the_same_engine() {
        let mesh = Mesh::try_new([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]]);
        let scene = Scene::of_mesh("one", &mesh.expect("finite corners")).expect("valid");
        let pools = [ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .expect("one")];
        let calls = Calls::default();
        let engine = |name| Box::new(Recorder(name, calls.clone())) as Box<dyn Engine>;
        let contest = Contest {
            scene: scene.name(),
            engines: &[engine("a"), engine("b")],
            exact: &Exact::new(&scene),
            pools: &pools,
            effort: Effort {
                rounds: 3,
                seconds: 0.0,
            },
        };
        let ray = Ray {
            origin: [5.0; 3],
            t_max: f32::INFINITY,
            dir: [1.0, 0.0, 0.0],
        };
        let rows = contest.rows(Kind::Missed, &[ray; 64]);
        // The estimates of the speed, the checks of the answers, and three rounds.
        let expected = "ab ab aabb bbaa aabb".replace(' ', "");
        assert_eq!(calls.lock().expect("no panic").concat(), expected);
        for row in rows {
            let Row::Rays(row) = row else {
                panic!("another kind of row");
            };
            assert_eq!((row.rounds.len(), row.disagree), (3, 0));
            assert_eq!(row.mrays, median(&row.rounds));
        }
    }
}
