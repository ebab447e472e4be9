//! STL as text, whatever its lines and blanks.

use crate::common::{assert_starts, prim, read, refusal, skip, warnings};
use estoc_mesh::{Mesh, MeshError};

const FACETS: &str = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n\
    endloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1\nvertex 1 0 1\nvertex 0 1 1\n\
    endloop\nendfacet\n";

fn solid() -> String {
    format!("solid a b\n{FACETS}endsolid a b\n")
}

fn objects(mesh: &Mesh) -> Vec<Option<&str>> {
    let prims = (0..mesh.triangle_count() as u32).map(prim);
    prims.map(|prim| mesh.object_of(prim)).collect()
}

#[test]
fn blanks_may_stand_anywhere() {
    let expected = read(solid(), "a.stl").unwrap();
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
        let mesh = read(&text, "a.stl").unwrap();
        assert_eq!(mesh.positions(), expected.positions(), "{text}");
        assert_eq!(mesh.line_of(prim(1)), Some(last), "{text}");
        assert!(warnings(&mesh).is_empty(), "{text}");
    }
    let mesh = read(solid().replace('\n', " "), "a.stl").unwrap();
    assert_eq!(objects(&mesh), [Some("a b"); 2]);
}

#[test]
fn names_are_told_from_keywords() {
    let one_line = solid().replace('\n', " ");
    let a_b = Some("a b");
    for (text, names, told) in [
        (one_line.repeat(2), vec![a_b; 4], None),
        (
            one_line.replace("a b", "") + &one_line,
            vec![None, None, a_b, a_b],
            None,
        ),
        (
            solid().replace("a b", "my facet normal vertex"),
            vec![Some("my facet normal vertex"); 2],
            None,
        ),
        (
            solid().replace("solid a b", "solid solid"),
            vec![Some("solid"); 2],
            None,
        ),
        (
            format!("solid a endsolid a solid b end solid b\n{}", solid()),
            vec![a_b; 2],
            None,
        ),
        (
            format!("solid a\n{FACETS}{}", solid()),
            vec![Some("a"), Some("a"), a_b, a_b],
            Some(1),
        ),
        (
            format!("{}solid c\n{FACETS}", solid()),
            vec![a_b, a_b, Some("c"), Some("c")],
            Some(17),
        ),
    ] {
        let mesh = read(&text, "a.stl").unwrap();
        assert_eq!(objects(&mesh), names, "{text}");
        let mut found = warnings(&mesh);
        found.retain(|told| !told.contains("repeat"));
        let told = told.map(|line| format!("1 solid has no endsolid (line {line})"));
        assert_eq!(found, Vec::from_iter(told), "{text}");
    }
}

/// Errors name the word that was not understood; where it stands in a facet, that can be skipped.
#[test]
fn errors_name_the_word_and_its_line() {
    let change = |from: &str, to: &str| solid().replacen(from, to, 1);
    let skipped = "1 face that could not be parsed was skipped (face 0 on line ";
    let after =
        |word: &str, line: u64| format!("within a {word} on line {line}, which is not understood");
    for (text, line, word, place) in [
        (
            change("endloop", "endlop"),
            8,
            "endfacet",
            after("loop, after \"endlop\"", 7),
        ),
        (
            change("outer loop\n", ""),
            3,
            "vertex",
            "within a facet".into(),
        ),
        (
            change("outer loop", "oter loop"),
            4,
            "vertex",
            after("facet, after \"oter\"", 3),
        ),
        (
            change("endloop\n", ""),
            7,
            "endfacet",
            "within a loop".into(),
        ),
        (
            change("endloop\nendfacet\n", ""),
            7,
            "facet",
            "within a loop".into(),
        ),
        (
            change("endloop\n", "endloop\nouter loop\nendloop\n"),
            8,
            "outer",
            "after the loop of a facet".into(),
        ),
        (
            change("facet normal 0 0 1\n", ""),
            2,
            "outer",
            "within a solid".into(),
        ),
    ] {
        let told = format!("{line}: unexpected \"{word}\" {place}; ");
        let told = format!("a.stl:{told}use BadFaces::Skip to skip such faces");
        assert_eq!(refusal(&text, "a.stl"), told, "{text}");
        let mesh = skip(&text, "a.stl").unwrap();
        assert_eq!(mesh.positions()[mesh.indices()[0][0] as usize].z, 1.0);
        assert_eq!(mesh.triangle_count(), 1, "{text}");
        assert_eq!(mesh.report().faces, 2, "{text}");
        assert!(
            warnings(&mesh).contains(&format!("{skipped}{line})")),
            "{text}"
        );
    }
    for (to, told) in [
        ("0\n0\n\n", "4: a vertex has fewer than three numbers; "),
        ("0\n0\nx\n", "6: \"x\" is not a number; "),
        (
            "0\n0\n0 0\n",
            "6: unexpected \"0\" after the three numbers of a vertex; ",
        ),
    ] {
        let text = change("0 0 0\n", to);
        assert_starts(&refusal(&text, "a.stl"), &format!("a.stl:{told}"));
        let mesh = skip(&text, "a.stl").unwrap();
        assert_eq!(
            (mesh.triangle_count(), mesh.report().faces),
            (1, 2),
            "{text}"
        );
        assert_eq!(mesh.report().unreadable_vertices.count(), 1, "{text}");
    }
    // A facet that lacks a corner for a word that is not understood.
    let text = solid().replacen("vertex", "vertx", 1);
    assert_starts(
        &refusal(&text, "a.stl"),
        "a.stl:4: \"vertx\" is not understood; ",
    );
    assert_eq!(skip(&text, "a.stl").unwrap().triangle_count(), 1);
    // What is understood otherwise is told.
    let text = change("endloop\n", "end\nendloop extra\ncolor 1 vertex 3\n");
    let mesh = read(&text, "a.stl").unwrap();
    assert_eq!(mesh.triangle_count(), 2);
    assert_eq!(
        warnings(&mesh),
        ["3 unknown statements were ignored (line 7, line 8, line 9)"]
    );
    // A file that is cut off is refused in any case.
    for cut in ["facet", "outer", "1 0 0\nvertex 0", "endfacet"] {
        let text = &solid()[..solid().find(cut).unwrap()];
        let error = skip(text, "a.stl").unwrap_err();
        assert!(matches!(error, MeshError::Malformed { .. }), "{cut}");
    }
}

#[test]
fn long_lines_take_no_square_of_time() {
    // Many words that are not understood, on a line that begins with many blanks.
    let blanks = " ".repeat(1 << 22);
    let words = "loop x ".repeat(1 << 18);
    let text = solid().replacen("outer loop\n", &format!("{blanks}outer {words}\n"), 1);
    let mesh = read(&text, "a.stl").unwrap();
    assert_eq!(mesh.triangle_count(), 2);
    assert_eq!(mesh.report().unknown_statements.count(), 1 << 18);
}
