//! Chunks of faces, each triangulated independently, and the mesh of all: the validation that
//! every mesh passes.

use core::sync::atomic::{AtomicU8, Ordering};
use estoc_core::glam::Vec3;
use estoc_core::{CancelToken, PrimId};

use crate::assemble::Source;
use crate::assemble::assembled::Assembled;
use crate::assemble::survey;
use crate::bad_faces::BadFaces;
use crate::error::{InputLimits, MeshError};
use crate::in_pieces::{concatenated, in_pieces};
use crate::mesh::Mesh;
use crate::mesh::buffers::Buffers;
use crate::mesh::face_run::FaceRun;
use crate::mesh::positions::Positions;
use crate::polygon::{Triangulation, triangulate};
use crate::report::MeshReport;
use crate::value_runs::ValueRuns;
use estoc_system::{Arena, Growth, NoMemory, collected};

/// What faces refer to: the vertices, and the treatment of invalid references.
pub(crate) struct Ground<'a> {
    source: &'a Source,
    policy: BadFaces,
    limits: InputLimits,
    positions: Positions,
    /// One of the constants below for each vertex; empty when all are finite.
    unfit: Vec<AtomicU8>,
}

const FINITE: u8 = 0;
const NOT_FINITE: u8 = 1;
const NOT_FINITE_AND_USED: u8 = 2;

impl<'a> Ground<'a> {
    pub(crate) fn new(
        positions: Positions,
        policy: BadFaces,
        limits: InputLimits,
        source: &'a Source,
    ) -> Result<Self, MeshError> {
        limits.check_vertices(positions.narrow.len() as u64, || source.whole())?;
        let all_finite = |_, part: &[Vec3]| part.iter().all(|p| p.is_finite());
        let fitness = |p: &Vec3| match p.is_finite() {
            true => AtomicU8::new(FINITE),
            false => AtomicU8::new(NOT_FINITE),
        };
        let unfit = match in_pieces(&positions.narrow, all_finite)
            .into_iter()
            .all(|fit| fit)
        {
            true => Vec::new(),
            false => collected(positions.narrow.iter().map(fitness))?,
        };
        Ok(Ground {
            source,
            policy,
            limits,
            positions,
            unfit,
        })
    }

    /// Returns whether all corners refer to existing vertices and all vertices of the mesh are
    /// finite.
    pub(crate) fn bears(&self, corners: &[u32]) -> bool {
        // A maximum, unlike a search, uses SIMD.
        let highest = corners.iter().copied().max();
        self.unfit.is_empty() && highest.is_none_or(|vertex| self.has(vertex))
    }

    /// Returns whether a mesh may have this number of triangles.
    pub(crate) fn has_room(&self, triangles: u64) -> bool {
        triangles <= self.limits.triangles
    }

    fn has(&self, vertex: u32) -> bool {
        (vertex as usize) < self.positions.narrow.len()
    }
}

/// Consecutive triangles, as indices of what their corners have: `given` by the source, or `made` of its
/// faces.
#[derive(Default)]
pub(crate) struct Triangles<'a> {
    pub(crate) given: &'a [[u32; 3]],
    pub(crate) made: Vec<[u32; 3]>,
}

impl Triangles<'_> {
    pub(crate) fn all(&self) -> &[[u32; 3]] {
        match self.made.is_empty() {
            true => self.given,
            false => &self.made,
        }
    }
}

/// A run of consecutive triangles of the mesh.
#[derive(Default)]
pub(crate) struct FaceChunk<'a> {
    /// The number of triangles before these.
    before: u64,
    pub(crate) triangles: Triangles<'a>,
    faces: ValueRuns<FaceRun>,
    /// The face that would continue the last run.
    next_face: u64,
    /// The findings of triangulating the faces.
    findings: MeshReport,
}

impl<'a> FaceChunk<'a> {
    /// Returns a chunk of valid faces that are all triangles. `numbers` are runs: the index of a
    /// triangle, and its face in the source; the following faces count up.
    pub(crate) fn of_triangles(
        given: &'a [[u32; 3]],
        numbers: impl IntoIterator<Item = (u64, u64)>,
    ) -> Result<Self, NoMemory> {
        let mut chunk = FaceChunk::default();
        chunk.triangles.given = given;
        for (start, face) in numbers {
            let run = FaceRun { face, per_face: 1 };
            chunk.faces.set(start as usize, run)?;
            chunk.next_face = face + (given.len() as u64 - start);
        }
        Ok(chunk)
    }

