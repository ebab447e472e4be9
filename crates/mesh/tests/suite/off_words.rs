//! OFF whose numbers go on in the next line, in lower case, or all on one line.

use super::formats::{read, refusal, warnings};
use estoc_core::PrimId;
use estoc_mesh::{BadFaces, Mesh, MeshError, MeshLoader};

const SQUARE: &str = "OFF\n4 3 5\n0 0 0\n1 0 0\n1 1 0\n0 1 0.5\n3 0 1 2\n3 0 2 3\n4 0 1 2 3\n";

fn skip(text: &str) -> Result<Mesh, MeshError> {
    let loader = MeshLoader::new().bad_faces(BadFaces::Skip);
    loader.read(text.as_bytes(), "a.off")
}

#[test]
fn numbers_are_words() {
    let square = read(SQUARE.as_bytes(), "a.off").unwrap();
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
        let mesh = read(text.as_bytes(), "a.off").unwrap();
        assert_eq!(mesh.positions(), square.positions(), "{text}");
        assert_eq!(mesh.indices(), square.indices(), "{text}");
        assert_eq!(warnings(&mesh).len(), 1, "{:?}", warnings(&mesh));
    }
    // Without a name, lower case needs numbers after it.
    let text = SQUARE.replace("OFF\n", "off ");
    assert_eq!(read(text.as_bytes(), "a").unwrap().triangle_count(), 4);
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
        let mesh = read(text.as_bytes(), "a.off").unwrap();
        let prim = PrimId::new(0).unwrap();
        assert_eq!(mesh.corner_normals(prim), Some([[0.0, 0.0, 1.0].into(); 3]));
        let corners = mesh.corner_texcoords(prim).unwrap();
        assert_eq!(
            corners.map(|uv| uv.to_array()),
            [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
        );
    }
}

/// A line that lacks numbers takes none of the next one.
#[test]
fn lines_that_are_cut_off_are_told() {
    let change = |from: &str, to: &str| SQUARE.replacen(from, to, 1);
    for (text, told, triangles) in [
        (
            change("1 0 0\n", "1 0\n"),
            "4: a vertex has too few numbers; ",
            1,
        ),
        (
            change("1 0 0\n", "1 z 0\n"),
            "4: \"z\" is not a number; ",
            1,
        ),
        (
            change("3 0 1 2\n", "3 0 1\n"),
            "7: a face of 3 corners has only 2; ",
            3,
        ),
        (
            change("3 0 1 2\n", "3 0 y\n"),
            "7: \"y\" is not an index; ",
            3,
        ),
        (
            change("4 0 1 2 3\n", "4 0 1 2\n"),
            "9: a face of 4 corners has only 3; ",
            2,
        ),
    ] {
        let found = refusal(text.as_bytes(), "a.off");
        assert!(found.starts_with(&format!("a.off:{told}")), "{found}");
        let mesh = skip(&text).unwrap();
        assert_eq!(
            (mesh.positions().len(), mesh.triangle_count()),
            (4, triangles),
            "{text}"
        );
    }
    // On one line, an invalid number does not shift the following ones.
    let one_line = SQUARE.replace('\n', " ");
    for (text, told, triangles) in [
        (
            one_line.replacen("1 0 0", "1 z 0", 1),
            "\"z\" is not a number; ",
            1,
        ),
        (
            one_line.replacen("3 0 1 2", "3 0 y 2", 1),
            "\"y\" is not an index; ",
            3,
        ),
    ] {
        let found = refusal(text.as_bytes(), "a.off");
        assert!(found.starts_with(&format!("a.off:1: {told}")), "{found}");
        assert_eq!(skip(&text).unwrap().triangle_count(), triangles, "{text}");
    }
    let text = one_line.replacen("3 0 1 2", "x 0 1 2", 1);
    let told = skip(&text).unwrap_err().to_string();
    assert_eq!(
        told,
        "a.off:1: invalid OFF: \"x\" is not a number of corners"
    );
    let told = skip(&one_line[..one_line.len() - 12])
        .unwrap_err()
        .to_string();
    assert_eq!(
        told,
        "a.off:1: invalid OFF: the file ends after 2 of 3 faces"
    );
}
