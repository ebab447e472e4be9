//! Thickness by the largest sphere that touches the surface from inside.

use super::SceneSnapshot;
use estoc_core::{
    AcceptHit, Engine, IdOf, PointQuery, QueryError, QueryOptions, Question, Ray64, RayQuery,
    ValueQuestion,
};
use std::borrow::Borrow;

/// The question for the thickness at a point of the surface, by the largest sphere: that which touches the
/// surface there, has its centre straight in, and no point of a triangle inside it. A scene is asked about a
/// [`Ray64`] that begins at the point and leads straight in, against the normal; its interval has no effect.
///
/// The answer is the diameter in the unit of the world, where the direction has any length; infinite where
/// no triangle is inwards of the point, and `None` for an undefined ray. Triangles alone count, as they do
/// for [`PointQuery`], whatever their masks. A mesh is asked as a scene of it alone
/// ([`SceneSnapshot::of_mesh`]), and many points by `Batch::ask_into`. Thickness along a ray
/// ([`RayQuery::closest_hit`]) jumps at edges and where the other side is oblique, and this does not.
///
/// The sphere shrinks until nothing is inside (Ma, Bae and Choi 2012, "3D medial axis point approximation
/// using nearest neighbors and the normal field"): from the half of what is straight in, it becomes
/// the one through the triangles' closest point to its centre, which is decided exactly, at most
/// [`STEPS`](Self::STEPS) times. What it becomes is computed in `f64`, with the same bits on every machine.
/// So the answer is an estimate, with two bounds:
/// - It is not below the largest sphere's diameter, by more than 2^-20 of that.
/// - No triangle has a point deeper inside the sphere than `slack` of its radius, 2^-21 of the greatest
///   coordinate of the point, which is what rounding it to `f32` may move it by, or 2^-45 of that of the
///   scene, whichever is most; unless the steps end before, which on usual meshes take a dozen.
///
/// ```
/// # mod estoc { pub use {estoc_bvh::*, estoc_core::*, estoc_mesh::*}; pub mod scene { pub use estoc_scene::*; } }
/// use estoc::{Bvh, Mesh, RayQuery, scene::{Ray64, SceneSnapshot, SphereThickness}};
/// let sheet = |z| [[-9.0, -9.0, z], [9.0, -9.0, z], [0.0, 9.0, z]];
/// let mesh = Mesh::try_new([sheet(0.0), sheet(2.0)].concat(), [[0, 2, 1], [3, 4, 5]])?;
/// let scene = SceneSnapshot::of_mesh(Bvh::build(&mesh))?;
/// let thickness = |inwards| scene.ask(SphereThickness::default(), &Ray64::new([0.0; 3], inwards));
/// assert_eq!(thickness([0.0, 0.0, 1.0]), Some(2.0));
/// assert_eq!(thickness([0.0, 0.0, -1.0]), Some(f64::INFINITY));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereThickness {
    /// How deep inside the sphere triangles may be, as a share of its radius. With 0, the facets of a round
    /// surface count as they are: near an edge that is bent inwards, the sphere is small.
    pub slack: f64,
}

impl SphereThickness {
    /// The largest number of steps.
    pub const STEPS: u32 = 100;
}

impl Default for SphereThickness {
    /// Returns the question with a slack of 1/64: facets that meet at up to 7 degrees count as round.
    fn default() -> Self {
        SphereThickness { slack: 1.0 / 64.0 }
    }
}

impl SphereThickness {
    fn diameter(self, scene: &SceneSnapshot, ray: &Ray64) -> Option<f64> {
        ray.check().ok()?;
        let point = ray.origin;
        let inward = (ray.dir / ray.dir.abs().max_element()).normalize();
        let Some([min, max]) = scene.bounds() else {
            return Some(f64::INFINITY);
        };
        let of_scene = min.abs().max(max.abs()).max_element() / (1_u64 << 45) as f64;
        let unseen = of_scene.max(point.abs().max_element() / f64::from(1 << 21));
        // How far inwards the closest point to the centre of a sphere is, the radius of the sphere through
        // it, and how deep inside the first sphere it is.
        let nearest = |radius: f64| {
            let center = point + radius * inward;
            let closest = scene.closest_point(center)?.point;
            let (to, distance) = (closest - point, closest.distance(center));
            let (height, square) = (to.dot(inward), to.length_squared());
            // r - distance = (r^2 - distance^2) / (r + distance), which does not cancel.
            let depth = (2.0 * radius * height - square) / (radius + distance);
            Some((height, 0.5 * square / height, depth))
        };
        // Behind what rounding may have left in front of the point.
        let start = ((2.0 * unseen) as f32).max(f32::from_bits(1));
        let ahead = Ray64::new(point, inward).with_interval(start.into(), f64::INFINITY);
        let hit = scene.closest_hit(&ahead);
        let mut radius = match hit.filter(|hit| hit.t.is_finite() && scene.details(hit).is_some()) {
            Some(hit) => 0.5 * f64::from(hit.t),
            None => {
                // The closest point to a centre far away is what is farthest inwards.
                let reach = (max - point).abs().max((min - point).abs()).length();
                match nearest(reach * f64::from(1 << 20)) {
                    Some((height, smaller, _)) if height > unseen => smaller,
                    _ => return Some(f64::INFINITY),
                }
            }
        };
        for _ in 0..Self::STEPS {
            let Some((_, smaller, depth)) = nearest(radius) else {
                break;
            };
            // Not so where a number is NaN.
            let is_inside = smaller < radius && depth > unseen.max(self.slack * smaller);
            if !is_inside {
                break;
            }
            radius = smaller;
        }
        Some(2.0 * radius)
    }
}

/// Of a scene, or what holds one.
impl<E: Engine + Borrow<SceneSnapshot> + ?Sized> Question<E, Ray64> for SphereThickness {
    type Answer = Option<f64>;

    fn ask(
        &self,
        engine: &E,
        ray: &Ray64,
        _: &QueryOptions<IdOf<E>>,
        _: Option<AcceptHit<'_, E, Ray64>>,
    ) -> Result<Option<f64>, QueryError> {
        Ok(self.diameter(engine.borrow(), ray))
    }
}

impl<E: Engine + Borrow<SceneSnapshot> + ?Sized> ValueQuestion<E, Ray64> for SphereThickness {}
