//! Rays of pixels: the cases that other projects test, the classic formula, undefined pixels. `K`
//! numbers identify a case by its source.

use estoc_core::glam::camera::{lh, rh};
use estoc_core::glam::{Mat4, Vec2, Vec3};
use estoc_core::{BruteForce, Camera, DepthRange, FieldOfView, Ray, RayQuery, Triangle, Viewport};
use std::f32::consts::FRAC_PI_2;

const INF: f32 = f32::INFINITY;
const UP: [f32; 3] = [0.0, 1.0, 0.0];
const FOV: FieldOfView = FieldOfView::VerticalRadians(1.0);

fn vga() -> Viewport {
    Viewport::new(640.0, 480.0)
}

fn close(a: Vec3, b: impl Into<Vec3>, tolerance: f32, case: &str) {
    let b = b.into();
    assert!(a.distance(b) <= tolerance, "{case}: {a} is not {b}");
}

/// K1, three.js Raycaster, setFromCamera with a perspective camera: a field of view of 90
/// degrees over a square, device coordinates in steps of a tenth.
#[test]
fn a_right_angle_sees_the_unit_square() {
    let viewport = Viewport::new(20.0, 20.0);
    let turn = FieldOfView::VerticalRadians(FRAC_PI_2);
    let looking = Camera::look_at(viewport, [0.0; 3], [0.0, 0.0, -1.0], UP, turn).unwrap();
    let matrix = rh::proj::opengl::perspective(FRAC_PI_2, 1.0, 0.1, 1000.0);
    let depth = DepthRange::MinusOneToOne;
    let matrices = Camera::try_new(viewport, matrix, Mat4::IDENTITY, depth).unwrap();
    for camera in [looking, matrices] {
        for row in 0..=20u8 {
            for column in 0..=20u8 {
                let ray = camera.ray([f32::from(column), f32::from(row)]);
                let (x, y) = (f32::from(column) / 10.0 - 1.0, 1.0 - f32::from(row) / 10.0);
                let case = format!("device {x} {y}");
                assert_eq!(ray.origin, Vec3::ZERO, "{case}");
                assert_eq!((ray.t_min, ray.t_max), (0.0, INF), "{case}");
                close(ray.dir, Vec3::new(x, y, -1.0).normalize(), 2e-7, &case);
            }
        }
        assert_eq!(camera.ray([10.0, 10.0]).dir, Vec3::NEG_Z);
        assert_eq!(camera.eye(), Some(Vec3::ZERO));
    }
}

/// K2, three.js Raycaster, setFromCamera with an orthographic camera from -1 to 1, near 0.
#[test]
fn an_orthographic_camera_looks_straight_ahead() {
    let matrix = rh::proj::opengl::orthographic(-1.0, 1.0, -1.0, 1.0, 0.0, 1000.0);
    let (viewport, depth) = (Viewport::new(2.0, 2.0), DepthRange::MinusOneToOne);
    let camera = Camera::try_new(viewport, matrix, Mat4::IDENTITY, depth).unwrap();
    for camera in [camera, camera.from_near_plane().unwrap()] {
        for (pixel, origin) in [([1.0, 1.0], [0.0; 3]), ([0.0, 2.0], [-1.0, -1.0, 0.0])] {
            assert_eq!(camera.ray(pixel), Ray::new(origin, [0.0, 0.0, -1.0]));
        }
        assert_eq!(camera.eye(), None);
    }
}

