//! Parts of a file in place.

use crate::arena::Arena;
use bytemuck::Pod;
use memmap2::{MmapMut, MmapOptions};
use std::fs::File;
use std::io;
use std::sync::Arc;

/// Somebody has promised that nobody changes the file.
#[derive(Clone, Copy, Debug)]
pub struct UnchangedFiles(());

impl UnchangedFiles {
    /// # Safety
    /// From now on nobody changes the files whose [`items`](Self::items) are asked for, as long
    /// as there are any of these, or clones of them.
    #[allow(
        unsafe_code,
        reason = "what is mapped has no owner that could be asked"
    )]
    pub unsafe fn promised() -> Self {
        UnchangedFiles(())
    }

    /// Whole items from a place in a file on, of a length in bytes above 0.
    ///
    /// # Errors
    /// If the part cannot be mapped, or is not whole items where items may be.
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
        // Hardly any of it is going to be written to, so that nothing is set aside for that.
        options.offset(offset).len(length).no_reserve_swap();
        // SAFETY: what is mapped must not change while it is borrowed, nor the file become
        // shorter. Whoever made `self` has promised that, see `promised`. What is written to the
        // map goes to a copy of its own, and never to the file.
        unsafe { options.map_copy(file) }
    }
}
