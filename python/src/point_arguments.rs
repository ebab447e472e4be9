//! Points as an array, and the other arguments of questions about them.

use crate::ask::Source;
use crate::call::{Call, run};
use crate::failure::Failure;
use crate::rows::Rows;
use estoc::Batch;
use estoc::glam::{DVec3, Vec3};
use numpy::PyUntypedArray;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::ops::Range;

/// Points in an array of rows of 3 numbers.
pub(crate) struct PointInput(Rows);

impl PointInput {
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

            fn none() -> $point {
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

/// The tuple that the Python sources pass: the points, the number of threads, what is called with the
/// progress.
#[derive(FromPyObject)]
pub(crate) struct PointArguments<'py>(Bound<'py, PyUntypedArray>, usize, Option<Bound<'py, PyAny>>);

impl PointArguments<'_> {
    /// Returns the points.
    pub(crate) fn points(&self) -> PyResult<PointInput> {
        let rows = Rows::of(&self.0)?;
        match rows.width() == 3 && !rows.are_integers() {
            true => Ok(PointInput(rows)),
            false => Err(PyTypeError::new_err("points of another layout were passed")),
        }
    }

    /// Does the work of a call, without the interpreter's lock.
    pub(crate) fn run<T: Send, I: Copy>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Call, Batch<'_, I>) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let PointArguments(_, threads, progress) = self;
        run(py, *threads, progress.as_ref(), |call| {
            work(call, Batch::new().cancel(&call.cancel))
        })
    }
}
