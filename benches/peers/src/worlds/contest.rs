//! All engines on the same rays: first their answers beside the exact ones, then their speed, round
//! by round.

use super::rays::Kind;
use crate::answers::Answers;
use crate::clock::Clock;
use crate::engine::{Engine, Mode};
use crate::measure::{Effort, FEWEST};
use crate::peers::EstocWorld;
use crate::ray::{Hit, Ray};
use crate::row::{Row, WorldRow};
use crate::sample::sample;
use crate::statistics::{median, spread};
use rayon::ThreadPool;

/// A hit counts as elsewhere if its parameter differs by more than this, relative to the exact one.
const TIE: f32 = 1e-4;

/// The engines of a world.
pub(crate) struct Contest<'a> {
    pub(crate) world: &'a str,
    pub(crate) engines: &'a [Box<dyn Engine>],
    pub(crate) exact: &'a EstocWorld,
    pub(crate) pool: &'a ThreadPool,
    pub(crate) effort: Effort,
}

/// The answers of an engine beside the exact ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// Rays that hit something.
    pub(crate) hits: usize,
    /// Rays that miss instead of hitting.
    pub(crate) lost: usize,
    /// Rays that hit instead of missing.
    pub(crate) invented: usize,
    /// Rays whose hit is elsewhere.
    pub(crate) elsewhere: usize,
}

impl Verdict {
    fn of(rays: &[Ray], exact: &[Hit], answers: &Answers) -> Self {
        let mut verdict = Verdict::default();
        let mut count = |ray: &Ray, exact: &Hit, is_hit: bool, t: Option<f32>| {
            verdict.hits += usize::from(is_hit);
            // estoc's intervals are closed, those of others are not.
            if exact.is_hit() && (exact.t == 0.0 || exact.t == ray.t_max) {
                return;
            }
            match (exact.is_hit(), is_hit) {
                (true, false) => verdict.lost += 1,
                (false, true) => verdict.invented += 1,
                (true, true) => {
                    let is_near = |t: f32| (t - exact.t).abs() <= TIE * exact.t;
                    verdict.elsewhere += usize::from(!t.is_none_or(is_near));
                }
                (false, false) => {}
            }
        };
        let both = rays.iter().zip(exact);
        match answers {
            Answers::Closest(hits) => {
                both.zip(hits).for_each(|((ray, exact), hit)| {
                    count(ray, exact, hit.is_hit(), Some(hit.t));
                });
            }
            Answers::Any(hits) => {
                both.zip(hits)
                    .for_each(|((ray, exact), &hit)| count(ray, exact, hit, None));
            }
        }
        verdict
    }
}

/// An engine with its answers and the nanoseconds per ray of its rounds.
type Entry<'a> = (&'a dyn Engine, Verdict, Vec<f64>);

/// Packets that take longer than this many times the fastest ones, once, are not measured.
const SLOW: f64 = 3.0;

/// Leaves packets out that took much longer than the fastest of the same library: there are many
/// kinds of them, most of which do not suit the rays.
fn leave_out_slow(entries: &mut Vec<Entry<'_>>, seconds: &[f64]) {
    let is_packet = |entry: &Entry<'_>| {
        let name = entry.0.name();
        entry.0.mode() == Mode::Batch && name.contains("embree")
    };
    let stem = |entry: &Entry<'_>| entry.0.name().split("embree").next().map(str::to_owned);
    let packets: Vec<bool> = entries.iter().map(is_packet).collect();
    let stems: Vec<Option<String>> = entries.iter().map(stem).collect();
    let fastest = |of: usize| {
        let same = (0..seconds.len()).filter(|&i| packets[i] && stems[i] == stems[of]);
        same.map(|i| seconds[i]).fold(f64::INFINITY, f64::min)
    };
    let keep: Vec<bool> = (0..seconds.len())
        .map(|i| !packets[i] || seconds[i] <= SLOW * fastest(i))
        .collect();
    let mut keep = keep.into_iter();
    entries.retain(|_| keep.next() == Some(true));
}

