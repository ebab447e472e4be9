//! Reads OBJ files.
//!
//! Each step is one file: [`text_blocks`] splits the text between statements, [`ordered_blocks`]
//! distributes blocks to all threads, [`block_parser`] parses one block ([`logical_lines`],
//! [`simple_lines`], [`statement`], [`statement_words`], `text::number`, [`vertex`], [`attribute`],
//! [`face_corners`], [`corner_indices`], [`index_reach`], [`statement_names`]), [`joined_blocks`]
//! joins the results, [`library_search`] finds libraries, [`mtl`] parses them, and
//! [`mesh_of_blocks`] makes the mesh of all [`block_arrays`].

mod attribute;
mod block_arrays;
mod block_parser;
mod corner_indices;
mod face_corners;
mod index_reach;
mod joined_blocks;
mod library_search;
mod logical_lines;
mod mesh_of_blocks;
mod mtl;
mod ordered_blocks;
mod simple_lines;
mod statement;
mod statement_names;
mod statement_words;
mod text_blocks;
mod vertex;

pub(crate) use library_search::open_in;
pub(crate) use statement::is_obj;

use block_parser::{Partial, Reading};
use core::fmt;
use estoc_core::{CancelToken, Progress};
use estoc_system::{check_room, open_input};
use joined_blocks::Gathered;
use ordered_blocks::in_order;
use std::io::{self, Read};
use std::path::Path;
use text_blocks::{Blocks, Stop};

use crate::assemble::assembled::Assembled;
use crate::bad_faces::BadFaces;
use crate::error::{InputLimits, Location, MeshError};
use crate::frame::FileFrame;
use crate::mesh::Mesh;
use crate::packing;

/// Loads OBJ text.
///
/// It reads vertices (`v`; a weight or colour after the three numbers is accepted and not used),
/// faces (`f`, in all forms, with negative and forward indices), objects (`o`), groups (`g`),
/// materials (`usemtl`, `mtllib`), texture coordinates (`vt`; a third number is not used) and
/// normals (`vn`). Lines and points are counted. Everything else is ignored; ignored geometry is
/// counted and gives a warning ([`MeshReport`](crate::MeshReport)).
///
/// Reading stops at the first invalid line. Indices are checked after the last line, since a face
/// may precede its vertices.
///
/// Loading runs in the caller's rayon pool; without the feature `rayon`, on the calling thread. For
/// any number of threads the mesh is the same to the bit, and so is the error.
///
/// ```
/// # mod estoc { pub use estoc_mesh::*; pub mod io { pub use estoc_mesh::*; } }
/// use estoc::io::{BadFaces, ObjLoader};
/// let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 4\n";
/// let error = ObjLoader::new().read(text, "flag.obj").unwrap_err();
/// assert!(error.to_string().starts_with("flag.obj:5: vertex index 4 is out of range"));
/// let mesh = ObjLoader::new().bad_faces(BadFaces::Skip).read(text, "flag.obj")?;
/// assert_eq!((mesh.triangle_count(), mesh.report().skipped_faces()), (1, 1));
/// # Ok::<(), estoc::MeshError>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct ObjLoader<'a> {
    pub(crate) bad_faces: BadFaces,
    pub(crate) attributes: bool,
    pub(crate) progress: Option<&'a OnProgress<'a>>,
    pub(crate) cancel: CancelToken,
    pub(crate) material_source: Option<&'a FileSource<'a>>,
    pub(crate) block_size: usize,
    pub(crate) limits: InputLimits,
    pub(crate) frame: FileFrame,
}

/// A callback that takes the bytes done and their total.
pub(crate) type OnProgress<'a> = dyn Fn(Progress) + Sync + 'a;

/// A function that returns the bytes of a file that a mesh names, such as a material library.
pub(crate) type FileSource<'a> = dyn Fn(&str) -> io::Result<Vec<u8>> + Sync + 'a;

/// Large enough to make the overhead per block negligible, small enough for the cache.
const BLOCK_SIZE: usize = 1 << 20;

impl Default for ObjLoader<'_> {
    fn default() -> Self {
        ObjLoader::new()
    }
}

impl<'a> ObjLoader<'a> {
    /// Returns a loader that rejects invalid faces.
    pub fn new() -> Self {
        ObjLoader {
            bad_faces: BadFaces::default(),
            attributes: true,
            progress: None,
            cancel: CancelToken::new(),
            material_source: None,
            block_size: BLOCK_SIZE,
            limits: InputLimits::REAL,
            frame: FileFrame::default(),
        }
    }

    /// Sets the treatment of invalid faces.
    pub fn bad_faces(mut self, bad_faces: BadFaces) -> Self {
        self.bad_faces = bad_faces;
        self
    }

    /// Sets whether texture coordinates and normals are stored; they are by default. Without them
    /// the mesh takes less memory and loads faster. They are still counted and their indices
    /// checked, but their numbers are not parsed.
    pub fn attributes(mut self, keep: bool) -> Self {
        self.attributes = keep;
        self
    }

