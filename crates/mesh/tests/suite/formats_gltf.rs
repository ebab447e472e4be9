//! The features of glTF besides triangles: scenes, transforms, strips, extensions, and errors.
#![cfg(feature = "gltf")]

use crate::common::written::{base64, glb_of};
use crate::common::{assert_contains, assert_starts, floats, prim, skip, warnings};
use estoc_core::glam::Vec3;
use estoc_mesh::{Mesh, MeshError, MeshLoader};

/// Returns a document with one buffer; each of the pieces is a view.
fn document(parts: &str, views: &[&[u8]]) -> String {
    let mut offset = 0;
    let views_json: Vec<String> = views
        .iter()
        .map(|view| {
            let start = offset;
            offset += view.len();
            format!(
                r#"{{"buffer":0,"byteOffset":{start},"byteLength":{}}}"#,
                view.len()
            )
        })
        .collect();
    let data = base64(&views.concat());
    format!(
        r#"{{"asset":{{"version":"2.0"}},{parts},
"bufferViews":[{}],"buffers":[{{"byteLength":{offset},"uri":"data:;base64,{data}"}}]}}"#,
        views_json.join(",")
    )
}

fn read(text: &str) -> Result<Mesh, MeshError> {
    MeshLoader::new().read(text.as_bytes(), "a.gltf")
}

fn refusal(text: &str) -> String {
    crate::common::refusal(text, "a.gltf")
}

const TRIANGLE: &[f32] = &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
const POSITIONS: &str =
    r#""accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}]"#;
const MESH: &str = r#""meshes":[{"name":"m","primitives":[{"attributes":{"POSITION":0}}]}]"#;

