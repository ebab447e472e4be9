//! Tree files, which are used in the layout in which they are stored.
//!
//! ```text
//!  Bvh, Mesh --tree_writer--> sections --> FILE
//!  FILE --file_header--> table of sections --tree_reader--> arrays, read or mapped
//!       --> checks: checksum, tree/validate, encoded_names --> TreeFile
//! ```
//!
//! # The format
//! Numbers are little endian. Sections begin at multiples of 64 bytes, in the order of the table,
//! with zeros between them. The contents of a section are laid out as in memory.
//!
//! | bytes | |
//! |---|---|
//! | 0..128 | `FileHeader`: magic, byte order, version, length of the file, checksum of header and table, counts, box, scale, layout, quality |
//! | 128.. | table: kind, offset and length of each section |
//! | ... | sections: nodes; leaves; for `Layout::Compact` and trees in `f64` positions and indices; text; faces, lines, objects, groups, materials by runs of triangles; masks by runs of triangles; the origin of the mesh; of trees in `f64` corners, slots and the frame |
//! | ..end | checksums: XXH3 of each mebibyte of each section, and of the checksums |
//!
//! A change that readers of an existing version would misread gets a new version. Readers skip
//! sections of unknown kinds, unread and unchecked.
//!
//! Version 2 is version 1 with masks. Readers of version 1 would skip the section and show
//! triangles that it hides, so they have to refuse the file. A file without masks is written as
//! version 1, which all readers accept. Masks are stored as runs of (number of triangles, mask), 4
//! bytes each, which cover all triangles in order.
//!
//! Version 3 adds the origin of the mesh in the coordinates of its source, three `f64`s, and may have
//! masks. Readers of earlier versions would show the triangles in the wrong place. A file whose origin
//! is 0 is written as version 1 or 2.
//!
//! Version 4 is for trees in `f64`, and only for these. Nodes and leaves are those of a tree in `f32` over triangles
//! in a frame; positions are all vertices in that frame, in both layouts, and indices those of each triangle. Three
//! sections follow: the vertices as `f64`s, as many as there are positions; the indices of each triangle again, in
//! the order of the leaves, as a tree in memory has them; and the frame (`FileFrame`): its origin and exponent, and
//! what follows from the corners of triangles, which are how far they are off in the frame, the box around them and
//! whether all triangles have an area. A reader that checks the structure computes these again and refuses other
//! numbers, triangles that are not the same in leaves, slots and positions, and a frame in which kernels would
//! not be as certain as they say. Readers of earlier versions would take the frame for the space of the mesh.
//! There may be masks; there is no origin.

mod checksum;
pub mod encoded_names;
mod facts;
mod file_coordinate;
mod file_frame;
mod file_header;
mod header_contents;
mod mapped_file;
mod mesh_of_file;
pub mod progress;
mod section;
pub mod section_bytes;
mod section_reader;
mod structure_check;
mod tree_file_error;
mod tree_loader;
mod tree_reader;
mod tree_writer;
pub mod triangle_origin;

pub use facts::TreeFacts;
pub use section::TreeSection;
pub use tree_file_error::TreeFileError;
pub use tree_loader::TreeLoader;
pub use tree_writer::TreeWriter;

use crate::{Bvh, Layout, Quality};
use estoc_core::{Coordinate, PrimId};
use estoc_mesh::Material;
use std::path::Path;
use std::sync::Arc;
use triangle_origin::Names;

/// A tree loaded from a file, with the names and origins of its triangles.
///
/// Names can be printed safely: control characters are replaced by blanks.
///
/// ```
/// # mod estoc { pub use {estoc_bvh::*, estoc_core::*}; pub mod demo { pub use estoc_demo::*; } pub mod io { pub use estoc_bvh::*; } }
/// use estoc::{Bvh, Ray, RayQuery, demo::DemoSpec, io::{TreeFile, TreeWriter}};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("hall.estoc");
/// let hall = "hall?n=2000".parse::<DemoSpec>()?.mesh();
/// TreeWriter::new(&Bvh::build(&hall)).mesh(&hall).save(&path)?;
///
/// let file = TreeFile::load(&path)?;
/// let bounds = file.facts().bounds;
/// let middle = 0.5 * (bounds.min() + bounds.max());
/// let hit = file.bvh().closest_hit(&Ray::new(middle, [0.1, -1.0, 0.2])).unwrap();
/// assert!(file.object_of(hit.prim).is_some() && file.line_of(hit.prim).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TreeFile<C: Coordinate = f32> {
    bvh: Arc<Bvh<C>>,
    facts: TreeFacts<C>,
    names: Names,
}

impl TreeFile {
    /// Reads a file into memory and checks it, like [`TreeLoader`] without options.
    ///
    /// # Errors
    /// [`TreeFileError`], which names the file and the position in it.
    pub fn load(path: impl AsRef<Path>) -> Result<TreeFile, TreeFileError> {
        TreeLoader::new().load(path)
    }

    /// Returns whether a file that begins with `start`, at least eight bytes, is a tree file, of
    /// any version and possibly damaged.
    pub fn is_tree_file(start: &[u8]) -> bool {
        start.starts_with(&file_header::MAGIC)
    }

