//! Meshes in `f64` as `pick` and `render` show them.

use crate::common::{Folder, assert_has};
use crate::precision::{HOUSE, NOTE, files};
use serde_json::json;

/// The house with all that a mesh knows of its triangles.
fn named_house() -> String {
    let (corners, _) = HOUSE.split_once("f ").unwrap();
    format!(
        "{corners}vt 0 0\nvt 1 0.5\nvn 0 -1 0\nvn 1 -1 0\no house\ng wall\nusemtl plaster\n\
         f 1/1/1 5/2/2 6/2/1 2/1/2\n"
    )
}

/// A view of the southern wall whose middle ray starts at numbers that `f64` holds, a quarter up the wall.
const FRONT: &str = "--eye 502350.125,5201200,311 --at 502350.125,5201240,311 --up z --size 9x9";

#[test]
fn what_is_under_a_pixel_is_where_its_file_has_it() {
    let folder = files();
    folder.put("named.obj", named_house());
    let pick = format!("pick -q F/named.obj {FRONT} --pixel 4,4 --json");
    let found = folder.run(&pick).ok_json();
    assert_eq!(
        found["ray"],
        json!({ "origin": [502_350.125, 5_201_200.0, 311.0], "dir": [0.0, 1.0, 0.0] })
    );
    assert_eq!(found["eye"], json!([502_350.125, 5_201_200.0, 311.0]));
    // Of normals that are 0, -1, 0 at the first and the third corner and 1, -1, 0 at the second.
    let normal = [1.0f64, -4.0, 0.0].map(|x| (x / 17.0f64.sqrt()) as f32 + 0.0);
    let numbers = |array: &serde_json::Value| {
        let numbers = array.as_array().unwrap().iter();
        numbers
            .map(|x| x.as_f64().unwrap() as f32)
            .collect::<Vec<_>>()
    };
    let hit = &found["hit"];
    assert_eq!(numbers(&hit["shading_normal"]), normal);
    assert_eq!(hit["point"], json!([502_350.125, 5_201_234.751, 311.0]));
    let told = [
        "prim", "t", "u", "v", "side", "texcoord", "line", "object", "group", "material",
    ];
    let told = told.map(|name| hit[name].clone());
    let expected = json!([
        0,
        34.751,
        0.25,
        0.25,
        "front",
        [0.5, 0.25],
        16,
        "house",
        "wall",
        "plaster"
    ]);
    assert_eq!(json!(told), expected);
    // The same is said of the mesh in `f32`s near 0, but for the digits of its corners.
    let local = folder.run(&format!("{pick} --local-frame 502350,5201234.5,312"));
    let mut local = local.ok_json();
    local["hit"]["point"] = hit["point"].clone();
    local["hit"]["t"] = hit["t"].clone();
    assert_eq!(local, found);
    // As it is cast again.
    let ray = "--ray 502350.125,5201200,311,0,1,0 --columns t,prim,u,v";
    let cast = folder.run(&format!("cast -q F/named.obj {ray}")).ok();
    assert_eq!(
        cast,
        format!(
            "t,prim,u,v\n{},0,0.25,0.25\n",
            5_201_234.751f64 - 5_201_200.0
        )
    );
    // As text, of a tree file, and a miss.
    folder.run("build -q F/named.obj -o F/named.estoc").ok();
    let text = folder
        .run(&format!("pick -q F/named.estoc {FRONT} --pixel 4,4"))
        .ok();
    for line in [
        "object          house\n",
        "face            0 (line 16)\n",
        "point           502350.125,5201234.751,311\n",
        "distance        34.751\n",
        "ray             502350.125,5201200,311,0,1,0\n",
    ] {
        assert_has(&text, line);
    }
    let none = folder.run(&format!("pick -q F/house.obj {FRONT} --pixel 0,0"));
    assert_eq!(none.stdout, "no hit\n");
}

#[test]
fn pictures_do_not_depend_on_the_precision() {
    let folder = files();
    let paint = "--up z --size 60x40 --samples 2";
    for shade in ["facing", "ao", "thickness"] {
        let file = format!("--shade {shade} --out F/{shade}.png");
        let ran = folder.run(&format!("render F/house.obj {paint} {file}"));
        assert_has(&ran.stderr, NOTE);
        // Its corners are numbers that a frame at these keeps.
        let frame = "--local-frame 502345.125,5201234.751,310.25";
        let view = ran.stderr.split(": ").last().unwrap();
        assert!(view.ends_with(" s\n"), "{view}");
        let seen = ran.stderr.lines().last().unwrap();
        let (_, view) = seen.split_once("--eye").unwrap();
        let (view, _) = view.split_once(": ").unwrap();
        let again = format!("--compare F/{shade}.png --threshold 0.5 --shade {shade}");
        let options = format!("--eye{view} --size 60x40 --samples 2");
        folder
            .run(&format!("render -q F/house.obj {frame} {options} {again}"))
            .ok();
    }
    // A mesh that fits f32, from outside and from inside: the same bytes.
    for mesh in ["demo:teapot?n=1500", "demo:hall?n=9445"] {
        let paint = format!("render -q {mesh} --size 60x40 --samples 1 --shade facing");
        folder.run(&format!("{paint} --out F/plain.png")).ok();
        folder
            .run(&format!("{paint} --precision f64 --compare F/plain.png"))
            .ok();
    }
}

#[test]
fn meshes_in_both_precisions_are_painted_together() {
    let folder = files();
    let other = "v 502360 5201235 310\nv 502360 5201235 314\nv 502370 5201235 310\nf 1 2 3\n";
    folder.put("sign.obj", other);
    let paint = "--up z --size 60x40 --samples 1";
    let path = |first: &str, second: &str| {
        let args = format!("F/{first}.obj --with F/{second}.obj {paint} --shade facing");
        folder.run(&format!("render {args} --out F/{first}.png"))
    };
    let (ran, turned) = (path("house", "sign"), path("sign", "house"));
    // Both are relative to the origin near the house.
    let view = |stderr: &str| {
        let (_, view) = stderr.split_once("--eye").expect("a view");
        view.split_once(": ").expect("a note").0.to_owned()
    };
    assert_eq!(view(&ran.stderr), view(&turned.stderr));
    assert!(folder.bytes("house.png") == folder.bytes("sign.png"));
    let distance = "--shade distance --to F/sign.obj";
    folder
        .run(&format!(
            "render -q F/house.obj {paint} {distance} --out F/distance.png"
        ))
        .ok();
}

#[test]
fn what_no_picture_can_show_is_told() {
    let folder = Folder::with(&[
        ("huge.obj", "v 0 0 0\nv 1e200 0 0\nv 0 1e200 0\nf 1 2 3\n"),
        ("tiny.obj", "v 0 0 0\nv 1e-100 0 0\nv 0 1e-100 0\nf 1 2 3\n"),
    ]);
    for (mesh, told) in [
        (
            "huge",
            "it is 1e200 across, and what is between 1e-12 and 1e12 can be shown",
        ),
        ("tiny", "it is 1e-100 across"),
    ] {
        let ran = folder.run(&format!("pick F/{mesh}.obj --pixel 0,0"));
        ran.fails_with(3, told);
    }
}
