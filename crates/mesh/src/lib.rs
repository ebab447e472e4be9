//! Triangle meshes: checked, with the names, lines and materials that the source has.
//!
//! ```
//! use estoc_mesh::{Mesh, MeshLoader};
//! let mesh = MeshLoader::new().read(b"v 0 0 5\nv 1 0 5\nv 0 1 5\nf 1 2 3\n", "corner.obj")?;
//! assert_eq!((mesh.triangle_count(), mesh.positions().len()), (1, 3));
//! let same = Mesh::new([[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [0.0, 1.0, 5.0]], [[0, 1, 2]])?;
//! assert_eq!(same.indices(), mesh.indices());
//! # Ok::<(), estoc_mesh::MeshError>(())
//! ```
//!
//! # Features
//! [`MeshLoader`] reads OBJ, PLY, STL and OFF always, and with a feature each what needs other
//! crates: `gltf` (serde, serde_json), and files packed by `gzip` (flate2) or `zstd` (ruzstd).
//! Without it such a file is refused by an error that names the feature.
//!
//! # How a mesh is made
//!
//! ```text
//!  positions and indices --one stretch--------------------------------.
//!                                                      assemble        join --survey--> Mesh
//!  OBJ text --blocks--> partials --gather--> pieces --many stretches--'         report
//!               obj::partial    obj::gather     obj::finish
//!
//!  any file --unpack, format--> obj, or ply, stl, gltf, off --> draft --> assemble
//!             loader
//! ```
//!
//! A stretch is where faces are checked and polygons are cut. Blocks, pieces and stretches of an
//! OBJ text are worked on by all threads, and so is the survey.

#![forbid(unsafe_code)]

mod assemble;
mod attributes;
mod beside;
mod buffers;
mod content_hash;
mod details;
mod draft;
mod error;
mod format;
#[cfg(feature = "gltf")]
mod gltf;
mod input;
mod labels;
mod loader;
mod masks;
mod material;
mod obj;
mod off;
mod origin;
mod parallel;
#[doc(hidden)]
pub mod parts;
mod ply;
mod policy;
mod polygon;
mod report;
mod runs;
mod stl;
mod stretch;
mod survey;
mod text;
mod tree_file;
mod unpack;
mod warning;

pub use details::HitDetails;
pub use error::{FilePart, Location, MeshError};
pub use format::{Format, FormatError};
pub use loader::MeshLoader;
pub use masks::TriangleGroup;
pub use material::Material;
pub use obj::ObjLoader;
pub use policy::Policy;
pub use report::{MeshReport, Place, Tally};
pub use warning::{AttributeIndex, Ignored, MaterialProblem, Warning};

use assemble::{Assembler, Source};
use attributes::CornerValues;
use buffers::Buffers;
use error::Limits;
use estoc_core::glam::{Vec2, Vec3};
use estoc_core::{Aabb, PrimId, Triangle};
use runs::{Ramp, Runs};
use std::path::Path;
use stretch::FaceRun;

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
#[derive(Clone, Debug)]
pub struct Mesh {
    buffers: Buffers,
    bounds: Aabb,
    report: MeshReport,
    faces: Runs<FaceRun>,
    face_lines: Ramp,
    objects: Labels<String>,
    groups: Labels<String>,
    materials: Labels<Material>,
    texcoords: CornerValues<Vec2>,
    normals: CornerValues<Vec3>,
}

/// Something that stretches of triangles are called.
#[derive(Clone, Debug)]
struct Labels<T> {
    all: Vec<T>,
    /// By triangle: which of them.
    runs: Runs<Option<u32>>,
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

impl Mesh {
    /// The mesh of these triangles; indices count positions from 0.
    ///
    /// # Errors
    /// [`MeshError`] when an index names no vertex, a triangle uses a vertex that is not
    /// finite, or there are more than `u32` can count. [`Mesh::with_policy`] can leave such
    /// triangles out.
    ///
    /// ```
    /// use estoc_mesh::Mesh;
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let mesh = Mesh::new(corners, [[0, 1, 2]])?;
    /// assert_eq!(mesh.triangle_count(), 1);
    /// let error = Mesh::new(corners, [[0, 1, 2], [0, 1, 3]]).unwrap_err();
    /// assert!(error.to_string().starts_with("face 1: vertex index 3 of 3; "));
    /// # Ok::<(), estoc_mesh::MeshError>(())
    /// ```
    pub fn new<P: Into<Vec3>>(
        positions: impl IntoIterator<Item = P>,
        indices: impl IntoIterator<Item = [u32; 3]>,
    ) -> Result<Mesh, MeshError> {
        Mesh::with_policy(positions, indices, Policy::Reject)
    }

    /// The mesh of these triangles, with a choice about those that cannot be used.
    ///
    /// Triangles that are left out have no [`PrimId`]; [`Mesh::face_of`] gives the number
    /// that a triangle had in `indices`.
    ///
    /// # Errors
    /// As [`Mesh::new`] with [`Policy::Reject`]; with [`Policy::Skip`] only when there are
    /// too many.
    pub fn with_policy<P: Into<Vec3>>(
        positions: impl IntoIterator<Item = P>,
        indices: impl IntoIterator<Item = [u32; 3]>,
        policy: Policy,
    ) -> Result<Mesh, MeshError> {
        let positions = positions.into_iter().map(Into::into).collect();
        let source = Source::default();
        let report = MeshReport::default();
        let mut assembler = Assembler::new(positions, report, policy, Limits::REAL, &source)?;
        let indices = indices.into_iter();
        // A hint may be wrong; room for a million is had for nothing.
        assembler.reserve(indices.size_hint().0.min(1 << 20));
        for triangle in indices {
            let face = assembler.report.faces;
            assembler.report.faces += 1;
            assembler.face(&triangle, face, |_| {})?;
        }
        assembler.finish(&|| Ok(()))
    }

    /// Loads a file in any [`Format`], packed by gzip or zstd or not: [`MeshLoader`] without
    /// options.
    ///
    /// # Errors
    /// [`MeshError`], naming file and place.
    pub fn load(path: impl AsRef<Path>) -> Result<Mesh, MeshError> {
        MeshLoader::new().load(path)
    }

    /// Loads an OBJ file: [`ObjLoader`] without options.
    ///
    /// # Errors
    /// [`MeshError`], naming file and line.
    pub fn load_obj(path: impl AsRef<Path>) -> Result<Mesh, MeshError> {
        ObjLoader::new().load(path)
    }

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
