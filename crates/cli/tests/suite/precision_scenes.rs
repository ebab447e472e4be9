//! Scene files with meshes in `f64`: the key `precision`.

use crate::common::assert_has;
use crate::precision::{NOTE, files};
use serde_json::json;

/// The house in `f64` and in `f32`, each placed where its file has it, and a lamp beside them.
const TOWN: &str = "\
[[object]]\nname = 'exact'\nmesh = 'house.obj'\nprecision = 'f64'\n\
[[object]]\nname = 'rounded'\nmesh = 'house.obj'\n\
[[object]]\nname = 'lamp'\nspheres = [{ center = [0, 0, 0], radius = 0.5 }]\n\
[[placement]]\nobject = 'exact'\n\
[[placement]]\nobject = 'rounded'\ntranslation = [20, 0, 0]\n\
[[placement]]\nobject = 'lamp'\ntranslation = [502350.125, 5201230, 311]\n";

#[test]
fn scenes_hold_meshes_of_both() {
    let folder = files();
    folder.put("town.toml", TOWN);
    let told = folder.run("info -q F/town.toml --json").ok_json();
    let precisions = [0, 1, 2].map(|i: usize| told["objects"][i]["precision"].clone());
    assert_eq!(json!(precisions), json!(["f64", "f32", null]));
    assert_has(
        &folder.run("info -q F/town.toml").stdout,
        "house.obj, 12 triangles in f64, placed 1 time",
    );
    // The wall of the house in f64 is at 4.751, and that of the one in f32 a quarter farther.
    let near = "near -q F/town.toml --columns y,instance";
    let near = folder.run(&format!(
        "{near} --point 502350,5201234,311 --point 502370,5201234,311"
    ));
    assert_eq!(
        near.stdout, "y,instance\n5201234.751,0\n5201235,1\n",
        "{}",
        near.stderr
    );
    let inside =
        "contains -q F/town.toml --point 502350,5201234.76,311 --point 502370,5201234.76,311";
    assert_eq!(folder.run(inside).stdout, "point,inside\n0,1\n1,0\n");
    folder.put(
        "two.csv",
        "ox,oy,oz,dx,dy,dz\n502350,5201234.5,312,0,1,0\n502370,5201234.5,312,0,1,0\n",
    );
    let cast = folder.run("cast -q F/town.toml --rays F/two.csv --columns t,prim,instance");
    let t = (5_201_234.751f64 - 5_201_234.5) as f32;
    assert_eq!(cast.stdout, format!("t,prim,instance\n{t},5,0\n0.5,5,1\n"));
    // A local frame is for what is in f32.
    let near = "near -q F/town.toml --local-frame auto --columns y --point 502370,5201234,311";
    let y = folder.run(near).stdout;
    assert!(
        (y.lines().nth(1).unwrap().parse::<f64>().unwrap() - 5_201_234.751).abs() < 1e-6,
        "{y}"
    );
    // --precision is that of what does not say.
    let near = "near -q F/town.toml --columns y --point 502370,5201234,311 --precision";
    assert_eq!(
        folder.run(&format!("{near} f64")).stdout,
        "y\n5201234.751\n"
    );
    assert_eq!(folder.run(&format!("{near} f32")).stdout, "y\n5201235\n");
    // A job keeps what it was asked about.
    let job = "cast -q F/town.toml --rays F/rays.csv --out-dir F/job";
    folder.run(job).ok();
    folder.run(&format!("{job} --resume")).ok();
    assert_ne!(
        folder
            .run(&format!("{job} --resume --precision f64"))
            .status,
        0
    );
}

#[test]
fn scenes_far_from_0_are_seen_from_near_them() {
    let folder = files();
    folder.put("town.toml", TOWN);
    let pick = |pixel: &str| {
        let view = "--at 502350.125,5201240,311 --up z --size 9x9";
        let pick = format!("pick -q F/town.toml --eye {pixel} {view} --pixel 4,4 --json");
        folder.run(&pick).ok_json()
    };
    // Past the lamp to the wall, and to the lamp.
    let found = pick("502350.125,5201232,311");
    assert_eq!(found["eye"], json!([502_350.125, 5_201_232.0, 311.0]));
    assert_eq!(found["hit"]["instance"], json!("0"));
    assert_eq!(found["hit"]["t"], json!(2.751));
    assert_eq!(found["hit"]["normal"], json!([0.0, -1.0, 0.0]));
    let y = found["hit"]["point"][1].as_f64().unwrap();
    assert!((y - 5_201_234.751).abs() < 1e-6, "{y}");
    let lamp = pick("502350.125,5201220,311");
    assert_eq!(lamp["hit"]["shape"], json!("sphere"));
    assert_eq!(
        lamp["hit"]["point"],
        json!([502_350.125, 5_201_229.5, 311.0])
    );
    assert_eq!(lamp["hit"]["t"], json!(9.5));
    // The printed view paints the same picture.
    let paint = "--size 60x40 --samples 1 --shade instance";
    let ran = folder.run(&format!(
        "render F/town.toml {paint} --up z --out F/one.png"
    ));
    let (_, view) = ran.stderr.split_once("--eye").expect("a view");
    let (view, _) = view.split_once(": ").unwrap();
    let again = folder.run(&format!(
        "render -q F/town.toml {paint} --eye{view} --compare F/one.png"
    ));
    again.ok();
}

#[test]
fn what_an_object_cannot_be_is_told() {
    let folder = files();
    folder
        .run("build -q --precision f32 F/house.obj -o F/narrow.estoc")
        .ok();
    folder.run("build -q F/house.obj -o F/wide.estoc").ok();
    let object = |mesh: &str| {
        format!("object = [{{ name = 'a', {mesh} }}]\nplacement = [{{ object = 'a' }}]\n")
    };
    for (mesh, status, told) in [
        (
            "mesh = 'narrow.estoc', precision = 'f64'",
            2,
            "its corners in f32",
        ),
        (
            "mesh = 'wide.estoc', precision = 'f32'",
            2,
            "its corners in f64",
        ),
        (
            "mesh = 'demo:box', precision = 'f64'",
            3,
            "precision is for mesh files",
        ),
        (
            "mesh = 'house.obj', precision = 'f16'",
            3,
            "precision must be \"auto\", \"f32\" or \"f64\"",
        ),
    ] {
        folder.put("a.toml", object(mesh));
        let ran = folder.run("cast F/a.toml --ray 0,0,0,0,0,1");
        assert_eq!(ran.status, status, "{}", ran.stderr);
        assert_has(&ran.stderr, told);
    }
    // A tree file is as it was written, and auto tells why.
    folder.put("a.toml", object("mesh = 'wide.estoc'"));
    let near = "near F/a.toml --point 502350,5201234,311 --columns y";
    assert_eq!(folder.run(near).stdout, "y\n5201234.751\n");
    folder.put("a.toml", object("mesh = 'house.obj', precision = 'auto'"));
    let ran = folder.run(near);
    assert_eq!(ran.stdout, "y\n5201234.751\n");
    assert_has(&ran.stderr, NOTE);
}
