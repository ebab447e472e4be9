//! The view of an interior: the best of many from inside.

use super::{LevelFrame, View, ViewProjection};
use crate::target::Target;
use crate::watch::{WorkCancelled, WorkWatch};
use estoc::glam::Vec3;
use estoc::{Ray, RayQuery, camera::Viewport};
use rayon::prelude::*;

/// Vertical field of view in degrees, wider than the 40 for objects, like a wide-angle lens.
const WIDE: ViewProjection = ViewProjection::Perspective(60.0);
/// Eyes that are tried: this number of positions along each level side, at these heights as shares
/// of that of the box.
const PLACES: u8 = 7;
const HEIGHTS: [f32; 4] = [0.2, 0.3, 0.4, 0.5];

/// Returns the view that shows the most; `None` if the inside is full. Fails only if the work is cancelled.
pub(super) fn view(
    mesh: Target<'_>,
    frame: &LevelFrame,
    projection: Option<ViewProjection>,
    aspect: f32,
    watch: WorkWatch<'_>,
) -> Result<Option<View>, WorkCancelled> {
    let bounds = mesh.bounds();
    let (low, size) = (bounds.min(), bounds.max() - bounds.min());
    // Part of the extent of the box along a direction of the frame, from its centre.
    let span = |axis: Vec3, share: f32| axis * axis.abs().dot(size) * (share - 0.5);
    let eyes = HEIGHTS.into_iter().flat_map(|height| {
        let place = move |i: u8| (f32::from(i) + 0.5) / f32::from(PLACES);
        (0..PLACES * PLACES).map(move |i| {
            let level = span(frame.right, place(i % PLACES)) + span(frame.front, place(i / PLACES));
            low + 0.5 * size + level + span(frame.up, height)
        })
    });
    let views: Vec<View> = eyes
        .flat_map(|eye| {
            (0..16).map(move |i| View {
                eye,
                at: eye + frame.sixteenth(i, -0.02) * size.length(),
                up: frame.up,
                projection: projection.unwrap_or(WIDE),
            })
        })
        .collect();
    let steps = watch.steps(views.len());
    let scores: Result<Vec<f32>, WorkCancelled> = views
        .par_iter()
        .map(|view| {
            watch.check()?;
            let score = score(view, mesh, size.length(), aspect);
            steps.add_one();
            Ok(score)
        })
        .collect();
    let scores = scores?;
    // The first of equal scores wins.
    let best = (0..views.len())
        .rev()
        .max_by(|&a, &b| scores[a].total_cmp(&scores[b]));
    Ok(best
        .filter(|&best| scores[best] > 0.0)
        .map(|best| views[best]))
}

/// Returns how much of the interior a view shows: the mean over its rays of the distance, on a
/// logarithmic scale, times how often neighbouring rays differ in distance or normal. Near surfaces
/// reduce it.
fn score(view: &View, mesh: Target<'_>, size: f32, aspect: f32) -> f32 {
    const COLUMNS: usize = 20;
    const ROWS: usize = 12;
    let viewport = Viewport::new(COLUMNS as f32, COLUMNS as f32 / aspect);
    let Ok(camera) = view.camera_in(viewport) else {
        return 0.0;
    };
    let look = |i: usize| {
        let x = (i % COLUMNS) as f32 + 0.5;
        let y = ((i / COLUMNS) as f32 + 0.5) / ROWS as f32 * viewport.height;
        let ray = camera.ray([x, y]);
        let hit = mesh.world().closest_hit(&ray)?;
        Some((hit.t, mesh.normal(&ray, &hit)?))
    };
    let looks: Vec<_> = (0..COLUMNS * ROWS).map(look).collect();
    let (mut far, mut near, mut changes) = (0.0, 0, 0);
    for (i, look) in looks.iter().enumerate() {
        let Some((t, normal)) = look else { continue };
        far += libm::logf(1.0 + 20.0 * t / size);
        near += usize::from(*t < 0.03 * size);
        let right = (i % COLUMNS + 1 < COLUMNS).then(|| looks[i + 1]).flatten();
        let below = looks.get(i + COLUMNS).copied().flatten();
        for (other, facing) in [right, below].into_iter().flatten() {
            let step = (other - t).abs() > 0.15 * t;
            changes += usize::from(step || normal.dot(facing).abs() < 0.8);
        }
    }
    let rays = looks.len() as f32;
    let clear = (1.0 - 3.0 * near as f32 / rays).max(0.0);
    (far / rays) * clear * (0.3 + changes as f32 / rays) * room(view.eye, mesh, 0.05 * size)
}

/// Returns 1 if nothing is nearer to the eye than `reach`, and less otherwise: under tables, inside
/// pillars.
fn room(eye: Vec3, mesh: Target<'_>, reach: f32) -> f32 {
    let sign = |i: u8, bit: u8| if i & bit == 0 { -1.0 } else { 1.0 };
    let corners = (0..8).map(|i| Vec3::new(sign(i, 1), sign(i, 2), sign(i, 4)).normalize());
    let axes = Vec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    let distances = corners.chain(axes).map(|dir| {
        let ray = Ray::new(eye, dir).with_interval(0.0, reach);
        let hit = mesh.world().closest_hit(&ray);
        hit.map_or(reach, |hit| hit.t)
    });
    distances.fold(reach, f32::min) / reach
}
