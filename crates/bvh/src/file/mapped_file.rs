//! Sections of a file in place.

#[cfg(feature = "map")]
use super::TreeFile;
#[cfg(feature = "map")]
use super::section_bytes::How;
#[cfg(feature = "map")]
use super::tree_file_error::TreeFileError;
use super::tree_loader::TreeLoader;
#[cfg(feature = "map")]
use crate::Bvh;
#[cfg(feature = "map")]
use estoc_memory::UnchangedFiles;
#[cfg(feature = "map")]
use std::path::Path;
#[cfg(feature = "map")]
use std::sync::Arc;

impl TreeLoader<'_> {
    /// Maps a file into memory and uses it in place (feature `map`): nothing is read before it is needed, and
    /// programs that map the same file share the memory. Checked as
    /// [`load`](Self::load) does it, which reads all of it once, unless that is left out.
    ///
    /// # Safety
    /// From the beginning of the call on, no other process, and nothing else in this one,
    /// changes the file or cuts it off, as long as anything is there that shares it: the
    /// [`TreeFile`], its tree, [meshes](TreeFile::mesh) made of it, trees built over those, and
    /// clones of any of these. Replacing it, as [`Bvh::save`] does, is no change: the old one
    /// stays until nobody has it mapped, or, on Windows, cannot be replaced until then.
    ///
    /// # Errors
    /// [`TreeFileError`], naming the file and the place in it.
    #[cfg(feature = "map")]
    #[allow(unsafe_code, reason = "the caller has to promise")]
    pub unsafe fn map(&self, path: impl AsRef<Path>) -> Result<TreeFile, TreeFileError> {
        // SAFETY: the caller promises it, and for all that may come to share the items.
        let promise = unsafe { UnchangedFiles::promised() };
        self.open(path.as_ref(), |file| How::Map(Arc::new(file), promise))
    }

    /// Leaves out all checks that take longer for larger trees: checksums and structure. Then
    /// mapping a file takes the same few microseconds whatever its size, and the first ray reads
    /// no more than what it meets.
    ///
    /// # Safety
    /// The file is one that [`Bvh::save`] or [`TreeWriter`](crate::TreeWriter) has written, and
    /// no byte of it was changed since. Of any other, queries may give any answer, panic, or
    /// never end.
    #[must_use]
    #[allow(unsafe_code, reason = "the caller has to promise")]
    pub unsafe fn trusted(self) -> Self {
        TreeLoader {
            checksums: false,
            structure: false,
            ..self
        }
    }
}

#[cfg(feature = "map")]
impl TreeFile {
    /// Maps a file into memory, checks it, and uses it in place: [`TreeLoader`] without options.
    ///
    /// # Safety
    /// As for [`TreeLoader::map`]: from the beginning of the call on, nobody changes the file as
    /// long as there is the [`TreeFile`], its tree, a mesh made of it, a tree built over such a
    /// mesh, or a clone of any of these.
    ///
    /// # Errors
    /// [`TreeFileError`], naming the file and the place in it.
    #[allow(unsafe_code, reason = "the caller has to promise")]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<TreeFile, TreeFileError> {
        // SAFETY: the caller promises it.
        unsafe { TreeLoader::new().map(path) }
    }
}

#[cfg(feature = "map")]
impl Bvh {
    /// Maps the tree of a file into memory, checks it, and uses it in place. Clones share the
    /// memory; [`refit`](Bvh::refit) writes to copies, and never to the file, which stays open.
    /// [`Bvh::load`] is for files that others may change.
    ///
    /// # Safety
    /// As for [`TreeLoader::map`]: from the beginning of the call on, nobody changes the file as
    /// long as the tree or a clone of it is there.
    ///
    /// # Errors
    /// [`TreeFileError`], naming the file and the place in it.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_core::*}; pub mod demo { pub use estoc_demo::*; } }
    /// use estoc::{Bvh, Ray, RayQuery, demo::DemoSpec};
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("ball.estoc");
    /// Bvh::build(&"sphere?n=500".parse::<DemoSpec>()?.mesh()).save(&path)?;
    ///
    /// // SAFETY: the folder is ours, and nothing else writes there.
    /// let bvh = unsafe { Bvh::map(&path)? };
    /// assert!(bvh.any_hit(&Ray::new([3.0, 0.1, 0.2], [-1.0, 0.0, 0.0])));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[allow(unsafe_code, reason = "the caller has to promise")]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Bvh, TreeFileError> {
        // SAFETY: the caller promises it.
        unsafe { TreeFile::map(path) }.map(TreeFile::into_bvh)
    }
}
