//! STL, text and binary.

use crate::common::{assert_starts, prim, read, refusal, warnings};

#[test]
fn stl_has_solids_and_says_where() {
    let facet = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n\
        endloop\nendfacet\n";
    let text = format!(
        "solid a b\n{facet}{facet}endsolid\nSOLID\n{facet}ENDSOLID\nsolid a b\n{facet}endsolid a b"
    );
    let mesh = read(&text, "a.stl").unwrap();
    assert_eq!((mesh.triangle_count(), mesh.positions().len()), (4, 12));
    let objects = (0..4).map(prim).map(|prim| mesh.object_of(prim));
    let expected = [Some("a b"), Some("a b"), None, Some("a b")];
    assert_eq!(objects.collect::<Vec<_>>(), expected);
    assert_eq!(mesh.line_of(prim(2)), Some(18));
    assert_eq!(mesh.report().duplicate.count(), 3);

    let quad = facet.replace("endloop", "vertex -1 0 0\nendloop");
    let mesh = read(format!("solid\n{quad}endsolid"), "a.stl").unwrap();
    assert_eq!(mesh.triangle_count(), 2);

    let solid = |from: &str, to: &str| format!("solid\n{}endsolid\n", facet.replacen(from, to, 1));
    for (text, told) in [
        (
            solid("0 0 0", "0 0"),
            ":4: a vertex has fewer than three numbers; ",
        ),
        (
            solid("0 0 0", "0 0 0 0"),
            ":4: unexpected \"0\" after the three numbers of a vertex; ",
        ),
        (solid("0 0 0", "0 x 0"), ":4: \"x\" is not a number; "),
        (
            solid("vertex 1", "vertex inf"),
            ":2: vertex 1 (line 5) is not finite: (inf, 0, 0); ",
        ),
        (
            format!("solid\n{}", facet.replace("endfacet\n", "")),
            ":7: invalid STL: the file ends after the loop of a facet",
        ),
        (
            format!("solid\n{facet}endsolid\n{facet}"),
            ":10: invalid STL: unexpected \"facet\" outside of any solid",
        ),
        (String::new(), ": invalid STL: the file is empty"),
    ] {
        assert_starts(&refusal(text, "a.stl"), &format!("a.stl{told}"));
    }
    for (text, told) in [
        (
            solid("endfacet", "color 1 0 0\nendfacet"),
            "1 unknown statement was ignored (line 8)",
        ),
        (
            solid("vertex 1 0 0\n", ""),
            "1 face with fewer than three corners was skipped (face 0 on line 2)",
        ),
    ] {
        assert_eq!(warnings(&read(text, "a.stl").unwrap()), [told]);
    }
}