/// K3, bevy's camera tests: rays start on the near plane, depth is reversed.
#[test]
fn rays_can_start_on_the_near_plane() {
    let viewport = Viewport::new(1600.0, 900.0);
    let orthographic = |near: f32, far: f32| {
        // Depth is reversed by exchanging near and far.
        let matrix = rh::proj::directx::orthographic(-800.0, 800.0, -450.0, 450.0, far, near);
        Camera::try_new(viewport, matrix, Mat4::IDENTITY, DepthRange::OneToZero)
            .and_then(Camera::from_near_plane)
            .unwrap()
    };
    let ahead = Vec3::NEG_Z;
    for (camera, z) in [
        (orthographic(0.0, 1000.0), 0.0),
        (orthographic(-1000.0, 1000.0), 1000.0), // the variant for 2D
    ] {
        for (pixel, x, y) in [
            ([0.0, 0.0], -800.0, 450.0),
            ([1600.0, 900.0], 800.0, -450.0),
            ([800.0, 450.0], 0.0, 0.0),
        ] {
            let ray = camera.ray(pixel);
            close(ray.origin, [x, y, z], 1e-4, "orthographic");
            assert_eq!(ray.dir, ahead);
        }
    }

    let eye = Vec3::new(3.0, -2.0, 5.0);
    let forward = Vec3::new(1.0, 2.0, -2.0) / 3.0;
    let view = rh::view::look_to_mat4(eye, forward, Vec3::Y);
    let matrix = rh::proj::directx::perspective_infinite_reverse(1.0, 16.0 / 9.0, 0.1);
    let camera = Camera::try_new(viewport, matrix, view, DepthRange::OneToZero).unwrap();
    let ray = camera.from_near_plane().unwrap().ray([800.0, 450.0]);
    close(ray.origin, eye + forward * 0.1, 1e-6, "perspective");
    close(ray.dir, forward, 1e-6, "perspective");
    close(camera.ray([800.0, 450.0]).origin, eye, 1e-6, "from the eye");
    let camera = camera.from_near_plane().unwrap();
    close(camera.eye().unwrap(), eye, 1e-6, "the eye stays");
    // Off centre they start on the plane too, not on a sphere.
    let corner = camera.ray([0.0, 0.0]).origin - eye;
    assert!((corner.dot(forward) - 0.1).abs() < 1e-6, "{corner}");
}

/// K4, Open3D create_rays_pinhole: a horizontal field of view, the centre looks at the target.
#[test]
fn a_horizontal_field_of_view_spans_the_width() {
    let (eye, centre) = (Vec3::new(4.0, 1.0, -3.0), Vec3::new(-2.0, 0.5, 7.0));
    let fov = FieldOfView::HorizontalRadians(90f32.to_radians());
    let camera = Camera::look_at(vga(), eye, centre, [0.0, 0.0, 1.0], fov).unwrap();
    let corner = camera.projection_plane([640.0, 0.0]);
    assert!(corner.distance(Vec2::new(1.0, 0.75)) < 1e-7, "{corner}");
    let middle = camera.ray([320.0, 240.0]);
    assert_eq!(middle.origin, eye);
    close(middle.dir, (centre - eye).normalize(), 1e-7, "middle");
    let [left, right] = [0.0, 640.0].map(|x| camera.ray([x, 240.0]).dir);
    assert!(left.dot(right).abs() < 1e-7, "{left} and {right}");
    // z grows towards the top of the picture.
    assert!(camera.ray([320.0, 0.0]).dir.z > camera.ray([320.0, 480.0]).dir.z);

    // The same with a vertical field of view.
    let vertical = FieldOfView::VerticalRadians(2.0 * 0.75f32.atan());
    let same = Camera::look_at(vga(), eye, centre, [0.0, 0.0, 1.0], vertical).unwrap();
    for pixel in [[0.0, 0.0], [17.5, 333.25], [640.0, 480.0]] {
        close(same.ray(pixel).dir, camera.ray(pixel).dir, 2e-7, "vertical");
    }
}

/// The classic textbook formula: left-handed Direct3D, a viewport inside the window, pixel to `((2
/// (x - X) / W - 1) / P00, (1 - 2 (y - Y) / H) / P11, 1)`, then the inverse view.
#[test]
fn the_classic_formula_of_picking() {
    let matrix = lh::proj::directx::perspective(0.9, 1.5, 1.0, 100.0);
    let eye = Vec3::new(0.0, 3.0, -10.0);
    let view = lh::view::look_at_mat4(eye, Vec3::ZERO, Vec3::Y);
    let viewport = Viewport::new(300.0, 200.0).at(40.0, 25.0);
    let camera = Camera::try_new(viewport, matrix, view, DepthRange::ZeroToOne).unwrap();
    assert_eq!(camera.viewport(), viewport);
    for pixel in [[40.0, 25.0], [340.0, 225.0], [100.5, 60.5], [333.25, 26.0]] {
        let case = format!("{pixel:?}");
        let [x, y] = pixel;
        let px = (2.0 * (x - 40.0) / 300.0 - 1.0) / matrix.x_axis.x;
        let py = (1.0 - 2.0 * (y - 25.0) / 200.0) / matrix.y_axis.y;
        let plane = camera.projection_plane(pixel);
        close(plane.extend(0.0), [px, py, 0.0], 1e-6, &case);
        let ray = camera.view_ray(pixel);
        let found = (ray.origin, ray.dir);
        assert_eq!(found, (Vec3::ZERO, plane.extend(1.0)), "{case}");

        let world = camera.world_ray(pixel);
        close(world.origin, eye, 1e-5, &case);
        let dir = view.inverse().transform_vector3(ray.dir);
        close(world.dir, dir, 1e-6, &case);
        close(camera.ray(pixel).dir, world.dir.normalize(), 1e-6, &case);
    }
    // The middle of the picture, not of the window, shows the camera's target.
    let middle = camera.ray([190.0, 125.0]);
    close(middle.dir, (Vec3::ZERO - eye).normalize(), 1e-6, "middle");
}

