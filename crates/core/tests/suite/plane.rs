//! Planes: the classic sphere-plane cases, and those that other projects test. `P` numbers identify
//! a case by its source.

use estoc_core::{
    Plane, PlaneError, PlaneHit, PlaneMeet, PlaneSide, Ray, Side, Sphere, SpherePosition,
    SphereSweep,
};

const INF: f32 = f32::INFINITY;

fn plane(point: [f32; 3], normal: [f32; 3]) -> Plane {
    Plane::through(point, normal).unwrap()
}

fn sphere(center: [f32; 3], radius: f32) -> Sphere {
    Sphere::try_new(center, radius).unwrap()
}

fn hit(t: f32, side: Side) -> PlaneMeet {
    PlaneMeet::Hit(PlaneHit { t, side })
}

fn contact(t: f32, point: [f32; 3]) -> SphereSweep {
    let point = point.into();
    SphereSweep::Contact { t, point }
}

/// P1 (three.js, Ray.intersectPlane). For a ray in the plane it returns the origin: here that is a
/// separate case.
#[test]
fn three_js_intersect_plane() {
    let ray = Ray::new([1.0; 3], [0.0, 0.0, 1.0]);
    let table = [
        ([1.0, 1.0, -1.0], [0.0, 0.0, 1.0], PlaneMeet::Beyond),
        ([1.0, 1.0, 0.0], [0.0, 0.0, 1.0], PlaneMeet::Beyond),
        ([1.0, 1.0, 1.0], [0.0, 0.0, 1.0], hit(0.0, Side::Back)),
        ([1.0, 1.0, 1.0], [1.0, 0.0, 0.0], PlaneMeet::Contained),
        ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], PlaneMeet::Parallel),
    ];
    for (point, normal, expected) in table {
        let plane = plane(point, normal);
        assert_eq!(plane.meet(&ray), expected, "{point:?} {normal:?}");
        let is_hit = matches!(expected, PlaneMeet::Hit(_));
        assert_eq!(plane.hit(&ray).is_some(), is_hit);
    }
}

/// P2 (Bevy, ray.rs). A plane that is parallel except for a last bit is hit, far away: there is no
/// tolerance, while Bevy expects a miss.
#[test]
fn bevy_ray_plane() {
    let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
    let (z, behind) = ([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]);
    assert_eq!(plane(z, z).meet(&ray), hit(1.0, Side::Back));
    assert_eq!(plane(z, behind).meet(&ray), hit(1.0, Side::Front));
    assert_eq!(plane(behind, z).meet(&ray), PlaneMeet::Beyond);
    assert_eq!(plane(behind, behind).meet(&ray), PlaneMeet::Beyond);
    assert_eq!(plane(z, [1.0; 3]).meet(&ray), hit(1.0, Side::Back));
    let x = [1.0, 0.0, 0.0];
    assert_eq!(plane(x, x).meet(&ray), PlaneMeet::Parallel);
    let nearly = [1.0, 0.0, f32::EPSILON];
    assert_eq!(plane(x, nearly).meet(&ray), hit(8_388_608.0, Side::Back));
}

#[test]
fn ends_overflow_and_undefined_rays() {
    let floor = Plane::from_offset([0.0, 0.5, 0.0], 0.0).unwrap();
    let down =
        |t_min, t_max| Ray::new([0.0, 3.0, 0.0], [0.0, -1.0, 0.0]).with_interval(t_min, t_max);
    assert_eq!(floor.meet(&down(3.0, 3.0)), hit(3.0, Side::Front));
    assert_eq!(floor.meet(&down(0.0, 3f32.next_down())), PlaneMeet::Beyond);
    assert_eq!(floor.meet(&down(3f32.next_up(), INF)), PlaneMeet::Beyond);
    assert_eq!(floor.meet(&down(INF, INF)), PlaneMeet::Beyond);
    assert_eq!(floor.meet(&down(1.0, 0.0)), PlaneMeet::Undefined);
    let nowhere = Ray::new([0.0; 3], [0.0; 3]);
    assert_eq!(floor.meet(&nowhere), PlaneMeet::Undefined);
    let slow = Ray::new([0.0, 3.0, 0.0], [0.0, -1e-40, 0.0]);
    assert_eq!(floor.meet(&slow), hit(INF, Side::Front));
    let shorter = slow.with_interval(0.0, f32::MAX);
    assert_eq!(floor.meet(&shorter), PlaneMeet::Beyond);
    let start = floor.hit(&Ray::new([1.0, 0.0, 1.0], [0.0, -1.0, 0.0]));
    assert_eq!(start.unwrap().t.to_bits(), 0);
}

