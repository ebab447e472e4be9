//! A search for hits and boxes that the kernels for single rays lose, and for false hits.

use super::hostile_triangles::cut;
use super::leaf_scene::{Scene, prepared, prim};
use super::violation_search::{Case, Report};
use estoc_bvh::SimdLevel;
use estoc_bvh::internals::traverse::child_order::key;
use estoc_bvh::internals::traverse::kernel_ray::{KernelRay, Prepared, U};
use estoc_bvh::internals::traverse::leaf_ray::LeafRay;
use estoc_bvh::internals::traverse::leaf_test::leaf_test;
use estoc_bvh::internals::traverse::level_token;
use estoc_bvh::internals::traverse::plain_ray::{leaf, ray::PlainRay};
use estoc_bvh::internals::traverse::single_walk::{BoxTest, last_key};
use estoc_bvh::internals::traverse::t_spans::{Passed, Spans};
use estoc_bvh::internals::wide::{Node, Tag, WIDTH};
use estoc_core::exact::{PreparedRay, Touch};
use estoc_core::{Aabb, Ray, Triangle};
use estoc_testkit::conformance::Effort;
use fearless_simd::{Level, SimdBase, SimdMask};

/// Returns the lanes of the node and of the leaf that pass, up to a limit, of a ray that ends at `t_max`.
fn passing(scene: &Scene, level: Level, ray: &KernelRay, [t_limit, t_max]: [f64; 2]) -> Passing {
    let [limit, end] = [t_limit, t_max].map(|t| ray.ends.limit(t));
    let (node, block) = (&scene.tree.nodes[0], scene.block());
    fearless_simd::dispatch!(level, simd => {
        let (entry, hit) = ray.boxes.test(simd, node, limit);
        let boxes = hit.to_bitmask() as u32 & in_time(node, &entry.to_array(), limit);
        let leaf_ray = LeafRay::of(ray);
        let leaf = leaf_test(simd, block, &leaf_ray, limit);
        let sure = ray.ends.greatest.map(|greatest| {
            leaf::spans(simd, block, &leaf::SpanRay::of_prepared(&leaf_ray, greatest), end)
        });
        let (kept, certain) = sure.map_or((u32::MAX, 0), |Spans { passed, .. }| {
            (passed.maybe, passed.certain)
        });
        Passing { boxes, leaf, kept, certain }
    })
}

/// Returns the same of the kernels of plain rays; `None` for other rays.
fn passing_plain(scene: &Scene, level: Level, ray: &Ray, limit: f32) -> Option<Passing> {
    let (node, block) = (&scene.tree.nodes[0], scene.block());
    fearless_simd::dispatch!(level, simd => {
        let plain = PlainRay::of(simd, ray, &scene.tree.measures)?;
        let (entry, hit) = plain.test(simd, node, limit);
        let boxes = hit.to_bitmask() as u32 & in_time(node, &entry.to_array(), limit);
        let leaf_ray = leaf::SpanRay::of(ray, &plain, &plain.inverse_dir);
        let Passed { maybe, certain } = leaf::spans(simd, block, &leaf_ray, limit).passed;
        let wide = leaf::wide_spans(simd, block, &leaf_ray, limit).passed;
        assert_eq!((wide.maybe & maybe, wide.certain), (maybe, certain), "{ray:?}");
        Some(Passing { boxes, leaf: maybe, kept: u32::MAX, certain })
    })
}

/// Returns the lanes whose entries are still wanted when they are popped from the stack.
fn in_time(node: &Node, entries: &[i32; WIDTH], limit: f32) -> u32 {
    let waits =
        |&lane: &usize| key(entries[lane] as u32, Tag(node.tags[lane])) as i32 <= last_key(limit);
    (0..WIDTH).filter(waits).map(|lane| 1 << lane).sum()
}

/// Lanes as bits.
struct Passing {
    boxes: u32,
    leaf: u32,
    /// The lanes of the leaf that pass up to the ray's own end, and those that are certain hits.
    kept: u32,
    certain: u32,
}

/// Tests `rays` rays. `weaken` may damage the kernel's ray, to check that the search notices.
fn search(level: SimdLevel, seed: u64, rays: usize, weaken: impl Fn(&mut KernelRay)) -> Report {
    super::violation_search::search("attack", seed, rays, |case, rng, report| {
        for _ in 0..4 {
            look(level, case, &cut(rng, case.ray, &case.at), &weaken, report);
        }
    })
}

