//! Exact and fast ray queries on triangle meshes.
//!
//! Which triangle does a ray hit first, and where? estoc answers as exact arithmetic on the given
//! numbers would: there is no epsilon, no ray slips through an edge that two triangles share, and
//! no answer depends on the tree, the number of threads or the machine.
//!
//! # Overview
//!
//! A [`Mesh`] is made of positions and indices, or read from a file ([`MeshLoader`]: OBJ, PLY, STL,
//! OFF, glTF), and is checked once. A [`Bvh`] is built over it and answers queries; every method
//! takes `[f32; 3]` or [`glam::Vec3`].
//!
//! ```
//! use estoc::{Bvh, Mesh, Ray, RayQuery};
//!
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
//! let square = Mesh::try_new(corners, [[0, 1, 2], [0, 2, 3]])?;
//! let bvh = Bvh::build(&square);
//!
//! // Down the middle of the square, exactly along the edge that its triangles share.
//! let ray = Ray::new([0.5, 0.5, 3.0], [0.0, 0.0, -1.0]);
//! let hit = bvh.closest_hit(&ray).expect("no ray slips through an edge");
//! assert_eq!((hit.t, hit.prim.get()), (3.0, 0)); // of equals, the lowest number
//! assert_eq!(bvh.all_hits(&ray).len(), 2); // two triangles are touched ...
//! assert_eq!(bvh.count_crossings(&ray), 1); // ... and one surface is crossed
//! # Ok::<(), estoc::MeshError>(())
//! ```
//!
//! Every engine answers the questions of [`RayQuery`]: the closest hit, any hit, all hits, the
//! first `k`, their number, the hits after a given one, the crossings of the surface, and whether a
//! point is inside. [`ask_with`](RayQuery::ask_with) takes [`QueryOptions`], which cull a side, skip
//! a triangle, continue behind a hit, or restrict the query to groups of triangles by masks
//! ([`Mesh::masks_by`], [`Bvh::with_masks`]). [`BruteForce`] is a slow engine with the same
//! answers.
//!
//! [`PointQuery`] has the questions about what is near a point: the closest point, the distance, the
//! closest `k` triangles, and those within a radius, as exact as those about rays.
//!
//! ```
//! use estoc::{Bvh, PointQuery, demo::DemoSpec, query::Feature};
//!
//! let spec: DemoSpec = "sphere?n=5000".parse()?;
//! let sphere = Bvh::build(&spec.mesh());
//! let closest = sphere.closest_point([0.0, 0.0, 3.0]).expect("the sphere has triangles");
//! assert!((closest.distance - 2.0).abs() < 0.01);
//! assert!(matches!(closest.feature, Feature::Vertex(_) | Feature::Edge(_) | Feature::Face));
//! assert!(sphere.within([0.0, 0.0, 3.0], closest.distance.next_up()).contains(&closest.prim));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It tells the side of the surface, too: [`signed_distance`](PointQuery::signed_distance), negative
//! inside, and [`winding_number`](PointQuery::winding_number), both exact, and
//! [`winding_estimate`](PointQuery::winding_estimate) for open and dirty meshes.
//!
//! [`RegionQuery`] tells which triangles have a point in a box, a sphere, a frustum, a plane or another
//! [`Region`](shapes::Region), and which triangles of a mesh or of two meshes intersect.
//!
//! ```
//! use estoc::{Aabb, Bvh, RegionQuery, demo::DemoSpec};
//! use std::ops::ControlFlow;
//!
//! let spec: DemoSpec = "sphere?n=5000".parse()?;
//! let sphere = Bvh::build(&spec.mesh());
//! let upper = Aabb::try_new([-2.0, -2.0, 0.5], [2.0; 3])?;
//! assert!(sphere.overlaps(&upper).len() < sphere.triangle_count() / 2);
//! let first = sphere.self_intersections(&mut ControlFlow::Break);
//! assert_eq!(first, ControlFlow::Continue(()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`SweepQuery`] finds the first contact of a moving sphere, such as the next step of a character
//! or the place of a camera behind it.
//!
//! ```
//! use estoc::query::{FirstContact, MovingSphere};
//! use estoc::{Bvh, RayQuery, demo::DemoSpec};
//!
//! let spec: DemoSpec = "terrain?n=5000".parse()?;
//! let terrain = Bvh::build(&spec.mesh());
//! let [above, step] = [[0.0, 0.0, 100.0], [0.0, 0.0, -200.0]];
//! let ball = MovingSphere::new(above, step, 0.5).with_t_max(1.0);
//! let contact = terrain.ask(FirstContact, &ball);
//! assert!(contact.is_none_or(|contact| contact.t <= 1.0 && !contact.is_touching_at_start));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Scene`](scene::Scene) holds meshes that are placed by matrices, any number of times and in one
//! another, and answers the same questions about rays as one mesh does, as exactly.
//!
//! ```
//! use estoc::glam::DAffine3;
//! use estoc::scene::{Placement, Scene};
//! use estoc::{Bvh, Ray, RayQuery, demo::DemoSpec};
//! use std::sync::Arc;
//!
//! let spec: DemoSpec = "sphere?n=500".parse()?;
//! let sphere = Arc::new(Bvh::build(&spec.mesh()));
//! let mut scene = Scene::new();
//! for x in [0.0, 5.0, 10.0] {
//!     let matrix = DAffine3::from_translation([x, 0.0, 0.0].into());
//!     scene.add(Placement::try_new(sphere.clone(), &matrix)?)?;
//! }
//! let world = scene.commit();
//! let ray = Ray::new([20.0, 0.0, 0.0], [-1.0, 0.0, 0.0]);
//! assert_eq!(world.closest_hit(&ray).unwrap().path.numbers(), [2]);
//! assert_eq!(world.count_crossings(&ray), 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Batch`] traces many rays at once: in parallel, with answers in the order of the rays, and with
//! the same bits for any number of threads.
//!
//! ```
//! use estoc::{Batch, Bvh, Ray, demo::DemoSpec};
//!
//! let spec: DemoSpec = "sphere?n=5000".parse()?;
//! let sphere = Bvh::build(&spec.mesh());
//! let rays: Vec<Ray> = (0..1000)
//!     .map(|i| Ray::new([-3.0, 0.0, i as f32 / 500.0 - 1.0], [1.0, 0.0, 0.0]))
//!     .collect();
//! let hits = Batch::new().closest_hits(&sphere, &rays)?;
//! assert_eq!(hits.len(), rays.len());
//! assert!(hits[500].is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The crates
//!
//! This crate only re-exports others. Depend on one of them if it has all that you need:
//!
//! - `estoc-core`: rays, boxes, triangles, the exact predicates and the questions, without
//!   the standard library;
//! - `estoc-mesh`: meshes and their readers;
//! - `estoc-bvh`: trees and their files;
//! - `estoc-scene`: [scenes](scene) of placed meshes;
//! - `estoc-demo`: the [`demo`] scenes, and random numbers, with the same bits on every machine;
//! - `estoc-system`: large arrays on huge pages or memory-mapped, and rayon or the same on one thread;
//! - `estoc-batch`: queries with many rays;
//! - `estoc-rays-io`: files of rays, points and hits, and jobs;
//! - `estoc-picture`: pictures of meshes and scenes;
//! - `estoc-view`: the page of `estoc view` and its server;
//! - `estoc-cli`: the command `estoc`.
//!
//! # Features
//!
//! All except `serde` are on by default:
//!
//! - `batch`: queries with many rays ([`Batch`] and the module [`batch`]); turns on `rayon`;
//! - `gltf`: reads glTF;
//! - `gzip` and `zstd`: read compressed files of every format;
//! - `map`: memory-mapped tree files ([`Bvh::map`]), and huge pages on Linux;
//! - `rayon`: loads meshes, and builds, loads, refits and validates trees, with several threads.
//!   Without it the calling thread does this, with the same results to the bit;
//! - `scene-files`: [scene files](scene::SceneFile), and generated scenes;
//! - `serde`: `Serialize` and `Deserialize` for rays, hits, cameras, options, statistics, reports.
//!
//! Without `gltf`, `gzip` or `zstd`, loading such a file fails with an error that names the
//! feature.
#![forbid(unsafe_code)]

