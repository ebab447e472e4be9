//! The first hit of a ray on a box, aligned or oriented.

use crate::arithmetic::{Bounded, Dyadic, Interval, Ratio, exact, round, unit, widen};
use crate::shapes::Ray;
use glam::Vec3;

/// The first hit of a ray on a solid box, as returned by [`Aabb::woo`](crate::Aabb::woo) and
/// [`Obb::hit`](crate::Obb::hit).
///
/// All numbers are the `f32` nearest to the exact value, ties to even; zero is +0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxHit {
    /// The parameter, in units of the direction's length; infinite when it overflows.
    pub t: f32,
    /// The exact point of the ray, rounded once; not `origin + t * dir` with the rounded `t`. It
    /// may lie off the box by half a unit in the last place. Coordinates that overflow are
    /// infinite.
    pub point: Vec3,
    /// A vector of length 1: the outward normal of the entered face, or, from inside, the reversed
    /// direction.
    pub normal: Vec3,
    /// The entered face; `None` when the ray starts in the box or on it.
    pub face: Option<BoxFace>,
}

/// One of the six faces of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoxFace {
    /// The axis of the box perpendicular to the face: 0, 1 or 2.
    pub axis: usize,
    /// Whether the face is at the upper end of that axis.
    pub is_max: bool,
}

impl BoxHit {
    /// Returns the hit of a ray that starts in the box or on it, at its `t_min`.
    ///
    /// The ray must be defined and `t_min` finite.
    pub(crate) fn from_inside(ray: &Ray) -> Self {
        let start = f64::from(ray.t_min);
        let back = widen(-ray.dir);
        BoxHit {
            t: ray.t_min + 0.0, // turns -0 into +0
            point: point_at(ray, (start, start), || {
                Ratio::new(Dyadic::from_f64(start), Dyadic::from_f64(1.0))
            }),
            normal: unit(back.map(Bounded::exact), || exact(back)),
            face: None,
        }
    }
}

/// Returns the point of the ray at a parameter in the given range, each coordinate rounded once.
pub(crate) fn point_at(ray: &Ray, (low, high): Interval, t: impl Fn() -> Ratio) -> Vec3 {
    let (origin, dir) = (widen(ray.origin), widen(ray.dir));
    Vec3::from_array([0, 1, 2].map(|axis| {
        if dir[axis] == 0.0 {
            return ray.origin[axis] + 0.0;
        }
        // Two roundings of each end. Where a product overflows, the range is infinite or NaN and
        // decides nothing. Where it underflows, the point has the origin's coordinate.
        let reach = |t: f64| {
            let along = t * dir[axis];
            let at = origin[axis] + along;
            (at, (along.abs() + at.abs()) * f64::EPSILON)
        };
        let ((a, a_error), (b, b_error)) = (reach(low), reach(high));
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        let error = a_error.max(b_error);
        round((low - error, high + error))
            .unwrap_or_else(|| t().on_line(origin[axis], dir[axis]).to_f32())
    }))
}
