//! Ray against triangle, exactly: the cases that other projects test, and intervals. `T` numbers
//! identify a case by its source.

use crate::common::{Answer, Corners, exact, prim, triangle};
use estoc_core::glam::Vec3;
use estoc_core::{Any, BruteForce, Closest, Cull, QueryOptions, Ray, RayQuery, Side, Triangle};
use estoc_testkit::conformance::Effort;
use estoc_testkit::tables::Rng;

const INF: f32 = f32::INFINITY;

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

    /// Checks the triangle alone, and as the only triangle of an engine, with every cull.
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
                engine.ask_with(Any, &self.ray, &options),
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
                [-1_113.454_6, -79.049_614, -56.243_19], [-1_113.454_6, -87.092_27, -56.243_19], [-1_113.454_6, -79.209_015, -56.243_19],
            ], [-1_081.479_2, 99.999_954, 87.770_11], [-32.107_3, -183.355_87, -144.607_64], None).until(0.0, 0.9999),
        // 1e-15 high, hit exactly at its second corner. Peers treat it as degenerate.
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

/// T3 (Embree TriangleHitTest): sampled weights are returned, here to the last bit.
#[test]
fn sampled_weights_come_back() {
    let mut rng = Rng::new(3);
    for _ in 0..256 {
        // Multiples of 2^-24 with u + v <= 1, so that no input is rounded.
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
            let options = QueryOptions::new().cull(cull);
            square.ask_with(Closest, &ray, &options).unwrap()
        };
        let all = square.closest_hit(&ray);
        assert_eq!(all.map(|hit| hit.t), Some(1.0), "{ray:?}");
        let (front, back) = if z < 0.0 { (all, None) } else { (None, all) };
        assert_eq!(ask(Cull::None), all, "{ray:?}");
        assert_eq!(ask(Cull::Back), front, "{ray:?}");
        assert_eq!(ask(Cull::Front), back, "{ray:?}");
    }
}

/// T7 (pbrt Triangle.Reintersect): from a point on a triangle, with `skip`, the triangle is never
/// found again. A copy of it and a neighbour are in the scene, so that skipping too much would be
/// noticed.
#[test]
fn a_skipped_triangle_is_not_found_again() {
    const SEED: u64 = 7;
    let long = Effort::is_long();
    let (triangles, directions) = if long { (1000, 2000) } else { (200, 200) };
    let mut rng = Rng::new(SEED);
    let mut size = || 10f32.powf(rng.between(-8.0, 8.0)) * rng.pick(&[-1.0, 1.0]);
    let mut vec = || [size(), size(), size()];
    let mut found = 0;
    for case in 0..triangles {
        let [a, b, c, d] = [(); 4].map(|()| vec());
        let first = Triangle::new(a, b, c);
        let all = [first, first, Triangle::new(b, a, d)];
        let engine = BruteForce::new(all.to_vec());
        let others = BruteForce::new(all[1..].to_vec());
        // A point on the first triangle, rounded: above, below or on it.
        let mut weights = Rng::new(SEED ^ case);
        let (u, v) = (weights.unit(), weights.unit());
        let is_beside = u + v > 1.0;
        let (u, v) = if is_beside {
            (1.0 - u, 1.0 - v)
        } else {
            (u, v)
        };
        let point = all[0].p0 + u * (all[0].p1 - all[0].p0) + v * (all[0].p2 - all[0].p0);
        for direction in 0..directions {
            let target = Vec3::from(vec());
            let ray = Ray::new(point, [target, target - point][direction % 2]);
            let skip = QueryOptions::new().skip(Some(prim(0)));
            let closest = engine.ask_with(Closest, &ray, &skip).unwrap();
            let closest = closest.map(|hit| (hit.prim.get(), hit.t));
            let expected = others.closest_hit(&ray);
            let expected = expected.map(|hit| (hit.prim.get() + 1, hit.t));
            let context =
                format!("seed {SEED}, triangle {case}, direction {direction}: {all:?} {ray:?}");
            assert_eq!(closest, expected, "{context}");
            let any = engine.ask_with(Any, &ray, &skip);
            assert_eq!(any, Ok(expected.is_some()), "{context}");
            let alone = BruteForce::new(vec![all[0]]);
            assert_eq!(alone.ask_with(Closest, &ray, &skip), Ok(None), "{context}");
            assert_eq!(alone.ask_with(Any, &ray, &skip), Ok(false), "{context}");
            found += u32::from(expected.is_some());
        }
    }
    assert!(found > 100, "only {found} rays found a neighbour");
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
