//! Internals that trees, tree files, the command and the Python package share with meshes; not covered by semantic
//! versioning.

pub use crate::foreign_format::foreign_format;
pub use crate::mesh::buffers::Buffers;
pub use crate::mesh::sources::{NameLists, Sources, run_at};
pub use crate::mesh::world::relative_to;
pub use crate::packing::open_packed;
pub use crate::text::{counted, shown, without_error_numbers};
pub use crate::tree_file::TREE_FILE_START;
pub use crate::weld::closing_distance;

use crate::error::MeshError;
use crate::format::Format;
use crate::mesh::Mesh;
use crate::mesh::details::HitDetails;
use crate::mesh::material::Material;
use estoc_core::glam::DVec3;
use estoc_core::{Aabb, Hit, Triangle};

/// Returns the arrays of a mesh, which trees can share.
#[inline(always)]
pub fn buffers(mesh: &Mesh) -> &Buffers {
    mesh.buffers()
}

/// Returns the sources of a mesh's triangles.
pub fn sources(mesh: &Mesh) -> Sources {
    mesh.sources()
}

/// Returns the mesh of parts that must fit together. Its report has the numbers of vertices and
/// faces only.
///
/// # Errors
/// [`MeshError::NoMemory`].
pub fn mesh_of(
    buffers: Buffers,
    bounds: Aabb,
    faces: u64,
    sources: &Sources,
    names: NameLists,
) -> Result<Mesh, MeshError> {
    Ok(Mesh::of_parts(buffers, bounds, faces, sources, names)?)
}

/// Returns the mesh with another origin, which must be finite.
pub fn with_origin(mesh: Mesh, origin: DVec3) -> Mesh {
    Mesh { origin, ..mesh }
}

/// Returns details whose front is the side from which the corners are clockwise, or not.
pub fn with_sides(mut details: HitDetails<'_>, is_reversed: bool) -> HitDetails<'_> {
    details.is_reversed = is_reversed;
    details
}

/// Recognises the format of a mesh from the first bytes of a file, 4096 if it has as many; `length`
/// is that of the whole file, if known.
pub fn mesh_format(head: &[u8], length: Option<u64>) -> Option<Format> {
    Format::of_content(head, length)
}

/// Checks that a mesh may have this number of vertices.
///
/// # Errors
/// [`MeshError::TooManyVertices`] if not.
pub fn check_vertices(count: u64) -> Result<(), MeshError> {
    MeshError::check_vertices(count)
}

/// Returns the details that follow from the triangle alone. Returns `None` if the hit cannot be one
/// of this triangle: it has no area, or the weights are not between 0 and 1. `origin` is that of the
/// mesh.
pub fn details_of<'a>(hit: &Hit, triangle: Triangle, origin: DVec3) -> Option<HitDetails<'a>> {
    HitDetails::of_triangle(hit, triangle, origin)
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
