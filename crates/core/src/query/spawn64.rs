//! Rays in `f64` that leave a surface at a hit point, without an offset.

use crate::arithmetic::{exact_cross, exact_dot, exact_minus};
use crate::collect::QueryOptions;
use crate::shapes::{Hit, Ray64, Side, Triangle64};
use glam::DVec3;

impl Hit<f64> {
    /// Returns a ray from the hit point into `dir` that does not hit the triangle that it leaves, and the options to
    /// query with, as the method of a hit in `f32` does.
    ///
    /// The origin is what `point` returns, unless that is beyond the plane of the triangle, exactly, as
    /// seen from where `dir` leads: then each coordinate is moved, by at most
    /// `2^-48 (|p0| + |u (p1-p0)| + |v (p2-p0)|)` and a few subnormal numbers, so that the origin is not beyond it.
    /// `t_min` is the smallest `f64` above zero.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{Hit, PrimId, Triangle64};
    /// let wall = Triangle64::new([5.2e6, 0.1, 0.0], [5.2e6 + 0.1, 1.0, 0.0], [5.2e6, 0.2, 1.0]);
    /// let hit = Hit { t: 1.0_f64, u: 0.3, v: 0.3, prim: PrimId::new(0).unwrap() };
    /// let (ray, options) = hit.spawn_ray(&wall, [1.0, 0.0, 0.0]);
    /// assert!((ray.origin - hit.point(&wall)).abs().max_element() < 1e-7);
    /// assert_eq!(options.skip(None), Default::default());
    /// ```
    pub fn spawn_ray(&self, triangle: &Triangle64, dir: impl Into<DVec3>) -> (Ray64, QueryOptions) {
        const ABOVE_ZERO: f64 = f64::from_bits(1);
        let (point, dir) = (self.point(triangle), dir.into());
        let origin = match triangle.side(dir) {
            Some(side) if point.is_finite() => self.point_before(triangle, side, point),
            _ => point,
        };
        let ray = Ray64::new(origin, dir).with_interval(ABOVE_ZERO, f64::INFINITY);
        (ray, QueryOptions::new().skip(Some(self.prim)))
    }

    /// Returns the point, moved if it is beyond the plane for rays with a direction that sees this side.
    fn point_before(&self, triangle: &Triangle64, side: Side, point: DVec3) -> DVec3 {
        let side_sign = match side {
            Side::Front => -1,
            Side::Back => 1,
        };
        let [p0, p1, p2] = triangle.coordinates();
        let normal = exact_cross(&exact_minus(p1, p0), &exact_minus(p2, p0));
        let height = exact_dot(&normal, &exact_minus(point.to_array(), p0));
        if height.sign() * side_sign >= 0 {
            return point;
        }
        // The point is off by at most 2^-51 of the sizes of the terms. Moved by twice that, no coordinate is on the wrong
        // side of the exact one, so no term of `n . (origin - p0)` has the wrong sign. Halved, differences do not
        // overflow.
        const SHARE: f64 = 8.0 * f64::EPSILON;
        const SUBNORMAL: f64 = f64::from_bits(16);
        let [a, b, c] = triangle.corners().map(|corner| 0.5 * corner);
        let edges = (self.u * (b - a)).abs() * SHARE + (self.v * (c - a)).abs() * SHARE;
        let error = a.abs() * SHARE + edges + DVec3::splat(SUBNORMAL);
        let towards = normal.map(|x| f64::from(side_sign * x.sign()));
        let moved = point + DVec3::from_array(towards) * error;
        moved.clamp(DVec3::splat(-f64::MAX), DVec3::splat(f64::MAX))
    }
}

#[cfg(all(test, feature = "repository-tests"))]
mod tests {
    use super::*;
    use crate::shapes::PrimId;
    use estoc_testkit::generate::Rng;

    #[test]
    fn no_origin_is_beyond_the_plane() {
        const SEED: u64 = 11;
        let mut rng = Rng::named(SEED, "spawned rays in f64");
        let (mut moved, mut seen) = (0, 0);
        for round in 0..40_000 {
            let scale = [1.0, 5.2e6, 1e-300, 1e300, 1e308, 3e-323][round % 6];
            let number = |rng: &mut Rng| scale * (0.5 + f64::from(rng.signed()) / 3.0);
            let [p0, p1, p2] = [(); 3].map(|()| DVec3::from([(); 3].map(|()| number(&mut rng))));
            let triangle = Triangle64::new(p0, p1, p2);
            let u = f64::from(rng.signed().abs());
            let v = (1.0 - u) * f64::from(rng.signed().abs());
            let (t, prim) = (1.0, PrimId::MAX);
            let hit = Hit { t, u, v, prim };
            let dir = rng.point().as_dvec3();
            let Some(side) = triangle.side(dir) else {
                continue;
            };
            let (ray, options) = hit.spawn_ray(&triangle, dir);
            assert_eq!(options, QueryOptions::new().skip(Some(prim)));
            let [a, b, c] = triangle.coordinates();
            let normal = exact_cross(&exact_minus(b, a), &exact_minus(c, a));
            let height = exact_dot(&normal, &exact_minus(ray.origin.to_array(), a)).sign();
            let wrong = if side == Side::Front { 1 } else { -1 };
            assert_ne!(height, wrong, "{hit:?} {triangle:?} {dir}");
            let off = (ray.origin - hit.point(&triangle)).abs().max_element();
            assert!(
                off <= scale * 2f64.powi(-46) + f64::from_bits(64),
                "{off} of {scale}"
            );
            moved += u32::from(off > 0.0);
            seen += 1;
        }
        assert!(seen > 20_000 && moved > seen / 5, "{moved} of {seen}");
    }
}
