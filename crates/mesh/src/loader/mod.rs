//! Loads meshes of every format.

pub(crate) mod as_needed;
mod doubles;
mod frames;
mod input;
mod nodes;
mod unpacked;
mod welds;

use core::fmt;
use estoc_core::{CancelToken, Progress};
use estoc_system::read_to_end;
use std::io::{self, Read};
use std::path::Path;

use crate::assemble::assembled::Assembled;
use crate::assemble::draft::Draft;
use crate::bad_faces::BadFaces;
use crate::error::{Location, MeshError};
use crate::foreign_format::{self, foreign_format};
use crate::format::Format;
use crate::formats::input::MeshInput;
use crate::formats::obj;
use crate::formats::obj::{FileSource, ObjLoader};
use crate::formats::{FormatReader, mesh_format, sibling_file};
use crate::local_frame::LocalFrame;
use crate::mesh::Mesh;
use crate::packing::Packing;
use crate::tree_file::TREE_FILE_START;
use crate::weld::Weld;
use input::LoaderInput;

/// Loads meshes of every [`Format`], also compressed by gzip or zstd.
///
/// Format and compression are recognised from the content. The name decides only if the content
/// does not: for OBJ that begins with 4096 bytes of comments, and for binary STL whose length does
/// not match its number of facets or is unknown, as in a stream. A file that nothing tells is read
/// as STL if it begins with facets of finite numbers, and otherwise as OBJ. Nothing is decompressed to the disk. Input is held in memory in
/// pieces: a chunk or a line at a time; for OBJ, two blocks of about a megabyte per thread and one
/// more; for glTF, the whole file and its buffers.
///
/// - **OBJ** is read as by [`ObjLoader`].
/// - **PLY** (text, or binary of either byte order): elements `vertex` with `x`, `y` and `z` of
///   any type, and `face` or `tristrips` with a list `vertex_indices` or `vertex_index`. In strips,
///   -1 begins the next one, and triangles with a corner twice are left out. `nx ny nz` are normals;
///   `s t`, `u v` or `texture_u texture_v` are texture coordinates. Other properties are skipped;
///   other elements, and values after the declared ones on lines of faces, are reported as
///   [`unread_parts`](crate::MeshReport::unread_parts).
/// - **STL** (text, or records, even when they begin with `solid`): each facet has three vertices
///   of its own, and its normal and colour are not stored. The solids of a text
///   are objects; blanks and line ends may stand anywhere in it. The attribute counts of records are
///   the numbers of bytes that follow each, which are skipped, if that gives the length of the file,
///   but 50 bytes a facet do not; of a stream with such counts the rest is held in memory to decide.
///   Bytes after the facets are reported, and refused if they are more than both 4096 and the facets.
/// - **OFF** as text: normals of `NOFF` and texture coordinates of `STOFF` are stored, colours
///   are not. Numbers may go on in the next line, or all stand on one.
/// - **glTF 2.0** (`.gltf` with buffers in the same folder or in `data:` addresses, `.glb`), with
///   the feature `gltf`: the meshes of the scene, one after the other in the order of its nodes.
///   Positions are transformed in `f64`, and rounded once to `f32`, unless there is a
///   [local frame](MeshLoader::local_frame). If a transform mirrors (its
///   determinant is negative), the second and third corner of each triangle are swapped, so that
///   its front remains its front, as the format requires (3.7.2.1). Nodes with meshes are objects,
///   named like the node or the mesh; each instance of `EXT_mesh_gpu_instancing` is one. A mesh with
///   a skin is posed by its joints where they are, and the transform of its node has no effect.
///   Nodes that `KHR_node_visibility` hides are left out. Strips and fans become triangles; points
///   and lines are counted. Of materials the name, colour, opacity and emitted colour are stored.
///   Morph targets and animations are ignored. Files that require extensions which would change the
///   triangles are refused.
///
/// If there is not enough memory for a mesh, loading ends with [`MeshError::NoMemory`]: requests that
/// grow with the file report it when they are refused, and large ones leave a few megabytes for small
/// requests, which cannot. For the JSON of glTF and the window of zstd the memory is only checked
/// before. The process can still run out of memory if other threads or processes take the last
/// megabytes, and if the system overcommits (as Linux does by default).
///
/// Numbers are the nearest `f32` to those in the file, or, in a
/// [local frame](MeshLoader::local_frame), to their differences to its origin. Polygons are triangulated as in every
/// [`Mesh`]. Formats other than OBJ number vertices and faces from 0, and so do messages about
/// them.
///
/// ```
/// # mod estoc { pub use estoc_mesh::*; pub mod io { pub use estoc_mesh::*; } }
/// use estoc::{MeshLoader, io::Format};
/// let text = b"OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
/// let mesh = MeshLoader::new().read(text, "flag.off")?;
/// assert_eq!(mesh.triangle_count(), 1);
///
/// let cut = &text[..text.len() - 2];
/// let error = MeshLoader::new().read(cut, "flag.off").unwrap_err();
/// assert!(error.to_string().starts_with("flag.off:5: a face of 3 corners has only 2; "));
///
/// let error = MeshLoader::new().format(Format::Ply).read(text, "flag").unwrap_err();
/// let told = "flag:1: invalid PLY: the file does not begin with \"ply\"";
/// assert_eq!(error.to_string(), told);
/// # Ok::<(), estoc::MeshError>(())
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct MeshLoader<'a> {
    format: Option<Format>,
    bad_faces: BadFaces,
    /// Whether texture coordinates and normals are left out.
    without_attributes: bool,
    local_frame: Option<LocalFrame>,
    surveys_rounding: bool,
    keeps_f64: bool,
    weld: Option<Weld>,
    max_input: Option<u64>,
    progress: Option<&'a (dyn Fn(Progress) + Sync + 'a)>,
    cancel: CancelToken,
    file_source: Option<&'a FileSource<'a>>,
}

