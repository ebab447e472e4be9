//! Queries of many rays, points, moving spheres or regions at once, in parallel, with the same answers
//! in the same order as single queries.
//!
//! [`closest_hits`] and similar functions use the defaults; [`Batch`] has the settings. Rays, points
//! and moving spheres may lie in memory in any usual layout ([`Rays`], [`Points`], [`MovingSpheres`])
//! or come from an endless iterator ([`Batch::stream`]). Every combination works with every question
//! ([`Batch::ask`]). Answers come as lists and [`Rows`], or as columns of numbers ([`HitColumns`],
//! [`ColumnRows`]).
//!
//! The technique (one by one, interleaved, packets or bundles) is chosen before the batch starts
//! ([`Plan`]) and reported afterwards ([`BatchReport`]). Answers do not depend on it, nor on the
//! number of threads or the chunk size, to the bit.
//!
//! ```
//! # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } }
//! use estoc::{Batch, BruteForce, Ray, Triangle, batch::closest_hits};
//! let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
//! let rays: Vec<Ray> = (0..100)
//!     .map(|i| Ray::new([i as f32 * 0.01, 0.25, 1.0], [0.0, 0.0, -1.0]))
//!     .collect();
//! let hits = closest_hits(&engine, &rays);
//! assert_eq!(hits.iter().flatten().count(), 76); // those up to x = 0.75, where x + y = 1
//! assert_eq!(hits, Batch::new().threads(2).chunk_size(7).closest_hits(&engine, &rays)?);
//! # Ok::<(), estoc::BatchError>(())
//! ```
#![forbid(unsafe_code)]

mod answers;
mod ask;
mod batch;
mod cache_sizes;
mod coherence;
mod error;
mod items;
mod job;
mod pairs;
mod plan;
mod point_methods;
mod query;
mod question_methods;
mod region_methods;
mod region_question;
mod reorder;
mod report;
mod run;
mod scanline_length;
mod scanline_tiles;
mod sections;
mod sign_methods;
mod spawned_rays;
mod spread_places;
mod stream;
mod sweep_methods;

pub use answers::{
    Answers, BatchQuestion, ClosestPointColumns, ColumnNumber, ColumnRows, ColumnVisitor,
    HitColumns, HitRows, PrimColumns, QueryAnswers, QueryColumns, Record, Rows,
    SignedDistanceColumns, SphereContactColumns, WindingColumns,
};
pub use batch::Batch;
pub use cache_sizes::CacheSizes;
pub use coherence::{Coherence, CoherenceSample};
pub use error::BatchError;
pub use items::{
    Item, Items, ItemsOf, MovingSpheres, MovingSpheresError, Points, Points64, PointsError, Rays,
    Rays64, RaysError, RaysSoA,
};
pub use job::{AcceptHitSync, BatchEngine};
pub use plan::{Plan, PlanFacts};
pub use query::{Query, QueryAnswer};
pub use report::BatchReport;
pub use spawned_rays::spawn_rays;
pub use stream::{ClosestHits, RayStream, StreamError, StreamItem, StreamOutcome};

use estoc_core::{Engine, HitOf};

/// Returns the first hit of each ray, in the order of the rays; see
/// [`RayQuery::closest_hit`](estoc_core::RayQuery::closest_hit).
/// Runs in the caller's rayon pool.
#[must_use]
pub fn closest_hits<'r, E: Engine + Sync + ?Sized>(
    engine: &E,
    rays: impl Into<Rays<'r>>,
) -> Vec<Option<HitOf<E>>> {
    sure(Batch::default().closest_hits(engine, rays))
}

/// Returns whether each ray hits anything, in the order of the rays; see
/// [`RayQuery::any_hit`](estoc_core::RayQuery::any_hit).
/// Runs in the caller's rayon pool.
#[must_use]
pub fn any_hits<'r, E: Engine + Sync + ?Sized>(engine: &E, rays: impl Into<Rays<'r>>) -> Vec<bool> {
    sure(Batch::default().any_hits(engine, rays))
}

/// Returns all hits of each ray, in the order of the rays; see
/// [`RayQuery::all_hits`](estoc_core::RayQuery::all_hits).
/// Runs in the caller's rayon pool.
#[must_use]
pub fn all_hits<'r, E: Engine + Sync + ?Sized>(
    engine: &E,
    rays: impl Into<Rays<'r>>,
) -> HitRows<HitOf<E>> {
    sure(Batch::default().all_hits(engine, rays))
}

/// Returns the number of triangles that each ray touches, in the order of the rays; see
/// [`RayQuery::count_hits`](estoc_core::RayQuery::count_hits). Runs in the caller's rayon pool.
#[must_use]
pub fn count_hits<'r, E: Engine + Sync + ?Sized>(
    engine: &E,
    rays: impl Into<Rays<'r>>,
) -> Vec<usize> {
    sure(Batch::default().count_hits(engine, rays))
}

/// Returns the number of times that each ray crosses the surface, in the order of the rays; see
/// [`RayQuery::count_crossings`](estoc_core::RayQuery::count_crossings). Runs in the caller's rayon
/// pool.
#[must_use]
pub fn count_crossings<'r, E: Engine + Sync + ?Sized>(
    engine: &E,
    rays: impl Into<Rays<'r>>,
) -> Vec<usize> {
    sure(Batch::default().count_crossings(engine, rays))
}

fn sure<T>(answers: Result<T, BatchError>) -> T {
    answers.expect("only cancellation and a requested number of threads can fail")
}

/// Compiles and runs the Rust in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
