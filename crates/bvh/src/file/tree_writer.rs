//! Writes a tree to a file.

use super::checksum::{self, Checksums};
use super::file_frame::FileFrame;
use super::file_header::{
    BLOCK, FileHeader, HAS_BUILT_COST, HAS_MESH, IN_F64, WITH_MASKS, WITH_ORIGIN,
};
use super::progress::{FileWork, OnProgress};
use super::section::{Entry, Kind, aligned};
use super::tree_file_error::TreeFileError;
use super::triangle_origin::Names;
use super::{layout_number, quality_number};
use crate::Bvh;
use crate::mask_runs;
use crate::wide::WideTriangles;
use estoc_core::glam::DVec3;
use estoc_core::{Aabb, CancelToken, Coordinate, Progress};
use estoc_mesh::Mesh;
use estoc_mesh::parts::{buffers, counted, wide_positions};
use estoc_system::WholeFile;
use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Writes a tree to a file that [`TreeLoader`](crate::TreeLoader) reads: [`Bvh::save`] with
/// options.
///
/// The same tree with the same mesh and source gives the same bytes, whatever the number of threads
/// or the machine. A tree in `f64` is written as it is, for [`TreeLoader::load_f64`].
///
/// [`TreeLoader::load_f64`]: crate::TreeLoader::load_f64
///
/// ```
/// # mod estoc { pub use {estoc_bvh::*, estoc_core::*}; pub mod demo { pub use estoc_demo::*; } pub mod io { pub use estoc_bvh::*; } }
/// use estoc::{Bvh, PrimId, demo::DemoSpec, io::{TreeFile, TreeWriter}};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("hall.estoc");
/// let hall = "hall?n=2000".parse::<DemoSpec>()?.mesh();
/// let bvh = Bvh::build(&hall);
/// TreeWriter::new(&bvh).mesh(&hall).source("hall.obj").save(&path)?;
///
/// let file = TreeFile::load(&path)?;
/// let prim = PrimId::new(70).unwrap();
/// assert_eq!(file.object_of(prim), hall.object_of(prim));
/// assert_eq!(file.line_of(prim), hall.line_of(prim));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct TreeWriter<'a, C: Coordinate = f32> {
    bvh: &'a Bvh<C>,
    mesh: Option<&'a Mesh<C>>,
    source: Option<&'a str>,
    origin: DVec3,
    cancel: Option<&'a CancelToken>,
    progress: Option<&'a OnProgress<'a>>,
}

impl<C: Coordinate> fmt::Debug for TreeWriter<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TreeWriter")
            .field("source", &self.source)
            .finish_non_exhaustive()
    }
}

impl<'a, C: Coordinate> TreeWriter<'a, C> {
    /// Returns a writer of the tree alone.
    pub fn new(bvh: &'a Bvh<C>) -> Self {
        TreeWriter {
            bvh,
            mesh: None,
            source: None,
            origin: DVec3::ZERO,
            cancel: None,
            progress: None,
        }
    }

    /// Also stores data of the mesh that the tree was built for: the faces, lines, objects, groups
    /// and materials of its triangles, its [hash](Mesh::content_hash) and its [origin](Mesh::origin).
    /// Texture coordinates, normals and the report are not stored.
    #[must_use]
    pub fn mesh(self, mesh: &'a Mesh<C>) -> Self {
        TreeWriter {
            mesh: Some(mesh),
            ..self
        }
    }

    /// Stores the [origin](Mesh::origin) of the mesh that the tree was built for; [`mesh`](Self::mesh) does, too.
    #[must_use]
    pub fn origin(self, origin: impl Into<DVec3>) -> Self {
        TreeWriter {
            origin: origin.into(),
            ..self
        }
    }

    /// Also stores the source of the mesh as text, such as the name of a file. The bytes of the
    /// tree file then depend on it.
    #[must_use]
    pub fn source(self, source: &'a str) -> Self {
        TreeWriter {
            source: Some(source),
            ..self
        }
    }

    /// Stops soon after the token is cancelled and leaves no file behind.
    #[must_use]
    pub fn cancel(self, token: &'a CancelToken) -> Self {
        TreeWriter {
            cancel: Some(token),
            ..self
        }
    }

    /// Calls a function, about every megabyte, with the number of bytes written and their total,
    /// and at the end with all bytes.
    #[must_use]
    pub fn progress(self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        TreeWriter {
            progress: Some(progress),
            ..self
        }
    }

