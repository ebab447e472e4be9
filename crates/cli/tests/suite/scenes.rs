//! Scenes of placed meshes: `info`, `cast`, `pick` and `render` on them.

use crate::common::{Folder, assert_has, run};
use serde_json::json;

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
    Folder::with(&[
        ("world.toml", WORLD),
        ("parts/row.toml", ROW),
        ("parts/a sheet, small.obj", SHEET),
    ])
}

const RAYS: &str = "id,ox,oy,oz,dx,dy,dz\na,0.25,0.25,1,0,0,-1\nb,10.25,0.25,1,0,0,-1\n\
                    c,12.25,0.25,1,0,0,-2\nd,-10.5,0.25,1,0,0,-1\ne,5,5,5,0,0,-1\n";

#[test]
fn cast_tells_which_instance_is_hit() {
    let folder = world();
    folder.put("rays.csv", RAYS);
    let cast = |rest: &str| {
        let line = format!("cast F/world.toml --quiet --rays F/rays.csv {rest}");
        folder.run(&line)
    };
    assert_eq!(
        cast("").stdout,
        "ray,hit,t,prim,u,v,source,instance\n\
         0,1,1,0,0.25,0.25,\"parts/a sheet, small.obj\",0\n\
         1,1,1,0,0.25,0.25,\"a sheet, small.obj\",1/0\n\
         2,1,1,0,0.25,0.25,\"a sheet, small.obj\",1/1\n\
         3,1,1,0,0.25,0.25,\"parts/a sheet, small.obj\",2\n\
         4,0,inf,-1,,,,\n"
    );
    assert_eq!(
        cast("--columns id,instance,point,normal,object,material").stdout,
        "id,instance,point_x,point_y,point_z,normal_x,normal_y,normal_z,object,material\n\
         a,0,0.25,0.25,0,0,0,1,flag,cloth\nb,1/0,10.25,0.25,0,0,0,1,flag,cloth\n\
         c,1/1,12.25,0.25,-1,0,0,1,flag,cloth\nd,2,-10.5,0.25,0,0,0,1,flag,cloth\ne,,,,,,,,,\n"
    );
    let object = cast("--json --query all").json();
    assert_eq!(
        object["results"][2],
        json!({
            "ray": 2, "hit": true, "t": 1.0, "prim": 0, "u": 0.25, "v": 0.25,
            "source": "a sheet, small.obj", "instance": "1/1",
        })
    );
    let any = cast("--query any").stdout;
    assert_eq!(any, "ray,hit\n0,1\n1,1\n2,1\n3,1\n4,0\n");
    let crossings = cast("--query crossings --threads 1").stdout;
    assert_eq!(crossings, "ray,count\n0,1\n1,1\n2,1\n3,1\n4,0\n");
    // Culling follows the sides in the world: a mirror turns them, and `reversed` turns them again.
    for (ray, count) in [
        ("-10.5,0.25,1,0,0,-1", "0,1"),
        ("-20.5,0.25,1,0,0,-1", "0,0"),
    ] {
        let options = format!("--quiet --ray {ray} --query count --cull back");
        let ran = folder.run(&format!("cast F/world.toml {options}"));
        assert_eq!(ran.stdout.lines().nth(1), Some(count), "{ray}");
    }
    let told = "no column \"instance\"; available are ray, hit, and from";
    cast("--query any --columns instance").fails_with(2, told);
    let object = cast("--explain --json").json();
    assert!(object["batch"]["technique"].is_string(), "{object}");
}

