//! STL as text, whatever its lines and blanks.

use super::formats::{read, refusal, warnings};
use estoc_core::PrimId;
use estoc_mesh::{BadFaces, Mesh, MeshError, MeshLoader};

const FACETS: &str = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n\
    endloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1\nvertex 1 0 1\nvertex 0 1 1\n\
    endloop\nendfacet\n";

fn skip(text: &str) -> Result<Mesh, MeshError> {
    let loader = MeshLoader::new().bad_faces(BadFaces::Skip);
    loader.read(text.as_bytes(), "a.stl")
}

fn solid() -> String {
    format!("solid a b\n{FACETS}endsolid a b\n")
}

fn objects(mesh: &Mesh) -> Vec<Option<&str>> {
    let prims = (0..mesh.triangle_count()).filter_map(|prim| PrimId::new(prim as u32));
    prims.map(|prim| mesh.object_of(prim)).collect()
}

#[test]
fn blanks_may_stand_anywhere() {
    let expected = read(solid().as_bytes(), "a.stl").unwrap();
    assert_eq!(expected.triangle_count(), 2);
    for (text, last) in [
        (solid().replace("endsolid", "end solid"), 9),
        (solid().replace("endfacet", "end facet"), 9),
        (solid().replace("endloop", "END  Loop"), 9),
        (
            format!("solid a b\n{}endsolid a b\n", FACETS.replace(' ', "\n")),
            23,
        ),
        (solid().replace(' ', "\t  ").replace('\n', "\r\n \r\n"), 17),
        (solid().replace('\n', " "), 1),
        (format!("\n \n{}", solid().replace("loop\n", "loop ")), 9),
        (
            format!("\u{feff}{}", solid().replace("vertex ", "vertex\n")),
            12,
        ),
    ] {
        let mesh = read(text.as_bytes(), "a.stl").unwrap();
        assert_eq!(mesh.positions(), expected.positions(), "{text}");
        assert_eq!(mesh.line_of(PrimId::new(1).unwrap()), Some(last), "{text}");
        assert!(warnings(&mesh).is_empty(), "{text}");
    }
    let text = solid().replace('\n', " ");
    assert_eq!(
        objects(&read(text.as_bytes(), "a.stl").unwrap()),
        [Some("a b"); 2]
    );
}

#[test]
fn names_are_told_from_keywords() {
    let one_line = solid().replace('\n', " ");
    for (text, names, told) in [
        (one_line.repeat(2), vec![Some("a b"); 4], vec![]),
        (
            one_line.replace("a b", "") + &one_line,
            vec![None, None, Some("a b"), Some("a b")],
            vec![],
        ),
        (
            solid().replace("a b", "my facet normal vertex"),
            vec![Some("my facet normal vertex"); 2],
            vec![],
        ),
        (
            solid().replace("solid a b", "solid solid"),
            vec![Some("solid"); 2],
            vec![],
        ),
        (
            format!("solid a endsolid a solid b end solid b\n{}", solid()),
            vec![Some("a b"); 2],
            vec![],
        ),
        (
            format!("solid a\n{FACETS}{}", solid()),
            vec![Some("a"), Some("a"), Some("a b"), Some("a b")],
            vec!["1 solid has no endsolid (line 1)"],
        ),
        (
            format!("{}solid c\n{FACETS}", solid()),
            vec![Some("a b"), Some("a b"), Some("c"), Some("c")],
            vec!["1 solid has no endsolid (line 17)"],
        ),
    ] {
        let mesh = read(text.as_bytes(), "a.stl").unwrap();
        assert_eq!(objects(&mesh), names, "{text}");
        let mut found = warnings(&mesh);
        found.retain(|told| !told.contains("repeat"));
        assert_eq!(found, told, "{text}");
    }
}

