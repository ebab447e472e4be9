//! Why a stream ended before its source.

use crate::error::BatchError;

/// Why a stream ended before its source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StreamError<E> {
    /// The source failed. Answers of all rays before were delivered.
    #[error("no ray {ray}: {error}")]
    Source {
        /// How many rays came before, and the number of the one that did not.
        ray: u64,
        /// What the source said.
        error: E,
    },
    /// The batch failed. Rays are counted from the first of the stream.
    #[error(transparent)]
    Batch(#[from] BatchError),
}
