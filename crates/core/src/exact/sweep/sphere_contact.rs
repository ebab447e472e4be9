//! The answer to a query for the first contact of a moving sphere.

use crate::exact::proximity::Feature;
use crate::shapes::{Coordinate, PrimId};

/// The first contact of a moving sphere with a triangle. Its numbers are `f32`s, at a mesh in `f64` `f64`s.
///
/// The numbers are results only: no decision is made with them. Two contacts with the same `t` may
/// differ in their exact time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "C: serde::Serialize, C::Point: serde::Serialize",
        deserialize = "C: serde::Deserialize<'de>, C::Point: serde::Deserialize<'de>"
    ))
)]
pub struct SphereContact<C: Coordinate = f32> {
    /// The time of contact in units of the velocity: the sphere's centre is then at
    /// `center + t velocity`. It is the number nearest to the exact time, ties to even; 0 if the
    /// sphere touches at the start. Infinite where the exact value overflows; it is still an
    /// answer.
    pub t: C,
    /// The triangle.
    pub prim: PrimId,
    /// The point of the triangle that is closest to the sphere's centre at the exact time.
    ///
    /// Where the sphere touches at the start, and where `feature` is a vertex, each coordinate is
    /// the nearest number. Otherwise it is within half a unit in the last place, plus `2^-40` of the
    /// largest coordinate of the centre, of the movement `t velocity` and of the triangle's corners,
    /// of the exact one.
    pub point: C::Point,
    /// The part of the triangle that the exact point lies on.
    pub feature: Feature,
    /// Whether the sphere touches or intersects the triangle at the start. `t` is then 0; without
    /// it, the exact time is positive, though it may round to 0.
    pub is_touching_at_start: bool,
}

const _: () = assert!(size_of::<Option<SphereContact>>() == 24);
