//! The axis-aligned box.
//!
//! Three ray tests: [`Aabb::slab`] tells where a ray enters and leaves, to the nearest `f32`;
//! [`Aabb::woo`] where it meets the box first, with the point and the normal there;
//! [`Aabb::may_hit`] only prunes, for trees.

mod distance;
mod may_hit;
mod parameter;
mod slab;
mod woo;

pub use may_hit::BoxQuestion;

use crate::Triangle;
use crate::coordinates::Coordinates;
use glam::Vec3;

/// A closed box with faces along the axes; it may be flat, a line or a point. Or no box at
/// all: [`Aabb::EMPTY`].
///
/// # How exact
/// All decisions are those of exact arithmetic on the numbers given.
///
/// - [`slab`](Aabb::slab): entry and exit are the `f32` nearest to the exact parameters. An axis
///   that the ray is parallel to is decided by containment, faces included.
/// - [`woo`](Aabb::woo): `t`, the point (the exact one, rounded once) and the outward normal are
///   nearest; on an edge the lowest axis counts. From inside or from the surface `t` is `t_min` and
///   the normal the reversed direction, of length 1.
/// - [`distance`](Aabb::distance) and its square are nearest, [`closest_point`](Aabb::closest_point)
///   is exact.
/// - [`may_hit`](Aabb::may_hit) only prunes: it may pass a box that the ray misses and never loses one
///   that holds a hit.
///
/// Inverted corners are refused; the empty box is missed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    min: Vec3,
    max: Vec3,
}

impl Aabb {
    /// The box of nothing: it holds no point, no ray hits it, and it is neutral in
    /// [`union`](Aabb::union). It is the only one with `min > max` (+inf and -inf).
    pub const EMPTY: Aabb = Aabb {
        min: Vec3::INFINITY,
        max: Vec3::NEG_INFINITY,
    };

    /// The box between two opposite corners.
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

    /// The smallest box that holds these points; [`Aabb::EMPTY`] of none. A point with a
    /// coordinate that is not finite is left out.
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

    /// The smallest box that holds the triangle's finite corners.
    pub fn of_triangle(triangle: &Triangle) -> Self {
        Aabb::of_points(triangle.corners())
    }

    /// The corner with the least coordinates; +inf for the empty box.
    pub fn min(&self) -> Vec3 {
        self.min
    }

    /// The corner with the greatest coordinates; -inf for the empty box.
    pub fn max(&self) -> Vec3 {
        self.max
    }

    /// Whether this is [`Aabb::EMPTY`].
    pub fn is_empty(&self) -> bool {
        self.min.x > self.max.x
    }

    /// The smallest box that holds both.
    #[must_use]
    pub fn union(&self, other: &Aabb) -> Aabb {
        Aabb {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Whether the point is in the box or on its faces; never for NaN.
    pub fn contains(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// Whether all of `other` is in this box; the empty box is in every one.
    pub fn contains_box(&self, other: &Aabb) -> bool {
        other.is_empty() || (self.contains(other.min) && self.contains(other.max))
    }
}

/// Why two corners make no box.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AabbError {
    /// A coordinate is NaN or infinite.
    #[error("a box from {} to {} needs finite corners", Coordinates(*.min), Coordinates(*.max))]
    NotFinite {
        /// The corner given as least.
        min: Vec3,
        /// The corner given as greatest.
        max: Vec3,
    },
    /// `min > max` on some axis.
    #[error(
        "a box from {} to {} is inside out: swap the coordinates, or use Aabb::EMPTY for the box \
         of nothing",
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
