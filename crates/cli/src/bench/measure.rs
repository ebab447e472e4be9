//! Casts rays: once to check that all answers agree, then in rounds to measure the speed.

use super::fingerprint;
use super::names::Calls;
use super::report::{DeviceRow, PlanRow, RaysRow, Times};
use super::shuffle::Shuffle;
use crate::device_args::DeviceRun;
use crate::failure::Failure;
use crate::ray_arg;
use crate::session::Session;
use crate::value_name::name_of;
use estoc::query::{Any, Closest};
use estoc::{Batch, Bvh, Hit, Quality, Ray, RayQuery, batch::BatchReport};
use estoc_core::MeshEngine;
use estoc_demo::ray_kinds::RayKind as Kind;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::sync::Arc;
use std::time::Instant;

/// Rays that a thread takes at a time in single calls; batches choose their own chunk size.
const CHUNK: usize = 1024;

/// Everything that is measured on a mesh.
pub(super) struct Contest<'a> {
    pub(super) mesh: &'a str,
    pub(super) levels: &'a [Quality],
    /// One for each of `levels`.
    pub(super) trees: &'a [Arc<Bvh>],
    /// What batches ask, one for each of `levels`; none if they ask the trees.
    pub(super) devices: &'a [DeviceRun<'a>],
    pub(super) rays: &'a [(Kind, Vec<Ray>)],
    pub(super) calls: &'a [Calls],
    pub(super) pools: &'a [ThreadPool],
    pub(super) rounds: u32,
    /// The least duration of a measurement; the rays are cast at least once.
    pub(super) seconds: f64,
}

/// A combination of rays, tree, form of calls and thread pool, with its measurements.
struct Setup<'a> {
    kind: Kind,
    rays: &'a [Ray],
    level: Quality,
    tree: &'a Bvh,
    /// What batches ask in place of the tree.
    device: Option<&'a DeviceRun<'a>>,
    calls: Calls,
    pool: &'a ThreadPool,
    samples: Vec<f64>,
    hits: usize,
    plan: Option<PlanRow>,
}

impl Contest<'_> {
    /// Measures all setups and returns a row for each.
    pub(super) fn rows(&self, session: &Session) -> Result<Vec<RaysRow>, Failure> {
        let mut setups = self.setups();
        let mut room = Answers::default();
        let passes = u64::from(self.rounds) * setups.len() as u64;
        let bar = session.progress("casting", Some(passes));
        self.warm_up(&mut setups, &mut room, session)?;
        let mut shuffle = Shuffle::new(setups.len());
        let mut done = 0;
        for _ in 0..self.rounds {
            for &place in shuffle.round() {
                let setup = &mut setups[place];
                let ns = setup.measure(&mut room, self.seconds, session)?;
                setup.samples.push(ns);
                done += 1;
                bar.set(done);
            }
        }
        Ok(setups.into_iter().map(Setup::row).collect())
    }

    /// Returns all setups, those of one kind of rays in succession.
    fn setups(&self) -> Vec<Setup<'_>> {
        let mut setups = Vec::new();
        for (kind, rays) in self.rays {
            for (place, (&level, tree)) in self.levels.iter().zip(self.trees).enumerate() {
                for pool in self.pools {
                    for &calls in self.calls {
                        setups.push(Setup {
                            kind: *kind,
                            rays,
                            level,
                            tree,
                            device: self.devices.get(place),
                            calls,
                            pool,
                            samples: Vec::new(),
                            hits: 0,
                            plan: None,
                        });
                    }
                }
            }
        }
        setups
    }

    /// Casts all rays of every setup once, and checks that the setups of a kind give the same bits.
    fn warm_up(
        &self,
        setups: &mut [Setup<'_>],
        room: &mut Answers,
        session: &Session,
    ) -> Result<(), Failure> {
        let mut first: Option<(Kind, Answers)> = None;
        for setup in setups {
            // A missing answer must not pass for the one of the previous setup.
            room.clear();
            let (_, report) = setup.cast(room, session)?;
            let device = setup.device.map(|device| DeviceRow::from(device.facts()));
            setup.plan = report.as_ref().map(|report| PlanRow {
                device,
                ..PlanRow::from(report)
            });
            setup.hits = room.hits(setup.kind);
            match &first {
                Some((kind, answers)) if *kind == setup.kind => {
                    if let Some(ray) = room.first_difference(answers, setup.kind) {
                        return Err(self.disagreement(setup, ray));
                    }
                }
                _ => first = Some((setup.kind, room.clone())),
            }
        }
        Ok(())
    }

    fn disagreement(&self, setup: &Setup<'_>, ray: usize) -> Failure {
        Failure::Check(format!(
            "{}: {} calls on a {} tree give another answer for the {} ray {} than the other setups",
            self.mesh,
            name_of(&setup.calls),
            setup.level,
            setup.kind.name(),
            setup.rays.get(ray).map(ray_arg::print).unwrap_or_default(),
        ))
    }
}

