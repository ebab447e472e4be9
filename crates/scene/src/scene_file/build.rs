//! Reads what a scene file names, and makes the scene.

use super::open_mesh::open_mesh;
use super::{
    ObjectSource, OpenMesh, OpenedMesh, SceneFile, SceneFileError, SceneFileObject, SceneLocation,
    SceneMesh,
};
use crate::ShapeList;
use crate::scene::Scene;
use crate::snapshot::{Placement, SceneObject, SceneSnapshot};
use estoc_core::glam::{DAffine3, DVec3};
use estoc_core::{PlacementMatrix, ScenePath};
use estoc_mesh::{MeshLoader, MeshReport};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The scene of a scene file.
#[derive(Clone, Debug)]
pub struct LoadedScene {
    file: SceneFile,
    scene: Scene,
    snapshot: Arc<SceneSnapshot>,
    /// By the index of the object.
    parts: Vec<Part>,
    /// Of the outermost scene only.
    files: Vec<PathBuf>,
    /// Of the outermost scene only.
    reports: Vec<(PathBuf, MeshReport)>,
}

/// What an object turned out to be.
#[derive(Clone, Debug)]
enum Part {
    /// The number of the mesh.
    Mesh(usize, OpenedMesh),
    Shapes(Arc<ShapeList>),
    Scene(Arc<LoadedScene>),
}

impl SceneFile {
    /// Reads all files that the scene file names, builds the trees over their meshes, and places them.
    ///
    /// Every object is read, placed or not, and each file once for each `precision`, however often it is
    /// named.
    ///
    /// # Errors
    /// [`SceneFileError`] if a mesh or a scene in it cannot be used, if a scene contains itself or
    /// nests too deep, or if a placement is refused by [`Scene::add`].
    pub fn build(&self) -> Result<LoadedScene, SceneFileError> {
        self.build_with(&MeshLoader::new(), &mut open_mesh)
    }

    /// Does the same as [`build`](Self::build) with trees that a function makes. It is called once for
    /// each mesh, with the location of the first object that names it. `loader` loads glTF files that
    /// are placed as scenes.
    ///
    /// # Errors
    /// The same, and those of the function.
    pub fn build_with<'o, E: From<SceneFileError>>(
        &self,
        loader: &'o MeshLoader<'o>,
        open: &'o mut OpenMesh<'o, E>,
    ) -> Result<LoadedScene, E> {
        let mut builder = SceneFileBuilder {
            open,
            loader,
            meshes: HashMap::new(),
            scenes: HashMap::new(),
            chain: vec![(identity_of(&self.path), self.path.clone())],
            files: Vec::new(),
            reports: Vec::new(),
        };
        let scene = builder.scene(self.clone())?;
        let SceneFileBuilder { files, reports, .. } = builder;
        Ok(LoadedScene {
            files,
            reports,
            ..scene
        })
    }
}

impl LoadedScene {
    /// Returns the scene file.
    pub fn file(&self) -> &SceneFile {
        &self.file
    }

    /// Returns the paths of all scene files that were read, that of the scene itself first; for a
    /// generated scene, its name. For glTF files as scenes, also of the files that they name.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Returns the reports of the glTF files that were read as scenes, with their paths: what was
    /// ignored of each as a whole, such as hidden nodes, besides what the reports of its meshes tell.
    pub fn reports(&self) -> &[(PathBuf, MeshReport)] {
        &self.reports
    }

    /// Returns the scene. The number of a placement is its place in the file. The matrix of a placement is
    /// that of the file, unless its object is a mesh in a local frame: then it is composed with the
    /// translation to the origin of the frame, each entry the nearest `f64`.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Returns the scene, to change it.
    pub fn into_scene(self) -> Scene {
        self.scene
    }

    /// Returns what answers queries.
    pub fn snapshot(&self) -> &Arc<SceneSnapshot> {
        &self.snapshot
    }

    /// Returns the object of a mesh or a list of shapes of the scene; `None` if the path leads to
    /// neither.
    pub fn object(&self, path: ScenePath) -> Option<&SceneFileObject> {
        let (scene, index) = self.follow(path)?;
        scene.file.objects.get(index)
    }

    /// Returns the number of a mesh, from 0 in the order in which the meshes were opened; `None` if the
    /// path does not lead to one.
    pub fn mesh_number(&self, path: ScenePath) -> Option<usize> {
        let (scene, index) = self.follow(path)?;
        match scene.parts.get(index)? {
            Part::Mesh(number, _) => Some(*number),
            Part::Shapes(_) | Part::Scene(_) => None,
        }
    }

