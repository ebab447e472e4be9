//! A coarse survey of what a camera sees: one ray for every few pixels.

use super::CountedTarget;
use estoc::{Camera, Ray, RayQuery};
use rayon::prelude::*;

/// Rays along the longer side.
const ACROSS: f32 = 160.0;

/// The numbers of the rays that have one, in ascending order.
pub(super) struct Survey(Vec<f32>);

impl Survey {
    /// Surveys the distances of hits.
    pub(super) fn distances(scene: &CountedTarget<'_>, camera: &Camera) -> Self {
        Survey::of(scene, camera, |ray| {
            scene.target.world().closest_hit(ray).map(|hit| hit.t)
        })
    }

    /// Surveys the traversal steps of rays.
    pub(super) fn steps(scene: &CountedTarget<'_>, camera: &Camera) -> Self {
        Survey::of(scene, camera, |ray| Some(scene.steps(ray)))
    }

    /// Surveys a number of each ray. Ends early where the work is cancelled.
    pub(super) fn of(
        scene: &CountedTarget<'_>,
        camera: &Camera,
        number: impl Fn(&Ray) -> Option<f32> + Sync,
    ) -> Self {
        let viewport = camera.viewport();
        let step = (viewport.width.max(viewport.height) / ACROSS).max(1.0);
        let [columns, rows] = [viewport.width, viewport.height].map(|side| (side / step).ceil());
        let count = (columns * rows) as usize;
        let look = |i: usize| {
            if scene.is_cancelled() {
                return None;
            }
            let (column, row) = (i % columns as usize, i / columns as usize);
            let x = viewport.x + (column as f32 + 0.5) * (viewport.width / columns);
            let y = viewport.y + (row as f32 + 0.5) * (viewport.height / rows);
            number(&camera.ray([x, y]))
        };
        let mut numbers: Vec<f32> = (0..count).into_par_iter().filter_map(look).collect();
        scene.count(count);
        numbers.sort_by(f32::total_cmp);
        Survey(numbers)
    }

    /// Returns the number below which this share of all numbers lies; 0 if there are none.
    pub(super) fn quantile(&self, share: f32) -> f32 {
        let place = share * self.0.len().saturating_sub(1) as f32;
        self.0.get(place as usize).copied().unwrap_or(0.0)
    }
}