    /// Returns an empty chunk after `before` triangles.
    pub(crate) fn behind(before: u64) -> Self {
        FaceChunk {
            before,
            ..FaceChunk::default()
        }
    }

    /// Reserves memory for `triangles` more.
    pub(crate) fn reserve(&mut self, triangles: usize) -> Result<(), NoMemory> {
        self.triangles.made.make_room(triangles)
    }

    /// Adds a face of at least three corners, given by their vertices. Calls `each` for each of its
    /// triangles, with the indices of the triangle's corners in the face.
    pub(crate) fn face(
        &mut self,
        ground: &Ground<'_>,
        corners: &[u32],
        face: u64,
        mut each: impl FnMut([u32; 3]),
    ) -> Result<(), MeshError> {
        if let Some(&corner) = corners.iter().find(|&&corner| !ground.has(corner)) {
            let index = ground.source.index_in_input(corner.into()).to_string();
            return self.out_of_range(ground, face, index);
        }
        if !ground.unfit.is_empty() && !self.all_finite(ground, corners, face)? {
            return Ok(());
        }
        let count = corners.len() as u64 - 2;
        let all = self.before + self.triangles.made.len() as u64 + count;
        ground
            .limits
            .check_triangles(all, || ground.source.at_face(face))?;
        self.reserve(corners.len() - 2)?;
        let per_face = (corners.len() - 2) as u32;
        let run = self.faces.changes().last();
        if self.next_face != face || run.is_none_or(|(_, run)| run.per_face != per_face) {
            self.faces
                .set(self.triangles.made.len(), FaceRun { face, per_face })?;
        }
        self.next_face = face + 1;
        if let &[a, b, c] = corners {
            self.triangles.made.push([a, b, c]);
            each([0, 1, 2]);
            return Ok(());
        }
        self.findings.polygons += 1;
        let made = &mut self.triangles.made;
        let mut emit = |triangle: [u32; 3]| {
            made.push(triangle.map(|corner| corners[corner as usize]));
            each(triangle);
        };
        match triangulate(corners, &ground.positions, &mut emit)? {
            Triangulation::Fan => {}
            Triangulation::Ears => self.findings.concave_polygons += 1,
            Triangulation::Tangled => {
                let line = ground.source.face_lines.get(face);
                self.findings.tangled_polygons.add(face, line);
            }
        }
        Ok(())
    }

    /// Adds faces that are triangles; `face` is the first of them.
    pub(crate) fn triangles_from(
        &mut self,
        ground: &Ground<'_>,
        triangles: &[[u32; 3]],
        face: u64,
    ) -> Result<(), MeshError> {
        let mut faces = (face..).zip(triangles);
        faces.try_for_each(|(face, corners)| self.face(ground, corners, face, |_| {}))
    }

    /// Adds the triangles of a mesh, each with what `corners_of` makes of its corners. `face_shift` faces
    /// precede those of the mesh.
    pub(crate) fn mesh(
        &mut self,
        ground: &Ground<'_>,
        mesh: &Mesh,
        corners_of: &dyn Fn([u32; 3]) -> [u32; 3],
        face_shift: u64,
    ) -> Result<(), MeshError> {
        for (index, &corners) in mesh.indices().iter().enumerate() {
            let face = PrimId::from_index(index).and_then(|prim| mesh.face_of(prim));
            let face = face.unwrap_or(index as u64) + face_shift;
            self.face(ground, &corners_of(corners), face, |_| {})?;
        }
        Ok(())
    }

    /// Skips a face with an index out of range, or returns an error with the index as in the input,
    /// as the policy says.
    pub(crate) fn out_of_range(
        &mut self,
        ground: &Ground<'_>,
        face: u64,
        index: String,
    ) -> Result<(), MeshError> {
        match ground.policy {
            BadFaces::Reject => Err(MeshError::IndexOutOfRange {
                at: ground.source.at_face(face),
                index,
                vertices: ground.positions.narrow.len() as u64,
            }),
            BadFaces::Skip => {
                let line = ground.source.face_lines.get(face);
                self.findings.out_of_range.add(face, line);
                Ok(())
            }
        }
    }

