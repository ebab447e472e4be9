//! Independent verification of estoc engines.
//!
//! - [`oracle`] answers every question in exact integer arithmetic, triangle by triangle, from the
//!   contract alone; it shares no code with the engines.
//! - [`generate`] provides the meshes, rays and boxes that are most likely to reveal a fault.
//! - [`conformance`] asks an engine and the oracle the same questions and requires the same bits.
//! - [`name_path`] makes texts with paths equal in every folder and on every system.
//! - [`RefusingAllocator`] refuses large requests for memory, one after the other.
//!
//! The test of an engine is one call:
//!
//! ```
//! use estoc_core::BruteForce;
//! use estoc_testkit::conformance::{Effort, check_engines};
//! let effort = Effort { seeds: 1, rays_per_scene: 3 };
//! let report = check_engines(&["brute force"], |_, mesh| BruteForce::new(mesh), &effort);
//! assert!(report.rays > 100);
//! ```
#![deny(unsafe_code)]

pub mod conformance;
pub mod generate;
mod name_path;
pub mod oracle;
mod refusing_allocator;
mod sweep;
pub mod tables;

pub use name_path::name_path;
pub use refusing_allocator::{RefusingAllocator, Work};
pub use sweep::Sweep;
