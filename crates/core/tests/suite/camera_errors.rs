//! Invalid cameras and ray origins, with the errors' numbers and remedies.

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
const FOV: FieldOfView = FieldOfView::VerticalRadians(1.0);

fn vga() -> Viewport {
    Viewport::new(640.0, 480.0)
}

#[test]
fn cameras_that_see_nothing_are_refused_with_their_numbers() {
    let look =
        |eye: [f32; 3], at: [f32; 3], up: [f32; 3], fov| Camera::look_at(vga(), eye, at, up, fov);
    let ahead = [0.0, 0.0, -1.0];
    let nan = [0.0, f32::NAN, 0.0];
    for (error, says) in [
        (
            look(ahead, ahead, UP, FOV),
            "eye and at are both (0, 0, -1)",
        ),
        (
            look(ahead, [-0.0, 0.0, -1.0], UP, FOV),
            "choose different points",
        ),
        (look(nan, ahead, UP, FOV), "eye (0, NaN, 0)"),
        (look([0.0; 3], nan, UP, FOV), "at (0, NaN, 0)"),
        (
            look([0.0; 3], ahead, [INF, 0.0, 0.0], FOV),
            "up (inf, 0, 0)",
        ),
        (
            look([0.0; 3], ahead, [0.0; 3], FOV),
            "up (0, 0, 0) is zero or parallel",
        ),
        (look([0.0; 3], ahead, [0.0, 0.0, 7.0], FOV), "(0, 0, 7)"),
        (
            look([0.0; 3], ahead, [5e-7, 0.0, -1.0], FOV),
            "choose another vector",
        ),
        (
            look([0.0; 3], ahead, UP, FieldOfView::VerticalRadians(0.0)),
            "vertical field of view of 0 rad",
        ),
        (
            look([0.0; 3], ahead, UP, FieldOfView::VerticalRadians(-1.0)),
            "-1 rad",
        ),
        (
            look([0.0; 3], ahead, UP, FieldOfView::VerticalRadians(PI)),
            "below pi",
        ),
        (
            look([0.0; 3], ahead, UP, FieldOfView::HorizontalRadians(60.0)),
            "horizontal field of view of 60 rad",
        ),
        (
            look(
                [0.0; 3],
                ahead,
                UP,
                FieldOfView::HorizontalRadians(f32::NAN),
            ),
            "NaN rad",
        ),
    ] {
        let error = error.expect_err(says).to_string();
        assert!(error.contains(says), "{error}");
    }
    assert!(look([0.0; 3], ahead, [2e-6, 0.0, -1.0], FOV).is_ok());
    assert!(
        look(
            [0.0; 3],
            ahead,
            UP,
            FieldOfView::VerticalRadians(PI.next_down())
        )
        .is_ok()
    );
    assert!(look([0.0; 3], ahead, UP, FieldOfView::VerticalRadians(1e-45)).is_ok());
    assert!(look([3e38; 3], [-3e38, 3e38, 3e38], UP, FOV).is_ok());
    assert!(look([0.0; 3], [1e-45, 0.0, 0.0], [0.0, 1e-45, 0.0], FOV).is_ok());

    for viewport in [
        Viewport::new(0.0, 480.0),
        Viewport::new(640.0, -480.0),
        Viewport::new(f32::NAN, 480.0),
        Viewport::new(640.0, INF),
        vga().at(f32::NAN, 0.0),
        vga().at(0.0, -INF),
    ] {
        let refused = Camera::look_at(viewport, [0.0; 3], ahead, UP, FOV).unwrap_err();
        assert!(matches!(refused, CameraError::Viewport(_)), "{viewport:?}");
        assert!(refused.to_string().contains("sizes above 0"), "{refused}");
        let matrix = rh::proj::directx::perspective_infinite(1.0, 1.0, 0.1);
        let refused = Camera::try_new(viewport, matrix, Mat4::IDENTITY, DepthRange::ZeroToOne);
        assert!(
            matches!(refused, Err(CameraError::Viewport(_))),
            "{viewport:?}"
        );
    }
}

