//! The error of pixels that memory does not hold.

use super::Size;

/// The system has too little memory for the pixels of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "not enough memory for a picture of {size} pixels, which may take {bytes} bytes; free some, or choose a \
     smaller size"
)]
#[non_exhaustive]
pub struct PictureMemoryError {
    /// The size of the picture.
    pub size: Size,
    /// The number of bytes needed.
    pub bytes: usize,
}

impl PictureMemoryError {
    pub(crate) fn new(size: Size, bytes: usize) -> Self {
        PictureMemoryError { size, bytes }
    }
}
