//! Badouel's test in `f32`: sides, the limit, NaN, the precomputed form, and its agreement with the
//! exact test where rounding cannot matter.

use estoc_core::glam::Vec3;
use estoc_core::{BadouelTriangle, PrimId, Ray, Side, Triangle, TriangleHit};
use estoc_testkit::tables::Rng;

const INF: f32 = f32::INFINITY;

/// Counter-clockwise as seen from +z.
fn unit() -> Triangle {
    Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
}

/// Tests with both forms, which must agree to the last bit.
fn ask(triangle: &Triangle, ray: &Ray, closest: f32) -> [Option<TriangleHit>; 2] {
    let bits = |hit: Option<TriangleHit>| {
        hit.map(|h| (h.t.to_bits(), h.u.to_bits(), h.v.to_bits(), h.side))
    };
    let direct = [
        triangle.badouel(ray, closest),
        triangle.badouel_both_sides(ray, closest),
    ];
    let precomputed = BadouelTriangle::new(triangle).map_or([None; 2], |p| {
        [p.hit(ray, closest), p.hit_both_sides(ray, closest)]
    });
    assert_eq!(
        direct.map(bits),
        precomputed.map(bits),
        "{triangle:?} {ray:?} {closest}"
    );
    // Testing both sides finds everything that testing the front finds.
    if let Some(front) = direct[0] {
        assert_eq!(front.side, Side::Front);
        assert_eq!(bits(direct[1]), bits(Some(front)), "{triangle:?} {ray:?}");
    }
    direct
}

#[test]
fn the_front_is_where_the_corners_turn_left() {
    for (z, side) in [(2.0, Side::Front), (-2.0, Side::Back)] {
        let ray = Ray::new([0.25, 0.5, z], [0.0, 0.0, -z / 4.0]);
        let hit = TriangleHit {
            t: 4.0,
            u: 0.25,
            v: 0.5,
            side,
        };
        let front = (side == Side::Front).then_some(hit);
        assert_eq!(ask(&unit(), &ray, INF), [front, Some(hit)]);
        // The plane lies behind the ray.
        let away = Ray::new(ray.origin, -ray.dir);
        assert_eq!(ask(&unit(), &away, INF), [None; 2]);
    }
}

#[test]
fn the_closest_hit_so_far_and_the_interval_bound_it() {
    let ray = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -0.5]); // hits at 2
    let hits = |ray: &Ray, closest| ask(&unit(), ray, closest)[0].is_some();
    for (closest, expected) in [
        (INF, true),
        (3.0, true),
        (2.0, true),
        (2.0f32.next_down(), false),
        (1.0, false),
        (0.0, false),
        (-1.0, false),
    ] {
        assert_eq!(hits(&ray, closest), expected, "closest so far {closest}");
        if closest >= 0.0 {
            assert_eq!(
                hits(&ray.with_interval(0.0, closest), INF),
                expected,
                "t_max {closest}"
            );
        }
    }
    for (t_min, expected) in [
        (-INF, true),
        (-1.0, true),
        (2.0, true),
        (2.0f32.next_up(), false),
        (INF, false),
    ] {
        let found = hits(&ray.with_interval(t_min, INF), INF);
        assert_eq!(found, expected, "t_min {t_min}");
    }
    // With the closest hit as the limit, a loop over triangles finds the nearest.
    let stack: Vec<_> = [3.0, 1.0, 2.0, 5.0]
        .map(|z| Triangle::new([0.0, 0.0, -z], [1.0, 0.0, -z], [0.0, 1.0, -z]))
        .into();
    let ray = Ray::new([0.25, 0.25, 0.0], [0.0, 0.0, -1.0]);
    let nearest = stack.iter().fold(INF, |closest, triangle| {
        triangle.badouel(&ray, closest).map_or(closest, |hit| hit.t)
    });
    assert_eq!(nearest, 1.0);
}

#[test]
fn corners_and_edges_count_where_nothing_is_rounded() {
    for (x, y, inside) in [
        (0.0, 0.0, true),
        (1.0, 0.0, true),
        (0.0, 1.0, true),
        (0.5, 0.5, true),
        (0.0, 0.5, true),
        (-0.125, 0.5, false),
        (0.5, -0.125, false),
        (0.75, 0.375, false),
    ] {
        let ray = Ray::new([x, y, 1.0], [0.0, 0.0, -1.0]);
        let found = ask(&unit(), &ray, INF).map(|hit| hit.is_some());
        assert_eq!(found, [inside; 2], "{x} {y}");
    }
    let in_plane = Ray::new([-1.0, 0.25, 0.0], [1.0, 0.0, 0.0]).with_interval(-INF, INF);
    assert_eq!(ask(&unit(), &in_plane, INF), [None; 2]);
}

/// All eighteen numbers of a test: corners, origin, direction, interval, closest so far.
#[derive(Clone, Copy, Debug)]
struct Question([f32; 18]);

impl Question {
    fn ask(&self) -> [Option<TriangleHit>; 2] {
        let vec = |i: usize| [self.0[i], self.0[i + 1], self.0[i + 2]];
        let triangle = Triangle::new(vec(0), vec(3), vec(6));
        let ray = Ray::new(vec(9), vec(12)).with_interval(self.0[15], self.0[16]);
        ask(&triangle, &ray, self.0[17])
    }
}

const ORDINARY: Question = Question([
    0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, // corners
    0.25, 0.25, 1.0, 0.5, 0.5, -2.0, // origin and direction
    0.0, 9.0, 8.0, // t_min, t_max, closest
]);

