//! What the pixels of a picture show, as hits.

use crate::error::PictureError;
use crate::paint::closest_hits;
use crate::picture::{PictureMemoryError, Size};
use crate::target::Target;
use crate::view::View;
use estoc::camera::Tile;
use estoc::scene::SceneHit;
use estoc_system::has_room;
use rayon::prelude::*;

/// Pixels along the side of a tile, whose rays are close together.
const TILE: u32 = 32;

/// Returns the closest hits of the rays through the centres of all pixels, row by row from the top. Works
/// in rayon's current pool.
///
/// ```
/// use estoc::{Bvh, demo::DemoSpec, scene::SceneSnapshot};
/// use estoc_picture::{Size, Target, ViewOptions, closest_hits_of};
/// let mesh = "sphere?n=200".parse::<DemoSpec>()?.mesh();
/// let world = SceneSnapshot::of_mesh(Bvh::build(&mesh))?;
/// let (target, size) = (Target::mesh(&world, &mesh), Size::try_new(40, 30)?);
/// let view = ViewOptions::new().view(target, size)?;
/// let hits = closest_hits_of(target, &view, size)?;
/// assert_eq!(hits.len(), 40 * 30);
/// assert!(hits[0].is_none() && hits[40 * 15 + 20].is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PictureError::Camera`], [`PictureError::NoMemory`].
pub fn closest_hits_of(
    target: Target<'_>,
    view: &View,
    size: Size,
) -> Result<Vec<Option<SceneHit>>, PictureError> {
    let camera = view.camera(size)?;
    // With those of the tiles.
    let bytes = 2 * size.pixel_count() * size_of::<Option<SceneHit>>();
    if !has_room(bytes) {
        return Err(PictureMemoryError::new(size, bytes).into());
    }
    let (width, height) = (size.width() as u32, size.height() as u32);
    let tiles: Vec<Tile> = Tile::all(width, height, TILE).collect();
    let parts = tiles.par_iter().map(|&tile| {
        let rays: Vec<_> = camera.tile_rays(tile).collect();
        Ok((tile, closest_hits(target, &rays)?))
    });
    let parts = parts.collect::<Result<Vec<_>, PictureError>>()?;
    let mut hits = vec![None; size.pixel_count()];
    for (tile, part) in parts {
        let (left, top, across) = (tile.x as usize, tile.y as usize, tile.width as usize);
        for (row, part) in part.chunks(across).enumerate() {
            let start = (top + row) * size.width() + left;
            hits[start..start + across].copy_from_slice(part);
        }
    }
    Ok(hits)
}
