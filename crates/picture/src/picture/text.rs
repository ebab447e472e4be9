//! Text on pictures.

use super::Picture;
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};

/// Height of a line of text in pixels.
pub(crate) const LINE: usize = 16;

/// Returns the width of a text in pixels.
pub(crate) fn width(text: &str) -> usize {
    text.chars().count() * get_raster_width(FontWeight::Regular, RasterHeight::Size16)
}

/// Draws a text with its upper left corner at (`left`, `top`). Characters beyond ASCII become
/// question marks.
pub(crate) fn write(picture: &mut Picture, left: usize, top: usize, colour: [u8; 3], text: &str) {
    let raster = |c| get_raster(c, FontWeight::Regular, RasterHeight::Size16);
    let mut x = left;
    for c in text.chars() {
        let Some(glyph) = raster(c).or_else(|| raster('?')) else {
            continue;
        };
        for (y, row) in glyph.rows().enumerate() {
            for (i, &cover) in row.iter().enumerate() {
                picture.mix(x + i, top + y, colour, f32::from(cover) / 255.0);
            }
        }
        x += glyph.width();
    }
}
