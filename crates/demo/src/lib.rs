//! Meshes made by seeded generators, for first steps, examples, tests and benchmarks.
//!
//! A scene is named by a line of text, which [`DemoSpec`] parses:
//!
//! | scene | what it is | keys |
//! |---|---|---|
//! | `sphere` | closed and welded, with nearly uniform triangles: a subdivided octahedron | `n`, `seed` |
//! | `terrain` | ridges and valleys over a square: one sheet without thickness | `n`, `seed` |
//! | `hall` | columns, arches, vaults and steps, seen from inside; quads and n-gons | `n` |
//! | `solids` | closed solids in a row, made of quads, pentagons and concave n-gons | `n` |
//! | `soup` | unconnected triangles anywhere in a box | `n`, `seed` |
//! | `teapot` | hollow, with an open spout, a handle and a lid: two closed surfaces | `n` |
//!
//! Four small closed meshes are for scenes that place them many times ([`Demo::PLACED`]), and four more
//! scenes for the comparison with other libraries ([`Demo::MEASURED`]); they take `n`.
//!
//! `n` is the approximate number of triangles; how closely a scene can match it depends on its
//! shape. The same line gives the same bits on every machine: the generators use the basic
//! operations of IEEE 754, software sines, and random numbers of [`SplitMix64`] only.
//!
//! ```
//! # mod estoc { pub mod demo { pub use estoc_demo::*; } }
//! use estoc::demo::DemoSpec;
//! let spec: DemoSpec = "sphere?n=1000".parse()?;
//! let sphere = spec.polygons();
//! assert_eq!(sphere.triangle_count(), 968);
//! assert_eq!(spec.to_string(), "sphere?n=1000&seed=0");
//! # Ok::<(), estoc::demo::DemoError>(())
//! ```

#![forbid(unsafe_code)]

mod buildings;
mod demo;
mod gallery;
mod hairball;
mod hall;
mod hard_rays;
mod mason;
pub mod measuring;
mod mountains;
mod obj_writer;
mod polygon_mesh;
mod polygons;
pub mod ray_kinds;
mod single_random;
mod single_sine;
mod solids;
mod soup;
mod spec;
mod specks;
mod sphere;
mod split_mix;
mod teapot;
mod terrain;
mod triangle_list;

pub use demo::Demo;
pub use hard_rays::RaySampler;
pub use polygons::{Material, Part, Polygons};
pub use single_random::SingleRandom;
pub use spec::{DemoError, DemoSpec};
pub use split_mix::SplitMix64;

/// Compiles and runs the Rust in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
