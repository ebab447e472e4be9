//! What `render` and `pick` look at: a mesh or a scene.

use crate::common::Session;
use crate::failure::Failure;
use crate::mesh_source::MeshSource;
use crate::model::{Model, Opened};
use crate::scene_model::SceneModel;
use crate::tree_args::TreeArgs;
use estoc::glam::Vec3;
use estoc::mesh::{HitDetails, Material};
use estoc::scene::{SceneHit, ScenePath};
use estoc::{Aabb, Hit, Ray, RayQuery, Side, Triangle};

/// An opened `MESH` argument that may be a scene.
pub(crate) enum OpenedTarget {
    Mesh(Opened),
    Scene(Box<SceneModel>),
}

/// A mesh or a scene. Hits on a mesh have a path without placements.
#[derive(Clone, Copy)]
pub(crate) enum Target<'a> {
    Mesh(Model<'a>),
    Scene(&'a SceneModel),
}

impl OpenedTarget {
    /// Opens a mesh or a scene. Rejects one without anything that can be hit.
    pub(crate) fn open(
        source: &MeshSource,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        if !source.is_scene() {
            return Ok(OpenedTarget::Mesh(Opened::open(source, tree, session)?));
        }
        let scene = SceneModel::open(source, tree, session)?;
        source.refuse_empty_scene(scene.primitive_count())?;
        Ok(OpenedTarget::Scene(Box::new(scene)))
    }

    pub(crate) fn target(&self) -> Target<'_> {
        match self {
            OpenedTarget::Mesh(opened) => Target::Mesh(opened.model()),
            OpenedTarget::Scene(scene) => Target::Scene(scene),
        }
    }
}

impl<'a> Target<'a> {
    pub(crate) fn mesh(self) -> Option<Model<'a>> {
        match self {
            Target::Mesh(model) => Some(model),
            Target::Scene(_) => None,
        }
    }

    pub(crate) fn bounds(self) -> Aabb {
        match self {
            Target::Mesh(model) => model.bounds(),
            Target::Scene(scene) => scene.bounds(),
        }
    }

    /// Calls a function with points whose hull holds everything.
    pub(crate) fn each_corner(self, visit: &mut dyn FnMut(Vec3)) {
        match self {
            Target::Mesh(model) => {
                let corners = model.triangles().flat_map(|triangle| triangle.corners());
                corners.for_each(visit);
            }
            Target::Scene(scene) => scene.each_corner(visit),
        }
    }

    pub(crate) fn closest_hit(self, ray: &Ray) -> Option<SceneHit> {
        match self {
            Target::Mesh(model) => model.bvh.closest_hit(ray).map(of_mesh),
            Target::Scene(scene) => scene.snapshot().closest_hit(ray),
        }
    }

    /// Returns the triangle of a hit in the world, in a scene with rounded corners; `None` for a shape.
    pub(crate) fn triangle(self, hit: &SceneHit) -> Option<Triangle> {
        match self {
            Target::Mesh(model) => model.triangle(hit.prim),
            Target::Scene(scene) => scene.triangle(hit),
        }
    }

    /// Returns the normal of the front of what the ray hits, of length 1.
    pub(crate) fn normal(self, ray: &Ray, hit: &SceneHit) -> Option<Vec3> {
        match self {
            Target::Mesh(model) => model.triangle(hit.prim)?.normal(),
            Target::Scene(scene) if hit.end.is_some() => Some(scene.surface(*ray, hit)?.normal),
            Target::Scene(scene) => Some(scene.snapshot().details(hit)?.normal),
        }
    }

    /// Returns the point that the ray hits.
    pub(crate) fn point(self, ray: &Ray, hit: &SceneHit) -> Option<Vec3> {
        match self {
            Target::Scene(scene) if hit.end.is_some() => {
                Some(scene.surface(*ray, hit)?.point.as_vec3())
            }
            _ => Some(self.details(hit)?.point),
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
        let surface = scene.surface(*ray, hit)?;
        // As far from the surface as the point may be off it by the rounding to `f32`.
        let step = surface.point.abs().max_element().max(f64::from(hit.t)) / f64::from(1 << 20);
        let side = f64::from(surface.normal.dot(dir)).signum();
        let from = surface.point + side * step * surface.normal.as_dvec3();
        Some(Ray::new(from.as_vec3(), dir))
    }

    /// Returns the number of triangles, and of spheres and boxes.
    pub(crate) fn primitive_count(self) -> usize {
        match self {
            Target::Mesh(model) => model.bvh.triangle_count(),
            Target::Scene(scene) => scene.primitive_count(),
        }
    }

    /// Returns the number of meshes.
    pub(crate) fn mesh_count(self) -> usize {
        match self {
            Target::Mesh(_) => 1,
            Target::Scene(scene) => scene.meshes.len(),
        }
    }

    /// Returns the materials of the mesh of this number.
    pub(crate) fn materials(self, mesh: usize) -> &'a [Material] {
        match self {
            Target::Mesh(model) => model.materials(),
            Target::Scene(scene) => match scene.meshes.get(mesh) {
                Some(mesh) => mesh.model().materials(),
                None => &[],
            },
        }
    }

    /// Returns the number of the mesh that is hit, and the material there.
    pub(crate) fn material_of(self, hit: &SceneHit) -> Option<(usize, &'a Material)> {
        match self {
            Target::Mesh(model) => Some((0, model.material_of(hit.prim)?)),
            Target::Scene(scene) => {
                let number = scene.loaded.mesh_number(hit.path)?;
                let model = scene.meshes.get(number)?.model();
                Some((number, model.material_of(hit.prim)?))
            }
        }
    }

    /// Returns what a mesh knows of a hit; `None` for a sphere or a box.
    pub(crate) fn details(self, hit: &SceneHit) -> Option<HitDetails<'a>> {
        match self {
            Target::Mesh(model) => model.details(&hit.hit()),
            Target::Scene(scene) => scene.details(hit),
        }
    }

    /// Returns the side from which a ray with this closest hit comes.
    pub(crate) fn side(self, ray: &Ray, hit: &SceneHit) -> Option<Side> {
        match self {
            Target::Mesh(model) => model.triangle(hit.prim)?.side(ray.dir),
            Target::Scene(scene) => Some(scene.side(ray, hit)),
        }
    }
}

/// Returns a hit on a mesh that is not in a scene.
pub(crate) fn of_mesh(hit: Hit) -> SceneHit {
    let Hit { t, u, v, prim } = hit;
    SceneHit {
        t,
        u,
        v,
        prim,
        end: None,
        path: ScenePath::ROOT,
    }
}