/// Tests one ray with its own ends.
fn look(
    level: SimdLevel,
    case: &Case,
    ray: &Ray,
    weaken: &impl Fn(&mut KernelRay),
    report: &mut Report,
) {
    let Case {
        triangles, scene, ..
    } = case;
    let Some(question) = PreparedRay::new(ray) else {
        return;
    };
    report.rays += 1;
    let touches =
        [0, 1, 2, 3, 4, 5, 6, 7].map(|i| question.touch(prim(i), &triangles[i], f64::INFINITY));
    let mut kernel = match prepared(&question, &scene.tree) {
        Prepared::Ready(kernel) => kernel,
        Prepared::Unfit => {
            report.unfit += 1;
            return;
        }
        Prepared::Misses => {
            report.missing += 1;
            if touches.iter().any(Option::is_some) {
                report
                    .lost
                    .push(format!("{level}: the tree's box: {ray:?} at {triangles:?}"));
            }
            return;
        }
    };
    weaken(&mut kernel);
    // The intervals in which the ray is in the boxes.
    let entries = triangles.map(|t| Aabb::of_triangle(&t).slab(ray).map(|span| span.entry));
    let mut limits = vec![f64::INFINITY, question.t_max()];
    limits.extend(touches.iter().flatten().map(Touch::t_high));
    let after_entries = entries.iter().flatten().map(|entry| entry.next_up());
    limits.extend(after_entries.filter(|t| t.is_finite()).map(f64::from));
    limits.retain(|limit| *limit >= question.t_min());
    let token = level_token(level).expect("one of the available levels");
    for limit in limits.into_iter().map(|limit| limit.min(question.t_max())) {
        let general = passing(scene, token, &kernel, [limit, question.t_max()]);
        let plain = passing_plain(scene, token, ray, kernel.ends.limit(limit));
        report.plain += usize::from(plain.is_some());
        for i in 0..WIDTH {
            let enters = |t: f32| f64::from(t.next_up()).max(question.t_min()) <= limit;
            let expected = Expected {
                hit: touches[i].is_some(),
                hit_in_time: touches[i].is_some_and(|touch| touch.t_high() <= limit),
                box_in_time: entries[i].is_some_and(enters),
            };
            let describe = |what: &str| {
                format!("{level}: {what} {i} up to {limit:e}: {ray:?} at {triangles:?}")
            };
            compare(&general, i, &expected, report, &describe);
            if let Some(plain) = &plain {
                compare(plain, i, &expected, report, &|what| {
                    describe(&format!("plain: {what}"))
                });
            }
        }
    }
}

/// The exact answer for a triangle.
struct Expected {
    hit: bool,
    /// Whether it is hit up to the limit.
    hit_in_time: bool,
    box_in_time: bool,
}

/// Records hits of triangle `i` that the kernels lose, and false ones.
fn compare(
    passing: &Passing,
    i: usize,
    expected: &Expected,
    report: &mut Report,
    describe: &dyn Fn(&str) -> String,
) {
    let passes = |lanes: u32| lanes >> i & 1 == 1;
    let (in_box, in_leaf) = (passes(passing.boxes), passes(passing.leaf));
    if expected.hit && !passes(passing.kept) {
        report.lost.push(describe("of any, hit"));
    }
    if passes(passing.certain) {
        report.certain += 1;
        if !expected.hit {
            report.lost.push(describe("certain, but no hit"));
        }
    }
    if expected.box_in_time {
        report.boxes += 1;
        if !in_box {
            report.lost.push(describe("box"));
        }
    }
    if expected.hit_in_time {
        report.hits += 1;
        if !(in_box && in_leaf) {
            let place = if in_box { "leaf" } else { "box" };
            report.lost.push(describe(&format!("in the {place}, hit")));
        }
    }
}

