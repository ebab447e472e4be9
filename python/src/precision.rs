//! Meshes and trees in `f32` or in `f64`.

use crate::failure::Failure;

/// A mesh or a tree, in `f32` or in `f64`.
pub(crate) enum Precision<N, W> {
    F32(N),
    F64(W),
}

/// Returns the value of an expression about either form, which has the type of that form.
macro_rules! either {
    ($of:expr, $form:ident => $found:expr) => {
        match $of {
            $crate::precision::Precision::F32($form) => $found,
            $crate::precision::Precision::F64($form) => $found,
        }
    };
}
pub(crate) use either;

impl<N, W> Precision<N, W> {
    /// Returns whether numbers are `f64`s.
    pub(crate) fn is_f64(&self) -> bool {
        matches!(self, Precision::F64(_))
    }

    /// Returns the form in `f32`; an exception of this class for `f64`, which `what`, in the plural, does not take.
    pub(crate) fn f32(&self, class: &'static str, what: &str) -> Result<&N, Failure> {
        match self {
            Precision::F32(narrow) => Ok(narrow),
            Precision::F64(_) => Err(only_f32(class, what)),
        }
    }
}

/// Returns the exception for what takes `f32` only.
pub(crate) fn only_f32(class: &'static str, what: &str) -> Failure {
    let message = format!(
        "{what} take meshes in float32 only so far; make this one with dtype=numpy.float32"
    );
    Failure::Raised(class, message)
}
