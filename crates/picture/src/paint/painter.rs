//! Paints pictures tile by tile, with many camera rays per pixel.

use crate::error::PictureError;
use crate::picture::colour::shown;
use crate::picture::{Picture, Size};
use crate::shade::{CountedTarget, Look, SKY_RAYS, Shader, Sight, SkyRay, SkyRays};
use crate::target::Target;
use estoc::batch::Coherence;
use estoc::camera::Tile;
use estoc::engine::Technique;
use estoc::glam::{Vec2, Vec3};
use estoc::scene::{SceneHit, ScenePrim};
use estoc::{Batch, Camera, QueryOptions, Ray};
use std::ops::Range;

/// The number of camera rays that are traced together, if a tile has that many.
const TOGETHER: usize = 4096;
/// The same for another engine than the tree, which may be far away: all of a tile, where they are adjacent.
const TOGETHER_ELSEWHERE: usize = 1 << 14;
/// The largest number of adjacent rays in one pixel.
const ADJACENT: u32 = 16;

/// Paints the tiles of one picture.
pub(super) struct Painter<'a> {
    pub(super) scene: &'a CountedTarget<'a>,
    pub(super) camera: &'a Camera,
    pub(super) size: Size,
    pub(super) shader: &'a dyn Shader,
    /// The number of camera rays per pixel.
    pub(super) looks: u32,
}

impl Painter<'_> {
    /// Returns the bytes that a thread takes for a tile: the rays that are traced together, in lists that double
    /// as they grow, with up to [`SKY_RAYS`] towards the sky from each.
    pub(super) fn bytes(target: Target<'_>) -> usize {
        let look = 2 * size_of::<(Look, Option<SceneHit>)>() + size_of::<Look>() + size_of::<Ray>();
        let sky_options = size_of::<QueryOptions<ScenePrim>>();
        let sky = 2 * (size_of::<Ray>() + sky_options) + size_of::<SkyRay>() + 1;
        // The other half is for what a batch takes.
        2 * together(target) * (look + SKY_RAYS * sky)
    }

    /// Paints a tile. `sums` is the light of the rays up to that of the number `first` in each pixel, and
    /// then of all; empty if there is none.
    ///
    /// Rays are traced in an order in which each 16 and each 256 of them are close together: pixels
    /// along a Z-order curve (Morton 1966), and up to sixteen rays of a pixel in a row.
    pub(super) fn paint(
        &self,
        tile: Tile,
        first: u32,
        sums: &mut Vec<Vec3>,
    ) -> Result<Picture, PictureError> {
        let pixels = z_ordered(tile);
        let (width, height) = (tile.width as usize, tile.height as usize);
        let mut picture = Picture::plain(Size::of_part(width, height), [0; 3])?;
        let adjacent = (self.looks - first).clamp(1, ADJACENT);
        sums.resize(pixels.len(), Vec3::ZERO);
        let together = together(self.scene.target) / adjacent as usize;
        for (pixels, sums) in pixels.chunks(together).zip(sums.chunks_mut(together)) {
            for first in (first..self.looks).step_by(adjacent as usize) {
                self.scene.watch.check()?;
                let numbers = first..self.looks.min(first + adjacent);
                self.add(pixels, numbers, sums)?;
            }
            for (&(x, y), sum) in pixels.iter().zip(sums) {
                let light = self.shader.develop(*sum / self.looks as f32);
                let (column, row) = ((x - tile.x) as usize, (y - tile.y) as usize);
                picture.set(column, row, shown(light));
            }
        }
        Ok(picture)
    }

    /// Adds, to the sum of each pixel, the light of its rays of these numbers.
    fn add(
        &self,
        pixels: &[(u32, u32)],
        numbers: Range<u32>,
        sums: &mut [Vec3],
    ) -> Result<(), PictureError> {
        let looks = (pixels.iter())
            .flat_map(|&pixel| numbers.clone().map(move |number| self.look(pixel, number)));
        let looks: Vec<(Look, Option<SceneHit>)> = match self.shader.needs_hits() {
            false => looks.map(|look| (look, None)).collect(),
            true => {
                let looks: Vec<Look> = looks.collect();
                let rays: Vec<Ray> = looks.iter().map(|look| look.ray).collect();
                let hits = closest_hits(self.scene.target, &rays)?;
                looks.into_iter().zip(hits).collect()
            }
        };
        self.scene.count(looks.len());
        let (sky, ends) = self.sky(&looks)?;
        let mut first = 0;
        for (i, ((look, hit), end)) in looks.iter().zip(ends).enumerate() {
            let light = self.shader.light(&self.sight(look, hit), &sky[first..end]);
            let light = light.unwrap_or_else(|| self.shader.backdrop(look));
            sums[i / numbers.len()] += light.clamp(Vec3::ZERO, Vec3::ONE);
            first = end;
        }
        Ok(())
    }

    /// Returns whether something is in the way of each ray.
    fn any_hits(&self, rays: &SkyRays) -> Result<Vec<bool>, PictureError> {
        let target = self.scene.target;
        let SkyRays { rays, from } = rays;
        // Options of a scene are several times as large as those of a mesh.
        if let Some(bvh) = target.bvh() {
            let from = from.iter().map(|from| from.prim);
            let options = from.map(|from| QueryOptions::new().skip(Some(from)));
            let options: Vec<_> = options.collect();
            let batch = Batch::new().threads(1).options_each(&options);
            return Ok(match target.engine() {
                Some(engine) => all_at_once(batch, rays).any_hits(engine, rays)?,
                None => batch.any_hits(bvh, rays)?,
            });
        }
        let options = from
            .iter()
            .map(|&from| QueryOptions::default().skip(Some(from)));
        let options: Vec<_> = options.collect();
        let batch = Batch::new().threads(1).options_each(&options);
        Ok(batch.any_hits(target.world(), rays)?)
    }

    /// Casts the rays towards the sky of these camera rays. Returns them, and for each camera ray
    /// the number of those up to its last one.
    fn sky(
        &self,
        looks: &[(Look, Option<SceneHit>)],
    ) -> Result<(Vec<SkyRay>, Vec<usize>), PictureError> {
        let mut rays = SkyRays::default();
        let ends = looks.iter().map(|(look, hit)| {
            (self.shader).sky_rays(&self.sight(look, hit), &mut rays);
            rays.rays.len()
        });
        let ends = ends.collect();
        let blocked = self.any_hits(&rays)?;
        self.scene.count(rays.rays.len());
        let sky = rays
            .rays
            .iter()
            .zip(blocked)
            .map(|(ray, is_blocked)| SkyRay {
                dir: ray.dir,
                is_blocked,
            });
        Ok((sky.collect(), ends))
    }

    fn sight<'b>(&'b self, look: &'b Look, hit: &'b Option<SceneHit>) -> Sight<'b> {
        let (scene, hit) = (self.scene, hit.as_ref());
        Sight { scene, look, hit }
    }

    /// Returns a camera ray of a pixel.
    fn look(&self, (x, y): (u32, u32), number: u32) -> Look {
        let (width, height) = (self.size.width(), self.size.height());
        let corner = Vec2::new(self.camera.viewport().x, self.camera.viewport().y);
        let at = Vec2::new(x as f32, y as f32) + within_pixel(number);
        Look {
            ray: self.camera.ray(corner + at),
            place: [at.x / width as f32, at.y / height as f32],
            pixel: u64::from(y) * width as u64 + u64::from(x),
            number,
        }
    }
}

