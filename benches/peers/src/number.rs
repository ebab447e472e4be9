//! The numbers of rays, points and answers: `f32`, and `f64` for `--doubles`.

use crate::row::Measured;
use estoc::glam::{DVec3, Vec3};
use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Sub};

/// `f32` or `f64`.
pub(crate) trait Number:
    Copy
    + Debug
    + PartialOrd
    + Send
    + Sync
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<Output = Self>
    + 'static
{
    type Point: Copy
        + Debug
        + Send
        + Sync
        + Add<Output = Self::Point>
        + Sub<Output = Self::Point>
        + Mul<Self, Output = Self::Point>;

    const ZERO: Self;
    const ONE: Self;
    const INFINITY: Self;
    /// Hits closer together than this, relative to the exact one, count as a tie: only an exact engine
    /// can tell which primitive comes first.
    const TIE: Self;
    /// What rows of rays, and of closest points, in these numbers are.
    const RAYS: Measured;
    const POINTS: Measured;

    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    /// Returns the least `f32` that is not less.
    fn up(self) -> f32;
    fn dot(a: Self::Point, b: Self::Point) -> Self;
    /// Returns the nearest `f32`s to the coordinates.
    fn to_f32(point: Self::Point) -> [f32; 3];

    /// Returns a point of the harness in these numbers.
    fn of_point(point: Vec3) -> Self::Point;
}

impl Number for f32 {
    type Point = Vec3;

    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
    const INFINITY: f32 = f32::INFINITY;
    const TIE: f32 = 1e-4;
    const RAYS: Measured = Measured::Rays;
    const POINTS: Measured = Measured::Points;

    fn abs(self) -> f32 {
        self.abs()
    }

    fn sqrt(self) -> f32 {
        self.sqrt()
    }

    fn up(self) -> f32 {
        self
    }

    fn dot(a: Vec3, b: Vec3) -> f32 {
        a.dot(b)
    }

    fn to_f32(point: Vec3) -> [f32; 3] {
        point.to_array()
    }

    fn of_point(point: Vec3) -> Vec3 {
        point
    }
}

impl Number for f64 {
    type Point = DVec3;

    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    const INFINITY: f64 = f64::INFINITY;
    const TIE: f64 = 1e-10;
    const RAYS: Measured = Measured::DoubleRays;
    const POINTS: Measured = Measured::DoublePoints;

    fn abs(self) -> f64 {
        self.abs()
    }

    fn sqrt(self) -> f64 {
        self.sqrt()
    }

    #[inline]
    fn up(self) -> f32 {
        let near = self as f32;
        if f64::from(near) < self {
            near.next_up()
        } else {
            near
        }
    }

    fn dot(a: DVec3, b: DVec3) -> f64 {
        a.dot(b)
    }

    fn to_f32(point: DVec3) -> [f32; 3] {
        point.as_vec3().to_array()
    }

    fn of_point(point: Vec3) -> DVec3 {
        wide_point(point)
    }
}

/// Returns a point whose coordinates are not `f32`s, but those of this point when rounded.
pub(crate) fn wide_point(point: Vec3) -> DVec3 {
    DVec3::from_array(point.to_array().map(wide))
}

/// Returns an `f64` that rounds to this number, up to 0.45 of the distance to its nearer neighbour away.
/// It depends on the number alone: equal coordinates stay equal, so that vertices that share a place
/// still do, and planes along the axes stay planes. Zero and infinity remain.
pub(crate) fn wide(x: f32) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x.into();
    }
    let [below, here, above] = [x.next_down(), x, x.next_up()].map(f64::from);
    // The bits of a product with the golden ratio are spread evenly.
    let share = x.to_bits().wrapping_mul(0x9e37_79b9);
    let share = f64::from(share) / f64::from(u32::MAX) - 0.5;
    here + 0.9 * share * (here - below).min(above - here)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_numbers_round_to_those_they_come_from() {
        for x in [1.0, -1.0, 0.1, 1e-45, 3e38, -8191.75, 4096.0, f32::MAX] {
            let wide = wide(x);
            assert_eq!(wide as f32, x);
            assert_ne!(wide, f64::from(x));
        }
        for x in [0.0, f32::INFINITY] {
            assert_eq!(wide(x), f64::from(x));
        }
    }

    #[test]
    fn up_is_not_less() {
        assert_eq!(1.0.up(), 1.0_f32);
        assert_eq!((1.0 + 1e-12).up(), 1.0_f32.next_up());
        assert_eq!((-1.0 + 1e-12).up(), (-1.0_f32).next_up());
        assert_eq!(1e300.up(), f32::INFINITY);
    }
}
