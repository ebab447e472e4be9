//! Layouts of moving spheres in memory.

use super::Items;
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
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } }
/// use estoc::{Batch, BruteForce, Triangle, batch::MovingSpheres};
/// let engine = BruteForce::new([Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])]);
/// let numbers = [1.0, 1.0, 5.0, 0.0, 0.0, -2.0, 1.0, f32::INFINITY];
/// let found = Batch::new().sweep_spheres(&engine, MovingSpheres::rows_of_8(&numbers)?)?;
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

/// The reason why numbers cannot be used as moving spheres.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MovingSpheresError {
    /// The arrays of numbers differ in length.
    #[error(
        "the length of {array} is {found} instead of {spheres}, the length of cx; each array needs \
         one number per sphere"
    )]
    Lengths {
        /// The array whose length differs from that of `cx`.
        array: &'static str,
        /// The length of `cx`.
        spheres: usize,
        /// The length of this array.
        found: usize,
    },
    /// A flat list of numbers ends within a sphere.
    #[error("the length {numbers} is not a multiple of 8 ({} left over)", numbers % 8)]
    Rows {
        /// The number of numbers.
        numbers: usize,
    },
}

impl<'a> MovingSpheres<'a> {
    /// Wraps a flat list of numbers, eight per sphere: cx, cy, cz, vx, vy, vz, radius, t_max.
    ///
    /// # Errors
    /// [`MovingSpheresError::Rows`] when the last sphere is incomplete.
    pub fn rows_of_8(numbers: &'a [f32]) -> Result<Self, MovingSpheresError> {
        match numbers.as_chunks::<8>() {
            (rows, []) => Ok(MovingSpheres::from(rows)),
            _ => Err(MovingSpheresError::Rows {
                numbers: numbers.len(),
            }),
        }
    }

    /// Wraps an array per number, all of the same length: the coordinates of the centres and of the
    /// velocities, the radii, and the greatest times, infinite if `None`.
    ///
    /// # Errors
    /// [`MovingSpheresError::Lengths`] when the lengths differ.
    pub fn from_columns(
        center: [&'a [f32]; 3],
        velocity: [&'a [f32]; 3],
        radius: &'a [f32],
        t_max: Option<&'a [f32]>,
    ) -> Result<Self, MovingSpheresError> {
        const NAMES: [&str; 8] = ["cx", "cy", "cz", "vx", "vy", "vz", "radius", "t_max"];
        let ([cx, cy, cz], [vx, vy, vz]) = (center, velocity);
        let columns = [cx, cy, cz, vx, vy, vz, radius];
        let spheres = cx.len();
        for (array, column) in NAMES.into_iter().zip(columns.into_iter().chain(t_max)) {
            let found = column.len();
            if found != spheres {
                return Err(MovingSpheresError::Lengths {
                    array,
                    spheres,
                    found,
                });
            }
        }
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
