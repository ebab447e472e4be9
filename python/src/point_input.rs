//! Points as an array.

use crate::ask::{Source, put};
use crate::rows::Rows;
use estoc::glam::{DVec3, Vec3};
use estoc_mesh::parts::relative_to;
use numpy::PyUntypedArray;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::ops::Range;

/// Points in an array of rows of 3 numbers.
pub(crate) struct PointInput {
    rows: Rows,
    /// The origin to which the points in `f32` are relative.
    origin: DVec3,
}

impl PointInput {
    /// Takes the rows of an array.
    pub(crate) fn of(points: &Bound<'_, PyUntypedArray>, origin: DVec3) -> PyResult<Self> {
        let rows = Rows::of(points)?;
        match rows.width() == 3 && !rows.are_integers() {
            true => Ok(PointInput { rows, origin }),
            false => Err(PyTypeError::new_err("points of another layout were passed")),
        }
    }

    /// Returns the number of points.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }
}

impl Source<Vec3> for PointInput {
    fn count(&self) -> usize {
        self.len()
    }

    fn read_into(&self, range: Range<usize>, points: &mut [Vec3]) {
        let mut places = points.iter_mut();
        let origin = self.origin;
        match origin == DVec3::ZERO {
            true => self
                .rows
                .each(range, |point: [f32; 3]| put(&mut places, point.into())),
            false => (self.rows).each_f64(range, |point| {
                put(&mut places, relative_to(origin, DVec3::from_array(point)));
            }),
        }
    }
}

impl Source<DVec3> for PointInput {
    fn count(&self) -> usize {
        self.len()
    }

    fn read_into(&self, range: Range<usize>, points: &mut [DVec3]) {
        let mut places = points.iter_mut();
        self.rows
            .each_f64(range, |point: [f64; 3]| put(&mut places, point.into()));
    }
}
