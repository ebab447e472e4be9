//! The name of a mesh in a query.

use crate::RaycastError;
use datafusion::arrow::datatypes::DataType;
use std::fmt;
use std::path::PathBuf;
use url::Url;

/// The numbers of a mesh's corners, and so of the rays at it and of the answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MeshNumbers {
    /// `f32`, which Arrow calls `Float32`.
    #[default]
    F32,
    /// `f64`, which Arrow calls `Float64`.
    F64,
}

impl MeshNumbers {
    /// Returns the type of a number of a ray.
    pub fn data_type(self) -> DataType {
        match self {
            MeshNumbers::F32 => DataType::Float32,
            MeshNumbers::F64 => DataType::Float64,
        }
    }
}

/// A mesh by its URI and the hash of its content.
///
/// The hash is what machines agree on: the same path may lead to different files on two of them. It is
/// [`Mesh::content_hash`](estoc::Mesh::content_hash), and for a tree file with masks
/// [`Bvh::hash_with_masks`](estoc::Bvh::hash_with_masks).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MeshReference {
    /// The path, or the URI `file:///path`.
    pub uri: String,
    /// The hash of the mesh.
    pub hash: u64,
    /// The numbers of the mesh.
    pub numbers: MeshNumbers,
}

impl fmt::Display for MeshReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = match self.numbers {
            MeshNumbers::F32 => "",
            MeshNumbers::F64 => F64,
        };
        write!(f, "{}#{:016x}{numbers}", self.uri, self.hash)
    }
}

/// What follows the hash of a mesh in `f64`.
const F64: &str = ":f64";

/// Splits the text of a query into the URI of a mesh and its hash with its numbers, if the text ends with `#` and 16
/// hexadecimal digits, and `:f64` for a mesh in `f64`.
///
/// ```
/// use estoc_datafusion::{MeshNumbers, split_hash};
/// assert_eq!(split_hash("a.estoc#00000000000000ff"), ("a.estoc", Some((255, MeshNumbers::F32))));
/// assert_eq!(split_hash("a.obj#00000000000000ff:f64"), ("a.obj", Some((255, MeshNumbers::F64))));
/// assert_eq!(split_hash("a#1.estoc"), ("a#1.estoc", None));
/// ```
pub fn split_hash(text: &str) -> (&str, Option<(u64, MeshNumbers)>) {
    let (hashed, numbers) = match text.strip_suffix(F64) {
        Some(hashed) => (hashed, MeshNumbers::F64),
        None => (text, MeshNumbers::F32),
    };
    let hash_of = |digits: &str| {
        let is_hash = digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        is_hash
            .then(|| u64::from_str_radix(digits, 16).ok())
            .flatten()
    };
    let split = hashed.rsplit_once('#');
    let found = split.and_then(|(uri, digits)| Some((uri, hash_of(digits)?)));
    found.map_or((text, None), |(uri, hash)| (uri, Some((hash, numbers))))
}

/// Returns the path of a URI, which may be relative.
///
/// # Errors
/// [`RaycastError::NotAFile`] for other schemes than `file`, for `file:` without `//`, for an unescaped `#` or `?` in a
/// URI, and for an empty text.
pub(crate) fn path_of(uri: &str) -> Result<PathBuf, RaycastError> {
    let not_a_file = || RaycastError::NotAFile {
        uri: uri.to_owned(),
    };
    if uri.is_empty() {
        return Err(not_a_file());
    }
    let is_uri = uri.contains("://")
        || uri
            .get(..5)
            .is_some_and(|start| start.eq_ignore_ascii_case("file:"));
    if !is_uri {
        return Ok(PathBuf::from(uri));
    }
    if !uri.contains("://") {
        return Err(not_a_file());
    }
    let url = Url::parse(uri).map_err(|_| not_a_file())?;
    // What follows an unescaped # or ? is not in the path.
    let is_whole = url.fragment().is_none() && url.query().is_none();
    let path = (url.scheme() == "file" && is_whole).then(|| url.to_file_path());
    path.and_then(Result::ok).ok_or_else(not_a_file)
}
