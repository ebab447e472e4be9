//! Rays, shapes, and the hits of rays on shapes.
//!
//! Each shape answers the questions about itself alone, exactly. What an engine asks about triangles is
//! decided in [`exact`](crate::exact).

pub(crate) mod aabb;
pub(crate) mod box_hit;
mod coordinate;
pub(crate) mod coordinates;
mod hit;
mod ids;
pub(crate) mod obb;
mod plane;
mod query_item;
pub(crate) mod ray;
pub(crate) mod span;
mod sphere;
pub(crate) mod surface;
mod triangle;

pub use aabb::{Aabb, AabbError};
pub use box_hit::{BoxFace, BoxHit};
pub use coordinate::Coordinate;
pub use hit::Hit;
pub use ids::{PrimId, PrimIdError};
pub use obb::{Obb, ObbError};
pub use plane::{Plane, PlaneError, PlaneHit, PlaneMeet, PlaneSide, SpherePosition, SphereSweep};
pub use query_item::QueryItem;
pub use ray::{Ray, Ray64, Ray64Error, RayError, RayKind, ScaledRay};
pub use span::Span;
pub use sphere::{Sphere, SphereError};
pub use surface::{
    JoinedTriangle, SurfaceEdge, SurfaceError, SurfaceReport, is_closed, open_edges, volume_sign,
};
pub use triangle::{BadouelTriangle, Side, Triangle, Triangle64, TriangleHit};
