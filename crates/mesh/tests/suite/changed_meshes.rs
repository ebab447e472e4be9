//! Meshes transformed by a matrix, and meshes appended to others.

use crate::common::obj_text::skip;
use crate::common::{assert_contains, prim, warnings};
use estoc_core::glam::{Mat4, Quat, Vec3};
use estoc_core::{BruteForce, PrimId, Ray, RayQuery};
use estoc_mesh::{Findings, Mesh, MeshError, MeshLoader, MeshReport, ObjLoader};

/// Two objects: a square of one polygon with texture coordinates and normals, and a triangle
/// without.
const FLAG: &str = "o flag\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n\
    vn 0 0 1\nusemtl cloth\nf 1/1/1 2/2/1 3/3/1 4/4/1\no tip\nv 1 2 0\nf 4 3 5\n";

fn flag() -> Mesh {
    ObjLoader::new().read(FLAG.as_bytes(), "flag.obj").unwrap()
}

fn prims(mesh: &Mesh) -> impl Iterator<Item = PrimId> + use<> {
    (0..mesh.triangle_count()).map(|index| PrimId::from_index(index).unwrap())
}

#[test]
fn a_moved_mesh_keeps_what_its_triangles_are_called() {
    let mesh = flag();
    let matrix = Mat4::from_scale_rotation_translation(
        Vec3::new(2.0, 3.0, 0.5),
        Quat::from_rotation_y(0.7),
        Vec3::new(10.0, -4.0, 100.0),
    );
    let moved = mesh.transformed(&matrix).unwrap();
    assert_eq!(moved.indices(), mesh.indices());
    assert_eq!(moved.objects(), ["flag", "tip"]);
    for prim in prims(&mesh) {
        assert_eq!(moved.face_of(prim), mesh.face_of(prim));
        assert_eq!(moved.line_of(prim), mesh.line_of(prim));
        assert_eq!(moved.object_of(prim), mesh.object_of(prim));
        assert_eq!(moved.corner_texcoords(prim), mesh.corner_texcoords(prim));
    }
    for (p, q) in mesh.positions().iter().zip(moved.positions()) {
        let wide = matrix.as_dmat4().transform_point3(p.as_dvec3());
        assert_eq!(*q, wide.as_vec3());
    }
    let normal = moved.corner_normals(prims(&mesh).next().unwrap()).unwrap()[0];
    let triangle = moved.triangle(prims(&mesh).next().unwrap()).unwrap();
    assert!(normal.dot(triangle.normal().unwrap()) > 0.999_999);
    assert_eq!(moved.report().polygons, 1);
    assert_eq!(moved.report().faces, 2);
}

#[test]
fn a_mirror_keeps_fronts_in_front() {
    let mesh = flag();
    let mirror = Mat4::from_scale(Vec3::new(1.0, 1.0, -1.0));
    let mirrored = mesh.transformed(&mirror).unwrap();
    for prim in prims(&mesh) {
        let (before, after) = (
            mesh.triangle(prim).unwrap(),
            mirrored.triangle(prim).unwrap(),
        );
        assert_eq!(before.normal().unwrap(), -after.normal().unwrap());
        // Attributes stay with their corners.
        let (before, after) = (mesh.corner_texcoords(prim), mirrored.corner_texcoords(prim));
        assert_eq!(before.map(|[a, b, c]| [a, c, b]), after);
    }
    let back = mirrored.transformed(&mirror).unwrap();
    let found = (back.positions(), back.indices());
    assert_eq!(found, (mesh.positions(), mesh.indices()));
    assert_eq!(back.texcoord_indices(), mesh.texcoord_indices());
}

#[test]
fn findings_are_those_of_the_moved_triangles() {
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [f32::NAN; 3],
    ];
    let mesh = Mesh::try_new(corners, [[0, 1, 2]]).unwrap();
    let flat = mesh
        .transformed(&Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0)))
        .unwrap();
    assert_eq!(flat.report().degenerate.count(), 1);
    assert_eq!(flat.report().non_finite_unused.count(), 1);
    let again = flat.transformed(&Mat4::IDENTITY).unwrap();
    assert_eq!(again.report(), flat.report());
}

