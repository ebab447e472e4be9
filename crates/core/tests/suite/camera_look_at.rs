//! Cameras that look at a target, compared with axes that integers give exactly: far away, and with
//! up nearly in the view direction.

use crate::rounding::beyond_half_an_ulp;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{BruteForce, Camera, CameraError, FieldOfView, RayQuery, Triangle, Viewport};
use estoc_testkit::tables::Rng;

/// Returns the worst error of directions beyond half a unit in the last place. `up` is a function
/// of the view direction; all numbers are integers, small enough that every product is exact.
fn worst(seed: u64, eyes: i32, mut up: impl FnMut(&mut Rng, Vec3) -> Vec3) -> f64 {
    let mut rng = Rng::new(seed);
    let (mut worst, mut cameras) = (f64::NEG_INFINITY, 0);
    for round in 0..10_000 {
        let eye = Vec3::from(rng.grid(-eyes, eyes));
        // Level every other time, and below in the middle of the picture: components cancel.
        let level = Vec3::new(1.0, 1.0, rng.integer(0, 1));
        let ahead = Vec3::from(rng.grid(-20, 20)) * level;
        let up = up(&mut rng, ahead);
        let across = ahead.as_dvec3().cross(up.as_dvec3());
        if across == DVec3::ZERO {
            continue;
        }
        let angle = rng.between(0.01, 3.0);
        let viewport = Viewport::new(rng.integer(1, 2000), rng.integer(1, 2000));
        let case = format!("seed {seed}, round {round}: {eye} {ahead} {up}");
        let fov = FieldOfView::VerticalRadians(angle);
        let camera = Camera::look_at(viewport, eye, eye + ahead, up, fov);
        let sine = across.length() / (ahead.as_dvec3().length() * up.as_dvec3().length());
        if sine * 2f64.powi(20) <= 1.0 {
            assert!(matches!(camera, Err(CameraError::Up { .. })), "{case}");
            continue;
        }
        cameras += 1;
        let camera = camera.expect(&case);

        let unit = rng.unit();
        let pixel = [
            viewport.width * unit,
            viewport.height * rng.pick(&[0.5, unit]),
        ];
        let half = (f64::from(angle) / 2.0).tan();
        let [x, y] = pixel.map(f64::from);
        let [width, height] = [viewport.width, viewport.height].map(f64::from);
        let x = (2.0 * x - width) / height * half;
        let y = (height - 2.0 * y) / height * half;
        let upright = across.cross(ahead.as_dvec3());
        let exact = ahead.as_dvec3().normalize() + x * across.normalize() + y * upright.normalize();

        let ray = camera.world_ray(pixel);
        assert_eq!(ray.origin, eye, "{case}");
        assert_eq!(camera.eye(), Some(eye), "{case}");
        let error = beyond_half_an_ulp(ray.dir, exact).max_element() / exact.length();
        worst = worst.max(error);
        let unit = beyond_half_an_ulp(camera.ray(pixel).dir, exact.normalize());
        worst = worst.max(unit.max_element());
    }
    assert!(cameras > 5000, "seed {seed}: only {cameras} cameras");
    worst
}

/// The documented bound is 2^-48 of the length, doubled for the reference.
#[test]
fn directions_are_rounded_once_however_far_the_eye() {
    for (seed, eyes) in [(51, 10), (52, 1_000_000), (53, 16_000_000)] {
        let worst = worst(seed, eyes, |rng, _| Vec3::from(rng.grid(-20, 20)));
        println!("eyes within {eyes}: beyond half an ulp {worst:.3e} of the length");
        assert!(worst <= 2f64.powi(-47), "seed {seed}: {worst}");
    }
}

/// The documented bound is 2^-31 of the length.
#[test]
fn a_roll_is_kept_until_up_is_in_the_view_direction() {
    let worst = worst(54, 1000, |rng, ahead| {
        let little = [Vec3::from(rng.grid(-2, 2)), Vec3::Z];
        ahead * rng.integer(-20_000, 20_000) + rng.pick(&little)
    });
    println!("up nearly ahead: beyond half an ulp {worst:.3e} of the length");
    assert!(worst <= 2f64.powi(-31), "{worst}");
}

/// From a millionth radian on, as documented.
#[test]
fn up_in_the_view_direction_is_refused() {
    let viewport = Viewport::new(64.0, 48.0);
    let fov = FieldOfView::VerticalRadians(1.0);
    for ahead in [Vec3::NEG_Y, Vec3::new(3.0, -5.0, 7.0)] {
        let side = ahead.any_orthogonal_vector().normalize() * ahead.length();
        for sign in [1.0, -1.0] {
            let look = |angle: f32| {
                let up = sign * (ahead + side * angle) * 1e-30;
                Camera::look_at(viewport, [0.0; 3], ahead, up, fov)
            };
            assert!(look(1.2e-6).is_ok(), "{ahead}");
            assert!(matches!(look(7e-7), Err(CameraError::Up { .. })), "{ahead}");
            assert!(matches!(look(0.0), Err(CameraError::Up { .. })), "{ahead}");
        }
    }
}

