//! Where the large arrays of a tree lie.
//!
//! Rays that go anywhere read nodes and triangles from anywhere, so that a large tree misses
//! the processor's table of pages as well as its caches. On pages of 2 MiB the table reaches
//! 512 times as far. Linux commonly gives such pages only to memory that asks for them, and an
//! allocator does not ask.
//!
//! Or they lie in a file, and stay there: clones share what is mapped of it, and whoever
//! writes gets a copy in memory first.

use bytemuck::Pod;
use memmap2::Mmap;
#[cfg(target_os = "linux")]
use memmap2::{Advice, MmapMut};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// From so many bytes on an array asks for huge pages. Below, a table of 1024 small pages,
/// which processors have, holds all of it; above, at least one huge page fits wherever the
/// map begins, and trees so large are too few for maps of their own to run out.
#[cfg(target_os = "linux")]
const HUGE: usize = 4 << 20;

/// An array that no longer grows; a large one lies on huge pages where the system has them.
pub(crate) struct Arena<T>(Storage<T>);

enum Storage<T> {
    Heap(Vec<T>),
    /// As many whole `T` as fit, aligned as they have to be.
    #[cfg(target_os = "linux")]
    Map(MmapMut),
    /// Just these bytes of a file: whole `T`, aligned as they have to be.
    File(Arc<Mmap>),
}

impl<T: Pod> Arena<T> {
    /// So many zeros, to be written over by as many threads as like to: memory is asked for,
    /// and not touched. `None` when there is not enough.
    pub(crate) fn zeroed(len: usize) -> Option<Self> {
        #[cfg(target_os = "linux")]
        if let Some(map) = unwritten::<T>(len) {
            return Some(Arena(Storage::Map(map)));
        }
        let items = bytemuck::allocation::try_zeroed_vec(len).ok()?;
        Some(Arena(Storage::Heap(items)))
    }

    /// The array of these. Where it gets huge pages it is a copy, and the vector is gone.
    pub(crate) fn of(mut items: Vec<T>) -> Self {
        #[cfg(target_os = "linux")]
        if let Some(map) = mapped(&items) {
            return Arena(Storage::Map(map));
        }
        items.shrink_to_fit();
        Arena(Storage::Heap(items))
    }

    /// What is mapped of a file, in place; `None` if that is not whole items where items may be.
    pub(crate) fn of_file(map: Mmap) -> Option<Self> {
        bytemuck::try_cast_slice::<u8, T>(&map).ok()?;
        Some(Arena(Storage::File(Arc::new(map))))
    }

    /// How many bytes the items take.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val::<[T]>(self)
    }
}

/// Zeros on huge pages, if they are enough and the system has such pages to give.
#[cfg(target_os = "linux")]
fn unwritten<T: Pod>(len: usize) -> Option<MmapMut> {
    let bytes = len.checked_mul(size_of::<T>())?;
    if bytes < HUGE {
        return None;
    }
    let map = MmapMut::map_anon(bytes).ok()?;
    // A map starts on a page, which is enough for all but strange types.
    bytemuck::try_cast_slice::<u8, T>(&map).ok()?;
    // Before the first write: pages that are there already stay small.
    map.advise(Advice::HugePage).ok()?;
    Some(map)
}

/// A copy on huge pages, if it is large enough and the system has them to give.
#[cfg(target_os = "linux")]
fn mapped<T: Pod>(items: &[T]) -> Option<MmapMut> {
    let mut map = unwritten::<T>(items.len())?;
    map.copy_from_slice(bytemuck::cast_slice(items));
    Some(map)
}

impl<T: Pod> Deref for Arena<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Storage::Heap(items) => items,
            #[cfg(target_os = "linux")]
            Storage::Map(map) => bytemuck::cast_slice(map),
            Storage::File(map) => bytemuck::cast_slice(map),
        }
    }
}

impl<T: Pod> std::ops::DerefMut for Arena<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        if let Storage::File(_) = self.0 {
            *self = self.copy();
        }
        match &mut self.0 {
            Storage::Heap(items) => items,
            #[cfg(target_os = "linux")]
            Storage::Map(map) => bytemuck::cast_slice_mut(map),
            // It was copied.
            Storage::File(_) => &mut [],
        }
    }
}

impl<T: Pod> Arena<T> {
    fn copy(&self) -> Self {
        #[cfg(target_os = "linux")]
        if let Some(map) = mapped(self) {
            return Arena(Storage::Map(map));
        }
        Arena(Storage::Heap(self.to_vec()))
    }
}

impl<T: Pod> Clone for Arena<T> {
    fn clone(&self) -> Self {
        match &self.0 {
            Storage::File(map) => Arena(Storage::File(Arc::clone(map))),
            _ => self.copy(),
        }
    }
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena(Storage::Heap(Vec::new()))
    }
}

impl<T: Pod + fmt::Debug> fmt::Debug for Arena<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that take so many bytes.
    fn numbers(bytes: usize) -> Vec<u32> {
        let count = (bytes / 4) as u32;
        (0..count).map(|i| i.wrapping_mul(0x9e37_79b9)).collect()
    }

    #[cfg(target_os = "linux")]
    fn is_mapped<T>(arena: &Arena<T>) -> bool {
        matches!(arena.0, Storage::Map(_))
    }

    #[test]
    fn an_array_of_any_size_reads_back() {
        for bytes in [0, 4, 4096, (4 << 20) - 4, 4 << 20, (4 << 20) + 4, 9_999_996] {
            let (items, mut arena) = (numbers(bytes), Arena::of(numbers(bytes)));
            assert!(*arena == *items, "{bytes} bytes");
            assert_eq!(arena.bytes(), bytes);
            let copy = arena.clone();
            if let Some(last) = arena.last_mut() {
                *last ^= 1;
                assert!(*arena != *copy, "a copy of {bytes} bytes is not one");
            }
            drop(arena);
            assert!(*copy == *items, "the copy of {bytes} bytes");
        }
    }

    #[test]
    fn nothing_is_empty() {
        assert!(Arena::<u32>::default().is_empty());
        assert_eq!(Arena::<u32>::default().bytes(), 0);
        assert_eq!(Arena::of(vec![(); 3]).len(), 3);
    }

    #[test]
    fn what_is_printed_is_the_array() {
        assert_eq!(format!("{:?}", Arena::of(vec![1, 2, 3])), "[1, 2, 3]");
    }

    #[test]
    fn threads_may_share_it() {
        fn shared<T: Send + Sync>(_: &T) {}
        shared(&Arena::of(vec![1.0_f32]));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn large_arrays_alone_are_maps_of_their_own() {
        let small = Arena::of(numbers(HUGE - 4));
        assert!(!is_mapped(&small) && !is_mapped(&small.clone()));
        // A kernel without huge pages may refuse the wish.
        if std::path::Path::new("/sys/kernel/mm/transparent_hugepage").exists() {
            let large = Arena::of(numbers(HUGE));
            assert!(is_mapped(&large) && is_mapped(&large.clone()));
        }
    }

    #[test]
    fn a_type_of_larger_alignment_than_a_page_reads_back() {
        #[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(C, align(65536))]
        struct Wide([[u32; 4096]; 4]);
        let items: Vec<_> = (0..80).map(|i| Wide([[i; 4096]; 4])).collect();
        let arena = Arena::of(items.clone());
        assert!(*arena == *items && *arena.clone() == *items);
    }
}
