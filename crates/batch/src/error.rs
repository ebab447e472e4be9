//! Why a batch has no answers.

/// Why a batch has no answers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// The [`CancelToken`](estoc_core::CancelToken) was raised.
    #[error("the batch was cancelled")]
    Cancelled,
    /// The threads asked for could not be had.
    #[error("cannot start {threads} threads for the batch: {reason}; ask for fewer")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
    /// The room for answers is not as long as the rays.
    #[error("{rays} rays need room for as many answers, not {room}")]
    Room {
        /// How many rays there are.
        rays: usize,
        /// How many answers would fit.
        room: usize,
    },
}