impl Contest<'_> {
    /// Queries an engine and returns the seconds of processor time.
    fn ask(&self, answers: &mut Answers, engine: &dyn Engine, rays: &[Ray]) -> Option<f64> {
        answers.ask_by(Clock::Processor, engine, rays, self.pool)
    }

    /// Measures all engines with one kind of rays.
    pub(crate) fn rows(&self, kind: Kind, rays: &[Ray]) -> Vec<Row> {
        let exact = self.pool.install(|| self.exact.first_hits(rays));
        let mut answers = Answers::room(kind.is_any(), rays.len());
        eprintln!("{} {}: {} rays", self.world, kind.name(), rays.len());
        let mut entries: Vec<Entry<'_>> = Vec::new();
        let mut seconds = Vec::new();
        for engine in self.engines {
            if let Some(taken) = self.ask(&mut answers, &**engine, rays) {
                let verdict = Verdict::of(rays, &exact, &answers);
                entries.push((&**engine, verdict, Vec::new()));
                seconds.push(taken);
            }
        }
        leave_out_slow(&mut entries, &seconds);
        let slowest = seconds.iter().copied().fold(0.0, f64::max) / rays.len().max(1) as f64;
        let affordable = self.effort.seconds / slowest;
        let timed = sample(rays, FEWEST.max(affordable as usize));
        let mut answers = Answers::room(kind.is_any(), timed.len());
        let count = entries.len();
        for round in 0..self.effort.rounds {
            for turn in 0..count {
                let (engine, _, rounds) = &mut entries[(turn + round) % count];
                // Untimed, as in `measure`.
                let _ = self.ask(&mut answers, *engine, &timed);
                if let Some(seconds) = self.ask(&mut answers, *engine, &timed) {
                    rounds.push(seconds / timed.len() as f64 * 1e9);
                }
            }
        }
        let row = |(engine, verdict, rounds): Entry<'_>| {
            Row::World(WorldRow {
                world: self.world.to_owned(),
                rays: kind.name().to_owned(),
                mode: engine.mode().name().to_owned(),
                engine: engine.name().to_owned(),
                threads: self.pool.current_num_threads(),
                nanos: median(&rounds),
                spread: spread(&rounds),
                rounds,
                count: rays.len(),
                hits: verdict.hits,
                lost: verdict.lost,
                invented: verdict.invented,
                elsewhere: verdict.elsewhere,
            })
        };
        entries.into_iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_lost_invented_or_elsewhere() {
        let ray = Ray {
            origin: [0.0; 3],
            t_max: 9.0,
            dir: [0.0, 0.0, 1.0],
        };
        let hit = |t| Hit { t, prim: 0 };
        let exact = [hit(2.0), hit(2.0), Hit::MISS, hit(2.0), hit(9.0), Hit::MISS];
        let found = [
            hit(2.0001),
            hit(2.001),
            hit(1.0),
            Hit::MISS,
            Hit::MISS,
            Hit::MISS,
        ];
        let verdict = Verdict::of(&[ray; 6], &exact, &Answers::Closest(found.into()));
        let expected = Verdict {
            hits: 3,
            lost: 1,
            invented: 1,
            elsewhere: 1,
        };
        assert_eq!(verdict, expected);
        let found = found.map(Hit::is_hit);
        let verdict = Verdict::of(&[ray; 6], &exact, &Answers::Any(found.into()));
        assert_eq!(
            verdict,
            Verdict {
                elsewhere: 0,
                ..expected
            }
        );
    }

    #[test]
    fn only_slow_packets_are_left_out() {
        struct Named(&'static str, Mode);
        impl Engine for Named {
            fn name(&self) -> &str {
                self.0
            }
            fn mode(&self) -> Mode {
                self.1
            }
            fn closest_hits(&self, _: &[Ray], _: &mut [Hit]) {}
            fn any_hits(&self, _: &[Ray], _: &mut [bool]) {}
        }
        let engines = [
            Named("estoc", Mode::Batch),
            Named("embree-medium", Mode::Single),
            Named("embree-medium-4", Mode::Batch),
            Named("embree-medium-8", Mode::Batch),
            Named("flat-embree-medium-8", Mode::Batch),
        ];
        let entries = engines
            .each_ref()
            .map(|engine| (engine as &dyn Engine, Verdict::default(), Vec::new()));
        let mut entries: Vec<Entry<'_>> = entries.into();
        leave_out_slow(&mut entries, &[99.0, 99.0, 3.0, 1.0, 9.0]);
        let names: Vec<&str> = entries.iter().map(|entry| entry.0.name()).collect();
        assert_eq!(
            names,
            [
                "estoc",
                "embree-medium",
                "embree-medium-8",
                "flat-embree-medium-8"
            ]
        );
    }
}