#[test]
fn the_same_t_in_every_space() {
    let eye = Vec3::new(1.0, 2.0, 6.0);
    let fov = FieldOfView::VerticalRadians(0.3);
    let camera = Camera::look_at(vga(), eye, [1.3, -0.4, -0.8], UP, fov).unwrap();
    let model = Mat4::from_translation(Vec3::new(0.5, -0.5, 0.25))
        * Mat4::from_rotation_y(0.7)
        * Mat4::from_scale(Vec3::new(3.0, 0.5, -2.0));
    let unit = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Vec3::from);
    let object = BruteForce::new(vec![Triangle::new(unit[0], unit[1], unit[2])]);
    let [a, b, c] = unit.map(|corner| model.transform_point3(corner));
    let world = BruteForce::new(vec![Triangle::new(a, b, c)]);
    let mut hits = 0;
    for y in 0..48u8 {
        for x in 0..64u8 {
            let pixel = [f32::from(x) * 10.0 + 5.0, f32::from(y) * 10.0 + 5.0];
            let local = camera.object_ray(pixel, &model).unwrap();
            let (Some(there), Some(here)) = (
                object.closest_hit(&local),
                world.closest_hit(&camera.world_ray(pixel)),
            ) else {
                continue; // at the very edge they may differ
            };
            hits += 1;
            let off = (there.t - here.t).abs();
            assert!(off <= 4e-6 * here.t, "{there:?} {here:?}");
            // Depth, distance and the distance in the object's space are three different numbers.
            let unit = object.closest_hit(&local.normalized()).unwrap();
            assert!((unit.t - there.t * local.dir.length()).abs() <= 1e-5 * unit.t);
            let distance = world.closest_hit(&camera.ray(pixel)).unwrap().t;
            let point = camera.world_ray(pixel).at(here.t);
            assert!((distance - point.distance(eye)).abs() <= 4e-6 * distance);
        }
    }
    assert!(hits > 100, "only {hits} hits");
}

/// A pixel that is NaN or infinite has no ray that hits; nothing panics.
#[test]
fn undefined_pixels_hit_nothing() {
    let look = Camera::look_at(vga(), [0.0, 0.0, 3.0], [0.0; 3], UP, FOV).unwrap();
    let flat = rh::proj::directx::orthographic(-1.0, 1.0, -1.0, 1.0, 0.0, 9.0);
    let flat = Camera::try_new(vga(), flat, Mat4::IDENTITY, DepthRange::ZeroToOne).unwrap();
    for camera in [look, flat] {
        for pixel in [[f32::NAN, 1.0], [1.0, f32::NAN], [INF, 1.0], [1.0, -INF]] {
            assert!(camera.ray(pixel).check().is_err(), "{pixel:?}");
            assert!(camera.view_ray(pixel).check().is_err(), "{pixel:?}");
            assert!(camera.world_ray(pixel).check().is_err(), "{pixel:?}");
            assert!(!camera.projection_plane(pixel).is_finite(), "{pixel:?}");
            let object = camera.object_ray(pixel, &Mat4::IDENTITY);
            assert!(object.is_ok_and(|ray| ray.check().is_err()), "{pixel:?}");
        }
    }
    // A pixel far outside the viewport is not undefined.
    let far = look.ray([1e30, 240.0]);
    assert_eq!(far.check(), Ok(()));
    close(far.dir, [1.0, 0.0, 0.0], 1e-6, "far to the right");
}
