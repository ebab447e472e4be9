//! A search for squared distances outside their bounds: of boxes and of triangles, in the kernels
//! for points.

use super::hostile_triangles::{case, nudged};
use super::leaf_scene::Scene;
use estoc_bvh::SimdLevel;
use estoc_bvh::internals::traverse::level_token;
use estoc_bvh::internals::traverse::near::box_distance::box_distances;
use estoc_bvh::internals::traverse::near::leaf_distance::leaf_distances;
use estoc_bvh::internals::traverse::near::near_point::{NearPoint, grant};
use estoc_bvh::internals::wide::WIDTH;
use estoc_core::glam::Vec3;
use estoc_core::{Aabb, BruteForce, PointQuery, Ray, Triangle};
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::Rng;
use fearless_simd::{Level, SimdBase, SimdMask};

/// 2^-24.
const U: f64 = 1.0 / (1u32 << 24) as f64;
/// 2^-120: what squares may lose.
const TINY: f64 = 1.0 / (1u128 << 120) as f64;

/// Bounds of squared distances, in units of the tree.
struct Bounds {
    boxes: [f32; WIDTH],
    low: [f32; WIDTH],
    high: [f32; WIDTH],
}

fn bounds(scene: &Scene, level: Level, point: &NearPoint) -> Bounds {
    let (node, block) = (&scene.tree.nodes[0], scene.block());
    fearless_simd::dispatch!(level, simd => {
        let (square, within) = box_distances(simd, node, point, f32::MAX);
        assert_eq!(within.to_bitmask() as u32, 0xff, "all squares are finite");
        let leaf = leaf_distances(simd, block, point);
        Bounds {
            boxes: square.to_array().map(|bits| f32::from_bits(bits as u32)),
            low: leaf.low.to_array(),
            high: leaf.high.to_array(),
        }
    })
}

/// Returns a point on a triangle, beside it, over it, or anywhere.
fn point(rng: &mut Rng, triangles: &[Triangle; WIDTH], ray: &Ray) -> Vec3 {
    let [a, b, c] = rng.pick(triangles).corners();
    let mut point = match rng.below(6) {
        0 => ray.origin,
        1 => a,
        2 => a.lerp(b, rng.signed().abs()),
        3 => a.lerp(b.lerp(c, rng.signed().abs()), rng.signed().abs()),
        4 => {
            let over = (b - a).cross(c - a).normalize_or_zero();
            let size = (b - a).abs().max_element();
            let on_it = a.lerp(b.lerp(c, rng.signed().abs()), rng.signed().abs());
            on_it + over * (size * rng.signed() * rng.pick(&[1.0, 1e-2, 1e-5, 1e3]))
        }
        _ => a + (b - c) * rng.signed() * rng.pick(&[1.0, 10.0, 1e4]),
    };
    if rng.one_in(3) {
        let axis = rng.below(3);
        point[axis] = nudged(point[axis], rng.int(-3, 3));
    }
    point
}

#[derive(Debug, Default)]
struct Report {
    points: usize,
    /// Triangles that are certain of their area.
    certain: usize,
    /// Lower bounds above zero.
    above_zero: usize,
    lost: Vec<String>,
}

/// Tests `points` points. Each is moved by some units in the last place before the kernels see it,
/// to check that the search notices.
fn search(level: SimdLevel, seed: u64, points: usize, moved: i32) -> Report {
    let token = level_token(level).expect("one of the available levels");
    let mut rng = Rng::named(seed, "near");
    let mut report = Report::default();
    while report.points < points && report.lost.len() < 10 {
        let (triangles, ray) = case(&mut rng);
        let scene = Scene::of(triangles);
        for _ in 0..4 {
            let point = point(&mut rng, &triangles, &ray);
            if !point.is_finite() {
                continue;
            }
            let Some(mut near) = NearPoint::of(point, &scene.tree) else {
                continue;
            };
            near.coordinates = near.coordinates.map(|x| nudged(x, moved));
            let found = bounds(&scene, token, &near);
            report.points += 1;
            for (lane, triangle) in triangles.iter().enumerate() {
                look(&scene, &found, lane, (triangle, point), &mut report);
            }
        }
    }
    report
}

