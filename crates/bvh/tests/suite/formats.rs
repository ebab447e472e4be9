//! PLY, STL and OFF, and what all formats have in common.

use crate::common::written::Way;
use estoc_bvh::{Bvh, Format, Mesh, MeshError, MeshLoader, Policy};
use estoc_core::{PrimId, Ray, RayQuery};

fn read(bytes: &[u8], name: &str) -> Result<Mesh, MeshError> {
    MeshLoader::new().read(bytes, name)
}

/// What is said of bytes that are refused.
fn refusal(bytes: &[u8], name: &str) -> String {
    match read(bytes, name) {
        Ok(mesh) => panic!("{name} has {} triangles", mesh.triangle_count()),
        Err(error) => error.to_string(),
    }
}

fn warnings(mesh: &Mesh) -> Vec<String> {
    mesh.report()
        .warnings()
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn one_mesh_is_the_same_in_every_format() {
    let ball = "sphere?n=300"
        .parse::<estoc_bvh::demo::DemoSpec>()
        .unwrap()
        .mesh();
    let bvh = Bvh::build(&ball);
    let rays: Vec<Ray> = (0..200)
        .map(|i| {
            let (a, b) = ((i as f32 * 0.7).sin(), (i as f32 * 1.3).cos());
            Ray::new([3.0 * a, 2.0 * b, 4.0], [-2.5 * a, -1.9 * b, -4.0])
        })
        .collect();
    let expected: Vec<_> = rays.iter().map(|ray| bvh.closest_hit(ray)).collect();
    assert!(expected.iter().flatten().count() > 50);
    for way in Way::readable() {
        let bytes = way.write(&ball);
        for name in [way.name(), "no end", "wrong.obj", "wrong.ply"] {
            // Nothing but its name tells OBJ.
            if way == Way::Obj && name == "wrong.ply" {
                continue;
            }
            let mesh = read(&bytes, name).unwrap_or_else(|error| panic!("{way:?}: {error}"));
            let triangles = |mesh: &Mesh| mesh.triangles().collect::<Vec<_>>();
            assert_eq!(triangles(&mesh), triangles(&ball), "{way:?}");
            assert_eq!(mesh.report().faces, ball.triangle_count() as u64);
            if !matches!(way, Way::StlText | Way::StlBinary) {
                assert_eq!(mesh.positions(), ball.positions(), "{way:?}");
                assert_eq!(mesh.indices(), ball.indices(), "{way:?}");
            }
            let bvh = Bvh::build(&mesh);
            let hits: Vec<_> = rays.iter().map(|ray| bvh.closest_hit(ray)).collect();
            assert_eq!(hits, expected, "{way:?}");
        }
        // A stream of unknown length, a few bytes at a time.
        let slow = std::io::Read::chain(&bytes[..7], &bytes[7..]);
        let mesh = MeshLoader::new().read_from(slow, way.name()).unwrap();
        assert_eq!(mesh.triangle_count(), ball.triangle_count(), "{way:?}");
    }
}

#[test]
fn files_are_found_and_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let ball = "sphere?n=40"
        .parse::<estoc_bvh::demo::DemoSpec>()
        .unwrap()
        .mesh();
    for way in Way::readable() {
        let path = folder.path().join(way.name());
        let bytes = way.write(&ball);
        std::fs::write(&path, &bytes).unwrap();
        let told = std::sync::Mutex::new((0, 0));
        let progress = |done, total| *told.lock().unwrap() = (done, total);
        let mesh = MeshLoader::new().progress(&progress).load(&path).unwrap();
        assert_eq!(mesh.triangle_count(), ball.triangle_count());
        let length = bytes.len() as u64;
        assert_eq!(*told.lock().unwrap(), (length, length), "{way:?}");
        assert_eq!(
            Mesh::load(&path).unwrap().triangle_count(),
            ball.triangle_count()
        );
        let cancel = estoc_core::CancelToken::new();
        cancel.cancel();
        let stopped = MeshLoader::new().cancel(&cancel).load(&path);
        assert!(
            matches!(stopped, Err(MeshError::Cancelled { .. })),
            "{way:?}"
        );
    }
    let missing = Mesh::load(folder.path().join("none.ply")).unwrap_err();
    assert!(matches!(missing, MeshError::Io { .. }));
}

