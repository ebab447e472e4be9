//! Scene files: objects and their placements as a text.

mod build;
mod city;
mod demo_scene;
mod error;
mod gltf_scene;
mod location;
mod mesh_precision;
mod moving_shapes;
mod open_mesh;
mod opened_mesh;
mod parse;
mod scene_shapes;
mod values;
mod write;

pub use build::LoadedScene;
pub use demo_scene::{DemoScene, DemoSceneError};
pub use error::SceneFileError;
pub use gltf_scene::NodeMesh;
pub use location::SceneLocation;
pub use mesh_precision::MeshPrecision;
pub use opened_mesh::{OpenMesh, OpenedMesh, SceneMesh};
pub use scene_shapes::{OrientedBox, SceneFileBox, SceneFileShapes};

use estoc_core::PlacementMatrix;
use estoc_demo::DemoSpec;
use estoc_mesh::MeshReport;
use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A scene as a text in [TOML](https://toml.io): objects, and where they are placed.
///
/// ```toml
/// [[object]]
/// name = "teapot"
/// mesh = "demo:teapot?n=2000"
///
/// [[object]]
/// name = "station"
/// mesh = "station.obj"
/// precision = "f64"
///
/// [[object]]
/// name = "street"
/// scene = "street.toml"
///
/// [[object]]
/// name = "lamp"
/// spheres = [{ center = [0, 4, 0], radius = 0.25 }]
/// boxes = [{ min = [-0.1, 0, -0.1], max = [0.1, 3.8, 0.1] }]
///
/// [[placement]]
/// object = "street"
///
/// [[placement]]
/// object = "lamp"
///
/// [[placement]]
/// object = "teapot"
/// name = "on the roof"
/// matrix = [
///     0.0, 0.0, 1.0, 4e6,
///     0.0, 1.0, 0.0, 12.5,
///     -1.0, 0.0, 0.0, -0.25,
/// ]
/// mask = 0b10
/// reversed = false
///
/// [[placement]]
/// object = "teapot"
/// translation = [4e6, 0, -3]
/// rotation = [0, 0.7071, 0, 0.7071]
/// scale = [2, 2, 2]
/// ```
///
/// - An object has a `name` of its own, and either `mesh`, or `scene`, or `spheres` and `boxes`. A mesh is a file of any format
///   that [`MeshLoader`](estoc_mesh::MeshLoader) reads, a tree file, or `demo:` and a
///   [`DemoSpec`]; a scene is another scene file, a glTF file (`.gltf`, `.glb`) whose nodes are
///   placements ([`load_gltf`](SceneFile::load_gltf)), or `demo:` and a [`DemoScene`]. Files are
///   relative to the folder of the scene file. A glTF file that is a `mesh` is one mesh of all its
///   nodes. A tree file of a mesh in a local frame is placed as the file of that mesh: by its
///   coordinates there.
/// - The corners of a mesh file are kept as the nearest `f32`s, or with `precision = "f64"` as the nearest `f64`s,
///   and with `"auto"` as [`load_as_needed`](estoc_mesh::MeshLoader::load_as_needed) does. A tree file has the
///   numbers that it was written with, and a `precision` that asks for others is an error.
/// - `spheres` is a list of `{ center = [0, 0, 1], radius = 2 }`, and `boxes` of
///   `{ min = [0, 0, 0], max = [1, 1, 1] }` and of `{ center = [0, 0, 0], half_sizes = [3, 2, 1],
///   axes = [[0.6, 0.8, 0], [-0.8, 0.6, 0], [0, 0, 1]] }`, which is what
///   [`Obb::try_new`](estoc_core::Obb::try_new) makes; without `axes`, they are x, y and z. Each number
///   is the nearest `f32`. An object may have both lists. Its shapes are numbered from 0: the spheres in
///   their order, then the boxes in theirs.
/// - A placement has the name of an `object`, and optionally a `matrix` (the identity), a `name`, a
///   `mask` (all bits set), and `reversed` (not). The matrix is of twelve numbers: three rows, each of
///   three factors and the translation along one axis. Each number is the nearest `f64`; the matrix
///   must have an inverse.
/// - Instead of a `matrix`, a placement may have a `translation`, a `rotation` and a `scale`, or some of
///   these, as a node of glTF has them: the object is scaled along its axes, then rotated by the quaternion
///   x, y, z, w, which may have any length but 0, and then moved. They make the matrix
///   [`PlacementMatrix::from_scale_rotation_translation`], each entry rounded once.
/// - The number of a placement, which names it in paths, is its place in the file, from 0.
/// - Unknown keys are errors.
///
/// `Display` writes a text that is read as an equal scene, with matrices, unless the scene is a glTF file: its meshes
/// have no name that a text could give.
///
/// ```
/// # mod estoc { pub use {estoc_bvh::*, estoc_core::*, estoc_mesh::*}; pub mod scene { pub use {estoc_scene::*}; } }
/// use estoc::{Ray, RayQuery, scene::SceneFile};
/// let text = r#"
///     [[object]]
///     name = "ball"
///     mesh = "demo:sphere?n=500"
///
///     [[placement]]
///     object = "ball"
///
///     [[placement]]
///     object = "ball"
///     translation = [3, 0, 0]
///     scale = [0.5, 0.5, 0.5]
/// "#;
/// let loaded = SceneFile::parse(text, "balls.toml")?.build()?;
/// let hit = loaded.snapshot().closest_hit(&Ray::new([9.0, 0.0, 0.0], [-1.0, 0.0, 0.0])).unwrap();
/// assert_eq!((hit.t, hit.path.numbers()), (5.5, &[1][..]));
/// assert_eq!(loaded.object(hit.path).unwrap().name, "ball");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SceneFile {
    /// The file, or the name that the caller gave.
    path: PathBuf,
    objects: Vec<SceneFileObject>,
    placements: Vec<SceneFilePlacement>,
    max_bytes: u64,
    /// What is known of a glTF file as a whole; empty for others.
    report: MeshReport,
}

