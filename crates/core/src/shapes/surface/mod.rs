//! The surface that triangles form together.

mod open_edges;
mod surface_report;
mod volume;

pub(crate) use open_edges::{EdgeKey, undirected};
pub use open_edges::{JoinedTriangle, is_closed, open_edges};
pub use surface_report::{SurfaceEdge, SurfaceError, SurfaceReport};
pub use volume::volume_sign;
