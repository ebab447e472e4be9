//! Scenes of glTF files: the nodes place what the loader of meshes makes one mesh of.

use estoc_bvh::Bvh;
use estoc_core::{Closest, Cull, QueryOptions, Ray, RayQuery, SceneHit};
use estoc_mesh::{Mesh, MeshLoader, MeshReport};
use estoc_scene::{LoadedScene, ObjectSource, SceneFile, SceneFileError};
use estoc_testkit::name_path;
use std::path::{Path, PathBuf};

/// A corner of three triangles, and a triangle.
const CORNERS: [[f32; 3]; 4] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
];
const INDICES: [u16; 9] = [0, 1, 2, 0, 2, 3, 0, 3, 1];

fn write(folder: &Path, nodes: &str) -> PathBuf {
    let corners = CORNERS.iter().flatten();
    let corners = corners.flat_map(|x| x.to_le_bytes());
    let indices = INDICES.iter().flat_map(|index| index.to_le_bytes());
    let bytes: Vec<u8> = corners.chain(indices).collect();
    std::fs::write(folder.join("b.bin"), bytes).unwrap();
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}],"scenes":[{{"nodes":[0]}}],
        "meshes":[{{"name":"m","primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}},
            {{"name":"m","primitives":[{{"attributes":{{"POSITION":0}},"indices":2}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},
            {{"bufferView":1,"componentType":5123,"count":9,"type":"SCALAR"}},
            {{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":18}}],
        "buffers":[{{"byteLength":66,"uri":"b.bin"}}]}}"#
    );
    let path = folder.join("x.gltf");
    std::fs::write(&path, text).unwrap();
    path
}

/// Nested, mirrored, sheared and flipped, with numbers that are exact in `f32`, too.
const NODES: &str = r#"{"children":[1,2,3],"translation":[1,0,-2],"scale":[2,2,0.5]},
    {"mesh":0,"name":"left","translation":[-2,0,0]},
    {"mesh":1,"children":[4],"matrix":[1,0,0,0, 0.5,-1,0,0, 0,0,1,0, 0,0,3,1]},
    {"name":"no mesh","children":[5]},
    {"mesh":0,"name":"back","scale":[1,-1,2],"translation":[0.25,0,0]},
    {"mesh":0,"name":"left","rotation":[0,0,1,0]}"#;

/// Returns the hit on the mesh of all nodes.
fn on_mesh(loaded: &LoadedScene, hit: &SceneHit) -> (u32, [u32; 3]) {
    let [number] = *hit.path.numbers() else {
        panic!("{hit:?}")
    };
    let placed = loaded.file().placements();
    let before = { placed[..number as usize].iter() }
        .map(|placed| if placed.object == 0 { 3 } else { 1 })
        .sum::<u32>();
    // The mesh has the second and third corner the other way round where a node mirrors.
    let (u, v) = match placed[number as usize].reversed {
        true => (hit.v, hit.u),
        false => (hit.u, hit.v),
    };
    (before + hit.prim.get(), [hit.t, u, v].map(f32::to_bits))
}

#[test]
fn scenes_of_nodes_equal_the_mesh_of_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), NODES);
    let file = SceneFile::load_gltf(&path, &MeshLoader::new()).unwrap();
    let names: Vec<&str> = file.objects().iter().map(|object| &*object.name).collect();
    assert_eq!(names, ["m", "m 2"]);
    let names: Vec<_> = { file.placements().iter() }
        .map(|placed| (placed.name.as_deref(), placed.object, placed.reversed))
        .collect();
    let left = (Some("left"), 0, false);
    assert_eq!(
        names,
        [left, (None, 1, true), (Some("back"), 0, false), left]
    );
    let loaded = file.build().unwrap();
    let world = loaded.snapshot();
    // Of ten triangles, four are stored.
    assert_eq!((world.placement_count(), world.triangle_count()), (4, 10));
    assert_eq!(loaded.files(), [path.clone(), folder.path().join("b.bin")]);
    let mesh = Mesh::load(&path).unwrap();
    let flat = Bvh::build(&mesh);
    let fronts = |cull: Cull| QueryOptions::new().cull(cull);
    let [mut hits, mut backs] = [0; 2];
    for i in 0..2_000u16 {
        let (x, y) = (f32::from(i % 50) / 8.0 - 4.0, f32::from(i / 50) / 8.0 - 2.5);
        let ray = match i % 3 {
            0 => Ray::new([x, y, 9.0], [0.01, 0.0, -1.0]),
            1 => Ray::new([x, 9.0, y], [0.0, -1.0, 0.125]),
            _ => Ray::new([-9.0, x, y], [1.0, 0.0, 0.03]),
        };
        let expected = flat.all_hits(&ray);
        let expected: Vec<_> = { expected.iter() }
            .map(|hit| (hit.prim.get(), [hit.t, hit.u, hit.v].map(f32::to_bits)))
            .collect();
        let found = world.all_hits(&ray);
        let found: Vec<_> = found.iter().map(|hit| on_mesh(&loaded, hit)).collect();
        assert_eq!(found, expected, "{ray:?}");
        hits += found.len();
        let seen = world.ask_with(Closest, &ray, &QueryOptions::default().cull(Cull::Back));
        let seen = seen.unwrap().map(|hit| on_mesh(&loaded, &hit).0);
        let expected = flat.ask_with(Closest, &ray, &fronts(Cull::Back)).unwrap();
        assert_eq!(seen, expected.map(|hit| hit.prim.get()), "{ray:?}");
        backs += usize::from(seen.is_none() && !found.is_empty());
        assert_eq!(world.count_crossings(&ray), flat.count_crossings(&ray));
    }
    assert!(hits > 200 && backs > 20, "{hits} {backs}");
}

#[test]
fn scene_files_place_gltf_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), NODES);
    let text = "object = [{ name = 'nodes', scene = 'x.gltf' }, { name = 'one', mesh = 'x.gltf' }]\n\
                [[placement]]\nobject = 'one'\n[[placement]]\nobject = 'nodes'\n\
                matrix = [1,0,0,100, 0,1,0,0, 0,0,1,0]\n";
    let file = SceneFile::parse(text, folder.path().join("world.toml")).unwrap();
    let again = SceneFile::parse(&file.to_string(), "again.toml").unwrap();
    assert_eq!(again, file);
    let loaded = file.build().unwrap();
    assert_eq!(loaded.snapshot().triangle_count(), 20);
    assert_eq!(loaded.files()[1..], [path, folder.path().join("b.bin")]);
    // Node 1 is moved by -4 from where its parent is.
    let ray = |x: f32| Ray::new([x - 2.5, 0.25, 9.0], [0.0, 0.0, -1.0]);
    let [one, nodes] = [0.0, 100.0].map(|x| loaded.snapshot().closest_hit(&ray(x)).unwrap());
    assert_eq!((one.t, one.path.numbers()), (nodes.t, &[0][..]));
    assert_eq!(nodes.path.numbers(), [1, 0]);
    let object = loaded.object(nodes.path).unwrap();
    let source = folder.path().join("x.gltf").display().to_string();
    assert_eq!(object.source_name(), source);
    assert!(matches!(&object.source, ObjectSource::NodeMesh(mesh) if mesh.number() == 0));
    // Such an object is in no text, and what is written says so.
    let gltf = SceneFile::load_gltf(folder.path().join("x.gltf"), &MeshLoader::new()).unwrap();
    assert!(SceneFile::parse(&gltf.to_string(), "again.toml").is_err());
}

