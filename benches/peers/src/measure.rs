//! All engines on the same rays: first their agreement with the exact answers, then their speed,
//! round by round.

use crate::agreement::{Agreement, Judge};
use crate::answers::{Answers, CHUNK};
use crate::clock::Clock;
use crate::engine::Engine;
use crate::kind::Kind;
use crate::number::Number;
use crate::ray::{Hit, Ray};
use crate::rounds::in_turns;
use crate::row::{Measured, Row};
use crate::sample::sample;
use rayon::ThreadPool;

/// The smallest number of rays, even if an engine takes longer than `seconds`.
pub(crate) const FEWEST: usize = 1 << 16;
/// The number of rays that estimates the speed of an engine.
const PROBE: usize = 16 * CHUNK;
/// In worlds, packets that take longer than this many times the fastest ones, once, are not
/// measured.
const SLOW: f64 = 3.0;

/// Finds the first hit of each ray.
type FirstHits<'a, F> = dyn Fn(&[Ray<F>]) -> Vec<Hit<F>> + Sync + 'a;

/// The engines of a scene and the exact answers that they are compared with.
pub(crate) struct Contest<'a, F: Number = f32> {
    /// Rays in a mesh, or in a world of placed meshes, where all rays are compared instead of the
    /// sample that is timed.
    pub(crate) measured: Measured,
    pub(crate) scene: &'a str,
    pub(crate) engines: &'a [Engine<F>],
    /// Finds the exact first hits, in the rayon pool of the caller.
    pub(crate) exact: &'a FirstHits<'a, F>,
    pub(crate) judge: Judge,
    pub(crate) clock: Clock,
    pub(crate) pools: &'a [ThreadPool],
    pub(crate) rounds: usize,
    /// The approximate time that the slowest engine may take for the rays.
    pub(crate) seconds: f64,
    /// The smallest number of rays that are timed.
    pub(crate) fewest: usize,
}

/// An engine with its agreement, the seconds of the run that was compared, and its rounds so far.
struct Entry<'a, F: Number = f32> {
    engine: &'a Engine<F>,
    agreement: Agreement,
    plan: String,
    seconds: f64,
    rounds: Vec<f64>,
}

impl<'a, F: Number> Contest<'a, F> {
    /// Measures all engines with one kind of rays and each number of threads.
    pub(crate) fn rows(&self, kind: Kind, rays: &[Ray<F>]) -> Vec<Row> {
        let affordable = self.seconds / self.slowest(kind, &sample(rays, PROBE));
        let timed = sample(rays, self.fewest.max(affordable as usize));
        let compared = match self.measured {
            Measured::World => rays,
            _ => &timed,
        };
        let exact = self.pools[0].install(|| (self.exact)(compared));
        eprintln!("{} {}: {} rays", self.scene, kind.name(), timed.len());

        let mut rows = Vec::new();
        for pool in self.pools {
            // The answers are checked before anything is timed.
            let mut entries = self.entries(kind, compared, &exact, pool);
            if self.measured == Measured::World {
                leave_out_slow(&mut entries);
            }
            let mut answers = Answers::room(kind.is_any(), timed.len());
            for (_, place) in in_turns(self.rounds, entries.len()) {
                let entry = &mut entries[place];
                let mut ask = || answers.ask(self.clock, &*entry.engine.queries, &timed, pool);
                // Directly after an untimed run of its own: otherwise the run before decides what
                // the caches hold, and an engine that shares its tree with the engine before it was
                // measured up to 20 % faster than one that does not.
                if let Some(seconds) = ask().and_then(|_| ask()) {
                    entry.rounds.push(seconds / timed.len() as f64 * 1e9);
                }
            }
            rows.extend(entries.into_iter().map(|entry| {
                let row = Row {
                    measured: self.measured,
                    scene: self.scene.to_owned(),
                    rays: kind.name().to_owned(),
                    mode: entry.engine.mode.to_owned(),
                    engine: entry.engine.name.clone(),
                    threads: pool.current_num_threads(),
                    plan: entry.plan,
                    ..entry.agreement.row(compared.len())
                };
                row.timed(&entry.rounds)
            }));
        }
        rows
    }

