//! STL, text and binary.

use super::formats::{read, refusal, warnings};
use estoc_core::PrimId;

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
    let invalid = "invalid STL: ";
    for (text, told) in [
        (
            solid("0 0 0", "0 0"),
            "a.stl:4: a vertex has fewer than three numbers; ".into(),
        ),
        (
            solid("0 0 0", "0 0 0 0"),
            "a.stl:4: unexpected \"0\" after the three numbers of a vertex; ".into(),
        ),
        (
            solid("0 0 0", "0 x 0"),
            "a.stl:4: \"x\" is not a number; ".into(),
        ),
        (
            solid("vertex 1", "vertex inf"),
            "a.stl:2: vertex 1 (line 5) is not finite: (inf, 0, 0); ".into(),
        ),
        (
            format!("solid\n{}", facet.replace("endfacet\n", "")),
            format!("a.stl:7: {invalid}the file ends after the loop of a facet"),
        ),
        (
            format!("solid\n{facet}endsolid\n{facet}"),
            format!("a.stl:10: {invalid}unexpected \"facet\" outside of any solid"),
        ),
        (String::new(), format!("a.stl: {invalid}the file is empty")),
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
        ["1 face with fewer than three corners was skipped (face 0 on line 2)"]
    );
}
