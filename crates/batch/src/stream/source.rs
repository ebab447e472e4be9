//! Where rays come from.

use estoc_core::Ray;
use std::convert::Infallible;

/// What a source of rays hands out: a [`Ray`], or the [`Result`] of getting one.
pub trait RayItem: sealed::Sealed {
    /// What may go wrong.
    type Error;

    #[doc(hidden)]
    fn into_result(self) -> Result<Ray, Self::Error>;
}

impl RayItem for Ray {
    type Error = Infallible;

    fn into_result(self) -> Result<Ray, Infallible> {
        Ok(self)
    }
}

impl RayItem for &Ray {
    type Error = Infallible;

    fn into_result(self) -> Result<Ray, Infallible> {
        Ok(*self)
    }
}

impl<E> RayItem for Result<Ray, E> {
    type Error = E;

    fn into_result(self) -> Result<Ray, E> {
        self
    }
}

mod sealed {
    use estoc_core::Ray;

    pub trait Sealed {}

    impl Sealed for Ray {}
    impl Sealed for &Ray {}
    impl<E> Sealed for Result<Ray, E> {}
}
