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
//! Spheres and boxes ([`ShapeList`]) are their exact images: ellipsoids and parallelepipeds. Shapes of
//! your own are placed by the trait [`UserGeometry`].
//!
//! [`PointQuery`](estoc_core::PointQuery) has the queries about what is near a point, on the corners in the world: the closest
//! point, the distance, and what is within a radius. They ask triangles only; all shapes are left
//! out, and [`SceneSnapshot::shape_count`] tells whether there are any.
//!
//! ```
//! # mod estoc { pub use {estoc_bvh::*, estoc_core::*, estoc_mesh::*}; pub mod scene { pub use {estoc_scene::*}; } }
//! use estoc::scene::{Placement, Scene};
//! use estoc::{Bvh, Mesh, PointQuery, glam::{DAffine3, DVec3}};
//! use std::sync::Arc;
//!
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
//! let sheet = Arc::new(Bvh::build(&Mesh::try_new(corners, [[0, 1, 2]])?));
//! let mut scene = Scene::new();
//! for height in [0.0, 0.5] {
//!     let map = DAffine3::from_scale_rotation_translation(
//!         DVec3::splat(3.0), Default::default(), DVec3::new(5e6, 0.0, height));
//!     scene.add(Placement::try_new(sheet.clone(), &map)?)?;
//! }
//! let world = scene.commit();
//! let closest = world.closest_point([5e6 + 0.75, 0.25, 0.375]).unwrap();
//! assert_eq!((closest.distance, closest.path.numbers()), (0.125, &[1][..]));
//! assert_eq!(closest.point.to_array(), [5e6 + 0.75, 0.25, 0.5]); // the nearest `f64`s
//! // Both sheets are exactly that far.
//! assert_eq!(world.within([5e6, 0.0, 0.25], 0.25).len(), 2);
//! assert!(!world.any_within([5e6, 0.0, 0.25], 0.25f32.next_down()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`SceneFile`] is a scene as a text, and a [`DemoScene`] is a generated one; both need the feature
//! `scene-files`, which is on by default.
//!
//! ```
//! # mod estoc { pub use {estoc_bvh::*, estoc_core::*, estoc_mesh::*}; pub mod scene { pub use {estoc_scene::*}; } }
//! use estoc::{Bvh, Mesh, Ray, RayQuery, glam::{DAffine3, DVec3}};
//! use estoc::scene::{Placement, Scene};
//! use std::sync::Arc;
//!
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
//! let tile = Arc::new(Bvh::build(&Mesh::try_new(corners, [[0, 1, 2], [0, 2, 3]])?));
//! let mut scene = Scene::new();
//! // Two tiles that share a border, far from the origin.
//! for x in [1e7, 1e7 + 1.0] {
//!     scene.add(Placement::try_new(tile.clone(), &DAffine3::from_translation(DVec3::new(x, 0.0, 0.0)))?)?;
//! }
//! let world = scene.commit();
//! // At the border, both are touched and one surface is crossed.
//! let ray = Ray::new([1e7 + 1.0, 0.25, 1.0], [0.0, 0.0, -1.0]);
//! assert_eq!((world.count_hits(&ray), world.count_crossings(&ray)), (2, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod bundle_walk;
mod condition;
mod engine;
mod error;
mod inverse;
mod mesh_sink;
mod near_walk;
mod placement_chain;
mod scene;
#[cfg(feature = "scene-files")]
mod scene_file;
mod shape_list;
mod shape_sink;
mod snapshot;
mod spectral_norm;
mod user_geometry;
mod user_sink;
mod walk;

pub use error::SceneError;
pub use estoc_core::{
    MatrixError, ObjectRay, PathError, PlacedPrimitive, PlacedShape, PlacedTriangle, PlacedUserHit,
    PlacementMatrix, Ray64, Ray64Error, SceneClosestPoint, SceneHit, ScenePath, ScenePrim, Shape,
    ShapeEnd, ShapeSurface, UserHit,
};
pub use scene::Scene;
#[cfg(feature = "scene-files")]
pub use scene_file::{
    DemoScene, DemoSceneError, LoadedScene, MeshPrecision, NodeMesh, ObjectSource, OpenMesh,
    OpenedMesh, OrientedBox, SceneFile, SceneFileBox, SceneFileError, SceneFileObject,
    SceneFilePlacement, SceneFileShapes, SceneLocation, SceneMesh,
};
pub use shape_list::{ShapeList, ShapeListError};
pub use snapshot::{
    PlacedMesh, Placement, PlacementId, SceneHitDetails, SceneObject, SceneShapeDetails,
    SceneSnapshot, SphereThickness,
};
pub use user_geometry::{UserGeometry, UserShapes, UserShapesError};

/// Compiles and runs the Rust in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
