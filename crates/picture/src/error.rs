//! The reasons why a picture cannot be painted.

use crate::picture::PictureMemoryError;
use crate::shade::Shade;
use crate::watch::WorkCancelled;
use estoc::BatchError;
use estoc::camera::CameraError;

/// The reason why a picture cannot be painted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The view has no camera.
    #[error("{0}")]
    Camera(#[from] CameraError),
    /// The target does not have what the shade shows.
    #[error("the shade {shade} needs {needed}; choose another shade")]
    Shade {
        /// The shade.
        shade: Shade,
        /// What it needs, in words.
        needed: &'static str,
    },
    /// The number of samples is 0 or too large.
    #[error("{given} samples were requested; a picture has from 1 to {max}")]
    Samples {
        /// The number of samples.
        given: u32,
        /// The largest number.
        max: u32,
    },
    /// The system has too little memory.
    #[error("{0}")]
    NoMemory(#[from] PictureMemoryError),
    /// A query of many rays failed.
    #[error("{0}")]
    Batch(BatchError),
    /// The work was cancelled: painting, or choosing a view.
    #[error("the picture was cancelled")]
    Cancelled,
}

impl From<BatchError> for PictureError {
    fn from(error: BatchError) -> Self {
        match error {
            BatchError::Cancelled => PictureError::Cancelled,
            error => PictureError::Batch(error),
        }
    }
}

impl From<WorkCancelled> for PictureError {
    fn from(_: WorkCancelled) -> Self {
        PictureError::Cancelled
    }
}
