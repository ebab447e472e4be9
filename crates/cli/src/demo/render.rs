//! The picture: every light in it is the answer to a ray query.
//!
//! Each pixel looks out four times. Where a look ends, one ray asks whether the sun is seen
//! from there; light from walls and sky is gathered by many rays, but only every few pixels.
//! Rays that leave a surface skip the triangle they start on and need no other distance
//! from it.

use super::ambient::Ambient;
use super::image::Size;
use super::light::{SUN, SUN_LIGHT, developed, exposed, sky};
use super::surface::{Spot, Surface};
use super::view::View;
use crate::common::Session;
use crate::failure::Failure;
use estoc::glam::Vec3;
use estoc::{Bvh, Mesh, PrimId, QueryOptions, Ray, RayQuery};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Looks at each pixel, in a square of this side.
const GRID: usize = 2;
/// The sky seen from inside, as a share of the light that it gives: as an eye that is used to
/// the hall would have it.
const SKY_SEEN: f32 = 0.3;
/// Light that the air adds, and after how many metres it is mostly that.
const HAZE: Vec3 = Vec3::new(0.62, 0.52, 0.4);
const CLEAR: f32 = 110.0;

/// What rays are cast at.
pub(super) struct Scene<'a> {
    bvh: &'a Bvh,
    surface: Surface<'a>,
    rays: AtomicUsize,
}

/// The pixels, and how many rays they took.
pub(super) fn render(
    mesh: &Mesh,
    bvh: &Bvh,
    size: Size,
    session: &Session,
) -> Result<(Vec<[u8; 3]>, usize), Failure> {
    let scene = Scene {
        bvh,
        surface: Surface::new(mesh),
        rays: AtomicUsize::new(0),
    };
    let view = View::of_hall(size);
    let Size { width, height } = size;
    let bar = session.progress("painting", Some(height as u64));
    let done = AtomicUsize::new(0);
    let ambient = Ambient::gather(&scene, &view, [width, height]);
    let row = |y: usize| {
        session.check_interrupt()?;
        let row: Vec<[u8; 3]> = (0..width)
            .map(|x| scene.pixel([x, y], &view, &ambient))
            .collect();
        bar.set(done.fetch_add(1, Ordering::Relaxed) as u64);
        Ok(row)
    };
    let rows: Result<Vec<_>, Failure> = (0..height).into_par_iter().map(row).collect();
    Ok((rows?.concat(), scene.rays.into_inner()))
}

impl Scene<'_> {
    /// What a ray sees first, besides the triangle that it starts on.
    pub(super) fn look(&self, ray: &Ray, from: Option<PrimId>) -> Option<Spot> {
        self.rays.fetch_add(1, Ordering::Relaxed);
        let options = QueryOptions::new().skip(from);
        let hit = self.bvh.closest_hit_with(ray, &options).ok()??;
        Some(self.surface.spot(ray, &hit))
    }

    /// The sun's light on a spot, not yet coloured by it.
    pub(super) fn sun(&self, spot: &Spot) -> Vec3 {
        let slope = spot.normal.dot(SUN);
        if slope <= 0.0 {
            return Vec3::ZERO;
        }
        self.rays.fetch_add(1, Ordering::Relaxed);
        let ray = Ray::new(spot.place, SUN);
        let options = QueryOptions::new().skip(Some(spot.prim));
        match self.bvh.any_hit_with(&ray, &options) {
            Ok(false) => SUN_LIGHT * slope,
            _ => Vec3::ZERO,
        }
    }

    /// The mean of a pixel's looks as film shows them, so that edges of what is too bright
    /// for film are smooth too.
    fn pixel(&self, corner: [usize; 2], view: &View, ambient: &Ambient) -> [u8; 3] {
        let looks = (0..GRID * GRID).map(|look| {
            let inside = |i: usize| (i as f32 + 0.5) / GRID as f32;
            let x = corner[0] as f32 + inside(look % GRID);
            let y = corner[1] as f32 + inside(look / GRID);
            let ray = view.ray(x, y);
            exposed(match self.look(&ray, None) {
                None => sky(ray.dir) * SKY_SEEN,
                Some(spot) => {
                    let lit = spot.colour * (self.sun(&spot) + ambient.at([x, y], &spot));
                    let share = (-ray.origin.distance(spot.place) / CLEAR).exp();
                    HAZE.lerp(lit, share)
                }
            })
        });
        developed(looks.sum::<Vec3>() / (GRID * GRID) as f32)
    }
}
