//! What pictures show: a mesh or a scene.

mod mesh_target;
mod scene_target;

pub use mesh_target::MeshTarget;
pub(crate) use mesh_target::scene_hit;
pub use scene_target::{SceneMaterials, SceneTarget};

use crate::watch::{Cancelled, WorkWatch};
use estoc::glam::Vec3;
use estoc::mesh::Material;
use estoc::scene::SceneHit;
use estoc::{Aabb, Ray, RayQuery, Triangle};

/// What a picture shows: a mesh or a scene. Hits on a mesh have a path without placements.
#[derive(Clone, Copy)]
pub enum Target<'a> {
    /// A mesh and its tree.
    Mesh(MeshTarget<'a>),
    /// A scene.
    Scene(SceneTarget<'a>),
}

impl<'a> Target<'a> {
    /// Returns the mesh; `None` for a scene.
    pub fn mesh(self) -> Option<MeshTarget<'a>> {
        match self {
            Target::Mesh(mesh) => Some(mesh),
            Target::Scene(_) => None,
        }
    }

    /// Returns a box around everything, empty if there is nothing.
    pub fn bounds(self) -> Aabb {
        match self {
            Target::Mesh(mesh) => mesh.bounds(),
            Target::Scene(scene) => scene.bounds(),
        }
    }

    /// Returns the closest hit of a ray; `None` if it hits nothing or has NaN in it.
    pub fn closest_hit(self, ray: &Ray) -> Option<SceneHit> {
        match self {
            Target::Mesh(mesh) => mesh.bvh().closest_hit(ray).map(scene_hit),
            Target::Scene(scene) => scene.snapshot().closest_hit(ray),
        }
    }

    /// Returns the normal of the front of what the ray hits, of length 1; `None` if that has none, or if
    /// the hit is not one of this target.
    pub fn normal(self, ray: &Ray, hit: &SceneHit) -> Option<Vec3> {
        match self {
            Target::Mesh(mesh) => mesh.triangle(hit.prim)?.normal(),
            Target::Scene(scene) if hit.end.is_some() => Some(scene.surface(ray, hit)?.normal),
            Target::Scene(scene) => Some(scene.snapshot().details(hit)?.normal),
        }
    }

    /// Returns the number of triangles, and of spheres and boxes, each counted as often as it is placed.
    pub fn primitive_count(self) -> usize {
        match self {
            Target::Mesh(mesh) => mesh.bvh().triangle_count(),
            Target::Scene(scene) => scene.primitive_count(),
        }
    }

    /// Returns whether there are materials.
    pub fn has_materials(self) -> bool {
        (0..self.mesh_count()).any(|mesh| !self.materials(mesh).is_empty())
    }

    /// Calls a function with points whose hull holds everything, until the work is cancelled.
    pub(crate) fn each_corner(
        self,
        watch: WorkWatch<'_>,
        visit: &mut dyn FnMut(Vec3),
    ) -> Result<(), Cancelled> {
        match self {
            Target::Mesh(mesh) => mesh.each_triangle(watch, |triangle| {
                triangle.corners().into_iter().for_each(&mut *visit);
            }),
            Target::Scene(scene) => scene.each_corner(watch, visit),
        }
    }

    /// Returns the triangle of a hit in the world, in a scene with rounded corners; `None` for a shape.
    pub(crate) fn triangle(self, hit: &SceneHit) -> Option<Triangle> {
        match self {
            Target::Mesh(mesh) => mesh.triangle(hit.prim),
            Target::Scene(scene) => scene.triangle(hit),
        }
    }

    /// Returns a ray that leaves what a ray hits, on the side of `dir`.
    pub(crate) fn leave(self, ray: &Ray, hit: &SceneHit, dir: Vec3) -> Option<Ray> {
        let Target::Scene(scene) = self else {
            let triangle = self.triangle(hit)?;
            return Some(hit.hit().spawn_ray(&triangle, dir).0);
        };
        if hit.end.is_none() {
            return Some(hit.hit().spawn_ray(&scene.triangle(hit)?, dir).0);
        }
        let surface = scene.surface(ray, hit)?;
        // As far from the surface as the point may be off it by the rounding to `f32`.
        let step = surface.point.abs().max_element().max(f64::from(hit.t)) / f64::from(1 << 20);
        let side = f64::from(surface.normal.dot(dir)).signum();
        let from = surface.point + side * step * surface.normal.as_dvec3();
        Some(Ray::new(from.as_vec3(), dir))
    }

    /// Returns the number of meshes that may have materials.
    pub(crate) fn mesh_count(self) -> usize {
        match self {
            Target::Mesh(_) => 1,
            Target::Scene(scene) => scene.materials().map_or(0, SceneMaterials::mesh_count),
        }
    }

    /// Returns the materials of the mesh of this number.
    pub(crate) fn materials(self, mesh: usize) -> &'a [Material] {
        match self {
            Target::Mesh(mesh) => mesh.materials(),
            Target::Scene(scene) => match scene.materials() {
                Some(meshes) => meshes.materials(mesh),
                None => &[],
            },
        }
    }

    /// Returns the number of the mesh that is hit, and the material there.
    pub(crate) fn material_of(self, hit: &SceneHit) -> Option<(usize, &'a Material)> {
        match self {
            Target::Mesh(mesh) => Some((0, mesh.material_of(hit.prim)?)),
            Target::Scene(scene) => scene.materials()?.material_of(hit),
        }
    }
}

impl<'a> From<MeshTarget<'a>> for Target<'a> {
    fn from(mesh: MeshTarget<'a>) -> Self {
        Target::Mesh(mesh)
    }
}

impl<'a> From<SceneTarget<'a>> for Target<'a> {
    fn from(scene: SceneTarget<'a>) -> Self {
        Target::Scene(scene)
    }
}
