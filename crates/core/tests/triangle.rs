//! Ray against triangle, exactly: corners, edges, intervals and extreme numbers, and the
//! cases that other projects test. `T` numbers name a case by its source.

mod common;

use common::Rng;
use estoc_core::glam::Vec3;
use estoc_core::{BruteForce, Cull, PrimId, QueryOptions, Ray, RayQuery, Side, Triangle};

const INF: f32 = f32::INFINITY;
type Corners = [[f32; 3]; 3];

fn triangle([a, b, c]: Corners) -> Triangle {
    Triangle::new(a, b, c)
}

fn prim(index: u32) -> PrimId {
    PrimId::new(index).unwrap()
}

/// `t`, `u`, `v` and the side, or nothing.
type Answer = Option<(f32, f32, f32, Side)>;

fn exact(corners: Corners, ray: &Ray) -> Answer {
    let (hit, side) = triangle(corners).exact_hit(ray, prim(7))?;
    assert_eq!(hit.prim, prim(7));
    Some((hit.t, hit.u, hit.v, side))
}

struct Row {
    source: &'static str,
    corners: Corners,
    ray: Ray,
    expect: Answer,
}

fn row(
    source: &'static str,
    corners: Corners,
    origin: [f32; 3],
    dir: [f32; 3],
    expect: Answer,
) -> Row {
    Row {
        source,
        corners,
        ray: Ray::new(origin, dir),
        expect,
    }
}

impl Row {
    fn until(mut self, t_min: f32, t_max: f32) -> Self {
        self.ray = self.ray.with_interval(t_min, t_max);
        self
    }

    /// The triangle alone, and as the one triangle of an engine, with every cull.
    fn check(&self) {
        let case = format!("{}: {:?} {:?}", self.source, self.corners, self.ray);
        assert_eq!(exact(self.corners, &self.ray), self.expect, "{case}");
        let engine = BruteForce::new(vec![triangle(self.corners)]);
        let hit = engine.closest_hit(&self.ray);
        assert_eq!(
            hit.map(|h| (h.t, h.u, h.v)),
            self.expect.map(|(t, u, v, _)| (t, u, v)),
            "{case}"
        );
        assert_eq!(engine.any_hit(&self.ray), self.expect.is_some(), "{case}");
        for (cull, kept) in [(Cull::Back, Side::Front), (Cull::Front, Side::Back)] {
            let options = QueryOptions::new().cull(cull);
            let expected = self.expect.is_some_and(|(.., side)| side == kept);
            assert_eq!(
                engine.any_hit_with(&self.ray, &options),
                Ok(expected),
                "{cull:?}, {case}"
            );
        }
    }
}

const FRONT: Side = Side::Front;
const BACK: Side = Side::Back;
/// Counter-clockwise as seen from +z.
const UNIT: Corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

