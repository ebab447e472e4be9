//! The plane.
//!
//! [`Plane::hit`] and [`Plane::meet`] test rays, [`Plane::side_of`] points, [`Plane::classify`]
//! spheres at rest and [`Plane::sweep`] moving spheres.

mod height;
mod meet;
mod point;
mod sphere_position;
mod sphere_sweep;

pub use meet::{PlaneHit, PlaneMeet};
pub use point::PlaneSide;
pub use sphere_position::SpherePosition;
pub use sphere_sweep::SphereSweep;

use crate::arithmetic::{Bounded, Dyadic, Ratio, are_moderate, exact, near_one, unit, widen};
use crate::shapes::{Coordinate, coordinates::Coordinates};
use glam::{DAffine3, DMat3, DVec3, Vec3};

/// A plane, with the half space in front, where its normal points.
///
/// The normal need not have length 1: the plane is stored exactly as given, and all decisions and
/// distances account for the length without rounding it.
///
/// # Accuracy
/// - A ray is parallel when `normal . dir = 0`, exactly: no hit, and [`meet`](Plane::meet) returns
///   whether the ray lies in the plane. `t` is the `f32` nearest to the exact parameter.
/// - [`signed_distance`](Plane::signed_distance) is nearest, [`side_of`](Plane::side_of) is exact.
/// - [`classify`](Plane::classify): a sphere is in front when its centre's distance is at least the
///   radius, behind when at most minus that, else straddling; it touches when the two are equal.
/// - [`sweep`](Plane::sweep): a moving sphere has the nearest `t` of first contact and the point
///   `c + t d - r n`, each coordinate within half a unit in the last place plus
///   `2^-42 (|c| + t |d| + r)`; already touching, too far, moving away, parallel and undefined are
///   distinct results.
///
/// The normal may have any length but 0.
///
/// A `Plane<f64>` has `f64` numbers; it cuts meshes in `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "PlaneNumbers<C>",
        into = "PlaneNumbers<C>",
        bound(
            serialize = "C: serde::Serialize, C::Point: serde::Serialize",
            deserialize = "C: serde::Deserialize<'de>, C::Point: serde::Deserialize<'de>"
        )
    )
)]
pub struct Plane<C: Coordinate = f32> {
    normal: C::Point,
    locus: PlaneLocus<C>,
    /// Whether the bounds of heights hold for these numbers.
    is_moderate: bool,
}

/// The position of a plane with a given normal.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        rename_all = "snake_case",
        bound(
            serialize = "C: serde::Serialize, C::Point: serde::Serialize",
            deserialize = "C: serde::Deserialize<'de>, C::Point: serde::Deserialize<'de>"
        )
    )
)]
enum PlaneLocus<C: Coordinate> {
    /// The plane goes through this point.
    Point(C::Point),
    /// The plane is where `normal . p` has this value.
    Offset(C),
}

impl Plane {
    /// Returns the plane through a point: all p with `normal . (p - point) = 0`.
    ///
    /// # Errors
    /// [`PlaneError`] when a number is NaN or infinite, or the normal is zero.
    pub fn through(point: impl Into<Vec3>, normal: impl Into<Vec3>) -> Result<Self, PlaneError> {
        Plane::checked(normal.into(), PlaneLocus::Point(point.into()))
    }

    /// Returns the plane with this offset: all p with `normal . p = offset`. The offset is the
    /// distance from the coordinates' origin only if the normal has length 1.
    ///
    /// # Errors
    /// [`PlaneError`] when a number is NaN or infinite, or the normal is zero.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod shapes { pub use estoc_core::*; } }
    /// use estoc::{Plane, shapes::PlaneSide};
    /// let floor = Plane::from_offset([0.0, 2.0, 0.0], 6.0).unwrap();
    /// assert_eq!(floor.side_of([9.0, 3.0, 9.0]), Some(PlaneSide::On));
    /// ```
    pub fn from_offset(normal: impl Into<Vec3>, offset: f32) -> Result<Self, PlaneError> {
        Plane::checked(normal.into(), PlaneLocus::Offset(offset))
    }

