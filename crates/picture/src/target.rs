//! What pictures show: a scene, or a mesh as a scene of it alone.

use crate::watch::{CHECKED, WorkCancelled, WorkWatch};
use estoc::engine::MeshEngine;
use estoc::glam::{DVec3, Vec3};
use estoc::io::TreeFile;
use estoc::mesh::Material;
use estoc::scene::{
    Ray64, SceneHit, SceneObject, ScenePath, ScenePrim, SceneSnapshot, ShapeSurface,
};
use estoc::{Aabb, Bvh, Hit, Mesh, PrimId, Ray, Triangle};

/// What is known of the triangles of a mesh, beside its tree.
pub trait TargetMesh: Sync {
    /// Returns the smallest box around all triangles, empty if there are none.
    fn bounds(&self) -> Aabb;

    /// Returns a triangle; `None` if there is none of this id.
    fn triangle(&self, prim: PrimId) -> Option<Triangle>;

    /// Returns the materials.
    fn materials(&self) -> &[Material];

    /// Returns the material of a triangle; `None` if it has none, and if there is none of this id.
    fn material_of(&self, prim: PrimId) -> Option<&Material>;
}

impl TargetMesh for Mesh {
    fn bounds(&self) -> Aabb {
        self.bounds()
    }

    fn triangle(&self, prim: PrimId) -> Option<Triangle> {
        self.triangle(prim)
    }

    fn materials(&self) -> &[Material] {
        self.materials()
    }

    fn material_of(&self, prim: PrimId) -> Option<&Material> {
        self.material_of(prim)
    }
}

impl TargetMesh for TreeFile {
    fn bounds(&self) -> Aabb {
        self.facts().bounds
    }

    fn triangle(&self, prim: PrimId) -> Option<Triangle> {
        self.bvh().triangle(prim)
    }

    fn materials(&self) -> &[Material] {
        self.materials()
    }

    fn material_of(&self, prim: PrimId) -> Option<&Material> {
        self.material_of(prim)
    }
}

/// The materials of the meshes of a scene.
pub trait SceneMaterials: Sync {
    /// Returns the number of meshes.
    fn mesh_count(&self) -> usize;

    /// Returns the materials of a mesh, by its number from 0; none if there is no such mesh.
    fn materials(&self, mesh: usize) -> &[Material];

    /// Returns the number of the mesh that is hit, and the material there; `None` if there is none.
    fn material_of(&self, hit: &SceneHit) -> Option<(usize, &Material)>;
}

/// Those of a mesh in a scene of it alone.
impl SceneMaterials for Mesh<f64> {
    fn mesh_count(&self) -> usize {
        1
    }

    fn materials(&self, _: usize) -> &[Material] {
        self.materials()
    }

    fn material_of(&self, hit: &SceneHit) -> Option<(usize, &Material)> {
        Some((0, self.material_of(hit.prim)?))
    }
}

/// What a picture shows: a scene, or one mesh, which is asked as a scene of it alone
/// ([`SceneSnapshot::of_mesh`]).
#[derive(Clone, Copy)]
pub struct Target<'a> {
    world: &'a SceneSnapshot,
    known: Known<'a>,
    engine: Option<&'a (dyn MeshEngine + Sync)>,
}

