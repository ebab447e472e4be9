//! Scenes from OBJ files.

use super::Soup;
use estoc::{MeshError, ObjLoader};
use std::path::Path;

/// All triangles of a file, read by estoc for every engine alike.
pub(super) fn load(path: &Path) -> Result<Soup, MeshError> {
    let mesh = ObjLoader::new().attributes(false).load(path)?;
    Ok(Soup {
        positions: mesh.positions().to_vec(),
        faces: mesh.indices().to_vec(),
    })
}
