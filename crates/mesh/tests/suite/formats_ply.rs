//! PLY, text and binary.

use super::formats::{read, refusal, warnings};
use crate::common::written::Way;
use estoc_core::PrimId;
use estoc_mesh::{BadFaces, Mesh, MeshLoader};

const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
    property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";

#[test]
fn ply_says_where_and_what() {
    let body = |body: &str| format!("{PLY}{body}");
    let is_it = "; is it a sound PLY file?";
    let skip = "; to leave such faces out use BadFaces::Skip";
    let skip_vertices = "; to leave out the faces that use such vertices use BadFaces::Skip";
    let header = |from: &str, to: &str| PLY.replacen(from, to, 1);
    for (text, told) in [
        (
            String::new(),
            format!("a.ply: it does not begin with \"ply\"{is_it}"),
        ),
        (
            "ply".into(),
            format!("a.ply:1: it ends before \"end_header\"{is_it}"),
        ),
        (
            "ply\nend_header\n".into(),
            format!("a.ply:2: the header has no format{is_it}"),
        ),
        (
            header("ascii", "utf8"),
            format!("a.ply:2: the header has \"format utf8 1.0\"{is_it}"),
        ),
        (
            header("1.0", "2.0"),
            format!("a.ply:2: the header has \"format ascii 2.0\"{is_it}"),
        ),
        (
            header("3", "-3"),
            format!("a.ply:3: the header has \"element vertex -3\"{is_it}"),
        ),
        (
            header("float", "half"),
            format!("a.ply:4: the header has \"property half x\"{is_it}"),
        ),
        (
            header("float x", "float w"),
            format!("a.ply: its vertices have no properties x, y and z{is_it}"),
        ),
        (header("vertex_indices", "corners"), "a.ply:9: ".into()),
        (
            header("face", "vertex"),
            "a.ply:9: it ends after 0 of 3".into(),
        ),
        (
            body(""),
            format!("a.ply:9: it ends after 0 of 3 elements \"vertex\"{is_it}"),
        ),
        (
            body("0 0 0\n1 0\n"),
            format!("a.ply:11: too few numbers{skip_vertices}"),
        ),
        (
            body("0 0 0\n1 0 0 1\n"),
            format!("a.ply:11: \"1\" is too much{skip_vertices}"),
        ),
        (
            body("0 0 0\n1 0,5 0\n"),
            format!("a.ply:11: \"0,5\" is no number{skip_vertices}"),
        ),
        (
            body("0 0 0\n1 0 0\n0 1 0\n"),
            format!("a.ply:12: it ends after 0 of 1 elements \"face\"{is_it}"),
        ),
        (
            body("0 0 0\n1 0 0\n0 1 0\n3 0 1\n"),
            format!("a.ply:13: a list of 3 indices has only 2{skip}"),
        ),
        (
            body("0 0 0\n1 0 0\n0 1 0\n-3 0 1 2\n"),
            format!("a.ply:13: \"-3\" is no length of a list{skip}"),
        ),
        (
            body("0 0 0\n1 0 0\n0 1 0\n3 0 1 0.5\n"),
            format!("a.ply:13: \"0.5\" is no index{skip}"),
        ),
        (
            body("0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"),
            format!("a.ply:13: vertex index 3 of 3{skip}"),
        ),
        (
            body("0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n"),
            format!("a.ply:13: vertex index -1 of 3{skip}"),
        ),
        (
            body("0 0 0\n1 0 0\n0 1e39 0\n3 0 1 2\n"),
            format!("a.ply:13: vertex 2 (line 12) is (0, inf, 0), not finite{skip}"),
        ),
    ] {
        let found = refusal(text.as_bytes(), "a.ply");
        assert!(found.starts_with(&*told), "{found}\n{told}");
    }
    // Invalid faces are left out, and counted from 0.
    let text = body("0 0 0\n1 0 zero\n0 1 0\n3 0 1 2\n\nmore\n");
    let mesh = MeshLoader::new()
        .bad_faces(BadFaces::Skip)
        .read(text.as_bytes(), "a.ply")
        .unwrap();
    assert_eq!(
        warnings(&mesh),
        [
            "1 face with a vertex that is not finite was left out (face 0 on line 13)",
            "1 vertex could not be read (vertex 1 on line 11)",
            "not read: lines behind the last element (1 of them)",
        ]
    );
    // In files with short faces, the wrong index is reported for the right face.
    let text = body("0 0 0\n1 0 0\n0 1 0\n2 7 8\n3 0 1 9\n").replace("face 1", "face 2");
    let told = refusal(text.as_bytes(), "a.ply");
    assert!(
        told.starts_with("a.ply:14: vertex index 9 of 3; "),
        "{told}"
    );
}

