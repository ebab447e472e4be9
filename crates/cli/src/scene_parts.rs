//! Scenes on the command line: a scene file, or a generated scene.

use crate::failure::Failure;
use crate::mesh_model::MeshModel;
use crate::mesh_source::{MeshSource, warnings_of};
use crate::precise_model::PreciseModel;
use crate::precision::Precision;
use crate::session::Session;
use crate::tree_args::TreeArgs;
use estoc::glam::{DAffine3, DVec3};
use estoc::mesh::Material;
#[cfg(feature = "view")]
use estoc::scene::DemoScene;
use estoc::scene::{
    LoadedScene, ObjectSource, PlacementMatrix, SceneFile, SceneFileError, SceneHit, ScenePath,
    SceneSnapshot,
};
use estoc_picture::SceneMaterials;
use estoc_scene::{MeshPrecision, SceneFileObject, SceneMesh};
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A scene with the meshes of its objects.
pub(crate) struct SceneParts {
    pub(crate) loaded: LoadedScene,
    /// By their numbers.
    pub(crate) meshes: Vec<PreciseModel>,
    /// The files of those meshes, by their paths.
    #[cfg_attr(not(feature = "view"), expect(dead_code))]
    mesh_files: Vec<PathBuf>,
    /// The time to read and build everything.
    pub(crate) taken: Duration,
}

impl SceneParts {
    /// Reads a scene and everything in it.
    pub(crate) fn open(
        source: &MeshSource,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        let start = Instant::now();
        let file = source.scene_file(session)?;
        let (mut meshes, mut mesh_files) = (Vec::new(), Vec::new());
        // That of objects which do not say.
        let chosen = Some(session.precision()).filter(|&chosen| chosen != Precision::Auto);
        let loader = session.mesh_loader();
        let loaded = file.build_with(&loader, &mut |mesh, at| {
            let of_object = |failure: Failure| failure.of_object(at.to_string());
            let open = |source, wanted| {
                PreciseModel::open_object(&source, wanted, tree, session).map_err(of_object)
            };
            let opened = match mesh {
                SceneMesh::File { path, precision } => {
                    mesh_files.push(path.clone());
                    let wanted = precision.map(Precision::from);
                    open(MeshSource::File(path.clone()), wanted.or(chosen))?
                }
                // The numbers of these are `f32`s.
                SceneMesh::Demo(spec) => open(MeshSource::Demo(spec.to_string()), None)?,
                SceneMesh::Node(node) => {
                    let source = MeshSource::Nodes(node.path().to_owned());
                    source.warn(node.mesh(), session);
                    let opened = MeshModel::build(node.mesh().clone(), tree, session);
                    PreciseModel::F32(opened.map_err(of_object)?)
                }
                other => return Err(Failure::Usage(format!("{at}: {other:?} cannot be opened"))),
            };
            let mesh = opened.placed();
            meshes.push(opened);
            Ok(mesh)
        })?;
        for (path, report) in loaded.reports() {
            for warning in warnings_of(report) {
                session.note(format_args!(
                    "{}: {warning}",
                    MeshSource::Nodes(path.clone())
                ));
            }
        }
        if !source.files().is_empty() {
            session.check_outputs(loaded.files())?;
        }
        Ok(SceneParts {
            loaded,
            meshes,
            mesh_files,
            taken: start.elapsed(),
        })
    }

