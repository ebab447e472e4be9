//! The axis-aligned box.
//!
//! It has three ray tests: [`Aabb::slab`] returns where a ray enters and leaves, to the nearest
//! `f32`; [`Aabb::woo`] returns the first hit, with its point and normal; [`Aabb::may_hit`] only
//! prunes, for trees.

mod distance;
mod parameter;
mod slab;
mod woo;

use crate::shapes::{Triangle, coordinates::Coordinates};
use glam::Vec3;

/// A closed axis-aligned box. It may be flat, a line, a point, or empty ([`Aabb::EMPTY`]).
///
/// # Accuracy
/// All decisions are those of exact arithmetic on the numbers given.
///
/// - [`slab`](Aabb::slab): entry and exit are the `f32` nearest to the exact parameters. An axis
///   that the ray is parallel to is decided by containment, faces included.
/// - [`woo`](Aabb::woo): `t`, the point (the exact one, rounded once) and the outward normal are
///   nearest; on an edge the lowest axis counts. From inside or from the surface `t` is `t_min` and
///   the normal the reversed direction, of length 1.
/// - [`distance`](Aabb::distance) and its square are nearest, [`closest_point`](Aabb::closest_point)
///   is exact.
/// - [`may_hit`](Aabb::may_hit) only prunes: it may accept a box that the ray misses but never
///   rejects one that contains a hit.
///
/// Inverted corners are an error. No ray hits the empty box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    min: Vec3,
    max: Vec3,
}

impl Aabb {
    /// The empty box: it contains no point, no ray hits it, and it is neutral in
    /// [`union`](Aabb::union). It is the only box with `min > max` (+inf and -inf).
    pub const EMPTY: Aabb = Aabb {
        min: Vec3::INFINITY,
        max: Vec3::NEG_INFINITY,
    };

    /// Returns the box between two opposite corners.
    ///
    /// # Errors
    /// [`AabbError`] when a coordinate is NaN or infinite, or `min > max` on some axis.
    pub fn try_new(min: impl Into<Vec3>, max: impl Into<Vec3>) -> Result<Self, AabbError> {
        let (min, max) = (min.into(), max.into());
        if !min.is_finite() || !max.is_finite() {
            Err(AabbError::NotFinite { min, max })
        } else if min.cmple(max).all() {
            Ok(Aabb { min, max })
        } else {
            Err(AabbError::Inverted { min, max })
        }
    }

    /// Returns the smallest box that contains these points, or [`Aabb::EMPTY`] if there are none. A
    /// point with a coordinate that is not finite is left out.
    pub fn of_points(points: impl IntoIterator<Item = impl Into<Vec3>>) -> Self {
        points
            .into_iter()
            .map(Into::into)
            .filter(|p: &Vec3| p.is_finite())
            .fold(Aabb::EMPTY, |bounds, p| Aabb {
                min: bounds.min.min(p),
                max: bounds.max.max(p),
            })
    }

    /// Returns the smallest box that contains the triangle's finite corners.
    pub fn of_triangle(triangle: &Triangle) -> Self {
        Aabb::of_points(triangle.corners())
    }

    /// Returns the corner with the least coordinates; +inf for the empty box.
    pub fn min(&self) -> Vec3 {
        self.min
    }

    /// Returns the corner with the greatest coordinates; -inf for the empty box.
    pub fn max(&self) -> Vec3 {
        self.max
    }

    /// Returns whether this is [`Aabb::EMPTY`].
    pub fn is_empty(&self) -> bool {
        self.min.x > self.max.x
    }

    /// Returns the smallest box that contains both.
    #[must_use]
    pub fn union(&self, other: &Aabb) -> Aabb {
        Aabb {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Returns whether the point is in the box or on its faces; `false` for NaN.
    pub fn contains(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// Returns whether all of `other` is in this box. The empty box is in every box.
    pub fn contains_box(&self, other: &Aabb) -> bool {
        other.is_empty() || (self.contains(other.min) && self.contains(other.max))
    }
}

/// The reason why two corners do not define a box.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AabbError {
    /// A coordinate is NaN or infinite.
    #[error("the box's corners {} and {} must be finite", Coordinates(*.min), Coordinates(*.max))]
    NotFinite {
        /// The corner given as least.
        min: Vec3,
        /// The corner given as greatest.
        max: Vec3,
    },
    /// `min > max` on some axis.
    #[error(
        "the box from {} to {} is inverted (min > max): swap the coordinates, or use Aabb::EMPTY \
         for an empty box",
        Coordinates(*.min),
        Coordinates(*.max)
    )]
    Inverted {
        /// The corner given as least.
        min: Vec3,
        /// The corner given as greatest.
        max: Vec3,
    },
}
