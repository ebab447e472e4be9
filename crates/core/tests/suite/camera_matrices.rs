//! Rays compared with the matrices they come from, in every convention: the direction, the origin
//! and the depth that general 4x4 inverses in `f64` give, and the way back to the pixel. The worst
//! errors are printed and compared with the documented bounds.

use crate::rounding::beyond_half_an_ulp;
use estoc_core::glam::camera::{lh, rh};
use estoc_core::glam::{DMat3, DVec2, DVec3, Mat3, Mat4, Vec3};
use estoc_core::{Camera, DepthRange, Viewport};
use estoc_testkit::tables::Rng;

/// The largest value of half a unit in the last place, relative to the number.
const HALF_ULP: f64 = 1.0 / (1u32 << 24) as f64;
/// The error of `f64` for a view that rotates and moves: 2^-47, and as much for the reference.
const SLACK: f64 = 1.0 / (1u64 << 46) as f64;

#[derive(Clone, Copy, PartialEq)]
enum Hand {
    Left,
    Right,
}
use DepthRange::{MinusOneToOne, OneToZero, ZeroToOne};
use Hand::{Left, Right};

struct Convention {
    name: &'static str,
    projection: Mat4,
    depth: DepthRange,
    hand: Hand,
}

/// Returns the conventions. Near is 0.1 in all perspectives, -3 in orthographic projections.
#[rustfmt::skip]
fn conventions() -> Vec<Convention> {
    use lh::proj as l;
    use rh::proj as r;
    let row = |name, hand, depth, projection| Convention { name, projection, depth, hand };
    let (fov, aspect, near, far) = (0.8, 1.6, 0.1, 500.0);
    // Left, right, bottom and top.
    let [a, b, c, d] = [-0.02, 0.11, -0.05, 0.03];
    let [e, f, g, h] = [-8.0, 5.0, -3.0, 4.0];
    let down = Mat4::from_scale(Vec3::new(1.0, -1.0, 1.0));
    let stereo = Mat4::from_translation(Vec3::new(0.031, -0.01, 0.0));
    let mut oblique = r::directx::orthographic(e, f, g, h, -3.0, 50.0);
    (oblique.z_axis.x, oblique.z_axis.y) = (0.04, -0.07);
    vec![
        row("perspective_rh", Right, ZeroToOne, r::directx::perspective(fov, aspect, near, far)),
        row("perspective_lh", Left, ZeroToOne, l::directx::perspective(fov, aspect, near, far)),
        row("perspective_rh_gl", Right, MinusOneToOne, r::opengl::perspective(fov, aspect, near, far)),
        row("perspective_lh_gl", Left, MinusOneToOne, l::opengl::perspective(fov, aspect, near, far)),
        row("perspective_infinite_rh", Right, ZeroToOne, r::directx::perspective_infinite(fov, aspect, near)),
        row("perspective_infinite_lh", Left, ZeroToOne, l::directx::perspective_infinite(fov, aspect, near)),
        row("perspective_infinite_reverse_rh", Right, OneToZero, r::directx::perspective_infinite_reverse(fov, aspect, near)),
        row("perspective_infinite_reverse_lh", Left, OneToZero, l::directx::perspective_infinite_reverse(fov, aspect, near)),
        row("reversed by exchange, rh", Right, OneToZero, r::directx::perspective(fov, aspect, far, near)),
        row("reversed by exchange, lh", Left, OneToZero, l::directx::perspective(fov, aspect, far, near)),
        row("vulkan, second row negated", Right, ZeroToOne, down * r::vulkan::perspective(fov, aspect, near, far)),
        row("off-centre rh", Right, ZeroToOne, r::directx::frustum(a, b, c, d, near, far)),
        row("off-centre lh", Left, ZeroToOne, l::directx::frustum(a, b, c, d, near, far)),
        row("off-centre rh gl", Right, MinusOneToOne, r::opengl::frustum(a, b, c, d, near, far)),
        row("eye beside the view origin", Right, ZeroToOne, r::directx::perspective(fov, aspect, near, far) * stereo),
        row("all of it times -7", Right, ZeroToOne, r::directx::perspective(fov, aspect, near, far) * 7.0),
        row("orthographic rh", Right, ZeroToOne, r::directx::orthographic(e, f, g, h, -3.0, 50.0)),
        row("orthographic lh", Left, ZeroToOne, l::directx::orthographic(e, f, g, h, -3.0, 50.0)),
        row("orthographic rh gl", Right, MinusOneToOne, r::opengl::orthographic(e, f, g, h, -3.0, 50.0)),
        row("orthographic lh gl", Left, MinusOneToOne, l::opengl::orthographic(e, f, g, h, -3.0, 50.0)),
        row("orthographic reversed rh", Right, OneToZero, r::directx::orthographic(e, f, g, h, 50.0, -3.0)),
        row("orthographic reversed lh", Left, OneToZero, l::directx::orthographic(e, f, g, h, 50.0, -3.0)),
        row("orthographic oblique", Right, ZeroToOne, oblique),
        row("orthographic times -2", Right, ZeroToOne, r::directx::orthographic(e, f, g, h, -3.0, 50.0) * -2.0),
    ]
}