#[test]
fn ply_in_bytes_says_where_and_what() {
    let triangle = Mesh::new([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]]).unwrap();
    let bytes = Way::PlyLittle.write(&triangle);
    let start = bytes.len() - 13 - 36;
    let cut = refusal(&bytes[..start + 20], "a.ply");
    let place = start + 12 + 8;
    assert_eq!(
        cut,
        format!(
            "a.ply: byte {place}: it ends within element \"vertex\" 1 of 3; is it a sound PLY file?"
        )
    );
    let mut far = bytes.clone();
    let last = far.len() - 4;
    far[last..].copy_from_slice(&u32::MAX.to_le_bytes());
    let told = refusal(&far, "a.ply");
    assert!(
        told.starts_with("a.ply: face 0: vertex index 4294967295 of 3; "),
        "{told}"
    );
    let mut infinite = bytes.clone();
    infinite[start + 12..start + 16].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let told = refusal(&infinite, "a.ply");
    assert!(
        told.starts_with("a.ply: face 0: vertex 1 is (inf, 0, 0), not finite; "),
        "{told}"
    );
    let mesh = MeshLoader::new()
        .bad_faces(BadFaces::Skip)
        .read(&infinite, "a.ply")
        .unwrap();
    assert_eq!(
        warnings(&mesh)[0],
        "1 face with a vertex that is not finite was left out (face 0)"
    );
    let mut longer = bytes;
    longer.extend([1, 2, 3]);
    let mesh = read(&longer, "a.ply").unwrap();
    assert_eq!(
        warnings(&mesh),
        ["not read: bytes behind the last element (3 of them)"]
    );
}

/// Memory for a claimed count is only allocated as bytes arrive.
#[test]
fn counts_may_lie() {
    let header = |format: &str, vertices: &str, faces: &str, length: &str| {
        format!(
            "ply\nformat {format} 1.0\nelement vertex {vertices}\nproperty double x\n\
             property double y\nproperty double z\nelement face {faces}\n\
             property list {length} int vertex_indices\nend_header\n"
        )
    };
    let huge = "18446744073709551615";
    for (vertices, faces) in [(huge, "0"), ("0", huge), ("0", "4000000000")] {
        for format in ["ascii", "binary_little_endian", "binary_big_endian"] {
            let told = refusal(header(format, vertices, faces, "uint").as_bytes(), "a.ply");
            assert!(told.contains("it ends "), "{told}");
        }
    }
    let mut list = header("binary_little_endian", "0", "1", "uint").into_bytes();
    list.extend(u32::MAX.to_le_bytes());
    let told = refusal(&list, "a.ply");
    assert!(told.contains("has a list of 4294967295 numbers"), "{told}");
    // Elements without properties have no bytes.
    let text = format!("ply\nformat ascii 1.0\nelement ghost {huge}\nend_header\n");
    let mesh = read(text.as_bytes(), "a.ply").unwrap();
    let told = format!("not read: elements \"ghost\" ({huge} of them)");
    assert_eq!(warnings(&mesh), [told]);
    let mut stl = vec![0; 80];
    stl.extend(u32::MAX.to_le_bytes());
    let told = refusal(&stl, "a.stl");
    assert_eq!(
        told,
        "a.stl: byte 84: it ends within facet 0 of 4294967295; is it a sound STL file?"
    );
    let told = refusal(format!("OFF\n{huge} {huge} 0\n").as_bytes(), "a.off");
    assert!(
        told.starts_with("a.off:2: it ends after 0 of 9223372036854775807 vertices"),
        "{told}"
    );
}

#[test]
fn ply_keeps_normals_texture_coordinates_and_polygons() {
    let text = "ply\nformat ascii 1.0\nelement vertex 4\nproperty double x\nproperty int y\n\
        property float z\nproperty float nx\nproperty float ny\nproperty float nz\n\
        property float s\nproperty float t\nelement face 1\n\
        property list uchar int vertex_index\nend_header\n\
        0 0 0 0 0 2 0 0\n0.1 0 0 0 0 2 1 0\n0.1 1 0 0 0 2 1 1\n0 1 0 0 0 nan 0 1\n4 0 1 2 3\n";
    let mesh = read(text.as_bytes(), "a.ply").unwrap();
    assert_eq!(mesh.indices(), [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(mesh.positions()[1].x, 0.1);
    let prim = |index| PrimId::new(index).unwrap();
    assert_eq!(
        mesh.corner_normals(prim(0)),
        Some([[0.0, 0.0, 2.0].into(); 3])
    );
    assert_eq!(mesh.corner_normals(prim(1)), None);
    let corners = mesh.corner_texcoords(prim(1)).unwrap();
    assert_eq!(
        corners.map(|uv| uv.to_array()),
        [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    );
    assert_eq!(
        (mesh.report().normals, mesh.report().texture_coordinates),
        (4, 4)
    );
    assert_eq!(mesh.report().unreadable_normals.count(), 1);
    assert_eq!(
        (mesh.face_of(prim(1)), mesh.line_of(prim(1))),
        (Some(0), Some(19))
    );
    let bare = MeshLoader::new()
        .attributes(false)
        .read(text.as_bytes(), "a.ply")
        .unwrap();
    assert_eq!((bare.normals().len(), bare.report().normals), (0, 4));
    assert_eq!(bare.indices(), mesh.indices());
}