#[test]
fn planes_that_are_none_are_refused() {
    let bad = [f32::NAN, 0.0, 0.0];
    let through = |point: [f32; 3], normal: [f32; 3]| Plane::through(point, normal).unwrap_err();
    let from_offset = |normal: [f32; 3], offset| Plane::from_offset(normal, offset).unwrap_err();
    assert!(matches!(through(bad, [1.0; 3]), PlaneError::Point(_)));
    assert!(matches!(through([0.0; 3], bad), PlaneError::Normal(_)));
    assert_eq!(through([0.0; 3], [0.0, -0.0, 0.0]), PlaneError::ZeroNormal);
    assert_eq!(from_offset([1.0; 3], INF), PlaneError::Offset(INF));
    assert!(matches!(
        from_offset([0.0, -INF, 0.0], 0.0),
        PlaneError::Normal(_)
    ));
    assert!(PlaneError::ZeroNormal.to_string().contains("not be zero"));
    assert!(Plane::from_offset([0.0, 1e-45, 0.0], f32::MAX).is_ok());
}

#[test]
fn points_have_sides_and_distances() {
    let slope = plane([1.0, 0.0, 0.0], [3.0, 0.0, 4.0]);
    assert_eq!(slope.side_of([1.0, 9.0, 0.0]), Some(PlaneSide::On));
    assert_eq!(slope.side_of([1.0, 9.0, 1e-45]), Some(PlaneSide::Front));
    assert_eq!(slope.side_of([1.0, 9.0, -1e-45]), Some(PlaneSide::Back));
    assert_eq!(slope.signed_distance([4.0, 1.0, 4.0]), Some(5.0));
    assert_eq!(slope.flipped().signed_distance([4.0, 1.0, 4.0]), Some(-5.0));
    assert_eq!(slope.unit_normal(), [0.6, 0.0, 0.8].into());
    for bad in [f32::NAN, INF] {
        assert_eq!(slope.side_of([0.0, bad, 0.0]), None);
        assert_eq!(slope.signed_distance([0.0, bad, 0.0]), None);
    }
    let wide = plane([f32::MAX; 3], [1.0; 3]);
    assert_eq!(wide.signed_distance([-f32::MAX; 3]), Some(-INF));
}

#[test]
fn spheres_at_rest() {
    for length in [1e-45, 0.1, 1.0, 7.0, 1e38] {
        let floor = plane([5.0, 0.0, 5.0], [0.0, length, 0.0]);
        let at = |height| floor.classify(&sphere([0.0, height, 0.0], 2.0));
        assert_eq!(at(3.0), SpherePosition::Front);
        assert_eq!(at(2.0), SpherePosition::Front);
        assert_eq!(at(2f32.next_down()), SpherePosition::Straddling);
        assert_eq!(at(0.0), SpherePosition::Straddling);
        assert_eq!(at(-2f32.next_down()), SpherePosition::Straddling);
        assert_eq!(at(-2.0), SpherePosition::Back);
        assert_eq!(at(-3.0), SpherePosition::Back);
        let point = floor.classify(&sphere([1.0, 0.0, 1.0], 0.0));
        assert_eq!(point, SpherePosition::Front);
    }
    // Distance 3 * 7 from a plane whose normal has length 7: contact needs no square root.
    let slope = Plane::from_offset([2.0, 3.0, 6.0], 49.0).unwrap();
    let touching = sphere([8.0, 12.0, 24.0], 21.0);
    assert_eq!(slope.classify(&touching), SpherePosition::Front);
    let larger = sphere([8.0, 12.0, 24.0], 21f32.next_up());
    assert_eq!(slope.classify(&larger), SpherePosition::Straddling);
}

