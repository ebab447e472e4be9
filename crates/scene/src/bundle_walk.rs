//! Traversal of a scene with many rays: in tiles of similar ones, and in bundles of up to sixteen that share it.
//!
//! Few rays are left open by kernels, besides those that meet shapes, or are unfit. They are traced one by one.

use crate::mesh_sink::skipped;
use crate::snapshot::SceneSnapshot;
use estoc_bvh::object_space::{LANES, PlacedBundles, RayWindow};
use estoc_core::exact::PreparedRay;
use estoc_core::{Engine, HitRule, PlacedPrimitive, Queue, Technique, TechniqueCounts, Want};

/// Fewer rays go alone.
const FEWEST: usize = 4;

/// Traverses with all rays of a queue in tiles of similar ones, and with the others in bundles.
pub(crate) fn visit_in_tiles(
    scene: &SceneSnapshot,
    queue: &mut Queue<'_, PlacedPrimitive>,
) -> TechniqueCounts {
    let matrices = &|path| Some(*scene.last_placement(path, |_| {})?.matrix());
    let tiled = scene
        .world
        .visit_in_tiles(matrices, queue, &mut |others, queue| {
            visit_in_bundles(scene, Some(others), queue)
        });
    tiled.unwrap_or_else(|| visit_in_bundles(scene, None, queue))
}

/// Traverses with all rays of a queue, or with these if any are given, sixteen at a time where that pays.
pub(crate) fn visit_in_bundles<'r>(
    scene: &SceneSnapshot,
    given: Option<&[(usize, PreparedRay<'r>)]>,
    queue: &mut Queue<'r, PlacedPrimitive>,
) -> TechniqueCounts {
    let mut bundles = PlacedBundles::new();
    let (mut bundled, mut alone) = (0, 0);
    let mut window = RayWindow::of(given);
    loop {
        let is_alone = bundles.is_alone();
        let rays = bundles.rays();
        rays.clear();
        let is_fit = match is_alone {
            true => {
                rays.extend(window.alone(queue).take(LANES));
                false
            }
            false => window.next(queue, rays) == Some(true),
        };
        let count = rays.len();
        if count == 0 {
            return TechniqueCounts::of(Technique::Bundles, bundled)
                + TechniqueCounts::of(Technique::OneByOne, alone);
        }
        if !is_fit || count < FEWEST {
            alone += count;
            for &(place, ray) in rays.iter() {
                trace_single(scene, queue, place, ray);
            }
            continue;
        }
        bundled += count;
        let mut ids = [None; LANES];
        for (to, &(place, _)) in ids.iter_mut().zip(rays.iter()) {
            if let HitRule::EveryBut(skip) = queue.hit_rule(place) {
                *to = Some(skip);
            }
        }
        let skips = ids.each_ref().map(|id| id.as_ref().and_then(skipped));
        if queue.want() == Want::First {
            let answer = &mut |(place, ray): (usize, PreparedRay<'r>), found: Option<_>| match found
            {
                Some(found) => queue.certified(place, scene.first_of(ray.ray(), found)),
                None => trace_single(scene, queue, place, ray),
            };
            scene.world.closest_bundle(&skips, &mut bundles, answer);
            continue;
        }
        scene.world.any_bundle(&skips, &mut bundles);
        for lane in 0..count {
            let known = bundles.any(lane);
            let (place, ray) = bundles.rays()[lane];
            match known {
                Some(is_hit) => queue.counted(place, usize::from(is_hit)),
                None => trace_single(scene, queue, place, ray),
            }
        }
    }
}

/// Completes one ray.
fn trace_single<'r>(
    scene: &SceneSnapshot,
    queue: &mut Queue<'r, PlacedPrimitive>,
    place: usize,
    ray: PreparedRay<'r>,
) {
    if !queue.complete_by_single_call(scene, place, &ray) {
        let mut collector = queue.collector(place, ray);
        scene.visit(&ray, &mut collector);
        queue.finish(place, &mut collector);
    }
}
