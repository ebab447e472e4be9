//! Locations in the input.

use core::fmt;

/// A location in the input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The file, or the name that the caller gave to the input; `None` for a mesh made from
    /// positions and indices.
    pub file: Option<String>,
    /// The one-based physical line.
    pub line: Option<u64>,
    /// The part of the file, for formats without lines.
    pub part: Option<Box<FilePart>>,
    /// The zero-based index of the face; skipped faces count.
    pub face: Option<u64>,
}

/// A part of a file that has no lines.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FilePart {
    /// The part that begins at this byte offset, after decompression.
    Byte(u64),
    /// The part with this name in the format, such as `meshes[0].primitives[1]`.
    Named(String),
}

impl fmt::Display for FilePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FilePart::Byte(offset) => write!(f, "byte {offset}"),
            FilePart::Named(name) => f.write_str(name),
        }
    }
}

impl Location {
    pub(crate) fn of_file(name: &str) -> Location {
        Location {
            file: Some(name.to_owned()),
            ..Location::default()
        }
    }

    pub(crate) fn of_line(line: u64) -> Location {
        Location {
            line: Some(line),
            ..Location::default()
        }
    }

    pub(crate) fn at_byte(self, offset: u64) -> Location {
        Location {
            part: Some(FilePart::Byte(offset).into()),
            ..self
        }
    }

    #[cfg(feature = "gltf")]
    pub(crate) fn in_part(self, name: String) -> Location {
        Location {
            part: Some(FilePart::Named(name).into()),
            ..self
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line, self.face) {
            (Some(file), Some(line), _) => write!(f, "{file}:{line}")?,
            (Some(file), None, Some(face)) => write!(f, "{file}: face {face}")?,
            (Some(file), None, None) => f.write_str(file)?,
            (None, _, Some(face)) => write!(f, "face {face}")?,
            (None, _, None) => f.write_str("mesh")?,
        }
        match &self.part {
            Some(part) => write!(f, ": {part}"),
            None => Ok(()),
        }
    }
}
