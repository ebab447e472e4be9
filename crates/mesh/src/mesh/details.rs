//! Details of a hit, computed on demand.

use estoc_core::glam::{DVec2, DVec3, Vec2, Vec3};
use estoc_core::{Coordinate, Hit, PrimId, QueryOptions, Ray, Side, Triangle};

use crate::mesh::Mesh;
use crate::mesh::material::Material;

/// Details of a hit on a mesh; made by [`Mesh::details`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct HitDetails<'a> {
    /// The primitive that was hit.
    pub prim: PrimId,
    /// The triangle of this primitive, relative to the [origin](Mesh::origin).
    pub triangle: Triangle,
    /// The hit point, relative to the [origin](Mesh::origin) and within rounding of the triangle however far away
    /// the ray started; [`Hit::point`] states the bound.
    pub point: Vec3,
    /// The hit point in the coordinates of the file: the [origin](Mesh::origin) plus
    /// `p0 + u (p1-p0) + v (p2-p0)`, computed in `f64` without rounding to `f32` between.
    ///
    /// Each coordinate is within half a unit in the last place, plus
    /// `2^-50 (|p0| + |u (p1-p0)| + |v (p2-p0)|)` in the same coordinate, of that formula. `u` and `v`
    /// are rounded themselves, as [`Hit::point`] says.
    pub world_point: DVec3,
    /// The unit normal of the triangle, on the side from which its corners are counter-clockwise;
    /// each coordinate is the nearest `f32` ([`Triangle::normal`]).
    pub normal: Vec3,
    /// The normals of the source at the three corners, weighted by `1-u-v`, `u` and `v` and scaled
    /// to length 1; computed in `f64` and rounded once. It may point to the opposite side of
    /// `normal`, depending on the source. `None` if a corner has no normal that is finite
    /// ([`Mesh::corner_normals`]), or if they cancel.
    pub shading_normal: Option<Vec3>,
    /// The texture coordinates of the corners with the same weights; computed in `f64` and rounded
    /// once. `None` if a corner has none that are finite ([`Mesh::corner_texcoords`]).
    pub texcoord: Option<Vec2>,
    /// The zero-based index of the face in the source ([`Mesh::face_of`]).
    pub face: u64,
    /// The one-based line of the face in the file ([`Mesh::line_of`]).
    pub line: Option<u64>,
    /// The name of the face's object, if any.
    #[doc(alias = "geom_id")]
    #[doc(alias = "geometry_id")]
    pub object: Option<&'a str>,
    /// The name of the face's group, if any.
    pub group: Option<&'a str>,
    /// The material of the face, if it has one.
    pub material: Option<&'a Material>,
    hit: Hit,
    /// Whether the front is the side from which the corners are clockwise, as in a scene.
    pub(crate) is_reversed: bool,
}

impl HitDetails<'_> {
    /// Returns the side that this ray comes from, by the exact sign of `n . dir`; `None` for a
    /// direction that is parallel to the triangle or not finite ([`Triangle::side`]).
    pub fn side(&self, ray: &Ray) -> Option<Side> {
        let side = self.triangle.side(ray.dir)?;
        Some(match (side, self.is_reversed) {
            (side, false) => side,
            (Side::Front, true) => Side::Back,
            (Side::Back, true) => Side::Front,
        })
    }

    /// Returns a ray that leaves the surface at this hit, and the options to cast it with, as
    /// [`Hit::spawn_ray`] does.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_core::*, estoc_mesh::*}; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, Mesh, Ray, RayQuery, query::Any};
    /// let corners = [[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let solid = Mesh::try_new(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let engine = BruteForce::new(solid.triangles().collect::<Vec<_>>());
    /// let hit = engine.closest_hit(&Ray::new([3.0, 0.1, 0.2], [-1.0, 0.0, 0.0])).unwrap();
    /// let place = solid.details(&hit).unwrap();
    /// let (outwards, options) = place.spawn_ray(place.normal);
    /// assert!(!engine.ask_with(Any, &outwards, &options)?);
    /// let (inwards, options) = place.spawn_ray(-place.normal);
    /// assert!(engine.ask_with(Any, &inwards, &options)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spawn_ray(&self, dir: impl Into<Vec3>) -> (Ray, QueryOptions) {
        self.hit.spawn_ray(&self.triangle, dir)
    }
}

