//! Meshes in `f64`: `--precision`.

use crate::common::{Folder, assert_has, run_reading};
use serde_json::json;

/// A house of 10 by 10 by 3 on a map, whose corners no `f32` holds.
pub(crate) const HOUSE: &str = "\
v 502345.125 5201234.751 310.25\nv 502345.125 5201234.751 313.25\nv 502345.125 5201244.751 310.25\n\
v 502345.125 5201244.751 313.25\nv 502355.125 5201234.751 310.25\nv 502355.125 5201234.751 313.25\n\
v 502355.125 5201244.751 310.25\nv 502355.125 5201244.751 313.25\n\
f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";

/// 0.151 and 0.051 outside and 0.049 inside the southern wall, where an `f32` has it at ...234.5 or ...235.
const POINTS: &str =
    "x,y,z\n502350,5201234.6,311\n502350,5201234.7,311\n502350,5201234.8,311\nnan,0,0\n";

pub(crate) fn files() -> Folder {
    Folder::with(&[
        ("house.obj", HOUSE),
        ("points.csv", POINTS),
        (
            "rays.csv",
            "ox,oy,oz,dx,dy,dz\n502350,5201234.6,311,0,1,0\n502350,5201234.8,311,0,1,0\n0,0,0,0,0,1\n",
        ),
    ])
}

/// Why the house is kept in `f64`.
pub(crate) const NOTE: &str = "house.obj: kept in f64, since rounding to f32 moved a vertex by 0.249 (the median edge is \
                    10.0); --precision f32 rounds it all the same";

#[test]
fn a_wall_on_a_map_is_where_its_file_has_it() {
    let folder = files();
    let columns = "--columns distance,prim,feature,y,signed";
    let ran = folder.run(&format!("near F/house.obj --points F/points.csv {columns}"));
    let (y, wall) = ([5_201_234.6, 5_201_234.7, 5_201_234.8], 5_201_234.751f64);
    let mut expected = "distance,prim,feature,y,signed\n".to_owned();
    for (y, sign) in y.into_iter().zip([1.0, 1.0, -1.0]) {
        // The difference of two numbers that are less than twice the other is exact.
        let distance = (wall - y).abs();
        let prim = ran
            .stdout
            .lines()
            .nth(1)
            .unwrap()
            .split(',')
            .nth(1)
            .unwrap();
        expected += &format!("{distance},{prim},face,{wall},{}\n", sign * distance);
    }
    expected += "inf,-1,,,\n";
    assert_eq!(ran.stdout, expected, "{}", ran.stderr);
    assert_has(&ran.stderr, NOTE);
    let inside = folder.run("contains -q F/house.obj --points F/points.csv");
    assert_eq!(inside.stdout, "point,inside\n0,0\n1,0\n2,1\n3,0\n");
    let columns = "--columns hit,t,point,normal";
    let ran = folder.run(&format!("cast F/house.obj --rays F/rays.csv {columns}"));
    let ts = [wall - 5_201_234.6, 5_201_244.751 - 5_201_234.8];
    let expected = format!(
        "hit,t,point_x,point_y,point_z,normal_x,normal_y,normal_z\n\
         1,{},502350,5201234.751,311,0,-1,0\n1,{},502350,5201244.751,311,0,1,0\n0,inf,,,,,,\n",
        ts[0], ts[1]
    );
    assert_eq!(ran.stdout, expected, "{}", ran.stderr);
}

#[test]
fn f32_can_be_chosen_and_f64_too() {
    let folder = files();
    let rounded =
        folder.run("near -q --precision f32 F/house.obj --points F/points.csv --columns y");
    assert_eq!(rounded.stdout, "y\n5201235\n5201235\n5201235\n\n");
    // The numbers of a generated mesh are `f32`s.
    let ray = "--ray 0.3,0.2,9,0,0,-1 --columns t";
    let casts = |precision: &str| folder.run(&format!("cast -q demo:sphere {ray} {precision}"));
    let (narrow, wide) = (casts(""), casts("--precision f64"));
    let t = |text: &str| text.lines().nth(1).unwrap().parse::<f64>().unwrap();
    assert_ne!(narrow.stdout, wide.stdout);
    assert_eq!(t(&narrow.stdout) as f32, t(&wide.stdout) as f32);
}

