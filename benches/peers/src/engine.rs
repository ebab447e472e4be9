//! What a peer has to do. To add one, implement both traits in a file under `peers/` and put
//! the builder into the list in `peers/mod.rs`.

use crate::ray::{Hit, Ray};
use crate::scenes::Scene;
use std::fmt;
use std::sync::Arc;

/// How an engine is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mode {
    /// One call a ray.
    Single,
    /// Calls that take several rays.
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

/// A structure that is ready to be asked, and one way to ask it.
pub(crate) trait Engine: Send + Sync {
    fn name(&self) -> &str;

    fn mode(&self) -> Mode;

    /// The first hit of each ray; there is as much room as there are rays.
    fn closest_hits(&self, rays: &[Ray], hits: &mut [Hit]);

    /// Whether each ray hits anything; there is as much room as there are rays.
    fn any_hits(&self, rays: &[Ray], hits: &mut [bool]);

    /// The number of surfaces that each ray crosses, as far as the library lists them: by its own
    /// count where it has one, else by its list of all triangles hit, each once; `None` where
    /// it has no list.
    fn count_surfaces(&self, _rays: &[Ray]) -> Option<Vec<usize>> {
        None
    }

    /// Whether the engine takes all rays at once and spreads them over the rayon pool that it
    /// is called in. Otherwise it is called with chunks from each thread of the pool.
    fn spreads_itself(&self) -> bool {
        false
    }

    /// How the last call was gone about, in a few words without commas, where the engine tells.
    fn plan(&self) -> Option<String> {
        None
    }
}

/// What a build gives.
pub(crate) struct Built {
    /// Bytes that the structure holds beside the mesh, where the library tells.
    pub(crate) bytes: Option<usize>,
    /// The ways to ask it.
    pub(crate) engines: Vec<Box<dyn Engine>>,
}

/// A way to build a structure.
pub(crate) trait Builder: Send + Sync {
    /// The name in the rows of builds.
    fn name(&self) -> &str;

    /// The library's own word for how much work goes into the build.
    fn preset(&self) -> &str;

    /// The names of the engines that [`build`](Builder::build) gives.
    fn engine_names(&self) -> Vec<String>;

    /// From the mesh in memory to ready to be asked, with so many threads; called in a rayon
    /// pool that has as many.
    fn build(&self, scene: &Arc<Scene>, threads: usize) -> Result<Built, BuildFailed>;

    /// Larger scenes are not for this builder: it would take minutes or the whole memory.
    fn most_triangles(&self) -> usize {
        usize::MAX
    }
}

/// Why a peer built nothing, in its own words.
#[derive(Debug)]
pub(crate) struct BuildFailed(pub(crate) String);

impl fmt::Display for BuildFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
