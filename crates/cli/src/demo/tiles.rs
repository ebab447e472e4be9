//! The picture: four shades of one view, side by side.

use crate::common::Session;
use crate::failure::Failure;
use crate::picture::{Picture, Size, legend};
use crate::shade::{Scene, Shade, paint};
use crate::view::View;
use estoc::glam::Vec3;

/// In the order of reading.
const TILES: [(Shade, &str, u32); 4] = [
    (Shade::Depth, "depth", 8),
    (Shade::Normal, "normal", 8),
    (Shade::Ao, "ambient occlusion", 12),
    (Shade::Heat, "steps of traversal", 8),
];

/// Between tiles, in pixels.
const GAP: usize = 4;

/// In the nave of the hall, a little left of its middle, looking at the far end.
const VIEW: View = View {
    eye: Vec3::new(-1.35, 2.05, -1.2),
    at: Vec3::new(0.75, 4.15, -20.0),
    up: Vec3::Y,
    fov: 58.5,
};

/// Four tiles that fill this size.
pub(super) fn paint_tiles(
    scene: &Scene<'_>,
    size: Size,
    session: &Session,
) -> Result<Picture, Failure> {
    let half = |side: usize, i: usize| match i {
        0 => side.saturating_sub(GAP) / 2,
        _ => side - (side.saturating_sub(GAP) / 2 + GAP).min(side),
    };
    let mut picture = Picture::plain(size, [255; 3]);
    for (i, (shade, words, samples)) in TILES.into_iter().enumerate() {
        let tile = Size {
            width: half(size.width, i % 2).max(1),
            height: half(size.height, i / 2).max(1),
        };
        let mut painted = paint(scene, &VIEW, tile, shade, samples, session)?;
        legend::caption(&mut painted, words);
        let left = (i % 2) * (size.width.saturating_sub(GAP) / 2 + GAP);
        let top = (i / 2) * (size.height.saturating_sub(GAP) / 2 + GAP);
        picture.put(&painted, left, top);
    }
    Ok(picture)
}