impl Convention {
    fn near(&self) -> f64 {
        match self.depth {
            MinusOneToOne => -1.0,
            OneToZero => 1.0,
            _ => 0.0,
        }
    }

    fn forward(&self) -> f64 {
        if self.hand == Left { 1.0 } else { -1.0 }
    }

    /// Returns a random rotation with a translation, also a far one. Every third rotation is by a
    /// multiple of 45 degrees, so that components cancel.
    fn view(&self, rng: &mut Rng) -> Mat4 {
        let scale = rng.pick(&[0.0, 1.0, 100.0, 1e6]);
        let eye = Vec3::from(rng.vec(-1.0, 1.0)) * scale;
        let dir = if rng.below(3) == 0 {
            Vec3::new(rng.pick(&[-1.0, 1.0]), 0.0, rng.integer(-1, 1)).normalize()
        } else {
            Vec3::from(rng.vec(-1.0, 1.0)).normalize()
        };
        match self.hand {
            Left => lh::view::look_to_mat4(eye, dir, Vec3::Y),
            Right => rh::view::look_to_mat4(eye, dir, Vec3::Y),
        }
    }
}

fn viewport(rng: &mut Rng) -> Viewport {
    let [width, height] = [(); 2].map(|()| rng.integer(1, 4000));
    Viewport::new(width, height).at(rng.integer(-50, 900), rng.integer(-50, 900))
}

/// Returns corners, centres, and other pixels in the viewport and slightly outside.
fn pixel(viewport: Viewport, rng: &mut Rng) -> [f32; 2] {
    let mut share = || match rng.below(2) {
        0 => rng.pick(&[0.0, 0.5, 1.0]),
        _ => rng.between(-0.25, 1.25),
    };
    [
        viewport.x + viewport.width * share(),
        viewport.y + viewport.height * share(),
    ]
}

fn device(viewport: Viewport, pixel: [f32; 2]) -> DVec2 {
    let [x, y] = pixel.map(f64::from);
    DVec2::new(
        2.0 * (x - f64::from(viewport.x)) / f64::from(viewport.width) - 1.0,
        1.0 - 2.0 * (y - f64::from(viewport.y)) / f64::from(viewport.height),
    )
}

fn angle(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length() / (a.length() * b.length())
}

/// Calls `test` with 400 random cameras, views and pixels of each convention, and the case's name.
fn for_random_cameras(
    seed: u64,
    mut test: impl FnMut(&Convention, &Camera, Mat4, [f32; 2], &mut Rng, &str),
) {
    let mut rng = Rng::new(seed);
    for convention in conventions() {
        for round in 0..400 {
            let viewport = viewport(&mut rng);
            let view = convention.view(&mut rng);
            let pixel = pixel(viewport, &mut rng);
            let case = format!("seed {seed}, {}, round {round}", convention.name);
            let camera = Camera::try_new(viewport, convention.projection, view, convention.depth);
            let camera = camera.expect(&case);
            test(&convention, &camera, view, pixel, &mut rng, &case);
        }
    }
}

#[test]
fn rays_are_those_of_general_inverses() {
    let (mut turn, mut length, mut depth) = (0f64, 0f64, 0f64);
    let (mut moved, mut component) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for_random_cameras(31, |convention, camera, view, pixel, _, case| {
        // Two points of the line: on the near plane and, in device space, beyond it.
        let ndc = device(camera.viewport(), pixel);
        let unproject = convention.projection.as_dmat4().inverse();
        let near = unproject.project_point3(ndc.extend(convention.near()));
        let beyond = unproject.project_point3(ndc.extend(0.5));
        let dir = (beyond - near) / (beyond - near).z * convention.forward();
        let to_world = view.as_dmat4().inverse();
        let linear = |v: DVec3| to_world.transform_vector3(v);

        let ray = camera.ray(pixel);
        let ray_dir = ray.dir.as_dvec3();
        turn = turn.max(angle(ray_dir, linear(dir)));
        length = length.max((ray_dir.length() - 1.0).abs());
        assert!(ray_dir.dot(linear(dir)) > 0.0, "{case}: backwards");

        // t is depth: increasing t by 1 moves the point by 1 along the view direction.
        let world = camera.world_ray(pixel);
        let ahead = view.as_dmat4().transform_vector3(world.dir.as_dvec3()).z;
        depth = depth.max((ahead * convention.forward() - 1.0).abs() / dir.length());

        let start = camera.from_near_plane().unwrap().ray(pixel);
        assert_eq!(start.dir, ray.dir, "{case}");
        let exact = to_world.transform_point3(near);
        let reach = near.length() + to_world.w_axis.truncate().length();
        let error = beyond_half_an_ulp(start.origin, exact).max_element() / reach;
        moved = moved.max(error);
        assert!(error <= SLACK, "{case}: {error}");
        let exact = linear(dir).normalize();
        let error = beyond_half_an_ulp(ray.dir, exact).max_element();
        component = component.max(error);
        assert!(error <= SLACK, "{case}: {error}");
    });
    println!(
        "worst: direction {turn:.3e} rad, length {length:.3e}, depth {depth:.3e}; beyond half an \
         ulp: direction {component:.3e}, origin {moved:.3e} of its reach"
    );
    assert!(turn <= HALF_ULP + SLACK);
    assert!(length <= HALF_ULP + SLACK);
    assert!(depth <= HALF_ULP + SLACK);
}

