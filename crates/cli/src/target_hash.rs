//! What identifies the target of a job's rays.

use crate::failure::Failure;
use crate::mesh_model::MeshModel;
use crate::precise_model::PreciseModel;
use crate::scene_parts::SceneParts;
use crate::session::Session;
use estoc::PrimId;
use estoc_core::Coordinate;
use estoc_rays_io::job::{InputIdentity, hash_of};
use std::path::PathBuf;

/// Returns a hash of a mesh or a tree file, whose mesh has this content hash; with `names`, also of the names of its objects, groups and
/// materials. It is the same for a mesh and for its tree file, unless the file has masks.
pub(crate) fn of_mesh<C: Coordinate>(mesh: &MeshModel<C>, hash: u64, names: bool) -> String {
    let hash = mesh.bvh().hash_with_masks(hash);
    match names {
        true => with_names(hash, mesh),
        false => format!("{hash:016x}"),
    }
}

/// Returns that of a mesh in `f64`.
pub(crate) fn of_wide(mesh: &MeshModel<f64>, names: bool) -> Result<String, Failure> {
    let hash = match mesh.content_hash() {
        Some(hash) => hash,
        None => mesh.mesh()?.content_hash(),
    };
    Ok(of_mesh(mesh, hash, names))
}

/// Returns a hash of the files and the meshes of a scene.
pub(crate) fn of_parts(scene: &SceneParts, session: &Session) -> Result<String, Failure> {
    // Generated scenes are named where others have a file.
    let (files, generated): (Vec<PathBuf>, Vec<PathBuf>) = scene
        .loaded
        .files()
        .iter()
        .cloned()
        .partition(|file| file.is_file());
    let mut text = String::new();
    if let InputIdentity::Files(files) = InputIdentity::of_files(&files, true, &session.cancel)? {
        for file in files {
            text += &file.xxh3;
        }
    }
    for name in generated {
        text += &name.display().to_string();
    }
    for mesh in &scene.meshes {
        text += &match mesh {
            PreciseModel::F32(mesh) => with_names(mesh.mesh()?.content_hash(), mesh),
            PreciseModel::F64(mesh) => with_names(mesh.mesh()?.content_hash(), mesh),
        };
    }
    Ok(hash_of(text.as_bytes()))
}

/// Returns a hash of a mesh's hash and of the names of its objects, groups and materials.
fn with_names<C: Coordinate>(hash: u64, mesh: &MeshModel<C>) -> String {
    let (mut text, mut last) = (format!("{hash:016x}"), [None; 3]);
    for index in 0..mesh.bvh().triangle_count() {
        let names = PrimId::from_index(index).map_or([None; 3], |prim| mesh.known.names_of(prim));
        if names != last {
            text += &format!("\n{index} {names:?}");
            last = names;
        }
    }
    hash_of(text.as_bytes())
}
