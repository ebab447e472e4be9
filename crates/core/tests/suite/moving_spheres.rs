//! First contacts of moving spheres: known cases, ties, limits, and agreement with rays and planes.

use estoc_core::Feature::{self, Edge, Face, Vertex};
use estoc_core::glam::Vec3;
use estoc_core::{
    BruteForce, FirstContact, MovingSphere, Plane, PointQuery, RayQuery, Sphere, SphereContact,
    SphereSweep, SweepQuery, Triangle,
};
use estoc_testkit::Sweep;
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::{self, Rng};

const INF: f32 = f32::INFINITY;

/// A right triangle in the plane z = 0.
fn right() -> BruteForce {
    BruteForce::new([Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])])
}

/// Returns the first contact until `t_max`.
fn until(
    engine: &BruteForce,
    center: impl Into<Vec3>,
    velocity: impl Into<Vec3>,
    radius: f32,
    t_max: f32,
) -> Option<SphereContact> {
    let sphere = MovingSphere::new(center, velocity, radius).with_t_max(t_max);
    engine.ask(FirstContact, &sphere)
}

fn contact(t: f32, point: [f32; 3], feature: Feature) -> SphereContact {
    SphereContact {
        t,
        prim: estoc_core::PrimId::new(0).unwrap(),
        point: point.into(),
        feature,
        is_touching_at_start: false,
    }
}

#[test]
fn contacts_with_every_feature_are_known() {
    let engine = right();
    #[rustfmt::skip]
    let cases = [
        // Down on the face, on an edge, on the slanted edge, on a vertex.
        ([1.0, 1.0, 9.0], [0.0, 0.0, -2.0], 1.0, 4.0, [1.0, 1.0, 0.0], Face),
        ([1.0, -3.0, 9.0], [0.0, 0.0, -1.0], 5.0, 5.0, [1.0, 0.0, 0.0], Edge(0)),
        ([-3.0, 2.0, 9.0], [0.0, 0.0, -1.0], 5.0, 5.0, [0.0, 2.0, 0.0], Edge(2)),
        ([-3.0, 0.0, 9.0], [0.0, 0.0, -1.0], 5.0, 5.0, [0.0; 3], Vertex(0)),
        ([7.0, 0.0, 9.0], [0.0, 0.0, -1.0], 5.0, 5.0, [4.0, 0.0, 0.0], Vertex(1)),
        // In the triangle's plane: against a vertex and against an edge.
        ([9.0, 0.0, 0.0], [-1.0, 0.0, 0.0], 1.0, 4.0, [4.0, 0.0, 0.0], Vertex(1)),
        ([1.0, -9.0, 0.0], [0.0, 4.0, 0.0], 1.0, 2.0, [1.0, 0.0, 0.0], Edge(0)),
        // Beside the plane, along it.
        ([1.0, -9.0, 3.0], [0.0, 1.0, 0.0], 5.0, 5.0, [1.0, 0.0, 0.0], Edge(0)),
        // Grazing: the sphere touches at one time only.
        ([5.0, -3.0, 0.0], [0.0, 1.0, 0.0], 1.0, 3.0, [4.0, 0.0, 0.0], Vertex(1)),
        ([-9.0, 1.0, 2.0], [1.0, 0.0, 0.0], 2.0, 9.0, [0.0, 1.0, 0.0], Edge(2)),
        ([1.0, -5.0, 0.0], [0.0, 1.0, 0.0], 0.0, 5.0, [1.0, 0.0, 0.0], Edge(0)),
        ([-1.0, 5.0, 0.0], [1.0, -1.0, 0.0], 0.0, 1.0, [0.0, 4.0, 0.0], Vertex(2)),
    ];
    for (center, velocity, radius, t, point, feature) in cases {
        let case = format!("{center:?} {velocity:?} {radius}");
        let found = engine.sweep_sphere(center, velocity, radius);
        assert_eq!(found, Some(contact(t, point, feature)), "{case}");
        // Exactly at the greatest time counts.
        let until = |t_max| until(&engine, center, velocity, radius, t_max);
        assert_eq!(until(t), found, "{case}");
        assert_eq!(until(t.next_down()), None, "{case}");
        let back = velocity.map(|x: f32| -x);
        assert_eq!(engine.sweep_sphere(center, back, radius), None, "{case}");
    }
    // A hair beside what grazes.
    let beside = [
        ([5f32.next_up(), -3.0, 0.0], [0.0, 1.0, 0.0], 1.0),
        ([-9.0, 1.0, 2f32.next_up()], [1.0, 0.0, 0.0], 2.0),
        ([1.0, -5.0, f32::from_bits(1)], [0.0, 1.0, 0.0], 0.0),
        ([-1.0, 5f32.next_up(), 0.0], [1.0, -1.0, 0.0], 0.0),
    ];
    for (center, velocity, radius) in beside {
        let found = engine.sweep_sphere(center, velocity, radius);
        assert_eq!(found, None, "{center:?}");
    }
}

