//! Invalid cameras and ray origins, with the errors' numbers and remedies.

use DepthRange::ZeroToOne;
use FieldOfView::{HorizontalRadians, VerticalRadians};
use estoc_core::glam::camera::rh;
use estoc_core::glam::{Mat4, Vec3, Vec4};
use estoc_core::{
    Camera, CameraError, DepthRange, ExpectedEntry, FieldOfView, MatrixEntry, Ray, TransformError,
    Viewport,
};
use std::error::Error;
use std::f32::consts::PI;

const INF: f32 = f32::INFINITY;
const UP: [f32; 3] = [0.0, 1.0, 0.0];
const FOV: FieldOfView = VerticalRadians(1.0);
const AHEAD: [f32; 3] = [0.0, 0.0, -1.0];

fn vga() -> Viewport {
    Viewport::new(640.0, 480.0)
}

#[test]
fn cameras_that_see_nothing_are_refused_with_their_numbers() {
    let look = |eye: [f32; 3], at: [f32; 3], up: [f32; 3]| Camera::look_at(vga(), eye, at, up, FOV);
    let up = |up| look([0.0; 3], AHEAD, up);
    let fov = |fov| Camera::look_at(vga(), [0.0; 3], AHEAD, UP, fov);
    let ortho = |height| Camera::look_at_orthographic(vga(), [0.0; 3], AHEAD, UP, height);
    let flat =
        |eye: [f32; 3], up: [f32; 3]| Camera::look_at_orthographic(vga(), eye, AHEAD, up, 1.0);
    let nan = [0.0, f32::NAN, 0.0];
    #[rustfmt::skip]
    let refused = [
        (look(AHEAD, AHEAD, UP), "eye and at are both (0, 0, -1)"),
        (look(AHEAD, [-0.0, 0.0, -1.0], UP), "choose different points"),
        (look(nan, AHEAD, UP), "eye (0, NaN, 0)"),
        (look([0.0; 3], nan, UP), "at (0, NaN, 0)"),
        (up([INF, 0.0, 0.0]), "up (inf, 0, 0)"),
        (up([0.0; 3]), "up (0, 0, 0) is zero or parallel"),
        (up([0.0, 0.0, 7.0]), "(0, 0, 7)"),
        (up([5e-7, 0.0, -1.0]), "choose another vector"),
        (fov(VerticalRadians(0.0)), "vertical field of view of 0 rad"),
        (fov(VerticalRadians(-1.0)), "-1 rad"),
        (fov(VerticalRadians(PI)), "below pi"),
        (fov(HorizontalRadians(60.0)), "horizontal field of view of 60 rad"),
        (fov(HorizontalRadians(f32::NAN)), "NaN rad"),
        (ortho(0.0), "the height 0 of what an orthographic camera sees must be above 0 and finite"),
        (ortho(-0.0), "the height -0"),
        (ortho(-2.5), "the height -2.5"),
        (ortho(INF), "the height inf"),
        (ortho(f32::NAN), "the height NaN"),
        (flat(AHEAD, UP), "eye and at are both (0, 0, -1)"),
        (flat(nan, UP), "eye (0, NaN, 0)"),
        (flat([0.0; 3], [0.0, 0.0, 7.0]), "choose another vector"),
    ];
    for (error, says) in refused {
        let error = error.expect_err(says).to_string();
        assert!(error.contains(says), "{error}");
    }
    assert!(up([2e-6, 0.0, -1.0]).is_ok());
    assert!(fov(VerticalRadians(PI.next_down())).is_ok());
    assert!(fov(VerticalRadians(1e-45)).is_ok());
    assert!(ortho(1e-45).is_ok());
    // Pixels whose origins exceed f32 have undefined rays.
    let widest = ortho(f32::MAX).unwrap();
    assert!(widest.ray([320.0, 240.0]).check().is_ok());
    assert!(widest.ray([1e6, 240.0]).check().is_err());
    assert!(look([3e38; 3], [-3e38, 3e38, 3e38], UP).is_ok());
    assert!(look([0.0; 3], [1e-45, 0.0, 0.0], [0.0, 1e-45, 0.0]).is_ok());

    for viewport in [
        Viewport::new(0.0, 480.0),
        Viewport::new(640.0, -480.0),
        Viewport::new(f32::NAN, 480.0),
        Viewport::new(640.0, INF),
        vga().at(f32::NAN, 0.0),
        vga().at(0.0, -INF),
    ] {
        let looking = Camera::look_at(viewport, [0.0; 3], AHEAD, UP, FOV).unwrap_err();
        let matrix = rh::proj::directx::perspective_infinite(1.0, 1.0, 0.1);
        let matrices = Camera::try_new(viewport, matrix, Mat4::IDENTITY, ZeroToOne).unwrap_err();
        let flat = Camera::look_at_orthographic(viewport, [0.0; 3], AHEAD, UP, 1.0).unwrap_err();
        for refused in [&looking, &matrices, &flat] {
            assert!(matches!(refused, CameraError::Viewport(_)), "{viewport:?}");
        }
        assert!(looking.to_string().contains("sizes above 0"), "{looking}");
    }
}