impl Mesh {
    /// Returns the details of a hit on this mesh.
    ///
    /// Returns `None` if the hit cannot be one of this mesh: the triangle does not exist or has no
    /// area, or the weights `1-u-v`, `u` and `v` are not between 0 and 1.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_core::*, estoc_mesh::*}; pub mod io { pub use estoc_mesh::*; } }
    /// use estoc::{BruteForce, Ray, RayQuery, Side, io::ObjLoader};
    /// let text = b"o flag\nv 0 0 0\nv 2 0 0\nv 0 2 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n";
    /// let mesh = ObjLoader::new().read(text, "flag.obj")?;
    /// let ray = Ray::new([0.5, 1.0, 9.0], [0.0, 0.0, -1.0]);
    /// let engine = BruteForce::new(mesh.triangles().collect::<Vec<_>>());
    /// let hit = engine.closest_hit(&ray).unwrap();
    /// let place = mesh.details(&hit).unwrap();
    /// assert_eq!(place.point, [0.5, 1.0, 0.0].into());
    /// assert_eq!(place.normal, [0.0, 0.0, 1.0].into());
    /// assert_eq!(place.texcoord, Some([0.25, 0.5].into()));
    /// assert_eq!(place.shading_normal, None); // the file has no normals
    /// assert_eq!((place.object, place.line), (Some("flag"), Some(8)));
    /// assert_eq!(place.side(&ray), Some(Side::Front));
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn details(&self, hit: &Hit) -> Option<HitDetails<'_>> {
        let of_triangle = details_of(hit, self.triangle(hit.prim)?, self.origin())?;
        with_attributes(self, of_triangle)
    }
}

/// Returns details with what a mesh tells of the face, and of normals and texture coordinates at its corners; `None`
/// if it has no such triangle.
pub fn with_attributes<'a, C: Coordinate>(
    mesh: &'a Mesh<C>,
    of_triangle: HitDetails<'a>,
) -> Option<HitDetails<'a>> {
    let HitDetails { prim, hit, .. } = of_triangle;
    let (u, v) = (f64::from(hit.u), f64::from(hit.v));
    let weights = [1.0 - u - v, u, v];
    let texcoord = mesh.corner_texcoords(prim).map(|corners| {
        let terms = [0, 1, 2].map(|i| weights[i] * corners[i].as_dvec2());
        terms.into_iter().sum::<DVec2>().as_vec2()
    });
    let shading_normal = mesh.corner_normals(prim).and_then(|corners| {
        let terms = [0, 1, 2].map(|i| weights[i] * corners[i].as_dvec3());
        unit_sum(terms)
    });
    Some(HitDetails {
        shading_normal,
        texcoord,
        face: mesh.face_of(prim)?,
        line: mesh.line_of(prim),
        object: mesh.object_of(prim),
        group: mesh.group_of(prim),
        material: mesh.material_of(prim),
        ..of_triangle
    })
}

/// Returns the details that follow from the triangle alone. Returns `None` if the hit cannot be one
/// of this triangle: it has no area, or the weights are not between 0 and 1. `origin` is that of the
/// mesh.
pub fn details_of<'a>(hit: &Hit, triangle: Triangle, origin: DVec3) -> Option<HitDetails<'a>> {
    let normal = triangle.normal()?;
    let (u, v) = (f64::from(hit.u), f64::from(hit.v));
    // If both were rounded up, their sum may exceed 1, by less than 2^-24.
    if !(u >= 0.0 && v >= 0.0 && u + v <= 1.0 + f64::from(f32::EPSILON) / 2.0) {
        return None;
    }
    Some(HitDetails {
        triangle,
        point: hit.point(&triangle),
        world_point: origin + wide_point(hit, &triangle),
        normal,
        ..blank_details(hit)
    })
}

/// Returns the details of a hit without what follows from the triangle: numbers are 0.
pub fn blank_details<'a>(hit: &Hit) -> HitDetails<'a> {
    HitDetails {
        prim: hit.prim,
        triangle: Triangle::new(Vec3::ZERO, Vec3::ZERO, Vec3::ZERO),
        point: Vec3::ZERO,
        world_point: DVec3::ZERO,
        normal: Vec3::ZERO,
        shading_normal: None,
        texcoord: None,
        face: hit.prim.index() as u64,
        line: None,
        object: None,
        group: None,
        material: None,
        hit: *hit,
        is_reversed: false,
    }
}

/// Returns the point that was hit before it is rounded to `f32`.
fn wide_point(hit: &Hit, triangle: &Triangle) -> DVec3 {
    let [a, b, c] = triangle.corners().map(Vec3::as_dvec3);
    a + (f64::from(hit.u) * (b - a) + f64::from(hit.v) * (c - a))
}

/// Returns the direction of a sum of three vectors, or `None` if they cancel.
fn unit_sum(terms: [DVec3; 3]) -> Option<Vec3> {
    let sum: DVec3 = terms.into_iter().sum();
    let size: f64 = terms.iter().map(|term| term.length()).sum();
    // Each coordinate has an error of less than four roundings, 2^-51 of the sizes. Below 2^-26 of
    // the sizes this would be visible in an f32; between opposite normals no direction is
    // meaningful.
    const CANCELLED: f64 = 1.0 / (1u64 << 26) as f64;
    // Adding 0 turns -0 into +0.
    (sum.length() > size * CANCELLED).then(|| sum.normalize().as_vec3() + Vec3::ZERO)
}
