//! Storage for the large arrays of a tree.
//!
//! Incoherent rays read nodes and triangles at random, so a large tree misses the processor's TLB
//! as well as its caches. With pages of 2 MiB the TLB reaches 512 times as far. Linux commonly
//! gives such pages only to memory that requests them, and allocators do not.
//!
//! Arrays can also be memory-mapped from a file. Clones map the file again, which takes no memory,
//! and the system copies the pages that are written to. All maps are therefore of one type, and
//! reading needs no branch on another type: one more was measured and cost 2 % of all queries, 5 %
//! with trees that read the corners of a mesh.

use crate::growth::{self, Growth};
use bytemuck::Pod;
#[cfg(all(feature = "map", target_os = "linux"))]
use memmap2::Advice;
#[cfg(feature = "map")]
use memmap2::MmapMut;
use std::fmt;
#[cfg(feature = "map")]
use std::io;
use std::ops::Deref;
#[cfg(feature = "map")]
use std::sync::Arc;

/// The size in bytes from which an array requests huge pages. Below it, a TLB of 1024 small pages,
/// which processors have, covers the whole array. Above it, at least one huge page fits wherever
/// the map begins, and arrays of this size are too few to exhaust the number of maps.
#[cfg(all(feature = "map", target_os = "linux"))]
const HUGE: usize = 4 << 20;

/// An array of fixed length. A large one uses huge pages if the system has them.
pub struct Arena<T> {
    storage: ArenaStorage<T>,
    /// Maps the same part of the file again; `None` for other arrays, and after a write.
    #[cfg(feature = "map")]
    again: Option<Again>,
}

enum ArenaStorage<T> {
    Heap(Vec<T>),
    /// A whole number of `T`, correctly aligned.
    #[cfg(feature = "map")]
    Map(MmapMut),
}

/// Maps the same part of a file, copy-on-write.
#[cfg(feature = "map")]
pub(crate) type Again = Arc<dyn Fn() -> io::Result<MmapMut> + Send + Sync>;

impl<T> From<ArenaStorage<T>> for Arena<T> {
    fn from(storage: ArenaStorage<T>) -> Self {
        Arena {
            storage,
            #[cfg(feature = "map")]
            again: None,
        }
    }
}

impl<T: Pod> Arena<T> {
    /// Returns an array of `len` zeros, for any number of threads to overwrite: the memory is
    /// requested but not touched. Returns `None` if there is not enough.
    pub fn zeroed(len: usize) -> Option<Self> {
        #[cfg(all(feature = "map", target_os = "linux"))]
        if let Some(map) = unwritten::<T>(len) {
            return Some(ArenaStorage::Map(map).into());
        }
        let items = growth::zeroed(len).ok()?;
        Some(ArenaStorage::Heap(items).into())
    }

    /// Returns an array of these items. They are copied if huge pages are used, and the vector is
    /// dropped.
    pub fn of(mut items: Vec<T>) -> Self {
        #[cfg(all(feature = "map", target_os = "linux"))]
        if let Some(map) = mapped(&items) {
            return ArenaStorage::Map(map).into();
        }
        items.trim();
        ArenaStorage::Heap(items).into()
    }

    /// Maps a part of a file.
    ///
    /// # Errors
    /// When the part cannot be mapped, or is not a whole number of aligned items.
    #[cfg(feature = "map")]
    pub(crate) fn of_file(again: Again) -> io::Result<Self> {
        let map = again()?;
        match bytemuck::try_cast_slice::<u8, T>(&map) {
            Ok(_) => Ok(Arena {
                storage: ArenaStorage::Map(map),
                again: Some(again),
            }),
            Err(error) => Err(io::Error::other(error.to_string())),
        }
    }

    /// Returns the size of the items in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val::<[T]>(self)
    }
}

