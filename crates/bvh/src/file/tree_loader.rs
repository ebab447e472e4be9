//! Who wants a tree file, and what of it is checked.

use super::TreeFile;
use super::progress::{OnProgress, Work};
use super::section_bytes::{Body, How};
use super::tree_file_error::TreeFileError;
use super::tree_reader::unpack;
use estoc_core::{CancelToken, Progress};
use std::fmt;
use std::fs::File;
use std::path::Path;

/// Reads or maps tree files: [`TreeFile::load`] and [`TreeFile::map`] with more to say.
///
/// Two things are checked. Checksums show that what is read is as it was written, which finds
/// every accident; sections that only later versions know are passed over unread. The structure is what keeps queries within the arrays, ends them, and makes their
/// answers those of brute force over the triangles that the file holds ([`Bvh::validate`]). A
/// file that somebody made to deceive can have checksums that fit; it cannot get past the
/// structure.
///
/// So anybody may leave the checksums out, and the structure only who promises that the file is
/// sound ([`trusted`](Self::trusted)).
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
    /// A loader that checks everything.
    pub fn new() -> Self {
        TreeLoader {
            checksums: true,
            structure: true,
            cancel: None,
            progress: None,
        }
    }

    /// Whether checksums are checked, as they are by default. Without that, damage is found
    /// only where it makes the tree unsound; a corner that moved a little is not.
    #[must_use]
    pub fn checksums(self, check: bool) -> Self {
        TreeLoader {
            checksums: check,
            ..self
        }
    }

    /// Stops soon after the token is raised.
    #[must_use]
    pub fn cancel(self, token: &'a CancelToken) -> Self {
        TreeLoader {
            cancel: Some(token),
            ..self
        }
    }

    /// Is told, after every megabyte or so, how many bytes were read or found to be as they
    /// were written, and how many there are; at the end, that all are. From any thread, but
    /// from one at a time. What takes longest after that is the structure.
    #[must_use]
    pub fn progress(self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        TreeLoader {
            progress: Some(progress),
            ..self
        }
    }

    /// Reads a file into memory, and checks it. Works in the rayon pool that the caller is in.
    ///
    /// # Errors
    /// [`TreeFileError`], naming the file and the place in it.
    pub fn load(&self, path: impl AsRef<Path>) -> Result<TreeFile, TreeFileError> {
        self.open(path.as_ref(), How::Read)
    }

    /// Reads the bytes of a file, which may lie anywhere, and checks them; `name` stands for the
    /// file in messages.
    ///
    /// # Errors
    /// [`TreeFileError`], naming the place.
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
        self.unpack(name, bytes.len() as u64, How::Copy(bytes))
    }

    pub(super) fn open(
        &self,
        path: &Path,
        how: impl FnOnce(File) -> How<'static>,
    ) -> Result<TreeFile, TreeFileError> {
        let name = path.display().to_string();
        let failed = |source| TreeFileError::Io {
            file: name.clone(),
            done: "read",
            source,
        };
        // Not opened if it is a pipe, which would wait for somebody to write.
        if !path.metadata().map_err(failed)?.is_file() {
            return Err(TreeFileError::NotAFile { file: name });
        }
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        self.unpack(&name, length, how(file))
    }

    fn unpack(&self, name: &str, length: u64, how: How<'_>) -> Result<TreeFile, TreeFileError> {
        if cfg!(target_endian = "big") {
            return Err(TreeFileError::BigEndian {
                file: name.to_owned(),
            });
        }
        let work = Work::new(name, self.cancel, self.progress, length);
        work.check()?;
        let body = Body { work: &work, how };
        unpack(self, &body, length)
    }
}
