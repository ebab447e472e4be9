//! Collectors, which take the candidates of one item, certify them, apply the options and keep what is
//! wanted.

mod closest_list;
mod collector;
mod goal;
mod hit_buffer;
mod hit_rule;
mod masks;
mod mesh_triangle;
mod options;
mod point_collector;
mod point_kind;
mod primitive;
mod region_collector;
mod sweep_collector;
mod triangle64;

pub(crate) use closest_list::ClosestList;
pub use collector::Collector;
pub(crate) use collector::Rules;
pub use goal::Want;
pub(crate) use goal::{Goal, Listed};
pub use hit_buffer::HitBuffer;
pub use hit_rule::HitRule;
pub use masks::Masks;
pub use mesh_triangle::MeshTriangle;
pub use options::{Cull, QueryError, QueryOptions};
pub use point_collector::PointCollector;
pub(crate) use point_collector::PointGoal;
pub use point_kind::{PointKind, PointTest};
pub use primitive::{Certifier, Primitive, RayTest};
pub use region_collector::RegionCollector;
pub(crate) use region_collector::RegionGoal;
pub use sweep_collector::SweepCollector;