impl<'a> MeshLoader<'a> {
    /// Returns a loader that recognises the format and rejects invalid faces.
    pub fn new() -> Self {
        MeshLoader::default()
    }

    /// Sets the format of the input, whatever its content and name. Compressed files are still
    /// decompressed.
    pub fn format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Sets the treatment of invalid faces. A file that is truncated or does not conform to its
    /// format is refused in any case.
    pub fn bad_faces(mut self, bad_faces: BadFaces) -> Self {
        self.bad_faces = bad_faces;
        self
    }

    /// Sets whether texture coordinates and normals are stored; they are by default.
    pub fn attributes(mut self, keep: bool) -> Self {
        self.without_attributes = !keep;
        self
    }

    /// The default limit of [`max_input`](Self::max_input) for a file compressed by gzip or zstd,
    /// after decompression: 4 GiB.
    pub const MAX_UNPACKED: u64 = 1 << 32;

    /// Sets the largest number of bytes that a file or stream may have after decompression; more
    /// give [`MeshError::TooLarge`]. By default there is no limit except for compressed files,
    /// whose decompressed size is not known beforehand: [`MAX_UNPACKED`](Self::MAX_UNPACKED). A
    /// mesh takes up to four times as much memory as its text. Files that a mesh names do not
    /// count.
    ///
    /// ```
    /// # use estoc_mesh as estoc;
    /// use estoc::{MeshError, MeshLoader};
    /// let text = b"v 0 0 5\nv 1 0 5\nv 0 1 5\nf 1 2 3\n";
    /// let error = MeshLoader::new().max_input(20).read(text, "corner.obj").unwrap_err();
    /// assert!(matches!(error, MeshError::TooLarge { limit: 20, .. }));
    /// ```
    pub fn max_input(mut self, bytes: u64) -> Self {
        self.max_input = Some(bytes);
        self
    }