#[test]
fn what_touches_at_the_start_is_told_apart() {
    let engine = right();
    let at_start = |center: [f32; 3], velocity: [f32; 3], radius| {
        let found = engine.sweep_sphere(center, velocity, radius)?;
        let is_near = engine.any_within(center, radius);
        assert_eq!(found.is_touching_at_start, is_near);
        Some((found.t, found.is_touching_at_start, found.feature))
    };
    let down = [0.0, 0.0, -1.0];
    let face = Some((0.0, true, Face));
    assert_eq!(at_start([1.0, 1.0, 2.0], down, 2.0), face);
    assert_eq!(at_start([1.0, 1.0, 2.0], [0.0, 0.0, 1.0], 2.0), face);
    assert_eq!(at_start([1.0, 1.0, 2.0], [0.0; 3], 2.0), face);
    assert_eq!(at_start([1.0, 1.0, 2.0], [0.0; 3], INF), face);
    assert_eq!(at_start([1.0, 1.0, 0.0], down, 0.0), face);
    assert_eq!(at_start([1.0, 1.0, 0.0], down, -0.0), face);
    let above = 2f32.next_up();
    assert_eq!(at_start([1.0, 1.0, above], [0.0; 3], 2.0), None);
    assert_eq!(at_start([1.0, 1.0, above], [0.0, 0.0, 1.0], 2.0), None);
    let soon = at_start([1.0, 1.0, above], down, 2.0);
    assert_eq!(soon, Some((above - 2.0, false, Face)));
    // A time that rounds to 0 is not at the start, and one that overflows is an answer.
    // 2^-22 / 2^128 is halfway between 0 and the least number; a little later is nearer to that.
    let fast = at_start([1.0, 1.0, above], [0.0, 0.0, -f32::MAX], 2.0);
    assert_eq!(fast, Some((f32::from_bits(1), false, Face)));
    let unit = BruteForce::new([Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
    let fast = unit.sweep_sphere([0.2, 0.2, 1f32.next_up()], [0.0, 0.0, -f32::MAX], 1.0);
    let fast = fast.unwrap();
    assert_eq!((fast.t.to_bits(), fast.is_touching_at_start), (0, false));
    let slow = at_start([1.0, 1.0, 9.0], [0.0, 0.0, -1e-45], 2.0);
    assert_eq!(slow, Some((INF, false, Face)));
    let until = |t_max| until(&engine, [1.0, 1.0, 9.0], [0.0, 0.0, -1e-45], 2.0, t_max);
    assert_eq!(until(f32::MAX), None);
    assert!(until(INF).is_some());
}

#[test]
fn undefined_spheres_touch_nothing() {
    let engine = right();
    let (center, down) = ([1.0, 1.0, 3.0], [0.0, 0.0, -1.0]);
    assert!(engine.sweep_sphere(center, down, 1.0).is_some());
    for bad in [f32::NAN, INF, -INF] {
        for axis in 0..3 {
            let (mut other, mut velocity) = (center, down);
            other[axis] = bad;
            velocity[axis] = bad;
            assert_eq!(engine.sweep_sphere(other, down, 1.0), None);
            assert_eq!(engine.sweep_sphere(center, velocity, 1.0), None);
        }
    }
    for radius in [f32::NAN, -1.0, -f32::from_bits(1), -INF] {
        assert_eq!(engine.sweep_sphere(center, down, radius), None);
    }
    for t_max in [f32::NAN, -1.0, -f32::from_bits(1), -INF] {
        let found = until(&engine, [1.0, 1.0, 0.0], down, 1.0, t_max);
        assert_eq!(found, None);
    }
    let hollow = BruteForce::new([
        Triangle::new([0.0; 3], [1.0; 3], [2.0; 3]),
        Triangle::new([0.0; 3], [0.0; 3], [1.0; 3]),
        Triangle::new([f32::NAN; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]),
        Triangle::new([INF; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]),
    ]);
    assert_eq!(hollow.sweep_sphere(center, down, 1.0), None);
    assert_eq!(hollow.sweep_sphere([0.0; 3], down, INF), None);
    assert_eq!(BruteForce::new([]).sweep_sphere(center, down, INF), None);
}

#[test]
fn of_equal_contacts_the_lowest_id_is_the_answer() {
    let fan = |tip: [f32; 3], turned: bool| {
        let corner = |i: usize| {
            let angle = std::f32::consts::TAU * i as f32 / 12.0;
            [angle.cos(), angle.sin(), 0.0]
        };
        let mut triangles: Vec<Triangle> = (0..12)
            .map(|i| match i % 3 {
                0 => Triangle::new(corner(i), corner(i + 1), tip),
                1 => Triangle::new(tip, corner(i), corner(i + 1)),
                _ => Triangle::new(corner(i + 1), tip, corner(i)),
            })
            .collect();
        if turned {
            triangles.reverse();
        }
        BruteForce::new(triangles)
    };
    for turned in [false, true] {
        // On the tip, and on the flat fan's centre, which is a vertex of all.
        for tip in [[0.0, 0.0, 1.0], [0.0; 3]] {
            let engine = fan(tip, turned);
            let found = engine.sweep_sphere([0.0, 0.0, 9.0], [0.0, 0.0, -1.0], 2.0);
            let found = found.unwrap();
            assert_eq!((found.prim.get(), found.t), (0, 7.0 - tip[2]));
            assert_eq!(found.point, tip.into());
        }
    }
    // Different features at the same time: four edges and vertices around a square hole.
    let sheet = |x: f32, y: f32| Triangle::new([x, y, 0.0], [9.0 * x, y, 0.0], [x, 9.0 * y, 0.0]);
    let corners = [(3.0, 4.0), (-3.0, 4.0), (3.0, -4.0), (-3.0, -4.0)];
    let bar = |y: f32| Triangle::new([-9.0, y, 0.0], [9.0, y, 0.0], [0.0, 9.0 * y, 0.0]);
    let found = |triangles: &[Triangle]| {
        let engine = BruteForce::new(triangles);
        let found = engine.sweep_sphere([0.0, 0.0, 20.0], [0.0, 0.0, -1.0], 13.0);
        let found = found.unwrap();
        (found.prim.get(), found.t, found.feature)
    };
    let corners = corners.map(|(x, y)| sheet(x, y));
    assert_eq!(found(&corners), (0, 8.0, Vertex(0)));
    let mixed = [bar(5.0), sheet(3.0, 4.0), bar(-5.0)];
    assert_eq!(found(&mixed), (0, 8.0, Edge(0)));
    let mixed = [sheet(3.0, 4.0), bar(5.0), bar(-5.0)];
    assert_eq!(found(&mixed), (0, 8.0, Vertex(0)));
    // With the first one a hair farther out, the second is first.
    let off = [bar(5f32.next_up()), sheet(3.0, 4.0), bar(-5.0)];
    assert_eq!(found(&off), (1, 8.0, Vertex(0)));
}

/// A sphere of radius 0 is a ray without an end, but for triangles that are parallel to it.
#[test]
fn points_that_move_touch_what_rays_hit() {
    let rays = if Effort::is_long() { 4000 } else { 120 };
    let (mut hits, mut parallel) = (0, 0);
    for scene in generate::scenes(5) {
        let mut rng = Rng::named(scene.seed, "triangles");
        for case in generate::cases(&scene, rays) {
            if scene.triangles.is_empty() {
                break;
            }
            let ray = case.ray.with_interval(0.0, INF);
            let triangle = rng.pick(&scene.triangles);
            let engine = BruteForce::new([triangle]);
            let hit = engine.closest_hit(&ray);
            let found = engine.sweep_sphere(ray.origin, ray.dir, 0.0);
            let t = |found: Option<SphereContact>| found.map(|found| found.t.to_bits());
            if let Some(hit) = hit {
                assert_eq!(t(found), Some(hit.t.to_bits()), "{case}");
                hits += 1;
            } else if let Some(found) = found {
                // It moves in the triangle's plane, or not at all.
                let corners = triangle.corners().map(Vec3::as_dvec3);
                let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
                let dir = ray.dir.as_dvec3();
                let slope = normal.normalize_or_zero().dot(dir).abs();
                assert!(slope <= 1e-6 * dir.length(), "{found:?} {case}");
                parallel += 1;
            }
        }
    }
    assert!(hits > 200 && parallel > 0, "{hits} {parallel}");
}

/// A triangle so large that a sphere meets its plane inside it.
#[test]
fn one_large_triangle_is_met_as_its_plane_is() {
    let mut rng = Rng::new(7);
    let [mut contacts, mut others] = [0; 2];
    for _ in 0..if Effort::is_long() { 100_000 } else { 2_000 } {
        let normal = rng.grid_direction(4);
        let [nx, ny, nz] = normal.to_array();
        let across = match rng.one_in(2) || nz == 0.0 {
            true if nx != 0.0 || ny != 0.0 => Vec3::new(ny, -nx, 0.0),
            _ => Vec3::new(nz, 0.0, -nx),
        };
        let along = normal.cross(across);
        let at = rng.grid_point(9);
        let far = 4096.0;
        let low = at - far * (across + along);
        let engine = BruteForce::new([Triangle::new(low, at + far * across, at + far * along)]);
        let plane = Plane::through(at, normal).unwrap();
        let mut within = |most: i32| match rng.one_in(2) {
            true => rng.point() * most as f32,
            false => rng.grid_point(most),
        };
        let (center, velocity) = (within(20), within(3));
        let radius = rng.pick(&[1.0, 3.0, 0.0, 5.0, rng.clone().signed().abs() * 9.0]);
        let sphere = Sphere::try_new(center, radius.max(1e-3)).unwrap();
        let radius = sphere.radius();
        let met = plane.sweep(&sphere, velocity, 100.0);
        let found = until(&engine, center, velocity, radius, 100.0);
        match met {
            SphereSweep::Contact { t, point } => {
                contacts += 1;
                let found = found.unwrap();
                assert!(found.t == t && !found.is_touching_at_start, "{found:?} {t}");
                assert!((found.point - point).length() < 1e-4, "{found:?} {point}");
            }
            SphereSweep::Touching => assert!(found.unwrap().is_touching_at_start),
            _ => {
                others += 1;
                assert_eq!(found, None, "{met:?}");
            }
        }
    }
    assert!(contacts > 300 && others > 300, "{contacts} {others}");
}

/// Moving everything by integers, and multiplying lengths or the velocity by powers of two, does
/// what it should to the last bit.
#[test]
fn moved_and_scaled_scenes_have_the_same_contacts() {
    let mut asked = 0;
    for name in "integer sphere,voxels,grid soup,grid tetrahedra,cube soup".split(',') {
        let scene = generate::scene(name, 3).unwrap();
        let by = |k: f32, offset: Vec3| {
            let corner = |p: Vec3| p * k + offset;
            let triangles = scene.triangles.iter().map(|triangle| {
                let [a, b, c] = triangle.corners().map(corner);
                Triangle::new(a, b, c)
            });
            BruteForce::new(triangles.collect::<Vec<_>>())
        };
        let offset = Vec3::new(1024.0, -512.0, 4096.0);
        let (own, moved) = (by(1.0, Vec3::ZERO), by(1.0, offset));
        let scales = [2f32.powi(-40), 2f32.powi(60)];
        let scaled = scales.map(|k| (by(k, Vec3::ZERO), k));
        let mut rng = Rng::named(3, name);
        for sweep in generate::sweeps(&scene, &mut rng, 60) {
            let Sweep {
                center,
                velocity,
                radius,
                ..
            } = sweep;
            let center = (center * 4.0).round() / 4.0;
            let told = |found: Option<SphereContact>, k: f32| {
                found.map(|c| (c.t * k, c.prim, c.feature, c.is_touching_at_start))
            };
            if !center.is_finite() || center.abs().max_element() > 1e4 || radius > 1e9 {
                continue;
            }
            let want = told(own.sweep_sphere(center, velocity, radius), 1.0);
            let found = moved.sweep_sphere(center + offset, velocity, radius);
            assert_eq!(told(found, 1.0), want, "moved, {sweep}");
            for &(ref engine, k) in &scaled {
                let is_exact = |x: f32| x * k / k == x && (x * k).is_normal() || x == 0.0;
                let numbers = velocity.to_array().into_iter().chain([radius]);
                if numbers.chain(center.to_array()).all(is_exact) {
                    let found = engine.sweep_sphere(center * k, velocity * k, radius * k);
                    assert_eq!(told(found, 1.0), want, "times {k}, {sweep}");
                    asked += 1;
                }
            }
            let quick = velocity * 8.0;
            if quick.is_finite() && quick / 8.0 == velocity {
                let found = told(own.sweep_sphere(center, quick, radius), 8.0);
                let is_normal = |t: f32| t == 0.0 || (1e-30..1e30).contains(&t);
                if want.is_none_or(|want| is_normal(want.0)) {
                    assert_eq!(found, want, "eight times as fast, {sweep}");
                }
            }
        }
    }
    assert!(asked > 150, "{asked}");
}
