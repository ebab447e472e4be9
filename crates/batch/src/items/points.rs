//! Layouts of points in memory.

use super::items_error::{check_lengths, rows};
use super::{Items, ItemsError};
use estoc_core::glam::Vec3;
use std::ops::Range;

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
#[derive(Clone, Copy, Debug)]
pub struct Points<'a>(Layout<'a>);

#[derive(Clone, Copy, Debug)]
enum Layout<'a> {
    Points(&'a [Vec3]),
    Columns([&'a [f32]; 3]),
}

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
        check_lengths(("x", x), [("y", y), ("z", z)])?;
        Ok(Points(Layout::Columns([x, y, z])))
    }

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        match self.0 {
            Layout::Points(points) => points.len(),
            Layout::Columns([x, _, _]) => x.len(),
        }
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the point at this index, or `None` if it is out of range.
    pub fn get(&self, point: usize) -> Option<Vec3> {
        match self.0 {
            Layout::Points(points) => points.get(point).copied(),
            Layout::Columns(columns) => (point < columns[0].len()).then(|| at(columns, point)),
        }
    }
}

/// Panics if `point` is out of range.
fn at(columns: [&[f32]; 3], point: usize) -> Vec3 {
    Vec3::from(columns.map(|column| column[point]))
}

impl Items for Points<'_> {
    type Item = Vec3;

    fn len(&self) -> usize {
        Points::len(self)
    }

    fn get(&self, index: usize) -> Option<Vec3> {
        Points::get(self, index)
    }

    fn chunk<'b>(&'b self, range: Range<usize>, gathered: &'b mut Vec<Vec3>) -> &'b [Vec3] {
        match self.0 {
            Layout::Points(points) => &points[range],
            Layout::Columns(columns) => {
                gathered.clear();
                gathered.extend(range.map(|point| at(columns, point)));
                gathered
            }
        }
    }
}

impl<'a> From<&'a [Vec3]> for Points<'a> {
    fn from(points: &'a [Vec3]) -> Self {
        Points(Layout::Points(points))
    }
}

impl<'a> From<&'a [[f32; 3]]> for Points<'a> {
    fn from(rows: &'a [[f32; 3]]) -> Self {
        Points::from(bytemuck::cast_slice::<_, Vec3>(rows))
    }
}

from_lists!(Points: Vec3, [f32; 3]);