    /// Returns the objects of the file in their order, each with what it is.
    pub fn objects(&self) -> impl ExactSizeIterator<Item = (&SceneFileObject, SceneObject)> {
        let parts = self.parts.iter().map(Part::object);
        self.file.objects.iter().zip(parts)
    }

    /// Follows a path to a mesh or to shapes: the scene that places it, and the index of its object there.
    fn follow(&self, path: ScenePath) -> Option<(&LoadedScene, usize)> {
        let mut scene = self;
        let (last, outer) = path.numbers().split_last()?;
        for &number in outer {
            let placement = scene.file.placements.get(number as usize)?;
            let Part::Scene(inner) = scene.parts.get(placement.object)? else {
                return None;
            };
            scene = inner;
        }
        let object = scene.file.placements.get(*last as usize)?.object;
        let is_scene = matches!(scene.parts.get(object)?, Part::Scene(_));
        (!is_scene).then_some((scene, object))
    }
}

impl Part {
    /// Returns the matrix that places the object where this one places its coordinates in the file: for
    /// a mesh in a local frame composed with the translation to its origin.
    fn matrix(
        &self,
        placed: &PlacementMatrix,
        at: impl FnOnce() -> SceneLocation,
    ) -> Result<PlacementMatrix, SceneFileError> {
        let origin = match self {
            Part::Mesh(_, mesh) if mesh.origin != DVec3::ZERO => mesh.origin,
            _ => return Ok(*placed),
        };
        let to_origin = PlacementMatrix::try_new(&DAffine3::from_translation(origin));
        let composed = to_origin.and_then(|to_origin| placed.compose(&to_origin));
        composed.map_err(|error| SceneFileError::FrameMatrix {
            at: at(),
            origin,
            error,
        })
    }

    fn object(&self) -> SceneObject {
        match self {
            Part::Mesh(_, mesh) => mesh.object.clone(),
            Part::Shapes(shapes) => shapes.clone().into(),
            Part::Scene(scene) => scene.snapshot.clone().into(),
        }
    }
}

struct SceneFileBuilder<'o, E> {
    open: &'o mut OpenMesh<'o, E>,
    /// Of glTF files with their nodes.
    loader: &'o MeshLoader<'o>,
    /// With their numbers.
    meshes: HashMap<SceneMesh, (usize, OpenedMesh)>,
    /// By the path that identifies the file.
    scenes: HashMap<PathBuf, Arc<LoadedScene>>,
    /// The scene files that are being read, from the outermost: what identifies them, and their paths.
    chain: Vec<(PathBuf, PathBuf)>,
    /// The scene files that were read.
    files: Vec<PathBuf>,
    /// Those of glTF files.
    reports: Vec<(PathBuf, MeshReport)>,
}

