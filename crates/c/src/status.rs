//! What functions return, and the reasons why they fail.

use crate::last_error;
use estoc_batch::BatchError;
use estoc_bvh::{BuildError, RefitError, TreeFileError};
use estoc_core::{MatrixError, PlaneError, QueryError, SphereError, SurfaceError};
use estoc_mesh::MeshError;
use estoc_scene::SceneError;
use estoc_system::NoMemory;
use std::borrow::Cow;
use std::ffi::c_char;
use std::io::ErrorKind;
use std::mem::MaybeUninit;

/// What a function returns. `estoc_last_error` tells more about what is not `ESTOC_OK`.
///
/// After a failure, what the function was to write is incomplete, and handles that it was to make are not made.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum estoc_status {
    /// All is well.
    ESTOC_OK = 0,
    /// A pointer is null that the function needs.
    ESTOC_NULL = 1,
    /// What is given as a handle is none, and never was.
    ESTOC_NOT_A_HANDLE = 2,
    /// The object of the handle was released: it is used or released once too often.
    ESTOC_RELEASED = 3,
    /// The handle is that of another kind of object, such as a mesh instead of a world.
    ESTOC_WRONG_KIND = 4,
    /// A number or constant is none that the function takes.
    ESTOC_BAD_ARGUMENT = 5,
    /// A count and a stride reach beyond all memory, or elements of an output overlap.
    ESTOC_BAD_LENGTH = 6,
    /// The world is in `float`, and a number that the question is about is none. Nothing is rounded silently: round
    /// it, or make the mesh in `ESTOC_F64`.
    ESTOC_NOT_F32 = 7,
    /// The world does not answer this question, as scenes do not answer all that trees do.
    ESTOC_UNSUPPORTED = 8,
    /// A callback ended the work.
    ESTOC_CANCELLED = 9,
    /// The system has no memory, or not enough address space.
    ESTOC_NO_MEMORY = 10,
    /// The system does not start as many threads.
    ESTOC_NO_THREADS = 11,
    /// A file cannot be opened, read or written.
    ESTOC_FILE = 12,
    /// A mesh has faults, in arrays or in a file.
    ESTOC_BAD_MESH = 13,
    /// A tree file is damaged, or is none.
    ESTOC_BAD_TREE_FILE = 14,
    /// A matrix has no inverse, or a scene no such placement.
    ESTOC_BAD_SCENE = 15,
    /// A ray is to continue after a triangle that it does not hit.
    ESTOC_BAD_QUERY = 16,
    /// The surface is not closed, or not oriented, so that the rule knows no inside.
    ESTOC_OPEN_SURFACE = 17,
    /// There are more answers, triangles or handles than are allowed.
    ESTOC_TOO_MANY = 18,
    /// A fault of estoc. The library goes on; the objects that the call changed may be incomplete.
    ESTOC_FAULT = 19,
}
use estoc_status::{
    ESTOC_BAD_ARGUMENT, ESTOC_BAD_MESH, ESTOC_BAD_QUERY, ESTOC_BAD_SCENE, ESTOC_BAD_TREE_FILE,
    ESTOC_CANCELLED, ESTOC_FAULT, ESTOC_FILE, ESTOC_NO_MEMORY, ESTOC_NO_THREADS, ESTOC_NULL,
    ESTOC_OPEN_SURFACE, ESTOC_TOO_MANY,
};

/// The names, each with a 0 behind it, by number.
const NAMES: &str = concat!(
    "ESTOC_OK\0ESTOC_NULL\0ESTOC_NOT_A_HANDLE\0ESTOC_RELEASED\0ESTOC_WRONG_KIND\0ESTOC_BAD_ARGUMENT\0",
    "ESTOC_BAD_LENGTH\0ESTOC_NOT_F32\0ESTOC_UNSUPPORTED\0ESTOC_CANCELLED\0ESTOC_NO_MEMORY\0",
    "ESTOC_NO_THREADS\0ESTOC_FILE\0ESTOC_BAD_MESH\0ESTOC_BAD_TREE_FILE\0ESTOC_BAD_SCENE\0",
    "ESTOC_BAD_QUERY\0ESTOC_OPEN_SURFACE\0ESTOC_TOO_MANY\0ESTOC_FAULT\0",
);

/// Returns the name of a status, such as "ESTOC_NULL"; "unknown status" for another number. Never null.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_status_name(status: i32) -> *const c_char {
    let place = usize::try_from(status).ok();
    let name = place.and_then(|place| NAMES.split_inclusive('\0').nth(place));
    name.map_or(c"unknown status".as_ptr(), |name| name.as_ptr().cast())
}

/// Returns the sentence about the last call of this thread that failed: what was wrong, where, and what to do about
/// it. It stays as it is until the next call of this thread that fails; before the first one it is "". Never null.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_last_error() -> *const c_char {
    last_error::get()
}

/// Why a call failed.
#[derive(Debug)]
pub struct Failure {
    pub(crate) status: estoc_status,
    pub(crate) sentence: Cow<'static, str>,
}