/// Nodes that flatten or are hidden, in a glTF file and in a scene file that places it twice, and once
/// in a scene of its own.
#[test]
fn nodes_that_are_left_out_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(
        folder.path(),
        r#"{"children":[1,2,3]},{"mesh":0,"scale":[0,0,0],"translation":[3,0,0],"children":[4]},
        {"mesh":0,"name":"seen","translation":[5,0,0]},
        {"mesh":1,"extensions":{"KHR_node_visibility":{"visible":false}}},{"mesh":0}"#,
    );
    let told = [
        "not read: nodes that KHR_node_visibility hides (1)",
        "not read: nodes that flatten their meshes, as a scale of 0 does (2)",
    ];
    let warnings = |report: &MeshReport| -> Vec<String> {
        let warnings = report.warnings();
        warnings.iter().map(ToString::to_string).collect()
    };
    let file = SceneFile::load_gltf(&path, &MeshLoader::new()).unwrap();
    assert_eq!(warnings(file.report()), told);
    let loaded = file.build().unwrap();
    let world = loaded.snapshot();
    assert_eq!((world.placement_count(), world.triangle_count()), (1, 3));
    assert_eq!(loaded.reports(), [(path.clone(), file.report().clone())]);
    let ray = |x: f32| Ray::new([x + 0.25, 0.25, 9.0], [0.0, 0.0, -1.0]);
    let hits = [0.0, 3.0, 5.0].map(|x| world.closest_hit(&ray(x)).map(|hit| hit.t));
    assert_eq!(hits, [None, None, Some(9.0)]);

    let inner = "object = [{ name = 'x', scene = 'x.gltf' }]\nplacement = [{ object = 'x' }]\n";
    std::fs::write(folder.path().join("inner.toml"), inner).unwrap();
    let text = "object = [{ name = 'a', scene = 'x.gltf' }, { name = 'b', scene = 'inner.toml' }]\n\
                placement = [{ object = 'a' }, { object = 'b' }, { object = 'a' }]\n";
    let world = SceneFile::parse(text, folder.path().join("world.toml")).unwrap();
    assert_eq!(world.report(), &MeshReport::default());
    let world = world.build().unwrap();
    assert_eq!(world.snapshot().triangle_count(), 9);
    assert_eq!(world.reports(), loaded.reports());
    let names = ["world.toml", "x.gltf", "b.bin", "inner.toml"];
    assert_eq!(world.files(), names.map(|name| folder.path().join(name)));
    // As one mesh, the flattened triangles are there, and never hit.
    let mesh = Mesh::load(&path).unwrap();
    assert_eq!(mesh.triangle_count(), 9);
    assert_eq!(mesh.report().degenerate.count(), 6);
}

#[test]
fn nodes_that_cannot_be_placed_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let starts = |error: SceneFileError, expected: &str| {
        let found = name_path(&error.to_string(), folder.path(), "F");
        assert!(found.starts_with(expected), "{found}");
    };
    for (nodes, expected) in [
        (
            r#"{"scale":[1e200,1,1],"children":[1]},{"mesh":0,"scale":[1e200,1,1]}"#,
            "F/x.gltf: nodes[1]: the matrix's entry in row 0",
        ),
        (
            r#"{"mesh":0,"children":[0]}"#,
            "F/x.gltf: nodes[0]: invalid glTF: the node occurs",
        ),
    ] {
        let path = write(folder.path(), nodes);
        let error = SceneFile::load_gltf(path, &MeshLoader::new()).unwrap_err();
        starts(error, expected);
    }
    let world = folder.path().join("w.toml");
    std::fs::write(&world, "[[object]]\nname = 'x'\n\nscene = 'x.gltf'\n").unwrap();
    let error = SceneFile::load(world).unwrap().build().unwrap_err();
    starts(error, "F/w.toml:1: F/x.gltf: nodes[0]: invalid");
}
