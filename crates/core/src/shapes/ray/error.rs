//! Why a ray is undefined.

use super::RayKind;
use crate::shapes::coordinates::Coordinates;
use core::fmt::{Debug, Display};
use core::ops::Index;
use glam::Vec3;

/// The reason why a [`Ray`](crate::Ray) is undefined and hits nothing; with `V = glam::DVec3`, why a
/// [`Ray64`](crate::Ray64) is. Bounds have the type of the vector's coordinates.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RayError<V = Vec3>
where
    V: Copy + Index<usize, Output: Copy + Debug + Display + PartialEq>,
{
    /// The origin has a NaN or infinite coordinate.
    #[error("the ray's origin {} must be finite", Coordinates(*.0))]
    Origin(V),
    /// The direction has a NaN or infinite coordinate.
    #[error("the ray's direction {} must be finite", Coordinates(*.0))]
    Direction(V),
    /// The direction is zero.
    #[error("the ray's direction must not be zero")]
    ZeroDirection,
    /// A bound is NaN, or `t_min > t_max`.
    #[error("the ray's interval [{t_min}, {t_max}] must not contain NaN and needs t_min <= t_max")]
    Interval {
        /// The lower bound given.
        t_min: V::Output,
        /// The upper bound given.
        t_max: V::Output,
    },
}

impl<V: Copy + Index<usize, Output: Copy + Debug + Display + PartialEq>> RayError<V> {
    /// Returns why a ray with this origin and direction is undefined, if it is.
    pub(super) fn find(
        ray: &impl RayKind,
        (origin, dir): (V, V),
        (t_min, t_max): (V::Output, V::Output),
    ) -> Result<(), Self> {
        let is_finite = |vector: [f64; 3]| vector.iter().all(|x| x.is_finite());
        let [from, to] = ray.interval();
        if !is_finite(ray.wide_origin()) {
            Err(RayError::Origin(origin))
        } else if !is_finite(ray.wide_dir()) {
            Err(RayError::Direction(dir))
        } else if ray.wide_dir() == [0.0; 3] {
            Err(RayError::ZeroDirection)
        } else if from <= to {
            Ok(())
        } else {
            Err(RayError::Interval { t_min, t_max })
        }
    }
}