#[test]
fn no_kernel_loses_a_hit_or_a_box() {
    let rays = if Effort::is_long() {
        10_000_000
    } else {
        60_000
    };
    for level in SimdLevel::available() {
        let looked = search(level, 1, rays, |_| {});
        println!("{level}: {looked}");
        assert!(looked.lost.is_empty(), "{}", looked.lost.join("\n"));
        // The search is meaningful only if most rays reach the kernels and hit.
        assert!(looked.unfit < looked.rays / 2 && looked.missing < looked.rays / 2);
        assert!(looked.hits > looked.rays && looked.boxes > looked.rays);
        assert!(looked.certain > looked.plain / 20);
        assert!(looked.plain > looked.rays / 5);
    }
}

/// The product of a face and the inverse overflows, while the parameter does not.
#[test]
fn parameters_near_the_greatest_number_are_no_miss() {
    let usual = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let x = 2f32.powi(33);
    let far = Triangle::new(
        [x, -1e12, 3.4e38],
        [x, 1e12, 3.4e38],
        [8.7e9, 0.0, 3.378e38],
    );
    let mut triangles = [usual; WIDTH];
    triangles[0] = far;
    let scene = Scene::of(triangles);
    let origin = [2f32.powi(26) - 64.0, 0.0, 0.0];
    let ray = Ray::new(origin, [2f32.powi(-95), 2f32.powi(-90), 1.0]);
    let question = PreparedRay::new(&ray).unwrap();
    let touch = question.touch(prim(0), &far, f64::INFINITY);
    let limit = touch.expect("a hit").t_high();
    let Prepared::Ready(kernel) = prepared(&question, &scene.tree) else {
        // The ray is not traced by the kernel, so it cannot lose the hit.
        return;
    };
    for level in SimdLevel::available() {
        let limits = [limit, question.t_max()];
        let passing = passing(&scene, level_token(level).unwrap(), &kernel, limits);
        assert_eq!((passing.boxes & 1, passing.leaf & 1), (1, 1), "{level}");
    }
}

/// A plane so far away that the sum over its corners overflows is still hit.
#[test]
fn far_planes_are_not_lost_where_a_sum_overflows() {
    let near = Triangle::new([5.0, 5.0, 1.0], [6.0, 5.0, 1.0], [5.0, 6.0, 1.0]);
    let (z, s) = (2f32.powi(60), 2f32.powi(46));
    let far = Triangle::new([-s, -s, z], [s, -s, z], [0.0, s, z]);
    let mut triangles = [near; WIDTH];
    triangles[0] = far;
    let scene = Scene::of(triangles);
    for t_max in [f32::INFINITY, 1e30, 2.0 * z] {
        let ray = Ray::new([0.25, 0.25, 0.0], [0.0, 0.0, 1.0]).with_interval(0.0, t_max);
        let question = PreparedRay::new(&ray).unwrap();
        let Prepared::Ready(kernel) = prepared(&question, &scene.tree) else {
            panic!("the kernel takes the ray");
        };
        for level in SimdLevel::available() {
            let level = level_token(level).unwrap();
            for limit in [f64::from(z), t_max.into()] {
                let passing = passing(&scene, level, &kernel, [limit, question.t_max()]);
                assert_eq!((passing.boxes & 1, passing.leaf & 1), (1, 1), "{level:?}");
            }
        }
    }
}

/// The search would notice smaller margins in the kernels.
#[test]
fn the_search_finds_what_kernels_without_their_bounds_lose() {
    let best = SimdLevel::best();
    let no_pad = |ray: &mut KernelRay| {
        for axis in 0..3 {
            let middle = (ray.boxes.near[axis] + ray.boxes.far[axis]) / 2.0;
            (ray.boxes.near[axis], ray.boxes.far[axis]) = (middle, middle);
        }
    };
    assert!(!search(best, 2, 100_000, no_pad).lost.is_empty());
    // A dozen times the slope error that the leaf test allows.
    let slanted = |ray: &mut KernelRay| ray.dir[0] *= 1.0 + 64.0 * U;
    assert!(!search(best, 4, 100_000, slanted).lost.is_empty());
    let longer = |ray: &mut KernelRay| {
        ray.ends.greatest = ray.ends.greatest.map(|t| t * (1.0 + 512.0 * U));
    };
    assert!(!search(best, 5, 100_000, longer).lost.is_empty());
    let not_moved = |ray: &mut KernelRay| ray.moved = 0.0;
    assert!(!search(best, 3, 100_000, not_moved).lost.is_empty());
}
