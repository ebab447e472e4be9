//! The contents of a file before validation: vertices, and faces that refer to them.

use estoc_core::CancelToken;
use estoc_core::glam::{Vec2, Vec3};
use estoc_system::{Arena, Growth, NoMemory};

use crate::assemble::Source;
use crate::assemble::assembled::Assembled;
use crate::assemble::face_chunk::{FaceChunk, Ground, join_with_wide};
use crate::assemble::face_names::Names;
use crate::assemble::per_vertex::PerVertex;
use crate::assemble::survey::rounding;
use crate::bad_faces::BadFaces;
use crate::error::{InputLimits, Location, MeshError};
use crate::frame::tally::Tally;
use crate::frame::{FileFrame, RoundedCoordinate};
use crate::mesh::Labels;
use crate::mesh::material::Material;
use crate::mesh::positions::Positions;
use crate::report::MeshReport;
use crate::report::warning::UnreadPart;
use crate::value_runs::{NumberRuns, ValueRuns};

/// The sentinel for a corner without a vertex: its index does not fit into `u32`, or is beyond the
/// vertices of its part of the file.
const NO_VERTEX: u32 = u32::MAX;

/// The vertices and faces of a file that counts them from 0, in the order of the file.
pub(crate) struct Draft {
    source: Source,
    policy: BadFaces,
    pub(crate) frame: FileFrame,
    positions: Vec<Vec3>,
    rounding: Tally,
    pub(crate) texcoords: PerVertex<Vec2>,
    pub(crate) normals: PerVertex<Vec3>,
    corners: Vec<u32>,
    /// Whether there was memory for all corners, and the lines of faces.
    memory: Result<(), NoMemory>,
    /// The start of the current face's corners.
    face_start: usize,
    /// For each kept face, its number of corners.
    arity: ValueRuns<usize>,
    /// The number of kept faces.
    kept: usize,
    /// For each kept face, its index among all faces.
    numbers: NumberRuns,
    /// The first corner without a vertex.
    first_missing: Option<Missing>,
    /// The objects of faces.
    pub(crate) objects: Names,
    /// The parts of the file that contain the faces, for formats without lines.
    pub(crate) parts: Names,
    pub(crate) materials: Labels<Material>,
    pub(crate) report: MeshReport,
}

/// A corner whose index refers to no vertex.
struct Missing {
    /// Its index among all corners.
    place: usize,
    index: String,
    /// The number of vertices it could refer to; `None` for all vertices of the file.
    vertices: Option<u64>,
}

impl Draft {
    pub(crate) fn new(file: &str, policy: BadFaces, attributes: bool, frame: FileFrame) -> Self {
        Draft {
            source: Source {
                file: Some(file.to_owned()),
                counts_from_zero: true,
                ..Source::default()
            },
            policy,
            frame,
            positions: Vec::new(),
            rounding: Tally::default(),
            texcoords: PerVertex::new(attributes, Vec2::NAN, Vec2::is_finite),
            normals: PerVertex::new(attributes, Vec3::NAN, Vec3::is_finite),
            corners: Vec::new(),
            memory: Ok(()),
            face_start: 0,
            arity: ValueRuns::default(),
            kept: 0,
            numbers: NumberRuns::default(),
            first_missing: None,
            objects: Names::default(),
            parts: Names::default(),
            materials: Labels::default(),
            report: MeshReport::default(),
        }
    }

    /// Reserves memory for vertices and triangles, as many as the rest of the file can hold.
    pub(crate) fn reserve(&mut self, vertices: usize, triangles: usize) -> Result<(), MeshError> {
        self.positions.make_room(vertices)?;
        Ok(self.corners.make_room(triangles.saturating_mul(3))?)
    }

    pub(crate) fn vertex_count(&self) -> u64 {
        self.positions.len() as u64
    }

    /// Returns the number of faces so far.
    pub(crate) fn face_count(&self) -> u64 {
        self.report.faces
    }

    /// Returns the memory in bytes that the draft and its mesh take with `vertices` and `triangles`
    /// more; the flags say whether the new vertices have normals and texture coordinates.
    #[cfg(feature = "gltf")]
    pub(crate) fn bytes_with(
        &self,
        vertices: u64,
        [normals, texcoords]: [bool; 2],
        triangles: u64,
    ) -> u64 {
        let vertices = vertices.saturating_add(self.vertex_count());
        let triangles = triangles.saturating_add(self.corners.len() as u64 / 3);
        let positions = vertices.saturating_mul(size_of::<Vec3>() as u64);
        // Once as read, and twice while the mesh is assembled.
        let indices = triangles.saturating_mul(3 * size_of::<[u32; 3]>() as u64);
        positions
            .saturating_add(indices)
            .saturating_add(self.normals.bytes(vertices, triangles, normals))
            .saturating_add(self.texcoords.bytes(vertices, triangles, texcoords))
    }

    /// Adds a vertex; `line` is its line in a text.
    pub(crate) fn vertex(
        &mut self,
        corner: [RoundedCoordinate; 3],
        line: Option<u64>,
    ) -> Result<(), MeshError> {
        let number = self.vertex_count();
        InputLimits::REAL.check_vertices(number + 1, || self.source.whole())?;
        if let Some(line) = line {
            self.source.vertex_lines.push(number, line)?;
        }
        self.rounding.add(&corner, &self.frame)?;
        let position = corner.map(|coordinate| coordinate.value);
        Ok(self.positions.try_push(position.into())?)
    }