    /// Calls a function repeatedly with the number of bytes of the file that were read and their
    /// total, if known.
    pub fn progress(mut self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Ends loading with [`MeshError::Cancelled`] soon after the token is cancelled.
    pub fn cancel(mut self, token: &CancelToken) -> Self {
        self.cancel = token.clone();
        self
    }

    /// Gets the files that the mesh names from a function instead of the folder of the mesh. Its
    /// argument is, for material libraries of OBJ, as for [`ObjLoader::material_source`]; for
    /// buffers of glTF, the relative address with `%20` and the like decoded.
    pub fn file_source(mut self, source: &'a (dyn Fn(&str) -> io::Result<Vec<u8>> + Sync)) -> Self {
        self.file_source = Some(source);
        self
    }

    /// Loads a file and the files in its folder that it names. Names that lead out of the folder
    /// are not followed.
    ///
    /// # Errors
    /// [`MeshError`], which names the file and the line, byte or part of it.
    pub fn load(&self, path: impl AsRef<Path>) -> Result<Mesh, MeshError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let input = LoaderInput::open(path, &name)?;
        let is_file = input.length.is_some();
        if self.local_frame == Some(LocalFrame::Auto) {
            return match is_file {
                true => self.in_chosen_frame(&name, |loader| loader.load(path)),
                false => self.all_in_chosen_frame(input),
            };
        }
        let assembled = match self.is_plain_obj(&input)? && is_file {
            true => self.obj(&name)?.assemble_file(path)?,
            false => self.run(input)?,
        };
        self.welded(assembled.narrow, &name)
    }

    /// Reads a file from memory; `name` stands for it in messages, and may determine the format.
    /// Opens no files: those that the mesh names come from [`MeshLoader::file_source`], if set.
    ///
    /// # Errors
    /// [`MeshError`], with `name` and the line, byte or part of the input.
    pub fn read(&self, bytes: &[u8], name: &str) -> Result<Mesh, MeshError> {
        if self.local_frame == Some(LocalFrame::Auto) {
            return self.in_chosen_frame(name, |loader| loader.read(bytes, name));
        }
        let input = LoaderInput::of_bytes(bytes, name);
        let assembled = match self.is_plain_obj(&input)? {
            true => self.obj(name)?.assemble_text(bytes, name)?,
            false => self.run(input)?,
        };
        self.welded(assembled.narrow, name)
    }

    /// Reads a stream, like [`MeshLoader::read`]. With [`LocalFrame::Auto`], the whole stream is held
    /// in memory.
    ///
    /// # Errors
    /// [`MeshError`], with `name` and the line, byte or part of the input.
    pub fn read_from(&self, reader: impl Read, name: &str) -> Result<Mesh, MeshError> {
        let input = LoaderInput::of_stream(reader, name)?;
        match self.local_frame {
            Some(LocalFrame::Auto) => self.all_in_chosen_frame(input),
            _ => self.welded(self.run(input)?.narrow, name),
        }
    }

    fn format_of(&self, head: &[u8], length: Option<u64>, name: &str) -> Format {
        self.format
            .or_else(|| mesh_format(head, length))
            .or_else(|| Format::of_name(name))
            .unwrap_or_else(|| Format::likely(head))
    }

    /// Returns whether a file is OBJ that is not compressed; returns an error if it is refused, or not
    /// compressed and has too many bytes.
    fn is_plain_obj(&self, input: &LoaderInput<'_>) -> Result<bool, MeshError> {
        let LoaderInput {
            name, head, length, ..
        } = input;
        self.refuse_others(head, *length, None, name)?;
        let is_plain = Self::packing(head, name)?.is_none();
        match (self.max_input, *length) {
            (Some(limit), Some(length)) if is_plain && length > limit => Err(MeshError::TooLarge {
                at: Location::of_file(name),
                limit,
            }),
            _ => Ok(is_plain && self.format_of(head, *length, name) == Format::Obj),
        }
    }

    /// Returns the compression of a file that begins with `head`.
    fn packing(head: &[u8], name: &str) -> Result<Option<Packing>, MeshError> {
        match Packing::of_name(name) {
            // A compressed file always has some bytes, even if it decompresses to none.
            Some(packing) if head.is_empty() => Err(packing.empty(Location::of_file(name))),
            _ => Ok(Packing::of_content(head)),
        }
    }

    /// Refuses tree files and files of unsupported formats, which would otherwise be taken for
    /// damaged meshes. `head` is what the file begins with after decompression.
    fn refuse_others(
        &self,
        head: &[u8],
        length: Option<u64>,
        packing: Option<Packing>,
        name: &str,
    ) -> Result<(), MeshError> {
        if self.format.is_some() {
            return Ok(());
        }
        let at = Location::of_file(name);
        // If the first bytes are incomplete, the name decides.
        let is_cut = TREE_FILE_START.starts_with(head) && has_extension(name, "estoc");
        if head.starts_with(&TREE_FILE_START) || is_cut {
            let packing = packing.map(Packing::name);
            return Err(MeshError::TreeFile { at, packing });
        }
        let is_known =
            || Packing::of_content(head).is_some() || mesh_format(head, length).is_some();
        let what = foreign_format(head, name)
            .or_else(|| foreign_format::of_name(name).filter(|_| !is_known()));
        match what {
            None => Ok(()),
            Some(what) => Err(MeshError::NotRead { at, what }),
        }
    }

