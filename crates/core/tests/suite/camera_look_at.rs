//! Cameras that look at a target, compared with axes that integers give exactly: far away, and with
//! up nearly in the view direction.

use crate::rounding::beyond_half_an_ulp;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{Camera, CameraError, FieldOfView, Viewport};
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
