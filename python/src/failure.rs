//! What a call may fail with, as exceptions.

use estoc::io::TreeFileError;
use estoc::{BatchError, BuildError, MeshError};
use estoc_mesh::parts::without_error_numbers;
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;
use std::io::ErrorKind;

/// The reason why a call failed.
pub(crate) enum Failure {
    /// The calling thread asked for it.
    Cancelled,
    /// An exception that the package defines, and its message.
    Raised(&'static str, String),
    /// A number of a triangle that there is not.
    Index(String),
    /// The system has no such number of threads.
    Threads(String),
    /// The system has no memory.
    Memory(String),
}

impl Failure {
    /// Returns the exception.
    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Failure::Cancelled => PyRuntimeError::new_err("the call was cancelled"),
            Failure::Raised(class, message) => {
                exception(py, class, without_error_numbers(&message))
            }
            Failure::Index(message) => PyIndexError::new_err(message),
            Failure::Threads(message) => PyRuntimeError::new_err(without_error_numbers(&message)),
            Failure::Memory(message) => PyMemoryError::new_err(message),
        }
    }
}

/// Returns an exception of the module `estoc._errors`.
fn exception(py: Python<'_>, class: &str, message: String) -> PyErr {
    let class = py
        .import("estoc._errors")
        .and_then(|module| module.getattr(class));
    match class.and_then(|class| class.call1((message,))) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

impl From<BatchError> for Failure {
    fn from(error: BatchError) -> Self {
        let message = error.to_string();
        match error {
            BatchError::Cancelled => Failure::Cancelled,
            BatchError::Threads { .. } => Failure::Threads(message),
            BatchError::NoMemory { .. } => Failure::Memory(message),
            BatchError::Surface(_) => Failure::Raised("SurfaceError", message),
            _ => Failure::Raised("QueryError", message),
        }
    }
}

impl From<MeshError> for Failure {
    fn from(error: MeshError) -> Self {
        // The advice of the library is for programs in Rust.
        let advice = match error.can_skip() {
            true => "; estoc.Mesh with bad_faces=\"skip\" leaves such faces out",
            false => "",
        };
        let message = format!("{}{advice}", error.without_advice());
        match error {
            MeshError::Cancelled { .. } => Failure::Cancelled,
            MeshError::NoMemory { .. } => Failure::Memory(message),
            MeshError::Io { .. } => Failure::Raised("FileError", message),
            _ => Failure::Raised("MeshError", message),
        }
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        let message = error.to_string();
        match error {
            BuildError::Cancelled => Failure::Cancelled,
            BuildError::NoMemory { .. } => Failure::Memory(message),
            BuildError::Threads { .. } => Failure::Threads(message),
            _ => Failure::Raised("BuildError", message),
        }
    }
}

impl From<TreeFileError> for Failure {
    fn from(error: TreeFileError) -> Self {
        let message = error.to_string();
        match &error {
            TreeFileError::Cancelled { .. } => Failure::Cancelled,
            TreeFileError::NoMemory { .. } => Failure::Memory(message),
            TreeFileError::Io { source, .. } if source.kind() == ErrorKind::OutOfMemory => {
                Failure::Memory(message)
            }
            TreeFileError::Io { .. } => Failure::Raised("FileError", message),
            _ => Failure::Raised("TreeFileError", message),
        }
    }
}
