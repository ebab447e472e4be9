//! The exact test of one triangle: borders, parallel rays, and numbers of any size.

use crate::common::{Corners, exact, prim, triangle};
use estoc_core::{BruteForce, Ray, RayQuery, Side};
use estoc_testkit::tables::Rng;

const INF: f32 = f32::INFINITY;

const FRONT: Side = Side::Front;
const BACK: Side = Side::Back;
/// Counter-clockwise as seen from +z.
const UNIT: Corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// T14 (bvh test_ray_hits_triangle), including the border: weights in hundredths on triangles whose
/// corners are multiples of 100, so that the points are integers.
#[test]
fn weights_in_hundredths_hit_and_beyond_miss() {
    const SEED: u64 = 14;
    let mut rng = Rng::new(SEED);
    let mut seen = 0;
    while seen < 20 {
        let corners: Corners = [(); 3].map(|()| rng.grid(-9, 9).map(|x| 100.0 * x));
        let dir = rng.grid(-50, 50);
        let [p, a, b] = corners;
        let [e1, e2] = [a, b].map(|q| [0, 1, 2].map(|i| (q[i] - p[i]) / 100.0));
        let n = [0, 1, 2].map(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            e1[j] * e2[k] - e1[k] * e2[j]
        });
        let facing = (0..3).map(|i| n[i] * dir[i]).sum::<f32>();
        if facing == 0.0 {
            continue;
        }
        seen += 1;
        let side = if facing < 0.0 { FRONT } else { BACK };
        for (u, v) in (-3i16..104).flat_map(|u| (-3i16..104).map(move |v| (u, v))) {
            let [u, v] = [u, v].map(f32::from);
            let point = [0, 1, 2].map(|i| p[i] + u * e1[i] + v * e2[i]);
            let origin = [0, 1, 2].map(|i| point[i] - 3.0 * dir[i]);
            let inside = u >= 0.0 && v >= 0.0 && u + v <= 100.0;
            let expected = inside.then_some((3.0, u / 100.0, v / 100.0, side));
            let ray = Ray::new(origin, dir);
            assert_eq!(
                exact(corners, &ray),
                expected,
                "seed {SEED}: {corners:?} {ray:?}"
            );
        }
    }
}

#[test]
fn corners_and_edges_belong_to_it_and_nothing_beyond() {
    let step = f32::from_bits(1); // the smallest number above zero
    let above_half = 0.5f32.next_up();
    for (x, y, expect) in [
        (0.0, 0.0, Some((0.0, 0.0))),
        (-0.0, -0.0, Some((0.0, 0.0))),
        (1.0, 0.0, Some((1.0, 0.0))),
        (0.0, 1.0, Some((0.0, 1.0))),
        (0.5, 0.0, Some((0.5, 0.0))),
        (0.0, 0.25, Some((0.0, 0.25))),
        (0.5, 0.5, Some((0.5, 0.5))),
        (step, step, Some((step, step))),
        (-step, 0.0, None),
        (0.0, -step, None),
        (0.5, -step, None),
        (1.0f32.next_up(), 0.0, None),
        (1.0, step, None),
        (step, 1.0, None),
        (0.5, above_half, None),
        (above_half, 0.5, None),
        (above_half, 0.5f32.next_down(), None), // steps double at 1/2
        (0.75, 0.25, Some((0.75, 0.25))),
    ] {
        for (z, side) in [(2.0, FRONT), (-2.0, BACK)] {
            let expected = expect.map(|(u, v)| (2.0, u, v, side));
            let ray = Ray::new([x, y, z], [0.0, -0.0, -z / 2.0]);
            assert_eq!(exact(UNIT, &ray), expected, "{ray:?}");
            let hit = triangle(UNIT).exact_hit(&ray, prim(0));
            let negative = |h: &estoc_core::Hit| h.u.is_sign_negative() || h.v.is_sign_negative();
            assert!(
                hit.is_none_or(|(h, _)| !negative(&h)),
                "a zero weight is +0: {ray:?}"
            );
        }
    }
}

#[test]
fn parallel_rays_miss() {
    let flat = |z: f32| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    for (origin, dir) in [
        ([-1.0, 1.0, 0.0], [1.0, 0.0, 0.0]), // in the plane, through the inside
        ([1.0, 1.0, 0.0], [1.0, 2.0, 0.0]),  // from the inside
        ([-1.0, 0.0, 0.0], [1.0, 0.0, -0.0]), // along an edge
        ([0.0, 0.0, 0.0], [0.0, 1.0, 0.0]),  // from a corner
        ([1.0, 1.0, 1.0], [1.0, 2.0, 0.0]),  // beside the plane
    ] {
        let ray = Ray::new(origin, dir).with_interval(-INF, INF);
        assert_eq!(exact(flat(0.0), &ray), None, "{ray:?}");
    }
    // Parallel up to one part in 2^149 is not parallel.
    let grazing = Ray::new([1.0, 1.0, 0.0], [1.0, 0.0, f32::from_bits(1)]);
    assert_eq!(exact(flat(0.0), &grazing), Some((0.0, 0.25, 0.25, BACK)));
    assert_eq!(
        exact(flat(f32::from_bits(1)), &grazing),
        Some((1.0, 0.5, 0.25, BACK))
    );
}

