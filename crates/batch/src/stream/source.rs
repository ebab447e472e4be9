//! Sources of rays or points.

use crate::items::Item;
use estoc_core::Ray;
use estoc_core::glam::Vec3;
use std::convert::Infallible;

/// The item of a source: a ray, a point, or a [`Result`] of one.
pub trait StreamItem: sealed::Sealed {
    /// The ray or point.
    type Item: Item;

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
                Ok(*self)
            }
        }

        impl sealed::Sealed for $item {}
        impl sealed::Sealed for &$item {}
    )*};
}

certain_items!(Ray, Vec3);

impl<T: Item, E> StreamItem for Result<T, E> {
    type Item = T;
    type Error = E;

    fn into_result(self) -> Result<T, E> {
        self
    }
}

impl<T: Item, E> sealed::Sealed for Result<T, E> {}

mod sealed {
    pub trait Sealed {}
}
