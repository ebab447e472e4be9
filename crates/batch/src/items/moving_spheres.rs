//! Layouts of moving spheres in memory.

use super::ItemsError;
use super::items_error::rows;
use super::list::{List, OfNumbers};
use estoc_core::{MovingSphere, MovingSphere64};

/// Many moving spheres in the caller's memory, in any usual layout. The spheres are never copied as a
/// whole. Every question about moving spheres takes this, and lists of [`MovingSphere`]s.
///
/// | input | layout | cost |
/// |---|---|---|
/// | `&[MovingSphere]`, `&Vec<MovingSphere>`, `&[MovingSphere; N]` | moving spheres | none |
/// | `MovingSpheres::from(&[[f32; 8]])` | cx, cy, cz, vx, vy, vz, radius, t_max | none: the same layout as a moving sphere |
/// | [`MovingSpheres::rows_of_8`] | the same as a flat list of numbers | the same |
/// | [`MovingSpheres::from_columns`] | an array per number | gathered chunk by chunk |
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } pub mod query { pub use estoc_core::*; } }
/// use estoc::{Batch, BruteForce, Triangle, batch::MovingSpheres, query::FirstContact};
/// let engine = BruteForce::new([Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])]);
/// let numbers = [1.0, 1.0, 5.0, 0.0, 0.0, -2.0, 1.0, f32::INFINITY];
/// let found = Batch::new().ask(&engine, FirstContact, MovingSpheres::rows_of_8(&numbers)?)?;
/// assert_eq!(found[0].unwrap().t, 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type MovingSpheres<'a> = List<'a, MovingSphere>;

impl<'a> MovingSpheres<'a> {
    /// Wraps a flat list of numbers, eight per sphere: cx, cy, cz, vx, vy, vz, radius, t_max.
    ///
    /// # Errors
    /// [`ItemsError::Rows`] when the last sphere is incomplete.
    pub fn rows_of_8(numbers: &'a [f32]) -> Result<Self, ItemsError> {
        rows::<8>(numbers).map(MovingSpheres::from)
    }

    /// Wraps an array per number, all of the same length: the coordinates of the centres and of the
    /// velocities, the radii, and the greatest times, infinite if `None`.
    ///
    /// # Errors
    /// [`ItemsError::Lengths`] when the lengths differ.
    pub fn from_columns(
        center: [&'a [f32]; 3],
        velocity: [&'a [f32]; 3],
        radius: &'a [f32],
        t_max: Option<&'a [f32]>,
    ) -> Result<Self, ItemsError> {
        let ([cx, cy, cz], [vx, vy, vz]) = (center.map(Some), velocity.map(Some));
        List::of_columns([cx, cy, cz, vx, vy, vz, Some(radius), t_max])
    }
}

impl OfNumbers for MovingSphere {
    const NAMES: &'static [&'static str] = &["cx", "cy", "cz", "vx", "vy", "vz", "radius", "t_max"];

    #[inline(always)]
    fn of_numbers(number: impl Fn(usize) -> Option<f32>) -> MovingSphere {
        let [cx, cy, cz, vx, vy, vz, radius] =
            [0, 1, 2, 3, 4, 5, 6].map(|place| number(place).unwrap_or(0.0));
        MovingSphere::new([cx, cy, cz], [vx, vy, vz], radius)
            .with_t_max(number(7).unwrap_or(f32::INFINITY))
    }
}

impl<'a> From<&'a [[f32; 8]]> for MovingSpheres<'a> {
    fn from(rows: &'a [[f32; 8]]) -> Self {
        MovingSpheres::from(bytemuck::cast_slice::<_, MovingSphere>(rows))
    }
}

impl OfNumbers for MovingSphere64 {
    const NAMES: &'static [&'static str] = MovingSphere::NAMES;

    fn of_numbers(number: impl Fn(usize) -> Option<f32>) -> MovingSphere64 {
        MovingSphere::of_numbers(number).into()
    }
}
