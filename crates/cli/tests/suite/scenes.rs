//! Scenes of placed meshes: `info`, `cast`, `pick` and `render` on them.

use crate::common::{Folder, estoc};
use serde_json::{Value, json};
use std::path::Path;

/// Two sheets at z = 0, one of them mirrored and named, and a row of two more in a scene of its own.
const WORLD: &str = "object = [
    { name = 'sheet', mesh = 'parts/a sheet, small.obj' },
    { name = 'row', scene = 'parts/row.toml' },
]
[[placement]]
object = 'sheet'
[[placement]]
object = 'row'
name = 'the row'
matrix = [1, 0, 0, 10,  0, 1, 0, 0,  0, 0, 1, 0]
[[placement]]
object = 'sheet'
name = 'mirrored'
reversed = true
matrix = [-2, 0, 0, -10,  0, 1, 0, 0,  0, 0, 1, 0]
[[placement]]
object = 'sheet'
name = 'turned over'
matrix = [-2, 0, 0, -20,  0, 1, 0, 0,  0, 0, 1, 0]
";
const ROW: &str = "object = [{ name = 'part', mesh = 'a sheet, small.obj' }]
[[placement]]
object = 'part'
[[placement]]
object = 'part'
name = 'second'
matrix = [1, 0, 0, 2,  0, 1, 0, 0,  0, 0, 1, -1]
";
const SHEET: &str = "o flag\nusemtl cloth\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

/// A folder with these files.
fn world() -> Folder {
    let folder = Folder::new();
    folder.put("world.toml", WORLD);
    folder.put("parts/row.toml", ROW);
    folder.put("parts/a sheet, small.obj", SHEET);
    folder
}

const RAYS: &str = "id,ox,oy,oz,dx,dy,dz\na,0.25,0.25,1,0,0,-1\nb,10.25,0.25,1,0,0,-1\n\
                    c,12.25,0.25,1,0,0,-2\nd,-10.5,0.25,1,0,0,-1\ne,5,5,5,0,0,-1\n";

#[test]
fn cast_tells_which_instance_is_hit() {
    let folder = world();
    folder.put("rays.csv", RAYS);
    let rays = folder.path("rays.csv");
    let cast = |rest: &[&str]| {
        let args = ["--quiet", "--rays", &rays];
        folder.run("cast", "world.toml", &[&args, rest].concat())
    };
    assert_eq!(
        cast(&[]).stdout,
        "ray,hit,t,prim,u,v,source,instance\n\
         0,1,1,0,0.25,0.25,\"parts/a sheet, small.obj\",0\n\
         1,1,1,0,0.25,0.25,\"a sheet, small.obj\",1/0\n\
         2,1,1,0,0.25,0.25,\"a sheet, small.obj\",1/1\n\
         3,1,1,0,0.25,0.25,\"parts/a sheet, small.obj\",2\n\
         4,0,inf,-1,,,,\n"
    );
    assert_eq!(
        cast(&["--columns", "id,instance,point,normal,object,material"]).stdout,
        "id,instance,point_x,point_y,point_z,normal_x,normal_y,normal_z,object,material\n\
         a,0,0.25,0.25,0,0,0,1,flag,cloth\nb,1/0,10.25,0.25,0,0,0,1,flag,cloth\n\
         c,1/1,12.25,0.25,-1,0,0,1,flag,cloth\nd,2,-10.5,0.25,0,0,0,1,flag,cloth\ne,,,,,,,,,\n"
    );
    let object: Value = serde_json::from_str(&cast(&["--json", "--query", "all"]).stdout).unwrap();
    assert_eq!(
        object["results"][2],
        json!({
            "ray": 2, "hit": true, "t": 1.0, "prim": 0, "u": 0.25, "v": 0.25,
            "source": "a sheet, small.obj", "instance": "1/1",
        })
    );
    assert_eq!(
        cast(&["--query", "any"]).stdout,
        "ray,hit\n0,1\n1,1\n2,1\n3,1\n4,0\n"
    );
    assert_eq!(
        cast(&["--query", "crossings", "--threads", "1"]).stdout,
        "ray,count\n0,1\n1,1\n2,1\n3,1\n4,0\n"
    );
    // Culling follows the sides in the world: a mirror turns them, and `reversed` turns them again.
    let count = |ray: &str| {
        let ran = folder.run(
            "cast",
            "world.toml",
            &[
                "--quiet", "--ray", ray, "--query", "count", "--cull", "back",
            ],
        );
        ran.stdout.lines().nth(1).map(str::to_owned)
    };
    assert_eq!(count("-10.5,0.25,1,0,0,-1").unwrap(), "0,1");
    assert_eq!(count("-20.5,0.25,1,0,0,-1").unwrap(), "0,0");
    let told = cast(&["--query", "any", "--columns", "instance"]).fails(2);
    assert!(
        told.contains("no column \"instance\"; available are ray, hit, and from"),
        "{told}"
    );
    let explained = folder.run(
        "cast",
        "world.toml",
        &["--quiet", "--rays", &rays, "--explain", "--json"],
    );
    let object: Value = serde_json::from_str(&explained.stdout).unwrap();
    assert!(object["batch"]["technique"].is_string(), "{object}");
}

