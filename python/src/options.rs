//! Options that all queries have.

use crate::call::Call;
use estoc::{Batch, Cull, QueryOptions};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Parses the name of the sides that are culled.
pub(crate) fn cull(name: Option<&str>) -> PyResult<Cull> {
    match name {
        None | Some("none") => Ok(Cull::None),
        Some("back") => Ok(Cull::Back),
        Some("front") => Ok(Cull::Front),
        Some(other) => Err(PyValueError::new_err(format!(
            "cull is {other:?}; it must be \"back\", \"front\" or None"
        ))),
    }
}

/// The options of the rays of a query.
#[derive(Clone, Copy)]
pub(crate) struct RayOptions {
    pub(crate) cull: Cull,
    pub(crate) mask: u32,
}

impl RayOptions {
    /// Returns a batch with these options.
    pub(crate) fn batch<I: Copy>(self, call: &Call) -> Batch<'_, I> {
        let options = QueryOptions::default().cull(self.cull).mask(self.mask);
        Batch::new().options(options).cancel(&call.cancel)
    }
}