#[cfg(feature = "batch")]
pub use estoc_batch::{Batch, BatchError};
pub use estoc_bvh::{BuildError, Bvh, BvhBuilder, Quality};
pub use estoc_core::glam;
pub use estoc_core::{
    Aabb, BruteForce, Camera, CancelToken, Cull, Hit, Obb, Plane, PointQuery, PrimId, Progress,
    QueryError, QueryOptions, Ray, RayQuery, RegionQuery, Side, Sphere, SweepQuery, Triangle,
};
pub use estoc_mesh::{Mesh, MeshError, MeshLoader};

pub mod demo;

/// The traits with the queries, for `use estoc::prelude::*`.
pub mod prelude {
    pub use estoc_core::{PairQuery, PointQuery, RayQuery, RegionQuery, SweepQuery};
}

/// Queries with many rays or points: their input and output layouts, the strategy of a [`Batch`]
/// and its reports. Traits for generic code over items, questions and containers are in
/// `estoc-batch`.
#[cfg(feature = "batch")]
pub mod batch {
    pub use estoc_batch::{
        BatchReport, CacheSizes, ClosestPointColumns, Coherence, ColumnRows, HitColumns, IntoItems,
        ItemsError, List, MovingSpheres, Plan, Points, PrimColumns, QueryAnswers, RayStream, Rays,
        RaysSoA, Rows, SignedDistanceColumns, SphereContactColumns, StreamError, WindingColumns,
        spawn_rays,
    };
}

