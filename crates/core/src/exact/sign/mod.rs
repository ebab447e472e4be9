//! Which side of a surface a point is on, and how often the surface winds around it.

mod signed_distance;
mod solid_angle;
mod triangle_cluster;
mod winding;
mod winding_collector;

pub use signed_distance::{SignRule, SignedDistance};
pub use triangle_cluster::TriangleCluster;
pub use winding::{Winding, WindingEstimate};
pub use winding_collector::WindingCollector;