/// An object of a scene file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SceneFileObject {
    /// Its name.
    pub name: String,
    /// What it is.
    pub source: ObjectSource,
    /// The numbers that the corners of its mesh file are to be kept in, if the file says.
    pub precision: Option<MeshPrecision>,
    /// The line on which it begins, from 1; `None` in a generated scene.
    pub line: Option<u64>,
}

/// A placement of a scene file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SceneFilePlacement {
    /// The index of its object, from 0.
    pub object: usize,
    /// Its matrix.
    pub matrix: PlacementMatrix,
    /// Its name.
    pub name: Option<String>,
    /// Its mask.
    pub mask: u32,
    /// Whether front and back are exchanged.
    pub reversed: bool,
    /// The line on which it begins, from 1; `None` in a generated scene.
    pub line: Option<u64>,
}

/// What an object of a scene file is. Paths are as in the file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ObjectSource {
    /// A mesh file or a tree file.
    MeshFile(PathBuf),
    /// A generated mesh.
    DemoMesh(DemoSpec),
    /// Another scene file, or a glTF file with its nodes.
    SceneFile(PathBuf),
    /// A generated scene.
    DemoScene(DemoScene),
    /// Spheres and boxes.
    Shapes(SceneFileShapes),
    /// A mesh of a glTF file that is read as a scene.
    NodeMesh(NodeMesh),
}

impl SceneFileObject {
    /// Returns the name of its file or generator, as in the file; for spheres and boxes, which have
    /// neither, the name of the object.
    pub fn source_name(&self) -> String {
        match &self.source {
            ObjectSource::Shapes(_) => self.name.clone(),
            source => source.to_string(),
        }
    }
}

impl SceneFile {
    /// The largest number of bytes of a file that [`load`](Self::load) reads: 32 MiB, more than a
    /// hundred thousand placements. Reading a text takes about twenty times its size, and one made to
    /// take as much as possible eighty times.
    pub const MAX_BYTES: u64 = 1 << 25;