    /// Returns the time of a generated scene whose objects move; `None` for others.
    #[cfg(feature = "view")]
    pub(crate) fn time(source: &MeshSource) -> Option<f64> {
        match source {
            MeshSource::Demo(spec) => match spec.parse() {
                Ok(DemoScene::Pick { time }) => Some(time),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the generated scene of moving objects as it is at another time, with the same meshes.
    #[cfg(feature = "view")]
    pub(crate) fn at_time(&self, time: f64) -> Result<Self, Failure> {
        let start = Instant::now();
        let file = DemoScene::Pick { time }.file();
        let mut meshes = self.meshes.iter();
        let loader = estoc::MeshLoader::new();
        let loaded = file.build_with(&loader, &mut |mesh, at| match meshes.next() {
            Some(known) => Ok(known.placed()),
            None => Err(Failure::Usage(format!("{at}: {mesh:?} is not known"))),
        })?;
        Ok(SceneParts {
            loaded,
            meshes: self.meshes.clone(),
            mesh_files: Vec::new(),
            taken: start.elapsed(),
        })
    }

    /// Returns the mesh of a hit; `None` for a sphere or a box.
    pub(crate) fn mesh_of(&self, hit: &SceneHit) -> Option<&PreciseModel> {
        self.meshes.get(self.loaded.mesh_number(hit.path)?)
    }

    /// Returns whether there is a mesh in `f64`.
    pub(crate) fn has_f64(&self) -> bool {
        { self.meshes.iter() }.any(|mesh| matches!(mesh, PreciseModel::F64(_)))
    }

    /// Returns the scene in coordinates that are relative to an origin. Each placement is moved; the entries of
    /// its matrix are rounded to the nearest `f64`s.
    pub(crate) fn relative_to(&self, origin: DVec3) -> Result<Arc<SceneSnapshot>, Failure> {
        if origin == DVec3::ZERO {
            return Ok(self.loaded.snapshot().clone());
        }
        let refused = |error: &dyn Display| Failure::Scene(error.to_string());
        let from_origin = DAffine3::from_translation(-origin);
        let from_origin = PlacementMatrix::try_new(&from_origin).map_err(|e| refused(&e))?;
        let mut scene = self.loaded.scene().clone();
        let ids: Vec<_> = scene.ids().collect();
        for id in ids {
            let placed = scene.placement(id)?.matrix();
            let matrix = from_origin.compose(placed).map_err(|e| refused(&e))?;
            scene.set_matrix(id, matrix)?;
        }
        Ok(scene.try_commit()?)
    }

    /// Returns the name of the object's file or generator, or that of an object of spheres and boxes.
    pub(crate) fn source_at(&self, path: ScenePath) -> String {
        let object = self.loaded.object(path);
        object.map_or_else(String::new, SceneFileObject::source_name)
    }

    /// Returns the files that the scene consists of: scene files, and the meshes of objects.
    #[cfg(feature = "view")]
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let scenes = self.loaded.files().iter();
        scenes.chain(&self.mesh_files).cloned().collect()
    }

    /// Returns whether a sphere or a box is hit, in a word; `None` for a triangle.
    pub(crate) fn kind_of_shape(&self, hit: &SceneHit) -> Option<&'static str> {
        match &self.loaded.object(hit.path)?.source {
            ObjectSource::Shapes(shapes) if hit.prim.index() < shapes.spheres.len() => {
                Some("sphere")
            }
            ObjectSource::Shapes(_) => Some("box"),
            _ => None,
        }
    }
}

impl SceneMaterials for SceneParts {
    fn mesh_count(&self) -> usize {
        self.meshes.len()
    }

    fn materials(&self, mesh: usize) -> &[Material] {
        self.meshes.get(mesh).map_or(&[], PreciseModel::materials)
    }

    fn material_of(&self, hit: &SceneHit) -> Option<(usize, &Material)> {
        let number = self.loaded.mesh_number(hit.path)?;
        Some((number, self.meshes.get(number)?.material_of(hit.prim)?))
    }
}

impl MeshSource {
    /// Reads the scene file, or generates the scene.
    fn scene_file(&self, session: &Session) -> Result<SceneFile, Failure> {
        match self {
            MeshSource::Demo(spec) => match spec.parse() {
                Ok(scene) => Ok(estoc::scene::DemoScene::file(&scene)),
                Err(error) => Err(Failure::Usage(format!("demo:{spec}: {error}"))),
            },
            MeshSource::File(path) => {
                let most = session.max_input().unwrap_or(SceneFile::MAX_BYTES);
                Ok(SceneFile::load_at_most(path, most)?)
            }
            MeshSource::Nodes(path) => {
                let bar = session.progress("reading", Some(1));
                let progress = |now| bar.show(now);
                let nodes = session.mesh_loader().progress(&progress).load_nodes(path)?;
                Ok(SceneFile::from_nodes(nodes, path)?)
            }
            MeshSource::Stdin => Err(Failure::Usage(
                "a scene file cannot be read from stdin; name the file".into(),
            )),
        }
    }
}

impl From<MeshPrecision> for Precision {
    fn from(precision: MeshPrecision) -> Self {
        match precision {
            MeshPrecision::Auto => Precision::Auto,
            MeshPrecision::F32 => Precision::F32,
            MeshPrecision::F64 => Precision::F64,
        }
    }
}

impl From<SceneFileError> for Failure {
    fn from(error: SceneFileError) -> Self {
        let error = match error {
            SceneFileError::Mesh { at, source } => {
                return Failure::from(*source).of_object(at.to_string());
            }
            SceneFileError::Gltf { source } => return Failure::from(*source),
            error => error,
        };
        Failure::Scene(match &error {
            SceneFileError::TooLarge { at, limit } => {
                format!("{at}: has more than {limit} bytes; raise the limit with --max-input")
            }
            SceneFileError::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
                format!("{error}; check the path")
            }
            error => error.to_string(),
        })
    }
}