    /// Adds a placeholder for a vertex that cannot be parsed, or returns an error, as the policy
    /// says.
    pub(crate) fn bad_vertex(&mut self, at: Location, problem: String) -> Result<(), MeshError> {
        if self.policy == BadFaces::Reject {
            return Err(MeshError::BadVertex { at, problem });
        }
        let number = self.vertex_count();
        self.report.unreadable_vertices.add(number, at.line);
        self.vertex([RoundedCoordinate::UNREAD; 3], at.line)
    }

    /// Begins a face; `line` is its line in a text.
    pub(crate) fn begin_face(&mut self, line: Option<u64>) {
        if let Some(line) = line {
            let added = self.source.face_lines.push(self.report.faces, line);
            self.memory = self.memory.and(added);
        }
        self.report.faces += 1;
        self.face_start = self.corners.len();
    }

    /// Adds a corner to the current face.
    pub(crate) fn corner(&mut self, index: i64) {
        match u32::try_from(index) {
            Ok(index) if index != NO_VERTEX => self.add_corner(index),
            _ => self.missing_corner(index, None),
        }
    }

    /// Adds a corner, for which [`Draft::end_face`] returns an error if there is no memory.
    #[inline]
    fn add_corner(&mut self, vertex: u32) {
        self.memory = self.memory.and_then(|()| self.corners.try_push(vertex));
    }

    /// Adds a corner that refers to none of `vertices` vertices to the current face.
    pub(crate) fn missing_corner(&mut self, index: i64, vertices: Option<u64>) {
        let place = self.corners.len();
        self.add_corner(NO_VERTEX);
        self.first_missing.get_or_insert_with(|| Missing {
            place,
            index: index.to_string(),
            vertices,
        });
    }

    /// Removes the corners of the current face.
    fn forget_face(&mut self) {
        self.corners.truncate(self.face_start);
        let start = self.face_start;
        self.first_missing = self
            .first_missing
            .take()
            .filter(|found| found.place < start);
    }

    /// Returns the number of corners of the current face.
    pub(crate) fn arity(&self) -> usize {
        self.corners.len() - self.face_start
    }

    /// Ends the current face.
    pub(crate) fn end_face(&mut self) -> Result<(), MeshError> {
        self.memory?;
        let number = self.report.faces - 1;
        let arity = self.arity();
        if arity < 3 {
            let line = self.source.face_lines.get(number);
            self.report.short_faces.add(number, line);
            self.forget_face();
            return Ok(());
        }
        InputLimits::REAL.check_triangles(self.kept as u64 + 1, || self.source.whole())?;
        self.arity.set(self.kept, arity)?;
        self.numbers.push(self.kept as u64, number)?;
        self.kept += 1;
        Ok(())
    }

    /// Skips the current face or returns an error, as the policy says.
    pub(crate) fn bad_face(&mut self, at: Location, problem: String) -> Result<(), MeshError> {
        if self.policy == BadFaces::Reject {
            return Err(MeshError::BadIndex { at, problem });
        }
        self.report.bad_indices.add(self.report.faces - 1, at.line);
        self.forget_face();
        Ok(())
    }

    /// Records a part of the file that is not read.
    pub(crate) fn ignore(&mut self, what: impl Into<String>, count: u64) {
        let what = what.into();
        self.report.unread_part(UnreadPart { what, count });
    }

    /// Validates faces, triangulates polygons, and returns the mesh.
    pub(crate) fn finish(mut self, cancel: &CancelToken) -> Result<Assembled, MeshError> {
        self.memory?;
        self.report.rounding = self.rounding.loss();
        self.report.texture_coordinates = self.texcoords.given;
        self.report.normals = self.normals.given;
        self.report.unreadable_texture_coordinates = self.texcoords.unfit.clone();
        self.report.unreadable_normals = self.normals.unfit.clone();
        let (source, limits) = (&self.source, InputLimits::REAL);
        let mut in_file = self.rounding.take_in_file();
        let positions = match self.frame.keeps {
            false => Positions::narrow(Arena::of(self.positions)),
            true => Positions::wide(core::mem::take(&mut in_file))?,
        };
        let ground = Ground::new(positions, self.policy, limits, source)?;
        let mut chunk = FaceChunk::default();
        chunk.reserve(self.corners.len() - 2 * self.kept)?;
        let mut start = 0;
        for (faces, arity) in self.arity.spans(self.kept, 0) {
            for face in faces {
                if face % 4096 == 0 {
                    MeshError::check_cancelled(cancel)?;
                }
                let corners = &self.corners[start..start + arity];
                start += arity;
                // Every kept face has a number.
                let number = self.numbers.get(face as u64).unwrap_or_default();
                let done = if corners.contains(&NO_VERTEX) {
                    let missing = self.first_missing.as_ref();
                    let index = missing.map_or(String::new(), |missing| missing.index.clone());
                    let refused = chunk.out_of_range(&ground, number, index);
                    refused.map_err(|error| error.of(missing.and_then(|missing| missing.vertices)))
                } else {
                    chunk.face(&ground, corners, number, |_| {})
                };
                done.map_err(|error| error.within(self.parts.get(number)))?;
            }
        }
        let mut assembled = join_with_wide(ground, vec![chunk], self.report, cancel)?;
        let mesh = &mut assembled.narrow;
        mesh.origin = self.frame.origin();
        if self.frame.surveys {
            rounding::survey(mesh, &[in_file])?;
        }
        mesh.objects = self.objects.labels()?.by_prim(mesh)?;
        mesh.materials = self.materials.by_prim(mesh)?;
        mesh.texcoords = self.texcoords.by_corner(mesh.indices())?;
        mesh.normals = self.normals.by_corner(mesh.indices())?;
        mesh.face_lines = self.source.face_lines;
        mesh.report.count_from_zero();
        Ok(assembled)
    }
}
