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

use crate::arithmetic::{Bounded, Dyadic, Ratio, exact, unit, widen};
use crate::shapes::coordinates::Coordinates;
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
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "PlaneNumbers", into = "PlaneNumbers")
)]
pub struct Plane {
    normal: Vec3,
    locus: PlaneLocus,
}

/// The position of a plane with a given normal.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
enum PlaneLocus {
    /// The plane goes through this point.
    Point(Vec3),
    /// The plane is where `normal . p` has this value.
    Offset(f32),
}

impl Plane {
    /// Returns the plane through a point: all p with `normal . (p - point) = 0`.
    ///
    /// # Errors
    /// [`PlaneError`] when a number is NaN or infinite, or the normal is zero.
    pub fn through(point: impl Into<Vec3>, normal: impl Into<Vec3>) -> Result<Self, PlaneError> {
        let (point, normal) = (point.into(), normal.into());
        if !point.is_finite() {
            return Err(PlaneError::Point(point));
        }
        Plane::checked(normal, PlaneLocus::Point(point))
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
        if !offset.is_finite() {
            return Err(PlaneError::Offset(offset));
        }
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

    fn checked(normal: Vec3, locus: PlaneLocus) -> Result<Self, PlaneError> {
        if !normal.is_finite() {
            Err(PlaneError::Normal(normal))
        } else if normal == Vec3::ZERO {
            Err(PlaneError::ZeroNormal)
        } else {
            Ok(Plane { normal, locus })
        }
    }

    /// Returns the normal, as given.
    pub fn normal(&self) -> Vec3 {
        self.normal
    }

    /// Returns the normal at length 1, each coordinate the nearest `f32`.
    pub fn unit_normal(&self) -> Vec3 {
        let normal = widen(self.normal);
        unit(normal.map(Bounded::exact), || exact(normal))
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
        let normal = self.normal.as_dvec3();
        let length = normal.length();
        let unit = normal / length;
        let up = match unit.x.abs().max(unit.y.abs()) < 1e-3 {
            true => DVec3::Y,
            false => DVec3::Z,
        };
        let right = up.cross(unit).normalize();
        let height = match self.locus {
            PlaneLocus::Point(point) => unit.dot(point.as_dvec3()),
            PlaneLocus::Offset(offset) => f64::from(offset) / length,
        };
        let axes = DMat3::from_cols(right, unit.cross(right), unit);
        DAffine3::from_mat3_translation(axes, unit * height)
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
        }
    }
}

/// The numbers of a plane, as they are stored.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct PlaneNumbers {
    normal: Vec3,
    locus: PlaneLocus,
}

#[cfg(feature = "serde")]
impl From<Plane> for PlaneNumbers {
    fn from(Plane { normal, locus }: Plane) -> Self {
        PlaneNumbers { normal, locus }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<PlaneNumbers> for Plane {
    type Error = PlaneError;

    fn try_from(PlaneNumbers { normal, locus }: PlaneNumbers) -> Result<Self, PlaneError> {
        match locus {
            PlaneLocus::Point(point) => Plane::through(point, normal),
            PlaneLocus::Offset(offset) => Plane::from_offset(normal, offset),
        }
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
