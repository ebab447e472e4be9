//! The rows of worlds of placed meshes.

use super::{Row, numbers, rounds_in_words};
use std::fmt;

/// The speed of an engine with a kind of rays.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WorldRow {
    pub(crate) world: String,
    pub(crate) rays: String,
    pub(crate) mode: String,
    pub(crate) engine: String,
    pub(crate) threads: usize,
    /// Nanoseconds per ray: the median of the rounds.
    pub(crate) nanos: f64,
    /// Maximum less minimum, in percent of the median.
    pub(crate) spread: f64,
    /// Nanoseconds per ray in each round.
    pub(crate) rounds: Vec<f64>,
    /// All rays.
    pub(crate) count: usize,
    /// Rays that hit something.
    pub(crate) hits: usize,
    /// Rays that miss instead of hitting.
    pub(crate) lost: usize,
    /// Rays that hit instead of missing.
    pub(crate) invented: usize,
    /// Rays whose hit is elsewhere.
    pub(crate) elsewhere: usize,
}

/// The time of a change.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CommitRow {
    pub(crate) world: String,
    pub(crate) step: String,
    pub(crate) engine: String,
    pub(crate) threads: usize,
    /// The median of the rounds.
    pub(crate) seconds: f64,
    /// Maximum less minimum, in percent of the median.
    pub(crate) spread: f64,
    pub(crate) rounds: Vec<f64>,
}

/// The memory that a world takes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SpaceRow {
    pub(crate) world: String,
    pub(crate) engine: String,
    pub(crate) placements: usize,
    /// How much the process has grown.
    pub(crate) bytes: usize,
}

impl fmt::Display for WorldRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "world,{},{},{},{},{},{:.4},{:.1},{},{},{} lost {} invented,{},{}",
            self.world,
            self.rays,
            self.mode,
            self.engine,
            self.threads,
            self.nanos,
            self.spread,
            self.count,
            self.elsewhere,
            self.lost,
            self.invented,
            self.hits,
            rounds_in_words(&self.rounds)
        )
    }
}

impl fmt::Display for CommitRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounds: Vec<String> = self.rounds.iter().map(|s| format!("{s:.9}")).collect();
        write!(
            f,
            "commit,{},{},,{},{},{:.9},{:.1},,,,,{}",
            self.world,
            self.step,
            self.engine,
            self.threads,
            self.seconds,
            self.spread,
            rounds.join(" ")
        )
    }
}

impl fmt::Display for SpaceRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "space,{},,,{},1,,,{},,,{},",
            self.world, self.engine, self.placements, self.bytes
        )
    }
}

/// Parses the fields of a line; `None` when it is no row of worlds.
pub(super) fn parse(fields: &[&str]) -> Option<Row> {
    let &[
        kind,
        world,
        rays,
        mode,
        engine,
        threads,
        value,
        spread,
        amount,
        disagree,
        plan,
        peak,
        rounds,
    ] = fields
    else {
        return None;
    };
    let (world, engine) = (world.to_owned(), engine.to_owned());
    match kind {
        "world" => {
            let (lost, invented) = plan.strip_suffix(" invented")?.split_once(" lost ")?;
            Some(Row::World(WorldRow {
                world,
                rays: rays.to_owned(),
                mode: mode.to_owned(),
                engine,
                threads: threads.parse().ok()?,
                nanos: value.parse().ok()?,
                spread: spread.parse().ok()?,
                rounds: numbers(rounds)?,
                count: amount.parse().ok()?,
                hits: peak.parse().ok()?,
                lost: lost.parse().ok()?,
                invented: invented.parse().ok()?,
                elsewhere: disagree.parse().ok()?,
            }))
        }
        "commit" => Some(Row::Commit(CommitRow {
            world,
            step: rays.to_owned(),
            engine,
            threads: threads.parse().ok()?,
            seconds: value.parse().ok()?,
            spread: spread.parse().ok()?,
            rounds: numbers(rounds)?,
        })),
        "space" => Some(Row::Space(SpaceRow {
            world,
            engine,
            placements: amount.parse().ok()?,
            bytes: peak.parse().ok()?,
        })),
        _ => None,
    }
}
