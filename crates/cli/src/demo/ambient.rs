//! Light that reaches a surface from walls and sky, by rays from every few pixels.

use super::light::sky;
use super::render::Scene;
use super::surface::Spot;
use super::view::View;
use estoc::Ray;
use estoc::glam::Vec3;
use rayon::prelude::*;
use std::f32::consts::TAU;

/// Pixels between two places where light is gathered.
const STEP: f32 = 8.0;
/// Rays that gather it.
const RAYS: usize = 224;
/// Places around the picture, so that its edges have neighbours too.
const MARGIN: usize = 2;
/// Places that a mean reaches to each side: of the places themselves, and for a pixel.
const WIDE: f32 = 4.0;
const NEAR: f32 = 2.0;
/// Light of bounces that are not followed any further.
const FURTHER: Vec3 = Vec3::new(0.15, 0.145, 0.14);

/// Light gathered at a grid of places.
pub(super) struct Ambient {
    columns: usize,
    places: Vec<Option<(Spot, Vec3)>>,
}

impl Ambient {
    pub(super) fn gather(scene: &Scene<'_>, view: &View, sides: [usize; 2]) -> Self {
        let [columns, rows] = sides.map(|side| (side as f32 / STEP) as usize + 2 * MARGIN + 1);
        let at = |index: usize| [index % columns, index / columns].map(|i| i as f32);
        let gathered = |index: usize| {
            let [x, y] = at(index).map(|i| (i - MARGIN as f32) * STEP);
            let spot = scene.look(&view.ray(x, y), None)?;
            Some((spot, gathered(scene, &spot)))
        };
        let places = (0..columns * rows).into_par_iter().map(gathered).collect();
        let rough = Ambient { columns, places };
        // The light of so few rays is uneven; its mean over a surface is less so.
        let evened = |index: usize| {
            let (spot, _) = rough.places[index].as_ref()?;
            Some((*spot, rough.mean(at(index), WIDE, spot)))
        };
        let places = (0..columns * rows).into_par_iter().map(evened).collect();
        Ambient { columns, places }
    }

    /// The light on a spot seen at this point of the picture.
    pub(super) fn at(&self, point: [f32; 2], spot: &Spot) -> Vec3 {
        self.mean(point.map(|x| x / STEP + MARGIN as f32), NEAR, spot)
    }

    /// The mean around a point of the grid, of places on the same surface foremost.
    fn mean(&self, [x, y]: [f32; 2], reach: f32, spot: &Spot) -> Vec3 {
        let around = |x: f32, end: usize| {
            let first = (x - reach).max(-1.0) + 1.0;
            first as usize..((x + reach).ceil() as usize).min(end)
        };
        let share = |x: f32, i: usize| 1.0 - (x - i as f32).abs() / reach;
        let (mut sum, mut total) = (Vec3::ZERO, f32::MIN_POSITIVE);
        for j in around(y, self.places.len() / self.columns) {
            for i in around(x, self.columns) {
                if let Some((other, light)) = &self.places[j * self.columns + i] {
                    let weight = share(x, i) * share(y, j) * spot.likeness(other).max(1e-6);
                    sum += weight * *light;
                    total += weight;
                }
            }
        }
        sum / total
    }
}

/// Rays as dense as their light counts, by the cosine.
fn gathered(scene: &Scene<'_>, spot: &Spot) -> Vec3 {
    let light = (0..RAYS).map(|k| {
        // A Fibonacci lattice on the sphere: even, and without the noise of random numbers.
        let height = 1.0 - 2.0 * (k as f32 + 0.5) / RAYS as f32;
        let turn = TAU * (k as f32 * 0.618_034).fract();
        let radius = (1.0 - height * height).sqrt();
        let on_sphere = Vec3::new(radius * turn.cos(), height, radius * turn.sin());
        let ray = Ray::new(spot.place, spot.normal + on_sphere);
        match scene.look(&ray, Some(spot.prim)) {
            None => sky(ray.dir.normalize_or_zero()),
            Some(other) => other.colour * (scene.sun(&other) + FURTHER),
        }
    });
    light.sum::<Vec3>() / RAYS as f32
}
