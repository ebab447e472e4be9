//! Points as an array.

use crate::ask::Source;
use crate::rows::Rows;
use estoc::glam::{DVec3, Vec3};
use numpy::PyUntypedArray;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::ops::Range;

/// Points in an array of rows of 3 numbers.
pub(crate) struct PointInput(Rows);

impl PointInput {
    /// Takes the rows of an array.
    pub(crate) fn of(points: &Bound<'_, PyUntypedArray>) -> PyResult<Self> {
        let rows = Rows::of(points)?;
        match rows.width() == 3 && !rows.are_integers() {
            true => Ok(PointInput(rows)),
            false => Err(PyTypeError::new_err("points of another layout were passed")),
        }
    }

    /// Returns the number of points.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// Implements reading for points of a type of numbers.
macro_rules! sources {
    ($($point:ident: $number:ty, $each:ident;)*) => {$(
        impl Source<$point> for PointInput {
            fn count(&self) -> usize {
                self.len()
            }

            fn none(&self) -> $point {
                $point::ZERO
            }

            fn read_into(&self, range: Range<usize>, points: &mut [$point]) {
                let mut places = points.iter_mut();
                self.0.$each(range, |point: [$number; 3]| {
                    if let Some(place) = places.next() {
                        *place = point.into();
                    }
                });
            }
        }
    )*};
}

sources! {
    Vec3: f32, each;
    DVec3: f64, each_f64;
}