#[test]
fn nan_leaves_from_every_place() {
    assert!(ORDINARY.ask()[0].is_some());
    for place in 0..18 {
        let mut question = ORDINARY;
        question.0[place] = f32::NAN;
        assert_eq!(question.ask(), [None; 2], "NaN at {place}");
    }
}

#[test]
fn numbers_that_are_not_finite_give_no_nan() {
    let numbers = [INF, -INF, f32::NAN, f32::MAX, -f32::MAX, 1e-45, 0.0, -0.0];
    let mut rng = Rng::new(18);
    for _ in 0..200_000 {
        let mut question = ORDINARY;
        for _ in 0..=rng.below(4) {
            question.0[rng.below(18) as usize] = rng.pick(&numbers);
        }
        for hit in question.ask().into_iter().flatten() {
            let is_sound = !hit.t.is_nan() && hit.u >= 0.0 && hit.v >= 0.0;
            assert!(is_sound, "{question:?} {hit:?}");
        }
        // Corners that are not finite make no triangle.
        if !question.0[..9].iter().all(|x| x.is_finite()) {
            assert_eq!(question.ask(), [None; 2], "{question:?}");
        }
    }
}

#[test]
fn the_precomputed_form_gives_the_same_bits() {
    const SEED: u64 = 390;
    let mut rng = Rng::new(SEED);
    let mut hits = 0;
    for _ in 0..100_000 {
        let corners = [(); 3].map(|()| Vec3::from(rng.vec(-1.0, 1.0)));
        let triangle = Triangle::new(corners[0], corners[1], corners[2]);
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        let target = middle + Vec3::from(rng.vec(-1.0, 1.0)) / 2.0;
        let origin = Vec3::from(rng.vec(-2.0, 2.0));
        let ray = Ray::new(origin, target - origin);
        let found = ask(&triangle, &ray, rng.pick(&[INF, 1.5, 1.0]));
        hits += found.iter().flatten().count();
    }
    assert!(hits > 20_000, "only {hits} hits, seed {SEED}");
    // Ties on small integers, and all sizes at once.
    let mut hits = 0;
    for case in 0..100_000 {
        let scale = match case % 2 {
            0 => 1.0,
            _ => 2f32.powi(rng.integer(-40, 40) as i32),
        };
        let mut point = || rng.grid(-2, 2).map(|x| x * scale);
        let triangle = Triangle::new(point(), point(), point());
        let (origin, target) = (point(), point());
        let dir = [0, 1, 2].map(|i| target[i] - origin[i]);
        let ray = Ray::new(origin, dir).with_interval(-INF, INF);
        hits += ask(&triangle, &ray, INF).iter().flatten().count();
    }
    assert!(hits > 3_000, "only {hits} hits, seed {SEED}");
    // Any bits.
    for _ in 0..100_000 {
        Question([(); 18].map(|()| rng.any())).ask();
    }
}

/// Away from edges and from grazing rays, rounding cannot change the answer, and the numbers are
/// close to the exact ones.
#[test]
fn it_agrees_with_the_exact_test_away_from_edges() {
    const SEED: u64 = 1990;
    let prim = PrimId::new(0).unwrap();
    let mut rng = Rng::new(SEED);
    let (mut hits, mut misses) = (0, 0);
    while hits < 20_000 || misses < 20_000 {
        let [p0, p1, p2] = [(); 3].map(|()| Vec3::from(rng.vec(-1.0, 1.0)));
        let normal = (p1 - p0).cross(p2 - p0);
        let (u, v) = (rng.between(-1.0, 2.0), rng.between(-1.0, 2.0));
        let origin = Vec3::from(rng.vec(-3.0, 3.0));
        let dir = p0 + u * (p1 - p0) + v * (p2 - p0) - origin;
        // Slivers and grazing rays lose digits.
        if normal.length() < 0.2 || normal.dot(dir).abs() < 0.2 * normal.length() * dir.length() {
            continue;
        }
        let least = u.min(v).min(1.0 - u - v);
        if least.abs() < 0.01 {
            continue;
        }
        let triangle = Triangle::new(p0, p1, p2);
        let ray = Ray::new(origin, dir);
        let exact = triangle.exact_hit(&ray, prim);
        let found = ask(&triangle, &ray, INF)[1];
        let context = format!("seed {SEED}: {triangle:?} {ray:?} {exact:?} {found:?}");
        assert_eq!(exact.is_some(), least > 0.0, "{context}");
        assert_eq!(found.is_some(), least > 0.0, "{context}");
        if let (Some((exact, side)), Some(found)) = (exact, found) {
            let pairs = [(exact.t, found.t), (exact.u, found.u), (exact.v, found.v)];
            let is_close = pairs.iter().all(|(a, b)| (a - b).abs() < 1e-4);
            assert!(is_close, "{context}");
            assert_eq!(side, found.side, "{context}");
            hits += 1;
        } else {
            misses += 1;
        }
    }
}

#[test]
fn no_area_no_hit() {
    for corners in [
        [[0.25, 0.25, 0.0]; 3],
        [[0.0; 3], [0.5, 0.5, 0.0], [0.5, 0.5, 0.0]],
        [[0.0; 3], [1.0, 1.0, 0.0], [0.5, 0.5, 0.0]],
    ] {
        let triangle = Triangle::new(corners[0], corners[1], corners[2]);
        assert!(BadouelTriangle::new(&triangle).is_none());
        for dir in [[0.0, 0.0, -1.0], [1.0, 0.0, -1.0], [1.0, 2.0, 3.0]] {
            let ray = Ray::new([0.25, 0.25, 1.0], dir).with_interval(-INF, INF);
            assert_eq!(ask(&triangle, &ray, INF), [None; 2]);
        }
    }
}
