//! Assembles a mesh from positions and faces, face by face.

mod appended;
pub(crate) mod arrays;
pub(crate) mod assembled;
mod doubles;
pub(crate) mod draft;
pub(crate) mod face_chunk;
pub(crate) mod face_names;
pub(crate) mod per_vertex;
pub(crate) mod survey;
mod transformed;
mod world_arrays;

use crate::error::Location;
use crate::value_runs::NumberRuns;

/// The source of the faces, for messages and reports.
#[derive(Default)]
pub(crate) struct Source {
    /// The name of the file; `None` for a mesh made from positions and indices.
    pub(crate) file: Option<String>,
    /// The physical line of each face of the source.
    pub(crate) face_lines: NumberRuns,
    /// The physical line of each vertex.
    pub(crate) vertex_lines: NumberRuns,
    /// Whether the file counts vertices and faces from 0, unlike OBJ.
    pub(crate) counts_from_zero: bool,
}

impl Source {
    pub(crate) fn at_line(&self, line: u64) -> Location {
        Location {
            line: Some(line),
            ..self.whole()
        }
    }

    pub(crate) fn at_face(&self, face: u64) -> Location {
        Location {
            line: self.face_lines.get(face),
            face: Some(face),
            ..self.whole()
        }
    }

    pub(crate) fn whole(&self) -> Location {
        Location {
            file: self.file.clone(),
            ..Location::default()
        }
    }

    /// Returns the number that the input uses for an index.
    pub(crate) fn index_in_input(&self, index: u64) -> u64 {
        // OBJ counts from 1.
        index + u64::from(self.file.is_some() && !self.counts_from_zero)
    }
}
