//! The mesh: checked triangles, and what the source said about them.

pub(crate) mod buffers;
mod content_hash;
pub(crate) mod corner_values;
pub(crate) mod detail_columns;
pub(crate) mod details;
pub(crate) mod face_run;
pub(crate) mod material;
pub(crate) mod origin;
pub(crate) mod triangle_groups;

use crate::report::MeshReport;
use crate::value_runs::{Ramp, Runs};
use buffers::Buffers;
use corner_values::CornerValues;
use estoc_core::glam::{Vec2, Vec3};
use estoc_core::{Aabb, PrimId, Triangle};
use face_run::FaceRun;
use material::Material;
use std::fmt;

/// Triangles over shared vertices.
///
/// Every index names a vertex, and every vertex that a triangle uses is finite. Triangles
/// are numbered from 0 in the order of the source ([`PrimId`]); a face of `k` corners has
/// `k - 2` consecutive ones. Nothing is welded, reordered or scaled.
///
/// A face with more than three corners becomes the fan from its first corner (a b c, a c d,
/// ...) whenever all triangles of the fan turn the same way, decided exactly; otherwise its
/// ears are clipped in a fixed order.
///
/// A mesh never changes, and clones of it have the same vertices and indices in memory, as have
/// trees that take their corners from them (`Layout::Compact`).
#[derive(Clone)]
pub struct Mesh {
    pub(crate) buffers: Buffers,
    pub(crate) bounds: Aabb,
    pub(crate) report: MeshReport,
    pub(crate) faces: Runs<FaceRun>,
    pub(crate) face_lines: Ramp,
    pub(crate) objects: Labels<String>,
    pub(crate) groups: Labels<String>,
    pub(crate) materials: Labels<Material>,
    pub(crate) texcoords: CornerValues<Vec2>,
    pub(crate) normals: CornerValues<Vec3>,
}

/// Something that stretches of triangles are called.
#[derive(Clone, Debug)]
pub(crate) struct Labels<T> {
    pub(crate) all: Vec<T>,
    /// By triangle: which of them.
    pub(crate) runs: Runs<Option<u32>>,
}

impl<T> Default for Labels<T> {
    fn default() -> Self {
        Labels {
            all: Vec::new(),
            runs: Runs::default(),
        }
    }
}

impl Default for Mesh {
    /// No triangles.
    fn default() -> Self {
        Mesh {
            buffers: Buffers::default(),
            bounds: Aabb::EMPTY,
            report: MeshReport::default(),
            faces: Runs::default(),
            face_lines: Ramp::default(),
            objects: Labels::default(),
            groups: Labels::default(),
            materials: Labels::default(),
            texcoords: CornerValues::default(),
            normals: CornerValues::default(),
        }
    }
}

/// One line: how much there is, none of the vertices and triangles.
impl fmt::Debug for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mesh")
            .field("triangles", &self.triangle_count())
            .field("vertices", &self.positions().len())
            .field("bounds", &[self.bounds.min(), self.bounds.max()])
            .field("objects", &self.objects.all.len())
            .field("groups", &self.groups.all.len())
            .field("materials", &self.materials.all.len())
            .finish_non_exhaustive()
    }
}

impl Mesh {
    /// All vertices of the source. Those that no triangle uses may be anything, NaN included.
    #[inline]
    pub fn positions(&self) -> &[Vec3] {
        self.buffers.positions()
    }

    /// The vertices of each triangle.
    #[inline]
    pub fn indices(&self) -> &[[u32; 3]] {
        self.buffers.indices()
    }

    /// How many triangles there are, those without area included.
    #[inline]
    pub fn triangle_count(&self) -> usize {
        self.indices().len()
    }

    /// A triangle; `None` beyond the last one.
    #[inline]
    pub fn triangle(&self, prim: PrimId) -> Option<Triangle> {
        let face = self.indices().get(prim.index())?;
        Some(self.buffers.triangle_of(face))
    }

    /// All triangles, in order.
    #[inline]
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = Triangle> + Clone + '_ {
        let faces = self.indices().iter();
        faces.map(|face| self.buffers.triangle_of(face))
    }

    /// What trees may share.
    #[inline]
    pub(crate) fn buffers(&self) -> &Buffers {
        &self.buffers
    }

    /// The smallest box around all triangles; vertices that none uses do not count.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// What was noticed while the mesh was made.
    pub fn report(&self) -> &MeshReport {
        &self.report
    }

    /// Names of objects (`o`), in order of first mention.
    pub fn objects(&self) -> &[String] {
        &self.objects.all
    }

    /// Names of groups (`g`), in order of first mention. Several names in one statement are
    /// one entry, as written.
    pub fn groups(&self) -> &[String] {
        &self.groups.all
    }

    /// Materials that the source uses (`usemtl`), in order of first mention.
    pub fn materials(&self) -> &[Material] {
        &self.materials.all
    }

    /// The object that a triangle belongs to, if it has a name.
    pub fn object_of(&self, prim: PrimId) -> Option<&str> {
        self.label(&self.objects, prim).map(String::as_str)
    }

    /// The group that a triangle belongs to, if it has a name.
    pub fn group_of(&self, prim: PrimId) -> Option<&str> {
        self.label(&self.groups, prim).map(String::as_str)
    }

    /// The material of a triangle, if it has one.
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

    /// The number, from 0, of the face in the source that a triangle comes from. Faces that
    /// were left out count.
    pub fn face_of(&self, prim: PrimId) -> Option<u64> {
        if prim.index() >= self.triangle_count() {
            return None;
        }
        let (start, run) = self.faces.get(prim.index())?;
        Some(run.face + (prim.index() - start) as u64 / u64::from(run.per_face))
    }

    /// The physical line, from 1, on which the face of a triangle begins; `None` when the
    /// mesh does not come from a file.
    pub fn line_of(&self, prim: PrimId) -> Option<u64> {
        self.face_lines.get(self.face_of(prim)?)
    }
}