/// Returns zeros on huge pages, or `None` if they are too few or the system has no such pages.
#[cfg(all(feature = "map", target_os = "linux"))]
fn unwritten<T: Pod>(len: usize) -> Option<MmapMut> {
    let bytes = len.checked_mul(size_of::<T>())?;
    if bytes < HUGE {
        return None;
    }
    growth::check_room(bytes).ok()?;
    let map = MmapMut::map_anon(bytes).ok()?;
    // A map starts at a page, which is sufficient except for unusual types.
    bytemuck::try_cast_slice::<u8, T>(&map).ok()?;
    // Before the first write: pages that exist already stay small.
    map.advise(Advice::HugePage).ok()?;
    Some(map)
}

/// Returns a copy on huge pages, or `None` if it is too small or the system has no such pages.
#[cfg(all(feature = "map", target_os = "linux"))]
fn mapped<T: Pod>(items: &[T]) -> Option<MmapMut> {
    let mut map = unwritten::<T>(items.len())?;
    map.copy_from_slice(bytemuck::cast_slice(items));
    Some(map)
}

impl<T: Pod> Deref for Arena<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        match &self.storage {
            ArenaStorage::Heap(items) => items,
            #[cfg(feature = "map")]
            ArenaStorage::Map(map) => bytemuck::cast_slice(map),
        }
    }
}

impl<T: Pod> std::ops::DerefMut for Arena<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // The file differs from the array after a write.
        #[cfg(feature = "map")]
        {
            self.again = None;
        }
        match &mut self.storage {
            ArenaStorage::Heap(items) => items,
            #[cfg(feature = "map")]
            ArenaStorage::Map(map) => bytemuck::cast_slice_mut(map),
        }
    }
}

impl<T: Pod> Clone for Arena<T> {
    fn clone(&self) -> Self {
        // If the system has no more maps, the items are copied instead.
        #[cfg(feature = "map")]
        if let Some(again) = &self.again
            && let Ok(arena) = Arena::of_file(Arc::clone(again))
        {
            return arena;
        }
        #[cfg(all(feature = "map", target_os = "linux"))]
        if let Some(map) = mapped(self) {
            return ArenaStorage::Map(map).into();
        }
        ArenaStorage::Heap(self.to_vec()).into()
    }
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        ArenaStorage::Heap(Vec::new()).into()
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

    /// Returns numbers that take `bytes` bytes.
    fn numbers(bytes: usize) -> Vec<u32> {
        let count = (bytes / 4) as u32;
        (0..count).map(|i| i.wrapping_mul(0x9e37_79b9)).collect()
    }

    #[cfg(all(feature = "map", target_os = "linux"))]
    fn is_mapped<T>(arena: &Arena<T>) -> bool {
        matches!(arena.storage, ArenaStorage::Map(_))
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

    /// Uses an anonymous map in place of a file.
    #[cfg(feature = "map")]
    #[test]
    fn a_part_of_a_file_is_mapped_once_more_until_it_is_written_to() {
        let again: Again = Arc::new(|| {
            let mut map = MmapMut::map_anon(4096)?;
            map[4] = 7;
            Ok(map)
        });
        let file = Arena::<u32>::of_file(Arc::clone(&again)).unwrap();
        let mut other = file.clone();
        assert!(file.again.is_some() && other.again.is_some());
        assert!(*other == *file && file.len() == 1024 && file[1] == 7);
        other[0] = 3;
        assert!(other.again.is_none() && other.clone()[0] == 3 && file[0] == 0);
        let odd = Arena::<[u32; 3]>::of_file(again);
        assert!(odd.is_err(), "4096 bytes are no whole number of twelve");
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

    #[cfg(all(feature = "map", target_os = "linux"))]
    #[test]
    fn large_arrays_alone_are_maps_of_their_own() {
        let small = Arena::of(numbers(HUGE - 4));
        assert!(!is_mapped(&small) && !is_mapped(&small.clone()));
        // A kernel without huge pages may refuse the request.
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