#[test]
fn other_matrices_are_refused_by_their_entry() {
    let perspective = rh::proj::directx::perspective(1.0, 1.5, 0.1, 100.0);
    let orthographic = rh::proj::directx::orthographic(-2.0, 3.0, -1.0, 1.0, 0.0, 9.0);
    let new = |projection: Mat4, view: Mat4| {
        Camera::try_new(vga(), projection, view, DepthRange::ZeroToOne)
    };
    let with = |matrix: Mat4, row: usize, column: usize, value: f32| {
        let mut matrix = matrix;
        matrix.col_mut(column)[row] = value;
        matrix
    };
    let zero = [(0, 1), (1, 0), (2, 0), (2, 1), (3, 0), (3, 1)];
    for base in [perspective, orthographic] {
        let mut cases: Vec<(usize, usize, f32, ExpectedEntry)> = Vec::new();
        for (row, column) in zero {
            cases
                .extend([0.5, 1e-45, INF, f32::NAN].map(|v| (row, column, v, ExpectedEntry::Zero)));
        }
        for (row, column) in [(0, 0), (1, 1)] {
            cases.extend(
                [0.0, -0.0, INF, f32::NAN].map(|v| (row, column, v, ExpectedEntry::NonZero)),
            );
        }
        for (row, column) in [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            cases.extend([-INF, f32::NAN].map(|v| (row, column, v, ExpectedEntry::Finite)));
        }
        for (row, column, value, must) in cases {
            match new(with(base, row, column, value), Mat4::IDENTITY) {
                Err(CameraError::Projection(entry)) => {
                    assert_eq!(
                        (entry.row, entry.column, entry.expected),
                        (row, column, must)
                    );
                    assert_eq!(entry.value.to_bits(), value.to_bits());
                }
                other => panic!("row {row} column {column} is {value}: {other:?}"),
            }
        }
    }
    let entry = |row, column, value, must| {
        let entry = MatrixEntry {
            row,
            column,
            value,
            expected: must,
        };
        Err(CameraError::Projection(entry))
    };
    // Neither kind of projection: it needs both entries of the last row, or none.
    let both = with(perspective, 3, 3, 1.0);
    assert_eq!(
        new(both, Mat4::IDENTITY),
        entry(3, 3, 1.0, ExpectedEntry::Zero)
    );
    let none = with(perspective, 3, 2, 0.0);
    assert_eq!(
        new(none, Mat4::IDENTITY),
        entry(3, 3, 0.0, ExpectedEntry::NonZero)
    );
    // Without depth, the view direction of an orthographic camera is undefined.
    let flat = with(orthographic, 2, 2, 0.0);
    assert_eq!(
        new(flat, Mat4::IDENTITY),
        entry(2, 2, 0.0, ExpectedEntry::NonZero)
    );
    let says = new(flat, Mat4::IDENTITY).unwrap_err().to_string();
    assert!(
        says.contains("row 2, column 2 (from 0) is 0 but must be finite and not 0"),
        "{says}"
    );

    let view = |matrix| new(perspective, matrix).unwrap_err();
    let error = view(with(Mat4::IDENTITY, 3, 1, 0.25));
    assert!(error.source().is_some());
    assert_eq!(
        error,
        CameraError::View(TransformError::Entry(MatrixEntry {
            row: 3,
            column: 1,
            value: 0.25,
            expected: ExpectedEntry::Zero
        }))
    );
    assert!(
        matches!(view(with(Mat4::IDENTITY, 3, 3, 2.0)), CameraError::View(TransformError::Entry(e)) if e.expected == ExpectedEntry::One)
    );
    assert!(
        matches!(view(with(Mat4::IDENTITY, 1, 2, INF)), CameraError::View(TransformError::Entry(e)) if e.expected == ExpectedEntry::Finite)
    );
    let flat = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
    assert_eq!(view(flat), CameraError::View(TransformError::Singular));
    let camera = new(perspective, Mat4::IDENTITY).unwrap();
    assert_eq!(
        camera.object_ray([0.0, 0.0], &flat),
        Err(CameraError::Model(TransformError::Singular))
    );
    let tiny = Mat4::from_scale(Vec3::splat(1e-39));
    assert!(matches!(
        new(perspective, tiny),
        Err(CameraError::OutOfRange(_))
    ));
    assert!(matches!(
        camera.object_ray([0.0, 0.0], &tiny),
        Err(CameraError::Model(TransformError::OutOfRange { .. }))
    ));
}

#[test]
fn where_rays_cannot_start() {
    let look = Camera::look_at(vga(), [0.0; 3], [0.0, 0.0, -1.0], UP, FOV).unwrap();
    assert_eq!(look.from_near_plane(), Err(CameraError::NoNearPlane));
    assert_eq!(
        look.from_depth(2.0).unwrap().ray([320.0, 240.0]).origin,
        Vec3::new(0.0, 0.0, -2.0)
    );
    assert_eq!(look.from_depth(0.0), Ok(look));
    for depth in [-1.0, INF, f32::NAN] {
        let error = look.from_depth(depth).unwrap_err();
        assert!(
            error.to_string().contains(&format!("at depth {depth}")),
            "{error}"
        );
    }
    // Depth 0 is infinitely far in this matrix: with the wrong range, no plane is near.
    let reverse = rh::proj::directx::perspective_infinite_reverse(1.0, 1.0, 0.1);
    let wrong = Camera::try_new(vga(), reverse, Mat4::IDENTITY, DepthRange::ZeroToOne).unwrap();
    let error = wrong.from_near_plane().unwrap_err();
    assert!(matches!(error, CameraError::NearPlane { .. }), "{error}");
    assert!(error.to_string().contains("with ZeroToOne"), "{error}");
    // Otherwise a perspective's rays do not depend on the range.
    let right = Camera::try_new(vga(), reverse, Mat4::IDENTITY, DepthRange::OneToZero).unwrap();
    assert_eq!(wrong.ray([3.0, 4.0]), right.ray([3.0, 4.0]));
    // Orthographic rays may start behind the camera.
    let flat = Mat4::from_cols(Vec4::X, Vec4::Y, -Vec4::Z, Vec4::W);
    let flat = Camera::try_new(vga(), flat, Mat4::IDENTITY, DepthRange::ZeroToOne).unwrap();
    let ray = flat.from_depth(-5.0).unwrap().ray([320.0, 240.0]);
    assert_eq!(ray, Ray::new([0.0, 0.0, 5.0], [0.0, 0.0, -1.0]));
}
