//! A mesh as what a picture shows.

use crate::watch::{CHECKED, Cancelled, WorkWatch};
use estoc::io::TreeFile;
use estoc::mesh::Material;
use estoc::scene::{SceneHit, ScenePath};
use estoc::{Aabb, Bvh, Hit, Mesh, PrimId, Triangle};

/// A mesh and the tree over it.
#[derive(Clone, Copy)]
pub struct MeshTarget<'a> {
    bvh: &'a Bvh,
    known: MeshOrFile<'a>,
}

#[derive(Clone, Copy)]
enum MeshOrFile<'a> {
    Mesh(&'a Mesh),
    File(&'a TreeFile),
}

impl<'a> MeshTarget<'a> {
    /// Creates a target of a mesh and the tree over it. With the tree of another mesh, pictures are
    /// wrong, and nothing else happens.
    pub fn new(mesh: &'a Mesh, bvh: &'a Bvh) -> Self {
        MeshTarget {
            bvh,
            known: MeshOrFile::Mesh(mesh),
        }
    }

    /// Creates a target of a tree file.
    pub fn of_file(file: &'a TreeFile) -> Self {
        MeshTarget {
            bvh: file.bvh(),
            known: MeshOrFile::File(file),
        }
    }

    /// Returns the tree.
    pub fn bvh(self) -> &'a Bvh {
        self.bvh
    }

    /// Returns the box around the mesh.
    pub fn bounds(self) -> Aabb {
        match self.known {
            MeshOrFile::Mesh(mesh) => mesh.bounds(),
            MeshOrFile::File(file) => file.facts().bounds,
        }
    }

    /// Returns a triangle; `None` if there is none of this id.
    pub fn triangle(self, prim: PrimId) -> Option<Triangle> {
        match self.known {
            MeshOrFile::Mesh(mesh) => mesh.triangle(prim),
            MeshOrFile::File(file) => file.bvh().triangle(prim),
        }
    }

    /// Returns all triangles, in the order of their ids.
    pub fn triangles(self) -> impl Iterator<Item = Triangle> + Clone + 'a {
        let prims = (0..self.bvh.triangle_count()).filter_map(PrimId::from_index);
        prims.filter_map(move |prim| self.triangle(prim))
    }

    /// Calls a function with all triangles, in the order of their ids, until the work is cancelled.
    pub(crate) fn each_triangle(
        self,
        watch: WorkWatch<'_>,
        mut visit: impl FnMut(Triangle),
    ) -> Result<(), Cancelled> {
        for (number, triangle) in self.triangles().enumerate() {
            if number % CHECKED == 0 {
                watch.check()?;
            }
            visit(triangle);
        }
        Ok(())
    }

    /// Returns the materials.
    pub fn materials(self) -> &'a [Material] {
        match self.known {
            MeshOrFile::Mesh(mesh) => mesh.materials(),
            MeshOrFile::File(file) => file.materials(),
        }
    }

    /// Returns the material of a triangle; `None` if it has none, and if there is none of this id.
    pub fn material_of(self, prim: PrimId) -> Option<&'a Material> {
        match self.known {
            MeshOrFile::Mesh(mesh) => mesh.material_of(prim),
            MeshOrFile::File(file) => file.material_of(prim),
        }
    }
}

/// Returns a hit on a mesh that is not in a scene.
pub(crate) fn scene_hit(hit: Hit) -> SceneHit {
    SceneHit::triangle(ScenePath::ROOT, hit)
}
