//! Ray against sphere: the five classic figures, and the cases that other projects test, with the
//! answers of exact arithmetic. `S` numbers identify a case by its source.

use estoc_core::glam::Vec3;
use estoc_core::{Ray, Span, Sphere, SphereError};
use estoc_testkit::tables::Rng;
use std::f32::consts::PI;

const INF: f32 = f32::INFINITY;

fn sphere(center: [f32; 3], radius: f32) -> Sphere {
    Sphere::try_new(center, radius).unwrap()
}

fn chord(entry: f32, exit: f32) -> Option<Span> {
    Some(Span { entry, exit })
}

/// The ray along x at five spheres: passes by, sphere behind, origin inside, enters and leaves,
/// touches in one point.
#[test]
fn the_five_pictures() {
    let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]);
    let line = ray.with_interval(-INF, INF);
    #[rustfmt::skip]
    let pictures = [
        ("passes by", [5.0, 3.0, 0.0], None, None, None),
        ("behind", [-5.0, 0.0, 0.0], chord(-7.0, -3.0), None, None),
        ("inside", [1.0, 0.0, 0.0], chord(-1.0, 3.0), Some(0.0), Some(3.0)),
        ("enters and leaves", [5.0, 0.0, 0.0], chord(3.0, 7.0), Some(3.0), Some(3.0)),
        ("touches", [5.0, 2.0, 0.0], chord(5.0, 5.0), Some(5.0), Some(5.0)),
    ];
    for (name, center, both, solid, surface) in pictures {
        let ball = sphere(center, 2.0);
        assert_eq!(ball.chord(&line), both, "{name}");
        assert_eq!(ball.chord(&ray), both.filter(|c| c.exit >= 0.0), "{name}");
        assert_eq!(ball.enter_solid(&ray), solid, "{name}");
        assert_eq!(ball.enter_surface(&ray), surface, "{name}");
    }
}

/// S1 (three.js, Ray.intersectSphere), with its list of points.
#[test]
fn three_js_intersect_sphere() {
    let from_zero = Ray::new([0.0; 3], [0.0, 0.0, -1.0]);
    let from_one = Ray::new([1.0; 3], [-1.0, 0.0, 0.0]);
    let table = [
        (from_zero, [0.0, 0.0, 3.0], 2.0, None),
        (from_zero, [3.0, 0.0, -1.0], 2.0, None),
        (from_zero, [0.0, 0.0, -2.0], 1.0, Some([0.0, 0.0, -1.0])),
        (from_zero, [2.0, 0.0, -1.0], 2.0, Some([0.0, 0.0, -1.0])),
        (from_zero, [2.01, 0.0, -1.0], 2.0, None),
        (from_zero, [0.0, 0.0, 0.0], 1.0, Some([0.0, 0.0, -1.0])),
        (from_zero, [0.0, 0.0, 1.0], 4.0, Some([0.0, 0.0, -3.0])),
        (from_zero, [0.0, 0.0, -1.0], 4.0, Some([0.0, 0.0, -5.0])),
        (from_one, [1.0, -2.0, 1.0], 2.0, None),
        (from_one, [-1.0, 1.0, 1.0], 1.0, Some([0.0, 1.0, 1.0])),
    ];
    for (ray, center, radius, point) in table {
        let found = sphere(center, radius).enter_surface(&ray);
        assert_eq!(found.map(|t| ray.at(t).to_array()), point, "{center:?}");
    }
}

