//! Meshes from positions and indices.

use crate::common::{assert_contains, assert_starts, prim, warnings};
use estoc_core::glam::Vec3;
use estoc_core::{Aabb, Triangle};
use estoc_mesh::{BadFaces, Finding, Findings, Mesh, MeshError};

const CORNERS: [[f32; 3]; 5] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [f32::NAN, 0.0, 0.0],
    [9.0, 9.0, 9.0],
];

#[test]
fn arrays_and_vectors_make_the_same_mesh() {
    let arrays = Mesh::try_new(CORNERS, [[0, 1, 2], [2, 1, 0]]).unwrap();
    let vectors = Mesh::try_new(CORNERS.map(Vec3::from), vec![[0, 1, 2], [2, 1, 0]]).unwrap();
    assert_eq!(arrays.indices(), vectors.indices());
    assert_eq!(arrays.positions()[..3], vectors.positions()[..3]);
    assert_eq!(arrays.triangle_count(), 2);
    let expected = Some(Triangle::new(CORNERS[2], CORNERS[1], CORNERS[0]));
    assert_eq!(arrays.triangle(prim(1)), expected);
    assert_eq!(arrays.triangle(prim(2)), None);
    assert_eq!(arrays.triangles().len(), 2);
    assert_eq!(arrays.triangles().next(), arrays.triangle(prim(0)));
}

#[test]
fn bounds_hold_what_triangles_use_and_nothing_else() {
    let mesh = Mesh::try_new(CORNERS, [[0, 1, 2]]).unwrap();
    let expected = Aabb::try_new([0.0, 0.0, 0.0], [1.0, 1.0, 0.0]).unwrap();
    assert_eq!(mesh.bounds(), expected);
    let found = Mesh::try_new(CORNERS, [[0; 3]; 0]).unwrap().bounds();
    assert_eq!(found, Aabb::EMPTY);
    assert_eq!(Mesh::default().bounds(), Aabb::EMPTY);
    assert_eq!(mesh.report().non_finite_unused.count(), 1);
    assert_eq!(mesh.report().non_finite_unused.first()[0].id, 3);
}

#[test]
fn what_cannot_be_used_is_refused_by_name() {
    let error = Mesh::try_new(CORNERS, [[0, 1, 2], [0, 5, 9]]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "face 1: vertex index 5 is out of range (5 vertices); use BadFaces::Skip to skip such faces"
    );
    assert!(matches!(
        error,
        MeshError::IndexOutOfRange { vertices: 5, .. }
    ));
    let error = Mesh::try_new(CORNERS, [[0, 1, 2], [0, 1, 2], [1, 2, 3]]).unwrap_err();
    let told = "face 2: vertex 3 is not finite: (NaN, 0, 0); ";
    assert_starts(&error.to_string(), told);
    let none: [[f32; 3]; 0] = [];
    let error = Mesh::try_new(none, [[u32::MAX; 3]]).unwrap_err();
    assert!(matches!(error, MeshError::IndexOutOfRange { .. }));
}

#[test]
fn skipped_triangles_are_counted_and_the_rest_keep_their_face_number() {
    let indices = [
        [0, 1, 5],
        [0, 1, 2],
        [1, 2, 3],
        [2, 1, 4],
        [0, 4, 1],
        [u32::MAX, 0, 0],
    ];
    let mesh = Mesh::with_bad_faces(CORNERS, indices, BadFaces::Skip).unwrap();
    assert_eq!(mesh.indices(), [[0, 1, 2], [2, 1, 4], [0, 4, 1]]);
    let faces: Vec<_> = (0..4).map(|i| mesh.face_of(prim(i))).collect();
    assert_eq!(faces, [Some(1), Some(3), Some(4), None]);
    assert_eq!(mesh.line_of(prim(0)), None);
    let report = mesh.report();
    assert_eq!((report.faces, report.skipped_faces()), (6, 3));
    let place = |id| Finding { id, line: None };
    assert_eq!(report.out_of_range.first(), [place(0), place(5)]);
    assert_eq!(report.non_finite_faces.first(), [place(2)]);
    assert_eq!(report.non_finite_used.first(), [place(3)]);
    assert!(report.non_finite_unused.is_empty());
    // Without a file all numbers are array indices.
    assert_eq!(
        warnings(&mesh),
        [
            "2 faces with vertices that do not exist were skipped (face 0, face 5)",
            "1 face with a vertex that is not finite was skipped (face 2)",
        ]
    );
}

