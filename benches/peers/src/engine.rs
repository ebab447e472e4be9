//! What a peer provides. To add one, write a file under `peers/` that returns its builders, and add
//! it to the list in `peers/mod.rs`.

use crate::number::Number;
use crate::ray::{Hit, Ray};
use crate::scenes::Scene;
use std::sync::Arc;

/// A structure that is built, with one way to query it.
pub(crate) struct Engine<F: Number = f32> {
    pub(crate) name: String,
    /// `single`, one ray per call, or `batch`, several rays per call.
    pub(crate) mode: &'static str,
    pub(crate) queries: Box<dyn Queries<F>>,
}

impl<F: Number> Engine<F> {
    pub(crate) fn single(name: impl Into<String>, queries: impl Queries<F> + 'static) -> Self {
        Engine {
            name: name.into(),
            mode: "single",
            queries: Box::new(queries),
        }
    }

    pub(crate) fn batch(name: impl Into<String>, queries: impl Queries<F> + 'static) -> Self {
        Engine {
            mode: "batch",
            ..Engine::single(name, queries)
        }
    }
}

/// The queries of an engine.
pub(crate) trait Queries<F: Number = f32>: Send + Sync {
    /// Finds the first hit of each ray; `hits` is as long as `rays`.
    fn closest_hits(&self, rays: &[Ray<F>], hits: &mut [Hit<F>]);

    /// Finds whether each ray hits anything; `hits` is as long as `rays`.
    fn any_hits(&self, rays: &[Ray<F>], hits: &mut [bool]);

    /// Finds the closest triangle of each point, and its distance as `t`; `found` is as long as
    /// `points`. Returns `false` without doing anything if the library does not answer this.
    fn closest_points(&self, _points: &[F::Point], _found: &mut [Hit<F>]) -> bool {
        false
    }

    /// Returns the number of surfaces that each ray crosses: the library's own count where it has
    /// one, else the number of distinct triangles in its list of hits; `None` where it has no list.
    fn count_surfaces(&self, _rays: &[Ray<F>]) -> Option<Vec<usize>> {
        None
    }

    /// Returns whether the engine takes all rays at once and spreads them over the rayon pool that
    /// it is called in. Otherwise each thread of the pool calls it with chunks of rays.
    fn spreads_itself(&self) -> bool {
        false
    }

    /// Describes the strategy of the last call in a few words, if the engine reports one.
    fn plan(&self) -> Option<String> {
        None
    }
}

/// The result of a build.
pub(crate) struct Built<F: Number = f32> {
    /// The size of the structure without the mesh, in bytes, if the library reports it.
    pub(crate) bytes: Option<usize>,
    /// The ways to query it.
    pub(crate) engines: Vec<Engine<F>>,
}

/// Builds from a mesh in memory, with a number of threads; called in a rayon pool of as many
/// threads. The error is the reason in the library's own words.
type Build<F> = dyn Fn(&Arc<Scene>, usize) -> Result<Built<F>, String> + Send + Sync;

/// A structure that can be built.
pub(crate) struct Builder<F: Number = f32> {
    /// The name in the rows of builds.
    pub(crate) name: String,
    /// The library's own name for the effort of the build.
    pub(crate) preset: &'static str,
    /// The names of the engines that the build returns.
    pub(crate) engines: Vec<String>,
    /// The largest number of triangles that it gets: more would take minutes or all memory.
    pub(crate) most_triangles: usize,
    pub(crate) build: Box<Build<F>>,
}

impl<F: Number> Builder<F> {
    /// Returns one for meshes of any size.
    pub(crate) fn new(
        name: impl Into<String>,
        preset: &'static str,
        engines: Vec<String>,
        build: impl Fn(&Arc<Scene>, usize) -> Result<Built<F>, String> + Send + Sync + 'static,
    ) -> Self {
        Builder {
            name: name.into(),
            preset,
            engines,
            most_triangles: usize::MAX,
            build: Box::new(build),
        }
    }

    /// Returns one for meshes of at most this number of triangles.
    pub(crate) fn up_to(self, most_triangles: usize) -> Self {
        Builder {
            most_triangles,
            ..self
        }
    }
}
