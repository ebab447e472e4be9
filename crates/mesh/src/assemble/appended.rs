//! Appends a mesh to another.

use super::Source;
use super::face_chunk::{FaceChunk, Ground, join};
use crate::bad_faces::BadFaces;
use crate::error::{InputLimits, Location, MeshError};
use crate::mesh::corner_values::CornerValues;
use crate::mesh::face_run::FaceRun;
use crate::mesh::positions::Positions;
use crate::mesh::{Labels, Mesh};
use crate::report::MeshReport;
use crate::value_runs::{NumberRuns, ValueRuns};
use estoc_core::CancelToken;
use estoc_system::{Arena, Growth, NoMemory, collected};

impl Mesh {
    /// Appends the triangles of another mesh, with their names, materials, texture coordinates and
    /// normals. Its triangle `i` gets the index [`triangle_count`](Mesh::triangle_count)` + i`,
    /// with the count before the call, and its vertices, faces, objects, groups and materials
    /// likewise follow those of this mesh. Nothing is welded, and equal names stay separate.
    ///
    /// Face `i` of the other mesh ([`Mesh::face_of`]) gets the index `faces + i`, with the number of
    /// faces in the [report](Mesh::report) of this mesh before the call; skipped faces of both count.
    /// Lines ([`Mesh::line_of`]) stay those of the file that the face comes from, which the mesh
    /// does not name. If a mesh that has faces has no lines, the result has none.
    ///
    /// # Errors
    /// [`MeshError`] when the meshes have different [origins](Mesh::origin), or when there would be
    /// more vertices or triangles than `u32` can count; the mesh is then unchanged.
    ///
    /// ```
    /// # use estoc_mesh as estoc;
    /// use estoc::Mesh;
    /// let triangle = |z| Mesh::try_new([[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]], [[0, 1, 2]]);
    /// let mut mesh = triangle(0.0)?;
    /// mesh.append(&triangle(1.0)?)?;
    /// assert_eq!(mesh.indices(), [[0, 1, 2], [3, 4, 5]]);
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn append(&mut self, other: &Mesh) -> Result<(), MeshError> {
        if self.origin != other.origin {
            return Err(MeshError::OriginsDiffer {
                at: Location::default(),
                origins: Box::new([self.origin, other.origin]),
            });
        }
        let vertices = self.positions().len() as u64;
        let all = vertices + other.positions().len() as u64;
        InputLimits::REAL.check_vertices(all, Location::default)?;
        let (triangles, faces) = (self.triangle_count(), self.report.faces);
        let source = Source {
            face_lines: joined_lines(self, other)?,
            ..Source::default()
        };
        let positions = collected(self.positions().iter().chain(other.positions()).copied())?;
        let (reject, limits) = (BadFaces::Reject, InputLimits::REAL);
        let ground = Ground::new(
            Positions::narrow(Arena::of(positions)),
            reject,
            limits,
            &source,
        )?;
        let mut chunk = FaceChunk::default();
        chunk.reserve(triangles + other.triangle_count())?;
        chunk.mesh(&ground, self, &|corners| corners, 0)?;
        let shifted = |corners: [u32; 3]| corners.map(|corner| corner + vertices as u32);
        chunk.mesh(&ground, other, &shifted, faces)?;
        let joined = join(
            ground,
            vec![chunk],
            MeshReport::default(),
            &CancelToken::new(),
        )?;
        let mut report = MeshReport {
            vertices: joined.report.vertices,
            duplicate: joined.report.duplicate.clone(),
            ..self.report.clone()
        };
        report.append(&other.report, [vertices, triangles as u64], 0);
        let later = other.faces.changes().iter().map(|&(start, run)| {
            let face = run.face + faces;
            (triangles + start, FaceRun { face, ..run })
        });
        let runs = ValueRuns::of(self.faces.changes().iter().copied().chain(later))?;
        *self = Mesh {
            origin: self.origin,
            report,
            faces: runs,
            face_lines: source.face_lines,
            objects: joined_labels(&self.objects, &other.objects, triangles)?,
            groups: joined_labels(&self.groups, &other.groups, triangles)?,
            materials: joined_labels(&self.materials, &other.materials, triangles)?,
            texcoords: joined_values((&self.texcoords, triangles), (&other.texcoords, other))?,
            normals: joined_values((&self.normals, triangles), (&other.normals, other))?,
            ..joined
        };
        Ok(())
    }
}

/// Returns the lines of all faces, if both meshes have them.
fn joined_lines(first: &Mesh, second: &Mesh) -> Result<NumberRuns, NoMemory> {
    let knows = |mesh: &Mesh| mesh.report.faces == 0 || !mesh.face_lines.changes().is_empty();
    if !(knows(first) && knows(second)) {
        return Ok(NumberRuns::default());
    }
    let mut lines = NumberRuns::default();
    lines.append(&first.face_lines, 0, 0)?;
    lines.append(&second.face_lines, first.report.faces, 0)?;
    Ok(lines)
}

fn joined_labels<T: Clone>(
    first: &Labels<T>,
    second: &Labels<T>,
    triangles: usize,
) -> Result<Labels<T>, NoMemory> {
    let all = collected(first.all.iter().chain(&second.all).cloned())?;
    let shift = first.all.len() as u32;
    // The label of the first mesh's last triangle ends there.
    let earlier = first.runs.changes().iter().copied();
    let earlier = earlier.chain([(triangles, None)]);
    let later = second.runs.changes().iter();
    let later = later.map(|&(start, label)| (triangles + start, label.map(|label| label + shift)));
    let runs = ValueRuns::of(earlier.chain(later))?;
    Ok(Labels { all, runs })
}

fn joined_values<V: Copy>(
    (first, triangles): (&CornerValues<V>, usize),
    (second, mesh): (&CornerValues<V>, &Mesh),
) -> Result<CornerValues<V>, NoMemory> {
    let shift = first.values.len() as u32;
    let shifted = |index: u32| match index {
        Mesh::NO_VALUE => index,
        _ => index + shift,
    };
    let mut indices = collected(first.indices.iter().copied())?;
    if !(first.indices.is_empty() && second.indices.is_empty()) {
        // The list is empty if no corner of a mesh has a value.
        let all = triangles + mesh.triangle_count();
        indices.make_room(all - indices.len())?;
        indices.resize(triangles, [Mesh::NO_VALUE; 3]);
        indices.extend(second.indices.iter().map(|corners| corners.map(shifted)));
        indices.resize(all, [Mesh::NO_VALUE; 3]);
    }
    Ok(CornerValues {
        values: collected(first.values.iter().chain(&second.values).copied())?,
        indices,
    })
}
