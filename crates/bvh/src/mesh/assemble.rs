//! From positions and faces to a mesh: the checks that every mesh passes.

use estoc_core::glam::Vec3;

use super::error::{Limits, Location, MeshError};
use super::policy::Policy;
use super::polygon::{Cut, triangulate};
use super::report::MeshReport;
use super::runs::{Ramp, Runs};
use super::{Buffers, Mesh, survey};

/// Where the faces come from, for messages and reports.
#[derive(Default)]
pub(crate) struct Source {
    /// Name of the file; none for a mesh made from positions and indices.
    pub(crate) file: Option<String>,
    /// Physical line of each face, by its number in the source.
    pub(crate) face_lines: Ramp,
    /// Physical line of each vertex.
    pub(crate) vertex_lines: Ramp,
    /// The file counts vertices and faces from 0, unlike OBJ.
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

    fn at_face(&self, face: u64) -> Location {
        Location {
            file: self.file.clone(),
            line: self.face_lines.get(face),
            face: Some(face),
            ..Location::default()
        }
    }

    /// The number that the input itself would call an index.
    fn index_in_input(&self, index: u64) -> u64 {
        // OBJ counts from 1.
        index + u64::from(self.file.is_some() && !self.counts_from_zero)
    }
}

/// Which faces the triangles from here on come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FaceRun {
    /// The face of the first triangle.
    pub(crate) face: u64,
    /// How many triangles each face has.
    pub(crate) per_face: u32,
}

/// Collects faces into a mesh.
pub(crate) struct Assembler<'a> {
    pub(crate) source: &'a Source,
    policy: Policy,
    limits: Limits,
    positions: Vec<Vec3>,
    /// What is known of vertices that are not finite; empty when all are.
    unfit: Vec<Fitness>,
    indices: Vec<[u32; 3]>,
    faces: Runs<FaceRun>,
    /// The face that would continue the last run.
    next_face: u64,
    pub(crate) report: MeshReport,
}

#[derive(Clone, Copy, PartialEq)]
enum Fitness {
    Finite,
    NotFinite,
    NotFiniteAndUsed,
}

impl<'a> Assembler<'a> {
    pub(crate) fn new(
        positions: Vec<Vec3>,
        report: MeshReport,
        policy: Policy,
        limits: Limits,
        source: &'a Source,
    ) -> Result<Self, MeshError> {
        if positions.len() as u64 > limits.vertices {
            return Err(MeshError::TooManyVertices {
                at: Location {
                    file: source.file.clone(),
                    ..Location::default()
                },
                limit: limits.vertices,
            });
        }
        let fitness = |p: &Vec3| match p.is_finite() {
            true => Fitness::Finite,
            false => Fitness::NotFinite,
        };
        let unfit = match positions.iter().all(|p| p.is_finite()) {
            true => Vec::new(),
            false => positions.iter().map(fitness).collect(),
        };
        Ok(Assembler {
            source,
            policy,
            limits,
            positions,
            unfit,
            indices: Vec::new(),
            faces: Runs::default(),
            next_face: 0,
            report,
        })
    }

    /// How many triangles there are so far.
    pub(crate) fn triangle_count(&self) -> usize {
        self.indices.len()
    }

    /// Makes room for triangles that are going to come.
    pub(crate) fn reserve(&mut self, triangles: usize) {
        self.indices.reserve(triangles);
    }

    /// Takes a face of at least three corners, given by their vertices. For each triangle
    /// that it becomes, `each` is told which three of the corners it has.
    pub(crate) fn face(
        &mut self,
        corners: &[u32],
        face: u64,
        mut each: impl FnMut([u32; 3]),
    ) -> Result<(), MeshError> {
        let beyond = |&&corner: &&u32| corner as usize >= self.positions.len();
        if let Some(&corner) = corners.iter().find(beyond) {
            let index = self.source.index_in_input(corner.into()).to_string();
            return self.out_of_range(face, index);
        }
        if !self.unfit.is_empty() && !self.all_finite(corners, face)? {
            return Ok(());
        }
        let count = corners.len() as u64 - 2;
        if self.indices.len() as u64 + count > self.limits.triangles {
            return Err(MeshError::TooManyTriangles {
                at: self.source.at_face(face),
                limit: self.limits.triangles,
            });
        }
        let per_face = (corners.len() - 2) as u32;
        let run = self.faces.changes().last();
        if self.next_face != face || run.is_none_or(|(_, run)| run.per_face != per_face) {
            self.faces
                .set(self.indices.len(), FaceRun { face, per_face });
        }
        self.next_face = face + 1;
        if let &[a, b, c] = corners {
            self.indices.push([a, b, c]);
            each([0, 1, 2]);
            return Ok(());
        }
        self.report.polygons += 1;
        let indices = &mut self.indices;
        let emit = |triangle: [u32; 3]| {
            indices.push(triangle.map(|corner| corners[corner as usize]));
            each(triangle);
        };
        match triangulate(corners, &self.positions, emit) {
            Cut::Fan => {}
            Cut::Ears => self.report.concave_polygons += 1,
            Cut::Tangled => {
                let line = self.source.face_lines.get(face);
                self.report.tangled_polygons.add(face, line);
            }
        }
        Ok(())
    }

    /// Refuses or skips a face because of an index, given as the input has it.
    pub(crate) fn out_of_range(&mut self, face: u64, index: String) -> Result<(), MeshError> {
        match self.policy {
            Policy::Reject => Err(MeshError::IndexOutOfRange {
                at: self.source.at_face(face),
                index,
                vertices: self.positions.len() as u64,
            }),
            Policy::Skip => {
                let line = self.source.face_lines.get(face);
                self.report.out_of_range.add(face, line);
                Ok(())
            }
        }
    }

    /// Whether a face has only finite corners; if not, refuses or skips it.
    fn all_finite(&mut self, corners: &[u32], face: u64) -> Result<bool, MeshError> {
        let mut worst = None;
        for &corner in corners {
            let fitness = &mut self.unfit[corner as usize];
            if *fitness != Fitness::Finite {
                *fitness = Fitness::NotFiniteAndUsed;
                worst = worst.or(Some(corner));
            }
        }
        let Some(vertex) = worst else { return Ok(true) };
        match self.policy {
            Policy::Reject => Err(MeshError::NonFiniteVertex {
                at: self.source.at_face(face),
                vertex: self.source.index_in_input(vertex.into()),
                vertex_line: self.source.vertex_lines.get(vertex.into()),
                value: self.positions[vertex as usize],
            }),
            Policy::Skip => {
                let line = self.source.face_lines.get(face);
                self.report.non_finite_faces.add(face, line);
                Ok(false)
            }
        }
    }

    /// The mesh, surveyed.
    pub(crate) fn finish(mut self) -> Mesh {
        for (vertex, fitness) in self.unfit.iter().enumerate() {
            let tally = match fitness {
                Fitness::Finite => continue,
                Fitness::NotFinite => &mut self.report.non_finite_unused,
                Fitness::NotFiniteAndUsed => &mut self.report.non_finite_used,
            };
            let vertex = vertex as u64;
            tally.add(vertex, self.source.vertex_lines.get(vertex));
        }
        self.report.vertices = self.positions.len() as u64;
        let mut mesh = Mesh {
            buffers: Buffers::new(self.positions, self.indices),
            faces: self.faces,
            report: self.report,
            ..Mesh::default()
        };
        survey::bounds_and_degenerate(&mut mesh, &self.source.face_lines);
        survey::duplicates(&mut mesh, &self.source.face_lines);
        mesh
    }
}
