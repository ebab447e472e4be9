//! OFF.

use crate::common::{assert_starts, prim, read, refusal, warnings};

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
        let mesh = read(&text, "a.off").unwrap();
        assert_eq!(mesh.indices(), [[0, 1, 2]], "{header}");
        assert!(warnings(&mesh).is_empty(), "{header}");
    }
    let text = "STCNOFF\n3 1 0\n0 0 0 0 0 1 9 9 9 9 0 0\n1 0 0 0 0 1 9 9 9 9 1 0\n0 1 0 0 0 1 9 9 9 9 0 1\n3 0 1 2\n";
    let mesh = read(text, "a.off").unwrap();
    let prim = prim(0);
    assert_eq!(mesh.corner_normals(prim), Some([[0.0, 0.0, 1.0].into(); 3]));
    let corners = mesh.corner_texcoords(prim).unwrap();
    let found = corners.map(|uv| uv.to_array());
    assert_eq!(found, [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
    let counts = "invalid OFF: expected the numbers of vertices and faces, found ";
    for (text, told) in [
        ("", ": invalid OFF: the file ends before the counts"),
        ("OFF", ": invalid OFF: the file ends before the counts"),
        ("OFF\nthree\n", &*format!(":2: {counts}\"three\"")),
        ("OFF\n-1 1 0\n", &format!(":2: {counts}\"-1 1 0\"")),
        (
            "4OFF\n1 0 0\n",
            ":1: unsupported OFF: vertices without exactly three coordinates; save them",
        ),
        (
            "OFF BINARY\n",
            ":1: unsupported OFF: binary data; save it as text",
        ),
        ("OFF\n1 0 0\n0 0\n", ":3: a vertex has too few numbers; "),
        ("OFF\n1 0 0\n0 0 z\n", ":3: \"z\" is not a number; "),
        (
            "OFF\n1 1 0\n0 0 0\n3 0 0 1\n",
            ":4: vertex index 1 is out of range (1 vertex); ",
        ),
        (
            "OFF\n1 1 0\n0 0 0\nx\n",
            ":4: \"x\" is not a number of corners; ",
        ),
        (
            "OFF\n1 2 0\n0 0 0\n3 0 0 0\n",
            ":4: invalid OFF: the file ends after 1 of 2 faces",
        ),
    ] {
        assert_starts(&refusal(text, "a.off"), &format!("a.off{told}"));
    }
}