/// Returns the triangle in a scene of these nodes.
fn scene(nodes: &str) -> String {
    let parts = format!(r#"{POSITIONS},{MESH},"nodes":[{nodes}],"scenes":[{{"nodes":[0]}}]"#);
    document(&parts, &[&floats(TRIANGLE)])
}

#[test]
fn nodes_move_and_name_meshes() {
    let nodes = r#"{"children":[1,2],"translation":[10,0,0],"scale":[2,2,2]},
        {"mesh":0,"name":"le\u001bft","translation":[1,2,3]},
        {"mesh":0,"rotation":[0,0,1,0],"children":[3]},
        {"mesh":0,"name":"flip","matrix":[-1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,5,1]},
        {"mesh":0,"name":"elsewhere"}"#;
    let mesh = read(&scene(nodes)).unwrap();
    let corners: Vec<_> = mesh
        .triangles()
        .map(|t| t.corners().map(|p| p.to_array()))
        .collect();
    assert_eq!(
        corners,
        [
            [[12.0, 4.0, 6.0], [14.0, 4.0, 6.0], [12.0, 6.0, 6.0]],
            [[10.0, 0.0, 0.0], [8.0, 0.0, 0.0], [10.0, -2.0, 0.0]],
            // Mirrored, with the corners in the other order: its front still faces up.
            [[10.0, 0.0, 10.0], [10.0, -2.0, 10.0], [12.0, 0.0, 10.0]],
        ]
    );
    let names = [0, 1, 2].map(|index| mesh.object_of(prim(index)));
    assert_eq!(names, [Some("le ft"), Some("m"), Some("flip")]);
    assert_eq!(mesh.report().faces, 3);

    // Without scenes all root nodes are used; without nodes all meshes.
    let text = scene(nodes).replace(r#","scenes":[{"nodes":[0]}]"#, "");
    assert_eq!(read(&text).unwrap().triangle_count(), 4);
    let text = document(&format!("{POSITIONS},{MESH}"), &[&floats(TRIANGLE)]);
    assert_eq!(read(&text).unwrap().triangle_count(), 1);
    let text = scene(nodes).replace(r#""scenes":["#, r#""scene":1,"scenes":[{},"#);
    assert_eq!(read(&text).unwrap().triangle_count(), 3);
}

#[test]
fn nodes_that_are_no_tree_are_refused() {
    let twice = "the node occurs twice in the scene, or inside itself";
    for (nodes, place, problem) in [
        (r#"{"children":[1]},{"children":[0]}"#, 0, twice),
        (r#"{"children":[1,1]},{}"#, 1, twice),
        (r#"{"children":[7]}"#, 7, "the node does not exist"),
        (r#"{"mesh":3}"#, 0, "meshes[3] does not exist"),
        (
            r#"{"mesh":0,"matrix":[1,0,0,1, 0,1,0,0, 0,0,1,0, 0,0,0,1]}"#,
            0,
            "the last row of its matrix is not 0 0 0 1",
        ),
        (
            r#"{"mesh":0,"rotation":[0,0,0,0]}"#,
            0,
            "its rotation is not a unit quaternion",
        ),
    ] {
        let told = format!("a.gltf: nodes[{place}]: invalid glTF: {problem}");
        assert_eq!(refusal(&scene(nodes)), told);
    }
    // Without a scene no root leads to them.
    let text = scene(r#"{"mesh":0},{"children":[2]},{"children":[1],"mesh":0}"#)
        .replace(r#","scenes":[{"nodes":[0]}]"#, "");
    let told =
        "a.gltf: nodes[1]: invalid glTF: the node is inside itself, or inside a node that is";
    assert_eq!(refusal(&text), told);
    // Any depth is allowed.
    let chain: Vec<String> = (1..100_000)
        .map(|i| format!(r#"{{"children":[{i}]}}"#))
        .collect();
    let nodes = format!(r#"{},{{"mesh":0}}"#, chain.join(","));
    assert_eq!(read(&scene(&nodes)).unwrap().triangle_count(), 1);
    let deep = format!(r#"{{"asset":{}"#, "[".repeat(100_000));
    assert_starts(&refusal(&deep), "a.gltf:1: ");
}

#[test]
fn meshes_that_stand_nowhere_are_told_of() {
    for text in [
        scene(r#"{"name":"no mesh"}"#),
        scene(r#"{},{"mesh":0}"#),
        scene(r#"{"mesh":0}"#).replace(r#""scenes":[{"nodes":[0]}]"#, r#""scenes":[{}]"#),
    ] {
        let mesh = read(&text).unwrap();
        let told = warnings(&mesh);
        assert_eq!(mesh.triangle_count(), 0);
        let nowhere = "not read: meshes, none of which is in the scene (1)";
        assert!(told.contains(&nowhere.to_owned()), "{told:?}");
    }
}

#[test]
fn empty_names_are_none() {
    let mesh = read(&scene(r#"{"mesh":0,"name":""}"#)).unwrap();
    assert_eq!(mesh.object_of(prim(0)), Some("m"));
}

#[test]
fn strips_and_fans_are_triangles_in_order() {
    let line: Vec<f32> = (0..7)
        .flat_map(|i| [i as f32, (i * i) as f32, 0.0])
        .collect();
    let indices: [u8; 7] = [0, 1, 2, 3, 255, 4, 5];
    let more: [u8; 4] = [6, 0, 1, 2];
    let all = [&indices[..], &more].concat();
    let with = |mode: u32, count: usize| {
        let parts = format!(
            r#""accessors":[{{"bufferView":0,"componentType":5126,"count":7,"type":"VEC3"}},
            {{"bufferView":1,"componentType":5121,"count":{count},"type":"SCALAR"}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"mode":{mode}}}]}}]"#
        );
        read(&document(&parts, &[&floats(&line), &all])).unwrap()
    };
    let strip = [
        [0, 1, 2],
        [1, 3, 2],
        [4, 5, 6],
        [5, 0, 6],
        [6, 0, 1],
        [0, 2, 1],
    ];
    let fan = [
        [1, 2, 0],
        [2, 3, 0],
        [5, 6, 4],
        [6, 0, 4],
        [0, 1, 4],
        [1, 2, 4],
    ];
    for (mode, expected) in [(5, strip), (6, fan)] {
        assert_eq!(with(mode, 11).indices(), expected, "{mode}");
    }
    // Indices are never normalised.
    let parts = r#""accessors":[{"bufferView":0,"componentType":5126,"count":7,"type":"VEC3"},
        {"bufferView":1,"componentType":5121,"normalized":true,"count":3,"type":"SCALAR"}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}]"#;
    let mesh = read(&document(parts, &[&floats(&line), &all])).unwrap();
    assert_eq!(mesh.indices(), [[0, 1, 2]]);
    let short = with(5, 7);
    assert_eq!(short.triangle_count(), 2);
    let incomplete = "not read: corners that do not complete a triangle (2)";
    assert_eq!(warnings(&short)[0], incomplete);
    let of_lines = "not read: primitives made of lines (1)";
    for (mode, points, lines, told) in [
        (0, 4, 0, "not read: points (4)"),
        (1, 0, 1, of_lines),
        (3, 0, 1, of_lines),
    ] {
        let mesh = with(mode, 4);
        let counts = [mesh.report().points, mesh.report().lines];
        assert_eq!(
            (mesh.triangle_count(), counts),
            (0, [points, lines]),
            "{mode}"
        );
        assert_eq!(warnings(&mesh)[0], told, "{mode}");
    }
}

#[test]
fn attributes_follow_and_primitives_share_vertices() {
    let normals = floats(&[0.0, 0.0, 1.0].repeat(3));
    let uv: Vec<u8> = vec![0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0];
    let parts = r#""accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
        {"bufferView":1,"componentType":5126,"count":3,"type":"VEC3"},
        {"bufferView":2,"componentType":5121,"normalized":true,"count":3,"type":"VEC2"}],
        "meshes":[{"primitives":[
          {"attributes":{"POSITION":0,"NORMAL":1,"TEXCOORD_0":2},"material":1},
          {"attributes":{"POSITION":0,"NORMAL":1,"TEXCOORD_0":2},"material":0},
          {"attributes":{"POSITION":0},"targets":[{},{}]}]}],
        "materials":[{"name":"red","emissiveFactor":[1,0,0]},
          {"name":"half","pbrMetallicRoughness":{"baseColorFactor":[0.25,0.5,1,0.5]}}],
        "nodes":[{"mesh":0,"scale":[2,1,0.5],"rotation":[1,0,0,0],"skin":0}],
        "skins":[{}],"animations":[{}]"#;
    let text = document(parts, &[&floats(TRIANGLE), &normals, &uv]).replace(
        r#""byteOffset":72,"byteLength":12"#,
        r#""byteOffset":72,"byteLength":12,"byteStride":4"#,
    );
    let mesh = read(&text).unwrap();
    assert_eq!(mesh.indices(), [[0, 1, 2], [0, 1, 2], [3, 4, 5]]);
    let normal = mesh.corner_normals(prim(0)).unwrap()[1];
    assert_eq!(normal.to_array(), [0.0, 0.0, -1.0]);
    let uv = mesh.corner_texcoords(prim(1)).unwrap();
    let found = uv.map(|uv| uv.to_array());
    assert_eq!(found, [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
    assert_eq!(mesh.corner_normals(prim(2)), None);
    let materials = [0, 1, 2].map(|index| mesh.material_of(prim(index)));
    assert_eq!(materials[2], None);
    let (half, red) = (materials[0].unwrap(), materials[1].unwrap());
    let found = (&*half.name, half.diffuse, half.dissolve);
    assert_eq!(found, ("half", Some([0.25, 0.5, 1.0]), Some(0.5)));
    let found = (&*red.name, red.emissive, red.defined);
    assert_eq!(found, ("red", Some([1.0, 0.0, 0.0]), true));
    let told = warnings(&mesh);
    assert_eq!(
        told[told.len() - 3..],
        [
            "not read: skins, so that their meshes are not posed (1)",
            "not read: morph targets (2)",
            "not read: animations (1)",
        ]
    );
    let bare = MeshLoader::new()
        .attributes(false)
        .read(text.as_bytes(), "a.gltf")
        .unwrap();
    assert_eq!((bare.normals().len(), bare.indices()), (0, mesh.indices()));
}

#[test]
fn sparse_and_quantized_positions() {
    let sparse = r#""sparse":{"count":2,"indices":{"bufferView":1,"componentType":5123},
        "values":{"bufferView":0,"byteOffset":12}}"#;
    let parts = format!(
        r#""accessors":[{{"componentType":5126,"count":3,"type":"VEC3",{sparse}}}],{MESH}"#
    );
    let indices = [1, 0, 2, 0];
    let text = document(&parts, &[&floats(TRIANGLE), &indices]);
    let mesh = read(&text).unwrap();
    let bits: Vec<f32> = mesh.positions().iter().flat_map(Vec3::to_array).collect();
    assert_eq!(bits, TRIANGLE);
    for (indices, count) in [
        ([2, 0, 1, 0], 2),
        ([1, 0, 1, 0], 2),
        ([1, 0, 3, 0], 2),
        ([1, 0, 2, 0], 3),
    ] {
        let counted = text.replace(
            r#""sparse":{"count":2"#,
            &format!(r#""sparse":{{"count":{count}"#),
        );
        let buffer = [&floats(TRIANGLE)[..], &indices].concat();
        let changed = counted.replace(
            &base64(&[&floats(TRIANGLE)[..], &[1, 0, 2, 0]].concat()),
            &base64(&buffer),
        );
        let start = "a.gltf: meshes[0].primitives[0]: invalid glTF: POSITION: ";
        assert_starts(&refusal(&changed), start);
    }
    // The lowest byte and the one above both mean -1.
    let bytes: [u8; 12] = [0x80, 127, 0, 0, 0x81, 0, 64, 0, 0, 0, 0x80, 0];
    let parts = format!(
        r#""extensionsRequired":["KHR_mesh_quantization"],"accessors":[
        {{"bufferView":0,"componentType":5120,"normalized":true,"count":3,"type":"VEC3"}}],{MESH}"#
    );
    let text = document(&parts, &[&bytes]).replace(
        r#""byteLength":12}]"#,
        r#""byteLength":12,"byteStride":4}]"#,
    );
    let mesh = read(&text).unwrap();
    let corners = mesh.triangle(prim(0)).unwrap().corners();
    let corners = corners.map(|p| p.to_array());
    assert_eq!(
        corners,
        [
            [-1.0, 1.0, 0.0],
            [-1.0, 0.0, 64.0 / 127.0],
            [0.0, 0.0, -1.0]
        ]
    );
}

#[test]
fn indices_and_numbers_obey_the_policy() {
    let parts = |count: u32| {
        format!(
            r#""accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},
        {{"bufferView":1,"componentType":5123,"count":{count},"type":"SCALAR"}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}},
        {{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}]"#
        )
    };
    // The fourth vertex belongs to another mesh.
    let indices: [u8; 12] = [0, 0, 1, 0, 2, 0, 0, 0, 1, 0, 3, 0];
    let text = document(&parts(6), &[&floats(TRIANGLE), &indices]);
    assert_eq!(
        refusal(&text),
        "a.gltf: face 1: meshes[0].primitives[0]: vertex index 3 is out of range (3 vertices); \
         use BadFaces::Skip to skip such faces"
    );
    let mesh = skip(&text, "a.gltf").unwrap();
    assert_eq!(mesh.triangle_count(), 2);
    let told = "1 face with a vertex that does not exist was skipped (face 1)";
    assert_eq!(warnings(&mesh)[0], told);
    let mut numbers = TRIANGLE.to_vec();
    numbers[4] = f32::NAN;
    let text = document(&parts(3), &[&floats(&numbers), &indices[..6]]);
    assert_eq!(
        refusal(&text),
        "a.gltf: face 0: meshes[0].primitives[0]: vertex 1 is not finite: (1, NaN, 0); \
         use BadFaces::Skip to skip such faces"
    );
    // Numbers that overflow in a transform.
    let text = scene(r#"{"mesh":0,"scale":[1e39,1,1]}"#);
    assert!(refusal(&text).contains("vertex 1 is not finite: (inf, 0, 0)"));
}

#[test]
fn mistakes_are_named() {
    let sound = document(&format!("{POSITIONS},{MESH}"), &[&floats(TRIANGLE)]);
    let first = "a.gltf: meshes[0].primitives[0]: ";
    let invalid = "invalid glTF: ";
    for (from, to, told) in [
        (r#""version":"2.0""#, r#""version":"1.0""#, "a.gltf: unsupported glTF: version \"1.0\"; save the file as version 2.0".into()),
        (r#""version":"2.0""#, r#""version":"2.1","minVersion":"2.1""#, "a.gltf: unsupported glTF: version \"2.1\"; save the file as version 2.0".into()),
        (r#""version":"2.0"},"#, r#""version":"1.0"},"scenes":{"s":{"nodes":["n"]}},"nodes":{},"#, "a.gltf: unsupported glTF: version \"1.0\"; save the file as version 2.0".into()),
        (r#""version":"2.0"},"#, r#""version":0.8},"#, "a.gltf: unsupported glTF: version \"0.8\"; save the file as version 2.0".into()),
        (r#""version":"2.0"},"#, r#""version":"2.0"},"scenes":{},"#, "a.gltf:1: invalid glTF: invalid type: map, expected a sequence".into()),
        (r#""asset""#, r#""extensionsRequired":["KHR_draco_mesh_compression"],"asset""#,
            "a.gltf: unsupported glTF: required extension \"KHR_draco_mesh_compression\"; save the file without it".into()),
        (r#"{"POSITION":0}"#, r#"{"POSITION":1}"#, format!("{first}{invalid}accessors[1] does not exist")),
        (r#"{"POSITION":0}}"#, r#"{"POSITION":0},"mode":7}"#, format!("{first}{invalid}mode 7 is not from 0 to 6")),
        (r#"{"POSITION":0}}"#, r#"{"POSITION":0},"material":0}"#, format!("{first}{invalid}materials[0] does not exist")),
        (r#"{"POSITION":0}}"#, r#"{"POSITION":0},"indices":0}"#, format!("{first}{invalid}indices: type \"VEC3\" with component type 5126 is not allowed here")),
        (r#""VEC3""#, r#""VEC2""#, format!("{first}{invalid}POSITION: type \"VEC2\" with component type 5126 is not allowed here")),
        (r#""bufferView":0"#, r#""bufferView":5"#, format!("{first}{invalid}POSITION: bufferViews[5] does not exist")),
        (r#""count":3"#, r#""count":4"#, format!("{first}{invalid}POSITION: a view of 36 bytes is too short for 4 elements of 12 bytes from byte 0 on")),
        (r#""count":3"#, r#""count":18446744073709551615"#, format!("{first}{invalid}POSITION: a view of 36 bytes is too short for 18446744073709551615 elements of 12 bytes")),
        (r#""count":3"#, r#""byteOffset":18446744073709551615,"count":3"#, format!("{first}{invalid}POSITION: a view of 36 bytes is too short for 3 elements of 12 bytes from byte 18446744073709551615")),
        (r#""bufferView":0,"componentType":5126,"count":3"#, r#""componentType":5126,"count":9000000000"#, format!("{first}{invalid}POSITION: 9000000000 elements without a buffer view")),
        (r#""byteOffset":0,"#, r#""byteOffset":1,"#, format!("{first}{invalid}POSITION: bufferViews[0] has 36 bytes from byte 1 on, but its buffer has 36 bytes")),
        (r#""byteOffset":0,"#, r#""byteStride":0,"#, format!("{first}{invalid}POSITION: the stride is 0, but an element has 12 bytes")),
        (r#""uri":"data:;base64,"#, r#""uri":"data:;base64,!"#, format!("{first}{invalid}POSITION: buffers[0] has damaged base64 data")),
        (r#""uri":"data:;base64,"#, r#""uri":"http:"#, format!("{first}{invalid}POSITION: buffers[0] has the unsupported address \"http:AAAA")),
        (r#","uri":""#, r#","url":""#, format!("{first}{invalid}POSITION: buffers[0] has no bytes")),
        (r#"{"byteLength":36"#, r#"{"byteLength":37"#, format!("{first}{invalid}POSITION: buffers[0] is truncated: 36 of 37 bytes")),
        (r#""meshes":["#, r#""meshes":"m","m":["#, "a.gltf:1: invalid glTF: invalid type: string \"m\", expected a sequence".into()),
        (r#""primitives":["#, r#""primitives":[7,"#, "a.gltf:1: invalid glTF: invalid type: integer `7`".into()),
        (r#""asset""#, "asset", "a.gltf:1: invalid glTF: key must be a string (column 2)".into()),
    ] {
        assert!(sound.contains(from), "{from}");
        let found = refusal(&sound.replacen(from, to, 1));
        assert!(found.starts_with(&*told), "{found}\n{told}");
    }
}

#[test]
fn containers_are_checked() {
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},{POSITIONS},{MESH},
        "bufferViews":[{{"buffer":0,"byteLength":36}}],"buffers":[{{"byteLength":36}}]}}"#
    );
    let bytes = glb_of(&json, &floats(TRIANGLE));
    let read = |bytes: &[u8]| MeshLoader::new().read(bytes, "a.glb");
    assert_eq!(read(&bytes).unwrap().triangle_count(), 1);
    let refusal = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        read(&bytes).unwrap_err().to_string()
    };
    // The bytes in the container are those of the first buffer only.
    for first in ["", r#","uri":"""#] {
        let json = json.replace(r#""buffer":0,"#, r#""buffer":1,"#).replace(
            r#""buffers":["#,
            &format!(r#""buffers":[{{"byteLength":36{first}}},"#),
        );
        let both = json.replace(
            r#""bufferViews":["#,
            r#""bufferViews":[{"buffer":0,"byteLength":36},"#,
        );
        let both = both.replace(
            r#"{"bufferView":0,"#,
            r#"{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":1,"#,
        );
        let both = both.replace(
            r#"{"POSITION":0}"#,
            r#"{"POSITION":0}},{"attributes":{"POSITION":1}"#,
        );
        for json in [json, both] {
            let error = read(&glb_of(&json, &floats(TRIANGLE))).unwrap_err();
            let told = error.to_string();
            let expected = match (told.contains("primitives[0]"), first) {
                (true, "") | (false, _) => "POSITION: buffers[1] has no bytes",
                _ => "POSITION: buffers[",
            };
            assert!(told.contains(expected), "{told}");
        }
    }
    let told = "a.glb: unsupported glTF: container version 1; save the file as version 2";
    assert_eq!(refusal(4, 1), told);
    assert!(refusal(8, 0).starts_with("a.glb: byte 8: invalid glTF: the header says "));
    assert!(refusal(15, 9).starts_with("a.glb: byte 12: invalid glTF: a chunk of "));
    assert!(refusal(16, b'j').contains("the JSON chunk is missing"));
    assert!(
        refusal(20, b'x')
            .starts_with("a.glb: JSON, line 1: invalid glTF: expected value (column 1)")
    );
}

#[test]
fn buffers_stand_beside_the_file() {
    let text = document(&format!("{POSITIONS},{MESH}"), &[&floats(TRIANGLE)]);
    let data = format!("data:;base64,{}", base64(&floats(TRIANGLE)));
    let with = |address: &str| text.replace(&data, address);
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(inner.join("my mesh.bin"), floats(TRIANGLE)).unwrap();
    std::fs::write(folder.path().join("outside.bin"), floats(TRIANGLE)).unwrap();
    let path = inner.join("a.gltf");
    let load = |address: &str| {
        std::fs::write(&path, with(address)).unwrap();
        Mesh::load(&path)
    };
    assert_eq!(load("my%20mesh.bin").unwrap().triangle_count(), 1);
    assert_eq!(load("./my mesh.bin").unwrap().triangle_count(), 1);
    let told = |address: &str| load(address).unwrap_err().to_string();
    let outside = "the file is outside of the folder";
    let cannot = "cannot read \"../outside.bin\": ";
    assert_contains(&told("../outside.bin"), &format!("{cannot}{outside}"));
    assert_contains(&told("none.bin"), "buffers[0]: cannot read \"none.bin\": ");
    // Links are resolved before the rule is applied.
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        let inside = |name: &str| inner.join(name);
        symlink("../outside.bin", inside("link.bin")).unwrap();
        symlink("..", inside("up")).unwrap();
        symlink("my mesh.bin", inside("other.bin")).unwrap();
        for address in ["link.bin", "up/outside.bin", "sub/../link.bin"] {
            std::fs::create_dir_all(inside("sub")).unwrap();
            assert_contains(&told(address), outside);
        }
        for found in ["other.bin", "sub/../my mesh.bin", "up/inner/other.bin"] {
            assert_eq!(load(found).unwrap().triangle_count(), 1, "{found}");
        }
    }
    assert_contains(&told("/dev/zero"), outside);
    assert!(refusal(&with("b.bin")).contains("use MeshLoader::file_source"));
    let source = |name: &str| match name {
        "b c" => Ok(floats(TRIANGLE)),
        _ => Err(std::io::Error::other("what is that?")),
    };
    let loader = MeshLoader::new().file_source(&source);
    let mesh = loader.read(with("b%20c").as_bytes(), "a.gltf").unwrap();
    assert_eq!(mesh.triangle_count(), 1);
}

/// Accessors without a view are zeros that take no bytes in the file.
#[test]
fn zeros_have_a_limit() {
    let nodes = |count: usize| vec![r#"{"mesh":0}"#; count].join(",");
    let text = |count: usize| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{}],"meshes":[{{"primitives":[{{"attributes":
{{"POSITION":0,"NORMAL":0,"TEXCOORD_0":1}}}}]}}],"accessors":[{{"componentType":5126,
"count":1048576,"type":"VEC3"}},{{"componentType":5126,"count":1048576,"type":"VEC2"}}]}}"#,
            nodes(count)
        )
    };
    let told = "its meshes take more than 256 times the size";
    assert_contains(&refusal(&text(4)), told);
}

/// A few bytes can refer to the same mesh again and again.
#[test]
fn copies_have_a_limit() {
    let many = vec![0.5; 3 * 30_000];
    let nodes = vec![r#"{"mesh":0}"#; 2_000].join(",");
    let parts = format!(
        r#""accessors":[{{"bufferView":0,"componentType":5126,"count":30000,"type":"VEC3"}}],{MESH},"nodes":[{nodes}]"#
    );
    let told = refusal(&document(&parts, &[&floats(&many)]));
    assert_eq!(
        told,
        "a.gltf: meshes[0].primitives[0]: unsupported glTF: its meshes take more than 256 times the \
         size of the file; split it"
    );
}
