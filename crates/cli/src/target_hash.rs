//! What identifies the target of a job's rays.

use crate::common::Session;
use crate::failure::Failure;
use crate::model::Opened;
use crate::scene_model::SceneModel;
use crate::target::OpenedTarget;
use estoc::mesh::Material;
use estoc::{Mesh, PrimId};
use estoc_rays_io::job::{InputIdentity, hash_of};
use std::path::PathBuf;

/// The names that columns show of a triangle: its object, its group and its material.
type Names<'a> = [Option<&'a str>; 3];

/// Returns a hash of a target, in 16 digits; with `names`, also of the names of a mesh's objects, groups
/// and materials.
pub(crate) fn of(target: &OpenedTarget, names: bool, session: &Session) -> Result<String, Failure> {
    match target {
        OpenedTarget::Mesh(opened) => of_opened(opened, names),
        OpenedTarget::Scene(scene) => of_scene(scene, session),
    }
}

/// Returns a hash of a mesh or a tree file, in 16 digits; with `names`, also of the names of its objects,
/// groups and materials. It is the same for a mesh and for its tree file, unless the file has masks.
fn of_opened(opened: &Opened, names: bool) -> Result<String, Failure> {
    let file = match opened {
        Opened::Mesh(mesh, ..) => return Ok(of_mesh(mesh, names)),
        Opened::File(file, _) => file,
    };
    let hash = match file.facts().mesh_hash {
        Some(hash) => hash,
        None => file.mesh()?.content_hash(),
    };
    let hash = file.bvh().hash_with_masks(hash);
    let of = |prim| {
        names_of(
            file.object_of(prim),
            file.group_of(prim),
            file.material_of(prim),
        )
    };
    Ok(with_names(
        hash,
        names.then_some((file.facts().triangles, &of)),
    ))
}

/// Returns a hash of a mesh; with `names`, also of the names of its objects, groups and materials.
fn of_mesh(mesh: &Mesh, names: bool) -> String {
    let of = |prim| {
        names_of(
            mesh.object_of(prim),
            mesh.group_of(prim),
            mesh.material_of(prim),
        )
    };
    with_names(
        mesh.content_hash(),
        names.then_some((mesh.triangle_count(), &of)),
    )
}

/// Returns a hash of the files and the meshes of a scene.
fn of_scene(scene: &SceneModel, session: &Session) -> Result<String, Failure> {
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
        text += &of_mesh(mesh.mesh(), true);
    }
    Ok(hash_of(text.as_bytes()))
}

fn names_of<'a>(
    object: Option<&'a str>,
    group: Option<&'a str>,
    material: Option<&'a Material>,
) -> Names<'a> {
    [object, group, material.map(|material| &*material.name)]
}

fn with_names<'a>(hash: u64, names: Option<(usize, &dyn Fn(PrimId) -> Names<'a>)>) -> String {
    let hash = format!("{hash:016x}");
    let Some((triangles, names_of)) = names else {
        return hash;
    };
    let (mut text, mut last) = (hash, [None; 3]);
    for index in 0..triangles {
        let names = PrimId::from_index(index).map_or([None; 3], names_of);
        if names != last {
            text += &format!("\n{index} {names:?}");
            last = names;
        }
    }
    hash_of(text.as_bytes())
}
