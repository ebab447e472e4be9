//! OBJ text in, a mesh or a message out.

use estoc_mesh::{BadFaces, Mesh, ObjLoader};

/// The mesh that the text describes.
#[track_caller]
pub(crate) fn read(text: impl AsRef<[u8]>) -> Mesh {
    match ObjLoader::new().read(text.as_ref(), "test.obj") {
        Ok(mesh) => mesh,
        Err(error) => panic!("{error}: {:?}", String::from_utf8_lossy(text.as_ref())),
    }
}

/// The same without the faces that cannot be used.
pub(crate) fn skip(text: impl AsRef<[u8]>) -> Mesh {
    ObjLoader::new()
        .bad_faces(BadFaces::Skip)
        .read(text.as_ref(), "test.obj")
        .unwrap()
}

/// Why the text is refused.
pub(crate) fn refusal(text: impl AsRef<[u8]>) -> String {
    ObjLoader::new()
        .read(text.as_ref(), "test.obj")
        .unwrap_err()
        .to_string()
}

/// What the mesh's report warns of.
pub(crate) fn warnings(mesh: &Mesh) -> Vec<String> {
    let warnings = mesh.report().warnings();
    warnings.iter().map(ToString::to_string).collect()
}
