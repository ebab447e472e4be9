//! The rays of whole pictures and of tiles.

use super::Camera;
use crate::shapes::Ray;
use glam::DVec2;

/// A rectangle of pixels, counted from the top left of a picture.
///
/// The rays of a tile start close together and have similar directions, so they visit the same
/// parts of a tree. Tiles also divide work evenly between threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tile {
    /// The leftmost column.
    pub x: u32,
    /// The topmost row.
    pub y: u32,
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
}

impl Tile {
    /// Returns the tiles of a picture, each pixel in exactly one: squares of `side` pixels, cut off
    /// at the right and at the bottom, in rows from the top. A side of 0 counts as 1. A picture
    /// without pixels has no tiles.
    ///
    /// ```
    /// # mod estoc { pub mod camera { pub use estoc_core::*; } }
    /// use estoc::camera::Tile;
    /// let tiles: Vec<Tile> = Tile::all(20, 9, 16).collect();
    /// assert_eq!(tiles, [
    ///     Tile { x: 0, y: 0, width: 16, height: 9 },
    ///     Tile { x: 16, y: 0, width: 4, height: 9 },
    /// ]);
    /// ```
    pub fn all(width: u32, height: u32, side: u32) -> impl ExactSizeIterator<Item = Tile> + Clone {
        let side = side.max(1);
        let columns = width.div_ceil(side);
        grid(columns, height.div_ceil(side)).map(move |(column, row)| {
            let (x, y) = (column * side, row * side);
            Tile {
                x,
                y,
                width: side.min(width - x),
                height: side.min(height - y),
            }
        })
    }

    /// Returns the tile's pixels as (column, row), in rows from the top. Columns and rows past
    /// `u32::MAX` are left out.
    pub fn pixels(self) -> impl ExactSizeIterator<Item = (u32, u32)> {
        // The number of columns from x on, or one less: a tile has at most u32::MAX columns.
        let width = self.width.min((u32::MAX - self.x).saturating_add(1));
        let height = self.height.min((u32::MAX - self.y).saturating_add(1));
        grid(width, height).map(move |(column, row)| (self.x + column, self.y + row))
    }
}

/// Returns all pairs (column, row) below these numbers, row by row.
///
/// At most `usize::MAX` pairs, which is a limit only on 32-bit targets.
fn grid(columns: u32, rows: u32) -> impl ExactSizeIterator<Item = (u32, u32)> + Clone {
    let count = usize::try_from(u64::from(columns) * u64::from(rows)).unwrap_or(usize::MAX);
    (0..count).map(move |i| {
        let i = i as u64;
        let columns = u64::from(columns);
        ((i % columns) as u32, (i / columns) as u32)
    })
}

impl Camera {
    /// Returns the rays through the centres of all pixels of a picture of `width` by `height`
    /// pixels that fills the viewport, in rows from the top left. Each has a direction of length 1,
    /// and equals that of [`Camera::ray`] if the viewport has the same number of pixels.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod camera { pub use estoc_core::*; } }
    /// use estoc::{Camera, camera::{FieldOfView, Viewport}};
    /// let camera = Camera::look_at(
    ///     Viewport::new(640.0, 480.0), [0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0],
    ///     FieldOfView::vertical_degrees(60.0),
    /// )?;
    /// let rays: Vec<_> = camera.rays(640, 480).collect();
    /// assert_eq!(rays[640 * 240 + 320], camera.ray([320.5, 240.5]));
    /// assert_eq!(camera.rays(64, 48).len(), 64 * 48); // the same view, more coarsely
    /// # Ok::<(), estoc::camera::CameraError>(())
    /// ```
    pub fn rays(&self, width: u32, height: u32) -> impl ExactSizeIterator<Item = Ray> + Clone + '_ {
        let viewport = self.viewport();
        let step = DVec2::new(
            f64::from(viewport.width) / f64::from(width),
            f64::from(viewport.height) / f64::from(height),
        );
        grid(width, height).map(move |(column, row)| {
            let centre = DVec2::new(f64::from(column) + 0.5, f64::from(row) + 0.5);
            self.line(centre * step).normalized().rounded()
        })
    }

    /// Returns the rays through the centres of a tile's pixels, in the order of [`Tile::pixels`].
    ///
    /// Pixels count from the viewport's top left corner: pixel (0, 0) has its centre half a pixel
    /// right of and below it. Each ray is that of [`Camera::ray`], with a direction of length 1. A
    /// picture that fills the viewport is `Tile::all(width, height, side)`; pixels outside of the
    /// viewport have rays too.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod camera { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, Camera, RayQuery, Triangle, camera::{FieldOfView, Tile, Viewport}};
    /// let camera = Camera::look_at(
    ///     Viewport::new(64.0, 48.0), [0.0, 0.0, 4.0], [0.0; 3], [0.0, 1.0, 0.0],
    ///     FieldOfView::VerticalRadians(0.8),
    /// )?;
    /// let scene = BruteForce::new(vec![Triangle::new([-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0])]);
    /// let mut covered = 0;
    /// for tile in Tile::all(64, 48, 16) {
    ///     covered += camera.tile_rays(tile).filter(|ray| scene.any_hit(ray)).count();
    /// }
    /// assert_eq!(covered, 392); // the triangle has the area of 402.8 pixels
    /// # Ok::<(), estoc::camera::CameraError>(())
    /// ```
    pub fn tile_rays<'a>(&'a self, tile: Tile) -> impl ExactSizeIterator<Item = Ray> + 'a {
        tile.pixels().map(|(column, row)| {
            let centre = DVec2::new(f64::from(column) + 0.5, f64::from(row) + 0.5);
            self.line(centre).normalized().rounded()
        })
    }
}
