//! Reads arbitrary bytes as a scene file: the third line of defence, after the tests of
//! `crates/scene/tests`. Nothing may panic or hang, errors are one line, and what is written is read as
//! equal.

#![no_main]

use estoc_bvh::Bvh;
use estoc_mesh::{Mesh, MeshLoader};
use estoc_scene::{ObjectSource, SceneFile, SceneFileError};
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let file = match SceneFile::parse(text, "fuzz.toml") {
        Ok(file) => file,
        Err(error) => return check(&error),
    };
    let written = file.to_string();
    let read = SceneFile::parse(&written, "written.toml").expect("a scene is written as a scene");
    assert_eq!(read, file);
    // Nothing is read from the disk.
    let has_files = |source: &ObjectSource| {
        matches!(
            source,
            ObjectSource::SceneFile(_) | ObjectSource::DemoScene(_)
        )
    };
    if file
        .objects()
        .iter()
        .any(|object| has_files(&object.source))
    {
        return;
    }
    let empty = Arc::new(Bvh::build(&Mesh::default()));
    let built = file.build_with(&MeshLoader::new(), &mut |_, _| {
        Ok::<_, SceneFileError>(empty.clone().into())
    });
    let loaded = built.expect("meshes can be placed anywhere");
    assert_eq!(loaded.scene().len(), file.placements().len());
});

fn check(error: &SceneFileError) {
    let told = error.to_string();
    assert!(told.starts_with("fuzz.toml:"), "{told}");
    assert!(!told.contains(char::is_control), "{told}");
}