/// Errors name the word that was not understood; where it stands in a facet, that can be skipped.
#[test]
fn errors_name_the_word_and_its_line() {
    let change = |from: &str, to: &str| solid().replacen(from, to, 1);
    let skipped = "1 face that could not be parsed was skipped (face 0 on line ";
    for (text, told, line) in [
        (
            change("endloop", "endlop"),
            "8: unexpected \"endfacet\" within a loop, after \"endlop\" on line 7, which is not \
             understood; ",
            "8)",
        ),
        (
            change("outer loop\n", ""),
            "3: unexpected \"vertex\" within a facet; ",
            "3)",
        ),
        (
            change("outer loop\n", "oter loop\n"),
            "4: unexpected \"vertex\" within a facet, after \"oter\" on line 3, which is not \
             understood; ",
            "4)",
        ),
        (
            change("endloop\n", ""),
            "7: unexpected \"endfacet\" within a loop; ",
            "7)",
        ),
        (
            change("endloop\nendfacet\n", ""),
            "7: unexpected \"facet\" within a loop; ",
            "7)",
        ),
        (
            change("endloop\n", "endloop\nouter loop\nendloop\n"),
            "8: unexpected \"outer\" after the loop of a facet; ",
            "8)",
        ),
        (
            change("facet normal 0 0 1\n", ""),
            "2: unexpected \"outer\" within a solid; ",
            "2)",
        ),
    ] {
        let told = format!("a.stl:{told}use BadFaces::Skip to skip such faces");
        assert_eq!(refusal(text.as_bytes(), "a.stl"), told, "{text}");
        let mesh = skip(&text).unwrap();
        assert_eq!(mesh.positions()[mesh.indices()[0][0] as usize].z, 1.0);
        assert_eq!(mesh.triangle_count(), 1, "{text}");
        assert_eq!(mesh.report().faces, 2, "{text}");
        assert!(
            warnings(&mesh).contains(&format!("{skipped}{line}")),
            "{text}"
        );
    }
    for (text, told) in [
        (
            change("0 0 0\n", "0\n0\n\n"),
            "4: a vertex has fewer than three numbers; ",
        ),
        (change("0 0 0\n", "0\n0\nx\n"), "6: \"x\" is not a number; "),
        (
            change("0 0 0\n", "0\n0\n0 0\n"),
            "6: unexpected \"0\" after the three numbers of a vertex; ",
        ),
    ] {
        let found = refusal(text.as_bytes(), "a.stl");
        assert!(found.starts_with(&format!("a.stl:{told}")), "{found}");
        let mesh = skip(&text).unwrap();
        assert_eq!(
            (mesh.triangle_count(), mesh.report().faces),
            (1, 2),
            "{text}"
        );
        assert_eq!(mesh.report().unreadable_vertices.count(), 1, "{text}");
    }
    // A facet that lacks a corner for a word that is not understood.
    let text = solid().replacen("vertex", "vertx", 1);
    let found = refusal(text.as_bytes(), "a.stl");
    assert!(
        found.starts_with("a.stl:4: \"vertx\" is not understood; "),
        "{found}"
    );
    assert_eq!(skip(&text).unwrap().triangle_count(), 1);
    // What is understood otherwise is told.
    let text = change("endloop\n", "end\nendloop extra\ncolor 1 vertex 3\n");
    let mesh = read(text.as_bytes(), "a.stl").unwrap();
    assert_eq!(mesh.triangle_count(), 2);
    assert_eq!(
        warnings(&mesh),
        ["3 unknown statements were ignored (line 7, line 8, line 9)"]
    );
    // A file that is cut off is refused in any case.
    for cut in ["facet", "outer", "1 0 0\nvertex 0", "endfacet"] {
        let text = &solid()[..solid().find(cut).unwrap()];
        assert!(
            matches!(skip(text), Err(MeshError::Malformed { .. })),
            "{cut}"
        );
    }
}

#[test]
fn long_lines_take_no_square_of_time() {
    // Many words that are not understood, on a line that begins with many blanks.
    let blanks = " ".repeat(1 << 22);
    let words = "loop x ".repeat(1 << 18);
    let text = solid().replacen("outer loop\n", &format!("{blanks}outer {words}\n"), 1);
    let mesh = read(text.as_bytes(), "a.stl").unwrap();
    assert_eq!(mesh.triangle_count(), 2);
    assert_eq!(mesh.report().unknown_statements.count(), 1 << 18);
}