/// A point of a ray projects back to the pixel, as closely as its rounded numbers allow.
#[test]
fn points_of_rays_project_to_their_pixels() {
    let mut worst = 0f64;
    for_random_cameras(32, |convention, camera, view, pixel, rng, case| {
        let projection = convention.projection.as_dmat4();
        let (view, viewport) = (view.as_dmat4(), camera.viewport());
        for ray in [camera.ray(pixel), camera.world_ray(pixel)] {
            let t = f64::from(10f32.powf(rng.between(-1.0, 3.0)));
            let (origin, dir) = (ray.origin.as_dvec3(), ray.dir.as_dvec3());
            let point = origin + t * dir;
            let clip = projection * (view * point.extend(1.0));
            let size = DVec2::new(viewport.width.into(), viewport.height.into());
            let back = (clip.truncate() / clip.w).truncate() - device(viewport, pixel);
            let error = (back * size / 2.0).abs();

            // The distance in pixels by which half an ulp of each number moves the point.
            let off = HALF_ULP * (origin.length() + t * dir.length());
            let seen = view.transform_point3(point);
            let scale = DVec2::new(projection.x_axis.x, projection.y_axis.y).abs();
            let scale = scale * size / 2.0 / clip.w.abs();
            let plane = 1.0 + (seen / seen.z).truncate().length();
            let bound = scale * plane * off * (1.0 + 1e-6) + 1e-9;
            worst = worst.max((error / bound).max_element());
            let is_within = error.cmple(bound).all();
            assert!(is_within, "{case}: {error} pixels, bound {bound}");
        }
    });
    println!("worst: {worst:.3} of the bound");
}

/// Views that stretch, mirror and shear, and transformed objects.
#[test]
fn general_views_and_models() {
    const SEED: u64 = 33;
    let mut rng = Rng::new(SEED);
    let projection = rh::proj::directx::perspective(0.8, 1.6, 0.1, 500.0);
    let (mut worst, mut turn, mut tested) = (f64::NEG_INFINITY, 0f64, 0);
    for round in 0..4000 {
        let viewport = viewport(&mut rng);
        let (view, model) = (stretched(&mut rng), stretched(&mut rng));
        let pixel = pixel(viewport, &mut rng);
        // The reference is inaccurate there. Other tests use such matrices with exactly known
        // inverses.
        if nearly_flat(view) || nearly_flat(model) {
            continue;
        }
        tested += 1;
        let case = format!("seed {SEED}, round {round}: {view} {model}");
        let camera = Camera::try_new(viewport, projection, view, ZeroToOne).expect(&case);
        let ndc = device(viewport, pixel);
        let dir = DVec3::new(
            ndc.x / f64::from(projection.x_axis.x),
            ndc.y / f64::from(projection.y_axis.y),
            -1.0,
        );
        let ray = camera.world_ray(pixel);
        let view = view.as_dmat4();
        let inverse = view.inverse();
        for (got, exact, moved) in [
            (ray.dir, inverse.transform_vector3(dir), dir),
            (
                ray.origin,
                inverse.w_axis.truncate(),
                view.w_axis.truncate(),
            ),
        ] {
            let magnitudes = DMat3::from_mat4(inverse).abs() * moved.abs();
            let error = (beyond_half_an_ulp(got, exact) / magnitudes).max_element();
            worst = worst.max(error);
            assert!(error <= SLACK, "{case}: {error}");
        }
        let object = camera.object_ray(pixel, &model).expect(&case).normalized();
        let exact = (view * model.as_dmat4()).inverse().transform_vector3(dir);
        turn = turn.max(angle(object.dir.as_dvec3(), exact));
    }
    println!("{tested} pairs, worst: beyond half an ulp {worst:.3e}, in the object {turn:.3e} rad");
    assert!(tested > 1000);
    // Rounded to the object's space and then to length 1.
    assert!(turn <= 2.0 * HALF_ULP + 1e-10);
}

/// Returns axes in random directions, with lengths that differ by up to a factor of a million.
fn stretched(rng: &mut Rng) -> Mat4 {
    let mut axis = || Vec3::from(rng.vec(-1.0, 1.0)) * 10f32.powf(rng.between(-3.0, 3.0));
    let axes = Mat3::from_cols(axis(), axis(), axis());
    Mat4::from_translation(Vec3::from(rng.vec(-100.0, 100.0))) * Mat4::from_mat3(axes)
}

/// Returns whether the axes, scaled to equal lengths, are nearly in a plane.
fn nearly_flat(matrix: Mat4) -> bool {
    let axes = DMat3::from_mat4(matrix.as_dmat4());
    let volume = axes.determinant().abs();
    volume < 0.05 * axes.x_axis.length() * axes.y_axis.length() * axes.z_axis.length()
}
