//! What all questions about rays take.

use crate::call::{Call, run};
use crate::failure::Failure;
use crate::options::{RayOptions, cull};
use crate::ray_input::RayInput;
use numpy::PyUntypedArray;
use pyo3::prelude::*;

/// The tuple that the Python sources pass: the rays, or the origins and the directions; t_min and
/// t_max; the sides that are culled; the mask; the number of threads; what is called with the progress.
#[derive(FromPyObject)]
pub(crate) struct RayArguments<'py>(
    Bound<'py, PyUntypedArray>,
    Option<Bound<'py, PyUntypedArray>>,
    f32,
    f32,
    Option<String>,
    u32,
    usize,
    Option<Bound<'py, PyAny>>,
);

impl RayArguments<'_> {
    /// Returns the rays and their options.
    pub(crate) fn rays(&self) -> PyResult<(RayInput, RayOptions)> {
        let RayArguments(rays, dirs, t_min, t_max, sides, mask, ..) = self;
        let rays = RayInput::of(rays, dirs.as_ref(), *t_min, *t_max)?;
        let options = RayOptions {
            cull: cull(sides.as_deref())?,
            mask: *mask,
        };
        Ok((rays, options))
    }

    /// Runs work for these rays.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Call) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let RayArguments(.., threads, progress) = self;
        run(py, *threads, progress.as_ref(), work)
    }
}
