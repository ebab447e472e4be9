//! What a batch asks about: lists of rays or of points, in any usual layout.

mod points;
mod rays;

pub use points::{Points, PointsError};
pub use rays::{Rays, RaysError, RaysSoA};

use estoc_core::glam::Vec3;
use estoc_core::{Question, Ray};
use std::fmt::Debug;
use std::ops::Range;

/// Something that questions are about: a [`Ray`], or a point ([`Vec3`]).
pub trait Item: Copy + Debug + Send + Sync + sealed::Sealed + 'static {
    /// A list of such items in the caller's memory.
    type Items<'a>: Items<Item = Self> + From<&'a [Self]>;

    /// Whether options (culling, skipping, masks) mean anything for it.
    #[doc(hidden)]
    const TAKES_OPTIONS: bool;

    /// Returns the ray that tells where and which way an engine looks first.
    #[doc(hidden)]
    fn ray(&self) -> Ray;
}

/// A list of rays ([`Rays`]) or points ([`Points`]) in the caller's memory.
pub trait Items: Copy + Debug + Send + Sync + sealed::Sealed {
    /// What it lists.
    type Item: Item;

    /// Returns the number of items.
    fn len(&self) -> usize;

    /// Returns whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns one item; `None` when there is none of that number.
    fn get(&self, index: usize) -> Option<Self::Item>;

    /// Returns some of them, gathered where they do not lie side by side. Panics where there are
    /// not as many.
    #[doc(hidden)]
    fn chunk<'b>(
        &'b self,
        range: Range<usize>,
        gathered: &'b mut Vec<Self::Item>,
    ) -> &'b [Self::Item];
}

/// The list of items that a question is asked about.
pub type ItemsOf<'a, E, Q> = <<Q as Question<E>>::Item as Item>::Items<'a>;

impl Item for Ray {
    type Items<'a> = Rays<'a>;

    const TAKES_OPTIONS: bool = true;

    #[inline(always)]
    fn ray(&self) -> Ray {
        *self
    }
}

impl Item for Vec3 {
    type Items<'a> = Points<'a>;

    const TAKES_OPTIONS: bool = false;

    fn ray(&self) -> Ray {
        Ray::new(*self, Vec3::X)
    }
}

pub(crate) mod sealed {
    use estoc_core::Ray;
    use estoc_core::glam::Vec3;

    pub trait Sealed {}

    impl Sealed for Ray {}
    impl Sealed for Vec3 {}
    impl Sealed for super::Rays<'_> {}
    impl Sealed for super::Points<'_> {}
}
