//! Layouts of points in memory.

use super::ItemsError;
use super::items_error::rows;
use super::list::{List, OfNumbers};
use estoc_core::glam::{DVec3, Vec3};

/// Many points in the caller's memory, in any usual layout. The points are never copied as a whole.
/// Every question about points takes this, and all inputs below.
///
/// | input | layout | cost |
/// |---|---|---|
/// | `&[Vec3]`, `&Vec<Vec3>`, `&[Vec3; N]` | points | none |
/// | `&[[f32; 3]]` | x, y, z | none: the same layout as a point |
/// | [`Points::rows_of_3`] | the same as a flat list of numbers | the same |
/// | [`Points::from_columns`] | an array per coordinate | gathered chunk by chunk |
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } }
/// use estoc::{Batch, BruteForce, Triangle, batch::Points};
/// let [a, b, c, d] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let faces = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]];
/// let engine = BruteForce::new(faces.map(|[a, b, c]| Triangle::new(a, b, c)));
/// let numbers = [0.2, 0.2, 0.2, /* next */ 0.9, 0.9, 0.9];
/// let inside = Batch::new().contains(&engine, Points::rows_of_3(&numbers)?)?;
/// assert_eq!(inside, [Some(true), Some(false)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Points<'a> = List<'a, Vec3>;

impl<'a> Points<'a> {
    /// Wraps a flat list of numbers, three per point: x, y, z.
    ///
    /// # Errors
    /// [`ItemsError::Rows`] when the last point is incomplete.
    pub fn rows_of_3(numbers: &'a [f32]) -> Result<Self, ItemsError> {
        rows::<3>(numbers).map(Points::from)
    }

    /// Wraps an array per coordinate, all of the same length.
    ///
    /// # Errors
    /// [`ItemsError::Lengths`] when the lengths differ.
    pub fn from_columns(x: &'a [f32], y: &'a [f32], z: &'a [f32]) -> Result<Self, ItemsError> {
        List::of_columns([Some(x), Some(y), Some(z), None, None, None, None, None])
    }
}

impl OfNumbers for Vec3 {
    const NAMES: &'static [&'static str] = &["x", "y", "z"];

    #[inline(always)]
    fn of_numbers(number: impl Fn(usize) -> Option<f32>) -> Vec3 {
        Vec3::from([0, 1, 2].map(|place| number(place).unwrap_or(0.0)))
    }
}

impl OfNumbers for DVec3 {
    const NAMES: &'static [&'static str] = Vec3::NAMES;

    #[inline(always)]
    fn of_numbers(number: impl Fn(usize) -> Option<f32>) -> DVec3 {
        Vec3::of_numbers(number).into()
    }
}

impl<'a> From<&'a [[f32; 3]]> for Points<'a> {
    fn from(rows: &'a [[f32; 3]]) -> Self {
        Points::from(bytemuck::cast_slice::<_, Vec3>(rows))
    }
}
