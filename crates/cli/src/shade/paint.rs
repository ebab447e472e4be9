//! Paints the picture of a view tile by tile, with many camera rays per pixel.

use super::{Look, Scene, Shade};
use crate::common::Session;
use crate::failure::Failure;
use crate::picture::colour::shown;
use crate::picture::{Picture, Size};
use crate::view::View;
use estoc::camera::Tile;
use estoc::glam::{Vec2, Vec3};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Pixels along the side of a tile: the near rays of a task find the same nodes in the cache.
const TILE: u32 = 32;

/// Paints this view with the legend of the shade. The bytes are the same for any number of threads.
pub(crate) fn paint(
    scene: &Scene<'_>,
    view: &View,
    size: Size,
    shade: Shade,
    samples: u32,
    session: &Session,
) -> Result<Picture, Failure> {
    let tiles: Vec<Tile> = Tile::all(size.width as u32, size.height as u32, TILE).collect();
    let bar = session.progress("painting", Some(tiles.len() as u64));
    let camera = view.camera(size)?;
    let shader = shade.shader(scene, &camera, view.up.normalize_or(Vec3::Y));
    let looks_of_pixel = samples * shader.looks_per_sample();
    let corner = Vec2::new(camera.viewport().x, camera.viewport().y);
    let pixel = |x: u32, y: u32| {
        let looks = (0..looks_of_pixel).map(|number| {
            let at = Vec2::new(x as f32, y as f32) + within_pixel(number);
            let look = Look {
                ray: camera.ray(corner + at),
                place: [at.x / size.width as f32, at.y / size.height as f32],
                pixel: u64::from(y) * size.width as u64 + u64::from(x),
                number,
            };
            shader.light(scene, &look).clamp(Vec3::ZERO, Vec3::ONE)
        });
        shown(shader.develop(looks.sum::<Vec3>() / looks_of_pixel as f32))
    };
    let done = AtomicUsize::new(0);
    let painted = |&tile: &Tile| {
        let pixels = tile.pixels().map(|(x, y)| {
            session.check_interrupt()?;
            Ok(pixel(x, y))
        });
        let pixels = pixels.collect::<Result<Vec<_>, Failure>>()?;
        scene.count((tile.width * tile.height) as usize * looks_of_pixel as usize);
        bar.set(done.fetch_add(1, Ordering::Relaxed) as u64);
        let (width, height) = (tile.width as usize, tile.height as usize);
        let size = Size { width, height };
        Ok((tile, Picture { size, pixels }))
    };
    let painted: Result<Vec<_>, Failure> = tiles.par_iter().map(painted).collect();
    let mut picture = Picture::plain(size, [0; 3]);
    for (tile, part) in painted? {
        picture.put(&part, tile.x as usize, tile.y as usize);
    }
    if let Some(legend) = shader.legend() {
        legend.draw(&mut picture);
    }
    Ok(picture)
}

/// Returns the position of a camera ray in its pixel: the centre first, then evenly spread (Roberts
/// 2018).
fn within_pixel(number: u32) -> Vec2 {
    let share = |step: u32| {
        let place = number.wrapping_mul(step).wrapping_add(1 << 31);
        (place >> 8) as f32 / (1u32 << 24) as f32
    };
    Vec2::new(share(0xc13f_a9a9), share(0x91e1_0da5))
}