#[test]
fn vertices_of_skipped_faces_stay_used_in_a_moved_mesh() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv nan 0 0\nv 3e38 0 0\nv inf 0 0\nf 1 2 3\nf 1 2 4\n";
    let mesh = skip(text);
    let places = |findings: &Findings| -> Vec<(u64, Option<u64>)> {
        let first = findings.first().iter();
        assert_eq!(findings.count() as usize, first.len());
        first.map(|place| (place.id, place.line)).collect()
    };
    let moved = mesh.transformed(&Mat4::from_translation(Vec3::ONE));
    assert_eq!(moved.unwrap().report(), mesh.report());
    // The large vertex, which no face uses, becomes infinite.
    let moved = mesh.transformed(&Mat4::from_scale(Vec3::splat(2.0)));
    let moved = moved.unwrap();
    let report = moved.report();
    assert_eq!(places(&report.non_finite_used), [(3, Some(4))]);
    assert_eq!(places(&report.non_finite_unused), [(4, None), (5, Some(6))]);
    assert_eq!(report.non_finite_faces, mesh.report().non_finite_faces);
}

#[test]
fn the_faces_of_an_appended_mesh_follow_all_faces_of_the_first() {
    // The second face is skipped, and counts.
    let mesh = skip("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 9\n");
    let mut twice = mesh.clone();
    twice.append(&mesh).unwrap();
    assert_eq!(twice.face_of(prim(1)), Some(2));
    assert_eq!(twice.line_of(prim(1)), Some(4));
    assert_eq!(twice.report().faces, 4);
}

#[test]
fn matrices_that_are_not_affine_are_refused() {
    let mesh = flag();
    let perspective = Mat4::from_cols_array(&[
        1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, 1.0, 0.0,
    ]);
    let error = mesh.transformed(&perspective).unwrap_err();
    assert!(matches!(error, MeshError::NotAffine { .. }), "{error}");
    assert_contains(&error.to_string(), "last row (0, 0, 0, 1)");
    let nan = Mat4::from_translation(Vec3::new(f32::NAN, 0.0, 0.0));
    let error = mesh.transformed(&nan).unwrap_err();
    assert!(matches!(error, MeshError::NotAffine { .. }), "{error}");
    let far = Mat4::from_scale(Vec3::splat(f32::MAX));
    let error = mesh.transformed(&far).unwrap_err();
    assert!(
        matches!(error, MeshError::NonFiniteVertex { .. }),
        "{error}"
    );
}

