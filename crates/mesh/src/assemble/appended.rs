//! Appends a mesh to another.

use super::{Assembler, Source};
use crate::bad_faces::BadFaces;
use crate::error::{InputLimits, Location, MeshError};
use crate::mesh::corner_values::CornerValues;
use crate::mesh::face_run::FaceRun;
use crate::mesh::{Labels, Mesh};
use crate::report::MeshReport;
use crate::report::warning::AttributeIndex;
use crate::report::weld::WeldReport;
use crate::value_runs::{NumberRuns, ValueRuns};
use estoc_core::{CancelToken, PrimId};
use estoc_memory::{Growth, NoMemory, collected};

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
        if vertices + other.positions().len() as u64 > InputLimits::REAL.vertices {
            return Err(MeshError::TooManyVertices {
                at: Location::default(),
                limit: InputLimits::REAL.vertices,
            });
        }
        let (triangles, faces) = (self.triangle_count(), self.report.faces);
        let source = Source {
            face_lines: joined_lines(self, other)?,
            ..Source::default()
        };
        let mut assembler = Assembler::new(
            collected(self.positions().iter().chain(other.positions()).copied())?,
            MeshReport::default(),
            BadFaces::Reject,
            InputLimits::REAL,
            &source,
        )?;
        assembler.reserve(triangles + other.triangle_count())?;
        for (mesh, vertex_shift, face_shift) in [(&*self, 0, 0), (other, vertices as u32, faces)] {
            for (index, corners) in mesh.indices().iter().enumerate() {
                let face = PrimId::from_index(index).and_then(|prim| mesh.face_of(prim));
                let face = face.unwrap_or(index as u64) + face_shift;
                assembler.face(&corners.map(|v| v + vertex_shift), face, |_| {})?;
            }
        }
        let joined = assembler.finish(&CancelToken::new())?;
        let report = MeshReport {
            vertices: joined.report.vertices,
            duplicate: joined.report.duplicate.clone(),
            ..joined_reports(&self.report, &other.report, vertices, triangles as u64)
        };
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

/// Returns the findings of both meshes, except for those that require the joined mesh.
fn joined_reports(
    first: &MeshReport,
    second: &MeshReport,
    vertices: u64,
    triangles: u64,
) -> MeshReport {
    // Exhaustive, so that a new field is joined too.
    let MeshReport {
        // These require the joined mesh.
        vertices: _,
        duplicate: _,
        // `MeshReport::append` joins these.
        faces: _,
        lines: _,
        points: _,
        texture_coordinates: _,
        normals: _,
        coloured_vertices: _,
        rounding: _,
        short_faces: _,
        bad_indices: _,
        unreadable_vertices: _,
        weighted_vertices: _,
        free_form_statements: _,
        unknown_statements: _,
        unended_solids: _,
        unreadable_texture_coordinates: _,
        unreadable_normals: _,
        polygons,
        concave_polygons,
        out_of_range,
        non_finite_faces,
        degenerate,
        tangled_polygons,
        non_finite_used,
        non_finite_unused,
        texture_index_out_of_range,
        normal_index_out_of_range,
        material_problems,
        more_material_problems,
        skipped_libraries,
        unread_parts,
        more_unread_parts,
        named_files,
        weld,
    } = second;
    let mut report = first.clone();
    let faces = report.faces;
    report.append(second, vertices, 0);
    report.polygons += polygons;
    report.concave_polygons += concave_polygons;
    for (findings, later, shift) in [
        (&mut report.out_of_range, out_of_range, faces),
        (&mut report.non_finite_faces, non_finite_faces, faces),
        (&mut report.tangled_polygons, tangled_polygons, faces),
        (&mut report.degenerate, degenerate, triangles),
        (&mut report.non_finite_used, non_finite_used, vertices),
        (&mut report.non_finite_unused, non_finite_unused, vertices),
    ] {
        findings.append(later, shift, 0);
    }
    report.texture_index_out_of_range = AttributeIndex::farther(
        report.texture_index_out_of_range,
        *texture_index_out_of_range,
    );
    report.normal_index_out_of_range =
        AttributeIndex::farther(report.normal_index_out_of_range, *normal_index_out_of_range);
    for problem in material_problems {
        report.material_problem(&problem.library, problem.line, || problem.problem.clone());
    }
    report.more_material_problems += more_material_problems;
    report.skipped_libraries += skipped_libraries;
    for part in unread_parts {
        report.unread_part(part.clone());
    }
    report.more_unread_parts += more_unread_parts;
    report.weld = WeldReport::joined(report.weld, *weld);
    report.named_files.extend_from_slice(named_files);
    report
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