/// A scene whose matrices are exact gives the hits of the mesh that it is as a whole.
#[test]
fn a_scene_is_cast_as_its_flat_mesh() {
    let folder = world();
    let scene: String = (0..8)
        .map(|i| {
            format!(
                "[[placement]]\nobject = 'x'\nmatrix = [1,0,0,{i}, 0,2,0,0, 0,0,1,{}]\n",
                i % 3
            )
        })
        .collect();
    folder.put(
        "row.toml",
        &format!("object = [{{ name = 'x', mesh = 'x.obj' }}]\n{scene}"),
    );
    let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]];
    let mesh = |moved: &dyn Fn([i32; 3]) -> [i32; 3]| -> String {
        corners
            .map(|corner| {
                let [x, y, z] = moved(corner);
                format!("v {x} {y} {z}\n")
            })
            .concat()
    };
    folder.put("x.obj", &format!("{}f 1 2 3\nf 1 3 4\n", mesh(&|p| p)));
    let flat: String = (0..8)
        .map(|i| mesh(&|[x, y, z]| [x + i, 2 * y, z + i % 3]))
        .collect();
    let faces: String = (0..8)
        .map(|i| 4 * i + 1)
        .map(|a| format!("f {a} {} {}\nf {a} {} {}\n", a + 1, a + 2, a + 2, a + 3))
        .collect();
    folder.put("flat.obj", &(flat + &faces));
    let rays: String = (0..300)
        .map(|i| {
            format!(
                "{},{},9,{},0,-1\n",
                (i % 33) as f32 / 4.0,
                (i % 9) as f32 / 4.0,
                (i % 5) as f32 / 16.0
            )
        })
        .collect();
    folder.put("rays.csv", &format!("ox,oy,oz,dx,dy,dz\n{rays}"));
    let rays = folder.path("rays.csv");
    for query in ["closest", "all", "count", "crossing-hits"] {
        let cast = |name: &str, more: &[&str]| {
            folder
                .run(
                    "cast",
                    name,
                    &[&["--rays", &rays, "--query", query], more].concat(),
                )
                .ok()
        };
        let flat = cast("flat.obj", &[]);
        if query == "count" {
            assert_eq!(cast("row.toml", &[]), flat);
            continue;
        }
        let numbered = cast("row.toml", &["--columns", "ray,hit,t,prim,u,v,instance"]);
        let rows = numbered.lines().skip(1).map(|row| {
            let (row, instance) = row.rsplit_once(',').unwrap();
            let cells: Vec<&str> = row.split(',').collect();
            let [ray, hit, t, prim, u, v] = cells[..] else {
                panic!("{row}")
            };
            match instance.parse::<u32>() {
                Ok(instance) => {
                    let prim = 2 * instance + prim.parse::<u32>().unwrap();
                    format!("{ray},{hit},{t},{prim},{u},{v}\n")
                }
                Err(_) => format!("{row}\n"),
            }
        });
        assert_eq!(
            format!("ray,hit,t,prim,u,v\n{}", rows.collect::<String>()),
            flat
        );
        assert!(flat.lines().count() > 200);
    }
}

