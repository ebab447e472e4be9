//! Memory-mapped parts of files.

use crate::arena::Arena;
use bytemuck::Pod;
use memmap2::{MmapMut, MmapOptions};
use std::fs::File;
use std::io;
use std::sync::Arc;

/// The promise that mapped files do not change.
#[derive(Clone, Copy, Debug)]
pub struct UnchangedFiles(());

impl UnchangedFiles {
    /// Makes the promise.
    ///
    /// # Safety
    /// From now on, the files passed to [`items`](Self::items) must not change while the items or
    /// clones of them exist.
    #[allow(
        unsafe_code,
        reason = "the files cannot be protected from changes by other processes"
    )]
    pub unsafe fn promised() -> Self {
        UnchangedFiles(())
    }

    /// Maps whole items from an offset in a file; `length` is in bytes and above 0.
    ///
    /// # Errors
    /// When the part cannot be mapped, or is not a whole number of aligned items.
    pub fn items<T: Pod>(
        self,
        file: &Arc<File>,
        offset: u64,
        length: usize,
    ) -> io::Result<Arena<T>> {
        let file = Arc::clone(file);
        Arena::of_file(Arc::new(move || self.map(&file, offset, length)))
    }

    #[allow(unsafe_code, reason = "a file used in place; load reads it instead")]
    fn map(self, file: &File, offset: u64, length: usize) -> io::Result<MmapMut> {
        let mut options = MmapOptions::new();
        // Hardly any of it is going to be written to, so no memory is reserved for copies.
        options.offset(offset).len(length).no_reserve_swap();
        // SAFETY: the mapped bytes must not change while they are borrowed, nor the file become
        // shorter. The caller of `promised` has promised that. Writes to the map go to private
        // copies and never to the file.
        unsafe { options.map_copy(file) }
    }
}
