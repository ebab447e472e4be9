//! OFF whose numbers go on in the next line, in lower case, or all on one line.

use crate::common::{assert_starts, prim, read, refusal, skip, warnings};
use estoc_mesh::MeshError;

const SQUARE: &str = "OFF\n4 3 5\n0 0 0\n1 0 0\n1 1 0\n0 1 0.5\n3 0 1 2\n3 0 2 3\n4 0 1 2 3\n";

#[test]
fn numbers_are_words() {
    let square = read(SQUARE, "a.off").unwrap();
    assert_eq!(square.triangle_count(), 4);
    for text in [
        SQUARE.replace("OFF", "off"),
        SQUARE.replace("OFF", "cOff"),
        SQUARE.replace('\n', " "),
        SQUARE.replace([' ', '\n'], "\r\n"),
        SQUARE.replace(' ', "\n").replace('\n', " # comment\n \n"),
        SQUARE.replace("4 0 1 2 3", "4 0 1\n2\n3"),
        SQUARE.replace("1 0 0\n", "1\n0 # comment\n0\n"),
        SQUARE.replace("4 3 5\n", "4 3\n"),
        SQUARE.replace("4 3 5\n", "4 3\n5\n"),
        SQUARE.replace("4 3 5\n", "4\n3\n5\n"),
        SQUARE.replace("OFF\n4 3 5\n", "4 3 5 "),
        SQUARE
            .replace("0 0 0\n1", "0 0 0 255 0 0\n1")
            .replace("0 1 2\n", "0 1 2 9 9 9\n"),
    ] {
        let mesh = read(&text, "a.off").unwrap();
        assert_eq!(mesh.positions(), square.positions(), "{text}");
        assert_eq!(mesh.indices(), square.indices(), "{text}");
        assert_eq!(warnings(&mesh).len(), 1, "{:?}", warnings(&mesh));
    }
    // Without a name, lower case needs numbers after it.
    let text = SQUARE.replace("OFF\n", "off ");
    assert_eq!(read(&text, "a").unwrap().triangle_count(), 4);
    assert!(matches!(
        read(b"off the record\n", "a"),
        Err(MeshError::NotObj { .. })
    ));
    // A stream has normals and texture coordinates too.
    let text = "STNOFF 3 1 0 0 0 0 0 0 1 0 0 1 0 0 0 0 1 1 0 0 1 0 0 0 1 0 1 3 0 1 2";
    for text in [
        text.to_owned(),
        text.replace(' ', "\n ").replacen("\n ", " ", 4),
    ] {
        let mesh = read(&text, "a.off").unwrap();
        let prim = prim(0);
        assert_eq!(mesh.corner_normals(prim), Some([[0.0, 0.0, 1.0].into(); 3]));
        let corners = mesh.corner_texcoords(prim).unwrap();
        let found = corners.map(|uv| uv.to_array());
        assert_eq!(found, [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
    }
}

/// A line that lacks numbers takes none of the next one.
#[test]
fn lines_that_are_cut_off_are_told() {
    for (from, to, told, triangles) in [
        ("1 0 0\n", "1 0\n", "4: a vertex has too few numbers; ", 1),
        ("1 0 0\n", "1 z 0\n", "4: \"z\" is not a number; ", 1),
        (
            "3 0 1 2\n",
            "3 0 1\n",
            "7: a face of 3 corners has only 2; ",
            3,
        ),
        ("3 0 1 2\n", "3 0 y\n", "7: \"y\" is not an index; ", 3),
        (
            "4 0 1 2 3\n",
            "4 0 1 2\n",
            "9: a face of 4 corners has only 3; ",
            2,
        ),
    ] {
        let text = SQUARE.replacen(from, to, 1);
        assert_starts(&refusal(&text, "a.off"), &format!("a.off:{told}"));
        let mesh = skip(&text, "a.off").unwrap();
        let counts = (mesh.positions().len(), mesh.triangle_count());
        assert_eq!(counts, (4, triangles), "{text}");
    }
    // On one line, an invalid number does not shift the following ones.
    let one_line = SQUARE.replace('\n', " ");
    for (from, to, told, triangles) in [
        ("1 0 0", "1 z 0", "\"z\" is not a number; ", 1),
        ("3 0 1 2", "3 0 y 2", "\"y\" is not an index; ", 3),
    ] {
        let text = one_line.replacen(from, to, 1);
        assert_starts(&refusal(&text, "a.off"), &format!("a.off:1: {told}"));
        let mesh = skip(&text, "a.off").unwrap();
        assert_eq!(mesh.triangle_count(), triangles, "{text}");
    }
    let text = one_line.replacen("3 0 1 2", "x 0 1 2", 1);
    for (text, problem) in [
        (&*text, "\"x\" is not a number of corners"),
        (
            &one_line[..one_line.len() - 12],
            "the file ends after 2 of 3 faces",
        ),
    ] {
        let told = skip(text, "a.off").unwrap_err().to_string();
        assert_eq!(told, format!("a.off:1: invalid OFF: {problem}"));
    }
}
