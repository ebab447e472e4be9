//! Scenes: meshes, spheres and boxes that are placed in a world by affine matrices, any number of times,
//! and scenes that are placed in scenes.
//!
//! A [`Scene`] is changed; [`Scene::commit`] returns an immutable [`SceneSnapshot`], which answers
//! every query about rays of [`RayQuery`](estoc_core::RayQuery), single or in batches, from any number
//! of threads. A snapshot stays as it is while the scene changes.
//!
//! Every answer is that of exact arithmetic for the triangles of the points `M v`, where `v` are the
//! corners of a mesh and `M` is the matrix of its placement, and for the ray given in the world: hit
//! or miss, the order of all hits in the scene (ties by path, then by triangle), the side, the
//! crossings; t, u and v are the nearest `f32`. Matrices are of `f64`s, with any shear, mirror or
//! scale that has an inverse. The matrix of nested placements is composed from the outermost inwards,
//! with each entry rounded once a level ([`PlacementMatrix::compose`]).
//!
//! A [`SceneFile`] is a scene as a text, and a [`DemoScene`] is a generated one; both need the feature
//! `scene-files`, which is on by default.
//! Spheres and boxes ([`ShapeList`]) are their exact images: ellipsoids and parallelepipeds.
//!
//! ```
//! # mod estoc { pub use {estoc_bvh::*, estoc_core::*, estoc_mesh::*}; pub mod scene { pub use {estoc_scene::*}; } }
//! use estoc::{Bvh, Mesh, Ray, RayQuery, glam::{DAffine3, DVec3}};
//! use estoc::scene::{Placement, Scene};
//! use std::sync::Arc;
//!
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
//! let tile = Arc::new(Bvh::build(&Mesh::new(corners, [[0, 1, 2], [0, 2, 3]])?));
//! let mut scene = Scene::new();
//! // Two tiles that share a border, far from the origin.
//! for x in [1e7, 1e7 + 1.0] {
//!     scene.add(Placement::new(tile.clone(), &DAffine3::from_translation(DVec3::new(x, 0.0, 0.0)))?)?;
//! }
//! let world = scene.commit();
//! // At the border, both are touched and one surface is crossed.
//! let ray = Ray::new([1e7 + 1.0, 0.25, 1.0], [0.0, 0.0, -1.0]);
//! assert_eq!((world.count_hits(&ray), world.count_crossings(&ray)), (2, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod condition;
mod engine;
mod error;
mod inverse;
mod mesh_sink;
mod placement_chain;
mod scene;
#[cfg(feature = "scene-files")]
mod scene_file;
mod shape_list;
mod shape_sink;
mod snapshot;
mod walk;
mod world_box;
mod world_sink;

pub use error::SceneError;
pub use estoc_core::{
    In64, MatrixError, PathError, PlacedPrimitive, PlacedShape, PlacedTriangle, PlacementMatrix,
    Ray64, Ray64Error, Ray64Query, SceneHit, ScenePath, ScenePrim, Shape, ShapeEnd, ShapeSurface,
};
pub use scene::Scene;
#[cfg(feature = "scene-files")]
pub use scene_file::{
    DemoScene, DemoSceneError, LoadedScene, NodeMesh, ObjectSource, OpenMesh, OpenedMesh,
    OrientedBox, SceneFile, SceneFileBox, SceneFileError, SceneFileObject, SceneFilePlacement,
    SceneFileShapes, SceneLocation, SceneMesh,
};
pub use shape_list::{ShapeList, ShapeListError};
pub use snapshot::{
    Placement, PlacementId, SceneHitDetails, SceneObject, SceneShapeDetails, SceneSnapshot,
};

/// Compiles and runs the Rust in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
