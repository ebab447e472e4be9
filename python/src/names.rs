//! What the Python sources name by texts, which they have checked.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use serde::de::value::{Error, StrDeserializer};

/// Returns the value that serde has by this name.
pub(crate) fn named<T: DeserializeOwned>(name: &str) -> PyResult<T> {
    T::deserialize(StrDeserializer::<Error>::new(name)).map_err(|_| unknown(name))
}

/// Returns the exception for another name.
pub(crate) fn unknown(name: &str) -> PyErr {
    PyValueError::new_err(format!("there is no {name:?} here"))
}