    /// Asks all engines once; leaves those out that panic.
    fn entries(
        &self,
        kind: Kind,
        rays: &[Ray<F>],
        exact: &[Hit<F>],
        pool: &ThreadPool,
    ) -> Vec<Entry<'a, F>> {
        let mut answers = Answers::room(kind.is_any(), rays.len());
        let entry = |engine: &'a Engine<F>| {
            let Engine { name, queries, .. } = engine;
            let Some(seconds) = answers.ask(self.clock, &**queries, rays, pool) else {
                eprintln!("{name} panicked on {} {}: skipped", self.scene, kind.name());
                return None;
            };
            Some(Entry {
                engine,
                agreement: Agreement::of(self.judge, rays, exact, &answers),
                plan: queries.plan().unwrap_or_default(),
                seconds,
                rounds: Vec::new(),
            })
        };
        self.engines.iter().filter_map(entry).collect()
    }

    /// Returns the seconds per ray of the slowest engine on the first pool.
    fn slowest(&self, kind: Kind, rays: &[Ray<F>]) -> f64 {
        let mut answers = Answers::room(kind.is_any(), rays.len());
        let seconds = self
            .engines
            .iter()
            .filter_map(|engine| answers.ask(self.clock, &*engine.queries, rays, &self.pools[0]));
        seconds.fold(0.0, f64::max) / rays.len().max(1) as f64
    }
}

/// Leaves packets out that took much longer than the fastest of the same library: there are many
/// kinds of them, most of which do not suit the rays.
fn leave_out_slow<F: Number>(entries: &mut Vec<Entry<'_, F>>) {
    // Those of Embree, of the world and of the world as one mesh.
    let group = |engine: &Engine<F>| match engine.name.split_once("embree") {
        Some((start, _)) if engine.mode == "batch" => Some(start.to_owned()),
        _ => None,
    };
    let times: Vec<_> = entries
        .iter()
        .map(|entry| (group(entry.engine), entry.seconds))
        .collect();
    entries.retain(|entry| {
        let group = group(entry.engine);
        let same = times.iter().filter(|(other, _)| *other == group);
        let fastest = same
            .map(|(_, seconds)| *seconds)
            .fold(f64::INFINITY, f64::min);
        group.is_none() || entry.seconds <= SLOW * fastest
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Queries;
    use crate::statistics::median;
    use estoc_demo::ray_kinds::RayKind;
    use rayon::ThreadPoolBuilder;
    use std::sync::{Arc, Mutex};

    /// The names of the engines in the order in which they were called.
    type Calls = Arc<Mutex<Vec<&'static str>>>;

    /// Queries that hit nothing and remember their calls.
    struct Recorder(&'static str, Calls);

    impl Queries for Recorder {
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
        let pools = [ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .expect("one")];
        let calls = Calls::default();
        let engine = |name| Engine::single(name, Recorder(name, calls.clone()));
        let engines = [engine("a"), engine("b")];
        let ray = Ray {
            origin: [5.0; 3],
            t_max: f32::INFINITY,
            dir: [1.0, 0.0, 0.0],
        };
        // Misses are right for rays that miss, and wrong for those that hit, whatever they ask.
        let hit = Hit { t: 1.0, prim: 0 };
        for (kind, hit, wrong) in [
            (Kind::Missed, Hit::MISS, 0),
            (Kind::Street, hit, 64),
            (Kind::Shared(RayKind::Ao), hit, 64),
        ] {
            let contest = Contest {
                measured: Measured::Rays,
                scene: "one",
                engines: &engines,
                exact: &|rays| vec![hit; rays.len()],
                judge: Judge::Triangles,
                clock: Clock::Wall,
                pools: &pools,
                rounds: 3,
                seconds: 0.0,
                fewest: FEWEST,
            };
            let rows = contest.rows(kind, &[ray; 64]);
            // The estimates of the speed, the checks of the answers, and three rounds.
            let expected = "ab ab aabb bbaa aabb".replace(' ', "");
            let called = std::mem::take(&mut *calls.lock().expect("no panic"));
            assert_eq!(called.concat(), expected, "{kind:?}");
            for row in rows {
                let found = (row.rounds.len(), row.wrong(), row.count);
                assert_eq!(found, (3, wrong, Some(64)), "{kind:?}");
                assert_eq!(row.ns, Some(median(&row.rounds)));
            }
        }
    }

    #[test]
    fn only_slow_packets_are_left_out() {
        let calls = Calls::default();
        let queries = || Recorder("", calls.clone());
        let engines = [
            (Engine::batch("estoc", queries()), 99.0),
            (Engine::single("embree-medium", queries()), 99.0),
            (Engine::batch("embree-medium-4", queries()), 3.1),
            (Engine::batch("embree-medium-8", queries()), 1.0),
            (Engine::batch("flat-embree-medium-8", queries()), 9.0),
        ];
        let entries = engines.iter().map(|(engine, seconds)| Entry {
            engine,
            agreement: Agreement::default(),
            plan: String::new(),
            seconds: *seconds,
            rounds: Vec::new(),
        });
        let mut entries: Vec<Entry<'_>> = entries.collect();
        leave_out_slow(&mut entries);
        let names: Vec<&str> = entries.iter().map(|entry| &*entry.engine.name).collect();
        let kept = [
            "estoc",
            "embree-medium",
            "embree-medium-8",
            "flat-embree-medium-8",
        ];
        assert_eq!(names, kept);
    }
}