#[test]
fn a_parameter_beyond_f32_is_infinite_and_still_a_hit() {
    const TINY: f32 = 1e-40;
    let ahead = Ray::new([0.25, 0.25, -3.0], [0.0, 0.0, TINY]);
    assert_eq!(exact(UNIT, &ahead), Some((INF, 0.25, 0.25, BACK)));
    // The exact t is 3e40, so it is beyond the largest f32 and before infinity.
    assert_eq!(exact(UNIT, &ahead.with_interval(0.0, f32::MAX)), None);
    assert_eq!(
        exact(UNIT, &ahead.with_interval(f32::MAX, INF)),
        Some((INF, 0.25, 0.25, BACK))
    );
    assert_eq!(exact(UNIT, &ahead.with_interval(INF, INF)), None);
    let behind = Ray::new([0.25, 0.25, 3.0], [0.0, 0.0, TINY]).with_interval(-INF, 0.0);
    assert_eq!(exact(UNIT, &behind), Some((-INF, 0.25, 0.25, BACK)));
    // Two hits beyond f32: their order is still exact.
    let engine = BruteForce::new(vec![
        triangle(UNIT.map(|[x, y, _]| [x, y, 1.0])),
        triangle(UNIT),
    ]);
    let order: Vec<_> = engine
        .all_hits(&ahead)
        .iter()
        .map(|h| (h.prim.get(), h.t))
        .collect();
    assert_eq!(order, [(1, INF), (0, INF)]);
}

#[test]
fn a_parameter_below_f32_is_positive_zero() {
    let step = f32::from_bits(1);
    for (z, interval) in [
        (step, (-INF, 0.0)),
        (-step, (0.0, INF)),
        (0.0, (0.0, 0.0)),
        (-0.0, (0.0, 0.0)),
    ] {
        let ray = Ray::new([0.25, 0.25, z], [0.0, 0.0, 1e30]).with_interval(interval.0, interval.1);
        let (t, ..) = exact(UNIT, &ray).expect("a hit");
        assert_eq!(t.to_bits(), 0, "{ray:?}");
    }
    // -2^-149 / 1e30 rounds to zero but lies before it.
    let ray = Ray::new([0.25, 0.25, step], [0.0, 0.0, 1e30]);
    assert_eq!(exact(UNIT, &ray), None);
}

#[test]
fn any_size_of_numbers() {
    let (big, small) = (2f32.powi(120), 2f32.powi(-120));
    for scale in [big, small, 2f32.powi(-148), f32::MAX / 8.0] {
        let corners = [[-1.0, -1.0, 1.0], [3.0, -1.0, 1.0], [-1.0, 3.0, 1.0]]
            .map(|p| p.map(|x: f32| x * scale));
        for dir in [1.0, big, small] {
            let expected = 2.0 * f64::from(scale) / f64::from(dir);
            let ray = Ray::new([0.0, 0.0, -scale], [0.0, 0.0, dir]);
            assert_eq!(
                exact(corners, &ray),
                Some((expected as f32, 0.25, 0.25, BACK)),
                "{scale:e} {dir:e}"
            );
        }
    }
    let whole = [
        [-f32::MAX; 3],
        [f32::MAX, -f32::MAX, f32::MAX],
        [-f32::MAX, f32::MAX, f32::MAX],
    ];
    let ray = Ray::new([0.0, 0.0, -f32::MAX], [0.0, 0.0, f32::MAX]);
    assert_eq!(exact(whole, &ray), Some((2.0, 0.5, 0.5, BACK)));
}

#[test]
fn what_is_not_finite_or_has_no_area_is_never_hit() {
    let ray = Ray::new([0.25, 0.25, -1.0], [0.0, 0.0, 1.0]).with_interval(-INF, INF);
    assert!(exact(UNIT, &ray).is_some());
    for (corner, axis) in (0..3).flat_map(|corner| (0..3).map(move |axis| (corner, axis))) {
        for number in [f32::NAN, INF, -INF] {
            let mut corners = UNIT;
            corners[corner][axis] = number;
            assert_eq!(exact(corners, &ray), None, "{corners:?}");
            assert!(triangle(corners).is_degenerate());
        }
    }
    for corners in [
        [[0.25, 0.25, 0.0]; 3],
        [[0.0; 3], [0.5, 0.5, 0.0], [0.5, 0.5, 0.0]],
        [[0.0; 3], [1.0, 1.0, 0.0], [0.5, 0.5, 0.0]],
        [[-1.0, -1.0, 0.0], [0.25, 0.25, 0.0], [3.0, 3.0, 0.0]],
    ] {
        assert_eq!(exact(corners, &ray), None, "{corners:?}");
        assert!(triangle(corners).is_degenerate(), "{corners:?}");
    }
}
