//! The hit that queries return.

use crate::arithmetic::{V3, minus, widen};
use crate::shapes::{PrimId, Triangle, Triangle64};
use glam::{DVec3, Vec3};

/// One triangle hit by a ray. Its numbers are `f32`s, those of a hit on a triangle in `f64` `f64`s.
///
/// `t`, `u` and `v` are the numbers of that type nearest to the exact values, ties to even; zero is +0. They are results only;
/// no decision is made with them. Two hits with the same `t` may differ in their exact parameter,
/// so a `Hit` alone has no order: only the query that returned it orders it (see
/// [`RayQuery::all_hits`](crate::RayQuery::all_hits)).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hit<C = f32> {
    /// The parameter along the ray, in units of the direction's length: the hit point is
    /// `origin + t * dir`. Infinite when the exact value overflows; it is still a hit.
    pub t: C,
    /// Weight of the triangle's second vertex: `p = (1-u-v) p0 + u p1 + v p2`.
    pub u: C,
    /// Weight of the triangle's third vertex.
    pub v: C,
    /// The triangle.
    pub prim: PrimId,
}

const _: () = assert!(size_of::<Option<Hit>>() == 16);

impl Hit {
    /// Returns the point of the triangle that was hit: `p0 + u (p1-p0) + v (p2-p0)`, computed in
    /// `f64` and rounded once.
    ///
    /// Each coordinate is within half a unit in the last place, plus
    /// `2^-50 (|p0| + |u (p1-p0)| + |v (p2-p0)|)` in the same coordinate, of that formula. `u` and
    /// `v` are rounded themselves, which moves the point in the triangle's plane by at most
    /// `2^-24 (|u (p1-p0)| + |v (p2-p0)|)` for weights that are not subnormal. The error does not
    /// depend on the distance of the ray's origin, unlike that of [`Ray::at`](crate::Ray::at),
    /// which grows with `t`.
    ///
    /// `triangle` must be the one that [`prim`](Hit::prim) names. If a corner is not finite, the
    /// point is not finite either.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{PrimId, Ray, Triangle};
    /// let triangle = Triangle::new([0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 1.0]);
    /// let far = Ray::new([1.0, 2.0, 1e8], [0.0, 0.0, -1.0]);
    /// let (hit, _) = triangle.exact_hit(&far, PrimId::new(0).unwrap()).unwrap();
    /// assert_eq!(hit.point(&triangle), [1.0, 2.0, 1.0].into());
    /// ```
    pub fn point(&self, triangle: &Triangle) -> Vec3 {
        // Adding 0 turns -0 into +0.
        Vec3::from_array(self.wide_point(triangle).map(|x| x as f32 + 0.0))
    }

    /// Returns the point before it is rounded to `f32`.
    ///
    /// With v = 2^-53: a difference is rounded once, its product with a weight twice, and the sum
    /// of two such products three times, so the sum is off by at most 3v of their sizes and the
    /// last sum by v of its own. To first order together `v |p0| + 4v (|u e1| + |v e2|)`. Nothing
    /// underflows: no product is below 2^-149^2.
    pub(crate) fn wide_point(&self, triangle: &Triangle) -> V3 {
        let [p0, p1, p2] = triangle.corners().map(widen);
        let (e1, e2) = (minus(p1, p0), minus(p2, p0));
        let (u, v) = (f64::from(self.u), f64::from(self.v));
        core::array::from_fn(|i| p0[i] + (u * e1[i] + v * e2[i]))
    }
}

impl Hit<f64> {
    /// Returns the point of the triangle that was hit, `p0 + u (p1-p0) + v (p2-p0)`, computed in `f64`.
    ///
    /// Each coordinate is within `2^-50 (|p0| + |u (p1-p0)| + |v (p2-p0)|)` in the same coordinate of that
    /// formula, and next to a subnormal number within a few of them. `triangle` must be the one that
    /// [`prim`](Hit::prim) names.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{Hit, PrimId, Triangle64};
    /// let wall = Triangle64::new([5.2e6, 0.0, 0.0], [5.2e6, 1e308, 0.0], [5.2e6, -1e308, 1.0]);
    /// let hit = Hit { t: 1.0_f64, u: 0.5, v: 0.25, prim: PrimId::new(0).unwrap() };
    /// assert_eq!(hit.point(&wall).to_array(), [5.2e6, 0.25e308, 0.25]);
    /// ```
    pub fn point(&self, triangle: &Triangle64) -> DVec3 {
        let [p0, p1, p2] = triangle.corners();
        // Halved, since the difference of two corners may overflow; their mean does not.
        let (e1, e2) = (0.5 * p1 - 0.5 * p0, 0.5 * p2 - 0.5 * p0);
        let moved = self.u * e1 + self.v * e2;
        // Adding 0 turns -0 into +0.
        (0.5 * p0 + moved) * 2.0 + DVec3::ZERO
    }
}
