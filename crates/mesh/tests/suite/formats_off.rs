//! OFF.

use super::formats::{read, refusal, warnings};
use estoc_core::PrimId;

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
        ("", "a.off: invalid OFF: the file ends before the counts"),
        ("OFF", "a.off: invalid OFF: the file ends before the counts"),
        (
            "OFF\nthree\n",
            "a.off:2: invalid OFF: expected the numbers of vertices and faces, found \"three\"",
        ),
        (
            "OFF\n-1 1 0\n",
            "a.off:2: invalid OFF: expected the numbers of vertices and faces, found \"-1 1 0\"",
        ),
        (
            "4OFF\n1 0 0\n",
            "a.off:1: unsupported OFF: vertices without exactly three coordinates; save them",
        ),
        (
            "OFF BINARY\n",
            "a.off:1: unsupported OFF: binary data; save it as text",
        ),
        (
            "OFF\n1 0 0\n0 0\n",
            "a.off:3: a vertex has too few numbers; ",
        ),
        ("OFF\n1 0 0\n0 0 z\n", "a.off:3: \"z\" is not a number; "),
        (
            "OFF\n1 1 0\n0 0 0\n3 0 0 1\n",
            "a.off:4: vertex index 1 is out of range (1 vertex); ",
        ),
        (
            "OFF\n1 1 0\n0 0 0\nx\n",
            "a.off:4: \"x\" is not a number of corners; ",
        ),
        (
            "OFF\n1 2 0\n0 0 0\n3 0 0 0\n",
            "a.off:4: invalid OFF: the file ends after 1 of 2 faces",
        ),
    ] {
        let found = refusal(text.as_bytes(), "a.off");
        assert!(found.starts_with(told), "{found}\n{told}");
    }
}