/// A scene whose matrices are exact gives the hits of the mesh that it is as a whole.
#[test]
fn a_scene_is_cast_as_its_flat_mesh() {
    let folder = world();
    let placed = |i| {
        let z = i % 3;
        format!("[[placement]]\nobject = 'x'\nmatrix = [1,0,0,{i}, 0,2,0,0, 0,0,1,{z}]\n")
    };
    let scene: String = (0..8).map(placed).collect();
    let row = format!("object = [{{ name = 'x', mesh = 'x.obj' }}]\n{scene}");
    folder.put("row.toml", row);
    let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]];
    let mesh = |moved: &dyn Fn([i32; 3]) -> [i32; 3]| -> String {
        corners
            .map(|corner| {
                let [x, y, z] = moved(corner);
                format!("v {x} {y} {z}\n")
            })
            .concat()
    };
    folder.put("x.obj", format!("{}f 1 2 3\nf 1 3 4\n", mesh(&|p| p)));
    let flat: String = (0..8)
        .map(|i| mesh(&|[x, y, z]| [x + i, 2 * y, z + i % 3]))
        .collect();
    let faces: String = (0..8)
        .map(|i| 4 * i + 1)
        .map(|a| format!("f {a} {} {}\nf {a} {} {}\n", a + 1, a + 2, a + 2, a + 3))
        .collect();
    folder.put("flat.obj", flat + &faces);
    let ray = |i: i32| {
        let [x, y] = [33, 9].map(|n| (i % n) as f32 / 4.0);
        format!("{x},{y},9,{},0,-1\n", (i % 5) as f32 / 16.0)
    };
    let rays: String = (0..300).map(ray).collect();
    folder.put("rays.csv", format!("ox,oy,oz,dx,dy,dz\n{rays}"));
    for query in ["closest", "all", "count", "crossing-hits"] {
        let cast = |rest: &str| {
            let line = format!("cast F/{rest} --rays F/rays.csv --query {query}");
            folder.run(&line).ok()
        };
        let flat = cast("flat.obj");
        if query == "count" {
            assert_eq!(cast("row.toml"), flat);
            continue;
        }
        let numbered = cast("row.toml --columns ray,hit,t,prim,u,v,instance");
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
        let rows = format!("ray,hit,t,prim,u,v\n{}", rows.collect::<String>());
        assert_eq!(rows, flat);
        assert!(flat.lines().count() > 200);
    }
}

