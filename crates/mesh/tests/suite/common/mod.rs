//! Shared by the tests of this crate: meshes to write and to read, what is told of them, and random
//! numbers.

use estoc_core::PrimId;
use estoc_mesh::{BadFaces, Mesh, MeshError, MeshLoader};

pub(crate) mod decimals;
pub(crate) mod model;
pub(crate) mod obj_text;
pub(crate) mod written;

pub(crate) use estoc_testkit::tables::Rng;

/// The faces of a cube, outwards, by corners whose bits are their x, y and z.
pub(crate) const CUBE: [[u32; 4]; 6] = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
];

/// Reads bytes of any format.
pub(crate) fn read(bytes: impl AsRef<[u8]>, name: &str) -> Result<Mesh, MeshError> {
    MeshLoader::new().read(bytes.as_ref(), name)
}

/// Reads bytes of any format without invalid faces.
pub(crate) fn skip(bytes: impl AsRef<[u8]>, name: &str) -> Result<Mesh, MeshError> {
    let loader = MeshLoader::new().bad_faces(BadFaces::Skip);
    loader.read(bytes.as_ref(), name)
}

/// Returns the error message of bytes that are rejected.
#[track_caller]
pub(crate) fn refusal(bytes: impl AsRef<[u8]>, name: &str) -> String {
    let bytes = bytes.as_ref();
    match read(bytes, name) {
        Ok(mesh) => panic!(
            "{name} has {} triangles: {}",
            mesh.triangle_count(),
            String::from_utf8_lossy(bytes)
        ),
        Err(error) => error.to_string(),
    }
}

/// Returns the warnings of the mesh's report.
pub(crate) fn warnings(mesh: &Mesh) -> Vec<String> {
    let warnings = mesh.report().warnings();
    warnings.iter().map(ToString::to_string).collect()
}

/// Returns the mesh of a generated scene.
pub(crate) fn demo(line: &str) -> Mesh {
    line.parse::<estoc_demo::DemoSpec>().unwrap().mesh()
}

pub(crate) fn prim(index: u32) -> PrimId {
    PrimId::new(index).unwrap()
}

/// Returns numbers as bytes.
#[cfg(feature = "gltf")]
pub(crate) fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

#[track_caller]
pub(crate) fn assert_starts(found: &str, start: &str) {
    assert!(found.starts_with(start), "{found}\n{start}");
}

#[track_caller]
pub(crate) fn assert_contains(found: &str, part: &str) {
    assert!(found.contains(part), "{found}\n{part}");
}
