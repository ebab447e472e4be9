//! glTF files whose nodes are placements.

use crate::common::{Folder, estoc};
use serde_json::{Value, json};

/// A triangle, in place and mirrored 10 to the right, in a node that raises both.
const PAIR: &str = r#"{"asset":{"version":"2.0"},"animations":[{}],
"nodes":[{"children":[1,2],"translation":[0,0,0.5]},{"mesh":0,"name":"left, first"},
    {"mesh":0,"matrix":[-2,0,0,0, 0,1,0,0, 0,0,1,0, 10,0,0,1]}],"scenes":[{"nodes":[0]}],
"meshes":[{"name":"flag","primitives":[{"attributes":{"POSITION":0}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
"bufferViews":[{"buffer":0,"byteLength":36}],
"buffers":[{"byteLength":36,"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}"#;

fn pair() -> Folder {
    let folder = Folder::new();
    folder.put("pair.gltf", PAIR);
    folder
}

#[test]
fn nodes_are_placements() {
    let folder = pair();
    let scene = format!("scene:{}", folder.path("pair.gltf"));
    folder.put(
        "rays.csv",
        "ox,oy,oz,dx,dy,dz\n0.25,0.5,2,0,0,-1\n9,0.25,2,0,0,-1\n5,5,5,0,0,-1\n",
    );
    let rays = folder.path("rays.csv");
    let columns = ["--columns", "ray,t,u,v,instance,point,normal,object"];
    let args = ["cast", &scene, "--rays", &rays, "--cull", "back"];
    let ran = estoc(args.iter().chain(&columns));
    assert!(
        ran.stderr
            .ends_with("pair.gltf: not read: animations (1)\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        ran.stdout,
        "ray,t,u,v,instance,point_x,point_y,point_z,normal_x,normal_y,normal_z,object\n\
         0,1.5,0.25,0.5,0,0.25,0.5,0.5,0,0,1,flag\n1,1.5,0.5,0.25,1,9,0.25,0.5,0,0,1,flag\n\
         2,inf,,,,,,,,,,\n"
    );
    let info = estoc(["info", &scene, "--json"]);
    let info: Value = serde_json::from_str(&info.stdout).unwrap();
    assert_eq!(
        (&info["placements"], &info["triangles"]),
        (&2.into(), &2.into())
    );
    assert_eq!(
        (&info["stored_triangles"], &info["depth"]),
        (&1.into(), &1.into())
    );
    // As a mesh, it is one of all nodes.
    let mesh = estoc(["info", "-q", &folder.path("pair.gltf"), "--json"]).ok();
    let mesh: Value = serde_json::from_str(&mesh).unwrap();
    assert_eq!(
        (&mesh["schema"], &mesh["triangles"]),
        (&"estoc.info/1".into(), &2.into())
    );
    let view = [
        "--eye=9,0.25,3",
        "--at=9,0.25,0",
        "--size=2x2",
        "--pixel=1.0,1.0",
    ];
    let pick = estoc(["pick", "-q", "--json", &scene].iter().chain(&view)).ok();
    let pick: Value = serde_json::from_str(&pick).unwrap();
    assert_eq!(
        (&pick["hit"]["instance"], &pick["hit"]["side"]),
        (&"1".into(), &"front".into())
    );
    assert_eq!(pick["hit"]["names"], json!([null]));
    let told = estoc(["check", &scene]).fails(2);
    assert!(told.contains("this takes one mesh, not a scene"), "{told}");
}

#[test]
fn scene_files_nest_nodes() {
    let folder = pair();
    folder.put(
        "world.toml",
        "[[object]]\nname = 'pair'\nscene = 'pair.gltf'\n[[placement]]\nobject = 'pair'\n\
         matrix = [1,0,0,100, 0,1,0,0, 0,0,1,0]\n",
    );
    let ran = folder.run("cast", "world.toml", &["-q", "--ray=100.25,0.5,2,0,0,-1"]);
    assert_eq!(
        ran.ok(),
        "ray,hit,t,prim,u,v,source,instance\n0,1,1.5,0,0.25,0.5,F/pair.gltf,0/0\n"
    );
    // What is wrong is told with the file, and the line that names it.
    folder.put(
        "pair.gltf",
        &PAIR.replace("\"children\":[1,2]", "\"children\":[1,1]"),
    );
    let told = folder
        .run("cast", "world.toml", &["--ray=0,0,2,0,0,-1"])
        .fails(3);
    assert_eq!(
        told,
        "estoc: F/world.toml:1: F/pair.gltf: nodes[1]: invalid glTF: the node occurs twice in the scene, \
         or inside itself\n"
    );
    // A node that flattens is left out and told, here and where a scene file places the file.
    folder.put("pair.gltf", &PAIR.replace("[-2,0,0,0, ", "[0,0,0,0, "));
    let ray = "--ray=100.25,0.5,2,0,0,-1";
    let nested = folder.run("cast", "world.toml", &[ray]);
    let told = "estoc: scene:F/pair.gltf: not read: nodes that flatten their meshes, as a scale of 0 \
                does (1)\nestoc: scene:F/pair.gltf: not read: animations (1)\n";
    assert_eq!(nested.stderr, told);
    assert_eq!(
        nested.stdout.lines().nth(1).unwrap(),
        "0,1,1.5,0,0.25,0.5,F/pair.gltf,0/0"
    );
    let scene = format!("scene:{}", folder.path("pair.gltf"));
    let info = estoc(["info", "-q", "--json", &scene]).ok();
    let info: Value = serde_json::from_str(&info).unwrap();
    assert_eq!(info["placements"], 1);
    let told = estoc(["info", "scene:none.glb"]).fails(3);
    assert!(told.starts_with("estoc: none.glb: No such file"), "{told}");
    folder.put("sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let scene = format!("scene:{}", folder.path("sheet.obj"));
    let told = estoc(["info", &scene]).fails(3);
    assert!(told.contains("nodes, which only glTF has"), "{told}");
}