fn ids(findings: &Findings) -> Vec<u64> {
    findings.first().iter().map(|place| place.id).collect()
}

#[test]
fn triangles_without_area_stay_and_are_counted_exactly() {
    let tiny = f32::from_bits(1);
    let corners = [
        [0.0, 0.0, 0.0],
        [tiny, 0.0, 0.0],
        [0.0, tiny, 0.0],
        // In f64, and exactly, not on one line; in f32 arithmetic they are.
        [16_777_216.0, 0.0, 0.0],
        [33_554_432.0, 1.0, 0.0],
        [1.0, 1.0, 1.0],
        [3.0, 3.0, 3.0],
    ];
    let indices = [[0, 1, 2], [0, 3, 4], [0, 5, 6], [0, 1, 1], [5, 5, 5]];
    let mesh = Mesh::try_new(corners, indices).unwrap();
    assert_eq!(mesh.triangle_count(), 5);
    assert_eq!(ids(&mesh.report().degenerate), [2, 3, 4]);
}

#[test]
fn duplicates_are_found_by_position_in_any_order() {
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [-0.0, 0.0, -0.0],
        [0.0, 0.0, 1.0],
    ];
    let indices = [
        [0, 1, 2],
        [0, 1, 4],
        [2, 0, 1],
        [1, 0, 2],
        [2, 3, 1],
        [4, 1, 2],
        [0, 0, 1],
        [0, 1, 1],
        [1, 3, 0],
    ];
    let mesh = Mesh::try_new(corners, indices).unwrap();
    assert_eq!(ids(&mesh.report().duplicate), [2, 3, 4, 8]);
    assert_eq!(mesh.report().duplicate.count(), 4);
}

#[test]
fn a_hundred_thousand_copies_are_all_but_one_duplicates() {
    let mesh = Mesh::try_new(CORNERS, vec![[0, 1, 2]; 100_000]).unwrap();
    assert_eq!(mesh.report().duplicate.count(), 99_999);
    assert_eq!(mesh.report().duplicate.first()[0].id, 1);
    assert_eq!(mesh.report().warnings().len(), 2);
}

#[test]
fn slices_arrays_and_flat_buffers_make_the_same_mesh() {
    let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let faces = [[0, 1, 2], [2, 1, 0]];
    let owned = Mesh::try_new(positions, faces).unwrap();
    let vectors: Vec<Vec3> = positions.map(Vec3::from).to_vec();
    let indices: Vec<(u32, u32, u32)> = faces.map(|[a, b, c]| (a, b, c)).to_vec();
    for mesh in [
        Mesh::try_new(positions, &faces[..]).unwrap(),
        Mesh::try_new(&positions[..], faces.to_vec()).unwrap(),
        Mesh::try_new(&vectors, &indices).unwrap(),
        Mesh::try_new(vectors.iter().copied(), indices).unwrap(),
        Mesh::from_flat(positions.as_flattened(), faces.as_flattened()).unwrap(),
    ] {
        assert_eq!(mesh.positions(), owned.positions());
        assert_eq!(mesh.indices(), owned.indices());
    }
    let error = Mesh::from_flat(&[0.0; 10], &[0, 1, 2]).unwrap_err();
    let told = "mesh: the array of positions has length 10, which is not a multiple of 3";
    assert_eq!(error.to_string(), told);
    let error = Mesh::from_flat(&[0.0; 9], &[0, 1]).unwrap_err();
    assert_contains(&error.to_string(), "indices has length 2,");
    assert_eq!(Mesh::from_flat(&[], &[]).unwrap().triangle_count(), 0);
}
