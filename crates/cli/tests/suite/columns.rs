//! `estoc cast --columns`, and the header lines of ray files.

use crate::common::{Folder, Ran, assert_has, estoc, estoc_reading, run_reading};
use serde_json::json;

const MESH: &str = "o wall, left\ng stones\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
/// A hit and a miss, each with an id and a note.
const RAYS: &str = "id,OX,Oy,oz,dx,dy,DZ,\"a \"\"note\"\"\",t\n\
                    007,0.25,0.25,1,0,0,-1,\"x, y\",mine\n\
                    b,9,9,1,0,0,-1,,theirs\n";

fn mesh() -> Folder {
    Folder::with(&[("m.obj", MESH)])
}

fn cast(folder: &Folder, options: &str) -> Ran {
    let line = format!("cast F/m.obj --rays - {options}");
    folder.run_reading(&line, RAYS.as_bytes())
}

#[test]
fn columns_come_in_the_order_asked_for() {
    let folder = mesh();
    let columns = "id,t,prim,point,normal,object,group,material,a \"note\",input:t,ray";
    let args = [
        "cast",
        &folder.path("m.obj"),
        "--rays",
        "-",
        "--columns",
        columns,
    ];
    let rows = estoc_reading(args, RAYS.as_bytes()).ok();
    assert_eq!(
        rows,
        "id,t,prim,point_x,point_y,point_z,normal_x,normal_y,normal_z,object,group,material,\
         \"a \"\"note\"\"\",input:t,ray\n\
         007,1,0,0.25,0.25,0,0,0,1,\"wall, left\",stones,red,\"x, y\",mine,0\n\
         b,inf,-1,,,,,,,,,,,theirs,1\n"
    );
    let brute = args.iter().chain(&["--engine", "brute"]);
    assert_eq!(estoc_reading(brute, RAYS.as_bytes()).stdout, rows);
}

#[test]
fn chosen_columns_are_in_every_object() {
    let ran = cast(&mesh(), "--json --columns id,t,prim,point,object");
    let object = ran.json();
    assert_eq!(
        object["results"],
        json!([
            {"id": "007", "t": 1.0, "prim": 0, "point": [0.25, 0.25, 0.0], "object": "wall, left"},
            {"id": "b", "t": null, "prim": null, "point": null, "object": null},
        ])
    );
}

#[test]
fn each_query_has_columns() {
    let folder = mesh();
    for (options, expected) in [
        ("any --columns ID,hit", "ID,hit\n007,1\nb,0\n"),
        (
            "count --columns count,id,ray",
            "count,id,ray\n1,007,0\n0,b,1\n",
        ),
        ("all --columns id,prim,hit", "id,prim,hit\n007,0,1\n"),
    ] {
        let ran = cast(&folder, &format!("--query {options}"));
        assert_eq!(ran.stdout, expected, "{options}");
    }
    let told = cast(&folder, "--query any --columns t").fails(2);
    assert_eq!(
        told,
        "estoc: --columns: --query any has no column \"t\"; available are ray, hit, and from the \
         input id, OX, Oy, oz, dx, dy, DZ, a \"note\", t\n"
    );
    let ran = folder.run("cast F/m.obj --ray 0,0,1,0,0,-1 --columns ray,id");
    ran.fails_with(2, "no column \"id\"; available are ray, hit, t,");
}

#[test]
fn a_tree_file_has_the_same_columns() {
    let folder = mesh();
    folder.run("build F/m.obj --quiet --out F/m.estoc").ok();
    let [tree, mesh] = ["m.estoc", "m.obj"].map(|name| {
        let rest = "--rays - --columns id,point,object,group,material --quiet";
        let ran = folder.run_reading(&format!("cast F/{name} {rest}"), RAYS.as_bytes());
        ran.ok()
    });
    assert_eq!(tree, mesh);
}

