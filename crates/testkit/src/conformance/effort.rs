//! The amount of work of a check.

/// The numbers of scenes and rays of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The number of seeds for each scene.
    pub seeds: u64,
    /// The number of rays per scene; intervals cut at hits are in addition.
    pub rays_per_scene: usize,
}

impl Effort {
    /// Tens of thousands of rays, for every test run.
    pub const SHORT: Effort = Effort {
        seeds: 4,
        rays_per_scene: 100,
    };

    /// More than a million rays.
    pub const LONG: Effort = Effort {
        seeds: 80,
        rays_per_scene: 270,
    };

    /// Returns [`Effort::LONG`] if the environment variable `ESTOC_LONG` is 1, otherwise
    /// [`Effort::SHORT`].
    pub fn from_env() -> Effort {
        if Effort::is_long() {
            Effort::LONG
        } else {
            Effort::SHORT
        }
    }

    /// Returns the effort for [`check_near`](super::check_near): thousands of points, or more than a
    /// million if the environment variable `ESTOC_LONG` is 1.
    pub fn near_from_env() -> Effort {
        Effort::long_or(Effort {
            seeds: 2,
            rays_per_scene: 40,
        })
    }

    /// Returns the effort for [`check_regions`](super::check_regions): thousands of regions, or about
    /// a million if the environment variable `ESTOC_LONG` is 1.
    pub fn regions_from_env() -> Effort {
        Effort::long_or(Effort {
            seeds: 2,
            rays_per_scene: 40,
        })
    }

    /// Returns the effort for [`check_sweeps`](super::check_sweeps): thousands of moving spheres, or
    /// more than a million if the environment variable `ESTOC_LONG` is 1.
    pub fn sweeps_from_env() -> Effort {
        Effort::long_or(Effort {
            seeds: 1,
            rays_per_scene: 60,
        })
    }

    /// Returns this effort, or one of more than a million questions if `ESTOC_LONG` is 1.
    fn long_or(short: Effort) -> Effort {
        let long = Effort {
            seeds: 40,
            rays_per_scene: 600,
        };
        if Effort::is_long() { long } else { short }
    }

    /// Returns whether the environment variable `ESTOC_LONG` is 1.
    pub fn is_long() -> bool {
        std::env::var_os("ESTOC_LONG").is_some_and(|value| value == "1")
    }
}
