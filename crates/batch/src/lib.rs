//! Many rays at once, in parallel, with the same answers in the same order as one at a time.
//!
//! [`closest_hits`] and its like take the defaults; [`Batch`] has the settings. Rays may lie in
//! memory in any usual layout ([`Rays`]), or come one after the other without end
//! ([`Batch::stream`]).
//!
//! How the rays are gone about, one by one, several at once or in packets, is decided before
//! (see [`Plan`]) and told afterwards ([`BatchReport`]). Answers depend on none of it, nor on the
//! number of threads or the chunk size, to the bit.
//!
//! ```
//! use estoc_batch::{Batch, closest_hits};
//! use estoc_core::{BruteForce, Ray, Triangle};
//! let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
//! let rays: Vec<Ray> = (0..100)
//!     .map(|i| Ray::new([i as f32 * 0.01, 0.25, 1.0], [0.0, 0.0, -1.0]))
//!     .collect();
//! let hits = closest_hits(&engine, &rays);
//! assert_eq!(hits.iter().flatten().count(), 76); // those up to x = 0.75, where x + y = 1
//! assert_eq!(hits, Batch::new().threads(2).chunk_size(7).closest_hits(&engine, &rays)?);
//! # Ok::<(), estoc_batch::BatchError>(())
//! ```
#![forbid(unsafe_code)]

mod batch;
mod caches;
mod coherence;
mod error;
mod plan;
mod queries;
mod query;
mod rays;
mod reorder;
mod report;
mod rows;
mod run;
mod stream;

pub use batch::Batch;
pub use caches::Caches;
pub use coherence::{Coherence, Sampled};
pub use error::BatchError;
pub use plan::{Plan, PlanFacts};
pub use query::Query;
pub use rays::{Rays, RaysError, RaysSoA};
pub use report::BatchReport;
pub use rows::HitRows;
pub use stream::{ClosestHits, RayItem, RayStream, StreamError, Streamed};

use estoc_core::{Hit, RayQuery};

/// The first hit of each ray, in the order of the rays; see [`RayQuery::closest_hit`].
/// Works in the rayon pool that the caller is in.
#[must_use]
pub fn closest_hits<'r, Q: RayQuery + Sync>(
    engine: &Q,
    rays: impl Into<Rays<'r>>,
) -> Vec<Option<Hit>> {
    sure(Batch::new().closest_hits(engine, rays))
}

/// Whether each ray hits anything, in the order of the rays; see [`RayQuery::any_hit`].
/// Works in the rayon pool that the caller is in.
#[must_use]
pub fn any_hits<'r, Q: RayQuery + Sync>(engine: &Q, rays: impl Into<Rays<'r>>) -> Vec<bool> {
    sure(Batch::new().any_hits(engine, rays))
}

/// All hits of each ray, in the order of the rays; see [`RayQuery::all_hits`].
/// Works in the rayon pool that the caller is in.
#[must_use]
pub fn all_hits<'r, Q: RayQuery + Sync>(engine: &Q, rays: impl Into<Rays<'r>>) -> HitRows {
    sure(Batch::new().all_hits(engine, rays))
}

/// How many triangles each ray touches, in the order of the rays; see
/// [`RayQuery::count_hits`]. Works in the rayon pool that the caller is in.
#[must_use]
pub fn count_hits<'r, Q: RayQuery + Sync>(engine: &Q, rays: impl Into<Rays<'r>>) -> Vec<usize> {
    sure(Batch::new().count_hits(engine, rays))
}

/// How often each ray crosses the surface, in the order of the rays; see
/// [`RayQuery::count_crossings`]. Works in the rayon pool that the caller is in.
#[must_use]
pub fn count_crossings<'r, Q: RayQuery + Sync>(
    engine: &Q,
    rays: impl Into<Rays<'r>>,
) -> Vec<usize> {
    sure(Batch::new().count_crossings(engine, rays))
}

fn sure<T>(answers: Result<T, BatchError>) -> T {
    answers.expect("only cancelling and threads asked for can fail, and none are")
}
