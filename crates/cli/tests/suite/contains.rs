//! `estoc contains`: formats, refusals, points on the surface.

use crate::common::{Folder, Ran, assert_has};

/// A tetrahedron, and the same without its largest face.
const CLOSED: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
const OPEN: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";

/// Inside, outside, on a corner, on an edge, beside it, and not finite.
const POINTS: &str = "z,x,name,y\n0.2,0.2,a,0.2\n1,1,b,1\n0,0,c,0\n0,0.5,d,0\n0,0.5,e,-1e-9\n\
                      0,nan,f,0\n";

fn files() -> Folder {
    Folder::with(&[
        ("closed.obj", CLOSED),
        ("open.obj", OPEN),
        ("p.csv", POINTS),
    ])
}

/// Returns stdout of a run that succeeded and noted the point that is not finite.
fn noted(ran: Ran) -> String {
    let note = "1 point with a coordinate that is not finite: outside\n";
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stderr.ends_with(note), "{}", ran.stderr);
    ran.stdout
}

#[test]
fn points_are_told_inside_or_outside_in_their_order() {
    let folder = files();
    let csv = "point,inside\n0,1\n1,0\n2,1\n3,1\n4,0\n5,0\n";
    for (args, input) in [
        ("F/closed.obj --points F/p.csv", ""),
        ("F/closed.obj --points - --threads 2", POINTS),
        ("- --points F/p.csv", CLOSED),
    ] {
        let ran = folder.run_reading(&format!("contains {args}"), input.as_bytes());
        assert_eq!(noted(ran), csv, "{args}");
    }
    let json = noted(folder.run("contains F/closed.obj --points F/p.csv --json"));
    let object: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(object["schema"], "estoc.contains/1");
    assert_eq!(object["points"], 6);
    assert_eq!(object["results"].as_array().unwrap().len(), 6);
    assert_eq!(object["results"][3]["point"], 3);
    assert_eq!(object["results"][3]["inside"], true);
    assert_eq!(object["results"][4]["inside"], false);
    folder.put("none.csv", "x,y,z\n");
    let none = "contains F/closed.obj --points F/none.csv";
    assert_eq!(folder.run(none).ok(), "point,inside\n");
    assert_eq!(
        folder.run(&format!("{none} --json")).ok(),
        "{\"schema\":\"estoc.contains/1\",\"results\":[],\"points\":0}\n"
    );
}

#[test]
fn columns_of_the_points_stay_with_their_answers() {
    let folder = files();
    let text = "id,x,y,z,inside,\"a, \"\"b\"\"\"\np7,0.2,0.2,0.2,?,\"1,5\"\n\"q\",1,1,1,,u\n";
    folder.put("named.csv", text);
    let with = |columns: &str| {
        let args = "contains F/closed.obj --points F/named.csv";
        folder.run(&format!("{args} --columns {columns}"))
    };
    assert_eq!(
        with("ID,inside,input:inside,point").ok(),
        "ID,inside,input:inside,point\np7,1,?,0\n\"q\",0,,1\n"
    );
    assert_eq!(
        with("inside,id --json").ok(),
        "{\"schema\":\"estoc.contains/1\",\"results\":[\n{\"inside\":true,\"id\":\"p7\"},\n\
         {\"inside\":false,\"id\":\"q\"}\n],\"points\":2}\n"
    );
    let said = "--columns: there is no column \"t\"; available are point, inside, and from the \
                input id, x, y, z, inside, ";
    with("id,t").fails_with(2, said);
}

#[test]
fn many_points_come_in_several_chunks() {
    let folder = files();
    let count = 40_000;
    let text: String = (0..count)
        .map(|i| format!("{},0.1,0.1\n", i as f32 * 2.0 / count as f32))
        .collect();
    folder.put("many.csv", format!("x,y,z\n{text}"));
    let out = folder.run("contains F/closed.obj --points F/many.csv").ok();
    let inside = out.lines().filter(|line| line.ends_with(",1")).count();
    // Up to x = 0.8, which is outside: 0.1 is a little more than a tenth.
    assert_eq!((out.lines().count(), inside), (count + 1, 16_000));
}

#[test]
fn what_has_no_inside_is_refused_with_what_to_do() {
    let folder = files();
    let told = folder
        .run("contains F/open.obj --points F/p.csv --out F/inside.csv")
        .fails(3);
    assert_has(
        &told,
        "open.obj: the mesh is not closed, so it has no inside: ",
    );
    assert_has(&told, " open edges: the first from ");
    assert!(!folder.has("inside.csv"));
    crate::near::assert_refusals(&folder, "contains", "F/closed.obj");
    folder.put("upper.csv", "X,x,y,z\n1,1,1,1\n");
    let upper = folder
        .run("contains F/closed.obj --points F/upper.csv")
        .ok();
    assert_eq!(upper, "point,inside\n0,0\n");
}

#[test]
fn each_rule_answers_for_its_meshes() {
    let folder = files();
    let with = |mesh: &str, rule: &str| {
        folder.run(&format!(
            "contains F/{mesh}.obj --points F/p.csv --rule {rule}"
        ))
    };
    let csv = "point,inside\n0,1\n1,0\n2,1\n3,1\n4,0\n5,0\n";
    for rule in ["parity", "winding", "estimate"] {
        assert_eq!(noted(with("closed", rule)), csv, "{rule}");
    }
    // Without the largest face, the point next to it is outside.
    assert_eq!(noted(with("open", "estimate")), csv);
    for rule in ["parity", "winding"] {
        let told = with("open", rule).fails(3);
        assert_has(
            &told,
            ", so it has no inside: 3 open edges: the first from ",
        );
        assert_has(&told, "; --rule estimate answers for open meshes");
    }
    // One face the other way round.
    folder.put("turned.obj", CLOSED.replace("f 1 3 2", "f 1 2 3"));
    assert_eq!(noted(with("turned", "parity")), csv);
    let told = with("turned", "winding").fails(3);
    assert_has(&told, "face different sides, such as at the edge from ");
    assert_has(&told, "use --rule parity");
    with("closed", "even").fails_with(2, "[possible values: parity, winding, estimate]");
    // Two overlapping solids.
    folder.put("twice.obj", format!("{CLOSED}{CLOSED}"));
    for (rule, first) in [("parity", "0,0"), ("winding", "0,1")] {
        assert_eq!(
            noted(with("twice", rule)).lines().nth(1),
            Some(first),
            "{rule}"
        );
    }
}
