//! Which way a triangle faces.

use super::Triangle;
use crate::Side;
use crate::exact::polynomial::{
    exact, exact_cross, exact_minus, exact_triple, minus, triple, widen,
};
use glam::{DVec3, Vec3};

impl Triangle {
    /// The unit normal: `(p1-p0) x (p2-p0)`, scaled to length 1. It points to where the
    /// corners are seen counter-clockwise.
    ///
    /// Each coordinate is within 2^-24 of the exact one, for slivers and for triangles of any
    /// size too: where `f64` cancels, the cross product is computed exactly. `None` when the
    /// triangle has no area ([`Triangle::is_degenerate`]) or is not finite.
    ///
    /// ```
    /// use estoc_core::Triangle;
    /// let tiny = Triangle::new([0.0, 0.0, 0.0], [1e-40, 0.0, 0.0], [0.0, 1e-40, 0.0]);
    /// assert_eq!(tiny.normal(), Some([0.0, 0.0, 1.0].into()));
    /// ```
    pub fn normal(&self) -> Option<Vec3> {
        if !self.is_finite() {
            return None;
        }
        let [p0, p1, p2] = self.corners().map(widen);
        let (a, b) = (minus(p1, p0), minus(p2, p0));
        let mut normal = DVec3::ZERO;
        let mut sizes = DVec3::ZERO;
        for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            let (plus, minus) = (a[j] * b[k], a[k] * b[j]);
            normal[i] = plus - minus;
            sizes[i] = plus.abs() + minus.abs();
        }
        // Four roundings of 2^-53 each put a component off by less than 2^-50 of its sizes.
        // Up to 2^-30 of the longest component, that turns the normal by less than what is
        // left beside half a step of an f32 near 1, which is 2^-25.
        const TWENTY_BITS: f64 = (1 << 20) as f64;
        let certain = sizes.max_element() <= TWENTY_BITS * normal.abs().max_element();
        if !certain || normal == DVec3::ZERO {
            let cross = exact_cross(&exact_minus(p1, p0), &exact_minus(p2, p0));
            normal = DVec3::from_array(cross.map(|component| component.estimate()));
        }
        // Squares lie between 2^-298^2 and 2^260^2: nothing overflows or vanishes.
        (normal != DVec3::ZERO).then(|| normal.normalize().as_vec3())
    }

    /// The side that a ray of this direction comes from, by the exact sign of `n . dir`.
    ///
    /// `None` when the direction is parallel to the plane, so that no such ray hits the
    /// triangle; when the triangle has no area; and when a number is not finite.
    ///
    /// ```
    /// use estoc_core::{Side, Triangle};
    /// let floor = Triangle::new([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    /// assert_eq!(floor.side([9.0, 0.0, -1e-30]), Some(Side::Front));
    /// assert_eq!(floor.side([9.0, 0.0, 1e-30]), Some(Side::Back));
    /// assert_eq!(floor.side([9.0, 0.0, 0.0]), None);
    /// ```
    pub fn side(&self, dir: impl Into<Vec3>) -> Option<Side> {
        self.side_seen(dir.into())
    }

    fn side_seen(&self, dir: Vec3) -> Option<Side> {
        let [p0, p1, p2] = self.corners().map(widen);
        let along = triple(widen(dir), minus(p1, p0), minus(p2, p0));
        let sign = match along.sign() {
            Some(sign) => sign,
            None if self.is_finite() && dir.is_finite() => {
                let edges = (exact_minus(p1, p0), exact_minus(p2, p0));
                exact_triple(&exact(widen(dir)), &edges.0, &edges.1).sign()
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
