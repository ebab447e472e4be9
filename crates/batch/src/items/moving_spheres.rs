//! Layouts of moving spheres in memory.

use super::items_error::{check_lengths, rows};
use super::{Items, ItemsError};
use estoc_core::MovingSphere;
use std::ops::Range;

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
#[derive(Clone, Copy, Debug)]
pub struct MovingSpheres<'a>(Layout<'a>);

#[derive(Clone, Copy, Debug)]
enum Layout<'a> {
    Spheres(&'a [MovingSphere]),
    /// Centre, velocity and radius; and `t_max`, infinite if `None`.
    Columns([&'a [f32]; 7], Option<&'a [f32]>),
}

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
        const OTHERS: [&str; 7] = ["cy", "cz", "vx", "vy", "vz", "radius", "t_max"];
        let ([cx, cy, cz], [vx, vy, vz]) = (center, velocity);
        let columns = [cx, cy, cz, vx, vy, vz, radius];
        let others = columns[1..].iter().copied().chain(t_max);
        check_lengths(("cx", cx), OTHERS.into_iter().zip(others))?;
        Ok(MovingSpheres(Layout::Columns(columns, t_max)))
    }

    /// Returns the number of spheres.
    pub fn len(&self) -> usize {
        match self.0 {
            Layout::Spheres(spheres) => spheres.len(),
            Layout::Columns([cx, ..], _) => cx.len(),
        }
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the sphere at this index, or `None` if it is out of range.
    pub fn get(&self, sphere: usize) -> Option<MovingSphere> {
        match self.0 {
            Layout::Spheres(spheres) => spheres.get(sphere).copied(),
            Layout::Columns(columns, t_max) => {
                (sphere < self.len()).then(|| at(columns, t_max, sphere))
            }
        }
    }
}

/// Panics if `sphere` is out of range.
fn at(columns: [&[f32]; 7], t_max: Option<&[f32]>, sphere: usize) -> MovingSphere {
    let [cx, cy, cz, vx, vy, vz, radius] = columns.map(|column| column[sphere]);
    MovingSphere::new([cx, cy, cz], [vx, vy, vz], radius)
        .with_t_max(t_max.map_or(f32::INFINITY, |t_max| t_max[sphere]))
}

impl Items for MovingSpheres<'_> {
    type Item = MovingSphere;

    fn len(&self) -> usize {
        MovingSpheres::len(self)
    }

    fn get(&self, index: usize) -> Option<MovingSphere> {
        MovingSpheres::get(self, index)
    }

    fn chunk<'b>(
        &'b self,
        range: Range<usize>,
        gathered: &'b mut Vec<MovingSphere>,
    ) -> &'b [MovingSphere] {
        match self.0 {
            Layout::Spheres(spheres) => &spheres[range],
            Layout::Columns(columns, t_max) => {
                gathered.clear();
                gathered.extend(range.map(|sphere| at(columns, t_max, sphere)));
                gathered
            }
        }
    }
}

impl<'a> From<&'a [MovingSphere]> for MovingSpheres<'a> {
    fn from(spheres: &'a [MovingSphere]) -> Self {
        MovingSpheres(Layout::Spheres(spheres))
    }
}

impl<'a> From<&'a [[f32; 8]]> for MovingSpheres<'a> {
    fn from(rows: &'a [[f32; 8]]) -> Self {
        MovingSpheres::from(bytemuck::cast_slice::<_, MovingSphere>(rows))
    }
}

from_lists!(MovingSpheres: MovingSphere, [f32; 8]);
