//! The mesh: validated triangles, and the names and attributes of their source.

pub(crate) mod buffers;
mod content_hash;
pub(crate) mod corner_values;
pub(crate) mod detail_columns;
pub(crate) mod details;
pub(crate) mod face_run;
pub(crate) mod material;
pub(crate) mod median_edge;
pub(crate) mod positions;
pub(crate) mod sources;
pub(crate) mod triangle_groups;
mod vertex_normals;
pub(crate) mod wide_positions;
pub(crate) mod world;

use crate::report::MeshReport;
use crate::value_runs::{NumberRuns, ValueRuns};
use buffers::Buffers;
use corner_values::CornerValues;
use estoc_core::glam::{DVec3, Vec2, Vec3};
use estoc_core::{Aabb, Coordinate, PrimId, Triangle};
use face_run::FaceRun;
use material::Material;
use std::fmt;
use wide_positions::WidePositions;

/// Triangles over shared vertices.
///
/// Every index is that of a vertex, and every vertex that a triangle uses is finite. Triangles are
/// numbered from 0 in the order of the source ([`PrimId`]); a face of `k` corners has `k - 2`
/// consecutive triangles. Nothing is reordered or scaled, and
/// nothing is welded unless it is asked for ([`Mesh::welded`]).
///
/// A face with more than three corners becomes the fan from its first corner (a b c, a c d, ...) if
/// all triangles of the fan have the same orientation, decided exactly; otherwise it is
/// triangulated by ear clipping in a fixed order.
///
/// A mesh is immutable. Its clones share the arrays of vertices and indices, as do trees that read
/// their corners from them (`Layout::Compact`).
///
/// Coordinates are `f32`s, those of a `Mesh<f64>` ([`Mesh::from_f64`]) `f64`s.
#[derive(Clone)]
pub struct Mesh<C: Coordinate = f32> {
    /// In a frame of `wide`, if the coordinates are `f64`s.
    pub(crate) buffers: Buffers,
    pub(crate) wide: C::Beside<WidePositions>,
    /// Finite, and never -0.
    pub(crate) origin: DVec3,
    pub(crate) bounds: C::Bounds,
    pub(crate) report: MeshReport,
    pub(crate) faces: ValueRuns<FaceRun>,
    pub(crate) face_lines: NumberRuns,
    pub(crate) objects: Labels<String>,
    pub(crate) groups: Labels<String>,
    pub(crate) materials: Labels<Material>,
    pub(crate) texcoords: CornerValues<Vec2>,
    pub(crate) normals: CornerValues<Vec3>,
}

/// Names of one kind, for runs of triangles.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels<T> {
    pub(crate) all: Vec<T>,
    /// The index of the name for each triangle.
    pub(crate) runs: ValueRuns<Option<u32>>,
}

impl Default for Mesh {
    /// Returns a mesh without triangles.
    fn default() -> Self {
        Mesh {
            buffers: Buffers::default(),
            wide: (),
            origin: DVec3::ZERO,
            bounds: Aabb::EMPTY,
            report: MeshReport::default(),
            faces: ValueRuns::default(),
            face_lines: NumberRuns::default(),
            objects: Labels::default(),
            groups: Labels::default(),
            materials: Labels::default(),
            texcoords: CornerValues::default(),
            normals: CornerValues::default(),
        }
    }
}

/// Prints one line with the counts, without vertices and triangles.
impl<C: Coordinate> fmt::Debug for Mesh<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mesh")
            .field("triangles", &self.triangle_count())
            .field("vertices", &self.buffers.positions().len())
            .field("bounds", &self.bounds)
            .field("objects", &self.objects.all.len())
            .field("groups", &self.groups.all.len())
            .field("materials", &self.materials.all.len())
            .finish_non_exhaustive()
    }
}

impl Mesh {
    /// Returns all vertices of the source. Those that no triangle uses may have any value,
    /// including NaN.
    #[inline]
    pub fn positions(&self) -> &[Vec3] {
        self.buffers.positions()
    }

    /// Returns a triangle, or `None` beyond the last one.
    #[inline]
    pub fn triangle(&self, prim: PrimId) -> Option<Triangle> {
        let face = self.indices().get(prim.index())?;
        Some(self.buffers.triangle_of(face))
    }

    /// Returns all triangles, in order.
    #[inline]
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = Triangle> + Clone + '_ {
        let faces = self.indices().iter();
        faces.map(|face| self.buffers.triangle_of(face))
    }
}

impl<C: Coordinate> Mesh<C> {
    /// Returns the vertex indices of each triangle.
    #[inline]
    pub fn indices(&self) -> &[[u32; 3]] {
        self.buffers.indices()
    }

    /// Returns the number of triangles, including those without area.
    #[inline]
    pub fn triangle_count(&self) -> usize {
        self.indices().len()
    }

    /// Returns the smallest box around all triangles; unused vertices do not count.
    pub fn bounds(&self) -> C::Bounds {
        self.bounds
    }

    /// Returns the report of how the mesh was made.
    pub fn report(&self) -> &MeshReport {
        &self.report
    }

    /// Returns the names of objects (`o`), in order of first mention.
    pub fn objects(&self) -> &[String] {
        &self.objects.all
    }

    /// Returns the names of groups (`g`), in order of first mention. Several names in one statement
    /// form one entry, as written.
    pub fn groups(&self) -> &[String] {
        &self.groups.all
    }

    /// Returns the materials that the source uses (`usemtl`), in order of first mention.
    pub fn materials(&self) -> &[Material] {
        &self.materials.all
    }

    /// Returns the name of a triangle's object, if any.
    pub fn object_of(&self, prim: PrimId) -> Option<&str> {
        self.label(&self.objects, prim).map(String::as_str)
    }

    /// Returns the name of a triangle's group, if any.
    pub fn group_of(&self, prim: PrimId) -> Option<&str> {
        self.label(&self.groups, prim).map(String::as_str)
    }

    /// Returns the material of a triangle, if it has one.
    pub fn material_of(&self, prim: PrimId) -> Option<&Material> {
        self.label(&self.materials, prim)
    }

    fn label<'a, T>(&self, labels: &'a Labels<T>, prim: PrimId) -> Option<&'a T> {
        if prim.index() >= self.triangle_count() {
            return None;
        }
        let (_, label) = labels.runs.get(prim.index())?;
        labels.all.get(label? as usize)
    }

    /// Returns the zero-based index of a triangle's face in the source. Skipped faces count.
    pub fn face_of(&self, prim: PrimId) -> Option<u64> {
        if prim.index() >= self.triangle_count() {
            return None;
        }
        let (start, run) = self.faces.get(prim.index())?;
        Some(run.face + (prim.index() - start) as u64 / u64::from(run.per_face))
    }

    /// Returns the one-based physical line on which the face of a triangle begins; `None` if the
    /// mesh does not come from a file.
    pub fn line_of(&self, prim: PrimId) -> Option<u64> {
        self.face_lines.get(self.face_of(prim)?)
    }
}
