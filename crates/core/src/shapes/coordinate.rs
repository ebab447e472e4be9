//! The numbers of a mesh's coordinates.

use super::Aabb;
use core::fmt::Debug;
use glam::{DVec3, Vec3};

/// The type of a mesh's coordinates: `f32`, the default, or `f64`.
///
/// A mesh or a tree of `f32`s has [`Triangle`](crate::Triangle)s, one of `f64`s
/// [`Triangle64`](crate::Triangle64)s.
pub trait Coordinate: sealed::Sealed + Copy + Debug + Send + Sync + 'static {
    /// A point.
    type Point: Copy + Debug + PartialEq + Send + Sync;

    /// A box around triangles: an [`Aabb`], or its two corners.
    type Bounds: Copy + Debug + PartialEq + Send + Sync;

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
