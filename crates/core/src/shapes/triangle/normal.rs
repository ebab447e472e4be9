//! Normals and sides of triangles.

use super::{Side, Triangle};
use crate::arithmetic::{
    Bounded, V3, cross, exact, exact_cross, exact_minus, exact_triple, minus, triple, unit, widen,
};
use glam::{DVec3, Vec3};

impl Triangle {
    /// Returns the unit normal: `(p1-p0) x (p2-p0)`, scaled to length 1. It points to the side from
    /// which the corners appear counter-clockwise.
    ///
    /// Each coordinate is the `f32` nearest to the exact one, ties to even, and zero is +0, even
    /// for slivers and triangles of any size. `None` when the triangle has no area
    /// ([`Triangle::is_degenerate`]) or is not finite.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::Triangle;
    /// let tiny = Triangle::new([0.0, 0.0, 0.0], [1e-40, 0.0, 0.0], [0.0, 1e-40, 0.0]);
    /// assert_eq!(tiny.normal(), Some([0.0, 0.0, 1.0].into()));
    /// ```
    pub fn normal(&self) -> Option<Vec3> {
        if !self.is_finite() {
            return None;
        }
        let [p0, p1, p2] = self.corners().map(widen);
        let normal = unit(cross(minus(p1, p0), minus(p2, p0)), || {
            exact_cross(&exact_minus(p1, p0), &exact_minus(p2, p0))
        });
        (normal != Vec3::ZERO).then_some(normal)
    }

    /// Returns the angles at the corners in radians, computed in `f64`, with the same bits everywhere.
    ///
    /// They are of no use for a triangle with a corner that is not finite; for one without area they are 0
    /// or pi, or nearly so, and 0 at a corner that is equal to another one.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::Triangle;
    /// let half_square = Triangle::new([0.0; 3], [1e38, 0.0, 0.0], [0.0, 1e38, 0.0]);
    /// let [right, half, other] = half_square.corner_angles();
    /// assert_eq!((right, half), (std::f64::consts::FRAC_PI_2, right / 2.0));
    /// assert_eq!(half, other);
    /// ```
    pub fn corner_angles(&self) -> [f64; 3] {
        let [a, b, c] = self.corners().map(Vec3::as_dvec3);
        let angle = |at: DVec3, to: DVec3, other: DVec3| {
            // No square overflows, and none of a length above 0 is 0.
            let (to, other) = (to - at, other - at);
            libm::atan2(to.cross(other).length(), to.dot(other))
        };
        [angle(a, b, c), angle(b, c, a), angle(c, a, b)]
    }

    /// Returns the side that a ray of this direction comes from, by the exact sign of `n . dir`.
    ///
    /// `None` when the direction is parallel to the plane, so that no such ray hits the triangle;
    /// when the triangle has no area; and when a number is not finite.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{Side, Triangle};
    /// let floor = Triangle::new([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    /// assert_eq!(floor.side([9.0, 0.0, -1e-30]), Some(Side::Front));
    /// assert_eq!(floor.side([9.0, 0.0, 1e-30]), Some(Side::Back));
    /// assert_eq!(floor.side([9.0, 0.0, 0.0]), None);
    /// ```
    pub fn side(&self, dir: impl Into<Vec3>) -> Option<Side> {
        self.side_seen(widen(dir.into()))
    }

    /// Returns the same for a direction in `f64`, of any size.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{Side, Triangle};
    /// let slope = Triangle::new([0.0, 0.0, 0.0], [3.0, 0.0, 1.0], [0.0, 3.0, 1.0]);
    /// assert_eq!(slope.side_64([1.0, 2.0, 1.0]), None);
    /// assert_eq!(slope.side_64([1.0, 2.0, 1.0 - f64::EPSILON]), Some(Side::Front));
    /// assert_eq!(slope.side_64([0.0, 0.0, 5e-324]), Some(Side::Back));
    /// ```
    pub fn side_64(&self, dir: impl Into<DVec3>) -> Option<Side> {
        self.side_seen(dir.into().to_array())
    }

    fn side_seen(&self, dir: V3) -> Option<Side> {
        // Products of edges are multiples of 2^-351: nothing underflows that is multiplied by more than this.
        const LEAST: f64 = 1e-180;
        let [p0, p1, p2] = self.corners().map(widen);
        let is_plain = dir.iter().all(|x| x.abs() >= LEAST || *x == 0.0);
        let along = is_plain.then(|| triple(dir, minus(p1, p0), minus(p2, p0)));
        let sign = match along.and_then(Bounded::sign) {
            Some(sign) => sign,
            None if self.is_finite() && dir.iter().all(|x| x.is_finite()) => {
                let edges = (exact_minus(p1, p0), exact_minus(p2, p0));
                exact_triple(&exact(dir), &edges.0, &edges.1).sign()
            }
            None => 0,
        };
        match sign {
            -1 => Some(Side::Front),
            1 => Some(Side::Back),
            _ => None,
        }
    }
}
