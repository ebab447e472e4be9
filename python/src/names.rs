//! What the Python sources name by texts, which they have checked.

use estoc::query::SignRule;
use estoc::{Cull, Quality};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Returns the sides that are culled.
pub(crate) fn cull(name: Option<&str>) -> PyResult<Cull> {
    match name {
        None | Some("none") => Ok(Cull::None),
        Some("back") => Ok(Cull::Back),
        Some("front") => Ok(Cull::Front),
        Some(other) => Err(unknown(other)),
    }
}

/// Returns the quality of a tree.
pub(crate) fn quality(name: &str) -> PyResult<Quality> {
    match name {
        "fast" => Ok(Quality::Fast),
        "balanced" => Ok(Quality::Balanced),
        "best" => Ok(Quality::Best),
        _ => Err(unknown(name)),
    }
}

/// Returns the rule that decides whether a point is inside.
pub(crate) fn sign_rule(name: &str) -> PyResult<SignRule> {
    match name {
        "parity" => Ok(SignRule::Parity),
        "winding_number" => Ok(SignRule::WindingNumber),
        "winding_estimate" => Ok(SignRule::WindingEstimate),
        _ => Err(unknown(name)),
    }
}

/// Returns the exception for another name.
pub(crate) fn unknown(name: &str) -> PyErr {
    PyValueError::new_err(format!("there is no {name:?} here"))
}
