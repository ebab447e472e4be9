//! Errors of streams.

use crate::error::BatchError;

/// The reason why a stream ended early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StreamError<E> {
    /// The source failed. The answers of all earlier rays were delivered.
    #[error("the source failed at ray {ray}: {error}")]
    Source {
        /// The index of the ray that is missing, which is the number of rays before it.
        ray: u64,
        /// The error of the source.
        error: E,
    },
    /// The batch failed. Ray indices count from the start of the stream.
    #[error(transparent)]
    Batch(#[from] BatchError),
}