#[test]
fn pick_names_the_instance() {
    let folder = world();
    let pick = |at: &str| {
        let eye = format!("--eye={at},0.25,3");
        let look = format!("--at={at},0.25,0");
        let view = [&*eye, &look, "--size=2x2", "--pixel=1.0,1.0", "--quiet"];
        let text = folder.run("pick", "world.toml", &view).ok();
        let object = folder
            .run("pick", "world.toml", &[&view[..], &["--json"]].concat())
            .ok();
        (text, serde_json::from_str::<Value>(&object).unwrap())
    };
    let (text, object) = pick("12.25");
    for line in [
        "instance        1/1 (the row / second)",
        "source          a sheet, small.obj",
        "object          flag",
        "point           12.25,0.25,-1",
        "side            front",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}:\n{text}");
    }
    let hit = &object["hit"];
    assert_eq!(hit["instance"], "1/1");
    assert_eq!(hit["names"], json!(["the row", "second"]));
    assert_eq!(
        (&hit["source"], &hit["line"]),
        (&"a sheet, small.obj".into(), &6.into())
    );
    let (text, object) = pick("0.25");
    assert!(
        text.starts_with("instance        0\nsource          parts/a sheet, small.obj\n"),
        "{text}"
    );
    assert_eq!(object["hit"]["names"], json!([null]));
    for (at, side, normal) in [("-10.5", "front", 1.0), ("-20.5", "back", -1.0)] {
        let (_, object) = pick(at);
        assert_eq!(object["hit"]["side"], side);
        assert_eq!(object["hit"]["normal"], json!([0.0, 0.0, normal]));
    }
    assert_eq!(pick("5").0, "no hit\n");
}

#[test]
fn pictures_of_a_scene_are_those_of_its_mesh() {
    let folder = world();
    folder.put(
        "one.toml",
        "object = [{ name = 'x', mesh = 'demo:solids?n=400' }]\n[[placement]]\nobject = 'x'\n",
    );
    let view = [
        "--size=40x25",
        "--eye=2,4,9",
        "--at=0,0.5,0",
        "--samples=1",
        "--quiet",
    ];
    for shade in ["normal", "facing", "depth", "id", "material"] {
        let picture = folder.path(&format!("{shade}.png"));
        let args = [
            "render",
            "demo:solids?n=400",
            "--shade",
            shade,
            "--out",
            &picture,
        ];
        estoc(args.iter().chain(&view)).ok();
        let args = [&view[..], &["--shade", shade, "--compare", &picture]].concat();
        folder.run("render", "one.toml", &args).ok();
    }
    // The same bytes for any number of threads, with a view of its own.
    let bytes = |threads: &str, shade: &str| {
        let picture = folder.path("picture.png");
        let args = [
            "--quiet",
            "--shade",
            shade,
            "--samples=1",
            "--size=32x20",
            "--threads",
            threads,
            "--out",
            &picture,
        ];
        folder.run("render", "world.toml", &args).ok();
        std::fs::read(&picture).unwrap()
    };
    for shade in ["instance", "ao"] {
        assert_eq!(bytes("1", shade), bytes("3", shade), "{shade}");
    }
    assert_ne!(bytes("1", "instance"), bytes("1", "ao"));
}

#[test]
fn info_counts_what_is_placed() {
    let folder = world();
    let text = folder.run("info", "world.toml", &[]).ok();
    for line in [
        "F/world.toml",
        "  objects    2: sheet, row",
        "  placements 4",
        "  triangles  5 placed, 1 stored",
        "  depth      2",
        "  bounds     (-22, 0, -1) to (13, 1, 0)",
        "  closed     no, 5 of 5 placed objects are open",
        "  object     sheet: parts/a sheet, small.obj, 1 triangle, placed 3 times",
        "  object     row: parts/row.toml, 2 triangles, placed 1 time",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}:\n{text}");
    }
    let object: Value =
        serde_json::from_str(&folder.run("info", "world.toml", &["--json"]).ok()).unwrap();
    assert_eq!(object["schema"], "estoc.scene-info/1");
    assert_eq!(
        (&object["triangles"], &object["stored_triangles"]),
        (&5.into(), &1.into())
    );
    assert_eq!(object["objects"][1]["is_scene"], true);
    let many = estoc([
        "info",
        "demo:city?n=2000",
        "demo:pick",
        "demo:sphere?n=8",
        "--json",
    ])
    .ok();
    let many: Value = serde_json::from_str(&many).unwrap();
    assert_eq!(many["meshes"][0]["placements"], 2000);
    assert_eq!(many["meshes"][1]["closed_meshes"], 4);
    assert_eq!(many["meshes"][2]["schema"], "estoc.info/1");
}

