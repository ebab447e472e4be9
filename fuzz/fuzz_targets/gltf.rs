//! Reads arbitrary bytes as glTF, without format detection: as a mesh, and as a scene of its nodes.

#![no_main]

mod common;

use estoc_mesh::{Format, MeshLoader};
use estoc_scene::SceneFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    common::read(bytes, Some(Format::Gltf));
    let source = |_: &str| Ok(bytes.to_vec());
    let loader = MeshLoader::new().file_source(&source).format(Format::Gltf);
    let Ok(nodes) = loader.read_nodes(bytes, "fuzz.gltf") else {
        return;
    };
    nodes.meshes.iter().for_each(common::check);
    assert!(
        nodes
            .nodes
            .iter()
            .all(|node| node.mesh < nodes.meshes.len())
    );
    let (placed, count) = (nodes.nodes.len(), nodes.meshes.len());
    if let Ok(file) = SceneFile::from_nodes(nodes, "fuzz.gltf") {
        assert_eq!(
            (file.placements().len(), file.objects().len()),
            (placed, count)
        );
        let built = file.build().expect("meshes can be placed anywhere");
        assert_eq!(built.scene().len(), placed);
    }
});
