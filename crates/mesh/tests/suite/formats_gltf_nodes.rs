//! The nodes of glTF as what places meshes.
#![cfg(feature = "gltf")]

use crate::common::{assert_contains, floats};
use estoc_core::glam::{DAffine3, DVec3};
use estoc_mesh::{Mesh, MeshError, MeshLoader, MeshNodes, MeshReport};
use estoc_testkit::conformance::Effort;

/// Two meshes of a triangle each: the first named, the second with its corners at 0.
fn document(rest: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},{rest},
        "meshes":[{{"name":"m","primitives":[{{"attributes":{{"POSITION":0}}}}]}},
            {{"primitives":[{{"attributes":{{"POSITION":1}}}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},
            {{"componentType":5126,"count":6,"type":"VEC3"}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}}],
        "buffers":[{{"byteLength":36,"uri":"b.bin"}}]}}"#
    )
}

const TRIANGLE: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];

fn read(rest: &str) -> Result<MeshNodes, MeshError> {
    let source = |_: &str| Ok(floats(&TRIANGLE));
    let loader = MeshLoader::new().file_source(&source);
    loader.read_nodes(document(rest).as_bytes(), "a.gltf")
}

fn as_mesh(rest: &str) -> Mesh {
    let source = |_: &str| Ok(floats(&TRIANGLE));
    let loader = MeshLoader::new().file_source(&source);
    loader.read(document(rest).as_bytes(), "a.gltf").unwrap()
}

fn ignored(report: &MeshReport) -> Vec<(String, u64)> {
    let parts = report.unread_parts.iter();
    parts.map(|part| (part.what.clone(), part.count)).collect()
}

fn refusal(rest: &str) -> String {
    read(rest).unwrap_err().to_string()
}

