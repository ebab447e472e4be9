//! Pictures: pixels, colours, text on pictures, and PNG files.

pub(crate) mod colour;
mod difference;
pub(crate) mod legend;
mod memory_error;
mod png_file;
mod size;
mod text;

pub use difference::{Difference, DifferenceError, difference_picture};
pub use memory_error::PictureMemoryError;
pub use png_file::{PngError, write_rgba_png};
pub use size::{Size, SizeError};

/// Rows of sRGB pixels, from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    size: Size,
    /// As many as the size says.
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// Creates a picture of one colour.
    ///
    /// # Errors
    /// [`PictureMemoryError`].
    pub fn plain(size: Size, colour: [u8; 3]) -> Result<Self, PictureMemoryError> {
        let pixels = repeated(colour, size.pixel_count());
        match pixels {
            Some(pixels) => Ok(Picture { size, pixels }),
            None => Err(PictureMemoryError::new(size, 3 * size.pixel_count())),
        }
    }

    /// Returns the size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the pixels, row by row from the top.
    pub fn pixels(&self) -> &[[u8; 3]] {
        &self.pixels
    }

    /// Returns a pixel by its column and its row from the upper left corner; `None` beyond the picture.
    pub fn pixel(&self, x: usize, y: usize) -> Option<[u8; 3]> {
        let is_in = x < self.size.width() && y < self.size.height();
        is_in.then(|| self.pixels[y * self.size.width() + x])
    }

    /// Returns the pixels as four bytes each, row by row from the top, all opaque.
    ///
    /// # Errors
    /// [`PictureMemoryError`].
    pub fn rgba(&self) -> Result<Vec<u8>, PictureMemoryError> {
        let bytes = 4 * self.pixels.len();
        let mut rgba = repeated(u8::MAX, bytes).ok_or(PictureMemoryError::new(self.size, bytes))?;
        let (places, _) = rgba.as_chunks_mut::<4>();
        for (place, &[r, g, b]) in places.iter_mut().zip(&self.pixels) {
            *place = [r, g, b, u8::MAX];
        }
        Ok(rgba)
    }

    /// Copies another picture into this one, as far as it fits.
    pub fn put(&mut self, other: &Picture, left: usize, top: usize) {
        let across = self.size.width();
        let left = left.min(across);
        let width = other.size.width().min(across - left);
        let rows = other.pixels.chunks(other.size.width());
        for (row, y) in rows.zip(top..self.size.height()) {
            let start = y * across + left;
            self.pixels[start..start + width].copy_from_slice(&row[..width]);
        }
    }

    /// Draws a caption into the upper left corner, if the picture is large enough. Characters beyond
    /// ASCII become question marks.
    pub fn caption(&mut self, words: &str) {
        legend::caption(self, words);
    }

    /// Sets a pixel that exists.
    pub(crate) fn set(&mut self, x: usize, y: usize, colour: [u8; 3]) {
        self.pixels[y * self.size.width() + x] = colour;
    }

    /// Blends a colour into a pixel, if the pixel exists.
    fn mix(&mut self, x: usize, y: usize, colour: [u8; 3], share: f32) {
        if x < self.size.width() && y < self.size.height() {
            let pixel = &mut self.pixels[y * self.size.width() + x];
            for (old, new) in pixel.iter_mut().zip(colour) {
                let (from, to) = (f32::from(*old), f32::from(new));
                *old = (from + share * (to - from) + 0.5) as u8;
            }
        }
    }

    /// Blends a colour into a rectangle, as far as it fits.
    fn fill(&mut self, left: usize, top: usize, size: [usize; 2], colour: [u8; 3], share: f32) {
        let [width, height] = size;
        for y in top..top + height {
            for x in left..left + width {
                self.mix(x, y, colour, share);
            }
        }
    }
}

/// Returns a list of one value; `None` if the system has no memory for it.
fn repeated<T: Clone>(value: T, count: usize) -> Option<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).ok()?;
    list.resize(count, value);
    Some(list)
}