#[test]
fn a_first_line_that_names_no_columns_says_what_it_has() {
    let fails = |text: &str| run_reading("cast demo:soup?n=5 --rays -", text.as_bytes()).fails(3);
    for (text, found) in [
        ("ox;oy;oz;dx;dy;dz\n", "semicolons"),
        ("ox\toy\toz\tdx\tdy\tdz\n", "tabs"),
    ] {
        assert_eq!(
            fails(text),
            format!("estoc: <stdin>:1: the cells are separated by {found}; use commas\n")
        );
    }
    assert_eq!(
        fails("0,0,1,0,0,-1\n"),
        "estoc: <stdin>:1: the first line holds numbers; put a line above it that names the \
         columns ox,oy,oz,dx,dy,dz\n"
    );
}

/// Returns `text` as gzip, stored without compression.
fn gzip(text: &str) -> Vec<u8> {
    let crc = text.bytes().fold(!0u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & 0u32.wrapping_sub(crc & 1))
        })
    });
    let length = u16::try_from(text.len()).unwrap();
    let mut bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1];
    bytes.extend(length.to_le_bytes());
    bytes.extend((!length).to_le_bytes());
    bytes.extend(text.bytes());
    bytes.extend((!crc).to_le_bytes());
    bytes.extend(u32::from(length).to_le_bytes());
    bytes
}

/// Returns `text` as zstd: a frame with one uncompressed block.
fn zstd(text: &str) -> Vec<u8> {
    let length = u32::try_from(text.len()).unwrap();
    let mut bytes = vec![0x28, 0xb5, 0x2f, 0xfd, 0xa0];
    bytes.extend(length.to_le_bytes());
    bytes.extend(&(length << 3 | 1).to_le_bytes()[..3]);
    bytes.extend(text.bytes());
    bytes
}

#[test]
fn ray_and_point_files_may_be_packed() {
    let folder = mesh();
    let plain = cast(&folder, "");
    assert_eq!(plain.status, 0);
    for (name, bytes) in [("r.csv.gz", gzip(RAYS)), ("r.zst", zstd(RAYS))] {
        folder.put(name, &bytes);
        let file = || folder.run(&format!("cast F/m.obj --rays F/{name}"));
        let ran = file();
        assert_eq!((ran.status, &ran.stdout), (0, &plain.stdout), "{name}");
        let ran = folder.run_reading("cast F/m.obj --rays -", &bytes);
        assert_eq!(ran.stdout, plain.stdout, "{name} on stdin");
        // Truncated.
        folder.put(name, &bytes[..bytes.len() - 20]);
        let told = file();
        assert_eq!(told.status, 3, "{name}");
        assert_has(&told.stderr, "it is truncated");
    }
    folder.put("p.csv.gz", gzip("X,Y,Z\n0,0,0\n"));
    let inside = folder
        .run("contains demo:sphere?n=200 --points F/p.csv.gz")
        .ok();
    assert_eq!(inside, "point,inside\n0,1\n");
}

#[test]
fn a_ray_argument_takes_spaces_and_must_be_a_ray() {
    let folder = mesh();
    let path = folder.path("m.obj");
    let cast = |ray: &str| estoc(["cast", &path, "--quiet", "--ray", ray]);
    let row = cast("0.25,0.25,1,0,0,-1").ok();
    assert_eq!(cast("0.25 0.25 1 0 0 -1").ok(), row);
    assert_eq!(cast("0.25, 0.25, 1, 0, 0, -1").ok(), row);
    assert_eq!(cast("0.25,0.25,1 0,0,-1").ok(), row);
    for (ray, told) in [
        (
            "nan,0,1,0,0,-1",
            "the ray's origin (NaN, 0, 1) must be finite",
        ),
        ("0,0,1,0,0,0", "direction must not be zero"),
        ("0,0,1,0,0,-1,0,nan", "interval"),
        ("0,0,1,0,0", "but 5 were given"),
        ("0,0,1,0,0,", "\"\" is not a number"),
    ] {
        let message = cast(ray).fails(2);
        assert!(message.contains(told), "{ray}: {message}");
    }
}
