//! Legends and captions of pictures.

use super::colour::{Ramp, shown};
use super::{Picture, text};

/// A colour ramp with a caption and a number at each end.
pub(crate) struct Legend<'a> {
    pub(crate) ramp: &'a Ramp,
    pub(crate) caption: &'a str,
    pub(crate) low: String,
    pub(crate) high: String,
}

const MARGIN: usize = 12;
const BAR: usize = 8;
const INK: [u8; 3] = [245, 245, 245];

impl Legend<'_> {
    /// Draws the legend into the lower left corner, if the picture is large enough.
    pub(crate) fn draw(&self, picture: &mut Picture) {
        let words = text::width(&self.low) + text::width(self.caption) + text::width(&self.high);
        let width = (words + 4 * text::width(" ")).max(160);
        let height = BAR + 4 + text::LINE;
        let (w, h) = (picture.size.width(), picture.size.height());
        if w < width + 4 * MARGIN || h < 4 * height {
            return;
        }
        let (left, top) = (MARGIN + 8, h - height - MARGIN - 6);
        let ground = [width + 16, height + 12];
        picture.fill(left - 8, top - 6, ground, [16, 16, 20], 0.75);
        for i in 0..width {
            let colour = shown(self.ramp.at(i as f32 / (width - 1) as f32));
            picture.fill(left + i, top, [1, BAR], colour, 1.0);
        }
        let line = top + BAR + 4;
        text::write(picture, left, line, INK, &self.low);
        let middle = left + (width - text::width(self.caption)) / 2;
        text::write(picture, middle, line, INK, self.caption);
        let right = left + width - text::width(&self.high);
        text::write(picture, right, line, INK, &self.high);
    }
}

/// Draws a caption into the upper left corner, if the picture is large enough.
pub(crate) fn caption(picture: &mut Picture, words: &str) {
    let ground = [text::width(words) + 16, text::LINE + 8];
    let (width, height) = (picture.size.width(), picture.size.height());
    if width < ground[0] + 2 * MARGIN || height < ground[1] + 2 * MARGIN {
        return;
    }
    picture.fill(MARGIN, MARGIN, ground, [16, 16, 20], 0.75);
    text::write(picture, MARGIN + 8, MARGIN + 4, INK, words);
}
