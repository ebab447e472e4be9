//! Pictures: pixels, colours, text on pictures, and PNG files.

pub(crate) mod colour;
mod difference;
pub(crate) mod legend;
pub(crate) mod png_file;
mod size;
pub(crate) mod text;

pub(crate) use difference::{Difference, difference_picture};
pub(crate) use size::Size;

/// Rows of sRGB pixels, from the top.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Picture {
    pub(crate) size: Size,
    pub(crate) pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// Creates a picture of one colour.
    pub(crate) fn plain(size: Size, colour: [u8; 3]) -> Self {
        Picture {
            size,
            pixels: vec![colour; size.width * size.height],
        }
    }

    /// Copies another picture into this one, as far as it fits.
    pub(crate) fn put(&mut self, other: &Picture, left: usize, top: usize) {
        let left = left.min(self.size.width);
        let width = other.size.width.min(self.size.width - left);
        let rows = other.pixels.chunks(other.size.width);
        for (row, y) in rows.zip(top..self.size.height) {
            let start = y * self.size.width + left;
            self.pixels[start..start + width].copy_from_slice(&row[..width]);
        }
    }

    /// Blends a colour into a pixel, if the pixel exists.
    pub(crate) fn mix(&mut self, x: usize, y: usize, colour: [u8; 3], share: f32) {
        if x < self.size.width && y < self.size.height {
            let pixel = &mut self.pixels[y * self.size.width + x];
            for (old, new) in pixel.iter_mut().zip(colour) {
                let (from, to) = (f32::from(*old), f32::from(new));
                *old = (from + share * (to - from) + 0.5) as u8;
            }
        }
    }

    /// Blends a colour into a rectangle, as far as it fits.
    pub(crate) fn fill(
        &mut self,
        left: usize,
        top: usize,
        size: Size,
        colour: [u8; 3],
        share: f32,
    ) {
        for y in top..top + size.height {
            for x in left..left + size.width {
                self.mix(x, y, colour, share);
            }
        }
    }
}