#[test]
#[rustfmt::skip]
fn cases_of_other_projects() {
    const OPEN3D: Corners = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]];
    const DOWN: [f32; 3] = [0.0, 0.0, -1.0];
    const UP: [f32; 3] = [0.0, 0.0, 1.0];
    const S: f32 = 2e-4;
    const BEVY: Corners = [[1.0, -1.0, 2.0], [1.0, 2.0, -1.0], [1.0, -1.0, -1.0]];
    const THIRD: f32 = 1.0 / 3.0;
    let three = |a: [f32; 3], b: [f32; 3]| [a, b, [1.0, 0.0, 1.0]];
    let (a, b) = ([1.0, 1.0, 0.0], [0.0, 1.0, 1.0]);
    let (minus_a, minus_b) = ([-1.0, -1.0, 0.0], [0.0, -1.0, -1.0]);
    for row in [
        row("T1 Open3D test_cast_rays", OPEN3D, [0.2, 0.1, 1.0], DOWN, Some((1.0, 0.1, 0.1, FRONT))),
        row("T1 Open3D test_cast_rays", OPEN3D, [10.0; 3], [1.0, 0.0, 0.0], None),
        row("T2 Open3D test_test_occlusions", OPEN3D, [0.2, 0.1, 1.0], DOWN, None).until(0.0, 0.5),
        row("T2 Open3D test_test_occlusions", OPEN3D, [0.2, 0.1, 1.0], DOWN, None).until(1.5, INF),
        row("T5.1 three.js intersectTriangle", three(a, b), [0.0; 3], [0.0; 3], None),
        // T5.2 culls this one: it is seen from behind.
        row("T5.3 three.js intersectTriangle", three(a, b), [0.0; 3], [1.0; 3], Some((2.0 / 3.0, THIRD, THIRD, BACK))),
        row("T5.4 three.js intersectTriangle", three(a, minus_b), [0.0; 3], [1.0; 3], None),
        row("T5.5 three.js intersectTriangle", three(minus_a, minus_b), [0.0; 3], [1.0; 3], None),
        row("T5.6 three.js intersectTriangle", three(minus_a, b), [0.0; 3], [1.0; 3], None),
        row("T5.7 three.js intersectTriangle", three(a, minus_b), [0.0; 3], [-1.0; 3], None),
        row("T6 pbrt Triangle.BadCases, no area", [
                [-1113.454_6, -79.049_614, -56.243_19], [-1113.454_6, -87.092_27, -56.243_19], [-1113.454_6, -79.209_015, -56.243_19],
            ], [-1_081.479_2, 99.999_954, 87.770_11], [-32.107_3, -183.355_87, -144.607_64], None).until(0.0, 0.9999),
        // 1e-15 high, hit exactly at its second corner. Peers call it degenerate.
        row("T9 three-mesh-bvh geometryUtils", [[2.0, 0.0, 0.0], [0.0; 3], [1.0, 1e-15, 0.0]], [0.0, 0.0, 1.0], DOWN, Some((1.0, 1.0, 0.0, BACK))),
        row("T9 beside it", [[2.0, 0.0, 0.0], [0.0; 3], [1.0, 1e-15, 0.0]], [1.0, 1.1e-15, 1.0], DOWN, None),
        row("T9 with no height at all", [[2.0, 0.0, 0.0], [0.0; 3], [1.0, 0.0, 0.0]], [0.0, 0.0, 1.0], DOWN, None),
        row("T10 tinybvh#283", [[0.0; 3], [S, 0.0, 0.0], [0.0, S, 0.0]], [S / 3.0, S / 3.0, -1.0], UP,
            Some((1.0, (S / 3.0) / S, (S / 3.0) / S, BACK))),
        row("T11 bevy", BEVY, [0.0; 3], [1.0, 0.0, 0.0], Some((1.0, THIRD, THIRD, FRONT))),
        row("T11 bevy, turned round", [BEVY[2], BEVY[1], BEVY[0]], [0.0; 3], [1.0, 0.0, 0.0], Some((1.0, THIRD, THIRD, BACK))),
        // Both through a corner.
        row("T13 parry ray_trimesh, up", UNIT, [0.0, 0.0, -1.0], UP, Some((1.0, 0.0, 0.0, BACK))),
        row("T13 parry ray_trimesh, down", UNIT, [0.0, 0.0, 1.0], DOWN, Some((1.0, 0.0, 0.0, FRONT))),
        row("T16 trimesh#2462, in the plane", [[0.0; 3], [0.1, 0.0, 0.0], [0.1, 0.3, 0.0]], [-0.5, 0.1, 0.0], [1.0, 0.0, 0.0], None),
        row("T16 trimesh#2462, in the plane", [[0.0; 3], [0.1, 0.3, 0.0], [0.0, 0.3, 0.0]], [-0.5, 0.1, 0.0], [1.0, 0.0, 0.0], None),
    ] {
        row.check();
    }
}

/// T3 (Embree TriangleHitTest): what was sampled comes back, here to the last bit.
#[test]
fn sampled_weights_come_back() {
    let mut rng = Rng::new(3);
    for _ in 0..256 {
        // Multiples of 2^-24 with u + v <= 1, so that nothing is rounded on the way in.
        let (mut u, mut v) = (rng.unit(), rng.unit());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let ray = Ray::new([0.0, 0.0, -1.0], [u, v, 1.0]);
        assert_eq!(exact(UNIT, &ray), Some((1.0, u, v, BACK)), "{u} {v}");
    }
}

/// T4 (Embree BackfaceCullingTest): a square whose front is seen from below.
#[test]
fn culling_keeps_one_side() {
    let [p, x, y, xy] = [[0.0; 3], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]];
    let square = BruteForce::new(vec![Triangle::new(p, x, y), Triangle::new(xy, y, x)]);
    let mut rng = Rng::new(4);
    for ray in 0..1000 {
        let z = if ray % 2 == 0 { -1.0 } else { 1.0 };
        let ray = Ray::new([rng.unit(), rng.unit(), z], [0.0, 0.0, -z]);
        let ask = |cull| {
            square
                .closest_hit_with(&ray, &QueryOptions::new().cull(cull))
                .unwrap()
        };
        let all = square.closest_hit(&ray);
        assert_eq!(all.map(|hit| hit.t), Some(1.0), "{ray:?}");
        let (front, back) = if z < 0.0 { (all, None) } else { (None, all) };
        assert_eq!(ask(Cull::None), all, "{ray:?}");
        assert_eq!(ask(Cull::Back), front, "{ray:?}");
        assert_eq!(ask(Cull::Front), back, "{ray:?}");
    }
}

