//! What a camera is going to see, roughly: one ray for every few pixels.

use super::Scene;
use estoc::{Camera, RayQuery};
use rayon::prelude::*;

/// Rays along the longer side.
const ACROSS: f32 = 160.0;

pub(super) struct Survey {
    /// Distances of what is hit, ascending.
    pub(super) distances: Vec<f32>,
    /// Steps that rays take, ascending.
    pub(super) steps: Vec<f32>,
}

impl Survey {
    pub(super) fn of(scene: &Scene<'_>, camera: &Camera) -> Self {
        let viewport = camera.viewport();
        let step = (viewport.width.max(viewport.height) / ACROSS).max(1.0);
        let count = |side: f32| (side / step).ceil() as usize;
        let (columns, rows) = (count(viewport.width), count(viewport.height));
        let look = |i: usize| {
            let x = viewport.x + ((i % columns) as f32 + 0.5) * step;
            let y = viewport.y + ((i / columns) as f32 + 0.5) * step;
            let ray = camera.ray([x, y]);
            let steps = scene.bvh.closest_hit_steps(&ray);
            let distance = scene.bvh.closest_hit(&ray).map(|hit| hit.t);
            (distance, (steps.nodes + steps.triangles) as f32)
        };
        let seen: Vec<_> = (0..columns * rows).into_par_iter().map(look).collect();
        scene.count(2 * columns * rows);
        let (distances, mut steps): (Vec<_>, Vec<_>) = seen.into_iter().unzip();
        let mut distances: Vec<f32> = distances.into_iter().flatten().collect();
        distances.sort_by(f32::total_cmp);
        steps.sort_by(f32::total_cmp);
        Survey { distances, steps }
    }
}

/// The number below which this share of all lies; 0 when there are none.
pub(super) fn quantile(sorted: &[f32], share: f32) -> f32 {
    let place = share * sorted.len().saturating_sub(1) as f32;
    sorted.get(place as usize).copied().unwrap_or(0.0)
}