#[test]
fn stdin_is_kept_in_f64_as_well() {
    let args = "contains - --point 502350,5201234.7,311 --point 502350,5201234.8,311";
    let ran = run_reading(args, HOUSE.as_bytes());
    assert_eq!(ran.stdout, "point,inside\n0,0\n1,1\n", "{}", ran.stderr);
    assert_has(&ran.stderr, "-: kept in f64");
}

#[test]
fn numbers_beyond_f32_are_kept() {
    let folder = Folder::with(&[(
        "far.obj",
        "v 0 0 1e200\nv 1e190 0 1e200\nv 0 1e190 1e200\nf 1 2 3\n",
    )]);
    let ran = folder.run("cast F/far.obj --ray 1e189,1e189,0,0,0,1e200 --columns t,u,v");
    let tenth = 1e189 / 1e190;
    assert_eq!(
        ran.stdout,
        format!("t,u,v\n1,{tenth},{tenth}\n"),
        "{}",
        ran.stderr
    );
    assert_has(&ran.stderr, "a number of it is too large for f32");
}

#[test]
fn results_say_that_they_are_of_f64() {
    let folder = files();
    let args = "contains -q --json F/house.obj --points F/points.csv";
    let object = folder.run(args).ok_json();
    assert_eq!(object["precision"], json!("f64"));
    let args = "cast -q F/house.obj --rays F/rays.csv --out F/hits.npy";
    folder.run(args).ok();
    let header = String::from_utf8_lossy(&folder.bytes("hits.npy")[..128]).into_owned();
    assert_has(
        &header,
        "[('t', '<f8'), ('prim', '<i4'), ('u', '<f8'), ('v', '<f8')]",
    );
}

#[test]
fn a_job_keeps_its_precision() {
    let folder = files();
    let cast = "cast -q F/house.obj --rays F/rays.csv --out-dir F/job";
    folder.run(cast).ok();
    let manifest: serde_json::Value =
        serde_json::from_slice(&folder.bytes("job/_manifest.json")).unwrap();
    assert_has(&manifest.to_string(), "\"precision\":\"f64\"");
    let ran = folder.run(&format!("{cast} --resume --precision f32"));
    assert_ne!(ran.status, 0);
    assert_has(&ran.stderr, "the job in this folder is another one");
    folder.run(&format!("{cast} --resume --precision f64")).ok();
}

#[test]
fn what_takes_f32_only_refuses_f64() {
    let folder = files();
    folder
        .run("build -q --precision f32 F/house.obj -o F/house.estoc")
        .ok();
    for (args, told) in [
        ("verify F/house.obj", "this takes corners in f32 only"),
        (
            "render F/house.obj --shade heat --out F/a.png",
            "the shade heat needs a mesh in f32",
        ),
        ("cast F/house.estoc --ray 0,0,0,0,0,1", "its corners in f32"),
        (
            "cast F/house.obj --local-frame auto --ray 0,0,0,0,0,1",
            "leave out --local-frame",
        ),
        ("cast F/house.obj --weld auto --ray 0,0,0,0,0,1", "weld"),
    ] {
        let ran = folder.run(&format!("{args} --precision f64"));
        assert_ne!(ran.status, 0, "{args}");
        assert_has(&ran.stderr, told);
    }
    // Welding makes f32s, and the rounding is told as before.
    let small = "v 0 5000000.1 0\nv 0.1 5000000.1 0\nv 0 5000000.2 0.1\nf 1 2 3\n";
    folder.put("small.obj", small);
    let welded = folder.run("cast F/small.obj --weld 1e-9 --ray 0,0,0,0,1,0");
    assert_eq!(welded.status, 0, "{}", welded.stderr);
    assert_has(&welded.stderr, "rounding to f32 moved a vertex by 0.2");
    // Not chosen: as before.
    let ran = folder.run("near F/house.obj --local-frame auto --point 502350,5201240,311");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(!ran.stderr.contains("kept in f64"), "{}", ran.stderr);
}

