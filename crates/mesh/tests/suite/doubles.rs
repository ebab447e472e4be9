//! Meshes of `f64`s.

use estoc_core::glam::DVec3;
use estoc_core::{PrimId, Triangle64};
use estoc_mesh::parts::wide_positions;
use estoc_mesh::{BadFaces, Mesh, MeshError};

fn corners(at: DVec3, size: f64) -> [DVec3; 4] {
    [
        [0.1, 0.2, 0.0],
        [1.0, 0.1, 0.3],
        [0.7, 1.1, -0.2],
        [1.7, 0.9, 0.4],
    ]
    .map(|p| at + DVec3::from_array(p) * size)
}

#[test]
fn corners_are_kept_and_those_in_the_frame_are_off_by_less_than_its_error() {
    for at in [0.0, 1.0, 5.2e6, -1e15, 1e300] {
        for size in [1e-320, 1e-200, 1e-30, 1e-3, 1.0, 1e9, 1e30, 1e200, 1e307] {
            let corners = corners(DVec3::new(at, -at, at / 3.0), size);
            let mesh = Mesh::from_f64(corners, [[0, 1, 2], [1, 3, 2]]).unwrap();
            assert_eq!(mesh.positions(), corners);
            let triangle = Triangle64::new(corners[1], corners[3], corners[2]);
            assert_eq!(
                mesh.triangle(PrimId::from_index(1).unwrap()),
                Some(triangle)
            );
            assert_eq!(mesh.triangles().count(), 2);
            let low = corners.into_iter().fold(DVec3::INFINITY, DVec3::min);
            assert_eq!(mesh.bounds()[0], low);
            let frame = wide_positions(&mesh).frame();
            let extent = (mesh.bounds()[1] - mesh.bounds()[0]).max_element() * frame.up();
            // Not too large for kernels, and no more off than half a step there.
            assert!(extent <= 2e6 || frame.up() == 1.0, "{at} {size} {frame:?}");
            assert!(
                frame.error <= 1e-6 * extent + 1e-37,
                "{at} {size} {frame:?}"
            );
        }
    }
}

#[test]
fn what_f32_has_in_the_frame_is_not_off() {
    for at in [0.0, 524_288.0, -5_242_880.0] {
        let corners = [[0.0; 3], [1.5, 0.25, 0.0], [0.0, 0.125, 2.0]].map(|p| p.map(|x| at + x));
        let mesh = Mesh::from_f64(corners, [[0, 1, 2]]).unwrap();
        assert_eq!(wide_positions(&mesh).frame().error, 0.0, "{at}");
    }
}

#[test]
fn positions_that_no_triangle_uses_may_be_anything() {
    let corners = corners(DVec3::splat(5.2e6), 1.0);
    let others = [
        DVec3::NAN,
        DVec3::splat(f64::MAX),
        DVec3::new(0.0, f64::NEG_INFINITY, 0.0),
    ];
    let positions = corners.into_iter().chain(others);
    let mesh = Mesh::from_f64(positions, [[0, 1, 2]]).unwrap();
    assert_eq!(mesh.report().non_finite_unused.count(), 2);
    assert!(wide_positions(&mesh).frame().error < 1e-6);
    let empty = Mesh::from_f64([[0.0f64; 3]; 0], [[0u32; 3]; 0]).unwrap();
    assert_eq!(empty.triangle_count(), 0);
}

#[test]
fn invalid_triangles_are_errors_that_show_the_numbers_given_or_are_left_out() {
    let corners = [[5.2e6, 0.0, 0.0], [5.2e6, 1.0, f64::NAN], [5.2e6, 1.0, 0.0]];
    let error = Mesh::from_f64(corners, [[0, 1, 2]]).unwrap_err();
    assert!(matches!(
        error,
        MeshError::NonFiniteVertex { vertex: 1, .. }
    ));
    assert!(error.to_string().contains("(5200000, 1, NaN)"), "{error}");
    let error = Mesh::from_f64(corners, [[0, 1, 3]]).unwrap_err();
    assert!(matches!(error, MeshError::IndexOutOfRange { .. }));
    let faces = [[0, 1, 2], [0, 0, 2], [0, 2, 3]];
    let mesh = Mesh::from_f64_with_bad_faces(corners, faces, BadFaces::Skip).unwrap();
    assert_eq!(mesh.indices(), [[0, 0, 2]]);
    assert_eq!(mesh.report().non_finite_faces.count(), 1);
}

#[test]
fn findings_are_about_the_numbers_given() {
    // A sliver, and a triangle with its corners on one line, which are the same in `f32`; two triangles that
    // differ in the last bit, and two that do not.
    let last = |x: f64| x.next_up();
    let positions = [
        [0.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [3.0, 3.0, 0.0],
        [3.0, last(3.0), 0.0],
        [-0.0, 0.0, 0.0],
    ];
    let faces = [[0, 1, 2], [0, 1, 3], [1, 3, 4], [2, 0, 1]];
    let mesh = Mesh::from_f64(positions, faces).unwrap();
    let numbers = |findings: &estoc_mesh::Findings| -> Vec<u64> {
        let first = findings.first().iter();
        first.map(|finding| finding.id).collect()
    };
    assert_eq!(numbers(&mesh.report().degenerate), [0, 3]);
    assert_eq!(numbers(&mesh.report().duplicate), [2, 3]);
}
