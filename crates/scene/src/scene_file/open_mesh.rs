//! Opens meshes with the defaults of their loader and their tree.

use super::{MeshPrecision, OpenedMesh, SceneFileError, SceneLocation, SceneMesh};
use crate::SceneObject;
use estoc_bvh::{Bvh, TreeFile};
use estoc_core::Coordinate;
use estoc_core::glam::DVec3;
use estoc_mesh::parts::NeededMesh;
use estoc_mesh::{Mesh, MeshError, MeshLoader};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

pub(super) fn open_mesh(
    mesh: &SceneMesh,
    at: &SceneLocation,
) -> Result<OpenedMesh, SceneFileError> {
    match mesh {
        SceneMesh::Node(node) => build(node.mesh(), at),
        SceneMesh::Demo(spec) => {
            let bytes = spec.bytes_to_make();
            if !estoc_system::has_room(bytes) {
                return Err(SceneFileError::NoMemory {
                    at: at.clone(),
                    what: format!("demo:{spec}"),
                    bytes,
                });
            }
            build(&spec.mesh(), at)
        }
        SceneMesh::File { path, precision } => {
            let loader = MeshLoader::new();
            let loaded = match precision {
                Some(MeshPrecision::Auto) => loader.load_as_needed(path),
                Some(MeshPrecision::F64) => loader.load_f64(path).map(NeededMesh::from),
                Some(MeshPrecision::F32) | None => loader.load(path).map(NeededMesh::F32),
            };
            match loaded {
                Ok(NeededMesh::F32(mesh)) => build(&mesh, at),
                Ok(NeededMesh::F64 { mesh, .. }) => build(&mesh, at),
                Err(MeshError::TreeFile { packing: None, .. }) => tree_file(path, *precision, at),
                Err(source) => Err(SceneFileError::Mesh {
                    at: at.clone(),
                    source: source.into(),
                }),
            }
        }
    }
}

fn build<C: Coordinate>(mesh: &Mesh<C>, at: &SceneLocation) -> Result<OpenedMesh, SceneFileError>
where
    SceneObject: From<Bvh<C>>,
{
    let tree = Bvh::builder().build(mesh);
    let tree = tree.map_err(|source| SceneFileError::Build {
        at: at.clone(),
        source,
    })?;
    Ok(OpenedMesh::new(tree, DVec3::ZERO))
}

/// Reads a tree file, which keeps its own numbers; fails if the object asks for others.
fn tree_file(
    path: &Path,
    precision: Option<MeshPrecision>,
    at: &SceneLocation,
) -> Result<OpenedMesh, SceneFileError> {
    let is_f64 = match precision {
        Some(MeshPrecision::F32) => false,
        Some(MeshPrecision::F64) => true,
        Some(MeshPrecision::Auto) | None => {
            let mut start = Vec::new();
            // A file that cannot be read fails below.
            let read = File::open(path).map(|file| file.take(16).read_to_end(&mut start));
            read.is_ok() && TreeFile::is_f64(&start)
        }
    };
    let opened = match is_f64 {
        true => TreeFile::load_f64(path).map(|file| file.shared_bvh().clone().into()),
        false => TreeFile::load(path).map(|file| {
            let origin = file.facts().origin;
            OpenedMesh::new(Arc::new(file.into_bvh()), origin)
        }),
    };
    opened.map_err(|source| SceneFileError::Tree {
        at: at.clone(),
        source: source.into(),
    })
}
