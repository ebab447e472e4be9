//! Error messages and warnings about OBJ text.

use crate::common::obj_text::{refusal, skip};
use crate::common::warnings;
use estoc_mesh::{BadFaces, ObjLoader};

/// Returns three vertices followed by `rest`.
fn corners(rest: &str) -> String {
    format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{rest}")
}

#[test]
fn errors_name_line_value_and_way_out() {
    let faces = "; use BadFaces::Skip to skip such faces";
    let vertices = "; use BadFaces::Skip to skip the faces that use such vertices";
    let is_obj = "; is this an OBJ file?";
    for (text, line, problem) in [
        ("f 1 2 4", 4, "vertex index 4 is out of range (3 vertices)"),
        (
            "f 1 2 3\nf 1 -4 2",
            5,
            "vertex index -4 is out of range (3 vertices)",
        ),
        (
            "f 1 2 4294967296",
            4,
            "vertex index 4294967296 is out of range (3 vertices)",
        ),
        (
            "f 1 2 4294967297",
            4,
            "vertex index 4294967297 is out of range (3 vertices)",
        ),
        (
            "f 1 2 18446744073709551619",
            4,
            "vertex index \"18446744073709551619\" is too large",
        ),
        ("f 1 2 0", 4, "vertex index 0, but OBJ counts from 1"),
        ("f 1 2 1.5", 4, "\"1.5\" is not a corner of a face"),
        ("f 1 2 3/4/5/6", 4, "\"3/4/5/6\" is not a corner of a face"),
    ] {
        let told = format!("test.obj:{line}: {problem}{faces}");
        assert_eq!(refusal(corners(text)), told, "{text}");
    }
    let count = "numbers instead of 3, 4, 6, 7 or 8";
    for (text, line, problem, advice) in [
        ("v 0,5 0 0", 1, "\"0,5\" is not a decimal number", vertices),
        (
            "#\r\nv 0x10 0 0",
            2,
            "\"0x10\" is not a decimal number",
            vertices,
        ),
        ("v 1 2", 1, &*format!("a vertex has 2 {count}"), vertices),
        ("v", 1, &format!("a vertex has 0 {count}"), vertices),
        (
            "v 1 2 3 4 5",
            1,
            &format!("a vertex has 5 {count}"),
            vertices,
        ),
        (
            "v 0 0 0\nv 1e39 0 nan\nf 1 1 1\n\nf 1 2 1",
            5,
            "vertex 2 (line 2) is not finite: (inf, 0, NaN)",
            faces,
        ),
        (
            "v 0 0 1.#INF\nf 1 1 1",
            2,
            "vertex 1 (line 1) is not finite: (0, 0, NaN)",
            faces,
        ),
        (
            "solid cube\nfacet normal",
            1,
            "found \"solid cube\", but no OBJ statement",
            is_obj,
        ),
        (
            "# a text\n\no x\nnodes\n0 root\nend\ntriangles\n",
            4,
            "found \"nodes\", mostly no OBJ statements, and no vertex",
            is_obj,
        ),
    ] {
        assert_eq!(
            refusal(text),
            format!("test.obj:{line}: {problem}{advice}"),
            "{text}"
        );
    }
    // With a vertex, or as many known statements, it is one.
    for text in [
        "v 0 0 0\na\nb\nc\n",
        "g x\nnodes\n",
        "nodes\ng x\n",
        "s 1\n",
    ] {
        let read = ObjLoader::new().read(text.as_bytes(), "test.obj").unwrap();
        assert_eq!(read.triangle_count(), 0, "{text}");
    }
    let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain(*b"v\0 \x000\0").collect();
    let told = "test.obj: the text is UTF-16 and must be saved as UTF-8; is this an OBJ file?";
    assert_eq!(refusal(utf16), told);
}

#[test]
fn programs_with_a_way_out_of_their_own_get_the_message_without_ours() {
    let read = |text: &str| ObjLoader::new().read(text.as_bytes(), "city.obj");
    for (text, can_skip, message) in [
        (
            corners("f 1 2 99182"),
            true,
            "4: vertex index 99182 is out of range (3 vertices)",
        ),
        (
            "v 0 0 nan\nf 1 1 1".into(),
            true,
            "2: vertex 1 (line 1) is not finite: (0, 0, NaN)",
        ),
        (corners("f a"), true, "4: \"a\" is not a corner of a face"),
        ("v a".into(), true, "1: \"a\" is not a decimal number"),
        (
            "ply".into(),
            false,
            "1: found \"ply\", but no OBJ statement; is this an OBJ file?",
        ),
    ] {
        let error = read(&text).unwrap_err();
        assert_eq!(error.without_advice(), format!("city.obj:{message}"));
        assert_eq!(error.can_skip(), can_skip, "{message}");
        let skipping = ObjLoader::new().bad_faces(BadFaces::Skip);
        let skipped = skipping.read(text.as_bytes(), "city.obj");
        assert_eq!(skipped.is_ok(), can_skip, "{message}");
        assert_eq!(
            error.to_string().contains("BadFaces::Skip"),
            can_skip,
            "{error}"
        );
    }
}

/// Errors and warnings give the file's numbers of vertices and faces.
#[test]
fn errors_and_warnings_count_alike() {
    let text = corners("v nan 0 0\nv 1 2 3 4\nf 1 2 3\nf 1 2 4\nf 0\nf 1 2 9\nf 1\nf 1 1 1");
    let told = warnings(&skip(&text));
    assert_eq!(
        told,
        [
            "1 face that could not be parsed was skipped (face 3 on line 8)",
            "1 face with a vertex that does not exist was skipped (face 4 on line 9)",
            "1 face with a vertex that is not finite was skipped (face 2 on line 7)",
            "1 face with fewer than three corners was skipped (face 5 on line 10)",
            "1 triangle has no area and is never hit (triangle 1 on line 11)",
            "1 vertex has a weight other than 1, which is ignored (vertex 5 on line 5)",
        ]
    );
    let error = refusal(corners("v nan 0 0\nf 1 2 4"));
    assert!(error.starts_with("test.obj:5: vertex 4 (line 4) is not finite: (NaN, 0, 0)"));
    let mesh = skip("v nope\n");
    let told = "1 vertex could not be parsed (vertex 1 on line 1)";
    assert_eq!(warnings(&mesh)[0], told);
}