/// Parts of a [`Camera`], and tiles of a picture.
pub mod camera {
    pub use estoc_core::{CameraError, DepthRange, FieldOfView, Tile, Viewport};
}

/// What generic code over engines names, and how a tree is laid out and traversed. Authors of engines
/// depend on `estoc-core`, which has the traits of every kind of query and the collectors of all.
pub mod engine {
    pub use estoc_bvh::{Layout, SimdLevel};
    pub use estoc_core::{
        Collector, Engine, HitOf, MeshEngine, QuerySlice, QuerySliceError, Technique,
        TechniqueCounts, Want,
    };
}

/// Readers of mesh files with their reports, and tree files. `estoc-mesh` and `estoc-bvh` have the
/// parts of reports and errors.
pub mod io {
    pub use estoc_bvh::{TreeFile, TreeFileError, TreeLoader, TreeWriter};
    pub use estoc_mesh::{BadFaces, Format, LocalFrame, MeshReport, ObjLoader, Warning, Weld};
}

/// Details of the triangles of a [`Mesh`]: attributes at hits, materials, and what its surface is.
pub mod mesh {
    pub use estoc_core::{SurfaceError, SurfaceReport, open_edges, volume_sign};
    pub use estoc_mesh::{HitDetails, Material};
}

/// The questions, each a type of its own, for [`RayQuery::ask`], [`Batch::ask`] and
/// [`RayStream::ask`](batch::RayStream::ask), and the types of answers; [`Query`](query::Query) selects
/// one of them at run time.
pub mod query {
    #[cfg(feature = "batch")]
    pub use estoc_batch::Query;
    pub use estoc_core::{
        All, Any, AnyWithin, Closest, ClosestK, ClosestPoint, ClosestPointWithin, Contains,
        ContainsBy, Count, CountCrossings, Crossings, Distance, Distinct, EstimatedWinding,
        Feature, FirstContact, FirstK, HitBuffer, Intersection, IntersectionKind, LeastDistance,
        Masks, MovingSphere, PairQuery, Polyline, Section, SectionLoop, SignRule, SignedDistance,
        SignedDistanceBy, SphereContact, Winding, WindingEstimate, WindingNumber, Within,
    };
}

/// Scenes: meshes, spheres and boxes that are placed in a world by matrices, any number of times, and
/// scenes in scenes. `estoc-scene` has the parts of scene files.
pub mod scene {
    #[cfg(feature = "scene-files")]
    pub use estoc_scene::{DemoScene, LoadedScene, ObjectSource, SceneFile, SceneFileError};
    pub use estoc_scene::{
        MatrixError, ObjectRay, Placement, PlacementId, PlacementMatrix, Ray64, Scene,
        SceneClosestPoint, SceneError, SceneHit, SceneObject, ScenePath, ScenePrim, SceneSnapshot,
        Shape, ShapeEnd, ShapeList, ShapeSurface, SphereThickness, UserGeometry, UserHit,
        UserShapes,
    };
}

/// Regions, and answers and errors of queries on single shapes.
pub mod shapes {
    pub use estoc_core::{
        AabbError, BoxPosition, Frustum, HalfSpace, ObbError, PlaneError, PlaneHit, PlaneMeet,
        PlaneSide, RayError, Region, Span, SphereError, SpherePosition, SphereSweep,
    };
}

/// Statistics and inspection of a tree: its cost and memory, and the steps of a traversal.
/// `estoc-bvh` has the types of its nodes.
pub mod stats {
    pub use estoc_bvh::{BvhStats, RefitError, RefitReport, TraversalSteps, ValidateError};
}

/// Compiles and runs the Rust in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Compiles and runs the Rust in the README and the pages of the repository.
#[cfg(all(doctest, feature = "repository-tests"))]
mod pages {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/queries.md")]
    struct Queries;
    #[doc = include_str!("../../../docs/batches.md")]
    struct Batches;
    #[doc = include_str!("../../../docs/scenes.md")]
    struct Scenes;
    #[doc = include_str!("../../../docs/files.md")]
    struct Files;
}