    fn obj(&self, name: &str) -> Result<ObjLoader<'a>, MeshError> {
        Ok(ObjLoader {
            bad_faces: self.bad_faces,
            attributes: !self.without_attributes,
            progress: self.progress,
            cancel: self.cancel.clone(),
            material_source: self.file_source,
            frame: self.frame(name)?,
            ..ObjLoader::new()
        })
    }

    fn run(&self, input: LoaderInput<'_>) -> Result<Assembled, MeshError> {
        let (name, folder) = (input.name, input.folder);
        self.unpacked(input, |format, (reader, length), progress| {
            let read = match format.reader() {
                FormatReader::Obj => return self.read_obj(reader, name, folder, &|_| progress()),
                FormatReader::Draft(read) => read,
                FormatReader::FeatureOff(feature) => {
                    return Err(feature_off(name, format, feature));
                }
            };
            let reader = (reader, length);
            let mut input = MeshInput::new((name, format), reader, &self.cancel, progress);
            let mut draft = self.draft(name)?;
            let open = |file: &str, most| self.open_sibling(folder, file, most);
            read(&mut input, &mut draft, &open)?;
            drop(input);
            draft.finish(&self.cancel)
        })
    }

    fn draft(&self, name: &str) -> Result<Draft, MeshError> {
        let frame = self.frame(name)?;
        Ok(Draft::new(
            name,
            self.bad_faces,
            !self.without_attributes,
            frame,
        ))
    }

    fn read_obj(
        &self,
        reader: impl Read,
        name: &str,
        folder: Option<&Path>,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Assembled, MeshError> {
        let library = |file: &str| obj::open_in(folder.unwrap_or(Path::new("")), file);
        let loader = self.obj(name)?.progress(progress);
        let loader = match (self.file_source, folder) {
            (None, Some(_)) => loader.material_source(&library),
            _ => loader,
        };
        loader.assemble_stream(&mut { reader }, name)
    }

    /// Returns the first bytes, at most `most`, of a file that the mesh names.
    fn open_sibling(&self, folder: Option<&Path>, file: &str, most: u64) -> io::Result<Vec<u8>> {
        match (self.file_source, folder) {
            (Some(source), _) => source(file),
            (None, Some(folder)) => {
                let mut bytes = Vec::new();
                let file = sibling_file::open(folder, file)?;
                read_to_end(file.take(most), &mut bytes)?;
                Ok(bytes)
            }
            (None, None) => Err(io::Error::other(
                "the input has no folder to look in; use MeshLoader::file_source",
            )),
        }
    }
}

impl Mesh {
    /// Loads a file in any [`Format`], also compressed by gzip or zstd, like [`MeshLoader`] without
    /// options.
    ///
    /// # Errors
    /// [`MeshError`], which names the file and the line, byte or part of it.
    pub fn load(path: impl AsRef<Path>) -> Result<Mesh, MeshError> {
        MeshLoader::new().load(path)
    }

    /// Loads an OBJ file, like [`ObjLoader`] without options.
    ///
    /// # Errors
    /// [`MeshError`], which names file and line.
    pub fn load_obj(path: impl AsRef<Path>) -> Result<Mesh, MeshError> {
        ObjLoader::new().load(path)
    }
}

impl fmt::Debug for MeshLoader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MeshLoader")
            .field("format", &self.format)
            .field("bad_faces", &self.bad_faces)
            .finish_non_exhaustive()
    }
}

fn feature_off(name: &str, format: Format, feature: &'static str) -> MeshError {
    MeshError::FeatureOff {
        at: Location::of_file(name),
        what: format.name(),
        feature,
    }
}

fn has_extension(name: &str, extension: &str) -> bool {
    let found = Path::new(name).extension();
    found.is_some_and(|found| found.eq_ignore_ascii_case(extension))
}
