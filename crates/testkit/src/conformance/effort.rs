//! How much is asked.

use std::fmt;

/// How many scenes and rays a check takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Every scene is made from this many seeds.
    pub seeds: u64,
    /// Rays generated at each scene; intervals cut at hits come on top.
    pub rays_per_scene: usize,
}

impl Effort {
    /// Tens of thousands of rays, for every run of the tests.
    pub const SHORT: Effort = Effort {
        seeds: 4,
        rays_per_scene: 100,
    };

    /// More than a million rays.
    pub const LONG: Effort = Effort {
        seeds: 80,
        rays_per_scene: 270,
    };

    /// [`Effort::LONG`] when the environment has `ESTOC_LONG=1`, otherwise [`Effort::SHORT`].
    pub fn from_env() -> Effort {
        if Effort::is_long() {
            Effort::LONG
        } else {
            Effort::SHORT
        }
    }

    /// Whether the environment has `ESTOC_LONG=1`.
    pub fn is_long() -> bool {
        std::env::var_os("ESTOC_LONG").is_some_and(|value| value == "1")
    }
}

/// What was asked, all of it answered right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Scenes made.
    pub scenes: usize,
    /// Rays asked about.
    pub rays: usize,
    /// Of these, how many hit something.
    pub rays_that_hit: usize,
    /// Points asked about.
    pub points: usize,
    /// Questions compared in all.
    pub questions: usize,
}

impl Report {
    pub(super) fn add(&mut self, other: Report) {
        self.scenes += other.scenes;
        self.rays += other.rays;
        self.rays_that_hit += other.rays_that_hit;
        self.points += other.points;
        self.questions += other.questions;
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} scenes, {} rays ({} hit), {} points, {} questions, no disagreement",
            self.scenes, self.rays, self.rays_that_hit, self.points, self.questions
        )
    }
}