/// Bytes cut anywhere are refused, or what is cut off means nothing.
#[test]
fn what_is_cut_short_is_refused() {
    let square = Mesh::new(
        [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 1.5, 0.0],
            [0.0, 1.0, 0.25],
        ],
        [[0, 1, 2], [0, 2, 3]],
    )
    .unwrap();
    for way in Way::readable().filter(|&way| way != Way::Obj) {
        let bytes = way.write(&square);
        let mut loaded = 0;
        for end in 0..bytes.len() {
            for policy in [Policy::Reject, Policy::Skip] {
                let cut = MeshLoader::new()
                    .policy(policy)
                    .read(&bytes[..end], way.name());
                let Err(error) = cut else {
                    loaded += 1;
                    continue;
                };
                let told = error.to_string();
                assert!(told.starts_with(way.name()), "{told}");
                assert!(!told.contains(char::is_control), "{told:?}");
            }
        }
        // The end of the last line, which may be cut, and the last digit, which is another
        // number then; under one policy the last line may be a face to be left out.
        let most = match way {
            Way::PlyText | Way::Off => 12,
            // The name behind the last word.
            Way::StlText => 24,
            _ => 0,
        };
        assert!(loaded <= most, "{way:?}: {loaded} of {}", bytes.len());
    }
}

#[test]
fn lines_may_end_in_every_way() {
    let square = "sphere?n=40"
        .parse::<estoc_bvh::demo::DemoSpec>()
        .unwrap()
        .mesh();
    for way in [Way::PlyText, Way::StlText, Way::Off] {
        let text = String::from_utf8(way.write(&square)).unwrap();
        for end in ["\r\n", "\r", " \n", "\n\n"] {
            // A blank line in the header of PLY means nothing either.
            let text = text.replace('\n', end);
            for text in [&*text, text.trim_end()] {
                let mesh = read(text.as_bytes(), way.name()).unwrap();
                assert_eq!(
                    mesh.triangle_count(),
                    square.triangle_count(),
                    "{way:?} {end:?}"
                );
            }
        }
    }
    // Behind a lone carriage return the first byte of a number may be a line feed.
    let header = "ply\rformat binary_little_endian 1.0\relement vertex 1\r\
        property float x\rproperty float y\rproperty float z\rend_header\r";
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend([0x0a, 0, 0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0]);
    let mesh = read(&bytes, "a.ply").unwrap();
    assert_eq!(mesh.positions()[0].x.to_bits(), 0x3f00_000a);
    assert_eq!(
        warnings(&mesh),
        ["1 vertex and no face: nothing can be hit"]
    );
}

const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
    property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";