    /// Reads a scene file. The files that it names are not read yet.
    ///
    /// # Errors
    /// [`SceneFileError`] if the file cannot be read, has more than [`MAX_BYTES`](Self::MAX_BYTES)
    /// bytes, or is no valid scene, and if there is not enough memory for it.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SceneFileError> {
        SceneFile::load_at_most(path, Self::MAX_BYTES)
    }

    /// Does the same as [`load`](Self::load) with another limit, also for the scene files in it.
    ///
    /// # Errors
    /// The same.
    pub fn load_at_most(path: impl AsRef<Path>, max_bytes: u64) -> Result<Self, SceneFileError> {
        let path = path.as_ref();
        let io_error = |source| SceneFileError::Io {
            at: location(path, None),
            source,
        };
        let (file, _) = estoc_system::open_input(path).map_err(io_error)?;
        let mut bytes = Vec::new();
        let mut limited = file.take(max_bytes.saturating_add(1));
        limited.read_to_end(&mut bytes).map_err(io_error)?;
        if bytes.len() as u64 > max_bytes {
            return Err(SceneFileError::TooLarge {
                at: location(path, None),
                limit: max_bytes,
            });
        }
        let needed = bytes.len().saturating_mul(MEMORY);
        if needed > SMALL && !estoc_system::has_room(needed) {
            return Err(SceneFileError::NoMemory {
                at: location(path, None),
                what: "the text".into(),
                bytes: needed,
            });
        }
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let good = &bytes[..error.valid_up_to()];
            let line = 1 + good.iter().filter(|&&byte| byte == b'\n').count() as u64;
            SceneFileError::Syntax {
                at: location(path, Some(line)),
                problem: "the text is not UTF-8; save it as UTF-8".into(),
            }
        })?;
        let file = SceneFile::parse(text, path)?;
        Ok(SceneFile { max_bytes, ..file })
    }

    /// Reads the text of a scene file. `path` is its name in messages, and its folder is where the
    /// files that it names are; they are not read yet.
    ///
    /// # Errors
    /// [`SceneFileError`] if the text is no valid scene.
    pub fn parse(text: &str, path: impl AsRef<Path>) -> Result<Self, SceneFileError> {
        parse::parse(text, path.as_ref())
    }

    /// Returns a scene without objects.
    fn generated(name: &str) -> Self {
        SceneFile::new(Path::new(name), Vec::new(), Vec::new())
    }

    fn new(
        path: &Path,
        objects: Vec<SceneFileObject>,
        placements: Vec<SceneFilePlacement>,
    ) -> Self {
        SceneFile {
            path: path.to_owned(),
            objects,
            placements,
            max_bytes: Self::MAX_BYTES,
            report: MeshReport::default(),
        }
    }

    /// Adds an object of this name, and returns its index.
    fn add_object(&mut self, name: &str, source: ObjectSource) -> usize {
        self.objects.push(SceneFileObject {
            name: name.into(),
            source,
            precision: None,
            line: None,
        });
        self.objects.len() - 1
    }

    fn add_placement(&mut self, object: usize, matrix: PlacementMatrix, name: Option<&str>) {
        self.placements.push(SceneFilePlacement {
            object,
            matrix,
            name: name.map(str::to_owned),
            mask: u32::MAX,
            reversed: false,
            line: None,
        });
    }

    /// Returns the name of the file; for a generated scene, `demo:` and its line of text.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the objects, in the order of the file.
    pub fn objects(&self) -> &[SceneFileObject] {
        &self.objects
    }

    /// Returns the placements, in the order of the file.
    pub fn placements(&self) -> &[SceneFilePlacement] {
        &self.placements
    }

    /// Returns what is known of a glTF file as a whole (`estoc_mesh::MeshNodes::report`); an empty report
    /// for other scenes.
    pub fn report(&self) -> &MeshReport {
        &self.report
    }

    /// Returns the paths of the file and of the other files that a glTF file consists of.
    fn files(&self) -> impl Iterator<Item = PathBuf> {
        let others = self.report.named_files.iter();
        let others = others.map(|name| self.resolved(Path::new(name)));
        [self.path.clone()].into_iter().chain(others)
    }

    /// Returns the path of a file that the scene file names.
    fn resolved(&self, named: &Path) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(named)
    }

    fn at(&self, line: Option<u64>) -> SceneLocation {
        location(&self.path, line)
    }
}

/// Bytes that reading takes for each of a text made to take as many as possible.
const MEMORY: usize = 80;
/// What is there without asking.
const SMALL: usize = 1 << 24;

/// Scenes are equal if their objects and placements are, wherever they come from: lines and the name of
/// the file do not count.
impl PartialEq for SceneFile {
    fn eq(&self, other: &Self) -> bool {
        let same_object = |(a, b): (&SceneFileObject, &SceneFileObject)| {
            let line = None;
            SceneFileObject { line, ..a.clone() } == SceneFileObject { line, ..b.clone() }
        };
        let same_placement = |(a, b): (&SceneFilePlacement, &SceneFilePlacement)| {
            let line = None;
            SceneFilePlacement { line, ..a.clone() } == SceneFilePlacement { line, ..b.clone() }
        };
        self.objects.len() == other.objects.len()
            && self.placements.len() == other.placements.len()
            && self.objects.iter().zip(&other.objects).all(same_object)
            && (self.placements.iter())
                .zip(&other.placements)
                .all(same_placement)
    }
}

/// Returns the index of each object by its name.
fn by_name(objects: &[SceneFileObject]) -> HashMap<&str, usize> {
    let named = objects.iter().enumerate();
    named.map(|(i, object)| (&*object.name, i)).collect()
}

fn location(path: &Path, line: Option<u64>) -> SceneLocation {
    SceneLocation {
        file: path.display().to_string().into(),
        line,
    }
}
