//! Tests whether a point is on a triangle.

use super::meet::Plate;
use super::number::Vector;
use estoc_core::Triangle;
use estoc_core::glam::Vec3;
use num_bigint::BigInt;
use num_traits::Zero;

/// Returns whether the point lies in the closed triangle, which must have area.
///
/// With `s = point - p0`, the point is in the plane if `n.s = 0`; then `s = u e1 + v e2` with `u =
/// (s x e2).n / n.n` and `v = (e1 x s).n / n.n`.
pub(super) fn is_on(plate: &Plate, point: &Vector) -> bool {
    let n = &plate.n;
    let s = point.minus(&plate.p0);
    let whole = n.dot(n);
    let zero = BigInt::zero();
    if whole == zero || n.dot(&s) != zero {
        return false;
    }
    let u = s.cross(&plate.e2).dot(n);
    let v = plate.e1.cross(&s).dot(n);
    u >= zero && v >= zero && u + v <= whole
}

/// Returns whether the point lies in the triangle's bounding box; this only compares inputs, so it
/// is exact.
pub(super) fn is_in_bounds(triangle: &Triangle, point: Vec3) -> bool {
    (0..3).all(|axis| {
        let [a, b, c] = triangle.corners().map(|p| p[axis]);
        a.min(b).min(c) <= point[axis] && point[axis] <= a.max(b).max(c)
    })
}