fn look(
    scene: &Scene,
    found: &Bounds,
    lane: usize,
    (triangle, point): (&Triangle, Vec3),
    report: &mut Report,
) {
    let up = f64::from(scene.tree.scale.up(1.0));
    let square = |distance: f32| (f64::from(distance) * up).powi(2);
    let mut check = |what: &str, holds: bool| {
        if !holds {
            report
                .lost
                .push(format!("{what} of {point:?} and {triangle:?}"));
        }
    };
    // The nearest f32s are known, and the exact numbers lie between their neighbours.
    let to_box = Aabb::of_triangle(triangle).distance(point);
    let most = square(to_box.next_up()) * (1.0 + 6.0 * U) + TINY;
    check("the box", f64::from(found.boxes[lane]) <= most);
    let Some(distance) = BruteForce::new([*triangle]).distance(point) else {
        check("the area", found.high[lane] == f32::INFINITY);
        return;
    };
    let (below, above) = (
        square(distance.next_down().max(0.0)),
        square(distance.next_up()),
    );
    let (low, high) = (f64::from(found.low[lane]), f64::from(found.high[lane]));
    check("the lower bound", low <= above * (1.0 + 13.0 * U) + TINY);
    check("the upper bound", high >= below * (1.0 - 2.0 * U));
    check("the limit", found.low[lane] <= grant(above as f32));
    report.certain += usize::from(high.is_finite());
    report.above_zero += usize::from(low > 0.0);
}

#[test]
fn the_search_finds_no_violation_of_the_bounds_of_distances() {
    for level in SimdLevel::available() {
        let points = if Effort::is_long() { 2_000_000 } else { 6_000 };
        let report = search(level, 1, points, 0);
        let (tests, lost) = (report.points * WIDTH, &report.lost);
        println!(
            "{level}: {} points, {} of {tests} certain of their area, {} above zero",
            report.points, report.certain, report.above_zero
        );
        assert!(lost.is_empty(), "{level}: {lost:#?}");
        assert!(
            report.certain * 4 > tests && report.above_zero * 4 > tests,
            "{report:?}"
        );
    }
}

#[test]
fn the_search_finds_violations_for_points_that_are_moved() {
    for moved in [64, -64] {
        let report = search(SimdLevel::best(), 2, 6_000, moved);
        assert!(!report.lost.is_empty(), "moved by {moved}");
    }
}

/// Returns how many of some triangles have an upper bound, of which each stands for one without area whose corners are
/// `off` away by less than it says, in each coordinate.
fn upper_bounds_without_area(level: SimdLevel, triangles: usize, says: f64) -> usize {
    let token = level_token(level).expect("one of the available levels");
    let mut rng = Rng::named(3, "area");
    let mut bounded = 0;
    for _ in 0..triangles {
        let size = 2f64.powi(rng.int(-10, 10));
        let off = size * rng.pick(&[1e-6, 1e-4, 1e-2, 0.3]);
        let mut vector = |size: f64| [0; 3].map(|_| f64::from(rng.signed()) * size);
        let (a, along) = (vector(size), vector(size * 0.5));
        let share = f64::from(rng.signed()) * 2.0;
        let far = rng.one_in(2);
        let mut narrow = |share: f64| {
            let corner = |axis: usize| {
                let x = a[axis] + share * along[axis];
                // Less than `off`, also after rounding.
                let most = off - size * 2e-7;
                let by = if far {
                    rng.pick(&[-1.0, 1.0])
                } else {
                    f64::from(rng.signed())
                };
                (x + most * by) as f32
            };
            Vec3::from_array([0, 1, 2].map(corner))
        };
        let triangle = Triangle::new(narrow(0.0), narrow(1.0), narrow(share));
        let scene = Scene::of([triangle; WIDTH]);
        let Some(mut near) = NearPoint::of(triangle.corners()[0], &scene.tree) else {
            continue;
        };
        let up = f64::from(scene.tree.scale.up(1.0));
        near.corners_off = (off * says * up) as f32;
        let found = bounds(&scene, token, &near);
        bounded += usize::from(found.high[0] < f32::INFINITY);
    }
    bounded
}

#[test]
fn triangles_that_stand_for_some_without_area_have_no_upper_bound() {
    for level in SimdLevel::available() {
        let triangles = if Effort::is_long() { 5_000_000 } else { 20_000 };
        assert_eq!(
            upper_bounds_without_area(level, triangles, 1.0),
            0,
            "{level}"
        );
        // The search notices corners that are off by more.
        let noticed = upper_bounds_without_area(level, triangles, 0.25);
        assert!(noticed * 100 > triangles, "{level}: {noticed}");
    }
}