/// What is known of a target beside its trees. Where pictures of a mesh and those of a scene differ, they
/// do so by this.
#[derive(Clone, Copy)]
enum Known<'a> {
    Scene(Option<&'a dyn SceneMaterials>),
    Mesh(&'a dyn TargetMesh),
    /// In a scene that has it alone.
    PlacedMesh(Option<&'a dyn SceneMaterials>),
}

impl<'a> Target<'a> {
    /// Creates a target of a scene without materials.
    pub fn scene(world: &'a SceneSnapshot) -> Self {
        Target::of(world, Known::Scene(None))
    }

    /// Sets the materials of the meshes of a scene, or of a placed mesh; has no effect on one that knows
    /// its own.
    pub fn with_materials(self, materials: &'a dyn SceneMaterials) -> Self {
        let known = match self.known {
            Known::Scene(_) => Known::Scene(Some(materials)),
            Known::PlacedMesh(_) => Known::PlacedMesh(Some(materials)),
            Known::Mesh(mesh) => Known::Mesh(mesh),
        };
        Target { known, ..self }
    }

    /// Creates a target of a mesh and the scene of its tree alone. With another scene, pictures are wrong,
    /// and nothing else happens.
    pub fn mesh(world: &'a SceneSnapshot, mesh: &'a dyn TargetMesh) -> Self {
        Target::of(world, Known::Mesh(mesh))
    }

    /// Creates a target of a mesh in `f64` that is the only placement of a scene, such as one that moves it near
    /// 0, where the `f32`s of rays are fine. Pictures show it as they show any mesh, with rounded corners. It has
    /// no materials.
    pub fn placed_mesh(world: &'a SceneSnapshot) -> Self {
        Target::of(world, Known::PlacedMesh(None))
    }

    fn of(world: &'a SceneSnapshot, known: Known<'a>) -> Self {
        Target {
            world,
            known,
            engine: None,
        }
    }

    /// Sets another engine over the same triangles of a mesh, which [`Paint`](crate::Paint) asks where it has many
    /// rays at a time, such as one on a device; has no effect on a scene and on a placed mesh.
    pub fn with_engine(self, engine: &'a (dyn MeshEngine + Sync)) -> Self {
        let engine = self.bvh().is_some().then_some(engine);
        Target { engine, ..self }
    }

    /// Returns the other engine that is asked about many rays at a time.
    pub(crate) fn engine(self) -> Option<&'a (dyn MeshEngine + Sync)> {
        self.engine
    }

    /// Returns what answers queries. Hits on a mesh are on its only placement.
    pub fn world(self) -> &'a SceneSnapshot {
        self.world
    }

    /// Returns whether this is a scene, and no mesh.
    pub fn is_scene(self) -> bool {
        matches!(self.known, Known::Scene(_))
    }

    /// Returns the tree of the mesh; `None` for a scene and for a placed mesh.
    pub fn bvh(self) -> Option<&'a Bvh> {
        match self.known {
            Known::Scene(_) | Known::PlacedMesh(_) => None,
            Known::Mesh(_) => self.world.sole().map(|(_, bvh)| bvh),
        }
    }

    /// Returns a box around everything, empty if there is nothing; that of what is placed is rounded to `f32`.
    pub fn bounds(self) -> Aabb {
        match self.known {
            Known::Scene(_) | Known::PlacedMesh(_) => rounded_bounds(self.world),
            Known::Mesh(mesh) => mesh.bounds(),
        }
    }

    /// Returns the number of triangles, and of spheres and boxes, each counted as often as it is placed.
    pub fn primitive_count(self) -> usize {
        let triangles = self.world.triangle_count();
        triangles.saturating_add(self.world.shape_count())
    }

    /// Returns the triangle of a hit in the world, where it is placed with rounded corners; `None` for a
    /// shape, and for a hit that is not one of this target.
    pub fn triangle(self, hit: &SceneHit) -> Option<Triangle> {
        match self.known {
            Known::Scene(_) | Known::PlacedMesh(_) => Some(self.world.details(hit)?.triangle()),
            Known::Mesh(mesh) => mesh.triangle(hit.prim),
        }
    }

    /// Returns what a triangle of the mesh is as one of the world; `None` for a scene.
    pub(crate) fn id(self, prim: PrimId) -> Option<ScenePrim> {
        let (number, _) = self
            .world
            .placements()
            .next()
            .filter(|_| !self.is_scene())?;
        Some(ScenePrim::triangle(ScenePath::ROOT.then(number)?, prim))
    }

    /// Returns a hit on the mesh as one of the world; `None` for a scene and for a placed mesh.
    pub(crate) fn placed(self, hit: Hit) -> Option<SceneHit> {
        let (path, _) = self.world.sole()?;
        Some(SceneHit::triangle(path, hit))
    }

    /// Returns a triangle of the mesh; `None` for a scene.
    fn triangle_of_mesh(self, prim: PrimId) -> Option<Triangle> {
        match self.known {
            Known::Scene(_) => None,
            Known::Mesh(mesh) => mesh.triangle(prim),
            Known::PlacedMesh(_) => {
                let (_, placement) = self.world.placements().next()?;
                let SceneObject::Mesh64(bvh) = placement.object() else {
                    return None;
                };
                let map = placement.matrix().to_affine();
                let corners = bvh.triangle(prim)?.corners();
                let [a, b, c] = corners.map(|corner| map.transform_point3(corner).as_vec3());
                Some(Triangle::new(a, b, c))
            }
        }
    }

    /// Calls a function with all triangles of the mesh, in the order of their ids, until the work is
    /// cancelled.
    pub(crate) fn each_triangle(
        self,
        watch: WorkWatch<'_>,
        mut visit: impl FnMut(Triangle),
    ) -> Result<(), WorkCancelled> {
        if self.is_scene() {
            return Ok(());
        }
        for number in 0..self.primitive_count() {
            if number % CHECKED == 0 {
                watch.check()?;
            }
            let prim = PrimId::from_index(number);
            if let Some(triangle) = prim.and_then(|prim| self.triangle_of_mesh(prim)) {
                visit(triangle);
            }
        }
        Ok(())
    }

    /// Calls a function with points whose hull holds everything, until the work is cancelled: all corners
    /// of a mesh, and of a scene those of a box around each placement, in its own axes.
    pub(crate) fn each_corner(
        self,
        watch: WorkWatch<'_>,
        visit: &mut dyn FnMut(Vec3),
    ) -> Result<(), WorkCancelled> {
        if !self.is_scene() {
            return self.each_triangle(watch, |triangle| {
                triangle.corners().into_iter().for_each(&mut *visit);
            });
        }
        for (number, (_, placement)) in self.world.placements().enumerate() {
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

    /// Returns the normal of the front of what the ray hits, of length 1; `None` if that has none, or if
    /// the hit is not one of this target.
    pub fn normal(self, ray: &Ray, hit: &SceneHit) -> Option<Vec3> {
        match self.known {
            Known::Mesh(_) => self.triangle(hit)?.normal(),
            _ if hit.end.is_some() => Some(self.surface(ray, hit)?.normal),
            _ => Some(self.world.details(hit)?.normal),
        }
    }

    /// Returns a ray that leaves what a ray hits, on the side of `dir`.
    pub(crate) fn leave(self, ray: &Ray, hit: &SceneHit, dir: Vec3) -> Option<Ray> {
        if hit.end.is_none() {
            return Some(hit.hit().spawn_ray(&self.triangle(hit)?, dir).0);
        }
        let surface = self.surface(ray, hit)?;
        // As far from the surface as the point may be off it by the rounding to `f32`.
        let step = surface.point.abs().max_element().max(f64::from(hit.t)) / f64::from(1 << 20);
        let side = f64::from(surface.normal.dot(dir)).signum();
        let from = surface.point + side * step * surface.normal.as_dvec3();
        Some(Ray::new(from.as_vec3(), dir))
    }

    /// Returns the point and the normal of a ray's hit on a sphere or a box, in the world; `None` for a
    /// triangle.
    fn surface(self, ray: &Ray, hit: &SceneHit) -> Option<ShapeSurface> {
        let details = self.world.shape_details(&Ray64::from(*ray), hit)?;
        Some(details.surface)
    }

    /// Returns whether there are materials.
    pub fn has_materials(self) -> bool {
        (0..self.mesh_count()).any(|mesh| !self.materials(mesh).is_empty())
    }

    /// Returns the number of meshes that may have materials.
    pub(crate) fn mesh_count(self) -> usize {
        match self.known {
            Known::Scene(meshes) | Known::PlacedMesh(meshes) => {
                meshes.map_or(0, SceneMaterials::mesh_count)
            }
            Known::Mesh(_) => 1,
        }
    }

    /// Returns the materials of the mesh of this number.
    pub(crate) fn materials(self, mesh: usize) -> &'a [Material] {
        match self.known {
            Known::Scene(meshes) | Known::PlacedMesh(meshes) => {
                meshes.map_or(&[], |meshes| meshes.materials(mesh))
            }
            Known::Mesh(mesh) => mesh.materials(),
        }
    }

    /// Returns the number of the mesh that is hit, and the material there.
    pub(crate) fn material_of(self, hit: &SceneHit) -> Option<(usize, &'a Material)> {
        match self.known {
            Known::Scene(meshes) | Known::PlacedMesh(meshes) => meshes?.material_of(hit),
            Known::Mesh(mesh) => Some((0, mesh.material_of(hit.prim)?)),
        }
    }
}

/// Returns the box around a scene, rounded to `f32`; empty if there is nothing.
fn rounded_bounds(world: &SceneSnapshot) -> Aabb {
    let Some(corners) = world.bounds() else {
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

/// Returns the corners of a box around an object, in its own space.
fn object_bounds(object: &SceneObject) -> Option<[DVec3; 2]> {
    match object {
        SceneObject::Mesh(bvh) => {
            let bounds = bvh.bounds();
            (!bounds.is_empty()).then(|| [bounds.min(), bounds.max()].map(Vec3::as_dvec3))
        }
        SceneObject::Mesh64(bvh) => {
            let [min, max] = bvh.bounds();
            (min.x <= max.x).then_some([min, max])
        }
        SceneObject::Shapes(shapes) => shapes.bounds(),
        SceneObject::Scene(scene) => scene.bounds(),
        _ => None,
    }
}
