//! `estoc cast`: the first k hits, and crossings of the surface.

use crate::common::{Folder, Ran, assert_has};

/// Three sheets above each other, the lowest of two triangles that share an edge.
const MESH: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n\
                    v 0 0 1\nv 4 0 1\nv 0 4 1\nf 5 6 7\nv 0 0 2\nv 4 0 2\nv 0 4 2\nf 8 9 10\n";

/// Through the shared edge, inside one triangle, and beside all.
const RAYS: &str = "ox,oy,oz,dx,dy,dz\n0.5,0.5,-1,0,0,1\n0.75,0.25,-1,0,0,1\n9,9,-1,0,0,1\n";

fn cast(options: &str) -> Ran {
    let folder = Folder::with(&[("m.obj", MESH), ("r.csv", RAYS)]);
    folder.run(&format!("cast F/m.obj --rays F/r.csv {options}"))
}

#[test]
fn first_hits_are_the_beginning_of_all_hits() {
    let all = cast("--query all").ok();
    let all: Vec<&str> = all.lines().collect();
    assert_eq!(all.len(), 1 + 4 + 3);
    for k in 0..6 {
        let first = cast(&format!("--query first --k {k}")).ok();
        let rays = [&all[1..5], &all[5..8]];
        let rows = rays.map(|rows| &rows[..k.min(rows.len())]).concat();
        let expected = [&all[..1], &rows].concat();
        assert!(first.lines().eq(expected.iter().copied()), "{k}: {first}");
        let brute = cast(&format!("--query first --k {k} --engine brute"));
        assert_eq!(brute.ok(), first);
    }
    let object = cast("--query first --k 2 --json").ok_json();
    assert_eq!(object["query"], "first");
    assert_eq!(object["rays"], 3);
    assert_eq!(object["results"].as_array().unwrap().len(), 4);
}

#[test]
fn crossings_are_counted_and_listed() {
    let hits = cast("--query crossing-hits").ok();
    let rows: Vec<&str> = hits.lines().collect();
    assert_eq!(rows[0], "ray,hit,t,prim,u,v");
    assert_eq!(rows.len(), 1 + 3 + 3, "{hits}");
    let count = cast("--query crossings").ok();
    assert_eq!(count, "ray,count\n0,3\n1,3\n2,0\n");
    assert!(rows.iter().filter(|row| row.starts_with("0,1,1,")).count() == 1);
    let explained = cast("--query crossing-hits --explain");
    assert_eq!(explained.stdout, hits);
    assert_has(&explained.stderr, "chunks of 64 rays");
}

#[test]
fn k_goes_with_first_hits_only() {
    for options in ["--query first", "--k 3", "--query all --k 3"] {
        let said = "--k and --query first require each other, as in --query first --k 3";
        cast(options).fails_with(2, said);
    }
}