/// T7 (pbrt Triangle.Reintersect): from a point on a triangle, with `skip`, the triangle is
/// never found again. A copy of it and a neighbour stand by, so that there is something to
/// find and leaving out too much would show.
#[test]
fn a_skipped_triangle_is_not_found_again() {
    const SEED: u64 = 7;
    let (triangles, directions) = if common::long() {
        (1000, 2000)
    } else {
        (200, 200)
    };
    let mut rng = Rng::new(SEED);
    let mut size = || 10f32.powf(rng.between(-8.0, 8.0)) * rng.pick(&[-1.0, 1.0]);
    let mut vec = || [size(), size(), size()];
    let mut found = 0;
    for case in 0..triangles {
        let [a, b, c, d] = [(); 4].map(|()| vec());
        let all = [
            Triangle::new(a, b, c),
            Triangle::new(a, b, c),
            Triangle::new(b, a, d),
        ];
        let engine = BruteForce::new(all.to_vec());
        let others = BruteForce::new(all[1..].to_vec());
        // A point on the first, rounded: above, below or on it.
        let mut weights = Rng::new(SEED ^ case);
        let (u, v) = (weights.unit(), weights.unit());
        let (u, v) = if u + v > 1.0 {
            (1.0 - u, 1.0 - v)
        } else {
            (u, v)
        };
        let point = all[0].p0 + u * (all[0].p1 - all[0].p0) + v * (all[0].p2 - all[0].p0);
        for direction in 0..directions {
            let target = Vec3::from(vec());
            let ray = Ray::new(
                point,
                if direction % 2 == 0 {
                    target
                } else {
                    target - point
                },
            );
            let skip = QueryOptions::new().skip(Some(prim(0)));
            let closest = engine.closest_hit_with(&ray, &skip).unwrap();
            let expected = others
                .closest_hit(&ray)
                .map(|hit| (hit.prim.get() + 1, hit.t));
            let context =
                format!("seed {SEED}, triangle {case}, direction {direction}: {all:?} {ray:?}");
            assert_eq!(
                closest.map(|hit| (hit.prim.get(), hit.t)),
                expected,
                "{context}"
            );
            assert_eq!(
                engine.any_hit_with(&ray, &skip),
                Ok(expected.is_some()),
                "{context}"
            );
            let alone = BruteForce::new(vec![all[0]]);
            assert_eq!(alone.closest_hit_with(&ray, &skip), Ok(None), "{context}");
            assert_eq!(alone.any_hit_with(&ray, &skip), Ok(false), "{context}");
            found += u32::from(expected.is_some());
        }
    }
    assert!(found > 100, "only {found} rays found a neighbour");
}

/// T14 (bvh test_ray_hits_triangle), with the border demanded too: weights in hundredths on
/// triangles whose corners are multiples of 100, so that the points are integers.
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
#[rustfmt::skip]
fn intervals_are_closed_and_compare_the_exact_parameter() {
    const THIRD: f32 = 1.0 / 3.0; // a little above 1/3
    let before = THIRD.next_down(); // a little below
    // At t = 3/2, and at t = 1/3, which is no f32.
    let (a, b) = ([0.0, 0.0, -3.0], [0.0, 0.0, -1.0]);
    let hit = |t| Some((t, 0.0, 0.0, BACK));
    let (up, three) = ([0.0, 0.0, 2.0], [0.0, 0.0, 3.0]);
    for row in [
        row("a moment", UNIT, a, up, hit(1.5)).until(1.5, 1.5),
        row("starts at the hit", UNIT, a, up, hit(1.5)).until(1.5, INF),
        row("ends at the hit", UNIT, a, up, hit(1.5)).until(-INF, 1.5),
        row("starts behind it", UNIT, a, up, None).until(1.5f32.next_up(), INF),
        row("ends before it", UNIT, a, up, None).until(0.0, 1.5f32.next_down()),
        row("ends above 1/3", UNIT, b, three, hit(THIRD)).until(0.0, THIRD),
        row("ends below 1/3", UNIT, b, three, None).until(0.0, before),
        row("starts below 1/3", UNIT, b, three, hit(THIRD)).until(before, 1.0),
        row("starts above 1/3, at the t that is reported", UNIT, b, three, None).until(THIRD, 1.0),
        row("behind the origin", UNIT, a, [0.0, 0.0, -2.0], None),
        row("behind, with a negative t_min", UNIT, a, [0.0, 0.0, -2.0], Some((-1.5, 0.0, 0.0, FRONT))).until(-1.5, 0.0),
        row("the whole line", UNIT, a, [0.0, 0.0, -2.0], Some((-1.5, 0.0, 0.0, FRONT))).until(-INF, INF),
        row("on the triangle", UNIT, [0.25, 0.25, 0.0], up, Some((0.0, 0.25, 0.25, BACK))).until(0.0, 0.0),
        row("on it, zeros with signs", UNIT, [0.25, 0.25, -0.0], up, Some((0.0, 0.25, 0.25, BACK))).until(-0.0, -0.0),
        row("the end of all numbers", UNIT, a, up, None).until(INF, INF),
        row("their beginning", UNIT, a, up, None).until(-INF, -INF),
    ] {
        row.check();
    }
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
    // Two hits beyond f32: the order is still the exact one.
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
