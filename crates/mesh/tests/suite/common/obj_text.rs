//! Reads OBJ text as a mesh or a message.

use estoc_mesh::{BadFaces, Mesh, ObjLoader};

/// Returns the mesh that the text describes.
#[track_caller]
pub(crate) fn read(text: impl AsRef<[u8]>) -> Mesh {
    match ObjLoader::new().read(text.as_ref(), "test.obj") {
        Ok(mesh) => mesh,
        Err(error) => panic!("{error}: {:?}", String::from_utf8_lossy(text.as_ref())),
    }
}

/// Returns the mesh without invalid faces.
pub(crate) fn skip(text: impl AsRef<[u8]>) -> Mesh {
    ObjLoader::new()
        .bad_faces(BadFaces::Skip)
        .read(text.as_ref(), "test.obj")
        .unwrap()
}

/// Returns the error message of the text.
pub(crate) fn refusal(text: impl AsRef<[u8]>) -> String {
    ObjLoader::new()
        .read(text.as_ref(), "test.obj")
        .unwrap_err()
        .to_string()
}
