//! Trees on disk, that are used as they lie there.
//!
//! ```text
//!  Bvh, Mesh --tree_writer--> sections --> FILE
//!  FILE --file_header--> table of sections --tree_reader--> arrays, read or mapped
//!       --> checks: checksum, tree/validate, encoded_names --> TreeFile
//! ```
//!
//! # The format
//! Numbers are little endian; sections begin at multiples of 64 bytes, in the order of the
//! table, with zeros between them; what a section holds lies there as in memory.
//!
//! | bytes | |
//! |---|---|
//! | 0..128 | `Header`: magic, byte order, version, length of the file, checksum of header and table, counts, box, unit, layout, quality |
//! | 128.. | table: kind, place and length of each section |
//! | ... | sections: nodes; leaves; for `Layout::Compact` positions and indices; text; faces, lines, objects, groups, materials by stretches of triangles; masks by runs of triangles |
//! | ..end | checksums: XXH3 of each mebibyte of each section, and of these |
//!
//! A change that readers of a version would misread gets another version; sections of kinds
//! that they do not know they pass over, unread and unchecked.
//!
//! Version 2 is version 1 with masks: readers of version 1 would pass the section over and show
//! triangles that it hides, so they have to refuse the file. A file without masks is written as
//! version 1, which all read. Masks are (number of triangles, mask), 4 bytes each, of runs that
//! have all triangles in their order.

mod checksum;
pub mod encoded_names;
mod facts;
mod file_header;
mod mapped_file;
mod mask_runs;
mod mesh_of_file;
pub mod progress;
mod section;
pub mod section_bytes;
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
use estoc_core::PrimId;
use estoc_mesh::Material;
use std::path::Path;
use triangle_origin::Names;

/// A tree from a file, with what the file says of its triangles.
///
/// Names that it has may be printed: control characters in them are read as blanks.
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
pub struct TreeFile {
    bvh: Bvh,
    facts: TreeFacts,
    names: Names,
}

impl TreeFile {
    /// Reads a file into memory, and checks it: [`TreeLoader`] without options.
    ///
    /// # Errors
    /// [`TreeFileError`], naming the file and the place in it.
    pub fn load(path: impl AsRef<Path>) -> Result<TreeFile, TreeFileError> {
        TreeLoader::new().load(path)
    }

    /// Whether a file that begins with these bytes, eight of them or more, is a tree file, of
    /// whatever version and however damaged.
    pub fn is_tree_file(start: &[u8]) -> bool {
        start.starts_with(&file_header::MAGIC)
    }

    /// The tree.
    pub fn bvh(&self) -> &Bvh {
        &self.bvh
    }

    /// The tree alone.
    pub fn into_bvh(self) -> Bvh {
        self.bvh
    }

    /// What the file says of itself.
    pub fn facts(&self) -> &TreeFacts {
        &self.facts
    }

    /// Names of objects, as [`Mesh::objects`](estoc_mesh::Mesh::objects); none if no mesh was saved
    /// with the tree.
    pub fn objects(&self) -> &[String] {
        &self.names.text.objects
    }

    /// Names of groups, as [`Mesh::groups`](estoc_mesh::Mesh::groups).
    pub fn groups(&self) -> &[String] {
        &self.names.text.groups
    }

    /// Materials, as [`Mesh::materials`](estoc_mesh::Mesh::materials).
    pub fn materials(&self) -> &[Material] {
        &self.names.text.materials
    }

    /// The object that a triangle belongs to, if it has a name.
    pub fn object_of(&self, prim: PrimId) -> Option<&str> {
        self.names.object(self.known(prim)?)
    }

    /// The group that a triangle belongs to, if it has a name.
    pub fn group_of(&self, prim: PrimId) -> Option<&str> {
        self.names.group(self.known(prim)?)
    }

    /// The material of a triangle, if it has one.
    pub fn material_of(&self, prim: PrimId) -> Option<&Material> {
        self.names.material(self.known(prim)?)
    }

    /// The number of the face in the source that a triangle comes from, as
    /// [`Mesh::face_of`](estoc_mesh::Mesh::face_of).
    pub fn face_of(&self, prim: PrimId) -> Option<u64> {
        self.names.face(self.known(prim)?)
    }

    /// The line of that face, as [`Mesh::line_of`](estoc_mesh::Mesh::line_of).
    pub fn line_of(&self, prim: PrimId) -> Option<u64> {
        self.names.line(self.face_of(prim)?)
    }

    fn known(&self, prim: PrimId) -> Option<PrimId> {
        (prim.index() < self.facts.triangles).then_some(prim)
    }
}

impl Bvh {
    /// Reads the tree of a file into memory, and checks it: checksums show damage, and of what
    /// was made to deceive, the structure is found broken, or it is a tree as good as any.
    ///
    /// # Errors
    /// [`TreeFileError`], naming the file and the place in it.
    pub fn load(path: impl AsRef<Path>) -> Result<Bvh, TreeFileError> {
        TreeFile::load(path).map(TreeFile::into_bvh)
    }
}

/// As the header says it.
fn layout_number(layout: Layout) -> u32 {
    match layout {
        Layout::Fast => 1,
        Layout::Compact => 2,
    }
}

fn layout_of(number: u32) -> Option<Layout> {
    { Layout::ALL.into_iter() }.find(|layout| layout_number(*layout) == number)
}

/// As the header says it; 0 for one that nobody knows.
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
