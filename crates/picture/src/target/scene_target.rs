//! A scene as what a picture shows.

use crate::watch::{CHECKED, Cancelled, WorkWatch};
use estoc::glam::{DVec3, Vec3};
use estoc::mesh::Material;
use estoc::scene::{Ray64, SceneHit, SceneObject, SceneSnapshot, ShapeSurface};
use estoc::{Aabb, Ray, Triangle};

/// The materials of the meshes of a scene.
pub trait SceneMaterials: Sync {
    /// Returns the number of meshes.
    fn mesh_count(&self) -> usize;

    /// Returns the materials of a mesh, by its number from 0; none if there is no such mesh.
    fn materials(&self, mesh: usize) -> &[Material];

    /// Returns the number of the mesh that is hit, and the material there; `None` if there is none.
    fn material_of(&self, hit: &SceneHit) -> Option<(usize, &Material)>;
}

/// A scene, with the materials of its meshes where they are known.
#[derive(Clone, Copy)]
pub struct SceneTarget<'a> {
    snapshot: &'a SceneSnapshot,
    materials: Option<&'a dyn SceneMaterials>,
}

impl<'a> SceneTarget<'a> {
    /// Creates a target of a scene without materials.
    pub fn new(snapshot: &'a SceneSnapshot) -> Self {
        SceneTarget {
            snapshot,
            materials: None,
        }
    }

    /// Sets the materials of the meshes.
    pub fn with_materials(self, materials: &'a dyn SceneMaterials) -> Self {
        SceneTarget {
            materials: Some(materials),
            ..self
        }
    }

    /// Returns what answers queries.
    pub fn snapshot(self) -> &'a SceneSnapshot {
        self.snapshot
    }

    /// Returns the number of triangles and shapes that rays may hit, each as often as it is placed.
    pub fn primitive_count(self) -> usize {
        let triangles = self.snapshot.triangle_count();
        triangles.saturating_add(self.snapshot.shape_count())
    }

    /// Returns the box around everything, rounded to `f32`; empty if there is nothing.
    pub fn bounds(self) -> Aabb {
        let Some(corners) = self.snapshot.bounds() else {
            return Aabb::EMPTY;
        };
        // The box is a little too large, which would show as a tiny number in place of 0.
        let size = corners.map(|p| p.abs().max_element());
        let least = f64::max(size[0], size[1]) / (1u64 << 40) as f64;
        let most = f64::from(f32::MAX);
        let rounded = |x: f64| match x.abs() < least {
            true => 0.0,
            false => x.clamp(-most, most) as f32,
        };
        let [min, max] = corners.map(|p| p.to_array().map(rounded));
        Aabb::try_new(min, max).unwrap_or(Aabb::EMPTY)
    }

    /// Returns the triangle of a hit in the world, with each coordinate rounded; `None` for a shape, and
    /// for a hit that is not one of this scene.
    pub fn triangle(self, hit: &SceneHit) -> Option<Triangle> {
        Some(self.snapshot.details(hit)?.triangle())
    }

    /// Returns the point and the normal of a ray's hit on a sphere or a box, in the world; `None` for a
    /// triangle.
    pub(crate) fn surface(self, ray: &Ray, hit: &SceneHit) -> Option<ShapeSurface> {
        let details = self.snapshot.shape_details(&Ray64::from(*ray), hit)?;
        Some(details.surface)
    }

    pub(crate) fn materials(self) -> Option<&'a dyn SceneMaterials> {
        self.materials
    }

    /// Calls a function with the corners of a box around each placement, in its own axes, until the work
    /// is cancelled.
    pub(crate) fn each_corner(
        self,
        watch: WorkWatch<'_>,
        visit: &mut dyn FnMut(Vec3),
    ) -> Result<(), Cancelled> {
        for (number, (_, placement)) in self.snapshot.placements().enumerate() {
            if number % CHECKED == 0 {
                watch.check()?;
            }
            let Some([min, max]) = object_bounds(placement.object()) else {
                continue;
            };
            let map = placement.matrix().to_affine();
            for corner in 0..8 {
                let pick = |axis: usize| [min, max][corner >> axis & 1][axis];
                let point = DVec3::new(pick(0), pick(1), pick(2));
                visit(map.transform_point3(point).as_vec3());
            }
        }
        Ok(())
    }
}

/// Returns the corners of a box around an object, in its own space.
fn object_bounds(object: &SceneObject) -> Option<[DVec3; 2]> {
    match object {
        SceneObject::Mesh(bvh) => {
            let bounds = bvh.bounds();
            (!bounds.is_empty()).then(|| [bounds.min(), bounds.max()].map(Vec3::as_dvec3))
        }
        SceneObject::Shapes(shapes) => shapes.bounds(),
        SceneObject::Scene(scene) => scene.bounds(),
        _ => None,
    }
}
