//! Masks of rays, which choose what each ray sees of a scene and of a tree file.

use crate::common::Folder;
use estoc::io::TreeWriter;
use estoc::query::Masks;
use estoc::{Bvh, Mesh};

/// Three overlapping spheres, those with a bit of `seen`, with their masks unless there are none.
fn scene(seen: u32, has_masks: bool) -> String {
    let mut text = "object = [{ name = 'ball', mesh = 'demo:sphere?n=200' }]\n".to_owned();
    for (place, mask) in [(0.0, 1), (0.5, 2), (1.0, 5)] {
        if mask & seen == 0 {
            continue;
        }
        let mask = match has_masks {
            true => format!("mask = {mask}\n"),
            false => String::new(),
        };
        let matrix = format!("[1, 0, 0, {place}, 0, 1, 0, 0, 0, 0, 1, {place}]");
        text += &format!("[[placement]]\nobject = 'ball'\nmatrix = {matrix}\n{mask}");
    }
    text
}

/// Rays through the spheres; `mask` gives the mask of each.
fn rays(mask: impl Fn(i64) -> Option<String>) -> String {
    let line = |i: i64| {
        let (x, y) = ((i % 40) as f64 * 0.1 - 1.5, (i / 40) as f64 * 0.17 - 1.4);
        let cell = mask(i).map(|cell| format!("{cell},"));
        format!("{}{x},{y},4,0.1,0.05,-1\n", cell.unwrap_or_default())
    };
    let first = if mask(0).is_some() { "mask," } else { "" };
    let lines: String = (0..640).map(line).collect();
    format!("{first}ox,oy,oz,dx,dy,dz\n{lines}")
}

/// The masks that rays take in turn, as cells; the empty one is all bits.
const MASKS: [(&str, u32); 6] = [
    ("1", 1),
    ("2", 2),
    ("4", 4),
    ("-1", u32::MAX),
    ("", u32::MAX),
    ("8", 8),
];

fn mask_of(ray: i64) -> (&'static str, u32) {
    MASKS[ray as usize % MASKS.len()]
}

/// Returns the rows of some rays.
fn rows_of(text: &str, of: impl Fn(i64) -> bool) -> Vec<&str> {
    let ray = |line: &&str| line.split(',').next().unwrap().parse().unwrap();
    text.lines().skip(1).filter(|line| of(ray(line))).collect()
}

const QUERIES: [&str; 6] = ["closest", "any", "all", "first --k 2", "count", "crossings"];

/// Casts the rays of a file.
fn cast(folder: &Folder, mesh: &str, rays: &str, query: &str, more: &str) -> String {
    let columns = match query {
        "any" | "count" | "crossings" => "",
        _ => "--columns ray,t,prim,u,v",
    };
    let line = format!("cast F/{mesh} --rays F/{rays} --query {query} {more} {columns}");
    folder.run(&line).ok()
}

#[test]
fn each_ray_sees_what_its_mask_shows_of_a_scene() {
    let folder = Folder::new();
    folder.put("masked.toml", scene(u32::MAX, true));
    folder.put("rays.csv", rays(|_| None));
    folder.put("masked.csv", rays(|i| Some(mask_of(i).0.to_owned())));
    for query in QUERIES {
        let with_masks = cast(&folder, "masked.toml", "masked.csv", query, "");
        let more = "--threads 1 --memory 64M";
        assert!(with_masks == cast(&folder, "masked.toml", "masked.csv", query, more));
        let mut hits = 0;
        for (cell, mask) in MASKS {
            // What the mask hides is absent.
            folder.put("seen.toml", scene(mask, false));
            let expected = match mask {
                8 => String::new(),
                _ => cast(&folder, "seen.toml", "rays.csv", query, ""),
            };
            let of = |ray: i64| mask_of(ray) == (cell, mask);
            let rows = rows_of(&with_masks, of);
            if mask != 8 {
                assert_eq!(rows, rows_of(&expected, of), "{query:?} {cell}");
            }
            hits += rows.len();
            // One mask for all rays takes another way.
            folder.put("one.csv", rays(|_| Some(cell.to_owned())));
            let one = cast(&folder, "masked.toml", "one.csv", query, "");
            assert_eq!(rows_of(&one, of), rows, "{query:?} {cell}");
        }
        assert!(hits > 300, "{query:?}: {hits}");
    }
}

#[test]
fn each_ray_sees_what_its_mask_shows_of_a_tree_file() {
    let folder = Folder::new();
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 -1\nv 1 0 -1\nv 0 1 -1\nf 1 2 3\nf 4 5 6\n";
    folder.put("two.obj", text);
    let mesh = Mesh::load(folder.path("two.obj")).unwrap();
    let tree = Bvh::build(&mesh).with_masks(Masks::from_runs([(1, 1), (1, 2)]));
    let path = folder.path("two.estoc");
    TreeWriter::new(&tree).mesh(&mesh).save(&path).unwrap();
    let line = |mask: &str| format!("0.25,0.25,1,0,0,-1,{mask}\n");
    let lines: String = ["1", "2", "3", "4", ""].map(line).concat();
    folder.put("rays.csv", format!("ox,oy,oz,dx,dy,dz,mask\n{lines}"));
    let cast = |rest: &str| folder.run(&format!("cast {rest} --rays F/rays.csv"));
    let expected = cast("F/two.estoc").ok();
    assert_eq!(
        expected,
        "ray,hit,t,prim,u,v\n0,1,1,0,0.25,0.25\n1,1,2,1,0.25,0.25\n2,1,1,0,0.25,0.25\n\
         3,0,inf,-1,,\n4,1,1,0,0.25,0.25\n"
    );
    // Brute force, and a tree that is built again, see the same.
    assert_eq!(cast("F/two.estoc --engine brute").ok(), expected);
    let again = folder.path("again.estoc");
    folder
        .run("build --quiet F/two.estoc --out F/again.estoc")
        .ok();
    assert_eq!(cast("F/again.estoc").ok(), expected);
    // So it does where a triangle is hidden from all rays.
    let hidden = tree.clone().with_masks(Masks::from_runs([(1, 0)]));
    TreeWriter::new(&hidden).mesh(&mesh).save(&again).unwrap();
    folder.run("verify F/again.estoc").ok();
    let told = folder.run("info F/again.estoc --json").ok_json();
    let hash = hidden.hash_with_masks(mesh.content_hash());
    assert_eq!(told["file"]["hash_with_masks"], format!("{hash:016x}"));
    // A job is about the masks, too.
    let job = |more: &str| cast(&format!("F/two.estoc --out-dir F/job {more}"));
    job("").ok();
    job("--resume").ok();
    let tree = tree.with_masks(Masks::from_runs([(1, 2), (1, 1)]));
    TreeWriter::new(&tree).mesh(&mesh).save(&path).unwrap();
    job("--resume").fails_with(2, "the hash of the mesh and its masks is");
}
