//! PLY, text and binary.

use crate::common::written::Way;
use crate::common::{assert_contains, assert_starts, prim, read, refusal, skip, warnings};
use estoc_mesh::{Mesh, MeshLoader};

const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
    property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";

/// Returns three vertices followed by `rest`.
fn corners(rest: &str) -> String {
    format!("0 0 0\n1 0 0\n0 1 0\n{rest}")
}

#[test]
fn ply_says_where_and_what() {
    let body = |body: &str| format!("{PLY}{body}");
    let header = |from: &str, to: &str| PLY.replacen(from, to, 1);
    for (text, line, problem) in [
        (String::new(), "", "the file does not begin with \"ply\""),
        ("ply".into(), ":1", "the file ends before \"end_header\""),
        (
            "ply\nend_header\n".into(),
            ":2",
            "the header does not declare a format",
        ),
        (
            header("ascii", "utf8"),
            ":2",
            "cannot parse the header line \"format utf8 1.0\"",
        ),
        (
            header("1.0", "2.0"),
            ":2",
            "cannot parse the header line \"format ascii 2.0\"",
        ),
        (
            header("3", "-3"),
            ":3",
            "cannot parse the header line \"element vertex -3\"",
        ),
        (
            header("float", "half"),
            ":4",
            "cannot parse the header line \"property half x\"",
        ),
        (
            header("float x", "float w"),
            "",
            "its vertices have no properties x, y and z",
        ),
        (header("vertex_indices", "corners"), ":9", ""),
        (header("face", "vertex"), ":9", "the file ends after 0 of 3"),
        (
            body(""),
            ":9",
            "the file ends after 0 of 3 elements \"vertex\"",
        ),
        (
            body(&corners("")),
            ":12",
            "the file ends after 0 of 1 elements \"face\"",
        ),
    ] {
        assert_starts(
            &refusal(text, "a.ply"),
            &format!("a.ply{line}: invalid PLY: {problem}"),
        );
    }
    for (text, line, problem) in [
        ("0 0 0\n1 0\n", 11, "the line has too few numbers"),
        (
            "0 0 0\n1 0 0 1\n",
            11,
            "the line has 1 value more than the header declares",
        ),
        ("0 0 0\n1 0,5 0\n", 11, "\"0,5\" is not a number"),
    ] {
        let advice = "use BadFaces::Skip to skip the faces that use such vertices";
        let told = format!("a.ply:{line}: {problem}; {advice}");
        assert_starts(&refusal(body(text), "a.ply"), &told);
    }
    for (text, problem) in [
        (corners("3 0 1\n"), "a list of 3 indices has only 2"),
        (corners("-3 0 1 2\n"), "\"-3\" is not a list length"),
        (corners("3 0 1 0.5\n"), "\"0.5\" is not an index"),
        (
            corners("3 0 1 3\n"),
            "vertex index 3 is out of range (3 vertices)",
        ),
        (
            corners("3 0 1 -1\n"),
            "vertex index -1 is out of range (3 vertices)",
        ),
        (
            corners("3 0 1 2\n").replace("0 1 0\n", "0 1e39 0\n"),
            "vertex 2 (line 12) is not finite: (0, inf, 0)",
        ),
    ] {
        let told = format!("a.ply:13: {problem}; use BadFaces::Skip to skip such faces");
        assert_starts(&refusal(body(&text), "a.ply"), &told);
    }
    // Invalid faces are skipped, and counted from 0.
    let text = body("0 0 0\n1 0 zero\n0 1 0\n3 0 1 2\n\nmore\n");
    let mesh = skip(&text, "a.ply").unwrap();
    assert_eq!(
        warnings(&mesh),
        [
            "1 face with a vertex that is not finite was skipped (face 0 on line 13)",
            "1 vertex could not be parsed (vertex 1 on line 11)",
            "not read: lines after the last element (1)",
        ]
    );
    // In files with short faces, the wrong index is reported for the right face.
    let text = body(&corners("2 7 8\n3 0 1 9\n")).replace("face 1", "face 2");
    let told = refusal(&text, "a.ply");
    assert_starts(
        &told,
        "a.ply:14: vertex index 9 is out of range (3 vertices); ",
    );
}

