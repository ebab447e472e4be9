//! Meshes and details of hits from a tree file.

use super::TreeFile;
use estoc_core::Hit;
use estoc_core::glam::Vec3;
use estoc_memory::Arena;
use estoc_mesh::parts::{self, Buffers, NameLists};
use estoc_mesh::{HitDetails, Mesh, MeshError};

impl TreeFile {
    /// The mesh: the same triangles with the same numbers, faces, lines and names; without
    /// texture coordinates and normals, and with no more of a report than counts.
    ///
    /// From a tree of [`Layout::Compact`](crate::Layout::Compact) it has the vertices that it
    /// had, shared with the tree, and with the file where that is [mapped](TreeFile::map). Of [`Layout::Fast`](crate::Layout::Fast) only the triangles are
    /// known: each gets three vertices of its own, 48 bytes a triangle, and its [report] counts
    /// those.
    ///
    /// # Errors
    /// [`MeshError::TooManyVertices`] if these are more than a mesh can have.
    ///
    /// [report]: Mesh::report
    pub fn mesh(&self) -> Result<Mesh, MeshError> {
        let tree = self.bvh.tree();
        let buffers = match tree.leaves.mesh() {
            Some(mesh) => mesh.clone(),
            None => self.unshared()?,
        };
        let text = &self.names.text;
        let names = NameLists {
            objects: text.objects.clone(),
            groups: text.groups.clone(),
            materials: text.materials.clone(),
        };
        let triangles = self.facts.triangles as u64;
        let faces = self.facts.faces.unwrap_or(triangles);
        let mut origin = self.names.origin();
        if origin.faces.is_empty() && triangles > 0 {
            // Each triangle is a face.
            origin.faces.push([0, 0, 1]);
        }
        Ok(parts::mesh_of(
            buffers,
            self.facts.bounds,
            faces,
            &origin,
            names,
        ))
    }

    /// Three vertices for each triangle.
    fn unshared(&self) -> Result<Buffers, MeshError> {
        let triangles = self.facts.triangles;
        parts::check_vertices(3 * triangles as u64)?;
        let mut positions = vec![Vec3::ZERO; 3 * triangles];
        for (prim, triangle) in self.bvh.triangles() {
            let first = 3 * prim.index();
            if let Some(corners) = positions.get_mut(first..first + 3) {
                corners.copy_from_slice(&triangle.corners());
            }
        }
        let indices = (0..triangles as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        let indices = Arena::of(indices.collect());
        Ok(Buffers::of_arenas(Arena::of(positions), indices))
    }

    /// What is known of the place where a ray hit the tree, as [`Mesh::details`] has it, but for
    /// what the file does not keep: there is neither a shading normal nor a texture coordinate.
    ///
    /// The first call finds out where all triangles are ([`Bvh::triangle`](crate::Bvh::triangle)).
    pub fn details(&self, hit: &Hit) -> Option<HitDetails<'_>> {
        let prim = hit.prim;
        let mut details = parts::details_of(hit, self.bvh.triangle(prim)?)?;
        details.face = self.face_of(prim).unwrap_or(prim.index() as u64);
        details.line = self.line_of(prim);
        details.object = self.object_of(prim);
        details.group = self.group_of(prim);
        details.material = self.material_of(prim);
        Some(details)
    }
}
