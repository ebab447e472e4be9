//! Queries of many rays, points, moving spheres or regions at once, in parallel, with the same answers
//! in the same order as single queries.
//!
//! A [`Batch`] has the settings and is asked a question ([`Batch::ask`]); the most frequent questions
//! have methods of their own, such as [`Batch::closest_hits`]. Rays, points and moving spheres may lie
//! in memory in any usual layout ([`Rays`], [`Points`], [`MovingSpheres`]) or come from an endless
//! iterator ([`Batch::stream`]). Every combination works with every question. Answers come as lists
//! and [`Rows`], or as columns of numbers ([`HitColumns`], [`ColumnRows`]).
//!
//! The technique (one by one, interleaved, packets or bundles) is chosen before the batch starts
//! ([`Plan`]) and reported afterwards ([`BatchReport`]). Answers do not depend on it, nor on the
//! number of threads or the chunk size, to the bit.
//!
//! ```
//! # mod estoc { pub use {estoc_batch::*, estoc_core::*}; }
//! use estoc::{Batch, BruteForce, Ray, Triangle};
//! let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
//! let rays: Vec<Ray> = (0..100)
//!     .map(|i| Ray::new([i as f32 * 0.01, 0.25, 1.0], [0.0, 0.0, -1.0]))
//!     .collect();
//! let hits = Batch::new().closest_hits(&engine, &rays)?;
//! assert_eq!(hits.iter().flatten().count(), 76); // those up to x = 0.75, where x + y = 1
//! assert_eq!(hits, Batch::new().threads(2).chunk_size(7).closest_hits(&engine, &rays)?);
//! # Ok::<(), estoc::BatchError>(())
//! ```
#![forbid(unsafe_code)]

mod answers;
mod ask;
mod batch;
mod batch_query;
mod cache_sizes;
mod coherence;
mod error;
mod items;
mod least_distance;
mod pairs;
mod plan;
mod query;
mod question_methods;
mod region_methods;
mod reorder;
mod report;
mod run;
mod scanline_length;
mod scanline_tiles;
mod sections;
mod spawned_rays;
mod spread_places;
mod stream;

pub use answers::{
    AnswerChunk, Answers, BatchQuestion, ClosestPointColumns, ColumnNumber, ColumnRows,
    ColumnVisitor, ForChunks, HitColumns, HitRows, PrimColumns, Record, Rows,
    SignedDistanceColumns, SphereContactColumns, WindingColumns,
};
pub use batch::Batch;
pub use batch_query::{AcceptHitSync, BatchEngine};
pub use cache_sizes::CacheSizes;
pub use coherence::{Coherence, CoherenceSample};
pub use error::BatchError;
pub use items::{
    IntoItems, Item, Items, ItemsError, List, MovingSpheres, OfNumbers, Points, Rays, RaysSoA,
};
pub use plan::{Plan, PlanFacts};
pub use query::{Query, QueryAnswer, QueryAnswers, QueryColumns};
pub use report::BatchReport;
pub use spawned_rays::spawn_rays;
pub use stream::{RayStream, StreamError, StreamItem, StreamOutcome};

/// Compiles and runs the Rust in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
