//! Scenes of spheres and boxes: `info`, `cast`, `pick` and `render` on them.

use crate::common::{Folder, run};
use serde_json::json;

/// A post of a box with a ball on it, in place and 10 to the right at half the size; and a sheet.
const WORLD: &str = "object = [
    { name = 'post, red', spheres = [{ center = [0, 3, 0], radius = 1 }],
      boxes = [{ min = [-1, 0, -1], max = [1, 2, 1] }] },
    { name = 'sheet', mesh = 'sheet.obj' },
]
[[placement]]
object = 'post, red'
name = 'tall'
[[placement]]
object = 'post, red'
matrix = [0.5, 0, 0, 10,  0, 0.5, 0, 0,  0, 0, -0.5, 0]
[[placement]]
object = 'sheet'
";
const SHEET: &str = "v -20 -1 -20\nv 20 -1 -20\nv 20 -1 20\nv -20 -1 20\nf 4 3 2 1\n";
const RAYS: &str = "id,ox,oy,oz,dx,dy,dz\na,0,3,9,0,0,-2\nb,0,1,9,0,0,-2\nc,10,1.5,9,0,0,-2\n\
                    d,0,9,0,0,-1,0\ne,5,1,9,0,0,-1\n";

fn world() -> Folder {
    Folder::with(&[
        ("world.toml", WORLD),
        ("sheet.obj", SHEET),
        ("rays.csv", RAYS),
    ])
}

#[test]
fn cast_tells_which_shape_is_hit() {
    let folder = world();
    let cast = |rest: &str| {
        let line = format!("cast F/world.toml --quiet --rays F/rays.csv {rest}");
        folder.run(&line).ok()
    };
    assert_eq!(
        cast(""),
        "ray,hit,t,prim,u,v,source,instance\n0,1,4,0,0,0,\"post, red\",0\n1,1,4,1,0,0,\"post, red\",0\n\
         2,1,4.25,0,0,0,\"post, red\",1\n3,1,5,0,0,0,\"post, red\",0\n4,0,inf,-1,,,,\n"
    );
    assert_eq!(
        cast("--query all --columns id,t,prim,instance,point,normal,object"),
        "id,t,prim,instance,point_x,point_y,point_z,normal_x,normal_y,normal_z,object\n\
         a,4,0,0,0,3,1,0,0,1,\na,5,0,0,0,3,-1,0,0,-1,\nb,4,1,0,0,1,1,0,0,1,\nb,5,1,0,0,1,-1,0,0,-1,\n\
         c,4.25,0,1,10,1.5,0.5,0,0,1,\nc,4.75,0,1,10,1.5,-0.5,0,0,-1,\n\
         d,5,0,0,0,4,0,0,1,0,\nd,7,0,0,0,2,0,0,-1,0,\nd,7,1,0,0,2,0,0,1,0,\nd,9,1,0,0,0,0,0,-1,0,\n\
         d,10,0,2,0,-1,0,0,1,0,\nd,10,1,2,0,-1,0,0,1,0,\n"
    );
    let crossings = "ray,count\n0,2\n1,2\n2,2\n3,5\n4,0\n";
    assert_eq!(cast("--query crossings"), crossings);
    // A scene of nothing else can be hit, and one of no shapes cannot.
    let ray = "cast F/x.toml --ray=0,0,1,0,0,-1";
    let empty = "object = [{ name = 'x', spheres = [] }]\n[[placement]]\nobject = 'x'\n";
    folder.put("x.toml", empty);
    folder.run(ray).fails_with(3, "nothing can be hit");
    let negative = "[[object]]\nname = 'x'\nspheres = [{ center = [0, 0, 0], radius = -2 }]\n";
    folder.put("x.toml", negative);
    assert_eq!(
        folder.run(ray).fails(3),
        "estoc: F/x.toml:3: the sphere's radius -2 must not be negative: pass its absolute value\n"
    );
}

#[test]
fn pick_names_the_shape() {
    let folder = world();
    let view = "--eye=0,1,5 --at=0,1,0 --size=2x2 --pixel=1.0,1.0 --quiet";
    let line = format!("pick F/world.toml {view}");
    let text = folder.run(&line).ok();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..8],
        [
            "instance        0 (tall)",
            "source          post, red",
            "shape           box",
            "prim            1",
            "side            front",
            "point           0,1,1",
            "distance        4",
            "normal          0,0,1",
        ]
    );
    let object = folder.run(&format!("{line} --json")).ok_json();
    let hit = &object["hit"];
    assert_eq!((&hit["shape"], &hit["prim"]), (&"box".into(), &1.into()));
    assert_eq!(hit["point"], json!([0.0, 1.0, 1.0]));
    assert!(hit["face"].is_null() && hit["material"].is_null() && hit["line"].is_null());
}

#[test]
fn info_counts_shapes() {
    let folder = world();
    let text = folder.run("info F/world.toml").ok();
    for line in [
        "  triangles  2 placed, 2 stored",
        "  shapes     4 placed",
        "  closed     no, 1 of 3 placed objects are open",
        "  object     post, red: 1 sphere, 1 box, placed 2 times",
        "  object     sheet: sheet.obj, 2 triangles, placed 1 time",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}:\n{text}");
    }
    let object = folder.run("info F/world.toml --json").ok_json();
    assert_eq!(object["shapes"], 4);
    assert_eq!(object["objects"][0]["source"], "post, red");
    assert_eq!(object["objects"][0]["shapes"], 2);
}

#[test]
fn pictures_show_shapes() {
    let folder = world();
    let picture = |name: &str, shade: &str| {
        let options = format!("--quiet --size=24x16 --samples=1 --shade {shade}");
        folder
            .run(&format!("render F/{name} {options} --out F/picture.png"))
            .ok();
        folder.bytes("picture.png")
    };
    let shades = [
        "instance", "ao", "depth", "normal", "facing", "id", "material",
    ];
    let pictures = shades.map(|shade| picture("world.toml", shade));
    for (i, a) in pictures.iter().enumerate() {
        assert!(pictures[..i].iter().all(|b| a != b), "{}", shades[i]);
    }
    // A box looks as its mesh does.
    let scene = |object: &str| {
        format!(
            "object = [{{ name = 'x', {object} }}]\n[[placement]]\nobject = 'x'\nmatrix = [0.8, -0.6, 0, 0, 0.6, 0.8, 0, 0, 0, 0, 1, 0]\n"
        )
    };
    let cube = "boxes = [{ min = [-0.5, 0, -0.5], max = [0.5, 1, 0.5] }]";
    folder.put("a.toml", scene(cube));
    folder.put("b.toml", scene("mesh = 'demo:box'"));
    for shade in ["normal", "facing", "depth"] {
        let [a, b] = ["a.toml", "b.toml"].map(|name| picture(name, shade));
        assert_eq!(a, b, "{shade}");
    }
    let all = run("cast demo:pick --ray=0,9,0,0,-1,0 --query all").ok();
    let last = all.lines().last().unwrap();
    assert!(last.ends_with(",0,0,0,ground,0"), "{all}");
}
