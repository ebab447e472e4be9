//! Errors of scene files.

use super::scene_shapes::{problem_of_box, problem_of_oriented_box};
use crate::error::SceneError;
use crate::scene_file::{DemoSceneError, SceneLocation};
use crate::shape_list::ShapeListError;
use estoc_bvh::{BuildError, TreeFileError};
use estoc_core::glam::DVec3;
use estoc_core::{AabbError, MatrixError, ObbError, ScenePath, SphereError};
use estoc_demo::DemoError;
use estoc_mesh::MeshError;
use std::io;

/// The reason why a scene file cannot be used. The message names the file, the line and the value,
/// and says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SceneFileError {
    /// The file cannot be read.
    #[error("{at}: {source}")]
    Io {
        /// The file.
        at: SceneLocation,
        /// The error of the system.
        source: io::Error,
    },
    /// The file has more bytes than allowed.
    #[error(
        "{at}: has more than {limit} bytes; nest scene files, or raise the limit with \
         SceneFile::load_at_most"
    )]
    TooLarge {
        /// The file.
        at: SceneLocation,
        /// The largest number of bytes.
        limit: u64,
    },
    /// The text is not TOML.
    #[error("{at}: invalid TOML: {problem}")]
    Syntax {
        /// The line.
        at: SceneLocation,
        /// The problem.
        problem: String,
    },
    /// A table has a key that scene files do not know.
    #[error("{at}: {table} has no key {key:?}: its keys are {known}")]
    UnknownKey {
        /// The line.
        at: SceneLocation,
        /// The table, such as `[[object]]`.
        table: &'static str,
        /// The key given.
        key: String,
        /// The known keys.
        known: &'static str,
    },
    /// A table lacks a key.
    #[error("{at}: {table} needs the key {key}")]
    MissingKey {
        /// The line on which the table begins.
        at: SceneLocation,
        /// The table.
        table: &'static str,
        /// The missing key, or the keys of which one is needed.
        key: &'static str,
    },
    /// A value is of another type, or out of range.
    #[error("{at}: {key} must be {expected}, not {found}")]
    WrongValue {
        /// The line.
        at: SceneLocation,
        /// The key.
        key: &'static str,
        /// What is expected.
        expected: &'static str,
        /// The value given.
        found: String,
    },
    /// An object is of two kinds, such as a mesh and a scene.
    #[error("{at}: the object {name:?} has both {} and {}; remove one of them", kinds[0], kinds[1])]
    TwoKinds {
        /// The line of the second.
        at: SceneLocation,
        /// The object's name.
        name: String,
        /// The kinds.
        kinds: [&'static str; 2],
    },
    /// An object says what numbers to keep, and names no mesh file.
    #[error("{at}: precision is for mesh files, and the object {name:?} is none; leave it out")]
    PrecisionOfNoFile {
        /// The line of the key.
        at: SceneLocation,
        /// The object's name.
        name: String,
    },
    /// A sphere of an object is not one.
    #[error("{at}: {error}")]
    Sphere {
        /// The line of the radius.
        at: SceneLocation,
        /// What is wrong.
        error: SphereError,
    },
    /// A box of an object is not one.
    #[error("{at}: {}", problem_of_box(error))]
    Box {
        /// The line on which the box begins.
        at: SceneLocation,
        /// What is wrong.
        error: AabbError,
    },
    /// A box of an object with axes of its own is not one.
    #[error("{at}: {}", problem_of_oriented_box(error))]
    OrientedBox {
        /// The line on which the box begins.
        at: SceneLocation,
        /// What is wrong.
        error: ObbError,
    },
    /// An object has more spheres and boxes than there are ids.
    #[error("{at}: {error}")]
    Shapes {
        /// The line of the object.
        at: SceneLocation,
        /// What is wrong.
        error: ShapeListError,
    },
    /// The mesh of an object is a scene.
    #[error("{at}: {source_name:?} is a scene, not a mesh; write scene = {source_name:?}")]
    MeshIsScene {
        /// The line.
        at: SceneLocation,
        /// The file or generator.
        source_name: String,
    },
    /// Two objects have the same name.
    #[error("{at}: the object on line {first} has the name {name:?}, too; give one another name")]
    RepeatedObject {
        /// The line of the second.
        at: SceneLocation,
        /// The name.
        name: String,
        /// The line of the first.
        first: u64,
    },
    /// A placement names an object that the file does not have.
    #[error("{at}: there is no object {name:?}: {}", known_objects(known))]
    NoSuchObject {
        /// The line.
        at: SceneLocation,
        /// The name given.
        name: String,
        /// The names of the first objects of the file.
        known: Vec<String>,
    },
    /// A matrix does not have twelve numbers.
    #[error(
        "{at}: the matrix has {count} numbers, but needs 12: three rows, each of three factors and \
         the translation along one axis"
    )]
    MatrixLength {
        /// The line.
        at: SceneLocation,
        /// How many numbers it has.
        count: usize,
    },
    /// A placement has both a matrix and one of the parts that a matrix is composed of.
    #[error(
        "{at}: the placement has both matrix and {key}; remove one of them: it is placed by matrix, or by \
         translation, rotation and scale"
    )]
    MatrixAndParts {
        /// The line of the part.
        at: SceneLocation,
        /// The key of the part.
        key: &'static str,
    },
    /// A matrix composed with the translation to the origin of a local frame is not finite, or has no
    /// inverse.
    #[error(
        "{at}: composed with the translation to the origin {origin} of the mesh's local frame: {error}; \
         use a smaller matrix, or load the mesh without a local frame"
    )]
    FrameMatrix {
        /// The line on which the placement begins.
        at: SceneLocation,
        /// The origin.
        origin: DVec3,
        /// What is wrong.
        error: MatrixError,
    },
    /// A matrix has a number that is NaN or infinite, or has no inverse, or a rotation is zero.
    #[error("{at}: {error}")]
    Matrix {
        /// The line of the number, the matrix, the rotation or the scale.
        at: SceneLocation,
        /// What is wrong.
        error: MatrixError,
    },
    /// No generated mesh has this name or these keys.
    #[error("{at}: {:?}: {source}", format!("demo:{spec}"))]
    Demo {
        /// The line.
        at: SceneLocation,
        /// The text after `demo:`.
        spec: String,
        /// The problem.
        source: DemoError,
    },
    /// No generated scene has this name or these keys.
    #[error("{at}: {:?}: {source}", format!("demo:{spec}"))]
    DemoScene {
        /// The line.
        at: SceneLocation,
        /// The text after `demo:`.
        spec: String,
        /// The problem.
        source: DemoSceneError,
    },
    /// A scene file contains itself.
    #[error(
        "{at}: the scene contains itself: {}; remove one of these objects",
        chain(files)
    )]
    Cycle {
        /// The line of the object that closes the cycle.
        at: SceneLocation,
        /// The files, from the one that is contained to itself.
        files: Vec<String>,
    },
    /// Scene files are nested too deep.
    #[error(
        "{at}: scenes nest at most {} deep, and {file:?} would be one more; join some levels",
        ScenePath::MAX_DEPTH
    )]
    TooDeep {
        /// The line of the object.
        at: SceneLocation,
        /// Its scene file.
        file: String,
    },
    /// A placement is refused by the scene.
    #[error("{at}: {error}")]
    Placement {
        /// The line on which the placement begins.
        at: SceneLocation,
        /// The reason.
        error: Box<SceneError>,
    },
    /// The matrix of a node of a glTF file is not finite.
    #[error(
        "{at}: {}nodes[{node}]: {error}, remove the node, or take the file as one mesh",
        file_before(file)
    )]
    Node {
        /// The file, or the line of the object that names it.
        at: SceneLocation,
        /// The file, if an object names it.
        file: Option<String>,
        /// The index of the node.
        node: usize,
        /// What is wrong.
        error: MatrixError,
    },
    /// A glTF file cannot be read as a scene.
    #[error("{source}")]
    Gltf {
        /// The problem.
        source: Box<MeshError>,
    },
    /// The mesh of an object cannot be read.
    #[error("{at}: {source}")]
    Mesh {
        /// The line of the object.
        at: SceneLocation,
        /// The problem.
        source: Box<MeshError>,
    },
    /// The tree file of an object cannot be read.
    #[error("{at}: {source}")]
    Tree {
        /// The line of the object.
        at: SceneLocation,
        /// The problem.
        source: Box<TreeFileError>,
    },
    /// The tree over a mesh cannot be built.
    #[error("{at}: {source}")]
    Build {
        /// The line of the object.
        at: SceneLocation,
        /// The problem.
        source: BuildError,
    },
    /// There is not enough memory for a generated mesh, or for the text of a scene.
    #[error(
        "{at}: not enough memory for {what}, which may take {bytes} bytes; free some, or request less"
    )]
    NoMemory {
        /// The line of the object, or the file.
        at: SceneLocation,
        /// The mesh or the text.
        what: String,
        /// The number of bytes.
        bytes: usize,
    },
}

fn file_before(file: &Option<String>) -> String {
    let named = |file: &String| format!("{file:?}: ");
    file.as_ref().map(named).unwrap_or_default()
}

fn chain(files: &[String]) -> String {
    let files: Vec<String> = files.iter().map(|file| format!("{file:?}")).collect();
    files.join(" > ")
}

fn known_objects(known: &[String]) -> String {
    match known {
        [] => "the file has none; add an [[object]]".into(),
        names => {
            let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
            format!(
                "use the name of one of the file's, such as {}",
                names.join(", ")
            )
        }
    }
}