#[test]
fn ply_says_where_and_what() {
    let body = |body: &str| format!("{PLY}{body}");
    let is_it = "; is it a sound PLY file?";
    let skip = "; to leave such faces out use Policy::Skip";
    let skip_vertices = "; to leave out the faces that use such vertices use Policy::Skip";
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
    // What may be left out is, and counted from 0.
    let text = body("0 0 0\n1 0 zero\n0 1 0\n3 0 1 2\n\nmore\n");
    let mesh = MeshLoader::new()
        .policy(Policy::Skip)
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
    // Of short faces the index that is wrong is not that of a later one.
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
        .policy(Policy::Skip)
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

/// Counts that no bytes stand behind are believed only as bytes come.
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

#[test]
fn stl_has_solids_and_says_where() {
    let facet = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n\
        endloop\nendfacet\n";
    let text = format!(
        "solid a b\n{facet}{facet}endsolid\nSOLID\n{facet}ENDSOLID\nsolid a b\n{facet}endsolid a b"
    );
    let mesh = read(text.as_bytes(), "a.stl").unwrap();
    assert_eq!((mesh.triangle_count(), mesh.positions().len()), (4, 12));
    let objects = (0..4).map(|prim| mesh.object_of(PrimId::new(prim).unwrap()));
    let expected = [Some("a b"), Some("a b"), None, Some("a b")];
    assert_eq!(objects.collect::<Vec<_>>(), expected);
    assert_eq!(mesh.line_of(PrimId::new(2).unwrap()), Some(18));
    assert_eq!(mesh.report().duplicate.count(), 3);

    let quad = facet.replace("endloop", "vertex -1 0 0\nendloop");
    let mesh = read(format!("solid\n{quad}endsolid").as_bytes(), "a.stl").unwrap();
    assert_eq!(mesh.triangle_count(), 2);

    let solid = |from: &str, to: &str| format!("solid\n{}endsolid\n", facet.replacen(from, to, 1));
    let is_it = "; is it a sound STL file?";
    for (text, told) in [
        (
            solid("0 0 0", "0 0"),
            "a.stl:4: a vertex with fewer than three numbers; ".into(),
        ),
        (
            solid("0 0 0", "0 0 0 0"),
            "a.stl:4: \"0\" behind the three numbers of a vertex; ".into(),
        ),
        (
            solid("0 0 0", "0 x 0"),
            "a.stl:4: \"x\" is no number; ".into(),
        ),
        (
            solid("vertex 1", "vertex inf"),
            "a.stl:2: vertex 1 (line 5) is (inf, 0, 0), not finite; ".into(),
        ),
        (
            solid("outer loop\n", ""),
            format!("a.stl:3: \"vertex\" within a facet{is_it}"),
        ),
        (
            solid("endloop\n", ""),
            format!("a.stl:7: \"endfacet\" within a loop{is_it}"),
        ),
        (
            solid("endloop\n", "endloop\nouter loop\nendloop\n"),
            format!("a.stl:8: \"outer\" behind the loop of a facet{is_it}"),
        ),
        (
            format!("solid\n{}", facet.replace("endfacet\n", "")),
            format!("a.stl:7: it ends behind the loop of a facet{is_it}"),
        ),
        (
            format!("solid\n{facet}"),
            format!("a.stl:8: it ends within a solid{is_it}"),
        ),
        (
            format!("solid\n{facet}endsolid\n{facet}"),
            format!("a.stl:10: \"facet\" outside of any solid{is_it}"),
        ),
        (String::new(), format!("a.stl: it is empty{is_it}")),
    ] {
        let found = refusal(text.as_bytes(), "a.stl");
        assert!(found.starts_with(&*told), "{found}\n{told}");
    }
    let text = solid("endfacet", "color 1 0 0\nendfacet");
    let mesh = read(text.as_bytes(), "a.stl").unwrap();
    assert_eq!(
        warnings(&mesh),
        ["1 unknown statement was ignored (line 8)"]
    );
    let text = solid("vertex 1 0 0\n", "");
    let mesh = read(text.as_bytes(), "a.stl").unwrap();
    assert_eq!(
        warnings(&mesh),
        ["1 face with fewer than three corners was left out (face 0 on line 2)"]
    );
}

#[test]
fn off_has_many_beginnings() {
    let rest = "0 0 0\n1 0 0 # a comment\n\n0 1 0\n3 0 1 2 0.5 0.5 0.5\n";
    for header in [
        "OFF\n3 1 3\n",
        "OFF 3 1\n",
        "off.\nOFF3 1 0\n",
        "# c\n\n  OFF # c\n# d\n3 1 0\n",
        "3 1 0\n",
        "COFF\n3 1 0\n",
    ] {
        let text = format!("{}{rest}", header.replace("off.\n", ""));
        let mesh = read(text.as_bytes(), "a.off").unwrap();
        assert_eq!(mesh.indices(), [[0, 1, 2]], "{header}");
        assert!(warnings(&mesh).is_empty(), "{header}");
    }
    let text = "STCNOFF\n3 1 0\n0 0 0 0 0 1 9 9 9 9 0 0\n1 0 0 0 0 1 9 9 9 9 1 0\n0 1 0 0 0 1 9 9 9 9 0 1\n3 0 1 2\n";
    let mesh = read(text.as_bytes(), "a.off").unwrap();
    let prim = PrimId::new(0).unwrap();
    assert_eq!(mesh.corner_normals(prim), Some([[0.0, 0.0, 1.0].into(); 3]));
    let corners = mesh.corner_texcoords(prim).unwrap();
    assert_eq!(
        corners.map(|uv| uv.to_array()),
        [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    );
    for (text, told) in [
        (
            "",
            "a.off: it ends before its counts; is it a sound OFF file?",
        ),
        (
            "OFF",
            "a.off: it ends before its counts; is it a sound OFF file?",
        ),
        (
            "OFF\nthree\n",
            "a.off:2: \"three\" where counts of vertices and faces belong; is it a sound OFF file?",
        ),
        ("OFF\n-1 1 0\n", "a.off:2: \"-1 1 0\" where counts"),
        (
            "4OFF\n1 0 0\n",
            "a.off:1: OFF with binary data or other than three coordinates; save it",
        ),
        ("OFF BINARY\n", "a.off:1: OFF with binary data"),
        (
            "OFF\n1 0 0\n0 0\n",
            "a.off:3: a vertex with too few numbers; ",
        ),
        ("OFF\n1 0 0\n0 0 z\n", "a.off:3: \"z\" is no number; "),
        (
            "OFF\n1 1 0\n0 0 0\n3 0 0 1\n",
            "a.off:4: vertex index 1 of 1; ",
        ),
        (
            "OFF\n1 1 0\n0 0 0\nx\n",
            "a.off:4: \"x\" is no number of corners; ",
        ),
        (
            "OFF\n1 2 0\n0 0 0\n3 0 0 0\n",
            "a.off:4: it ends after 1 of 2 faces; ",
        ),
    ] {
        let found = refusal(text.as_bytes(), "a.off");
        assert!(found.starts_with(told), "{found}\n{told}");
    }
}

#[test]
fn a_format_can_be_forced() {
    let triangle = Mesh::new([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]]).unwrap();
    let text = Way::Off.write(&triangle);
    let forced = |format| MeshLoader::new().format(format).read(&text, "a.off");
    assert_eq!(forced(Format::Off).unwrap().triangle_count(), 1);
    assert!(matches!(forced(Format::Obj), Err(MeshError::NotObj { .. })));
    for format in [Format::Ply, Format::Stl] {
        let error = forced(format).unwrap_err();
        assert!(
            matches!(error, MeshError::Malformed { format: told, .. } if told == format),
            "{error}"
        );
    }
}