#[test]
fn every_rule_takes_points_in_f64() {
    let folder = files();
    for rule in ["parity", "winding", "estimate"] {
        let of = |args: &str| {
            let ran = folder.run(&format!("{args} --points F/points.csv --rule {rule}"));
            (ran.status, ran.stdout)
        };
        let inside = "point,inside\n0,0\n1,0\n2,1\n3,0\n".to_owned();
        assert_eq!(of("contains -q F/house.obj"), (0, inside), "{rule}");
        let wall = 5_201_234.751f64;
        let signed = [5_201_234.6, 5_201_234.7, 5_201_234.8].map(|y| wall - y);
        let signed = format!("signed\n{}\n{}\n{}\n\n", signed[0], signed[1], signed[2]);
        let near = "near -q F/house.obj --signed --columns signed";
        assert_eq!(of(near), (0, signed), "{rule}");
    }
    // Turned around, and open.
    let turned = HOUSE.replace("f 1 2 4 3\n", "f 3 4 2 1\n");
    folder.put("turned.obj", &turned);
    let ran = folder.run("contains F/turned.obj --rule winding --point 0,0,0");
    assert_eq!((ran.status, &*ran.stdout), (3, ""));
    assert_has(
        &ran.stderr,
        "at the edge from 502345.125,5201234.751,310.25 to ",
    );
    folder.put("open.obj", HOUSE.replace("f 2 6 8 4\n", ""));
    let at = "--point 502350,5201240,311";
    let ran = folder.run(&format!("near F/open.obj --signed --rule winding {at}"));
    assert_eq!((ran.status, &*ran.stdout), (3, ""));
    let ran = folder.run(&format!("contains -q F/open.obj --rule estimate {at}"));
    assert_eq!(ran.stdout, "point,inside\n0,1\n", "{}", ran.stderr);
}

#[test]
fn trees_are_kept_in_f64() {
    let folder = files();
    let build = "build -q F/house.obj -o F/house.estoc --layout compact";
    folder.run(build).ok();
    for args in [
        "cast F/house --rays F/rays.csv --query all --columns ray,t,prim,point",
        "near F/house --points F/points.csv --signed",
        "contains F/house --points F/points.csv",
    ] {
        let of = |mesh: &str| folder.run(&args.replace("F/house ", &format!("-q F/{mesh} ")));
        let (of_mesh, of_tree) = (of("house.obj"), of("house.estoc"));
        assert_eq!((of_tree.status, of_tree.stdout), (0, of_mesh.stdout));
    }
    let told = folder.run("info F/house.estoc --json").ok_json();
    assert_eq!(told["file"]["version"], 4);
    assert_eq!(
        told["bounds"]["min"],
        json!([502_345.125, 5_201_234.751, 310.25])
    );
    assert_eq!(
        (&told["closed"], &told["triangles"]),
        (&json!(true), &json!(12))
    );
    let of_mesh = folder
        .run("info F/house.obj --json --precision f64")
        .ok_json();
    assert_eq!(of_mesh["closed"], json!(true));
    assert_eq!(
        of_mesh["report"]["rounding"]["largest_movement"],
        json!(0.0)
    );
    // A job can go on with the tree instead of the mesh.
    let cast = "cast -q F/house.obj --rays F/rays.csv --out-dir F/job";
    folder.run(cast).ok();
    folder
        .run(&format!(
            "{} --resume",
            cast.replace("house.obj", "house.estoc")
        ))
        .ok();
    // Built again, in another layout.
    folder.run("build -q F/house.estoc -o F/again.estoc").ok();
    let again = folder.run("contains -q F/again.estoc --points F/points.csv");
    assert_eq!(again.stdout, "point,inside\n0,0\n1,0\n2,1\n3,0\n");
    let areas = "--plane 0,0,1,-311 --areas";
    assert_eq!(
        folder
            .run(&format!("section -q F/house.estoc {areas}"))
            .ok(),
        folder.run(&format!("section -q F/house.obj {areas}")).ok()
    );
    let ran = folder.run("cast F/house.estoc --precision f32 --ray 0,0,0,0,0,1");
    assert_ne!(ran.status, 0, "{}", ran.stdout);
    assert_has(&ran.stderr, "estoc build --precision f32 MESH");
}
