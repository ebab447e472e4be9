//! Rays, boxes and triangles with exact answers: the core of estoc.
//!
//! Whether a ray hits, which triangle, and in which order is decided as exact arithmetic on the
//! given `f32`s would decide it, at nearly the cost of floating point ([`exact`]). [`RayQuery`] has
//! the queries that every engine answers. [`BruteForce`] is the simplest engine and the reference
//! for all others.
//!
//! ```
//! # use estoc_core as estoc;
//! use estoc::{BruteForce, Ray, RayQuery, Triangle};
//! let engine = BruteForce::new(vec![Triangle::new([0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [0.0, 1.0, 5.0])]);
//! let hit = engine.closest_hit(&Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, 2.0])).unwrap();
//! assert_eq!((hit.t, hit.prim.get()), (2.5, 0)); // t counts lengths of the direction
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod aabb;
mod affine;
mod arithmetic;
mod box_hit;
mod brute;
mod camera;
mod cancel;
mod closed;
mod coordinates;
pub mod exact;
mod hit;
mod ids;
mod inline_map;
mod obb;
mod pair;
mod placed;
mod plane;
mod progress;
mod proximity;
mod query;
mod query_item;
mod ray;
mod region;
mod section;
mod sign;
mod span;
mod spawn;
mod sphere;
mod surface;
mod sweep;
mod triangle;
mod volume;

pub use aabb::{Aabb, AabbError, BoxQuestion};
pub use affine::{ExpectedEntry, MatrixEntry, TransformError};
#[doc(hidden)]
pub use arithmetic::compare_decimal;
pub use box_hit::{BoxFace, BoxHit};
pub use brute::BruteForce;
pub use camera::{Camera, CameraError, DepthRange, FieldOfView, Tile, Viewport};
pub use cancel::CancelToken;
pub use closed::{is_closed, open_edges};
pub use glam;
pub use hit::Hit;
pub use ids::{PrimId, PrimIdError};
#[doc(hidden)]
pub use inline_map::InlineMap;
pub use obb::{Obb, ObbError};
#[doc(hidden)]
pub use pair::orient_in_plane;
pub use pair::{Intersection, IntersectionKind};
#[doc(hidden)]
pub use placed::WorldLine;
pub use placed::{
    MatrixError, ObjectRay, PathError, PlacedPrimitive, PlacedShape, PlacedTriangle, PlacedUserHit,
    PlacementMatrix, SceneClosestPoint, SceneHit, ScenePath, ScenePrim, Shape, ShapeEnd,
    ShapeSurface, UserHit,
};
pub use plane::{Plane, PlaneError, PlaneHit, PlaneMeet, PlaneSide, SpherePosition, SphereSweep};
pub use progress::Progress;
pub use proximity::{ClosestPoint, Feature};
pub use query::{
    AcceptHit, All, Any, AnyOverlap, AnyWithin, Certifier, Closest, ClosestK, ClosestPointWithin,
    Collector, Contains, ContainsBy, Count, CountCrossings, Crossings, Cull, Delegate, Distance,
    Engine, EstimatedWinding, FirstContact, FirstK, HitBuffer, HitOf, HitRowQuestion, HitRule,
    IdOf, Masks, MeshEngine, NearEngine, Overlaps, PointCollector, PointEngine, PointKind,
    PointQuery, Primitive, QueryError, QueryOptions, QuerySlice, QuerySliceError, Question, Queue,
    RayEngine, RayQuery, RayTest, RegionCollector, RegionEngine, RegionQuery, RowQuestion,
    SignedDistanceBy, SweepCollector, SweepEngine, SweepQuery, Technique, TechniqueCounts,
    ValueQuestion, Want, WindingNumber, Within, one_by_one,
};
#[doc(hidden)]
pub use query::{Unmasked, any_visited, closest_visited};
pub use query_item::QueryItem;
pub use ray::{Ray, Ray64, Ray64Error, RayError, RayKind};
pub use region::{BoxPosition, Frustum, FrustumError, HalfSpace, Region};
pub use section::{Polyline, Section, SectionPoint};
pub use sign::{
    SignRule, SignedDistance, TriangleCluster, Winding, WindingCollector, WindingEstimate,
};
pub use span::Span;
pub use sphere::{Sphere, SphereError};
pub use surface::{SurfaceEdge, SurfaceError, SurfaceReport};
pub use sweep::{MovingSphere, SphereContact};
pub use triangle::{BadouelTriangle, Side, Triangle, TriangleHit};
pub use volume::volume_sign;

/// Compiles and runs the Rust in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