#[test]
fn an_appended_mesh_follows_with_all_that_it_has() {
    let (first, second) = (flag(), flag());
    let lifted = Mat4::from_translation(Vec3::new(0.0, 0.0, 5.0));
    let second = second.transformed(&lifted).unwrap();
    let plain = Mesh::try_new(
        [[0.0, 0.0, 9.0], [1.0, 0.0, 9.0], [0.0, 1.0, 9.0]],
        [[0, 1, 2]],
    );
    let plain = plain.unwrap();
    let mut all = first.clone();
    all.append(&second).unwrap();
    all.append(&plain).unwrap();
    assert_eq!(all.triangle_count(), 7);
    assert_eq!(all.objects(), ["flag", "tip", "flag", "tip"]);
    let parts = [(0, &first), (3, &second), (6, &plain)];
    for (start, part) in parts {
        for prim in prims(part) {
            let here = PrimId::from_index(prim.index() + start).unwrap();
            assert_eq!(all.triangle(here), part.triangle(prim));
            assert_eq!(all.object_of(here), part.object_of(prim));
            assert_eq!(all.corner_texcoords(here), part.corner_texcoords(prim));
            assert_eq!(all.corner_normals(here), part.corner_normals(prim));
            let name = |mesh: &Mesh, prim| mesh.material_of(prim).map(|m| m.name.clone());
            assert_eq!(name(&all, here), name(part, prim));
        }
    }
    assert_eq!(all.face_of(prim(6)), Some(4));
    assert_eq!((all.report().faces, all.report().polygons), (4 + 1, 2));
    // Problems beyond the number that a report keeps are counted once each.
    let text = format!("mtllib a.mtl\n{FLAG}");
    let missing = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    let loader = ObjLoader::new().material_source(&missing);
    let one = loader.read(text.as_bytes(), "a.obj").unwrap();
    assert_eq!(one.report().material_problems.len(), 1);
    let mut crowded = one.clone();
    for _ in 0..MeshReport::KEPT_MATERIAL_PROBLEMS + 2 {
        crowded.append(&one).unwrap();
    }
    assert!(crowded.report().more_material_problems > 0);
    let mut both = crowded.clone();
    both.append(&crowded).unwrap();
    assert_eq!(one.report().named_files.len(), 1);
    let named = crowded.report().named_files.len();
    assert_eq!(both.report().named_files.len(), 2 * named);
    let problems = |mesh: &Mesh| {
        let report = mesh.report();
        report.material_problems.len() as u64 + report.more_material_problems
    };
    assert_eq!(problems(&both), 2 * problems(&crowded));
    let hits = BruteForce::new(all.triangles().collect::<Vec<_>>())
        .all_hits(&Ray::new([0.25, 0.25, -1.0], [0.0, 0.0, 1.0]));
    assert_eq!(hits.len(), 3);
    // One of the meshes has no lines.
    assert_eq!(all.line_of(prim(0)), None);
    let mut twice = first.clone();
    twice.append(&second).unwrap();
    assert_eq!(twice.line_of(prim(3)), Some(12));
    assert_eq!(twice.line_of(prim(5)), Some(15));
    // A mesh appended to an empty one, and an empty one appended to it.
    let mut empty = Mesh::default();
    empty.append(&first).unwrap();
    assert_eq!(empty.indices(), first.indices());
    assert_eq!(empty.objects(), first.objects());
    assert_eq!(empty.line_of(prim(0)), Some(12));
    empty.append(&Mesh::default()).unwrap();
    assert_eq!(empty.triangle_count(), first.triangle_count());
}

/// Returns a mesh without faces from a PLY file with elements of these names, which are not read.
fn with_unread(names: impl Iterator<Item = String>) -> Mesh {
    let elements: String = names.map(|name| format!("element {name} 2\n")).collect();
    let text = format!("ply\nformat ascii 1.0\n{elements}end_header\n");
    MeshLoader::new().read(text.as_bytes(), "a.ply").unwrap()
}

#[test]
fn parts_that_are_not_read_are_joined_by_kind() {
    const KEPT: usize = MeshReport::KEPT_UNREAD_PARTS;
    let mut all = with_unread((0..KEPT - 1).map(|i| format!("e{i}")));
    // Three known kinds, two new ones.
    all.append(&with_unread((KEPT - 4..KEPT + 1).map(|i| format!("e{i}"))))
        .unwrap();
    let report = all.report();
    assert_eq!(report.unread_parts.len(), KEPT);
    assert_eq!(report.more_unread_parts, 1);
    let counts: Vec<u64> = report.unread_parts.iter().map(|part| part.count).collect();
    let mut expected = [2; KEPT];
    expected[KEPT - 4..KEPT - 1].fill(4);
    assert_eq!(counts, expected);
    assert_eq!(
        warnings(&all)[KEPT - 2..],
        [
            "not read: elements \"e14\" (4)",
            "not read: elements \"e15\" (2)",
            "1 more kind of parts of the file is not read",
        ]
    );
    // Those that the second mesh does not keep count too.
    let crowded = with_unread((0..KEPT + 3).map(|i| format!("e{i}")));
    assert_eq!(crowded.report().more_unread_parts, 3);
    let mut all = with_unread([].into_iter());
    all.append(&crowded).unwrap();
    assert_eq!(all.report().unread_parts, crowded.report().unread_parts);
    assert_eq!(all.report().more_unread_parts, 3);
}

