//! Why a batch has no answers.

use estoc_core::{QueryError, QuerySliceError};

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
    /// There is not one of something for each ray.
    #[error("{rays} rays need as many {what}, not {found}")]
    Length {
        /// Options or flags.
        what: &'static str,
        /// How many rays there are.
        rays: usize,
        /// How many of the other there are.
        found: usize,
    },
    /// One ray's options ask for what cannot be answered. It is the first such ray.
    #[error("ray {ray}: {error}")]
    Query {
        /// The ray, counted from 0.
        ray: usize,
        /// What is wrong.
        error: QueryError,
    },
    /// All hits of all rays are more than [`Batch::max_hits`](crate::Batch::max_hits) allows.
    #[error(
        "up to ray {ray} there are more than {limit} hits; ask about the {ray} rays before it \
         and then about the rest, or allow more"
    )]
    TooManyHits {
        /// How many are allowed.
        limit: usize,
        /// The first ray whose hits are too many together with those of all rays before it.
        ray: usize,
    },
    /// The system does not have the memory that the hits of all rays take.
    #[error(
        "no memory for all hits of the rays from ray {ray} on; free some, or ask about fewer rays \
         at a time"
    )]
    NoMemory {
        /// A ray whose hits there was no memory for, or one before it.
        ray: usize,
    },
    /// Options are set, which mean something for rays, but nothing for points.
    #[error(
        "options (cull, skip, after, mask) are for rays, not for points; ask about points in a \
         batch without them"
    )]
    RaysOnly,
    /// A stream of rays cannot have a list of something for each of them.
    #[error("a stream has no end that a list of {what} could match; leave rays out at the source")]
    Endless {
        /// Options or flags.
        what: &'static str,
    },
}

impl BatchError {
    /// What went wrong with rays that begin at this one.
    pub(crate) fn of_many(error: QuerySliceError, first: usize) -> Self {
        match error {
            QuerySliceError::Query { ray, error } => BatchError::Query {
                ray: first.saturating_add(ray),
                error,
            },
            QuerySliceError::NoMemory { ray } => BatchError::NoMemory {
                ray: first.saturating_add(ray),
            },
            QuerySliceError::Length { what, rays, found } => {
                BatchError::Length { what, rays, found }
            }
            // Nothing else is known now; whatever it will be, it stopped this.
            _ => BatchError::Cancelled,
        }
    }

    /// Returns the same error with its ray number increased by `rays`.
    pub(crate) fn after(mut self, rays: u64) -> Self {
        if let BatchError::Query { ray, .. }
        | BatchError::TooManyHits { ray, .. }
        | BatchError::NoMemory { ray } = &mut self
        {
            *ray = ray.saturating_add(usize::try_from(rays).unwrap_or(usize::MAX));
        }
        self
    }
}