#[test]
fn other_matrices_are_refused_by_their_entry() {
    let perspective = rh::proj::directx::perspective(1.0, 1.5, 0.1, 100.0);
    let orthographic = rh::proj::directx::orthographic(-2.0, 3.0, -1.0, 1.0, 0.0, 9.0);
    let new = |projection: Mat4, view: Mat4| Camera::try_new(vga(), projection, view, ZeroToOne);
    let with = |mut matrix: Mat4, row: usize, column: usize, value: f32| {
        matrix.col_mut(column)[row] = value;
        matrix
    };
    let zero = [(0, 1), (1, 0), (2, 0), (2, 1), (3, 0), (3, 1)];
    let one = [(0, 0), (1, 1)];
    let finite = [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let wrong: [(&[_], &[f32], _); 3] = [
        (&zero, &[0.5, 1e-45, INF, f32::NAN], ExpectedEntry::Zero),
        (&one, &[0.0, -0.0, INF, f32::NAN], ExpectedEntry::NonZero),
        (&finite, &[-INF, f32::NAN], ExpectedEntry::Finite),
    ];
    for base in [perspective, orthographic] {
        for (entries, values, must) in wrong {
            let each = |&(row, column)| values.iter().map(move |&value| (row, column, value));
            for (row, column, value) in entries.iter().flat_map(each) {
                match new(with(base, row, column, value), Mat4::IDENTITY) {
                    Err(CameraError::Projection(entry)) => {
                        let told = (entry.row, entry.column, entry.expected);
                        assert_eq!(told, (row, column, must));
                        assert_eq!(entry.value.to_bits(), value.to_bits());
                    }
                    other => panic!("row {row} column {column} is {value}: {other:?}"),
                }
            }
        }
    }
    let entry = |row, column, value, expected| MatrixEntry {
        row,
        column,
        value,
        expected,
    };
    let refused = |projection| match new(projection, Mat4::IDENTITY) {
        Err(CameraError::Projection(entry)) => entry,
        other => panic!("{projection}: {other:?}"),
    };
    // Neither kind of projection: it needs both entries of the last row, or none.
    let both = refused(with(perspective, 3, 3, 1.0));
    assert_eq!(both, entry(3, 3, 1.0, ExpectedEntry::Zero));
    let none = refused(with(perspective, 3, 2, 0.0));
    assert_eq!(none, entry(3, 3, 0.0, ExpectedEntry::NonZero));
    // Without depth, the view direction of an orthographic camera is undefined.
    let flat = with(orthographic, 2, 2, 0.0);
    assert_eq!(refused(flat), entry(2, 2, 0.0, ExpectedEntry::NonZero));
    let says = new(flat, Mat4::IDENTITY).unwrap_err().to_string();
    let expected = "row 2, column 2 (from 0) is 0 but must be finite and not 0";
    assert!(says.contains(expected), "{says}");

    let view = |matrix| new(perspective, matrix).unwrap_err();
    let error = view(with(Mat4::IDENTITY, 3, 1, 0.25));
    assert!(error.source().is_some());
    for (row, column, value, must) in [
        (3, 1, 0.25, ExpectedEntry::Zero),
        (3, 3, 2.0, ExpectedEntry::One),
        (1, 2, INF, ExpectedEntry::Finite),
    ] {
        let expected = TransformError::Entry(entry(row, column, value, must));
        let error = view(with(Mat4::IDENTITY, row, column, value));
        assert_eq!(error, CameraError::View(expected));
    }
    let flat = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
    assert_eq!(view(flat), CameraError::View(TransformError::Singular));
    let camera = new(perspective, Mat4::IDENTITY).unwrap();
    let object = |model| camera.object_ray([0.0, 0.0], &model).unwrap_err();
    assert_eq!(object(flat), CameraError::Model(TransformError::Singular));
    let tiny = Mat4::from_scale(Vec3::splat(1e-39));
    assert!(matches!(view(tiny), CameraError::OutOfRange(_)));
    let CameraError::Model(TransformError::OutOfRange { .. }) = object(tiny) else {
        panic!("{tiny}");
    };
}

#[test]
fn where_rays_cannot_start() {
    let look = Camera::look_at(vga(), [0.0; 3], AHEAD, UP, FOV).unwrap();
    assert_eq!(look.from_near_plane(), Err(CameraError::NoNearPlane));
    let ortho = Camera::look_at_orthographic(vga(), [0.0; 3], AHEAD, UP, 2.0).unwrap();
    assert_eq!(ortho.from_near_plane(), Err(CameraError::NoNearPlane));
    let ray = look.from_depth(2.0).unwrap().ray([320.0, 240.0]);
    assert_eq!(ray.origin, Vec3::new(0.0, 0.0, -2.0));
    assert_eq!(look.from_depth(0.0), Ok(look));
    for depth in [-1.0, INF, f32::NAN] {
        let error = look.from_depth(depth).unwrap_err().to_string();
        assert!(error.contains(&format!("at depth {depth}")), "{error}");
    }
    // Depth 0 is infinitely far in this matrix: with the wrong range, no plane is near.
    let reverse = rh::proj::directx::perspective_infinite_reverse(1.0, 1.0, 0.1);
    let wrong = Camera::try_new(vga(), reverse, Mat4::IDENTITY, ZeroToOne).unwrap();
    let error = wrong.from_near_plane().unwrap_err();
    assert!(matches!(error, CameraError::NearPlane { .. }), "{error}");
    assert!(error.to_string().contains("with ZeroToOne"), "{error}");
    // Otherwise a perspective's rays do not depend on the range.
    let right = Camera::try_new(vga(), reverse, Mat4::IDENTITY, DepthRange::OneToZero).unwrap();
    assert_eq!(wrong.ray([3.0, 4.0]), right.ray([3.0, 4.0]));
    // Orthographic rays may start behind the camera.
    let flat = Mat4::from_cols(Vec4::X, Vec4::Y, -Vec4::Z, Vec4::W);
    let flat = Camera::try_new(vga(), flat, Mat4::IDENTITY, ZeroToOne).unwrap();
    let ray = flat.from_depth(-5.0).unwrap().ray([320.0, 240.0]);
    assert_eq!(ray, Ray::new([0.0, 0.0, 5.0], [0.0, 0.0, -1.0]));
}
