//! Options for loading a tree file.

use super::TreeFile;
use super::file_coordinate::FileCoordinate;
use super::progress::{FileWork, OnProgress};
use super::section_bytes::{FileBody, ReadingMode};
use super::tree_file_error::TreeFileError;
use super::tree_reader::unpack;
use estoc_core::{CancelToken, Progress};
use std::fmt;
use std::fs::File;
use std::path::Path;

/// Reads or maps tree files: [`TreeFile::load`] and [`TreeFile::map`] with options. Trees in `f64` have
/// methods of their own ([`load_f64`](Self::load_f64)); [`TreeFile::is_f64`] tells which a file needs.
///
/// Two things are checked. Checksums show that the bytes read are those that were written, which
/// detects accidental damage; sections that only later versions know are skipped unread. The check
/// of the structure proves that queries stay within the arrays, terminate, and return the answers
/// of brute force over the triangles in the file ([`Bvh::validate`]). A forged file can have
/// matching checksums, but it cannot pass the check of the structure unless its tree is valid.
///
/// Disabling the checksums is therefore always safe. Disabling the check of the structure is
/// `unsafe`, because the caller has to promise that the file is sound ([`trusted`](Self::trusted)).
///
/// [`Bvh::validate`]: crate::Bvh::validate
#[derive(Clone, Copy)]
pub struct TreeLoader<'a> {
    pub(super) checksums: bool,
    pub(super) structure: bool,
    pub(super) cancel: Option<&'a CancelToken>,
    pub(super) progress: Option<&'a OnProgress<'a>>,
}

impl Default for TreeLoader<'_> {
    fn default() -> Self {
        TreeLoader::new()
    }
}

impl fmt::Debug for TreeLoader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TreeLoader")
            .field("checksums", &self.checksums)
            .field("structure", &self.structure)
            .finish_non_exhaustive()
    }
}

impl<'a> TreeLoader<'a> {
    /// Returns a loader that checks everything.
    pub fn new() -> Self {
        TreeLoader {
            checksums: true,
            structure: true,
            cancel: None,
            progress: None,
        }
    }

    /// Sets whether checksums are checked; they are by default. Without them, damage is found only
    /// where it makes the tree invalid; a slightly changed coordinate is not.
    #[must_use]
    pub fn checksums(self, check: bool) -> Self {
        TreeLoader {
            checksums: check,
            ..self
        }
    }

    /// Stops soon after the token is cancelled.
    #[must_use]
    pub fn cancel(self, token: &'a CancelToken) -> Self {
        TreeLoader {
            cancel: Some(token),
            ..self
        }
    }

    /// Calls a function, about every megabyte, with the number of bytes read or checked and their
    /// total, and at the end with all bytes. Any thread may call it, but only one at a time. The
    /// check of the structure comes after that and takes longest.
    #[must_use]
    pub fn progress(self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        TreeLoader {
            progress: Some(progress),
            ..self
        }
    }

    /// Reads a file into memory and checks it. Runs in the caller's rayon pool; without the feature
    /// `rayon`, on the calling thread.
    ///
    /// # Errors
    /// [`TreeFileError`], which names the file and the position in it.
    pub fn load(&self, path: impl AsRef<Path>) -> Result<TreeFile, TreeFileError> {
        self.open(path.as_ref(), ReadingMode::Read)
    }

    /// Reads a file of a tree in `f64`, as [`load`](Self::load) does one in `f32`.
    ///
    /// # Errors
    /// [`TreeFileError`], which names the file and the position in it; [`TreeFileError::Precision`] for a
    /// tree in `f32`.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_core::*, estoc_mesh::*}; pub mod io { pub use estoc_bvh::*; } }
    /// use estoc::{Bvh, Mesh, Ray, RayQuery, io::{TreeLoader, TreeWriter}};
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("wall.estoc");
    /// let corners = [[5.2e6, 0.0, 0.1], [5.2e6 + 0.3, 0.0, 0.1], [5.2e6, 0.3, 0.1]];
    /// let mesh = Mesh::from_f64(corners, [[0, 1, 2]])?;
    /// let bvh = Bvh::build(&mesh);
    /// TreeWriter::new(&bvh).mesh(&mesh).save(&path)?;
    ///
    /// let file = TreeLoader::new().load_f64(&path)?;
    /// let ray = Ray::new([5.2e6, 0.1, 1.0], [0.0, 0.0, -1.0]);
    /// assert_eq!(file.bvh().closest_hit(&ray).unwrap().t, 0.9);
    /// assert_eq!(file.mesh()?.positions(), mesh.positions());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load_f64(&self, path: impl AsRef<Path>) -> Result<TreeFile<f64>, TreeFileError> {
        self.open(path.as_ref(), ReadingMode::Read)
    }

    /// Reads a file from bytes of any alignment and checks it; `name` stands for the file in
    /// messages.
    ///
    /// # Errors
    /// [`TreeFileError`], which names the position.
    ///
    /// ```
    /// # mod estoc { pub use estoc_bvh::*; pub mod demo { pub use estoc_demo::*; } pub mod io { pub use estoc_bvh::*; } }
    /// use estoc::{Bvh, demo::DemoSpec, io::{TreeLoader, TreeWriter}};
    /// let bvh = Bvh::build(&"sphere?n=500".parse::<DemoSpec>()?.mesh());
    /// let mut bytes = Vec::new();
    /// TreeWriter::new(&bvh).write_to(&mut bytes, "ball")?;
    /// let again = TreeLoader::new().read(&bytes, "ball")?.into_bvh();
    /// assert_eq!(again.stats(), bvh.stats());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(&self, bytes: &[u8], name: &str) -> Result<TreeFile, TreeFileError> {
        self.unpack(name, bytes.len() as u64, ReadingMode::Copy(bytes))
    }

    /// Reads a file of a tree in `f64` from bytes, as [`read`](Self::read) does one in `f32`.
    ///
    /// # Errors
    /// As [`load_f64`](Self::load_f64).
    pub fn read_f64(&self, bytes: &[u8], name: &str) -> Result<TreeFile<f64>, TreeFileError> {
        self.unpack(name, bytes.len() as u64, ReadingMode::Copy(bytes))
    }

    pub(super) fn open<C: FileCoordinate>(
        &self,
        path: &Path,
        how: impl FnOnce(File) -> ReadingMode<'static>,
    ) -> Result<TreeFile<C>, TreeFileError> {
        let name = path.display().to_string();
        let failed = |source| TreeFileError::Io {
            file: name.clone(),
            done: "read",
            source,
        };
        // Not opened if it is a pipe, which would wait for a writer.
        if !path.metadata().map_err(failed)?.is_file() {
            return Err(TreeFileError::NotAFile { file: name });
        }
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        self.unpack(&name, length, how(file))
    }

    fn unpack<C: FileCoordinate>(
        &self,
        name: &str,
        length: u64,
        how: ReadingMode<'_>,
    ) -> Result<TreeFile<C>, TreeFileError> {
        if cfg!(target_endian = "big") {
            return Err(TreeFileError::BigEndian {
                file: name.to_owned(),
            });
        }
        let work = FileWork::new(name, self.cancel, self.progress, length);
        work.check()?;
        let body = FileBody { work: &work, how };
        unpack(self, &body, length)
    }
}