#[test]
fn each_mesh_is_read_once() {
    let file = read(
        r#""animations":[{}],"nodes":[{"children":[1,2,3],"translation":[10,0,0],"scale":[2,2,2]},
        {"mesh":1,"name":"le\u001bft","translation":[1,2,3]},
        {"mesh":0,"skin":0},
        {"mesh":1,"name":"","matrix":[-1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,5,1]},
        {"mesh":0,"name":"elsewhere"}],"scenes":[{"nodes":[0]}]"#,
    )
    .unwrap();
    // In the order of the nodes that use them.
    let counts: Vec<usize> = file.meshes.iter().map(Mesh::triangle_count).collect();
    assert_eq!(counts, [2, 1]);
    assert_eq!(file.names, [None, Some("m".to_owned())]);
    let told: Vec<_> = { file.nodes.iter() }
        .map(|node| {
            (
                (node.index, node.name.as_deref()),
                (node.mesh, node.is_mirrored),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ((Some(1), Some("le ft")), (0, false)),
            ((Some(2), None), (1, false)),
            ((Some(3), None), (0, true))
        ]
    );
    let moved = DAffine3::from_translation(DVec3::new(12.0, 4.0, 6.0));
    let doubled = moved * DAffine3::from_scale(DVec3::splat(2.0));
    assert_eq!(file.nodes[0].transform, doubled);
    let first = file.meshes[1].triangles().next().unwrap();
    assert_eq!(first.corners()[1], [1.0, 0.0, 0.0].into());
    // The skin does not exist.
    let skins = "skins, so that their meshes are not posed".to_owned();
    let found = ignored(&file.report);
    assert_eq!(found, [(skins, 1), ("animations".into(), 1)]);
    assert_eq!(file.report.named_files, ["b.bin"]);

    // Without nodes, each mesh is where it is.
    let file = read(r#""extras":0"#).unwrap();
    assert_eq!((file.meshes.len(), file.nodes.len()), (2, 2));
    assert_eq!(file.nodes[1].transform, DAffine3::IDENTITY);
    let file = read(r#""nodes":[{}]"#).unwrap();
    assert!(file.meshes.is_empty() && file.nodes.is_empty());
    let unused = "meshes, none of which is in the scene".to_owned();
    assert_eq!(ignored(&file.report), [(unused, 2)]);
}

/// Nodes that flatten: by themselves, by a node around them, in a rotated plane, and by numbers whose
/// product is too small for `f64`.
#[test]
fn nodes_that_flatten_are_left_out_and_counted() {
    let file = read(
        r#""nodes":[{"children":[1,2,3,4,5,6,8,12]},
        {"mesh":0,"scale":[0,0,0],"translation":[3,0,0]},
        {"mesh":0,"translation":[5,0,0]},
        {"mesh":1,"scale":[1,0,1]},
        {"mesh":1,"matrix":[1,2,3,0, 2,4,6,0, 0,0,1,0, 0,0,0,1]},
        {"rotation":[0.1,0.2,0.3,0.9],"scale":[1,1e-200,1],"children":[7]},
        {"rotation":[0.3,0.5,0.1,0.7],"scale":[1,0,1],"children":[10]},
        {"mesh":0,"scale":[1e-200,1e-200,1e-200]},
        {"rotation":[0.1,0.2,0.3,0.9],"children":[9]},
        {"scale":[1,0,1],"children":[11]},
        {"mesh":0,"rotation":[0.2,0.4,0.1,0.8]},
        {"mesh":0,"rotation":[0.2,0.4,0.1,0.8]},
        {"mesh":0,"scale":[1e-100,1e-100,1e-100]}],"scenes":[{"nodes":[0]}]"#,
    )
    .unwrap();
    let placed: Vec<_> = file.nodes.iter().map(|node| node.index).collect();
    // That of numbers that are only small is placed.
    assert_eq!(placed, [Some(2), Some(12)]);
    assert_eq!(file.meshes.len(), 1);
    let flat = "nodes that flatten their meshes, as a scale of 0 does".to_owned();
    assert_eq!(ignored(&file.report), [(flat, 6)]);
}

#[test]
fn hidden_nodes_hide_what_they_contain() {
    let hidden = r#""extensions":{"KHR_node_visibility":{"visible":false}}"#;
    let shown = r#""extensions":{"KHR_node_visibility":{"visible":true}}"#;
    let scene = format!(
        r#""extensionsRequired":["KHR_node_visibility"],"nodes":[{{"children":[1,2,3,4]}},
        {{"mesh":0,{hidden},"children":[5,6]}},{{"mesh":0,{shown}}},
        {{"mesh":0,"extensions":{{"KHR_node_visibility":{{}}}}}},
        {{{hidden}}},{{"mesh":0,{shown}}},{{"children":[7]}},{{"mesh":1}}],
        "scenes":[{{"nodes":[0]}}]"#
    );
    let file = read(&scene).unwrap();
    let placed: Vec<_> = file.nodes.iter().map(|node| node.index).collect();
    assert_eq!(placed, [Some(2), Some(3)]);
    let told = "nodes that KHR_node_visibility hides".to_owned();
    assert_eq!(ignored(&file.report), [(told.clone(), 3)]);
    let mesh = as_mesh(&scene);
    assert_eq!(mesh.triangle_count(), 2);
    assert_eq!(ignored(mesh.report()), [(told.clone(), 3)]);
    // All of them.
    let file = read(&format!(r#""nodes":[{{"mesh":0,{hidden}}}]"#)).unwrap();
    let found = (file.nodes.len(), ignored(&file.report));
    assert_eq!(found, (0, vec![(told, 1)]));
    // Hidden nodes are checked all the same.
    let twice = format!(r#""nodes":[{{"children":[1,1],{hidden}}},{{}}]"#);
    assert_contains(
        &refusal(&twice),
        "nodes[1]: invalid glTF: the node occurs twice",
    );
}

#[test]
fn wrong_nodes_are_refused() {
    for (nodes, roots, place, problem) in [
        (
            r#"{"children":[1]},{"mesh":0,"children":[0]}"#,
            "0",
            0,
            "the node occurs twice in the scene, or inside itself",
        ),
        (
            r#"{"mesh":0},{"mesh":7}"#,
            "0,1",
            1,
            "meshes[7] does not exist",
        ),
        (
            r#"{"mesh":0,"rotation":[0,0,0,0]}"#,
            "0",
            0,
            "its rotation is not a unit quaternion",
        ),
        (
            r#"{"mesh":0,"matrix":[1,0,0,1, 0,1,0,0, 0,0,1,0, 0,0,0,1]}"#,
            "0",
            0,
            "the last row of its matrix is not 0 0 0 1",
        ),
    ] {
        let scene = format!(r#""nodes":[{nodes}],"scenes":[{{"nodes":[{roots}]}}]"#);
        let told = format!("a.gltf: nodes[{place}]: invalid glTF: {problem}");
        assert_eq!(refusal(&scene), told);
    }
    let loader = MeshLoader::new();
    let found = loader.read_nodes(b"v 0 0 0\n", "a.obj").unwrap_err();
    let told = "a.obj: unsupported OBJ: nodes, which only glTF has; load the file as a mesh";
    assert_eq!(found.to_string(), told);
    assert!(loader.load_nodes("no such file.glb").is_err());
    // A chain as long as the file allows.
    let depth = 20_000;
    let chain: Vec<String> = (1..depth)
        .map(|next| format!(r#"{{"children":[{next}]}}"#))
        .collect();
    let chain = format!(r#""nodes":[{},{{"mesh":0}}]"#, chain.join(","));
    assert_eq!(read(&chain).unwrap().nodes[0].index, Some(depth - 1));
}

/// Many meshes of the same arrays take no more than one mesh may that has all of them. `ESTOC_LONG=1`
/// fills the quarter of a gigabyte that any file may take.
#[test]
fn meshes_share_one_limit_of_memory() {
    if !Effort::is_long() {
        return;
    }
    let mesh = r#"{"primitives":[{"attributes":{"POSITION":0}}]}"#;
    let meshes = vec![mesh; 300].join(",");
    let nodes: Vec<String> = (0..300)
        .map(|mesh| format!(r#"{{"mesh":{mesh}}}"#))
        .collect();
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{}],"meshes":[{meshes}],
        "accessors":[{{"componentType":5126,"count":300000,"type":"VEC3"}}]}}"#,
        nodes.join(",")
    );
    let found = MeshLoader::new().read_nodes(text.as_bytes(), "a.gltf");
    let told = "its meshes take more than 256 times the size of the file";
    assert_contains(&found.unwrap_err().to_string(), told);
}