impl Setup<'_> {
    /// Returns the nanoseconds per ray, measured for `seconds` or at least one pass.
    fn measure(&self, room: &mut Answers, seconds: f64, session: &Session) -> Result<f64, Failure> {
        let (mut total, mut passes) = (0.0, 0u32);
        while passes == 0 || total < seconds {
            total += self.cast(room, session)?.0.max(1e-9);
            passes += 1;
        }
        Ok(total * 1e9 / f64::from(passes) / self.rays.len() as f64)
    }

    /// Casts all rays once and returns the seconds that it took.
    fn cast(
        &self,
        room: &mut Answers,
        session: &Session,
    ) -> Result<(f64, Option<BatchReport>), Failure> {
        room.fit(self.rays.len(), self.kind);
        let batch = session.batch();
        let (seconds, report) = self.pool.install(|| {
            let start = Instant::now();
            let report = match (self.calls, self.kind.is_any()) {
                (Calls::Single, false) => {
                    self.each(&mut room.closest, session, |ray| self.tree.closest_hit(ray));
                    Ok(None)
                }
                (Calls::Single, true) => {
                    self.each(&mut room.any, session, |ray| self.tree.any_hit(ray));
                    Ok(None)
                }
                (Calls::Batch, any) => self.all(&batch, room, any).map(Some),
            };
            (start.elapsed().as_secs_f64(), report)
        });
        session.check_interrupt()?;
        Ok((seconds, report?))
    }

    /// Makes one call for each ray.
    fn each<A: Send>(&self, answers: &mut [A], session: &Session, ask: impl Fn(&Ray) -> A + Sync) {
        let answer = |answers: &mut [A], rays: &[Ray]| {
            if !session.cancel.is_cancelled() {
                for (answer, ray) in answers.iter_mut().zip(rays) {
                    *answer = ask(ray);
                }
            }
        };
        let chunks = answers
            .par_chunks_mut(CHUNK)
            .zip(self.rays.par_chunks(CHUNK));
        chunks.for_each(|(answers, rays)| answer(answers, rays));
    }

    /// Makes one call for all rays.
    fn all(
        &self,
        batch: &Batch<'_>,
        room: &mut Answers,
        any: bool,
    ) -> Result<BatchReport, Failure> {
        if let Some(device) = self.device {
            let (batch, engine) = (DeviceRun::settings(*batch), device.engine());
            return device.told(ask_all(&batch, engine, self.rays, room, any));
        }
        ask_all(batch, self.tree, self.rays, room, any)
    }

    fn row(self) -> RaysRow {
        RaysRow {
            rays: self.kind.name().to_owned(),
            calls: name_of(&self.calls),
            quality: self.level.to_string(),
            threads: self.pool.current_num_threads(),
            count: self.rays.len(),
            fingerprint: fingerprint::of_rays(self.rays),
            hits: self.hits,
            times: Times::of(self.samples),
            plan: self.plan,
            change: None,
        }
    }
}

/// Asks an engine about all rays.
fn ask_all(
    batch: &Batch<'_>,
    engine: &(impl MeshEngine + Sync + ?Sized),
    rays: &[Ray],
    room: &mut Answers,
    any: bool,
) -> Result<BatchReport, Failure> {
    Ok(match any {
        false => batch.ask_into(engine, Closest, rays, &mut room.closest[..])?,
        true => batch.ask_into(engine, Any, rays, &mut room.any[..])?,
    })
}

/// Buffers for answers, reused by all setups.
#[derive(Clone, Default)]
struct Answers {
    closest: Vec<Option<Hit>>,
    any: Vec<bool>,
}

impl Answers {
    /// Clears all answers: those not written again are misses after [`Answers::fit`].
    fn clear(&mut self) {
        self.closest.clear();
        self.any.clear();
    }

    fn fit(&mut self, rays: usize, kind: Kind) {
        match kind.is_any() {
            false => self.closest.resize(rays, None),
            true => self.any.resize(rays, false),
        }
    }

    fn hits(&self, kind: Kind) -> usize {
        match kind.is_any() {
            false => self.closest.iter().flatten().count(),
            true => self.any.iter().filter(|hit| **hit).count(),
        }
    }

    /// Returns the index of the first ray whose answers differ.
    fn first_difference(&self, other: &Answers, kind: Kind) -> Option<usize> {
        match kind.is_any() {
            false => different(&self.closest, &other.closest),
            true => different(&self.any, &other.any),
        }
    }
}

fn different<A: PartialEq>(a: &[A], b: &[A]) -> Option<usize> {
    a.iter().zip(b).position(|(a, b)| a != b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_differ_are_found() {
        let mut one = Answers::default();
        one.fit(3, Kind::Ao);
        let mut other = one.clone();
        other.any[2] = true;
        assert_eq!(one.first_difference(&other, Kind::Ao), Some(2));
        assert_eq!(one.first_difference(&one.clone(), Kind::Ao), None);
        assert_eq!((one.hits(Kind::Ao), other.hits(Kind::Ao)), (0, 1));
        // Closest hits have their own buffer.
        assert_eq!(one.first_difference(&other, Kind::Primary), None);
    }

    #[test]
    fn answers_of_the_setup_before_are_forgotten() {
        let mut room = Answers::default();
        room.fit(3, Kind::Ao);
        room.any.fill(true);
        let first = room.clone();
        room.clear();
        // Like a setup that skips the last ray.
        room.fit(3, Kind::Ao);
        room.any[..2].fill(true);
        assert_eq!(room.first_difference(&first, Kind::Ao), Some(2));
    }
}
