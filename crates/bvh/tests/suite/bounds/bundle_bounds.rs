//! A search for boxes that a bundle loses: those that some ray meets and the test of the whole bundle
//! does not, or the test of each ray.

use super::leaf_scene::prim;
use super::tile_bounds::similar_rays;
use super::violation_search::{Case, Report, assert_none_lost};
use estoc_bvh::SimdLevel;
use estoc_bvh::internals::traverse::bundle::LANES;
use estoc_bvh::internals::traverse::bundle::bundle_hull::Hull;
use estoc_bvh::internals::traverse::bundle::ray_bundle::Bundle;
use estoc_bvh::internals::traverse::kernel_ray::{STEEP, U};
use estoc_bvh::internals::traverse::level_token;
use estoc_bvh::internals::traverse::single_walk::last_key;
use estoc_bvh::internals::wide::WIDTH;
use estoc_core::Ray;
use estoc_core::exact::PreparedRay;
use fearless_simd::{Simd, SimdBase, SimdMask};

fn octant(ray: &Ray) -> [bool; 3] {
    ray.dir.to_array().map(|d| d <= -1.0 / STEEP)
}

fn search(level: SimdLevel, seed: u64, rays: usize, weaken: impl Fn(&mut Hull)) -> Report {
    let token = level_token(level).expect("one of the available levels");
    super::violation_search::search("attack on bundles", seed, rays, |case, rng, report| {
        let is_shared = rng.one_in(2);
        let mut rays = similar_rays(rng, case.ray, &case.at, is_shared);
        if rng.one_in(4) {
            // One that is steep on some axis, beside others.
            let (axis, lane) = (rng.below(3), rng.below(rays.len()));
            rays[lane].dir[axis] = 0.0;
        }
        if rng.one_in(2) {
            // Rays that diverge, as those of ambient occlusion do, to points of the triangles.
            for ray in &mut rays {
                let at = case.triangles[rng.below(WIDTH)].corners()[rng.below(3)];
                let dir = at - ray.origin + rng.point() * rng.pick(&[0.0, 1e-6, 1e-2]);
                if dir.is_finite() && dir.abs().max_element() > 1e-30 {
                    ray.dir = dir / dir.abs().max_element();
                    ray.t_max = f32::INFINITY;
                }
            }
        }
        let mut bundle = Bundle::new();
        let first = octant(&rays[rng.below(rays.len())]);
        let questions = rays.iter().filter(|ray| octant(ray) == first);
        let questions = questions.filter_map(PreparedRay::new).enumerate();
        bundle.rays.extend(questions.take(LANES));
        if bundle.rays.is_empty() {
            return;
        }
        fearless_simd::dispatch!(token, simd => look(simd, case, bundle, &weaken, report));
    })
}

fn look<S: Simd>(
    simd: S,
    case: &Case,
    mut bundle: Bundle<'_>,
    weaken: &impl Fn(&mut Hull),
    report: &mut Report,
) {
    let Case {
        triangles, scene, ..
    } = case;
    bundle.prepare(simd, &scene.tree.measures);
    if bundle.ready == 0 {
        return;
    }
    weaken(&mut bundle.lanes.hull);
    report.packets += 1;
    let (node, limit) = (&scene.tree.nodes[0], bundle.lanes.hull.limit);
    let (entry, hit) = bundle
        .lanes
        .hull
        .test(simd, node, bundle.lanes.boxes.near_face, limit);
    let (entry, hit) = (entry.to_array(), hit.to_bitmask());
    let limits = bundle.lanes.limits(simd);
    for child in 0..WIDTH {
        let met = bundle.lanes.boxes.meet(simd, node, child, limits);
        for (lane, (_, question)) in bundle.rays.iter().enumerate() {
            if bundle.ready >> lane & 1 == 0 {
                report.unfit += 1;
                continue;
            }
            report.rays += 1;
            let touch = question.touch(prim(child), &triangles[child], f64::INFINITY);
            let Some(touch) = touch else { continue };
            report.hits += 1;
            let at = (touch.t_high() as f32).next_up();
            let is_early = entry[child] >= 0 && entry[child] <= last_key(at);
            let ray = question.ray();
            if hit >> child & 1 == 0 || !is_early {
                report
                    .lost
                    .push(format!("{ray:?} of the bundle at {:?}", triangles[child]));
            } else if met >> lane & 1 == 0 {
                report
                    .lost
                    .push(format!("{ray:?} at {:?}", triangles[child]));
            }
        }
    }
}

#[test]
fn no_bundle_loses_a_box() {
    assert_none_lost(false, |level, rays| search(level, 1, rays, |_| {}));
}

#[test]
fn the_search_finds_boxes_that_bundles_without_margins_lose() {
    let report = search(SimdLevel::best(), 2, 2_000_000, |hull| {
        for axis in 0..3 {
            // Boxes are larger than their contents by a little less than this.
            let (near, far) = (&mut hull.near[axis], &mut hull.far[axis]);
            near[1] += near[1].abs() * (24.0 * U);
            far[1] -= far[1].abs() * (24.0 * U);
        }
    });
    assert!(!report.lost.is_empty(), "{report:?}");
}