    /// Returns whether all corners of a face are finite; if not, the face is skipped or an error
    /// returned, as the policy says.
    fn all_finite(
        &mut self,
        ground: &Ground<'_>,
        corners: &[u32],
        face: u64,
    ) -> Result<bool, MeshError> {
        let mut worst = None;
        for &corner in corners {
            let fitness = &ground.unfit[corner as usize];
            if fitness.load(Ordering::Relaxed) != FINITE {
                fitness.store(NOT_FINITE_AND_USED, Ordering::Relaxed);
                worst = worst.or(Some(corner));
            }
        }
        let Some(vertex) = worst else { return Ok(true) };
        match ground.policy {
            BadFaces::Reject => Err(MeshError::NonFiniteVertex {
                at: ground.source.at_face(face),
                vertex: ground.source.index_in_input(vertex.into()),
                vertex_line: ground.source.vertex_lines.get(vertex.into()),
                value: ground.positions.given(vertex).as_vec3(),
            }),
            BadFaces::Skip => {
                let line = ground.source.face_lines.get(face);
                self.findings.non_finite_faces.add(face, line);
                Ok(false)
            }
        }
    }
}

/// Joins chunks to a mesh and surveys it.
pub(crate) fn join(
    ground: Ground<'_>,
    chunks: Vec<FaceChunk<'_>>,
    report: MeshReport,
    cancel: &CancelToken,
) -> Result<Mesh, MeshError> {
    Ok(join_with_wide(ground, chunks, report, cancel)?.narrow)
}

/// Does the same, and returns the positions in `f64` with the mesh, if there are any.
pub(crate) fn join_with_wide(
    ground: Ground<'_>,
    mut chunks: Vec<FaceChunk<'_>>,
    mut report: MeshReport,
    cancel: &CancelToken,
) -> Result<Assembled, MeshError> {
    for (vertex, fitness) in ground.unfit.iter().enumerate() {
        let tally = match fitness.load(Ordering::Relaxed) {
            FINITE => continue,
            NOT_FINITE => &mut report.non_finite_unused,
            _ => &mut report.non_finite_used,
        };
        let vertex = vertex as u64;
        tally.add(vertex, ground.source.vertex_lines.get(vertex));
    }
    report.vertices = ground.positions.narrow.len() as u64;
    let faces = faces(&chunks)?;
    for chunk in &chunks {
        report.append_triangulated(&chunk.findings);
    }
    let indices = match &mut *chunks {
        [chunk] if !chunk.triangles.made.is_empty() => {
            Arena::of(core::mem::take(&mut chunk.triangles.made))
        }
        _ => {
            let parts: Vec<_> = chunks.iter().map(|chunk| chunk.triangles.all()).collect();
            concatenated(&parts)?
        }
    };
    drop(chunks);
    MeshError::check_cancelled(cancel)?;
    let mut mesh = Mesh {
        buffers: Buffers::of_arenas(ground.positions.narrow, indices),
        faces,
        report,
        ..Mesh::default()
    };
    survey::bounds_and_degenerate(&mut mesh, &ground.source.face_lines);
    MeshError::check_cancelled(cancel)?;
    mesh.report.duplicate = survey::duplicates(&mesh, mesh.positions(), &ground.source.face_lines)?;
    MeshError::check_cancelled(cancel)?;
    Ok(Assembled {
        narrow: mesh,
        wide: ground.positions.wide,
    })
}

/// Returns the faces that the triangles of all chunks come from.
fn faces(chunks: &[FaceChunk<'_>]) -> Result<ValueRuns<FaceRun>, NoMemory> {
    let mut faces = ValueRuns::default();
    let (mut count, mut next) = (0, None);
    for chunk in chunks {
        for &(start, run) in chunk.faces.changes() {
            // The first run of a chunk may continue the last run of the previous one.
            if start > 0 || next != Some(run) {
                faces.set(count + start, run)?;
            }
            next = Some(FaceRun {
                face: chunk.next_face,
                per_face: run.per_face,
            });
        }
        count += chunk.triangles.all().len();
    }
    Ok(faces)
}
