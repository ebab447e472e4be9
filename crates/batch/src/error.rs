//! Errors of batches.

use estoc_core::{CancelToken, QueryError, QuerySliceError, SurfaceError};

/// The reason why a batch failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// The [`CancelToken`](estoc_core::CancelToken) was raised.
    #[error("the batch was cancelled")]
    Cancelled,
    /// The requested threads could not be started, or are more than 1,024.
    #[error("cannot start {} for the batch: {reason}; request fewer", counted(*.threads, "thread"))]
    Threads {
        /// The number of threads requested.
        threads: usize,
        /// The reason, such as the error message of the system.
        reason: String,
    },
    /// The requested chunk size is too large.
    #[error("a chunk has at most {most} rays, not {rays}; set a smaller Batch::chunk_size")]
    ChunkSize {
        /// The chunk size requested.
        rays: usize,
        /// The largest one.
        most: usize,
    },
    /// The number of places for answers is not the number of rays.
    #[error("the output has room for {} instead of {rays}", counted(*.room, "answer"))]
    Room {
        /// The number of rays.
        rays: usize,
        /// The number of places for answers.
        room: usize,
    },
    /// The length of a list is not the number of rays.
    #[error("the number of {what} is {found} instead of {rays}, one for each ray")]
    Length {
        /// The elements of the list: options, flags or directions.
        what: &'static str,
        /// The number of rays.
        rays: usize,
        /// The length of the list.
        found: usize,
    },
    /// The options of a ray are invalid; it is the first such ray.
    #[error("ray {ray}: {error}")]
    Query {
        /// The index of the ray.
        ray: usize,
        /// The error of its query.
        error: QueryError,
    },
    /// The rays have more hits than [`Batch::max_hits`](crate::Batch::max_hits) allows.
    #[error("{}", too_many_hits(*.limit, *.ray))]
    TooManyHits {
        /// The greatest number of hits that is allowed.
        limit: usize,
        /// The first ray whose hits, with those of all rays before it, exceed the limit.
        ray: usize,
    },
    /// The system does not have enough memory for the hits of all rays, or for a block of a stream.
    #[error(
        "not enough memory for the rays from ray {ray} on, or their hits; free some, or query fewer \
         rays at a time"
    )]
    NoMemory {
        /// A ray for whose hits the memory was not enough, or a ray before it.
        ray: usize,
    },
    /// The engine failed, such as one that has a device trace rays; it tells why.
    #[error("ray {ray} has no answer, as the engine failed; ask the engine for the reason")]
    Engine {
        /// The index of a ray without an answer.
        ray: usize,
    },
    /// Options are set that apply to rays, but not to points, moving spheres and regions.
    #[error(
        "the options cull, skip, after and mask apply to rays only; query points, spheres and \
         regions with a batch without them"
    )]
    RaysOnly,
    /// The surface has no inside by the rule of the question.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// A stream was given a list with an element for each ray.
    #[error(
        "a stream has no fixed length, so it takes no list of {what}; filter the rays at the source"
    )]
    Endless {
        /// The elements of the list: options, flags or directions.
        what: &'static str,
    },
}

/// Formats a count with its noun, as in "1 ray" and "2 rays".
fn counted(n: usize, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{plural}")
}

fn too_many_hits(limit: usize, ray: usize) -> String {
    let hits = counted(limit, "hit");
    match ray {
        0 => format!("ray 0 has more than {hits}; raise the limit, or query the first hits only"),
        _ => format!(
            "rays 0 to {ray} have more than {hits}; query the rays before ray {ray} and the rest \
             separately, or raise the limit"
        ),
    }
}

impl BatchError {
    /// Returns [`BatchError::Cancelled`] if there is a token that was raised.
    pub(crate) fn if_cancelled(token: Option<&CancelToken>) -> Result<(), Self> {
        match token.is_some_and(CancelToken::is_cancelled) {
            true => Err(BatchError::Cancelled),
            false => Ok(()),
        }
    }

    /// Converts the error of a slice of rays that starts at ray `first`.
    pub(crate) fn of_many(error: QuerySliceError, first: usize) -> Self {
        let error = match error {
            QuerySliceError::Query { ray, error } => BatchError::Query { ray, error },
            QuerySliceError::NoMemory { ray } => BatchError::NoMemory { ray },
            QuerySliceError::Engine { ray } => BatchError::Engine { ray },
            QuerySliceError::Length { what, rays, found } => {
                BatchError::Length { what, rays, found }
            }
            // Any future error ends the batch, too.
            _ => BatchError::Cancelled,
        };
        error.after(first as u64)
    }

    /// Returns the same error with its ray number increased by `rays`.
    pub(crate) fn after(mut self, rays: u64) -> Self {
        if let BatchError::Query { ray, .. }
        | BatchError::TooManyHits { ray, .. }
        | BatchError::NoMemory { ray }
        | BatchError::Engine { ray } = &mut self
        {
            *ray = ray.saturating_add(usize::try_from(rays).unwrap_or(usize::MAX));
        }
        self
    }
}
