//! Scenes of glTF files: their nodes as placements.

use super::{
    ObjectSource, SceneFile, SceneFileError, SceneFileObject, SceneFilePlacement, location,
};
use estoc_core::PlacementMatrix;
use estoc_mesh::{Mesh, MeshLoader, MeshNodes};
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A mesh of a glTF file whose nodes are placements. Two are equal if they are the same mesh of files with
/// the same path.
#[derive(Clone, Debug)]
pub struct NodeMesh {
    path: PathBuf,
    number: usize,
    mesh: Arc<Mesh>,
}

impl NodeMesh {
    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of the mesh, from 0 in the order in which nodes refer to them.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns the mesh, not transformed.
    pub fn mesh(&self) -> &Arc<Mesh> {
        &self.mesh
    }

    fn key(&self) -> (&Path, usize) {
        (&self.path, self.number)
    }
}

impl PartialEq for NodeMesh {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for NodeMesh {}

impl Hash for NodeMesh {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl SceneFile {
    /// Reads a glTF file as a scene: its meshes are objects, each in memory once, and its nodes with
    /// meshes are placements, in the order of [`MeshNodes::nodes`], with their names.
    ///
    /// The matrix of a placement is the product of the transforms of all nodes that contain it, which is
    /// computed in `f64`. Placements whose matrix mirrors are `reversed`, so that the front of a mesh
    /// stays its front, as the format requires (3.7.4). What else is taken and ignored is as for
    /// [`MeshLoader::load_nodes`]: nodes that flatten their meshes, as a scale of 0 does, are left out,
    /// and counted in the [`report`](Self::report).
    ///
    /// # Errors
    /// [`SceneFileError`] if the file cannot be read, or the matrix of a node is not finite.
    pub fn load_gltf(
        path: impl AsRef<Path>,
        loader: &MeshLoader<'_>,
    ) -> Result<Self, SceneFileError> {
        let path = path.as_ref();
        let nodes = loader.load_nodes(path);
        let nodes = nodes.map_err(|source| SceneFileError::Gltf {
            source: source.into(),
        })?;
        SceneFile::from_nodes(nodes, path)
    }

    /// Returns the scene of the nodes of a glTF file, as [`load_gltf`](Self::load_gltf) does; `path` is
    /// its name in messages.
    ///
    /// # Errors
    /// The same about nodes.
    pub fn from_nodes(nodes: MeshNodes, path: impl AsRef<Path>) -> Result<Self, SceneFileError> {
        let path = path.as_ref();
        let MeshNodes {
            meshes,
            names,
            nodes,
            report,
            ..
        } = nodes;
        let mut file = SceneFile::new(path, Vec::new(), Vec::new());
        file.report = report;
        let reserved = file.placements.try_reserve_exact(nodes.len());
        reserved.map_err(|_| SceneFileError::NoMemory {
            at: location(path, None),
            what: "the placements of its nodes".into(),
            bytes: nodes.len() * size_of::<SceneFilePlacement>(),
        })?;
        let mut unique = UniqueNames::default();
        let mut names = names.into_iter();
        for (number, mesh) in meshes.into_iter().enumerate() {
            let mesh = Arc::new(mesh);
            let path = path.to_owned();
            file.objects.push(SceneFileObject {
                name: unique.name(names.next().flatten().unwrap_or_else(|| "mesh".into())),
                source: ObjectSource::NodeMesh(NodeMesh { path, number, mesh }),
                precision: None,
                line: None,
            });
        }
        for node in nodes {
            let matrix = PlacementMatrix::try_new(&node.transform);
            let matrix = matrix.map_err(|error| SceneFileError::Node {
                at: location(path, None),
                file: None,
                node: node.index.unwrap_or_default(),
                error,
            })?;
            file.placements.push(SceneFilePlacement {
                object: node.mesh,
                reversed: node.is_mirrored,
                matrix,
                name: node.name,
                mask: u32::MAX,
                line: None,
            });
        }
        Ok(file)
    }

    /// Returns whether a file of this name is taken for glTF.
    pub(super) fn is_named_gltf(path: &Path) -> bool {
        let end = path.extension();
        end.is_some_and(|end| {
            ["gltf", "glb"]
                .iter()
                .any(|gltf| end.eq_ignore_ascii_case(gltf))
        })
    }
}

/// Names of objects, no two of which are equal.
#[derive(Default)]
struct UniqueNames {
    given: HashSet<String>,
    /// The last number appended to a name.
    numbers: HashMap<String, usize>,
}

impl UniqueNames {
    /// Returns the name, with a number appended if it was given before.
    fn name(&mut self, name: String) -> String {
        if self.given.insert(name.clone()) {
            return name;
        }
        let number = self.numbers.entry(name.clone()).or_insert(1);
        loop {
            *number += 1;
            let numbered = format!("{name} {number}");
            if self.given.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}