impl Failure {
    /// Returns a failure.
    #[cold]
    pub fn new(status: estoc_status, sentence: impl Into<Cow<'static, str>>) -> Self {
        let sentence = sentence.into();
        Failure { status, sentence }
    }
}

/// Returns what is given; a failure for a null pointer, which has this name.
#[inline(always)]
pub(crate) fn given<'a, T>(pointer: Option<&'a T>, name: &str) -> Result<&'a T, Failure> {
    pointer.ok_or_else(|| null(name))
}

/// Returns where an answer is written; a failure for a null pointer, which has this name.
#[inline(always)]
pub fn room<'a, T>(
    pointer: Option<&'a mut MaybeUninit<T>>,
    name: &str,
) -> Result<&'a mut MaybeUninit<T>, Failure> {
    pointer.ok_or_else(|| null(name))
}

#[cold]
pub(crate) fn null(name: &str) -> Failure {
    let sentence = format!("{name} is a null pointer; the function needs it");
    Failure::new(ESTOC_NULL, sentence)
}

/// Returns the failure of an argument.
#[cold]
pub(crate) fn bad(sentence: String) -> Failure {
    Failure::new(ESTOC_BAD_ARGUMENT, sentence)
}

/// Implements the conversion of errors: all of one type, or by the form that one has.
macro_rules! failures {
    ($($error:ty: $found:ident => $status:expr;)*) => {$(
        impl From<$error> for Failure {
            fn from($found: $error) -> Self {
                Failure::new($status, $found.to_string())
            }
        }
    )*};
}

failures! {
    BatchError: error => match error {
        BatchError::Cancelled => ESTOC_CANCELLED,
        BatchError::Threads { .. } => ESTOC_NO_THREADS,
        BatchError::NoMemory { .. } => ESTOC_NO_MEMORY,
        BatchError::TooManyHits { .. } => ESTOC_TOO_MANY,
        BatchError::Query { .. } => ESTOC_BAD_QUERY,
        BatchError::Surface(_) => ESTOC_OPEN_SURFACE,
        BatchError::Engine { .. } => ESTOC_FAULT,
        _ => ESTOC_BAD_ARGUMENT,
    };
    BuildError: error => match error {
        BuildError::Cancelled => ESTOC_CANCELLED,
        BuildError::Threads { .. } => ESTOC_NO_THREADS,
        BuildError::TooManyTriangles { .. } => ESTOC_TOO_MANY,
        BuildError::NoMemory { .. } | BuildError::OverBudget { .. } => ESTOC_NO_MEMORY,
        _ => ESTOC_BAD_ARGUMENT,
    };
    TreeFileError: error => match &error {
        TreeFileError::Cancelled { .. } => ESTOC_CANCELLED,
        TreeFileError::NoMemory { .. } => ESTOC_NO_MEMORY,
        TreeFileError::Io { source, .. } if source.kind() == ErrorKind::OutOfMemory => ESTOC_NO_MEMORY,
        TreeFileError::Io { .. } | TreeFileError::NotAFile { .. } => ESTOC_FILE,
        _ => ESTOC_BAD_TREE_FILE,
    };
    SceneError: error => match error {
        SceneError::NoMemory { .. } => ESTOC_NO_MEMORY,
        SceneError::Full => ESTOC_TOO_MANY,
        _ => ESTOC_BAD_SCENE,
    };
    RefitError: error => match error {
        RefitError::NoMemory => ESTOC_NO_MEMORY,
        _ => ESTOC_BAD_MESH,
    };
    SurfaceError<f32>: error => ESTOC_OPEN_SURFACE;
    SurfaceError<f64>: error => ESTOC_OPEN_SURFACE;
    MatrixError: error => ESTOC_BAD_SCENE;
    QueryError: error => ESTOC_BAD_QUERY;
    PlaneError: error => ESTOC_BAD_ARGUMENT;
    SphereError: error => ESTOC_BAD_ARGUMENT;
    NoMemory: error => ESTOC_NO_MEMORY;
}

impl From<MeshError> for Failure {
    fn from(error: MeshError) -> Self {
        let status = match error {
            MeshError::Cancelled { .. } => ESTOC_CANCELLED,
            MeshError::NoMemory { .. } => ESTOC_NO_MEMORY,
            MeshError::Io { .. } => ESTOC_FILE,
            _ => ESTOC_BAD_MESH,
        };
        // The advice of the library is for programs in Rust.
        let advice = match error.can_skip() {
            true => "; skip_bad_faces of estoc_mesh_options leaves such faces out",
            false => "",
        };
        Failure::new(status, format!("{}{advice}", error.without_advice()))
    }
}

#[cfg(test)]
mod tests {
    use super::{NAMES, estoc_status};

    #[test]
    fn names_are_those_of_the_numbers() {
        let names = NAMES.split_terminator('\0');
        assert_eq!(
            estoc_status::ESTOC_FAULT as usize + 1,
            names.clone().count()
        );
        for (number, name) in (0..).zip(names) {
            // SAFETY: as the last status has the last number, each number below is that of a status, too.
            let status: estoc_status = unsafe { std::mem::transmute::<i32, estoc_status>(number) };
            assert_eq!(format!("{status:?}"), name);
        }
    }
}