/// Returns the closest hits of rays that are close together. One thread for each tile.
pub(crate) fn closest_hits(
    target: Target<'_>,
    rays: &[Ray],
) -> Result<Vec<Option<SceneHit>>, PictureError> {
    if let Some(engine) = target.engine() {
        let batch = all_at_once(Batch::new().threads(1), rays);
        let hits = batch.closest_hits(engine, rays)?.into_iter();
        return Ok(hits.map(|hit| target.placed(hit?)).collect());
    }
    let batch = Batch::new().threads(1).coherence(Coherence::Coherent);
    Ok(batch.closest_hits(target.world(), rays)?)
}

/// Returns a batch that hands all rays to its engine at once.
fn all_at_once<'b>(batch: Batch<'b>, rays: &[Ray]) -> Batch<'b> {
    let batch = batch.technique(Technique::OneByOne);
    batch.chunk_size(rays.len().max(1))
}

/// Returns the number of camera rays that are traced together, if a tile has that many.
fn together(target: Target<'_>) -> usize {
    match target.engine() {
        Some(_) => TOGETHER_ELSEWHERE,
        None => TOGETHER,
    }
}

/// Returns the pixels of a tile along a Z-order curve.
fn z_ordered(tile: Tile) -> Vec<(u32, u32)> {
    let side = tile.width.max(tile.height).next_power_of_two();
    let offsets = (0..side * side).map(|code| (every_second(code), every_second(code >> 1)));
    let inside = offsets.filter(|&(x, y)| x < tile.width && y < tile.height);
    inside.map(|(x, y)| (tile.x + x, tile.y + y)).collect()
}

/// Returns the bits at even places, side by side.
fn every_second(bits: u32) -> u32 {
    let bits = bits & 0x5555_5555;
    let bits = (bits | bits >> 1) & 0x3333_3333;
    let bits = (bits | bits >> 2) & 0x0f0f_0f0f;
    let bits = (bits | bits >> 4) & 0x00ff_00ff;
    (bits | bits >> 8) & 0xffff
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_in_z_order_are_squares() {
        let tile = |width, height| Tile {
            x: 64,
            y: 96,
            width,
            height,
        };
        let pixels = z_ordered(tile(32, 32));
        assert_eq!(pixels.len(), 1024);
        for side in [2, 4, 8, 16] {
            for square in pixels.chunks((side * side) as usize) {
                let (x, y) = square[0];
                let is_in = |&(i, j): &(u32, u32)| i / side == x / side && j / side == y / side;
                assert!(square.iter().all(is_in), "{side}: {square:?}");
            }
        }
        // Parts of a tile are in the same order.
        for (width, height) in [(5, 32), (32, 1), (3, 17)] {
            let part = z_ordered(tile(width, height));
            let is_in = |&&(x, y): &&(u32, u32)| x < 64 + width && y < 96 + height;
            assert!(part.iter().eq(pixels.iter().filter(is_in)));
        }
    }
}
