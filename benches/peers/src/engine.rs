//! The traits that a peer implements. To add one, implement both in a file under `peers/` and add
//! the builder to the list in `peers/mod.rs`.

use crate::ray::{Hit, Ray};
use crate::scenes::Scene;
use estoc::glam::Vec3;
use std::fmt;
use std::sync::Arc;

/// How an engine is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mode {
    /// One ray per call.
    Single,
    /// Several rays per call.
    Batch,
}

impl Mode {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Mode::Single => "single",
            Mode::Batch => "batch",
        }
    }
}

/// A structure that is built, with one way to query it.
pub(crate) trait Engine: Send + Sync {
    fn name(&self) -> &str;

    fn mode(&self) -> Mode;

    /// Finds the first hit of each ray; `hits` is as long as `rays`.
    fn closest_hits(&self, rays: &[Ray], hits: &mut [Hit]);

    /// Finds whether each ray hits anything; `hits` is as long as `rays`.
    fn any_hits(&self, rays: &[Ray], hits: &mut [bool]);

    /// Finds the closest triangle of each point, and its distance as `t`; `found` is as long as
    /// `points`. Returns `false` without doing anything if the library does not answer this.
    fn closest_points(&self, _points: &[Vec3], _found: &mut [Hit]) -> bool {
        false
    }

    /// Returns the number of surfaces that each ray crosses: the library's own count where it has
    /// one, else the number of distinct triangles in its list of hits; `None` where it has no list.
    fn count_surfaces(&self, _rays: &[Ray]) -> Option<Vec<usize>> {
        None
    }

    /// Returns whether the engine takes all rays at once and spreads them over the rayon pool that
    /// it is called in. Otherwise each thread of the pool calls it with chunks of rays.
    fn spreads_itself(&self) -> bool {
        false
    }

    /// Describes the strategy of the last call in a few words without commas, if the engine reports
    /// one.
    fn plan(&self) -> Option<String> {
        None
    }
}

/// The result of a build.
pub(crate) struct Built {
    /// The size of the structure without the mesh, in bytes, if the library reports it.
    pub(crate) bytes: Option<usize>,
    /// The ways to query it.
    pub(crate) engines: Vec<Box<dyn Engine>>,
}

/// Builds a structure.
pub(crate) trait Builder: Send + Sync {
    /// Returns the name in the rows of builds.
    fn name(&self) -> &str;

    /// Returns the library's own name for the effort of the build.
    fn preset(&self) -> &str;

    /// Returns the names of the engines that [`build`](Builder::build) returns.
    fn engine_names(&self) -> Vec<String>;

    /// Builds from the mesh in memory, with `threads` threads; called in a rayon pool of `threads`
    /// threads.
    fn build(&self, scene: &Arc<Scene>, threads: usize) -> Result<Built, BuildFailed>;

    /// Returns the largest number of triangles that this builder gets: more would take minutes or
    /// all memory.
    fn most_triangles(&self) -> usize {
        usize::MAX
    }
}

/// The reason why a peer built nothing, in its own words.
#[derive(Debug)]
pub(crate) struct BuildFailed(pub(crate) String);

impl fmt::Display for BuildFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