    /// Returns whether a file that begins with `start`, at least sixteen bytes, is a file of a tree in `f64`,
    /// possibly damaged: [`load_f64`](Self::load_f64) takes it, and [`load`](Self::load) any other tree file.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_mesh::*}; pub mod io { pub use estoc_bvh::*; } }
    /// use estoc::{Bvh, Mesh, io::{TreeFile, TreeWriter}};
    /// let corners = [[0.0; 3], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0]];
    /// let mut bytes = Vec::new();
    /// let mesh = Mesh::from_f64(corners, [[0, 1, 2]])?;
    /// TreeWriter::new(&Bvh::build(&mesh)).write_to(&mut bytes, "flag.estoc")?;
    /// assert!(TreeFile::is_tree_file(&bytes) && TreeFile::is_f64(&bytes));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_f64(start: &[u8]) -> bool {
        file_header::FileHeader::is_f64(start)
    }
}

impl TreeFile<f64> {
    /// Reads a file of a tree in `f64`, as [`load`](TreeFile::load) does one in `f32`.
    ///
    /// # Errors
    /// As [`TreeLoader::load_f64`].
    pub fn load_f64(path: impl AsRef<Path>) -> Result<TreeFile<f64>, TreeFileError> {
        TreeLoader::new().load_f64(path)
    }
}

impl<C: Coordinate> TreeFile<C> {
    /// Returns the tree.
    pub fn bvh(&self) -> &Bvh<C> {
        &self.bvh
    }

    /// Returns the tree, to share it.
    pub fn shared_bvh(&self) -> &Arc<Bvh<C>> {
        &self.bvh
    }

    /// Returns the tree alone.
    pub fn into_bvh(self) -> Bvh<C> {
        Arc::unwrap_or_clone(self.bvh)
    }

    /// Returns the metadata of the file.
    pub fn facts(&self) -> &TreeFacts<C> {
        &self.facts
    }

    /// Returns the names of objects, as [`Mesh::objects`](estoc_mesh::Mesh::objects); none if no
    /// mesh was saved with the tree.
    pub fn objects(&self) -> &[String] {
        &self.names.text.objects
    }

    /// Returns the names of groups, as [`Mesh::groups`](estoc_mesh::Mesh::groups).
    pub fn groups(&self) -> &[String] {
        &self.names.text.groups
    }

    /// Returns the materials, as [`Mesh::materials`](estoc_mesh::Mesh::materials).
    pub fn materials(&self) -> &[Material] {
        &self.names.text.materials
    }

    /// Returns the name of a triangle's object, if any.
    pub fn object_of(&self, prim: PrimId) -> Option<&str> {
        self.names.object(self.known(prim)?)
    }

    /// Returns the name of a triangle's group, if any.
    pub fn group_of(&self, prim: PrimId) -> Option<&str> {
        self.names.group(self.known(prim)?)
    }

    /// Returns the material of a triangle, if it has one.
    pub fn material_of(&self, prim: PrimId) -> Option<&Material> {
        self.names.material(self.known(prim)?)
    }

    /// Returns the zero-based index of a triangle's face in the source, as
    /// [`Mesh::face_of`](estoc_mesh::Mesh::face_of).
    pub fn face_of(&self, prim: PrimId) -> Option<u64> {
        self.names.face(self.known(prim)?)
    }

    /// Returns the line of that face, as [`Mesh::line_of`](estoc_mesh::Mesh::line_of).
    pub fn line_of(&self, prim: PrimId) -> Option<u64> {
        self.names.line(self.face_of(prim)?)
    }

    fn known(&self, prim: PrimId) -> Option<PrimId> {
        (prim.index() < self.facts.triangles).then_some(prim)
    }
}

impl Bvh {
    /// Reads the tree of a file into memory and checks it. Checksums detect damage; the check of
    /// the structure refuses forged files unless their tree is as sound as any other.
    ///
    /// # Errors
    /// [`TreeFileError`], which names the file and the position in it.
    pub fn load(path: impl AsRef<Path>) -> Result<Bvh, TreeFileError> {
        TreeFile::load(path).map(TreeFile::into_bvh)
    }
}

impl Bvh<f64> {
    /// Reads the tree of a file in `f64`, as [`load`](Bvh::load) does one in `f32`.
    ///
    /// # Errors
    /// As [`TreeLoader::load_f64`].
    pub fn load_f64(path: impl AsRef<Path>) -> Result<Bvh<f64>, TreeFileError> {
        TreeFile::load_f64(path).map(TreeFile::into_bvh)
    }
}

/// Returns the number of a layout in the header.
fn layout_number(layout: Layout) -> u32 {
    match layout {
        Layout::Fast => 1,
        Layout::Compact => 2,
    }
}

fn layout_of(number: u32) -> Option<Layout> {
    { Layout::ALL.into_iter() }.find(|layout| layout_number(*layout) == number)
}

/// Returns the number of a quality in the header; 0 if it is unknown.
fn quality_number(quality: Option<Quality>) -> u32 {
    match quality {
        None => 0,
        Some(Quality::Fast) => 1,
        Some(Quality::Balanced) => 2,
        Some(Quality::Best) => 3,
    }
}

fn quality_of(number: u32) -> Option<Option<Quality>> {
    let all = [
        None,
        Some(Quality::Fast),
        Some(Quality::Balanced),
        Some(Quality::Best),
    ];
    { all.into_iter() }.find(|quality| quality_number(*quality) == number)
}