#[test]
fn libraries_and_indices_of_both_meshes_are_reported() {
    let source = |_: &str| Ok(Vec::new());
    let load = |more: usize, corners: [&str; 2]| {
        let count = MeshReport::READ_LIBRARIES + more;
        let libraries: String = (0..count).map(|i| format!("mtllib {i}.mtl\n")).collect();
        let [second, third] = corners;
        let text = format!(
            "{libraries}v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 {second} {third}\n"
        );
        let loader = ObjLoader::new().material_source(&source);
        loader.read(text.as_bytes(), "a.obj").unwrap()
    };
    let joined = |first: &Mesh, second: &Mesh| {
        let mut all = first.clone();
        all.append(second).unwrap();
        all.report().clone()
    };
    let none = load(0, ["2/1/1", "3/1/1"]);
    let near = load(2, ["2/3/1", "3/1/-2"]);
    let far = load(3, ["2/9/1", "3/1/0"]);
    for (first, second, farther, libraries) in [
        (&none, &near, &near, 2),
        (&near, &none, &near, 2),
        (&near, &far, &far, 5),
        (&far, &near, &far, 5),
    ] {
        let report = joined(first, second);
        let expected = farther.report();
        assert!(expected.texture_index_out_of_range.is_some());
        assert!(expected.normal_index_out_of_range.is_some());
        let farthest = |report: &MeshReport| {
            [
                report.texture_index_out_of_range,
                report.normal_index_out_of_range,
            ]
        };
        assert_eq!(farthest(&report), farthest(expected));
        assert_eq!(report.skipped_libraries, libraries);
    }
}

#[test]
fn findings_of_both_meshes_keep_their_numbers_and_lines() {
    // A vertex that is not finite and used, one that is not used, a triangle without area, and two
    // equal ones.
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv nan 0 0\nv inf 0 0\nf 1 2 3\nf 1 2 4\nf 1 1 2\n\
        f 2 3 1\n";
    let one = skip(text);
    let lifted = Mat4::from_translation(Vec3::new(0.0, 0.0, 5.0));
    let moved = one.transformed(&lifted).unwrap();
    assert_eq!(moved.report().duplicate.count(), 1);
    let mut all = moved;
    all.append(&Mesh::default()).unwrap();
    assert_eq!(all.report().duplicate.count(), 1);
    all.append(&one).unwrap();
    let report = all.report();
    assert_eq!(report.vertices, 10);
    assert_eq!(report.faces, 8);
    assert_eq!(report.duplicate.count(), 2);
    let mut twice = one.clone();
    twice.append(&one).unwrap();
    let report = twice.report();
    // Here the triangles of the second mesh repeat those of the first.
    assert_eq!(report.duplicate.count(), 4);
    for (findings, before, shift) in [
        (&report.non_finite_faces, &one.report().non_finite_faces, 4),
        (&report.non_finite_used, &one.report().non_finite_used, 5),
        (
            &report.non_finite_unused,
            &one.report().non_finite_unused,
            5,
        ),
        (&report.degenerate, &one.report().degenerate, 3),
    ] {
        let [found] = before.first() else {
            panic!("one finding each");
        };
        assert_eq!(findings.count(), 2);
        assert_eq!(findings.first()[0], *found);
        assert_eq!(findings.first()[1].id, found.id + shift);
        assert_eq!(findings.first()[1].line, found.line);
    }
    // A mesh that counts faces from 0 still does, appended to an empty one.
    let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
        property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n\
        0 0 0\n1 0 0\n0 1 0\n2 0 1\n";
    let ply = MeshLoader::new().read(ply.as_bytes(), "a.ply").unwrap();
    let mut all = Mesh::default();
    all.append(&ply).unwrap();
    assert_eq!(all.report(), ply.report());
    let told = "1 face with fewer than three corners was skipped (face 0 on line 13)";
    assert_eq!(warnings(&all)[0], told);
}
