//! The names of formats, for errors and for callers that choose one. Their properties are in
//! `formats`.

/// A format that [`MeshLoader`](crate::MeshLoader) reads.
///
/// ```
/// # mod estoc { pub mod io { pub use estoc_mesh::*; } }
/// use estoc::io::Format;
/// assert_eq!("glb".parse(), Ok(Format::Gltf));
/// assert_eq!(Format::Gltf.to_string(), "glTF");
/// let error = "fbx".parse::<Format>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown format \"fbx\"; known formats are obj, ply, stl, gltf, glb and off");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Format {
    /// Wavefront OBJ, read as by [`ObjLoader`](crate::ObjLoader).
    Obj,
    /// Stanford PLY: text, and binary of either byte order.
    Ply,
    /// STL: text and binary.
    Stl,
    /// glTF 2.0: `.gltf` and `.glb`, with the feature `gltf`.
    Gltf,
    /// Geomview OFF as text.
    Off,
}

/// The error for a name that is not the name of a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown format {name:?}; known formats are {}", Format::extensions())]
#[non_exhaustive]
pub struct FormatError {
    /// The name.
    pub name: String,
}

/// Returns the extension of a file name, ignoring `.gz` and `.zst`.
pub(crate) fn name_end(name: &str) -> Option<&str> {
    let ends_with = |name: &str, end: &str| {
        let start = name.len().checked_sub(end.len())?;
        let found = name.get(start..)?;
        found.eq_ignore_ascii_case(end).then_some(start)
    };
    let packed = [".gz", ".zst", ".zstd"];
    let packed = packed.iter().find_map(|end| ends_with(name, end));
    let name = &name[..packed.unwrap_or(name.len())];
    let (_, extension) = name.rsplit_once('.')?;
    Some(extension)
}
