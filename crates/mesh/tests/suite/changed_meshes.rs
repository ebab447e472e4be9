//! Meshes transformed by a matrix, and meshes appended to others.

use estoc_core::glam::{Mat4, Quat, Vec3};
use estoc_core::{BruteForce, PrimId, Ray, RayQuery};
use estoc_mesh::{Mesh, MeshError, MeshReport, ObjLoader};

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
    assert_eq!(
        (back.positions(), back.indices()),
        (mesh.positions(), mesh.indices())
    );
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
    let mesh = Mesh::new(corners, [[0, 1, 2]]).unwrap();
    let flat = mesh
        .transformed(&Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0)))
        .unwrap();
    assert_eq!(flat.report().degenerate.count(), 1);
    assert_eq!(flat.report().non_finite_unused.count(), 1);
    let again = flat.transformed(&Mat4::IDENTITY).unwrap();
    assert_eq!(again.report(), flat.report());
}

#[test]
fn matrices_that_are_not_affine_are_refused() {
    let mesh = flag();
    let perspective = Mat4::from_cols_array(&[
        1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, 1.0, 0.0,
    ]);
    let error = mesh.transformed(&perspective).unwrap_err();
    assert!(matches!(error, MeshError::NotAffine { .. }), "{error}");
    assert!(
        error.to_string().contains("last row (0, 0, 0, 1)"),
        "{error}"
    );
    let nan = Mat4::from_translation(Vec3::new(f32::NAN, 0.0, 0.0));
    assert!(matches!(
        mesh.transformed(&nan),
        Err(MeshError::NotAffine { .. })
    ));
    let far = Mat4::from_scale(Vec3::splat(f32::MAX));
    assert!(matches!(
        mesh.transformed(&far),
        Err(MeshError::NonFiniteVertex { .. })
    ));
}

#[test]
fn an_appended_mesh_follows_with_all_that_it_has() {
    let (first, second) = (flag(), flag());
    let lifted = Mat4::from_translation(Vec3::new(0.0, 0.0, 5.0));
    let second = second.transformed(&lifted).unwrap();
    let plain = Mesh::new(
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
    assert_eq!(all.face_of(PrimId::new(6).unwrap()), Some(4));
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
    assert_eq!(all.line_of(PrimId::new(0).unwrap()), None);
    let mut twice = first.clone();
    twice.append(&second).unwrap();
    assert_eq!(twice.line_of(PrimId::new(3).unwrap()), Some(12));
    assert_eq!(twice.line_of(PrimId::new(5).unwrap()), Some(15));
    // A mesh appended to an empty one, and an empty one appended to it.
    let mut empty = Mesh::default();
    empty.append(&first).unwrap();
    assert_eq!(empty.indices(), first.indices());
    assert_eq!(empty.objects(), first.objects());
    assert_eq!(empty.line_of(PrimId::new(0).unwrap()), Some(12));
    empty.append(&Mesh::default()).unwrap();
    assert_eq!(empty.triangle_count(), first.triangle_count());
}
