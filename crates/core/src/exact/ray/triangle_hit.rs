//! The exact test of one triangle.

use super::PreparedRay;
use crate::shapes::{Hit, PrimId, Ray, Side, Triangle};

impl Triangle {
    /// Returns the hit of the ray on the closed triangle, and the side that the ray comes from, as
    /// exact arithmetic on the given numbers would.
    ///
    /// Edges and corners belong to the triangle. A ray parallel to the triangle's plane misses,
    /// even one that lies in it; so does every ray when the triangle has no area or is not finite,
    /// and every undefined ray ([`Ray::check`]). The interval `t_min ..= t_max` is compared with
    /// the exact parameter. `prim` is the id in the hit.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{PrimId, Ray, Side, Triangle};
    /// let triangle = Triangle::new([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    /// let corner = Ray::new([0.0, 0.0, 3.0], [0.0, 0.0, -2.0]);
    /// let (hit, side) = triangle.exact_hit(&corner, PrimId::new(0).unwrap()).unwrap();
    /// assert_eq!((hit.t, hit.u, hit.v, side), (1.5, 0.0, 0.0, Side::Front));
    /// ```
    pub fn exact_hit(&self, ray: &Ray, prim: PrimId) -> Option<(Hit, Side)> {
        let question = PreparedRay::new(ray)?;
        let touch = question.touch(prim, self, f64::INFINITY)?;
        Some((question.hit(&touch), touch.side()))
    }
}