    /// Returns the plane of all p with `normal . (p + origin) = offset`: where a plane of the world is in
    /// coordinates relative to an origin. Each coordinate of its normal, and its offset, is the nearest
    /// `f32`, ties to even, to the one given and to the exact `offset - normal . origin`.
    ///
    /// # Errors
    /// [`PlaneError`] when a number is NaN or infinite or rounds to infinity, or when the normal is or
    /// rounds to zero.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::Plane;
    /// let origin = [500_000.0, 5_200_000.0, 0.0];
    /// let cut = Plane::relative_to(origin, [0.0, 1.0, 0.0], 5_200_000.125).unwrap();
    /// assert_eq!(cut, Plane::from_offset([0.0, 1.0, 0.0], 0.125).unwrap());
    /// ```
    pub fn relative_to(
        origin: impl Into<DVec3>,
        normal: impl Into<DVec3>,
        offset: f64,
    ) -> Result<Self, PlaneError> {
        let (origin, normal): (DVec3, DVec3) = (origin.into(), normal.into());
        if !normal.is_finite() {
            return Err(PlaneError::Normal(normal.as_vec3()));
        }
        if !offset.is_finite() || !origin.is_finite() {
            return Err(PlaneError::Offset(offset as f32));
        }
        let exact = (0..3).fold(Dyadic::from_f64(offset), |rest, axis| {
            let [n, o] = [normal[axis], origin[axis]].map(Dyadic::from_f64);
            rest.sub(&n.mul(&o))
        });
        let offset = Ratio::new(exact, Dyadic::from_f64(1.0)).to_f32();
        Plane::from_offset(normal.as_vec3(), offset)
    }

    /// Returns the normal at length 1, each coordinate the nearest `f32`.
    pub fn unit_normal(&self) -> Vec3 {
        let normal = widen(self.normal);
        unit(normal.map(Bounded::exact), || exact(normal))
    }
}

impl Plane<f64> {
    /// Returns the plane through a point, as [`Plane::through`] does, of `f64` numbers.
    ///
    /// # Errors
    /// [`PlaneError`] when a number is NaN or infinite, or the normal is zero.
    pub fn through_f64(
        point: impl Into<DVec3>,
        normal: impl Into<DVec3>,
    ) -> Result<Self, PlaneError> {
        Plane::checked(normal.into(), PlaneLocus::Point(point.into()))
    }

    /// Returns the plane with this offset, as [`Plane::from_offset`] does, of `f64` numbers.
    ///
    /// # Errors
    /// [`PlaneError`] when a number is NaN or infinite, or the normal is zero.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::Plane;
    /// let wall = Plane::from_offset_f64([0.0, 1.0, 0.0], 5_201_234.751).unwrap();
    /// assert!(Plane::from_offset_f64([0.0; 3], 1.0).is_err());
    /// assert_eq!(wall.normal(), [0.0, 1.0, 0.0].into());
    /// ```
    pub fn from_offset_f64(normal: impl Into<DVec3>, offset: f64) -> Result<Self, PlaneError> {
        Plane::checked(normal.into(), PlaneLocus::Offset(offset))
    }
}

impl From<Plane> for Plane<f64> {
    fn from(plane: Plane) -> Self {
        plane.wide()
    }
}

impl<C: Coordinate> Plane<C> {
    fn checked(normal: C::Point, locus: PlaneLocus<C>) -> Result<Self, PlaneError> {
        let wide = C::wide(normal);
        match locus {
            PlaneLocus::Point(point) if !C::wide(point).is_finite() => {
                return Err(PlaneError::Point(C::wide(point).as_vec3()));
            }
            PlaneLocus::Offset(offset) if !offset.into().is_finite() => {
                return Err(PlaneError::Offset(offset.into() as f32));
            }
            _ => {}
        }
        if !wide.is_finite() {
            Err(PlaneError::Normal(wide.as_vec3()))
        } else if wide == DVec3::ZERO {
            Err(PlaneError::ZeroNormal)
        } else {
            Ok(Plane::of(normal, locus))
        }
    }