    /// Writes the file: first to a temporary file in the same folder, which is renamed once it is
    /// complete and on the disk. An existing file is replaced only then, and unchanged if anything
    /// fails. A link stays a link, and its target is replaced. Anything but an ordinary file, such
    /// as a pipe, is written to directly.
    ///
    /// # Errors
    /// [`TreeFileError::Io`], [`TreeFileError::Cancelled`], and [`TreeFileError::OtherMesh`] if the
    /// tree was not built for the mesh, as far as that shows.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), TreeFileError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let failed = |source| TreeFileError::Io {
            file: name.clone(),
            done: "written",
            source,
        };
        match path.metadata() {
            Ok(found) if !found.is_file() && !found.is_dir() => {
                let mut file = File::options().write(true).open(path).map_err(failed)?;
                return self.write_to(&mut file, &name);
            }
            Ok(found) if found.is_dir() => return Err(failed(io::ErrorKind::IsADirectory.into())),
            _ => {}
        }
        let mut part = WholeFile::beside(path).map_err(failed)?;
        self.write_to(&mut part.file().map_err(failed)?, &name)?;
        part.sync().and_then(|()| part.finish()).map_err(failed)
    }

    /// Writes the bytes of the file in pieces of a megabyte; `name` stands for the file in
    /// messages.
    ///
    /// # Errors
    /// As for [`save`](Self::save).
    pub fn write_to(&self, to: &mut dyn Write, name: &str) -> Result<(), TreeFileError> {
        if cfg!(target_endian = "big") {
            return Err(TreeFileError::BigEndian {
                file: name.to_owned(),
            });
        }
        let mut names = self.mesh.map(Names::of).unwrap_or_default();
        names.text.writer = concat!("estoc ", env!("CARGO_PKG_VERSION")).to_owned();
        names.text.source = self.source.map(str::to_owned);
        let text = names.text.to_bytes();
        let tree = self.bvh.tree();
        let wide = C::kept(self.bvh.wide());
        let vertices = wide.map(WideTriangles::buffers).or(tree.leaves.mesh());
        let (positions, indices) = match vertices {
            Some(mesh) => (mesh.positions(), mesh.indices()),
            None => Default::default(),
        };
        let (corners, slots) = match wide {
            Some(wide) => (wide.positions().all(), wide.slots()),
            None => Default::default(),
        };
        let frame: Vec<FileFrame> = { wide.into_iter() }
            .map(|wide| FileFrame::of(wide, &|| self.is_cancelled()))
            .collect();
        let masks = mask_runs::runs_of(self.bvh.own_masks(), self.bvh.triangle_count());
        let origin = self.mesh.map_or(self.origin, Mesh::origin);
        let origin = [origin.to_array()];
        // Files of meshes without a local frame stay readable by earlier versions.
        let origin: &[[f64; 3]] = if origin == [[0.0; 3]] { &[] } else { &origin };
        let all: [(Kind, &[u8]); 15] = [
            (Kind::Nodes, bytemuck::cast_slice(&tree.nodes)),
            (Kind::Leaves, bytemuck::cast_slice(tree.leaves.numbers())),
            (Kind::Positions, bytemuck::cast_slice(positions)),
            (Kind::Indices, bytemuck::cast_slice(indices)),
            (Kind::Text, &text),
            (Kind::Faces, bytemuck::cast_slice(&names.faces)),
            (Kind::Lines, bytemuck::cast_slice(&names.lines)),
            (Kind::Objects, bytemuck::cast_slice(&names.objects)),
            (Kind::Groups, bytemuck::cast_slice(&names.groups)),
            (Kind::Materials, bytemuck::cast_slice(&names.materials)),
            (Kind::Masks, bytemuck::cast_slice(&masks)),
            (Kind::Origin, bytemuck::cast_slice(origin)),
            (Kind::Corners, bytemuck::cast_slice(corners)),
            (Kind::Slots, bytemuck::cast_slice(slots)),
            (Kind::Frame, bytemuck::cast_slice(&frame)),
        ];
        let filled = all.iter().filter(|(_, bytes)| !bytes.is_empty());
        let sections: Vec<(Kind, &[u8])> = filled.copied().collect();
        let lengths = sections.iter().map(|(_, bytes)| bytes.len() as u64);
        let checksums = Checksums::length(lengths.clone());
        let kinds = sections.iter().map(|(kind, _)| *kind);
        let lengths: Vec<(Kind, u64)> = { kinds.zip(lengths) }
            .chain([(Kind::Checksums, checksums)])
            .collect();
        let table = Entry::table(size_of::<FileHeader>(), &lengths);
        let length = table.last().map_or(0, Entry::end);

        let work = FileWork::new(name, self.cancel, self.progress, length);
        let mut sink = Sink {
            to,
            at: 0,
            work: &work,
        };
        sink.put(&self.header(name, length, &table)?.to_bytes(&table))?;
        let mut blocks = Vec::new();
        for (entry, (_, bytes)) in table.iter().zip(sections) {
            sink.pad(entry.offset)?;
            for block in bytes.chunks(BLOCK) {
                blocks.push(checksum::of_block(block));
                sink.put(block)?;
            }
        }
        if let Some(last) = table.last() {
            sink.pad(last.offset)?;
            sink.put(&Checksums::to_bytes(blocks))?;
        }
        let flushed = sink.to.flush();
        flushed.map_err(|error| work.io("written", error))?;
        work.finish();
        Ok(())
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(CancelToken::is_cancelled)
    }

    fn header(
        &self,
        name: &str,
        length: u64,
        table: &[Entry],
    ) -> Result<FileHeader, TreeFileError> {
        let tree = self.bvh.tree();
        let bounds = tree.exact_bounds();
        let mut header = FileHeader {
            length,
            triangles: tree.leaves.len() as u64,
            bounds: corners_of(bounds),
            scale: tree.scale.exponent(),
            layout: layout_number(tree.leaves.layout()),
            quality: quality_number(self.bvh.quality()),
            sections: table.len() as u32,
            ..FileHeader::new()
        };
        let has = |section: Kind| table.iter().any(|entry| entry.kind == section.number());
        if has(Kind::Frame) {
            header.version = IN_F64;
        } else if has(Kind::Origin) {
            header.version = WITH_ORIGIN;
        } else if has(Kind::Masks) {
            header.version = WITH_MASKS;
        }
        if let Some(cost) = self.bvh.built_cost() {
            header.flags |= HAS_BUILT_COST;
            header.built_cost = cost;
        }
        if let Some(mesh) = self.mesh {
            let other = |problem| TreeFileError::OtherMesh {
                file: name.to_owned(),
                problem,
            };
            let [own, others] = [tree.leaves.len(), mesh.triangle_count()];
            if own != others {
                return Err(other(format!(
                    "the tree has {}, the mesh {others}",
                    counted(own as u64, "triangle")
                )));
            }
            let found = mesh.bounds();
            let found = C::narrow_bounds(&found);
            if { bounds.iter().zip(found) }.any(|(bounds, found)| bounds != found) {
                return Err(other("tree and mesh have different bounds".into()));
            }
            let wide = C::kept(self.bvh.wide()).zip(C::kept(wide_positions(mesh)));
            if wide.is_some_and(|(wide, found)| !wide.is_of(buffers(mesh), found)) {
                return Err(other("tree and mesh have different corners".into()));
            }
            header.flags |= HAS_MESH;
            header.vertices = buffers(mesh).positions().len() as u64;
            header.faces = mesh.report().faces;
            header.mesh_hash = mesh.content_hash();
        }
        Ok(header)
    }
}

