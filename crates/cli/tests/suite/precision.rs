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

fn files() -> Folder {
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
const NOTE: &str = "house.obj: kept in f64, since rounding to f32 moved a vertex by 0.249 (the median edge is \
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
            "the mesh is 1e200 across, and what is between 1e-12 and 1e12 can be shown",
        ),
        ("tiny", "the mesh is 1e-100 across"),
    ] {
        let ran = folder.run(&format!("pick F/{mesh}.obj --pixel 0,0"));
        ran.fails_with(3, told);
    }
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
        (
            "section F/house.obj --plane 0,0,1,311",
            "this takes corners in f32 only",
        ),
        (
            "render F/house.obj --shade heat --out F/a.png",
            "the shade heat needs a mesh in f32",
        ),
        (
            "contains F/house.obj --rule winding --point 0,0,0",
            "--rule winding takes corners in f32 only",
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
    for args in [
        "contains F/house.obj --rule winding --point 502350,5201240,311",
        "near F/house.obj --local-frame auto --point 502350,5201240,311",
    ] {
        let ran = folder.run(args);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(!ran.stderr.contains("kept in f64"), "{}", ran.stderr);
    }
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
    for args in [
        "section F/house.estoc --plane 0,0,1,311",
        "cast F/house.estoc --precision f32 --ray 0,0,0,0,0,1",
    ] {
        let ran = folder.run(args);
        assert_ne!(ran.status, 0, "{args}");
        assert_has(&ran.stderr, "estoc build --precision f32 MESH");
    }
}

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