/// Rays of all pixels have the same direction; they start in the plane through the eye, where projecting
/// back gives the pixel, and those of a rectangle's edges bound its frustum.
#[test]
fn orthographic_rays_are_parallel_and_project_back_to_their_pixels() {
    let (mut rng, mut worst) = (Rng::new(55), 0f64);
    for round in 0..4_000 {
        let eye = Vec3::from(rng.grid(-1000, 1000));
        let ahead = Vec3::from(rng.grid(-20, 20));
        let up = Vec3::from(rng.grid(-20, 20));
        let across = ahead.as_dvec3().cross(up.as_dvec3());
        if across == DVec3::ZERO {
            continue;
        }
        let viewport = Viewport::new(rng.integer(1, 2000), rng.integer(1, 2000));
        let height = rng.pick(&[0.125, 1.0, 3.7, 1000.0]);
        let case = format!("round {round}: {eye} {ahead} {up} {height}");
        let camera = Camera::look_at_orthographic(viewport, eye, eye + ahead, up, height);
        let camera = camera.expect(&case);
        let middle = [viewport.width / 2.0, viewport.height / 2.0];
        let straight = camera.ray(middle);
        assert_eq!((straight.origin, camera.eye()), (eye, None), "{case}");
        let ahead = ahead.as_dvec3().normalize();
        let off = beyond_half_an_ulp(straight.dir, ahead).max_element();
        assert!(off <= 2f64.powi(-47), "{case}: {off}");
        let right = across.normalize();
        let upright = right.cross(ahead);
        let scale = f64::from(viewport.height) / f64::from(height);
        for _ in 0..8 {
            let pixel = [viewport.width * rng.unit(), viewport.height * rng.unit()];
            let ray = camera.ray(pixel);
            let bits = |v: Vec3| v.to_array().map(f32::to_bits);
            assert_eq!(bits(ray.dir), bits(straight.dir), "{case}");
            assert_eq!(camera.world_ray(pixel).origin, ray.origin, "{case}");
            let [x, y] = [0, 1].map(|i| f64::from(pixel[i]) - f64::from(middle[i]));
            let exact = eye.as_dvec3() + (x * right - y * upright) / scale;
            let off = beyond_half_an_ulp(ray.origin, exact).max_element();
            worst = worst.max(off / (exact.length() + 1.0));
            // Back again, within the rounding of the origin.
            let along = (ray.origin + ray.dir).as_dvec3() - eye.as_dvec3();
            let back = DVec3::new(along.dot(right), -along.dot(upright), 0.0) * scale;
            let grid = 2f64.powi(-22) * (exact.abs().max_element() + 2.0) * scale;
            assert!(
                (back - DVec3::new(x, y, 0.0)).length() <= grid,
                "{case}: {back} {x} {y}"
            );
        }
    }
    assert!(worst <= 2f64.powi(-47), "{worst}");
}

/// A cube of side 2 that is seen across a face, in pictures of 50 pixels for each unit.
#[test]
fn the_silhouette_of_a_cube_has_its_exact_size() {
    let corner = |i: usize| Vec3::from([0, 1, 2].map(|axis| [-1.0, 1.0][i >> axis & 1]));
    let faces = [
        [0, 1, 3, 2],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 3, 7, 6],
        [0, 2, 6, 4],
        [1, 3, 7, 5],
    ];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| {
        let [a, b, c, d] = [a, b, c, d].map(corner);
        [Triangle::new(a, b, c), Triangle::new(a, c, d)]
    });
    let cube = BruteForce::new(triangles.collect::<Vec<_>>());
    for distance in [1.5, 3.0, 700.0] {
        for (ahead, up) in [
            (Vec3::Z, Vec3::Y),
            (Vec3::X, Vec3::Z),
            (Vec3::NEG_Y, Vec3::X),
        ] {
            let eye = -distance * ahead;
            let viewport = Viewport::new(200.0, 150.0);
            let camera = Camera::look_at_orthographic(viewport, eye, Vec3::ZERO, up, 3.0).unwrap();
            for (i, ray) in camera.rays(200, 150).enumerate() {
                let (column, row) = (i % 200, i / 200);
                let is_in = (50..150).contains(&column) && (25..125).contains(&row);
                let hit = cube.closest_hit(&ray).map(|hit| hit.t);
                assert_eq!(
                    hit,
                    is_in.then_some(distance - 1.0),
                    "{column} {row} {ahead}"
                );
            }
            // From inside, only what is in front of the eye; and all from behind.
            let inside =
                Camera::look_at_orthographic(viewport, Vec3::ZERO, ahead, up, 3.0).unwrap();
            let t = |camera: Camera| cube.closest_hit(&camera.ray([60.0, 60.0])).map(|hit| hit.t);
            assert_eq!(t(inside), Some(1.0));
            assert_eq!(t(inside.from_depth(-5.0).unwrap()), Some(4.0));
        }
    }
}