impl<E: From<SceneFileError>> SceneFileBuilder<'_, E> {
    fn scene(&mut self, file: SceneFile) -> Result<LoadedScene, E> {
        self.files.extend(file.files());
        if file.report != MeshReport::default() {
            (self.reports).push((file.path.clone(), file.report.clone()));
        }
        let mut parts = Vec::with_capacity(file.objects.len());
        for object in &file.objects {
            parts.push(self.part(&file, object)?);
        }
        let mut scene = Scene::new();
        for placed in &file.placements {
            let object = parts[placed.object].object();
            let matrix = parts[placed.object].matrix(&placed.matrix, || file.at(placed.line))?;
            let mut placement = Placement::with_matrix(object, matrix)
                .mask(placed.mask)
                .reversed(placed.reversed);
            if let Some(name) = &placed.name {
                placement = placement.name(&**name);
            }
            scene
                .add(placement)
                .map_err(|error| SceneFileError::Placement {
                    at: file.at(placed.line),
                    error: error.into(),
                })?;
        }
        let snapshot = scene.try_commit();
        let snapshot = snapshot.map_err(|error| SceneFileError::Placement {
            at: file.at(None),
            error: error.into(),
        })?;
        Ok(LoadedScene {
            snapshot,
            scene,
            file,
            parts,
            files: Vec::new(),
            reports: Vec::new(),
        })
    }

    fn part(&mut self, file: &SceneFile, object: &SceneFileObject) -> Result<Part, E> {
        let at = file.at(object.line);
        match &object.source {
            ObjectSource::MeshFile(path) => {
                let (path, precision) = (file.resolved(path), object.precision);
                self.mesh(SceneMesh::File { path, precision }, &at)
            }
            ObjectSource::DemoMesh(spec) => self.mesh(SceneMesh::Demo(*spec), &at),
            ObjectSource::NodeMesh(mesh) => self.mesh(SceneMesh::Node(mesh.clone()), &at),
            ObjectSource::Shapes(shapes) => match ShapeList::try_new(shapes.shapes()) {
                Ok(list) => Ok(Part::Shapes(Arc::new(list))),
                Err(error) => Err(SceneFileError::Shapes { at, error }.into()),
            },
            ObjectSource::DemoScene(scene) => {
                let name = PathBuf::from(format!("demo:{scene}"));
                let bytes = scene.bytes_to_make();
                if !estoc_system::has_room(bytes) {
                    let what = name.display().to_string();
                    return Err(SceneFileError::NoMemory { at, what, bytes }.into());
                }
                self.nested(name.clone(), name, at, || Ok(scene.file()))
            }
            ObjectSource::SceneFile(path) => {
                let (path, most, loader) = (file.resolved(path), file.max_bytes, self.loader);
                let of_object = at.clone();
                refuse_stream(&path, &at)?;
                let load = || match SceneFile::is_named_gltf(&path) {
                    true => SceneFile::load_gltf(&path, loader).map_err(|error| match error {
                        SceneFileError::Gltf { source } => SceneFileError::Mesh {
                            at: of_object,
                            source,
                        },
                        SceneFileError::Node {
                            at, node, error, ..
                        } => SceneFileError::Node {
                            file: Some(at.file.to_string()),
                            at: of_object,
                            node,
                            error,
                        },
                        error => error,
                    }),
                    false => SceneFile::load_at_most(&path, most),
                };
                self.nested(identity_of(&path), path.clone(), at, load)
            }
        }
    }

    fn mesh(&mut self, mesh: SceneMesh, at: &SceneLocation) -> Result<Part, E> {
        let key = match &mesh {
            SceneMesh::File { path, precision } => SceneMesh::File {
                path: identity_of(path),
                precision: *precision,
            },
            SceneMesh::Demo(_) | SceneMesh::Node(_) => mesh.clone(),
        };
        let next = self.meshes.len();
        let (number, opened) = match self.meshes.entry(key) {
            std::collections::hash_map::Entry::Occupied(there) => there.into_mut(),
            std::collections::hash_map::Entry::Vacant(free) => {
                if let SceneMesh::File { path, .. } = &mesh {
                    refuse_stream(path, at)?;
                }
                free.insert((next, (self.open)(&mesh, at)?))
            }
        };
        Ok(Part::Mesh(*number, opened.clone()))
    }

    /// Returns the scene of an object. `identity` is the same for all paths of a file.
    fn nested(
        &mut self,
        identity: PathBuf,
        path: PathBuf,
        at: SceneLocation,
        load: impl FnOnce() -> Result<SceneFile, SceneFileError>,
    ) -> Result<Part, E> {
        let text = |path: &Path| path.display().to_string();
        if let Some(first) = self.chain.iter().position(|(file, _)| *file == identity) {
            let files = self.chain[first..].iter().map(|(_, path)| path);
            let files = files.chain([&path]).map(|path| text(path)).collect();
            return Err(SceneFileError::Cycle { at, files }.into());
        }
        if let Some(scene) = self.scenes.get(&identity) {
            return Ok(Part::Scene(scene.clone()));
        }
        if self.chain.len() >= ScenePath::MAX_DEPTH {
            let file = text(&path);
            return Err(SceneFileError::TooDeep { at, file }.into());
        }
        let file = load().map_err(|error| match error {
            // Other errors are at a place in that file.
            SceneFileError::Io { source, .. } => unread_object(&path, at, &source),
            error => error,
        })?;
        self.chain.push((identity.clone(), path));
        let scene = self.scene(file);
        self.chain.pop();
        let scene = Arc::new(scene?);
        self.scenes.insert(identity, scene.clone());
        Ok(Part::Scene(scene))
    }
}

/// Returns an error for a file of an object that is no ordinary file, such as a pipe: opening it would
/// wait for a writer, and a watched scene is opened again.
fn refuse_stream(path: &Path, at: &SceneLocation) -> Result<(), SceneFileError> {
    match estoc_system::open_file(path) {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            Err(unread_object(path, at.clone(), &error))
        }
        // Other errors are those of its reader.
        _ => Ok(()),
    }
}

/// Returns the error for the file of the object at a line.
fn unread_object(path: &Path, at: SceneLocation, error: &io::Error) -> SceneFileError {
    let told = format!("{:?}: {error}", path.display().to_string());
    SceneFileError::Io {
        at,
        source: io::Error::new(error.kind(), told),
    }
}

/// Returns a path that is the same for all names of a file.
fn identity_of(path: &Path) -> PathBuf {
    // A file that does not exist fails when it is opened.
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
