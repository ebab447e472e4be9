//! Meshes and details of hits from a tree file.

use super::TreeFile;
use crate::wide::{WideTree, WideTriangles};
use estoc_core::glam::Vec3;
use estoc_core::{Coordinate, Hit};
use estoc_mesh::parts::{self, Buffers, NameLists};
use estoc_mesh::{HitDetails, Mesh, MeshError};
use estoc_system::{Arena, collected, zeroed};

impl TreeFile {
    /// Returns the mesh: the same triangles with the same indices, origin, faces, lines and
    /// names, but
    /// without texture coordinates and normals, and with only the counts of its report.
    ///
    /// With [`Layout::Compact`](crate::Layout::Compact) it has the vertices of the saved mesh,
    /// shared with the tree, and with the file if that is [mapped](TreeFile::map). With
    /// [`Layout::Fast`](crate::Layout::Fast) the file has triangles only: each gets three vertices
    /// of its own, 48 bytes per triangle, and the [report] counts those.
    ///
    /// # Errors
    /// [`MeshError::TooManyVertices`] if there are more than a mesh can have, and
    /// [`MeshError::NoMemory`].
    ///
    /// [report]: Mesh::report
    pub fn mesh(&self) -> Result<Mesh, MeshError> {
        let tree = self.bvh.tree();
        let buffers = match tree.leaves.mesh() {
            Some(mesh) => mesh.clone(),
            None => unshared(tree)?,
        };
        Ok(parts::with_origin(
            self.mesh_with(buffers)?,
            self.facts.origin,
        ))
    }

    /// Returns the details of a hit on the tree, as [`Mesh::details`] does, except for what the
    /// file does not store: there is neither a shading normal nor a texture coordinate.
    ///
    /// The first call builds an index of all triangles ([`Bvh::triangle`](crate::Bvh::triangle)).
    pub fn details(&self, hit: &Hit) -> Option<HitDetails<'_>> {
        let triangle = self.bvh.triangle(hit.prim)?;
        let of_triangle = parts::details_of(hit, triangle, self.facts.origin)?;
        Some(self.with_attributes(of_triangle))
    }
}

impl TreeFile<f64> {
    /// Returns the mesh: the same vertices, triangles, faces, lines and names, but without texture
    /// coordinates and normals. Its report has the counts, and the triangles without area. The vertices are
    /// shared with the tree, and with the file if that is [mapped](TreeFile::map_f64).
    ///
    /// # Errors
    /// [`MeshError::NoMemory`].
    pub fn mesh(&self) -> Result<Mesh<f64>, MeshError> {
        let wide = self.bvh.wide();
        let mesh = self.mesh_with(wide.buffers().clone())?;
        Ok(match wide.have_area() {
            true => mesh,
            false => parts::with_degenerate(mesh),
        })
    }
}

impl<C: Coordinate> TreeFile<C> {
    /// Returns details with what the file tells of the face.
    #[doc(hidden)]
    pub fn with_attributes<'a>(&'a self, of_triangle: HitDetails<'a>) -> HitDetails<'a> {
        let prim = of_triangle.prim;
        let mut details = of_triangle;
        details.face = self.face_of(prim).unwrap_or(prim.index() as u64);
        details.line = self.line_of(prim);
        details.object = self.object_of(prim);
        details.group = self.group_of(prim);
        details.material = self.material_of(prim);
        details
    }

    /// Returns the mesh of these buffers, at the origin.
    fn mesh_with(&self, buffers: Buffers) -> Result<Mesh<C>, MeshError> {
        let wide = C::map_beside(self.bvh.wide(), |wide: &WideTriangles| {
            wide.positions().clone()
        });
        let text = &self.names.text;
        let names = NameLists {
            objects: text.objects.clone(),
            groups: text.groups.clone(),
            materials: text.materials.clone(),
        };
        let triangles = self.facts.triangles as u64;
        let faces = self.facts.faces.unwrap_or(triangles);
        let mut sources = self.names.sources();
        if sources.faces.is_empty() && triangles > 0 {
            // Each triangle is a face.
            sources.faces.push([0, 0, 1]);
        }
        parts::mesh_of((buffers, wide), self.facts.bounds, faces, &sources, names)
    }
}

/// Returns buffers with three vertices per triangle.
fn unshared(tree: &WideTree) -> Result<Buffers, MeshError> {
    let triangles = tree.leaves.len();
    parts::check_vertices(3 * triangles as u64)?;
    let mut positions: Vec<Vec3> = zeroed(3 * triangles)?;
    for (prim, triangle) in tree.triangles() {
        let first = 3 * prim.index();
        if let Some(corners) = positions.get_mut(first..first + 3) {
            corners.copy_from_slice(&triangle.corners());
        }
    }
    let indices = (0..triangles as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    let indices = Arena::of(collected(indices)?);
    Ok(Buffers::of_arenas(Arena::of(positions), indices))
}
