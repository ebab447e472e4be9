//! The point of contact, in `f64`.
//!
//! Let v = 2^-53 and M the largest coordinate of the centre, of the movement `t velocity` and of the
//! triangle's corners. The time is within 2^-43 of itself, and the centre at that time has two more
//! roundings: it is within 2^-43 M + 5v M.
//!
//! - **Edges.** The foot is `a + s e` with `s = (w . e) / e^2` and `w` the centre relative to a. The
//!   length of w is at most 6 M, that of its error at most `2 * 2^-43 M`, and the projection onto
//!   the edge makes no error longer. Rounding e moves the foot by at most 2v times the distance from
//!   a, which is at most 4 M; the dot products, the quotient and the point itself have some ten
//!   roundings of numbers of at most 6 M: together less than `3 * 2^-43 M`.
//! - **Faces.** The foot is the centre at that time minus `r n / |n|`, towards the plane. The radius
//!   is at most the distance from a corner, 6 M. The direction is taken from `f64` where the normal
//!   is within 2^-45 of its length, and from exact numbers, rounded once, where it is not: it is off
//!   by at most 2^-44, and the foot by `6 * 2^-44 M` and the error of the centre.
//!
//! Both are less than 2^-40 M.

use super::prepared_sphere::Motion;
use crate::arithmetic::{
    Dyadic, V3, cross, exact_cross, exact_dot, exact_minus, minus, sqrt, triple, vector::dot, widen,
};
use crate::exact::proximity::Feature;
use crate::shapes::Triangle;
use glam::Vec3;

/// 2^-45.
const NARROW: f64 = 128.0 * f64::EPSILON;

/// Returns the point of a feature that the sphere touches at a time.
pub(super) fn contact_point(
    motion: &Motion,
    triangle: &Triangle,
    feature: Feature,
    time: f64,
) -> Vec3 {
    let corners = triangle.corners();
    let (center, velocity) = (motion.center, motion.velocity);
    let center: V3 = core::array::from_fn(|i| center[i] + time * velocity[i]);
    match feature {
        Feature::Vertex(i) => corners[usize::from(i) % 3] + Vec3::ZERO,
        Feature::Edge(i) => {
            let [a, b] = [i, i + 1].map(|i| widen(corners[usize::from(i) % 3]));
            let (edge, from) = (minus(b, a), minus(center, a));
            let share = (dot(from, edge) / dot(edge, edge)).clamp(0.0, 1.0);
            rounded(|axis| a[axis] + share * edge[axis])
        }
        Feature::Face => {
            let towards = unit_towards(motion.center, triangle);
            rounded(|axis| center[axis] - motion.radius * towards[axis])
        }
    }
}

/// Returns about the unit normal on the side of the centre, which is not on the plane.
fn unit_towards(center: V3, triangle: &Triangle) -> V3 {
    let [a, b, c] = triangle.corners().map(widen);
    let (e1, e2, from) = (minus(b, a), minus(c, a), minus(center, a));
    let normal = cross(e1, e2);
    let error = normal[0].error + normal[1].error + normal[2].error;
    let value = normal.map(|component| component.value);
    if let Some(side) = triple(from, e1, e2).sign()
        && error <= NARROW * sqrt(dot(value, value))
    {
        return unit(value, side);
    }
    let normal = exact_cross(&exact_minus(b, a), &exact_minus(c, a));
    let height = exact_dot(&normal, &exact_minus(center, a));
    unit(normal.each_ref().map(Dyadic::estimate), height.sign())
}

/// Returns a vector divided by its length, or the opposite one. Nothing underflows or overflows:
/// components that matter lie in 2^-298 ..= 2^260.
fn unit(v: V3, side: i32) -> V3 {
    let length = sqrt(dot(v, v));
    v.map(|x| f64::from(side) * x / length)
}

fn rounded(coordinate: impl Fn(usize) -> f64) -> Vec3 {
    // Zero is +0.
    Vec3::from_array([0, 1, 2].map(|axis| coordinate(axis) as f32 + 0.0))
}
