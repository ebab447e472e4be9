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
//! Both are less than 2^-40 M. Numbers beyond the moderate ones, which no `f32` is, are brought near 1 first; what is
//! lost of the smallest is far less than that. A coordinate beyond those of all corners is that of the farthest: the
//! point is closer to the exact one then, and finite.

use super::prepared_sphere::Motion;
use crate::arithmetic::{
    Dyadic, ExactV3, V3, are_moderate, cross, exact_cross, exact_dot, exact_minus, far_scaled,
    larger, largest, minus, near_one, sqrt, triple, vector::dot,
};
use crate::exact::proximity::Feature;
use crate::shapes::{Coordinate, Triangle64};
use glam::DVec3;

/// 2^-45.
const NARROW: f64 = 128.0 * f64::EPSILON;

/// Returns the point of a feature that the sphere touches at a time, which is a number times 2 to a power: it may be
/// beyond `f64`.
pub(super) fn contact_point<C: Coordinate>(
    motion: &Motion,
    triangle: &Triangle64,
    feature: Feature,
    time: (f64, i32),
) -> C::Point {
    let corners = triangle.coordinates();
    let [a, b, c] = corners;
    let moved = motion.movement(time, 0);
    let (scaled, scale) = match are_moderate(&[a, b, c, motion.center, moved]) {
        true => (
            Touching {
                center: motion.center,
                moved,
                radius: motion.radius,
                corners,
            },
            1.0,
        ),
        false => Touching::near_one(motion, corners, time),
    };
    let point = match feature {
        Feature::Vertex(i) => corners[usize::from(i) % 3],
        Feature::Edge(i) => scaled.on_edge(i).map(|x| x / scale),
        Feature::Face => {
            let towards = unit_towards(motion.center, corners);
            scaled.on_face(towards).map(|x| x / scale)
        }
    };
    let [a, b, c] = triangle.corners();
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    // Zero is +0.
    let point = DVec3::from(point).max(low).min(high) + DVec3::ZERO;
    C::point(point.to_array().map(C::of))
}

impl Motion {
    /// Returns the movement up to a time, times 2 to a power.
    fn movement(&self, (time, exponent): (f64, i32), power: i32) -> V3 {
        let (velocity, scale) = near_one(self.velocity);
        let down = (scale.to_bits() >> 52) as i32 - 1023;
        velocity.map(|x| far_scaled(x * time, exponent + power - down))
    }
}

/// A sphere that touches a triangle: the centre at the start, the movement up to that time, and the rest.
struct Touching {
    center: V3,
    moved: V3,
    radius: f64,
    corners: [V3; 3],
}

impl Touching {
    /// Returns all numbers times a power of two, such that the largest is near 1, and that power.
    fn near_one(motion: &Motion, corners: [V3; 3], time: (f64, i32)) -> (Self, f64) {
        // Of a quarter of each, since a movement may be beyond the greatest number.
        let quarter = motion.movement(time, -2);
        let sizes = [corners[0], corners[1], corners[2], motion.center].map(|p| 0.25 * largest(p));
        let size = sizes.into_iter().fold(largest(quarter), larger);
        let (_, scale) = near_one([size; 3]);
        let scale = 0.25 * scale;
        let scaled = |v: V3| v.map(|x| x * scale);
        let touching = Touching {
            center: scaled(motion.center),
            moved: quarter.map(|x| x * scale * 4.0),
            radius: motion.radius * scale,
            corners: corners.map(scaled),
        };
        (touching, scale)
    }

    fn center_at_contact(&self) -> V3 {
        [0, 1, 2].map(|i: usize| self.center[i] + self.moved[i])
    }

    fn on_edge(&self, i: u8) -> V3 {
        let [a, b] = [i, i + 1].map(|i| self.corners[usize::from(i) % 3]);
        let (edge, from) = (minus(b, a), minus(self.center_at_contact(), a));
        // A short edge may be far less than 1.
        let (edge, scale) = near_one(edge);
        let share = match dot(from, edge) * scale / dot(edge, edge) {
            share if share > 0.0 => share.min(1.0),
            _ => 0.0, // also for an edge that is nothing beside the largest number
        };
        [0, 1, 2].map(|axis: usize| a[axis] + share * (edge[axis] / scale))
    }

    fn on_face(&self, towards: V3) -> V3 {
        let center = self.center_at_contact();
        [0, 1, 2].map(|axis: usize| center[axis] - self.radius * towards[axis])
    }
}

/// Returns about the unit normal on the side of the centre, which is not on the plane.
fn unit_towards(center: V3, [a, b, c]: [V3; 3]) -> V3 {
    let (e1, e2, from) = (minus(b, a), minus(c, a), minus(center, a));
    let normal = cross(e1, e2);
    let error = normal[0].error + normal[1].error + normal[2].error;
    let value = normal.map(|component| component.value);
    if are_moderate(&[a, b, c, center])
        && let Some(side) = triple(from, e1, e2).sign()
        && error <= NARROW * sqrt(dot(value, value))
    {
        return unit(value, side);
    }
    let normal = exact_cross(&exact_minus(b, a), &exact_minus(c, a));
    let height = exact_dot(&normal, &exact_minus(center, a));
    unit(beside_largest(&normal), height.sign())
}

/// Returns a vector times a power of two, such that no component is large.
fn beside_largest(v: &ExactV3) -> V3 {
    let parts = v.each_ref().map(Dyadic::to_f64_and_exponent);
    let sizes = parts.iter().filter(|(size, _)| *size != 0.0);
    let most = sizes.map(|(_, exponent)| *exponent).max().unwrap_or(0);
    parts.map(|(size, exponent)| far_scaled(size, exponent - most))
}

/// Returns a vector divided by its length, or the opposite one.
fn unit(v: V3, side: i32) -> V3 {
    let (v, _) = near_one(v);
    let length = sqrt(dot(v, v));
    v.map(|x| f64::from(side) * x / length)
}
