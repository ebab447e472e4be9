//! Sizes of pictures.

use std::fmt;
use std::str::FromStr;

/// The size of a picture in pixels: each side from 1 to [`Size::MOST`]. As a text, it is `WIDTHxHEIGHT`.
///
/// ```
/// use estoc_picture::Size;
/// assert_eq!("640x480".parse(), Size::new(640, 480));
/// assert!(Size::new(0, 480).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    width: usize,
    height: usize,
}

/// Not a size that a picture may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a size is WIDTHxHEIGHT, each from 1 to {most}, as in 1280x800", most = Size::MOST)]
pub struct SizeError;

impl Size {
    /// The longest side that a picture may have.
    pub const MOST: usize = 8192;

    /// Creates a size.
    ///
    /// # Errors
    /// A side is not from 1 to [`Size::MOST`].
    pub fn new(width: usize, height: usize) -> Result<Self, SizeError> {
        let is_side = |side| (1..=Size::MOST).contains(&side);
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

    /// Returns the bytes that a picture takes while it is painted in tiles and written.
    pub fn bytes_to_paint(self) -> usize {
        const PIXEL: usize = 3;
        4 * PIXEL * self.width * self.height
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
        Size::new(side(width)?, side(height)?)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}
