//! Sizes of pictures.

use std::fmt;
use std::str::FromStr;

/// The size of a picture in pixels: each side from 1 to [`Size::MAX_SIDE`]. As a text, it is `WIDTHxHEIGHT`.
///
/// ```
/// use estoc_picture::Size;
/// assert_eq!("640x480".parse(), Size::try_new(640, 480));
/// assert!(Size::try_new(0, 480).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    width: usize,
    height: usize,
}

/// Not a size that a picture may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a size is WIDTHxHEIGHT, each from 1 to {max}, as in 1280x800", max = Size::MAX_SIDE)]
pub struct SizeError;

impl Size {
    /// The longest side that a picture may have.
    pub const MAX_SIDE: usize = 8192;

    /// Creates a size.
    ///
    /// # Errors
    /// A side is not from 1 to [`Size::MAX_SIDE`].
    pub fn try_new(width: usize, height: usize) -> Result<Self, SizeError> {
        let is_side = |side| (1..=Size::MAX_SIDE).contains(&side);
        match is_side(width) && is_side(height) {
            true => Ok(Size { width, height }),
            false => Err(SizeError),
        }
    }

    /// Returns the number of columns.
    pub fn width(self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(self) -> usize {
        self.height
    }

    /// Returns the width divided by the height.
    pub fn aspect(self) -> f32 {
        self.width as f32 / self.height as f32
    }

    /// Returns the number of pixels.
    pub fn pixel_count(self) -> usize {
        self.width * self.height
    }

    /// Returns the bytes that painting a picture may take, with a picture to compare with and one of the
    /// differences.
    pub fn bytes_to_paint(self) -> usize {
        const PIXEL: usize = 3;
        4 * PIXEL * self.pixel_count()
    }

    /// Creates the size of a part of a picture, whose sides are as they may be.
    pub(crate) fn of_part(width: usize, height: usize) -> Self {
        Size { width, height }
    }
}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let (width, height) = text.split_once('x').ok_or(SizeError)?;
        let side = |text: &str| text.parse().map_err(|_| SizeError);
        Size::try_new(side(width)?, side(height)?)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}