#[test]
fn other_verbs_take_one_mesh() {
    let folder = world();
    let out = folder.path("out.estoc");
    for (verb, rest) in [
        ("build", &["--out", &*out][..]),
        ("check", &[]),
        ("section", &["--plane", "0,0,1,0"]),
        ("verify", &[]),
        ("bench", &[]),
    ] {
        let told = folder.run(verb, "world.toml", rest).fails(2);
        assert_eq!(
            told.lines().last().unwrap(),
            "estoc: F/world.toml: this takes one mesh, not a scene of placed meshes; name the mesh of \
             one of its objects, which estoc info F/world.toml lists",
            "{verb}"
        );
    }
    assert!(!Path::new(&out).exists());
    for shade in ["heat", "thickness"] {
        let told = folder
            .run(
                "render",
                "world.toml",
                &["--shade", shade, "--out", "x.png"],
            )
            .fails(2);
        assert!(
            told.contains(&format!("--shade {shade} needs one mesh")),
            "{told}"
        );
    }
    let told = estoc([
        "render",
        "demo:sphere",
        "--shade",
        "instance",
        "--out",
        "x.png",
    ])
    .fails(2);
    assert!(
        told.contains("demo:sphere: --shade instance needs a scene"),
        "{told}"
    );
    let ray = "--ray=0,0,1,0,0,-1";
    let told = folder
        .run("cast", "world.toml", &[ray, "--engine", "brute"])
        .fails(2);
    assert!(told.contains("--engine brute takes one mesh"), "{told}");
}

#[test]
fn what_is_wrong_in_a_scene_is_told_with_its_line() {
    let folder = world();
    let ray = "--ray=0,0,1,0,0,-1";
    let cast = |text: &str, rest: &[&str]| {
        folder.put("x.toml", text);
        folder.run("cast", "x.toml", &[&[ray], rest].concat())
    };
    folder.put("bad.obj", "v 0 0 0\nf 1 2 3\n");
    let bad = "\n[[object]]\nname = 'x'\nmesh = 'bad.obj'\n[[placement]]\nobject = 'x'\n";
    let told = cast(bad, &[]).fails(3);
    assert_eq!(
        told,
        "estoc: F/x.toml:2: F/bad.obj:2: vertex index 2 is out of range (1 vertex); use \
         --skip-bad-faces to skip such faces\n"
    );
    let told = cast(bad, &["--skip-bad-faces", "--quiet"]).fails(3);
    assert!(
        told.contains("F/x.toml: nothing is placed, so nothing can be hit"),
        "{told}"
    );
    let told = cast("[[object]]\nname = 'x'\nmesh = 'none.obj'\n", &[]).fails(3);
    assert!(
        told.starts_with("estoc: F/x.toml:1: F/none.obj: No such file"),
        "{told}"
    );
    let told = cast("[[objects]]\n", &[]).fails(3);
    assert_eq!(
        told,
        "estoc: F/x.toml:1: a scene file has no key \"objects\": its keys are [[object]] and \
         [[placement]]\n"
    );
    let told = cast(WORLD, &["--max-input", "100"]).fails(3);
    assert!(
        told.contains("F/x.toml: has more than 100 bytes; raise the limit with --max-input"),
        "{told}"
    );
    let told = folder.run("info", "none.toml", &[]).fails(3);
    assert!(
        told.starts_with("estoc: F/none.toml: No such file") && told.contains("check the path"),
        "{told}"
    );
    let told = estoc(["info", "demo:city?n=0"]).fails(2);
    assert_eq!(
        told,
        "estoc: demo:city?n=0: n=\"0\" is not a whole number from 1 to 1000000\n"
    );
    // A result never replaces a file that the scene consists of.
    for name in ["world.toml", "parts/row.toml"] {
        let out = folder.path(name);
        let told = folder
            .run("cast", "world.toml", &[ray, "--out", &out])
            .fails(2);
        assert!(told.contains("--out would replace"), "{name}: {told}");
    }
    assert_eq!(
        std::fs::read_to_string(folder.path("parts/row.toml")).unwrap(),
        ROW
    );
}

/// Opening a pipe would wait for a writer.
#[cfg(unix)]
#[test]
fn files_of_a_scene_that_are_pipes_are_told() {
    let folder = Folder::new();
    for (key, name) in [
        ("mesh", "pipe.obj"),
        ("scene", "pipe.toml"),
        ("scene", "pipe.glb"),
    ] {
        let pipe = folder.path(name);
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let text = format!("object = [{{ name = 'part', {key} = '{name}' }}]\n");
        folder.put("world.toml", &text);
        let world = folder.path("world.toml");
        assert_eq!(
            estoc(["info", &world]).fails(3),
            format!(
                "estoc: {world}:1: {pipe:?}: it is a named pipe; remove it, or put an ordinary file in its \
                 place\n"
            )
        );
    }
}
