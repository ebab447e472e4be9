//! The items of a batch: lists of rays, points or moving spheres, in any usual layout or made on demand, and of
//! regions.

mod items_error;
mod list;
mod moving_spheres;
mod points;
mod rays;

pub use items_error::ItemsError;
pub use list::{List, OfNumbers};
pub use moving_spheres::MovingSpheres;
pub use points::Points;
pub use rays::{Rays, RaysSoA};

use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{MovingSphere, MovingSphere64, QueryItem, Ray, Ray64, Region};
use std::ops::Range;

/// The item of a question: a [`Ray`], a point ([`Vec3`]), a [`MovingSphere`], a reference to a
/// [`Region`], or, for scenes and meshes in `f64`, a [`Ray64`], a point ([`DVec3`]) or a [`MovingSphere64`].
pub trait Item: QueryItem + sealed::Sealed {
    /// A list of such items in the caller's memory.
    type Items<'a>: Items<Item = Self> + From<&'a [Self]>
    where
        Self: 'a;

    /// Whether options (culling, skipping, masks) apply to this type.
    #[doc(hidden)]
    const TAKES_OPTIONS: bool;

    /// The number of items that a thread takes at a time, unless the plan chooses it.
    #[doc(hidden)]
    const CHUNK_SIZE: Option<usize> = None;

    /// The usual number of items in a block of a stream, unless it depends on the engine.
    #[doc(hidden)]
    const BLOCK_SIZE: Option<usize> = None;

    /// Returns the ray that stands for the item when coherence is sampled and rays are sorted.
    #[doc(hidden)]
    fn ray(&self) -> Ray;
}

/// A list of rays ([`Rays`]), points ([`Points`]) or moving spheres ([`MovingSpheres`]), also of rays or points in
/// `f64`, or a slice of regions.
pub trait Items: Copy + Send + Sync + sealed::Sealed {
    /// The type of the items.
    type Item: Item;

    /// Returns the number of items.
    fn len(&self) -> usize;

    /// Returns whether the list is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the item at `index`, or `None` if it is out of range.
    fn get(&self, index: usize) -> Option<Self::Item>;

    /// Returns the items of a range, gathered if they are not adjacent in memory. Panics if the
    /// range is out of bounds.
    #[doc(hidden)]
    fn chunk<'b>(
        &'b self,
        range: Range<usize>,
        gathered: &'b mut Vec<Self::Item>,
    ) -> &'b [Self::Item];
}

impl<T: Item> Items for &[T] {
    type Item = T;

    fn len(&self) -> usize {
        (**self).len()
    }

    fn get(&self, index: usize) -> Option<T> {
        (**self).get(index).copied()
    }

    fn chunk<'b>(&'b self, range: Range<usize>, _: &'b mut Vec<T>) -> &'b [T] {
        &self[range]
    }
}

/// What a batch takes as a list of items: a list ([`Items`]), or a slice, a vector or an array of
/// items, or of rows of numbers that are used as rays or points.
pub trait IntoItems<'a> {
    /// The type of the items.
    type Item: Item + 'a;

    /// Returns the list.
    fn into_items(self) -> <Self::Item as Item>::Items<'a>;
}

impl<'a, T: Item<Items<'a> = List<'a, T>>> IntoItems<'a> for List<'a, T> {
    type Item = T;

    fn into_items(self) -> List<'a, T> {
        self
    }
}

/// Implements it for slices.
macro_rules! into_items {
    ($([$($item_type:ident: Item)?] $slice:ty => $item:ty;)*) => {$(
        impl<'a $(, $item_type: Item)?> IntoItems<'a> for &'a [$slice] {
            type Item = $item;

            fn into_items(self) -> <$item as Item>::Items<'a> {
                self.into()
            }
        }
    )*};
}

into_items! {
    [] [f32; 8] => Ray;
    [] [f32; 6] => Ray;
    [] [f32; 3] => Vec3;
    [T: Item] T => T;
}

impl<'a, T> IntoItems<'a> for &'a Vec<T>
where
    &'a [T]: IntoItems<'a>,
{
    type Item = <&'a [T] as IntoItems<'a>>::Item;

    fn into_items(self) -> <Self::Item as Item>::Items<'a> {
        self.as_slice().into_items()
    }
}

impl<'a, T, const N: usize> IntoItems<'a> for &'a [T; N]
where
    &'a [T]: IntoItems<'a>,
{
    type Item = <&'a [T] as IntoItems<'a>>::Item;

    fn into_items(self) -> <Self::Item as Item>::Items<'a> {
        self.as_slice().into_items()
    }
}

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

impl Item for MovingSphere {
    type Items<'a> = MovingSpheres<'a>;

    const TAKES_OPTIONS: bool = false;

    /// Spheres are sorted by their centres: the velocity does not say how far they move.
    fn ray(&self) -> Ray {
        Ray::new(self.center, Vec3::X)
    }
}

impl Item for MovingSphere64 {
    type Items<'a> = List<'a, MovingSphere64>;

    const TAKES_OPTIONS: bool = false;

    fn ray(&self) -> Ray {
        Ray::new(self.center.as_vec3(), Vec3::X)
    }
}

impl Item for Ray64 {
    type Items<'a> = List<'a, Ray64>;

    const TAKES_OPTIONS: bool = true;

    fn ray(&self) -> Ray {
        self.to_ray()
    }
}

impl Item for DVec3 {
    type Items<'a> = List<'a, DVec3>;

    const TAKES_OPTIONS: bool = false;

    fn ray(&self) -> Ray {
        Ray::new(self.as_vec3(), Vec3::X)
    }
}

impl<'r> Item for &'r dyn Region {
    type Items<'a>
        = &'a [&'r dyn Region]
    where
        Self: 'a;

    const TAKES_OPTIONS: bool = false;

    // A region may overlap any number of triangles.
    const CHUNK_SIZE: Option<usize> = Some(1);
    const BLOCK_SIZE: Option<usize> = Some(64);

    /// Regions keep their order.
    fn ray(&self) -> Ray {
        Ray::new(Vec3::ZERO, Vec3::X)
    }
}

pub(crate) mod sealed {
    use estoc_core::glam::{DVec3, Vec3};
    use estoc_core::{MovingSphere, MovingSphere64, Ray, Ray64, Region};

    pub trait Sealed {}

    impl Sealed for Ray {}
    impl Sealed for Vec3 {}
    impl Sealed for MovingSphere {}
    impl Sealed for MovingSphere64 {}
    impl Sealed for Ray64 {}
    impl Sealed for DVec3 {}
    impl Sealed for &dyn Region {}
    impl<T: super::Item> Sealed for &[T] {}
    impl<T> Sealed for super::List<'_, T> {}
}
