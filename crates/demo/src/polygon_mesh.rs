//! Converts polygons to a mesh.

use crate::polygons::Polygons;
use estoc_mesh::{Mesh, ObjLoader};

impl Polygons {
    /// Returns the mesh that results from reading the polygons as an OBJ file of this name.
    pub(crate) fn into_mesh(self, name: &str) -> Mesh {
        const MTL: &str = "demo.mtl";
        let (mut obj, mut mtl) = (Vec::new(), Vec::new());
        let written = self
            .write_obj(&mut obj, Some(MTL))
            .and_then(|()| self.write_mtl(&mut mtl));
        written.expect("writing to memory does not fail");
        drop(self);
        ObjLoader::new()
            .material_source(&|_| Ok(mtl.clone()))
            .read(&obj, name)
            .expect("generators make valid meshes")
    }
}
