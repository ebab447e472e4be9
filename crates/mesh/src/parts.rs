//! Internals that trees, tree files, the command and the Python package share with meshes; not covered by semantic
//! versioning.

pub use crate::foreign_format::foreign_format;
pub use crate::formats::mesh_format;
pub use crate::loader::as_needed::NeededMesh;
pub use crate::mesh::buffers::{Buffers, buffers};
pub use crate::mesh::details::{blank_details, details_of, with_attributes};
pub use crate::mesh::median_edge::median_edge;
pub use crate::mesh::sources::{NameLists, Sources, mesh_of, run_at, sources};
pub use crate::mesh::wide_positions::{NarrowFrame, WidePositions, wide_positions};
pub use crate::mesh::world::relative_to;
pub use crate::packing::open_packed;
pub use crate::text::{counted, shown, without_error_numbers};
pub use crate::tree_file::TREE_FILE_START;
pub use crate::weld::closing_distance;

use crate::error::{InputLimits, Location, MeshError};
use crate::mesh::Mesh;
use crate::mesh::details::HitDetails;
use crate::mesh::material::Material;
use estoc_core::glam::DVec3;

/// Returns the mesh with another origin, which must be finite.
pub fn with_origin(mesh: Mesh, origin: DVec3) -> Mesh {
    Mesh { origin, ..mesh }
}

/// Returns the mesh with a report that counts the triangles without area.
pub fn with_degenerate(mut mesh: Mesh<f64>) -> Mesh<f64> {
    mesh.report.degenerate = mesh.bounds_and_degenerate().1;
    mesh
}

/// Returns details whose front is the side from which the corners are clockwise, or not.
pub fn with_sides(mut details: HitDetails<'_>, is_reversed: bool) -> HitDetails<'_> {
    details.is_reversed = is_reversed;
    details
}

/// Checks that a mesh may have this number of vertices.
///
/// # Errors
/// [`MeshError::TooManyVertices`] if not.
pub fn check_vertices(count: u64) -> Result<(), MeshError> {
    InputLimits::REAL.check_vertices(count, Location::default)
}

/// Tree files store each of these fields; a new one must be added there too.
const _: fn(Material) = |material| {
    let Material {
        name: _,
        defined: _,
        ambient: _,
        diffuse: _,
        specular: _,
        emissive: _,
        shininess: _,
        dissolve: _,
        optical_density: _,
        illumination_model: _,
        ambient_texture: _,
        diffuse_texture: _,
        specular_texture: _,
        normal_texture: _,
        shininess_texture: _,
        dissolve_texture: _,
    } = material;
};
