//! The numbers of a mesh's coordinates.

use super::Aabb;
use crate::arithmetic::{ExactNumber, Interval, Ratio, round, round_root};
use core::fmt::{Debug, Display, LowerExp};
use core::ops::Neg;
use glam::{DVec3, Vec3};

/// The type of a mesh's coordinates: `f32`, the default, or `f64`.
///
/// A mesh or a tree of `f32`s has [`Triangle`](crate::Triangle)s, one of `f64`s
/// [`Triangle64`](crate::Triangle64)s.
pub trait Coordinate:
    sealed::Sealed
    + Copy
    + Debug
    + PartialEq
    + Into<f64>
    + Neg<Output = Self>
    + Display
    + LowerExp
    + Send
    + Sync
    + 'static
{
    /// A point.
    type Point: Copy + Debug + PartialEq + Neg<Output = Self::Point> + Send + Sync;

    /// A box around triangles: an [`Aabb`], or its two corners.
    type Bounds: Copy + Debug + PartialEq + Send + Sync;

    /// What is equal for equal positions: their bits, with -0 turned into +0.
    #[doc(hidden)]
    type Position: Copy + Ord;

    /// Returns that of a point.
    #[doc(hidden)]
    fn position(point: Self::Point) -> Self::Position;

    /// Returns the point of a position.
    #[doc(hidden)]
    fn at(position: Self::Position) -> Self::Point;

    /// Returns the coordinates of a point.
    #[doc(hidden)]
    fn coordinates(point: Self::Point) -> [Self; 3];

    /// Returns a point in `f64`.
    #[doc(hidden)]
    fn wide(point: Self::Point) -> DVec3;

    /// Returns the number nearest to one in `f64`.
    #[doc(hidden)]
    fn of(x: f64) -> Self;

    /// Returns the point of three coordinates.
    #[doc(hidden)]
    fn point(coordinates: [Self; 3]) -> Self::Point;

    /// Returns the point nearest to one in `f64`.
    #[doc(hidden)]
    fn nearest_point(point: DVec3) -> Self::Point;

    /// Returns the number nearest to an exact one: an `f32` by an interval around it, an `f64` by pairs, if they
    /// decide.
    #[doc(hidden)]
    fn nearest<E: ExactNumber>(
        interval: impl FnOnce() -> Interval,
        by_pairs: impl FnOnce() -> Option<f64>,
        exactly: impl FnOnce() -> E,
    ) -> Self;

    /// Returns the number nearest to the square root of an exact one, likewise.
    #[doc(hidden)]
    fn nearest_root(
        square: Interval,
        by_pairs: impl FnOnce() -> Option<f64>,
        exactly: impl FnOnce() -> Ratio,
    ) -> Self;

    /// What is kept beside the `f32`s of a mesh or of a tree: nothing, or a `T`.
    #[doc(hidden)]
    type Beside<T: Clone + Debug + Send + Sync>: Clone + Debug + Send + Sync;

    /// Returns what is kept, if it is.
    #[doc(hidden)]
    fn kept<T: Clone + Debug + Send + Sync>(kept: &Self::Beside<T>) -> Option<&T>;

    /// Returns the box, if its numbers are `f32`s.
    #[doc(hidden)]
    fn narrow_bounds(bounds: &Self::Bounds) -> Option<&Aabb>;

    /// Returns what is made of what is kept.
    #[doc(hidden)]
    fn map_beside<T, U>(kept: &Self::Beside<T>, make: impl FnOnce(&T) -> U) -> Self::Beside<U>
    where
        T: Clone + Debug + Send + Sync,
        U: Clone + Debug + Send + Sync;
}

impl Coordinate for f32 {
    type Point = Vec3;
    type Bounds = Aabb;
    type Beside<T: Clone + Debug + Send + Sync> = ();

    type Position = [u32; 3];

    fn position(point: Vec3) -> [u32; 3] {
        (point + Vec3::ZERO).to_array().map(f32::to_bits)
    }

    fn at(position: [u32; 3]) -> Vec3 {
        position.map(f32::from_bits).into()
    }

    fn coordinates(point: Vec3) -> [f32; 3] {
        point.to_array()
    }

    fn wide(point: Vec3) -> DVec3 {
        point.as_dvec3()
    }

    fn of(x: f64) -> f32 {
        x as f32
    }

    fn point(coordinates: [f32; 3]) -> Vec3 {
        coordinates.into()
    }

    fn nearest_point(point: DVec3) -> Vec3 {
        point.as_vec3()
    }

    fn nearest<E: ExactNumber>(
        interval: impl FnOnce() -> Interval,
        _: impl FnOnce() -> Option<f64>,
        exactly: impl FnOnce() -> E,
    ) -> f32 {
        round(interval()).unwrap_or_else(|| exactly().nearest_f32())
    }

    fn nearest_root(
        square: Interval,
        _: impl FnOnce() -> Option<f64>,
        exactly: impl FnOnce() -> Ratio,
    ) -> f32 {
        round_root(square).unwrap_or_else(|| exactly().root_to_f32())
    }

    fn kept<T: Clone + Debug + Send + Sync>((): &()) -> Option<&T> {
        None
    }

    fn narrow_bounds(bounds: &Aabb) -> Option<&Aabb> {
        Some(bounds)
    }

    fn map_beside<T, U>((): &(), _: impl FnOnce(&T) -> U)
    where
        T: Clone + Debug + Send + Sync,
        U: Clone + Debug + Send + Sync,
    {
    }
}

impl Coordinate for f64 {
    type Point = DVec3;
    type Bounds = [DVec3; 2];
    type Beside<T: Clone + Debug + Send + Sync> = T;

    type Position = [u64; 3];

    fn position(point: DVec3) -> [u64; 3] {
        (point + DVec3::ZERO).to_array().map(f64::to_bits)
    }

    fn at(position: [u64; 3]) -> DVec3 {
        position.map(f64::from_bits).into()
    }

    fn coordinates(point: DVec3) -> [f64; 3] {
        point.to_array()
    }

    fn wide(point: DVec3) -> DVec3 {
        point
    }

    fn of(x: f64) -> f64 {
        x
    }

    fn point(coordinates: [f64; 3]) -> DVec3 {
        coordinates.into()
    }

    fn nearest_point(point: DVec3) -> DVec3 {
        point
    }

    fn nearest<E: ExactNumber>(
        _: impl FnOnce() -> Interval,
        by_pairs: impl FnOnce() -> Option<f64>,
        exactly: impl FnOnce() -> E,
    ) -> f64 {
        by_pairs().unwrap_or_else(|| exactly().nearest_f64())
    }

    fn nearest_root(
        _: Interval,
        by_pairs: impl FnOnce() -> Option<f64>,
        exactly: impl FnOnce() -> Ratio,
    ) -> f64 {
        by_pairs().unwrap_or_else(|| exactly().root_to_f64())
    }

    fn kept<T: Clone + Debug + Send + Sync>(kept: &T) -> Option<&T> {
        Some(kept)
    }

    fn narrow_bounds(_: &[DVec3; 2]) -> Option<&Aabb> {
        None
    }

    fn map_beside<T, U>(kept: &T, make: impl FnOnce(&T) -> U) -> U
    where
        T: Clone + Debug + Send + Sync,
        U: Clone + Debug + Send + Sync,
    {
        make(kept)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}
