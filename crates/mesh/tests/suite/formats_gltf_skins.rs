//! Skins and instances of glTF, which need arrays besides those of vertices.
#![cfg(feature = "gltf")]

use crate::common::written::base64;
use crate::common::{floats, prim, warnings};
use estoc_core::glam::{DAffine3, DVec3};
use estoc_mesh::{Mesh, MeshError, MeshLoader, MeshNodes};

/// An accessor: component type, shape, and bytes for this number of elements.
type Array<'a> = (u32, &'a str, usize, Vec<u8>);

const F32: u32 = 5126;
const I16: u32 = 5122;
const U8: u32 = 5121;

/// Returns a document of these parts; each array is an accessor with a view of its own.
fn document(parts: &str, arrays: &[Array<'_>]) -> String {
    let (mut views, mut accessors, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (component, shape, count, data)) in arrays.iter().enumerate() {
        let is_normalized = [I16, U8].contains(component) && number > 2;
        accessors.push(format!(
            r#"{{"bufferView":{number},"componentType":{component},"count":{count},"type":"{shape}",
            "normalized":{is_normalized}}}"#
        ));
        views.push(format!(
            r#"{{"buffer":0,"byteOffset":{},"byteLength":{}}}"#,
            bytes.len(),
            data.len()
        ));
        bytes.extend_from_slice(data);
    }
    format!(
        r#"{{"asset":{{"version":"2.0"}},{parts},"accessors":[{}],"bufferViews":[{}],
        "buffers":[{{"byteLength":{},"uri":"data:;base64,{}"}}]}}"#,
        accessors.join(","),
        views.join(","),
        bytes.len(),
        base64(&bytes)
    )
}

fn mesh(text: &str) -> Result<Mesh, MeshError> {
    MeshLoader::new().read(text.as_bytes(), "a.gltf")
}

fn nodes(text: &str) -> MeshNodes {
    MeshLoader::new()
        .read_nodes(text.as_bytes(), "a.gltf")
        .unwrap()
}

fn corners(mesh: &Mesh, index: u32) -> [[f32; 3]; 3] {
    let triangle = mesh.triangle(prim(index)).unwrap();
    triangle.corners().map(|corner| corner.to_array())
}

const TRIANGLE: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// Two joints: one raises by 1, and the other is 8 to the right in a node that doubles. The inverse
/// bind matrices move by 1 and by -2 along x.
fn skinned(more: &str, weights: Array<'_>, joints: [u8; 12]) -> String {
    let mut inverse = [[0.0f32; 16]; 2];
    for (matrix, x) in inverse.iter_mut().zip([1.0, -2.0]) {
        for diagonal in [0, 5, 10] {
            matrix[diagonal] = 1.0;
        }
        matrix[12] = x;
        // A writer's rounding, which means 1.
        matrix[15] = 0.999_999_94;
    }
    let parts = format!(
        r#""nodes":[{{"mesh":0,"skin":0,"name":"a","translation":[100,0,0]}},
        {{"translation":[0,0,1]}},{{"scale":[2,2,2],"children":[3]}},{{"translation":[4,0,0]}}{more}],
        "scenes":[{{"nodes":[0,1,2]}}],"skins":[{{"joints":[1,3],"inverseBindMatrices":3}}],
        "meshes":[{{"name":"m","primitives":[{{"attributes":
        {{"POSITION":0,"NORMAL":1,"JOINTS_0":2,"WEIGHTS_0":4}}}}]}}]"#
    );
    let arrays = [
        (F32, "VEC3", 3, floats(&TRIANGLE)),
        (F32, "VEC3", 3, floats(&[0.0, 0.0, 1.0].repeat(3))),
        (U8, "VEC4", 3, joints.to_vec()),
        (F32, "MAT4", 2, floats(inverse.as_flattened())),
        weights,
    ];
    document(&parts, &arrays)
}

const JOINTS: [u8; 12] = [0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0];

