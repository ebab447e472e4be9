//! The picture: one view in four shades.

use crate::failure::Failure;
use crate::render::paint;
use crate::session::Session;
use estoc::glam::Vec3;
use estoc_picture::{Paint, Picture, Shade, Size, Target, View, ViewProjection};
use std::ops::Range;

/// The shade, caption and number of samples of each tile, in reading order.
const TILES: [(Shade, &str, u32); 4] = [
    (Shade::Depth, "depth", 8),
    (Shade::Normal, "normal", 8),
    (Shade::Ao, "ambient occlusion", 4),
    (Shade::Heat, "traversal steps", 8),
];

/// Width of the gap between tiles, in pixels.
const GAP: usize = 4;

/// The nave of the hall, seen from a little left of its middle towards the far end.
const VIEW: View = View {
    eye: Vec3::new(-1.35, 2.05, -1.2),
    at: Vec3::new(0.75, 4.15, -20.0),
    up: Vec3::Y,
    projection: ViewProjection::Perspective(58.5),
};

/// Paints four tiles that fill this size, and returns the number of rays too.
pub(super) fn paint_tiles(
    target: Target<'_>,
    size: Size,
    session: &Session,
) -> Result<(Picture, usize), Failure> {
    let (columns, rows) = (halves(size.width()), halves(size.height()));
    let mut picture = Picture::plain(size, [255; 3])?;
    let mut rays = 0;
    for (i, (shade, words, samples)) in TILES.into_iter().enumerate() {
        let (column, row) = (&columns[i % 2], &rows[i / 2]);
        let Ok(tile) = Size::try_new(column.len(), row.len()) else {
            continue; // empty
        };
        let how = Paint::new(target).shade(shade).samples(samples);
        let mut painted = paint(how, &VIEW, tile, session)?;
        painted.picture.caption(words);
        picture.put(&painted.picture, column.start, row.start);
        rays += painted.rays;
    }
    Ok((picture, rays))
}

/// Splits a side into two parts, with a gap between them if there is room for one.
fn halves(side: usize) -> [Range<usize>; 2] {
    let gap = GAP.min(side / 8);
    let half = (side - gap) / 2;
    [0..half, half + gap..side]
}