/// S2 (Bevy, bounding sphere and 3D sphere casts).
#[test]
fn bevy_sphere() {
    let up = |x: f32| Ray::new([x, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let off_center = sphere([0.0, 5.0, 0.0], 2.0).enter_solid(&up(1.0));
    assert_eq!(off_center, Some((5.0 - 3f64.sqrt()) as f32));
    let grazing = sphere([0.0, 5.0, 0.0], 1.0);
    let aside = f64::from(0.99999f32);
    let expected = (5.0 - (1.0 - aside * aside).sqrt()) as f32;
    assert!((expected - 4.995_528).abs() < 1e-5);
    assert_eq!(grazing.enter_solid(&up(0.99999)), Some(expected));
    let inside = sphere([0.0, 0.5, 0.0], 2.0);
    assert_eq!(inside.enter_solid(&up(1.0)), Some(0.0));
}

/// S3 (Embree, SphereFilterMultiHitTest, issue #269): all crossings of two spheres.
#[test]
fn embree_all_hits_of_two_spheres() {
    let ray = Ray::new([0.0, 0.0, -5.0], [0.0, 0.0, 1.0]);
    let crossings = [[0.0; 3], [0.0, 0.0, 3.0]].map(|center| {
        let Span { entry, exit } = sphere(center, 1.0).chord(&ray).unwrap();
        [entry - 5.0, exit - 5.0]
    });
    assert_eq!(crossings, [[-1.0, 1.0], [2.0, 4.0]]);
}

/// S4 (Embree issue #230): Embree lost hits of rays that start close to the sphere.
#[test]
fn embree_close_starts() {
    for (start, t) in [(10.0, 9.0), (1.5, 0.5), (1.01, 1.01f32 - 1.0), (1.0, 0.0)] {
        let ray = Ray::new([start, 0.0, 0.0], [-1.0, 0.0, 0.0]);
        let found = sphere([0.0; 3], 1.0).enter_surface(&ray);
        assert_eq!(found, Some(t), "{start}");
    }
}

/// S6 (pbrt, FullSphere.Reintersect): rays that leave a hit point outward never hit again.
#[test]
fn pbrt_reintersect() {
    const SEED: u64 = 0x0e57_0c31;
    let mut rng = Rng::new(SEED);
    let (mut points, mut left) = (0, 0);
    while points < 1000 {
        let radius = 10f32.powf(rng.between(-4.0, 4.0));
        let ball = sphere(rng.vec(-10.0, 10.0), radius);
        let reach = Vec3::from(rng.vec(-1.0, 1.0)) * radius;
        let from = Vec3::from(rng.vec(-100.0, 100.0));
        let ray = Ray::new(from, ball.center() + reach - from);
        let Some(t) = ball.enter_surface(&ray) else {
            continue;
        };
        points += 1;
        let start = ball.point_outside(ray.at(t)).unwrap();
        let outward = start.as_dvec3() - ball.center().as_dvec3();
        for _ in 0..1000 {
            let mut dir = Vec3::from(rng.vec(-1.0, 1.0));
            if outward.dot(dir.as_dvec3()) < 0.0 {
                dir = -dir;
            }
            if dir == Vec3::ZERO {
                continue;
            }
            let leaving = Ray::new(start, dir);
            let case = format!("seed {SEED:#x}: {ball:?} {leaving:?}");
            assert_eq!(ball.chord(&leaving), None, "{case}");
            left += 1;
        }
    }
    println!("{left} rays left {points} points, 0 self hits");
}

/// S7 (pbrt, ParialSphere.Normal): the normal is parallel to p - c, here to half an ulp.
#[test]
fn pbrt_normal() {
    let mut rng = Rng::new(0x0e57_0c32);
    for _ in 0..100 {
        let ball = sphere(rng.vec(-10.0, 10.0), 10f32.powf(rng.between(-4.0, 4.0)));
        let (turn, height) = (rng.between(0.0, 2.0 * PI), rng.between(-1.0, 1.0));
        let flat = (1.0 - height * height).sqrt();
        let unit = Vec3::new(flat * turn.cos(), flat * turn.sin(), height);
        let point = ball.center() + ball.radius() * unit;
        let normal = ball.normal_at(point).unwrap();
        let offset = point.as_dvec3() - ball.center().as_dvec3();
        let expected = (offset / offset.length()).as_vec3();
        assert_eq!(normal, expected, "{ball:?} {point}");
    }
    let ball = sphere([1.0; 3], 2.0);
    assert_eq!(ball.normal_at([1.0; 3]), None);
    assert_eq!(ball.normal_at([f32::NAN, 0.0, 0.0]), None);
    assert_eq!(ball.normal_at([INF, 0.0, 0.0]), None);
    let far = sphere([f32::MAX, 0.0, 0.0], 1.0).normal_at([-f32::MAX, 0.0, 0.0]);
    assert_eq!(far, Some([-1.0, 0.0, 0.0].into()));
}

#[test]
fn spheres_that_are_none_are_refused() {
    let refused = |center: [f32; 3], radius| Sphere::try_new(center, radius).unwrap_err();
    for center in [[f32::NAN, 0.0, 0.0], [0.0, INF, 0.0]] {
        assert!(
            matches!(refused(center, 1.0), SphereError::Center(_)),
            "{center:?}"
        );
    }
    for radius in [f32::NAN, INF] {
        assert!(
            matches!(refused([0.0; 3], radius), SphereError::Radius(_)),
            "{radius}"
        );
    }
    let negative = refused([0.0; 3], -1e-45);
    assert_eq!(negative, SphereError::NegativeRadius(-1e-45));
    let says = negative.to_string();
    assert!(says.contains("absolute value"), "{says}");
    let point = sphere([0.0; 3], -0.0);
    assert_eq!(point.radius().to_bits(), 0);
    assert_eq!(point, sphere([0.0; 3], 0.0));
}

#[test]
fn a_sphere_of_radius_zero_is_a_point() {
    let point = sphere([3.0, 6.0, 9.0], 0.0);
    assert!(point.contains([3.0, 6.0, 9.0]) && !point.contains([3.0, 6.0, 9.000_001]));
    for (origin, dir, expected) in [
        ([0.0; 3], [1.0, 2.0, 3.0], chord(3.0, 3.0)),
        ([0.0; 3], [1.0, 2.0, 3.000_000_2], None),
        ([3.0, 6.0, 9.0], [1.0, 0.0, 0.0], chord(0.0, 0.0)),
    ] {
        let ray = Ray::new(origin, dir);
        assert_eq!(point.chord(&ray), expected, "{ray:?}");
    }
    let outside = point.point_outside([3.0, 6.0, 9.0]).unwrap();
    assert_eq!(outside, [3f32.next_up(), 6.0, 9.0].into());
}

#[test]
fn undefined_rays_and_intervals_miss() {
    let ball = sphere([0.0; 3], 1.0);
    let rays = [
        Ray::new([f32::NAN, 0.0, 0.0], [1.0, 0.0, 0.0]),
        Ray::new([0.0; 3], [INF, 0.0, 0.0]),
        Ray::new([0.0; 3], [0.0, -0.0, 0.0]),
        Ray::new([0.0; 3], [1.0, 0.0, 0.0]).with_interval(f32::NAN, 1.0),
        Ray::new([0.0; 3], [1.0, 0.0, 0.0]).with_interval(0.5, 0.0),
        Ray::new([0.0; 3], [1.0, 0.0, 0.0]).with_interval(INF, INF),
        Ray::new([0.0; 3], [1.0, 0.0, 0.0]).with_interval(-INF, -INF),
    ];
    for ray in rays {
        assert_eq!(ball.chord(&ray), None, "{ray:?}");
        assert_eq!(ball.enter_solid(&ray), None, "{ray:?}");
        assert_eq!(ball.enter_surface(&ray), None, "{ray:?}");
    }
    assert!(!ball.contains([0.0, f32::NAN, 0.0]) && !ball.contains([0.0, INF, 0.0]));
}

#[test]
fn interval_ends_belong_to_the_interval() {
    let ball = sphere([5.0, 0.0, 0.0], 2.0);
    let at = |t_min, t_max| Ray::new([0.0; 3], [1.0, 0.0, 0.0]).with_interval(t_min, t_max);
    assert_eq!(ball.chord(&at(0.0, 3.0)), chord(3.0, 7.0));
    assert_eq!(ball.chord(&at(0.0, 3f32.next_down())), None);
    assert_eq!(ball.chord(&at(7.0, 9.0)), chord(3.0, 7.0));
    assert_eq!(ball.chord(&at(7f32.next_up(), 9.0)), None);
    let inside = at(4.0, 6.0);
    assert_eq!(ball.enter_solid(&inside), Some(4.0));
    assert_eq!(ball.enter_surface(&inside), None);
    let from_minus_zero = sphere([0.0; 3], 1.0).enter_solid(&at(-0.0, 1.0));
    assert_eq!(from_minus_zero.map(f32::to_bits), Some(0));
}

#[test]
fn overflow_is_infinite_and_still_a_hit() {
    let ball = sphere([3.0, 0.0, 0.0], 1.0);
    let slow = Ray::new([0.0; 3], [1e-40, 0.0, 0.0]);
    assert_eq!(ball.chord(&slow), chord(INF, INF));
    assert_eq!(ball.enter_surface(&slow), Some(INF));
    assert_eq!(ball.chord(&slow.with_interval(0.0, f32::MAX)), None);
    let huge = sphere([f32::MAX, 0.0, 0.0], f32::MAX);
    let across = Ray::new([-f32::MAX, 0.0, 0.0], [f32::MAX, 0.0, 0.0]);
    assert_eq!(huge.chord(&across), chord(1.0, 3.0));
}

#[test]
fn spheres_beyond_the_largest_float_have_no_outside_there() {
    let huge = sphere([0.0; 3], f32::MAX);
    assert_eq!(huge.point_outside([f32::MAX, 0.0, 0.0]), None);
    assert_eq!(huge.point_outside([0.0; 3]), None);
    assert_eq!(huge.point_outside([f32::NAN, 0.0, 0.0]), None);
    let corner = [f32::MAX, f32::MAX, 0.0];
    assert_eq!(huge.point_outside(corner), Some(corner.into()));
    let large = sphere([0.0; 3], 1e38);
    let moved = large.point_outside([0.0, -3.0, 1.0]).unwrap();
    assert_eq!(moved, [0.0, -1e38, 1.0].into());
}
