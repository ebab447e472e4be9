//! Memory-mapped tree files.

#[cfg(feature = "map")]
use super::TreeFile;
#[cfg(feature = "map")]
use super::file_coordinate::FileCoordinate;
#[cfg(feature = "map")]
use super::section_bytes::ReadingMode;
#[cfg(feature = "map")]
use super::tree_file_error::TreeFileError;
use super::tree_loader::TreeLoader;
#[cfg(feature = "map")]
use crate::Bvh;
#[cfg(feature = "map")]
use estoc_system::UnchangedFiles;
#[cfg(feature = "map")]
use std::path::Path;
#[cfg(feature = "map")]
use std::sync::Arc;

impl TreeLoader<'_> {
    /// Maps a file into memory and uses it in place (feature `map`): pages are read when they are
    /// first needed, and programs that map the same file share the memory. The file is checked as
    /// by [`load`](Self::load), which reads all of it once, unless the checks are disabled.
    ///
    /// # Safety
    /// From the start of the call, neither this nor any other process may change or truncate the
    /// file while anything that shares it exists: the [`TreeFile`], its tree,
    /// [meshes](TreeFile::mesh) made of it, trees built over those, and clones of any of these.
    /// Replacing the file, as [`Bvh::save`] does, is not a change: the old file exists until its
    /// last map is gone. On Windows a mapped file cannot be replaced.
    ///
    /// # Errors
    /// [`TreeFileError`], which names the file and the position in it.
    #[cfg(feature = "map")]
    #[allow(unsafe_code, reason = "the caller has to promise")]
    pub unsafe fn map(&self, path: impl AsRef<Path>) -> Result<TreeFile, TreeFileError> {
        // SAFETY: promised by the caller, also for everything that shares the items later.
        let promise = unsafe { UnchangedFiles::promised() };
        self.open_mapped(path.as_ref(), promise)
    }

    /// Maps a file of a tree in `f64`, as [`map`](Self::map) does one in `f32`.
    ///
    /// # Safety
    /// As for [`map`](Self::map).
    ///
    /// # Errors
    /// As [`load_f64`](Self::load_f64).
    #[cfg(feature = "map")]
    #[allow(unsafe_code, reason = "the caller has to promise")]
    pub unsafe fn map_f64(&self, path: impl AsRef<Path>) -> Result<TreeFile<f64>, TreeFileError> {
        // SAFETY: promised by the caller, also for everything that shares the items later.
        let promise = unsafe { UnchangedFiles::promised() };
        self.open_mapped(path.as_ref(), promise)
    }

    #[cfg(feature = "map")]
    fn open_mapped<C: FileCoordinate>(
        &self,
        path: &Path,
        promise: UnchangedFiles,
    ) -> Result<TreeFile<C>, TreeFileError> {
        self.open(path, |file| ReadingMode::Map(Arc::new(file), promise))
    }

    /// Disables all checks whose cost grows with the tree: checksums and structure. Mapping a file
    /// then takes the same few microseconds whatever its size, and the first ray reads only the
    /// pages it needs.
    ///
    /// # Safety
    /// The file must have been written by [`Bvh::save`] or [`TreeWriter`](crate::TreeWriter) and
    /// not changed since. With any other file, queries may return any answer, panic, or never end.
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
    /// Maps a file into memory, checks it, and uses it in place, like [`TreeLoader`] without
    /// options.
    ///
    /// # Safety
    /// As for [`TreeLoader::map`]: from the start of the call, the file must not change while the
    /// [`TreeFile`], its tree, a mesh made of it, a tree built over such a mesh, or a clone of any
    /// of these exists.
    ///
    /// # Errors
    /// [`TreeFileError`], which names the file and the position in it.
    #[allow(unsafe_code, reason = "the caller has to promise")]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<TreeFile, TreeFileError> {
        // SAFETY: promised by the caller.
        unsafe { TreeLoader::new().map(path) }
    }
}

#[cfg(feature = "map")]
impl TreeFile<f64> {
    /// Maps a file of a tree in `f64`, as [`map`](TreeFile::map) does one in `f32`.
    ///
    /// # Safety
    /// As for [`TreeFile::map`].
    ///
    /// # Errors
    /// As [`TreeLoader::load_f64`].
    #[allow(unsafe_code, reason = "the caller has to promise")]
    pub unsafe fn map_f64(path: impl AsRef<Path>) -> Result<TreeFile<f64>, TreeFileError> {
        // SAFETY: promised by the caller.
        unsafe { TreeLoader::new().map_f64(path) }
    }
}

#[cfg(feature = "map")]
impl Bvh {
    /// Maps the tree of a file into memory, checks it, and uses it in place. Clones share the
    /// memory. [`refit`](Bvh::refit) writes to copies and never to the file, which stays open. Use
    /// [`Bvh::load`] for files that other programs may change.
    ///
    /// # Safety
    /// As for [`TreeLoader::map`]: from the start of the call, the file must not change while the
    /// tree or a clone of it exists.
    ///
    /// # Errors
    /// [`TreeFileError`], which names the file and the position in it.
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
        // SAFETY: promised by the caller.
        unsafe { TreeFile::map(path) }.map(TreeFile::into_bvh)
    }
}

#[cfg(feature = "map")]
impl Bvh<f64> {
    /// Maps the tree of a file in `f64`, as [`map`](Bvh::map) does one in `f32`.
    ///
    /// # Safety
    /// As for [`Bvh::map`].
    ///
    /// # Errors
    /// As [`TreeLoader::load_f64`].
    #[allow(unsafe_code, reason = "the caller has to promise")]
    pub unsafe fn map_f64(path: impl AsRef<Path>) -> Result<Bvh<f64>, TreeFileError> {
        // SAFETY: promised by the caller.
        unsafe { TreeFile::map_f64(path) }.map(TreeFile::into_bvh)
    }
}
