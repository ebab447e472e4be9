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

mod arithmetic;
mod camera;
mod collect;
mod compact_sort;
mod engine;
pub mod exact;
mod placed;
mod query;
mod shapes;
mod work;

pub use arithmetic::affine::{ExpectedEntry, MatrixEntry, TransformError};
#[doc(hidden)]
pub use arithmetic::{InlineMap, compare_decimal, larger, smaller, two_sum};
pub use camera::{Camera, CameraError, DepthRange, FieldOfView, Tile, Viewport};
pub use collect::{
    Certifier, Collector, Cull, HitBuffer, HitRule, Masks, MeshTriangle, PointCollector, PointKind,
    PointTest, Primitive, QueryError, QueryOptions, RayTest, RegionCollector, SweepCollector, Want,
};
#[doc(hidden)]
pub use compact_sort::{select_compactly, sort_compactly};
pub use engine::{
    BruteForce, ClosestOf, Delegate, Engine, HitOf, IdOf, LengthOf, MeshEngine, NearEngine,
    NearIdOf, NearOf, PairEngine, PointEngine, QuerySlice, QuerySliceError, Queue, RayEngine,
    RegionEngine, SweepEngine, Technique, TechniqueCounts, one_by_one,
};
#[doc(hidden)]
pub use engine::{any_visited, closest_visited};
pub use exact::pair::{Intersection, IntersectionKind, LeastDistance, LeastOf};
#[doc(hidden)]
pub use exact::pair::{NearestPair, PairTriangle, orient_in_plane};
pub use exact::proximity::{ClosestPoint, Feature, Length};
pub use exact::ray::BoxQuestion;
pub use exact::region::{BoxPosition, Frustum, FrustumError, HalfSpace, Region};
pub use exact::section::{Polyline, Section, SectionLoop, SectionPoint};
pub use exact::sign::{
    SignRule, SignedDistance, TriangleCluster, Winding, WindingCollector, WindingEstimate,
};
pub use exact::sweep::{MovingSphere, MovingSphere64, SphereContact};
pub use glam;
pub use placed::{
    MatrixError, ObjectRay, PathError, PlacedPrimitive, PlacedShape, PlacedTriangle, PlacedUserHit,
    PlacementMatrix, SceneClosestPoint, SceneHit, ScenePath, ScenePrim, Shape, ShapeEnd,
    ShapeSurface, UserHit,
};
#[doc(hidden)]
pub use placed::{WorldLine, scale_rotation_translation};
#[doc(hidden)]
pub use query::Unmasked;
pub use query::{
    AcceptHit, All, Any, AnyOverlap, AnyWithin, Closest, ClosestK, ClosestPointWithin, Contains,
    ContainsBy, CoordinateOf, Count, CountCrossings, Crossings, Distance, Distinct,
    EstimatedWinding, FirstContact, FirstK, HitRowQuestion, Overlaps, PairQuery, PointQuery,
    Question, RayQuery, RegionQuery, RowQuestion, SignedDistanceBy, SweepQuery, ValueQuestion,
    WindingNumber, Within,
};
#[doc(hidden)]
pub use shapes::ScaledRay;
pub use shapes::{
    Aabb, AabbError, BadouelTriangle, BoxFace, BoxHit, Coordinate, Hit, JoinedTriangle, Obb,
    ObbError, Plane, PlaneError, PlaneHit, PlaneMeet, PlaneSide, PrimId, PrimIdError, QueryItem,
    Ray, Ray64, Ray64Error, RayError, RayKind, Side, Span, Sphere, SphereError, SpherePosition,
    SphereSweep, SurfaceEdge, SurfaceError, SurfaceReport, Triangle, Triangle64, TriangleHit,
    is_closed, open_edges, volume_sign,
};
pub use work::{CancelToken, Progress};

/// Compiles and runs the Rust in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