#[test]
fn pick_names_the_instance() {
    let folder = world();
    let pick = |at: &str| {
        let view = format!("--eye={at},0.25,3 --at={at},0.25,0 --size=2x2 --pixel=1.0,1.0");
        let line = format!("pick F/world.toml {view} --quiet");
        let text = folder.run(&line).ok();
        (text, folder.run(&format!("{line} --json")).ok_json())
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
    assert_eq!(hit["source"], "a sheet, small.obj");
    assert_eq!(hit["line"], 6);
    let (text, object) = pick("0.25");
    let start = "instance        0\nsource          parts/a sheet, small.obj\n";
    assert!(text.starts_with(start), "{text}");
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
    let one =
        "object = [{ name = 'x', mesh = 'demo:solids?n=400' }]\n[[placement]]\nobject = 'x'\n";
    folder.put("one.toml", one);
    let view = "--size=40x25 --eye=2,4,9 --at=0,0.5,0 --samples=1 --quiet";
    for shade in ["normal", "facing", "depth", "id", "material"] {
        let options = format!("{view} --shade {shade}");
        folder
            .run(&format!(
                "render demo:solids?n=400 {options} --out F/{shade}.png"
            ))
            .ok();
        folder
            .run(&format!(
                "render F/one.toml {options} --compare F/{shade}.png"
            ))
            .ok();
    }
    // The same bytes for any number of threads, with a view of its own.
    let bytes = |threads: &str, shade: &str| {
        let options =
            format!("--quiet --shade {shade} --samples=1 --size=32x20 --threads {threads}");
        folder
            .run(&format!(
                "render F/world.toml {options} --out F/picture.png"
            ))
            .ok();
        folder.bytes("picture.png")
    };
    for shade in ["instance", "ao"] {
        assert_eq!(bytes("1", shade), bytes("3", shade), "{shade}");
    }
    assert_ne!(bytes("1", "instance"), bytes("1", "ao"));
}

#[test]
fn info_counts_what_is_placed() {
    let folder = world();
    let text = folder.run("info F/world.toml").ok();
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
    let object = folder.run("info F/world.toml --json").ok_json();
    assert_eq!(object["schema"], "estoc.scene-info/1");
    assert_eq!(object["triangles"], 5);
    assert_eq!(object["stored_triangles"], 1);
    assert_eq!(object["objects"][1]["is_scene"], true);
    let many = run("info demo:city?n=2000 demo:pick demo:sphere?n=8 --json").ok_json();
    assert_eq!(many["meshes"][0]["placements"], 2000);
    assert_eq!(many["meshes"][1]["closed_meshes"], 4);
    assert_eq!(many["meshes"][2]["schema"], "estoc.info/1");
}

#[test]
fn other_verbs_take_one_mesh() {
    let folder = world();
    for line in [
        "build F/world.toml --out F/out.estoc",
        "check F/world.toml",
        "section F/world.toml --plane 0,0,1,0",
        "verify F/world.toml",
        "bench F/world.toml",
    ] {
        let told = folder.run(line).fails(2);
        assert_eq!(
            told.lines().last().unwrap(),
            "estoc: F/world.toml: this takes one mesh, not a scene of placed meshes; name the mesh of \
             one of its objects, which estoc info F/world.toml lists",
            "{line}"
        );
    }
    assert!(!folder.has("out.estoc"));
    for shade in ["heat", "thickness"] {
        let told = format!("--shade {shade} needs one mesh");
        let line = format!("render F/world.toml --shade {shade} --out x.png");
        folder.run(&line).fails_with(2, &told);
    }
    let told = "demo:sphere: --shade instance needs a scene";
    run("render demo:sphere --shade instance --out x.png").fails_with(2, told);
    let brute = folder.run("cast F/world.toml --ray=0,0,1,0,0,-1 --engine brute");
    brute.fails_with(2, "--engine brute takes one mesh");
}

#[test]
fn what_is_wrong_in_a_scene_is_told_with_its_line() {
    let folder = world();
    let ray = "--ray=0,0,1,0,0,-1";
    let cast = |text: &str, rest: &str| {
        folder.put("x.toml", text);
        folder.run(&format!("cast F/x.toml {ray} {rest}"))
    };
    folder.put("bad.obj", "v 0 0 0\nf 1 2 3\n");
    let bad = "\n[[object]]\nname = 'x'\nmesh = 'bad.obj'\n[[placement]]\nobject = 'x'\n";
    let told = cast(bad, "").fails(3);
    assert_eq!(
        told,
        "estoc: F/x.toml:2: F/bad.obj:2: vertex index 2 is out of range (1 vertex); use \
         --skip-bad-faces to skip such faces\n"
    );
    let told = "F/x.toml: nothing is placed, so nothing can be hit";
    cast(bad, "--skip-bad-faces --quiet").fails_with(3, told);
    let told = cast("[[object]]\nname = 'x'\nmesh = 'none.obj'\n", "").fails(3);
    let start = "estoc: F/x.toml:1: F/none.obj: ";
    assert!(told.starts_with(start), "{told}");
    let told = cast("[[objects]]\n", "").fails(3);
    assert_eq!(
        told,
        "estoc: F/x.toml:1: a scene file has no key \"objects\": its keys are [[object]] and \
         [[placement]]\n"
    );
    let told = "F/x.toml: has more than 100 bytes; raise the limit with --max-input";
    cast(WORLD, "--max-input 100").fails_with(3, told);
    let told = folder.run("info F/none.toml").fails(3);
    assert!(
        told.starts_with("estoc: F/none.toml: No such file"),
        "{told}"
    );
    assert_has(&told, "check the path");
    let told = run("info demo:city?n=0").fails(2);
    let expected = "estoc: demo:city?n=0: n=\"0\" is not a whole number from 1 to 1000000\n";
    assert_eq!(told, expected);
    // A result never replaces a file that the scene consists of.
    for name in ["world.toml", "parts/row.toml"] {
        let told = folder
            .run(&format!("cast F/world.toml {ray} --out F/{name}"))
            .fails(2);
        assert!(told.contains("--out would replace"), "{name}: {told}");
    }
    assert_eq!(folder.read("parts/row.toml"), ROW);
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
        crate::common::make_pipe(folder.path(name));
        let text = format!("object = [{{ name = 'part', {key} = '{name}' }}]\n");
        folder.put("world.toml", text);
        let told = folder.run("info F/world.toml").fails(3);
        let expected = format!(
            "estoc: F/world.toml:1: \"F/{name}\": it is a named pipe; remove it, or put an ordinary file \
             in its place\n"
        );
        assert_eq!(told, expected);
    }
}