#[test]
fn ply_in_bytes_says_where_and_what() {
    let triangle =
        Mesh::try_new([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]]).unwrap();
    let bytes = Way::PlyLittle.write(&triangle);
    let start = bytes.len() - 13 - 36;
    let cut = refusal(&bytes[..start + 20], "a.ply");
    let place = start + 12 + 8;
    assert_eq!(
        cut,
        format!("a.ply: byte {place}: invalid PLY: the file ends within element \"vertex\" 1 of 3")
    );
    let mut far = bytes.clone();
    let last = far.len() - 4;
    far[last..].copy_from_slice(&u32::MAX.to_le_bytes());
    let start_of_far = "a.ply: face 0: vertex index 4294967295 is out of range (3 vertices); ";
    assert_starts(&refusal(&far, "a.ply"), start_of_far);
    let mut infinite = bytes.clone();
    infinite[start + 12..start + 16].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let not_finite = "a.ply: face 0: vertex 1 is not finite: (inf, 0, 0); ";
    assert_starts(&refusal(&infinite, "a.ply"), not_finite);
    let mesh = skip(&infinite, "a.ply").unwrap();
    let told = "1 face with a vertex that is not finite was skipped (face 0)";
    assert_eq!(warnings(&mesh)[0], told);
    let mut longer = bytes;
    longer.extend([1, 2, 3]);
    let mesh = read(&longer, "a.ply").unwrap();
    let found = warnings(&mesh);
    assert_eq!(found, ["not read: bytes after the last element (3)"]);
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
            let told = refusal(header(format, vertices, faces, "uint"), "a.ply");
            assert_contains(&told, "the file ends ");
        }
    }
    let mut list = header("binary_little_endian", "0", "1", "uint").into_bytes();
    list.extend(u32::MAX.to_le_bytes());
    assert_contains(&refusal(&list, "a.ply"), "has a list of length 4294967295");
    // Elements without properties have no bytes.
    let text = format!("ply\nformat ascii 1.0\nelement ghost {huge}\nend_header\n");
    let mesh = read(&text, "a.ply").unwrap();
    let told = format!("not read: elements \"ghost\" ({huge})");
    assert_eq!(warnings(&mesh), [told]);
    let mut stl = vec![0; 80];
    stl.extend(u32::MAX.to_le_bytes());
    let told = "a.stl: byte 84: invalid STL: the file ends within facet 0 of 4294967295";
    assert_eq!(refusal(&stl, "a.stl"), told);
    let told = refusal(format!("OFF\n{huge} {huge} 0\n"), "a.off");
    let ends = "a.off:2: invalid OFF: the file ends after 0 of 9223372036854775807 vertices";
    assert_starts(&told, ends);
}

#[test]
fn ply_keeps_normals_texture_coordinates_and_polygons() {
    let text = "ply\nformat ascii 1.0\nelement vertex 4\nproperty double x\nproperty int y\n\
        property float z\nproperty float nx\nproperty float ny\nproperty float nz\n\
        property float s\nproperty float t\nelement face 1\n\
        property list uchar int vertex_index\nend_header\n\
        0 0 0 0 0 2 0 0\n0.1 0 0 0 0 2 1 0\n0.1 1 0 0 0 2 1 1\n0 1 0 0 0 nan 0 1\n4 0 1 2 3\n";
    let mesh = read(text, "a.ply").unwrap();
    assert_eq!(mesh.indices(), [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(mesh.positions()[1].x, 0.1);
    let found = mesh.corner_normals(prim(0));
    assert_eq!(found, Some([[0.0, 0.0, 2.0].into(); 3]));
    assert_eq!(mesh.corner_normals(prim(1)), None);
    let corners = mesh.corner_texcoords(prim(1)).unwrap();
    let found = corners.map(|uv| uv.to_array());
    assert_eq!(found, [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    let found = (mesh.report().normals, mesh.report().texture_coordinates);
    assert_eq!(found, (4, 4));
    assert_eq!(mesh.report().unreadable_normals.count(), 1);
    let found = (mesh.face_of(prim(1)), mesh.line_of(prim(1)));
    assert_eq!(found, (Some(0), Some(19)));
    let bare = MeshLoader::new()
        .attributes(false)
        .read(text.as_bytes(), "a.ply")
        .unwrap();
    assert_eq!((bare.normals().len(), bare.report().normals), (0, 4));
    assert_eq!(bare.indices(), mesh.indices());
}
