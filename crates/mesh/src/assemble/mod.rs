//! Assembles a mesh from positions and faces, face by face.

mod appended;
pub(crate) mod arrays;
pub(crate) mod draft;
pub(crate) mod face_names;
pub(crate) mod face_stretch;
pub(crate) mod per_vertex;
pub(crate) mod survey;
mod transformed;
mod world_arrays;

use estoc_core::CancelToken;
use estoc_core::glam::Vec3;

use crate::assemble::face_stretch::{FaceStretch, Ground, join};
use crate::bad_faces::BadFaces;
use crate::error::{InputLimits, Location, MeshError};
use crate::mesh::Mesh;
use crate::report::MeshReport;
use crate::value_runs::NumberRuns;
use estoc_memory::Arena;

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
            file: self.file.clone(),
            line: Some(line),
            ..Location::default()
        }
    }

    pub(crate) fn at_face(&self, face: u64) -> Location {
        Location {
            file: self.file.clone(),
            line: self.face_lines.get(face),
            face: Some(face),
            ..Location::default()
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

/// Collects faces into a mesh.
pub(crate) struct Assembler<'a> {
    ground: Ground<'a>,
    stretch: FaceStretch<'static>,
    pub(crate) report: MeshReport,
}

impl<'a> Assembler<'a> {
    pub(crate) fn new(
        positions: Vec<Vec3>,
        report: MeshReport,
        policy: BadFaces,
        limits: InputLimits,
        source: &'a Source,
    ) -> Result<Self, MeshError> {
        Ok(Assembler {
            ground: Ground::new(Arena::of(positions), policy, limits, source)?,
            stretch: FaceStretch::default(),
            report,
        })
    }

    /// Reserves memory for `triangles` more; returns an error when there is not enough.
    pub(crate) fn reserve(&mut self, triangles: usize) -> Result<(), MeshError> {
        Ok(self.stretch.reserve(triangles)?)
    }

    /// Adds a face of at least three corners, given by their vertices. Calls `each` for each of its
    /// triangles, with the indices of the triangle's corners in the face.
    pub(crate) fn face(
        &mut self,
        corners: &[u32],
        face: u64,
        each: impl FnMut([u32; 3]),
    ) -> Result<(), MeshError> {
        self.stretch.face(&self.ground, corners, face, each)
    }

    /// Adds faces that are triangles, and counts them.
    pub(crate) fn triangles(&mut self, triangles: &[[u32; 3]]) -> Result<(), MeshError> {
        for triangle in triangles {
            let face = self.report.faces;
            self.report.faces += 1;
            self.face(triangle, face, |_| {})?;
        }
        Ok(())
    }

    /// Skips a face with an index out of range, or returns an error with the index as in the input,
    /// as the policy says.
    pub(crate) fn out_of_range(&mut self, face: u64, index: String) -> Result<(), MeshError> {
        self.stretch.out_of_range(&self.ground, face, index)
    }

    /// Returns the mesh, surveyed.
    pub(crate) fn finish(self, cancel: &CancelToken) -> Result<Mesh, MeshError> {
        join(self.ground, vec![self.stretch], self.report, cancel)
    }
}