#[test]
fn moving_spheres() {
    let floor = Plane::from_offset([0.0, 2.0, 0.0], 2.0).unwrap(); // y = 1
    let ball = sphere([0.0, 6.0, 0.0], 1.0);
    let down = [1.0, -2.0, 0.0];
    let above = |dir: [f32; 3], t_max| floor.sweep(&ball, dir, t_max);
    assert_eq!(above(down, INF), contact(2.0, [2.0, 1.0, 0.0]));
    assert_eq!(above(down, 2.0), contact(2.0, [2.0, 1.0, 0.0]));
    assert_eq!(above(down, 2f32.next_down()), SphereSweep::TooFar);
    assert_eq!(above([1.0, 2.0, 0.0], INF), SphereSweep::MovingAway);
    assert_eq!(above([1.0, 0.0, 5.0], INF), SphereSweep::Parallel);
    assert_eq!(above([0.0; 3], INF), SphereSweep::Parallel);
    // From behind it touches with its upper side.
    let below = sphere([0.0, -4.0, 0.0], 1.0);
    let below = |dir: [f32; 3]| floor.sweep(&below, dir, 9.0);
    assert_eq!(below([0.0, 2.0, 0.0]), contact(2.0, [0.0, 1.0, 0.0]));
    assert_eq!(below([0.0, -2.0, 0.0]), SphereSweep::MovingAway);
    // Contact at the start counts, whatever the direction; so does straddling the plane.
    for dir in [down, [0.0, 1.0, 0.0], [0.0; 3]] {
        for (height, t_max) in [(2.0, 0.0), (1.5, 9.0), (0.0, 9.0)] {
            let met = floor.sweep(&sphere([0.0, height, 0.0], 1.0), dir, t_max);
            assert_eq!(met, SphereSweep::Touching, "{height} {dir:?}");
        }
    }
    let hair = sphere([0.0, 2f32.next_up(), 0.0], 1.0);
    assert_eq!(floor.sweep(&hair, down, 0.0), SphereSweep::TooFar);
    for (dir, t_max) in [
        ([f32::NAN, 0.0, 0.0], 1.0),
        ([0.0, -INF, 0.0], 1.0),
        (down, f32::NAN),
        (down, -1.0),
    ] {
        assert_eq!(above(dir, t_max), SphereSweep::Undefined);
    }
    let slow = above([0.0, -1e-40, 0.0], INF);
    assert_eq!(slow, contact(INF, [0.0, 1.0, 0.0]));
}

/// If the direction is along the plane except for its last bits, `f64` alone cannot compute the
/// speed.
#[test]
fn contact_points_of_nearly_parallel_motion_are_numbers() {
    let plane = plane([0.0; 3], [-3e38, 3e38, 3e38]);
    let point = sphere([0.0, 1.0, 0.0], 0.0);
    // The speed is 3e38 * 1e-45, the height 3e38: the time is 2^149, which moves the sphere far
    // along.
    let least = f32::from_bits(1);
    let found = plane.sweep(&point, [1.0, 1.0, -least], INF);
    let t = INF; // 2^149
    assert_eq!(found, contact(t, [INF, INF, -1.0]));
    let found = plane.sweep(&point, [1.0, 1.0, -1e-20], INF);
    let SphereSweep::Contact { t, point } = found else {
        panic!("{found:?}");
    };
    assert_eq!((t, point.x, point.z), (1e20, 1e20, -1.0));
}

#[test]
fn planes_of_the_world_are_rounded_once_relative_to_an_origin() {
    // The sum of products is beyond f64, and its nearest f32 differs from that of a sum in f64.
    let origin = [500_000.25, 5_200_000.125, 0.0];
    let offset = 500_000.25 + 5_200_000.125 * 3.0 + 0.1;
    let exact = offset - 500_000.25 - 15_600_000.375;
    assert_eq!(
        Plane::relative_to(origin, [1.0, 3.0, 0.0], offset),
        Plane::from_offset([1.0, 3.0, 0.0], exact as f32)
    );
    // 2^60 cancels out, and 2^-30 remains.
    let (large, small) = ((1u64 << 60) as f64, 1.0 / (1u64 << 30) as f64);
    assert_eq!(
        Plane::relative_to([large, small, -large], [1.0, -1.0, 1.0], 0.0),
        Plane::from_offset([1.0, -1.0, 1.0], small as f32)
    );
    // Normals are rounded, too.
    let tenth = Plane::relative_to([0.0; 3], [0.1, 0.0, 0.0], 0.25).unwrap();
    assert_eq!(tenth, Plane::from_offset([0.1f32, 0.0, 0.0], 0.25).unwrap());
    for (normal, offset, problem) in [
        ([f64::NAN, 0.0, 1.0], 0.0, "normal"),
        ([1e-60, 0.0, 0.0], 0.0, "zero"),
        ([1.0, 0.0, 0.0], f64::INFINITY, "offset"),
        ([1.0, 0.0, 0.0], 1e300, "offset"),
    ] {
        let error = Plane::relative_to([0.0; 3], normal, offset).unwrap_err();
        assert!(error.to_string().contains(problem), "{error}");
    }
}
