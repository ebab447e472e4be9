//! Sources of rays, points, moving spheres or regions.

use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{
    Aabb, Frustum, HalfSpace, MovingSphere, MovingSphere64, Obb, Plane, Ray, Ray64, Sphere,
    Triangle,
};
use std::convert::Infallible;

/// The item of a source: a ray, a point, a moving sphere, a region, or a [`Result`] of one. Regions of
/// your own type come as results, such as `Ok::<_, Infallible>(region)`.
pub trait StreamItem: sealed::Sealed {
    /// The ray, point, moving sphere or region.
    type Item: Send + 'static;

    /// The error of the source.
    type Error;

    #[doc(hidden)]
    fn into_result(self) -> Result<Self::Item, Self::Error>;
}

macro_rules! certain_items {
    ($($item:ty),*) => {$(
        impl StreamItem for $item {
            type Item = $item;
            type Error = Infallible;

            fn into_result(self) -> Result<$item, Infallible> {
                Ok(self)
            }
        }

        impl StreamItem for &$item {
            type Item = $item;
            type Error = Infallible;

            fn into_result(self) -> Result<$item, Infallible> {
                Ok(Clone::clone(self))
            }
        }

        impl sealed::Sealed for $item {}
        impl sealed::Sealed for &$item {}
    )*};
}

certain_items!(Ray, Ray64, Vec3, DVec3, MovingSphere, MovingSphere64);
certain_items!(Aabb, Obb, Sphere, Frustum, HalfSpace, Plane, Triangle);

impl<T: Send + 'static, E> StreamItem for Result<T, E> {
    type Item = T;
    type Error = E;

    fn into_result(self) -> Result<T, E> {
        self
    }
}

impl<T: Send + 'static, E> sealed::Sealed for Result<T, E> {}

mod sealed {
    pub trait Sealed {}
}