    fn of(normal: C::Point, locus: PlaneLocus<C>) -> Self {
        let numbers = match locus {
            PlaneLocus::Point(point) => C::wide(point),
            PlaneLocus::Offset(offset) => DVec3::splat(offset.into()),
        };
        let numbers = [C::wide(normal), numbers].map(|point| point.to_array());
        Plane {
            normal,
            locus,
            is_moderate: are_moderate(&numbers),
        }
    }

    /// Returns the normal, as given.
    pub fn normal(&self) -> C::Point {
        self.normal
    }

    /// Returns the map from coordinates in the plane to space: x to the right and y up, as seen from the
    /// front, and z the height in front. Up is z of space, or y where the plane is nearly horizontal. The
    /// origin is the point of the plane that is closest to that of space.
    ///
    /// Computed in `f64`; for a normal along an axis, the directions are exact.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::Plane;
    /// let frame = Plane::from_offset([0.0, 2.0, 0.0], 6.0).unwrap().frame();
    /// assert_eq!(frame.transform_point3([1.0, 5.0, 0.5].into()), [-1.0, 3.5, 5.0].into());
    /// ```
    #[must_use]
    pub fn frame(&self) -> DAffine3 {
        let (normal, scale) = self.near_one();
        let length = normal.length();
        let unit = normal / length;
        let up = match unit.x.abs().max(unit.y.abs()) < 1e-3 {
            true => DVec3::Y,
            false => DVec3::Z,
        };
        let right = up.cross(unit).normalize();
        let height = match self.locus {
            PlaneLocus::Point(point) => unit.dot(C::wide(point)),
            PlaneLocus::Offset(offset) => offset.into() * scale / length,
        };
        let axes = DMat3::from_cols(right, unit.cross(right), unit);
        DAffine3::from_mat3_translation(axes, unit * height)
    }

    /// Returns the normal times a power of two, such that no square of it overflows, and that power.
    pub(crate) fn near_one(&self) -> (DVec3, f64) {
        let (normal, scale) = near_one(self.wide_normal());
        (normal.into(), scale)
    }

    /// Returns the same plane with front and back exchanged.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let locus = match self.locus {
            PlaneLocus::Offset(offset) => PlaneLocus::Offset(-offset),
            point @ PlaneLocus::Point(_) => point,
        };
        Plane {
            normal: -self.normal,
            locus,
            ..*self
        }
    }
}

/// The numbers of a plane, as they are stored.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(bound(
    serialize = "C: serde::Serialize, C::Point: serde::Serialize",
    deserialize = "C: serde::Deserialize<'de>, C::Point: serde::Deserialize<'de>"
))]
struct PlaneNumbers<C: Coordinate> {
    normal: C::Point,
    locus: PlaneLocus<C>,
}

#[cfg(feature = "serde")]
impl<C: Coordinate> From<Plane<C>> for PlaneNumbers<C> {
    fn from(Plane { normal, locus, .. }: Plane<C>) -> Self {
        PlaneNumbers { normal, locus }
    }
}

#[cfg(feature = "serde")]
impl<C: Coordinate> TryFrom<PlaneNumbers<C>> for Plane<C> {
    type Error = PlaneError;

    fn try_from(PlaneNumbers { normal, locus }: PlaneNumbers<C>) -> Result<Self, PlaneError> {
        Plane::checked(normal, locus)
    }
}

/// The reason why numbers do not define a plane.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlaneError {
    /// A coordinate of the normal is NaN or infinite.
    #[error("the plane's normal {} must be finite", Coordinates(*.0))]
    Normal(Vec3),
    /// The normal is zero.
    #[error("the plane's normal must not be zero (it need not have length 1)")]
    ZeroNormal,
    /// A coordinate of the point is NaN or infinite.
    #[error("the point {} that the plane goes through must be finite", Coordinates(*.0))]
    Point(Vec3),
    /// The offset is NaN or infinite.
    #[error("the plane's offset {0} must be finite")]
    Offset(f32),
}
