//! Points, one or many, in the host's memory.

use crate::asking::Source;
use crate::numbers::{Vectors, estoc_vectors, is_f32};
use crate::status::Failure;
use estoc_batch::OfNumbers;
use estoc_core::PointKind;
use estoc_core::glam::{DVec3, Vec3};

/// Many points. A point that is not finite is near nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_points {
    /// The number of points.
    pub count: usize,
    /// The points.
    pub position: estoc_vectors,
}

/// A point of the library that is made of one of the host.
pub(crate) trait HostPoint: PointKind + OfNumbers {
    /// Returns the point of these numbers, which are rounded if the point has other ones.
    fn of(point: [f64; 3]) -> Self;
}

impl HostPoint for Vec3 {
    #[inline(always)]
    fn of(point: [f64; 3]) -> Self {
        point.map(|x| x as f32).into()
    }
}

impl HostPoint for DVec3 {
    #[inline(always)]
    fn of(point: [f64; 3]) -> Self {
        point.into()
    }
}

/// The points of a question.
pub(crate) struct PointInput {
    count: usize,
    position: Vectors,
}

impl PointInput {
    pub(crate) fn of(points: &estoc_points) -> Result<Self, Failure> {
        let (count, position) = (points.count, &points.position);
        let position = Vectors::of(position, count, "points.position")?;
        Ok(PointInput { count, position })
    }

    pub(crate) fn is_f64(&self) -> bool {
        self.position.is_f64()
    }

    /// Returns whether all numbers are `f32`s.
    pub(crate) fn are_f32(&self) -> bool {
        let all = |item| self.position.at(item).into_iter().all(is_f32);
        !self.position.is_f64() || (0..self.count).all(all)
    }
}

impl<V: HostPoint> Source<V> for PointInput {
    fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    fn at(&self, item: usize) -> V {
        V::of(self.position.at(item))
    }
}
