//! What a scene tells about a hit.

use super::{Placement, SceneSnapshot};
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{Engine, Hit, PlacedPrimitive, PlacedTriangle, SceneHit, Triangle};
use estoc_mesh::HitDetails;

/// Details of a hit in a scene; made by [`SceneSnapshot::details`].
///
/// What a mesh knows of its faces, such as objects, groups, materials and shading normals, is told by
/// [`Mesh::details`] for the [hit on the mesh alone](SceneHit::hit), and moved to the world by
/// [`in_world`](Self::in_world).
///
/// [`Mesh::details`]: estoc_mesh::Mesh::details
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SceneHitDetails<'a> {
    /// The hit.
    pub hit: SceneHit,
    /// The triangle with the matrix of all placements on its path.
    pub placed: PlacedTriangle,
    /// The hit point in the world, computed in `f64` from the corners, `u` and `v`: within a few
    /// roundings of the terms of its coordinates, `u` and `v` being rounded to `f32`. Infinite or NaN where
    /// such a term is beyond `f64`.
    pub world_point: DVec3,
    /// The unit normal of the triangle in the world ([`PlacedTriangle::normal`]).
    pub normal: Vec3,
    /// The placement of the mesh, the last one on the path. See
    /// [`placements_on`](SceneSnapshot::placements_on) for all.
    pub placement: &'a Placement,
}

impl SceneHitDetails<'_> {
    /// Returns the triangle in the world, with its corners computed in `f64` and rounded to the nearest
    /// `f32`s; infinite where they are beyond `f32`. [`placed`](Self::placed) is the triangle that was
    /// decided about.
    pub fn triangle(&self) -> Triangle {
        let map = self.placed.matrix.to_affine();
        let corners = self.placed.triangle.corners();
        let [a, b, c] = corners.map(|p| map.transform_point3(p).as_vec3());
        Triangle::new(a, b, c)
    }

    /// Moves what the mesh tells of this hit to the world:
    /// [`triangle`](Self::triangle), `point`, `world_point`, `normal` and `shading_normal`. All else is as it was:
    /// the names of object and group, the material, face and line.
    ///
    /// `normal` is that of the scene, which honours reversed placements; `shading_normal` is not turned by
    /// them. [`HitDetails::side`] of the answer honours them too, but has the rounded triangle: where a ray
    /// is nearly parallel to that, only a query of the scene that culls a side tells the exact one.
    /// [`HitDetails::spawn_ray`] is of that triangle too, and skips its id in every placement.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_core::*}; pub mod io { pub use estoc_mesh::*; } pub mod scene { pub use {estoc_scene::*}; } }
    /// use estoc::glam::{DAffine3, DVec3};
    /// use estoc::{Bvh, Ray, RayQuery, io::ObjLoader, scene::{Placement, Scene}};
    /// let text = b"o house\ng roof\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    /// let mesh = ObjLoader::new().read(text, "house.obj")?;
    /// let mut scene = Scene::new();
    /// scene.add(Placement::try_new(Bvh::build(&mesh), &DAffine3::from_translation(DVec3::Z))?)?;
    /// let world = scene.commit();
    /// let hit = world.closest_hit(&Ray::new([0.25, 0.5, 3.0], [0.0, 0.0, -1.0])).expect("the roof");
    /// let of_mesh = mesh.details(&hit.hit()).expect("a hit of this mesh");
    /// let details = world.details(&hit).expect("a hit of this scene").in_world(of_mesh);
    /// assert_eq!((details.object, details.group), (Some("house"), Some("roof")));
    /// assert_eq!(details.point, [0.25, 0.5, 1.0].into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn in_world<'m>(&self, of_mesh: HitDetails<'m>) -> HitDetails<'m> {
        let mut details = estoc_mesh::parts::with_sides(of_mesh, self.placed.reversed);
        details.triangle = self.triangle();
        details.point = self.world_point.as_vec3();
        details.world_point = self.world_point;
        details.normal = self.normal;
        details.shading_normal =
            (of_mesh.shading_normal).and_then(|own| self.placed.matrix.normal_to_world(own));
        details
    }
}

impl SceneSnapshot {
    /// Returns the details of a hit in this scene. Returns `None` if the hit cannot be one of it: there is
    /// no such triangle, it has no area, or the weights `1-u-v`, `u` and `v` are not between 0 and 1; also
    /// for a hit on a shape, of which [`shape_details`](Self::shape_details) tells.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_core::*, estoc_mesh::*}; pub mod scene { pub use {estoc_scene::*}; } }
    /// use estoc::glam::{DAffine3, DVec3};
    /// use estoc::{Bvh, Mesh, Ray, RayQuery, scene::{Placement, Scene}};
    /// let sheet = Mesh::try_new([[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]])?;
    /// let raised = DAffine3::from_translation(DVec3::new(1e7, 0.0, 0.25));
    /// let mut scene = Scene::new();
    /// scene.add(Placement::try_new(Bvh::build(&sheet), &raised)?.name("roof").user_id(7))?;
    /// let world = scene.commit();
    /// let hit = world.closest_hit(&Ray::new([1e7, 0.5, 3.0], [0.0, 0.0, -1.0])).expect("the roof");
    /// let details = world.details(&hit).expect("a hit of this scene");
    /// assert_eq!(details.world_point, DVec3::new(1e7, 0.5, 0.25));
    /// assert_eq!(details.normal, [0.0, 0.0, 1.0].into());
    /// assert_eq!((details.placement.get_name(), details.placement.get_user_id()), (Some("roof"), 7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn details(&self, hit: &SceneHit) -> Option<SceneHitDetails<'_>> {
        let PlacedPrimitive::Triangle(placed) = self.primitive(hit.id())? else {
            return None;
        };
        let (u, v) = (f64::from(hit.u), f64::from(hit.v));
        // If both were rounded up, their sum may exceed 1, by less than 2^-24.
        if !(u >= 0.0 && v >= 0.0 && u + v <= 1.0 + f64::from(f32::EPSILON) / 2.0) {
            return None;
        }
        let (t, prim) = (f64::from(hit.t), hit.prim);
        let point = Hit { t, u, v, prim }.point(&placed.triangle);
        let mut placement = None;
        self.follow(hit.path, |on_path| placement = Some(on_path))?;
        Some(SceneHitDetails {
            hit: *hit,
            placed,
            world_point: placed.matrix.to_affine().transform_point3(point),
            normal: placed.normal()?,
            placement: placement?,
        })
    }
}