    /// Calls a function, after every block of about a megabyte, with the number of bytes read and
    /// their total, if known.
    pub fn progress(mut self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Ends loading with [`MeshError::Cancelled`] soon after the token is cancelled.
    pub fn cancel(mut self, token: &CancelToken) -> Self {
        self.cancel = token.clone();
        self
    }

    /// Gets material libraries from a function instead of the folder of the OBJ file. Its argument
    /// is the name that `mtllib` gives, with `/` for `\` and without `.` as a folder.
    ///
    /// The function is called once per name. Limits hold for all libraries together:
    /// [`MeshReport::READ_LIBRARIES`](crate::MeshReport::READ_LIBRARIES),
    /// [`MeshReport::READ_LIBRARY_BYTES`](crate::MeshReport::READ_LIBRARY_BYTES).
    pub fn material_source(
        mut self,
        source: &'a (dyn Fn(&str) -> io::Result<Vec<u8>> + Sync),
    ) -> Self {
        self.material_source = Some(source);
        self
    }

    /// Loads a file and the material libraries it names.
    ///
    /// Libraries are searched for in the folder of the file and its subfolders. Names that lead out
    /// of the folder (absolute ones, or by `..` or links) are not opened. A library that is
    /// missing, invalid, or beyond the limits of [`ObjLoader::material_source`] gives a warning.
    ///
    /// # Errors
    /// [`MeshError`], which names file and line.
    pub fn load(&self, path: impl AsRef<Path>) -> Result<Mesh, MeshError> {
        Ok(self.assemble_file(path.as_ref())?.narrow)
    }

    pub(crate) fn assemble_file(&self, path: &Path) -> Result<Assembled, MeshError> {
        let name = path.display().to_string();
        let io_error = |source| packing::io_error(Location::of_file(&name), source);
        let (mut file, length) = open_input(path).map_err(io_error)?;
        // Files that the system makes up have no length.
        let length = length.filter(|&bytes| bytes > 0);
        let folder = path.parent().unwrap_or(Path::new(""));
        let beside = |library: &str| library_search::open_in(folder, library);
        let source = self.material_source.unwrap_or(&beside);
        self.named(&mut file, length, &name, Some(source))
    }

    /// Reads OBJ text; `name` stands for the file in messages. Opens no files: libraries come from
    /// [`ObjLoader::material_source`], if set.
    ///
    /// # Errors
    /// [`MeshError`], with `name` and line.
    pub fn read(&self, text: &[u8], name: &str) -> Result<Mesh, MeshError> {
        Ok(self.assemble_text(text, name)?.narrow)
    }

    pub(crate) fn assemble_text(&self, text: &[u8], name: &str) -> Result<Assembled, MeshError> {
        let length = Some(text.len() as u64);
        self.named(&mut { text }, length, name, self.material_source)
    }

    /// Reads OBJ text from a stream, like [`ObjLoader::read`].
    ///
    /// # Errors
    /// [`MeshError`], with `name` and line.
    pub fn read_from(&self, mut reader: impl Read, name: &str) -> Result<Mesh, MeshError> {
        Ok(self.assemble_stream(&mut reader, name)?.narrow)
    }

    pub(crate) fn assemble_stream(
        &self,
        reader: &mut dyn Read,
        name: &str,
    ) -> Result<Assembled, MeshError> {
        self.named(reader, None, name, self.material_source)
    }

    /// Returns the memory in bytes that the blocks in progress may take: their text, and the
    /// results of parsing it. `length` is that of the whole text, if known.
    fn room_of_blocks(&self, length: Option<u64>) -> usize {
        /// Hardly any text takes more; one with a name for each of its faces could.
        const TIMES: usize = 8;
        let blocks = 2 * estoc_system::parallel::current_num_threads() + 1;
        let text = blocks * self.block_size.min(BLOCK_SIZE);
        let length = length.and_then(|length| usize::try_from(length).ok());
        let text = length.map_or(text, |length| text.min(length));
        text.saturating_mul(TIMES)
    }

    /// Loads a text; its name is in every error.
    fn named(
        &self,
        reader: &mut dyn Read,
        length: Option<u64>,
        name: &str,
        source: Option<&FileSource<'_>>,
    ) -> Result<Assembled, MeshError> {
        let loaded = self.run(reader, length, name, source);
        loaded.map_err(|error| error.of_input(name))
    }

    fn run(
        &self,
        reader: &mut dyn Read,
        length: Option<u64>,
        name: &str,
        source: Option<&FileSource<'_>>,
    ) -> Result<Assembled, MeshError> {
        let blocks = Blocks::new(reader, self.block_size, self.limits.statement);
        let reading = Reading {
            policy: self.bad_faces,
            attributes: self.attributes,
            frame: self.frame,
        };
        let parse = |number, block: &[u8]| match number {
            0 => Partial::parse_first(block, reading),
            _ => Partial::parse(block, reading),
        };
        let room = self.room_of_blocks(length);
        let proceed = || {
            MeshError::check_cancelled(&self.cancel)?;
            check_room(room).map_err(MeshError::from)
        };
        let mut gathered = Gathered::new(name, self.limits);
        let mut done = 0;
        let stop = in_order(blocks, parse, proceed, |partial, size| {
            gathered.append(partial)?;
            done += size as u64;
            if let Some(progress) = self.progress {
                progress(Progress::new(done, length));
            }
            Ok(())
        })?;
        match stop {
            Some(Stop::Io(source)) => {
                return Err(packing::io_error(Location::of_file(name), source));
            }
            Some(Stop::TooLong) => return Err(gathered.line_too_long()),
            None => {}
        }
        let used = match source {
            Some(source) => library_search::load(&mut gathered, source, &self.cancel)?,
            None => library_search::undefined(&mut gathered)?,
        };
        gathered.finish(reading, used, &self.cancel)
    }
}

impl fmt::Debug for ObjLoader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjLoader")
            .field("policy", &self.bad_faces)
            .finish_non_exhaustive()
    }
}

#[cfg(all(test, feature = "repository-tests"))]
mod tests;