#[test]
fn joints_pose_meshes_and_the_transform_of_the_node_is_ignored() {
    // All by the first joint, all by the second, and a quarter and three quarters.
    let weights = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.25, 0.75, 0.0, 0.0];
    let expected = [
        // (0, 0, 0) + (1, 0, 1).
        [1.0, 0.0, 1.0],
        // 2 (1 + 4 - 2).
        [6.0, 0.0, 0.0],
        // (1, 1, 1) / 4 + (4, 2, 0) 3 / 4.
        [3.25, 1.75, 0.25],
    ];
    let text = skinned("", (F32, "VEC4", 3, floats(&weights)), JOINTS);
    let posed = mesh(&text).unwrap();
    assert_eq!(corners(&posed, 0), expected);
    assert_eq!(warnings(&posed), [""; 0]);
    // In a scene, the mesh is posed and its placement is the identity.
    let file = nodes(&text);
    assert_eq!(corners(&file.meshes[0], 0), expected);
    assert_eq!(file.nodes[0].transform, DAffine3::IDENTITY);
    assert_eq!(file.report.warnings(), []);
    // Instances of such a mesh are told.
    let extension = r#""skin":0,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{}}}"#;
    let found = mesh(&text.replace(r#""skin":0"#, extension)).unwrap();
    assert_eq!(corners(&found, 0), expected);
    let told = "not read: instances of meshes with skins (1)";
    assert_eq!(warnings(&found), [told]);
    // Sums of weights that are only nearly 1, and weights of bytes.
    let halves: Vec<f32> = weights.iter().map(|weight| weight / 2.0).collect();
    let text = skinned("", (F32, "VEC4", 3, floats(&halves)), JOINTS);
    assert_eq!(corners(&mesh(&text).unwrap(), 0), expected);
    let bytes = vec![255, 0, 0, 0, 0, 255, 0, 0, 51, 153, 0, 0];
    let text = skinned("", (U8, "VEC4", 3, bytes), JOINTS);
    assert_eq!(corners(&mesh(&text).unwrap(), 0), expected);
    // Without inverse bind matrices, they are the identity.
    let bare = text.replace(r#","inverseBindMatrices":3"#, "");
    assert_eq!(corners(&mesh(&bare).unwrap(), 0)[0], [0.0, 0.0, 1.0]);
    // In a local frame, rounded once from the exact value.
    let loader = MeshLoader::new().local_frame(estoc_mesh::LocalFrame::At(DVec3::X));
    let local = loader.read(text.as_bytes(), "a.gltf").unwrap();
    assert_eq!(corners(&local, 0)[1], [5.0, 0.0, 0.0]);
}

#[test]
fn mirrored_joints_keep_fronts_and_normals() {
    let weights = [1.0f32, 0.0, 0.0, 0.0].repeat(3);
    let text = skinned("", (F32, "VEC4", 3, floats(&weights)), JOINTS);
    let mirrored = text
        .replace(r#"{"translation":[0,0,1]}"#, r#"{"scale":[1,1,-1]}"#)
        .replace(r#""joints":[1,3]"#, r#""joints":[1,1]"#);
    let posed = mesh(&mirrored).unwrap();
    // The front looks where the mirrored normal does.
    let found = corners(&posed, 0);
    assert_eq!(found, [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [2.0, 0.0, 0.0]]);
    let normal = posed.corner_normals(prim(0)).unwrap()[0];
    assert_eq!(normal.to_array(), [0.0, 0.0, -1.0]);
}

#[test]
fn one_mesh_with_two_skins_is_two_meshes() {
    let weights = [1.0f32, 0.0, 0.0, 0.0].repeat(3);
    let more = r#",{"mesh":0,"skin":1},{"mesh":0,"skin":0},{"mesh":0}"#;
    let text = skinned(more, (F32, "VEC4", 3, floats(&weights)), JOINTS)
        .replace("[0,1,2]", "[0,1,2,4,5,6]")
        .replace(r#""skins":["#, r#""skins":[{"joints":[3]},"#);
    let file = nodes(&text);
    let meshes: Vec<_> = file.nodes.iter().map(|node| node.mesh).collect();
    assert_eq!(meshes, [0, 1, 0, 2]);
    let firsts: Vec<_> = file.meshes.iter().map(|mesh| corners(mesh, 0)[1]).collect();
    assert_eq!(firsts, [[10.0, 0.0, 0.0], [2.0, 0.0, 1.0], [1.0, 0.0, 0.0]]);
    let flat = mesh(&text).unwrap();
    let of_mesh = [0, 1, 2, 3].map(|prim| corners(&flat, prim)[1]);
    let again = [firsts[0], firsts[1], firsts[0], firsts[2]];
    assert_eq!(of_mesh, again);
}

#[test]
fn skins_that_cannot_be_applied_leave_the_mesh_at_its_node() {
    let weights = || (F32, "VEC4", 3, floats(&[1.0f32, 0.0, 0.0, 0.0].repeat(3)));
    let text = skinned("", weights(), JOINTS);
    for (from, to) in [
        // A joint that is not in the scene, or does not exist; no joints; no weights.
        ("[0,1,2]", "[0,1]"),
        (r#""joints":[1,3]"#, r#""joints":[1,9]"#),
        (r#""joints":[1,3],"#, ""),
        (r#","WEIGHTS_0":4"#, ""),
        (r#""skin":0"#, r#""skin":7"#),
    ] {
        let changed = text.replace(from, to);
        assert_ne!(changed, text);
        let found = mesh(&changed).unwrap();
        assert_eq!(corners(&found, 0)[1], [101.0, 0.0, 0.0], "{to}");
        let told = "not read: skins, so that their meshes are not posed (1)";
        assert_eq!(warnings(&found), [told], "{to}");
        let file = nodes(&changed);
        assert_eq!(file.nodes[0].transform.translation.x, 100.0);
        assert_eq!(file.report.warnings()[0].to_string(), told);
    }
    // Vertices without weights follow the first joint.
    let none = (F32, "VEC4", 3, floats(&[0.0; 12]));
    let found = mesh(&skinned("", none, JOINTS)).unwrap();
    assert_eq!(corners(&found, 0)[1], [2.0, 0.0, 1.0]);
    let told = "not read: weights of vertices, which follow the first joint (3)";
    assert_eq!(warnings(&found), [told]);
}

#[test]
fn damaged_skins_are_refused() {
    let weights = || (F32, "VEC4", 3, floats(&[1.0f32, 0.0, 0.0, 0.0].repeat(3)));
    let text = skinned("", weights(), JOINTS);
    let primitive = "meshes[0].primitives[0]: invalid glTF: ";
    let of_weights = |weights: &str| text.replace(r#""WEIGHTS_0":4"#, weights);
    for (text, place, problem) in [
        (
            skinned("", weights(), [2; 12]),
            primitive,
            "vertex 0 has joint 2 of 2",
        ),
        (
            of_weights(r#""WEIGHTS_0":3"#),
            primitive,
            "weights: type \"MAT4\" with component type 5126 is not allowed here",
        ),
        (
            of_weights(r#""WEIGHTS_0":9"#),
            primitive,
            "accessors[9] does not exist",
        ),
        (
            text.replace(r#""joints":[1,3]"#, r#""joints":[1,3,1]"#),
            "skins[0]: invalid glTF: ",
            "inverseBindMatrices: 2 matrices for 3 joints",
        ),
    ] {
        let told = format!("a.gltf: {place}{problem}");
        assert_eq!(mesh(&text).unwrap_err().to_string(), told);
        let of_nodes = MeshLoader::new().read_nodes(text.as_bytes(), "a.gltf");
        assert_eq!(of_nodes.unwrap_err().to_string(), told);
    }
}

/// Three instances in a node that doubles; the mesh has a child that is not an instance.
fn instanced(attributes: &str) -> String {
    let parts = format!(
        r#""extensionsRequired":["EXT_mesh_gpu_instancing"],
        "nodes":[{{"scale":[2,2,2],"children":[1]}},{{"mesh":0,"name":"tree","children":[2],
        "extensions":{{"EXT_mesh_gpu_instancing":{{"attributes":{{{attributes}}}}}}}}},
        {{"mesh":0,"name":"child"}}],"scenes":[{{"nodes":[0]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}]"#
    );
    let moves = [0.0f32, 0.0, 0.0, 10.0, 0.0, 0.0, 0.0, 20.0, 5.0];
    let scales = [1.0f32, 1.0, 1.0, -1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
    // Around z: not at all, by a quarter, and by a half.
    let quarter = f32::sqrt(0.5);
    let turns = [
        [0.0, 0.0, 0.0, 1.0f32],
        [0.0, 0.0, quarter, quarter],
        [0.0, 0.0, 1.0, 0.0],
    ];
    let short = [0i16, 0, 0, i16::MAX, 0, 0, 23170, 23170, 0, 0, i16::MAX, 0];
    let short: Vec<u8> = short.iter().flat_map(|x| x.to_le_bytes()).collect();
    let arrays = [
        (F32, "VEC3", 3, floats(&TRIANGLE)),
        (F32, "VEC3", 3, floats(&moves)),
        (F32, "VEC3", 3, floats(&scales)),
        (F32, "VEC4", 3, floats(turns.as_flattened())),
        (I16, "VEC4", 3, short),
        (F32, "VEC3", 2, floats(&moves)),
    ];
    document(&parts, &arrays)
}

#[test]
fn instances_are_placements_and_copies_of_a_mesh() {
    let text = instanced(r#""TRANSLATION":1,"_ID":0"#);
    let file = nodes(&text);
    let placed: Vec<_> = { file.nodes.iter() }
        .map(|node| (node.index, node.name.as_deref(), node.transform.translation))
        .collect();
    let tree = |x, y, z| (Some(1), Some("tree"), DVec3::new(x, y, z));
    assert_eq!(
        placed,
        [
            tree(0.0, 0.0, 0.0),
            tree(20.0, 0.0, 0.0),
            tree(0.0, 40.0, 10.0),
            (Some(2), Some("child"), DVec3::ZERO)
        ]
    );
    assert_eq!((file.meshes.len(), file.report.warnings().len()), (1, 0));
    let copies = mesh(&text).unwrap();
    assert_eq!((copies.triangle_count(), warnings(&copies).len()), (4, 1));
    let expected = [[20.0, 0.0, 0.0], [22.0, 0.0, 0.0], [20.0, 2.0, 0.0]];
    assert_eq!(corners(&copies, 1), expected);
    let names = [0, 2, 3].map(|index| copies.object_of(prim(index)));
    assert_eq!(names, [Some("tree"), Some("tree"), Some("child")]);
    // Turned by floats and by integers, the same up to their roundings.
    for rotation in [3, 4] {
        let text = instanced(&format!(r#""TRANSLATION":1,"ROTATION":{rotation}"#));
        let turned = mesh(&text).unwrap();
        let expected = [
            [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]],
            [[20.0, 0.0, 0.0], [20.0, 2.0, 0.0], [18.0, 0.0, 0.0]],
            [[0.0, 40.0, 10.0], [-2.0, 40.0, 10.0], [0.0, 38.0, 10.0]],
        ];
        for (prim, expected) in (0..).zip(expected) {
            let rounded = corners(&turned, prim).map(|p| p.map(|x| (4096.0 * x).round() / 4096.0));
            assert_eq!(rounded, expected, "{rotation}");
        }
    }
    // One mirrors and one flattens.
    let text = instanced(r#""TRANSLATION":1,"SCALE":2"#);
    let file = nodes(&text);
    let mirrored: Vec<_> = file.nodes.iter().map(|node| node.is_mirrored).collect();
    assert_eq!(mirrored, [false, true, false]);
    let told = "not read: nodes that flatten their meshes, as a scale of 0 does (1)";
    assert_eq!(file.report.warnings()[0].to_string(), told);
    let copies = mesh(&text).unwrap();
    let expected = [[20.0, 0.0, 0.0], [20.0, 2.0, 0.0], [18.0, 0.0, 0.0]];
    assert_eq!(corners(&copies, 1), expected);
    assert_eq!(copies.report().degenerate.count(), 1);
    // Without attributes there is one.
    assert_eq!(nodes(&instanced("")).nodes.len(), 2);
}

#[test]
fn damaged_instances_are_refused() {
    let node = "a.gltf: nodes[1]: invalid glTF: ";
    for (attributes, problem) in [
        (
            r#""TRANSLATION":5,"SCALE":2"#,
            "the attributes of its instances have 3 and 2 elements",
        ),
        (
            r#""TRANSLATION":3"#,
            "TRANSLATION: type \"VEC4\" with component type 5126 is not allowed here",
        ),
        (r#""SCALE":17"#, "accessors[17] does not exist"),
    ] {
        let told = mesh(&instanced(attributes)).unwrap_err().to_string();
        assert_eq!(told, format!("{node}{problem}"));
    }
    let zero = instanced(r#""ROTATION":6"#).replace(
        r#"],"bufferViews""#,
        r#",{"componentType":5126,"count":3,"type":"VEC4"}],"bufferViews""#,
    );
    let told = format!("{node}instance 0: its rotation is not a unit quaternion");
    assert_eq!(mesh(&zero).unwrap_err().to_string(), told);
    // A count that no bytes confirm.
    let many = instanced(r#""_ID":6"#).replace(
        r#"],"bufferViews""#,
        r#",{"componentType":5126,"count":18446744073709551615,"type":"SCALAR"}],"bufferViews""#,
    );
    let told = "a.gltf: nodes[1]: unsupported glTF: its instances take more than 256 times the size \
                of the file; split it";
    assert_eq!(mesh(&many).unwrap_err().to_string(), told);
    // Each instance has a copy of the name of its node.
    let named = many.replace("18446744073709551615", "1000000");
    let named = named.replace("tree", &"tree".repeat(250));
    assert_eq!(mesh(&named).unwrap_err().to_string(), told);
    let found = MeshLoader::new().read_nodes(named.as_bytes(), "a.gltf");
    assert_eq!(found.unwrap_err().to_string(), told);
}

#[test]
fn many_nodes_with_a_long_name_are_refused() {
    let parts = format!(
        r#""nodes":[{}],"meshes":[{{"name":"{}","primitives":[]}}]"#,
        [r#"{"mesh":0}"#; 2000].join(","),
        "a".repeat(300_000)
    );
    let told = mesh(&document(&parts, &[])).unwrap_err().to_string();
    let problem = "its nodes take more than 256 times the size of the file; split it";
    assert!(told.ends_with(problem), "{told}");
}
