//! glTF files whose nodes are placements.

use crate::common::{Folder, assert_has, estoc};
use serde_json::json;

/// A triangle, in place and mirrored 10 to the right, in a node that raises both.
const PAIR: &str = r#"{"asset":{"version":"2.0"},"animations":[{}],
"nodes":[{"children":[1,2],"translation":[0,0,0.5]},{"mesh":0,"name":"left, first"},
    {"mesh":0,"matrix":[-2,0,0,0, 0,1,0,0, 0,0,1,0, 10,0,0,1]}],"scenes":[{"nodes":[0]}],
"meshes":[{"name":"flag","primitives":[{"attributes":{"POSITION":0}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
"bufferViews":[{"buffer":0,"byteLength":36}],
"buffers":[{"byteLength":36,"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}"#;

fn pair() -> Folder {
    Folder::with(&[("pair.gltf", PAIR)])
}

#[test]
fn nodes_are_placements() {
    let folder = pair();
    let rays = "ox,oy,oz,dx,dy,dz\n0.25,0.5,2,0,0,-1\n9,0.25,2,0,0,-1\n5,5,5,0,0,-1\n";
    folder.put("rays.csv", rays);
    let columns = "--columns ray,t,u,v,instance,point,normal,object";
    let args = format!("cast scene:F/pair.gltf --rays F/rays.csv --cull back {columns}");
    let ran = folder.run(&args);
    let note = "pair.gltf: not read: animations (1)\n";
    assert!(ran.stderr.ends_with(note), "{}", ran.stderr);
    assert_eq!(
        ran.stdout,
        "ray,t,u,v,instance,point_x,point_y,point_z,normal_x,normal_y,normal_z,object\n\
         0,1.5,0.25,0.5,0,0.25,0.5,0.5,0,0,1,flag\n1,1.5,0.5,0.25,1,9,0.25,0.5,0,0,1,flag\n\
         2,inf,,,,,,,,,,\n"
    );
    let info = folder.run("info scene:F/pair.gltf --json").json();
    for (name, number) in [
        ("placements", 2),
        ("triangles", 2),
        ("stored_triangles", 1),
        ("depth", 1),
    ] {
        assert_eq!(info[name], number, "{name}");
    }
    // As a mesh, it is one of all nodes.
    let mesh = folder.run("info -q F/pair.gltf --json").ok_json();
    assert_eq!(mesh["schema"], "estoc.info/1");
    assert_eq!(mesh["triangles"], 2);
    let view = "--eye=9,0.25,3 --at=9,0.25,0 --size=2x2 --pixel=1.0,1.0";
    let pick = folder
        .run(&format!("pick -q --json scene:F/pair.gltf {view}"))
        .ok_json();
    assert_eq!(pick["hit"]["instance"], "1");
    assert_eq!(pick["hit"]["side"], "front");
    assert_eq!(pick["hit"]["names"], json!([null]));
    let check = folder.run("check scene:F/pair.gltf");
    check.fails_with(2, "this takes one mesh, not a scene");
}

#[test]
fn scene_files_nest_nodes() {
    let folder = pair();
    folder.put(
        "world.toml",
        "[[object]]\nname = 'pair'\nscene = 'pair.gltf'\n[[placement]]\nobject = 'pair'\n\
         matrix = [1,0,0,100, 0,1,0,0, 0,0,1,0]\n",
    );
    let ran = folder.run("cast F/world.toml -q --ray=100.25,0.5,2,0,0,-1");
    assert_eq!(
        ran.ok(),
        "ray,hit,t,prim,u,v,source,instance\n0,1,1.5,0,0.25,0.5,F/pair.gltf,0/0\n"
    );
    // What is wrong is told with the file, and the line that names it.
    let twice = PAIR.replace("\"children\":[1,2]", "\"children\":[1,1]");
    folder.put("pair.gltf", &twice);
    let told = folder.run("cast F/world.toml --ray=0,0,2,0,0,-1").fails(3);
    assert_eq!(
        told,
        "estoc: F/world.toml:1: F/pair.gltf: nodes[1]: invalid glTF: the node occurs twice in the scene, \
         or inside itself\n"
    );
    // A node that flattens is left out and told, here and where a scene file places the file.
    folder.put("pair.gltf", PAIR.replace("[-2,0,0,0, ", "[0,0,0,0, "));
    let nested = folder.run("cast F/world.toml --ray=100.25,0.5,2,0,0,-1");
    let told = "estoc: scene:F/pair.gltf: not read: nodes that flatten their meshes, as a scale of 0 \
                does (1)\nestoc: scene:F/pair.gltf: not read: animations (1)\n";
    assert_eq!(nested.stderr, told);
    let row = "0,1,1.5,0,0.25,0.5,F/pair.gltf,0/0";
    assert_eq!(nested.stdout.lines().nth(1), Some(row));
    let info = folder.run("info -q --json scene:F/pair.gltf").ok_json();
    assert_eq!(info["placements"], 1);
    let told = estoc(["info", "scene:none.glb"]).fails(3);
    assert!(told.starts_with("estoc: none.glb: "), "{told}");
    folder.put("sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let told = folder.run("info scene:F/sheet.obj").fails(3);
    assert_has(&told, "nodes, which only glTF has");
}