/// Returns the corners of a box as stored in a header; all 0 for no box.
pub(super) fn corners_of(bounds: Option<Aabb>) -> [[f32; 3]; 2] {
    bounds.map_or([[0.0; 3]; 2], |b| [b.min().into(), b.max().into()])
}

/// The output, and the number of bytes written so far.
struct Sink<'a> {
    to: &'a mut dyn Write,
    at: u64,
    work: &'a FileWork<'a>,
}

impl Sink<'_> {
    fn put(&mut self, bytes: &[u8]) -> Result<(), TreeFileError> {
        self.work.check()?;
        let written = self.to.write_all(bytes);
        written.map_err(|error| self.work.io("written", error))?;
        self.at += bytes.len() as u64;
        self.work.done(bytes.len());
        Ok(())
    }

    /// Writes zeros up to the start of a section.
    fn pad(&mut self, offset: u64) -> Result<(), TreeFileError> {
        debug_assert_eq!(aligned(self.at), offset);
        let zeros = [0; 64];
        self.put(&zeros[..(offset - self.at) as usize])
    }
}

impl<C: Coordinate> Bvh<C> {
    /// Saves the tree to a file. Loading it with [`Bvh::load`] or [`Bvh::map`], or a tree in `f64`
    /// with [`Bvh::load_f64`] or [`Bvh::map_f64`], is faster than reading the mesh and building the tree
    /// again. [`TreeWriter`] also stores the mesh's names,
    /// reports progress, and can be cancelled.
    ///
    /// The file is self-contained: a tree of [`Layout::Compact`](crate::Layout::Compact) is stored
    /// with the vertices and indices of its mesh, and any tree with its [masks](Bvh::with_masks)
    /// unless they hide nothing. It appears complete or not at all.
    ///
    /// # Errors
    /// [`TreeFileError::Io`].
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_core::*}; pub mod demo { pub use estoc_demo::*; } }
    /// use estoc::{Bvh, Ray, RayQuery, demo::DemoSpec};
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("ball.estoc");
    /// let bvh = Bvh::build(&"sphere?n=500".parse::<DemoSpec>()?.mesh());
    /// bvh.save(&path)?;
    /// let again = Bvh::load(&path)?;
    /// let ray = Ray::new([3.0, 0.1, 0.2], [-1.0, 0.0, 0.0]);
    /// assert_eq!(again.closest_hit(&ray), bvh.closest_hit(&ray));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), TreeFileError> {
        TreeWriter::new(self).save(path)
    }
}
