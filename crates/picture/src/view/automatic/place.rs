//! Distinguishes interiors from objects.

use super::LevelFrame;
use crate::target::Target;
use crate::watch::{WorkCancelled, WorkWatch};
use estoc::demo::SplitMix64;
use estoc::glam::Vec3;
use estoc::query::Any;
use estoc::{PrimId, QueryOptions, Ray, RayQuery, Triangle};
use rayon::prelude::*;

/// A point counts as seen from outside if it is visible from this number of sixteen directions:
/// through a window it is visible from one or two.
const SIDES: usize = 4;
/// The greatest share of an interior's surface that is seen from outside. A hollow object, whose
/// inner side is hidden, shows half of its surface.
const SHARE: f32 = 0.44;

/// Returns whether most of the surface cannot be seen from around the mesh. Fails only if the work is
/// cancelled.
pub(super) fn is_place(
    mesh: Target<'_>,
    frame: &LevelFrame,
    watch: WorkWatch<'_>,
) -> Result<bool, WorkCancelled> {
    let points = points(mesh, watch)?;
    let seen = |&(prim, point): &(PrimId, Vec3)| {
        if watch.is_cancelled() {
            return false;
        }
        let free = (0..16u8).filter(|&i| {
            let above = [0.1, 0.35][usize::from(i % 2)];
            let dir = frame.sixteenth(i, above);
            let options = QueryOptions::default().skip(mesh.id(prim));
            mesh.world().ask_with(Any, &Ray::new(point, dir), &options) == Ok(false)
        });
        free.count() >= SIDES
    };
    let seen = points.par_iter().filter(|point| seen(point)).count();
    watch.check()?;
    Ok(seen as f32 <= SHARE * points.len() as f32)
}

/// Returns points that are spread over the surface at random, each with its triangle.
///
/// Their triangles are found in a pass over all that adds up the areas: a list of the sums would take as
/// much memory as many a tree.
fn points(mesh: Target<'_>, watch: WorkWatch<'_>) -> Result<Vec<(PrimId, Vec3)>, WorkCancelled> {
    const POINTS: usize = 512;
    let area = |t: &Triangle| {
        let area = f64::from((t.p1 - t.p0).cross(t.p2 - t.p0).length());
        if area.is_finite() { area } else { 0.0 }
    };
    let mut total = 0.0;
    mesh.each_triangle(watch, |t| total += area(&t))?;
    let mut rng = SplitMix64::new(5);
    let mut draws = [(); POINTS].map(|()| {
        let place = rng.between(0.0, total);
        let share = rng.between(0.0, 1.0).sqrt() as f32;
        (place, share, rng.between(0.0, 1.0) as f32)
    });
    draws.sort_by(|(place, ..), (other, ..)| place.total_cmp(other));
    let (mut points, mut draws) = (Vec::new(), draws.into_iter().peekable());
    let (mut sum, mut prims) = (0.0, (0..).map_while(PrimId::from_index));
    mesh.each_triangle(watch, |t| {
        let prim = prims.next();
        sum += area(&t);
        while let Some((_, a, b)) = draws.next_if(|&(place, ..)| place <= sum) {
            let point = t.p0 + a * (t.p1 - t.p0) + a * b * (t.p2 - t.p1);
            points.extend(prim.map(|prim| (prim, point)));
        }
    })?;
    Ok(points)
}
