//! Slices as parallel iterators.

use super::Serial;
use std::cmp::Ordering;
use std::slice::{Chunks, ChunksMut, Iter, IterMut};

/// The methods that rayon has for shared slices, as far as estoc uses them.
pub trait ParallelSlice<T> {
    /// Iterates over the items.
    fn par_iter(&self) -> Serial<Iter<'_, T>>;

    /// Iterates over chunks of `size` items; the last one may be shorter.
    fn par_chunks(&self, size: usize) -> Serial<Chunks<'_, T>>;
}

impl<T> ParallelSlice<T> for [T] {
    fn par_iter(&self) -> Serial<Iter<'_, T>> {
        Serial(self.iter())
    }

    fn par_chunks(&self, size: usize) -> Serial<Chunks<'_, T>> {
        Serial(self.chunks(size))
    }
}

/// The methods that rayon has for mutable slices, as far as estoc uses them.
pub trait ParallelSliceMut<T> {
    /// Iterates over the items.
    fn par_iter_mut(&mut self) -> Serial<IterMut<'_, T>>;

    /// Iterates over chunks of `size` items; the last one may be shorter.
    fn par_chunks_mut(&mut self, size: usize) -> Serial<ChunksMut<'_, T>>;

    /// Sorts the slice; equal items may change places.
    fn par_sort_unstable(&mut self)
    where
        T: Ord;

    /// Sorts the slice by `compare`; equal items may change places.
    fn par_sort_unstable_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);
}

impl<T> ParallelSliceMut<T> for [T] {
    fn par_iter_mut(&mut self) -> Serial<IterMut<'_, T>> {
        Serial(self.iter_mut())
    }

    fn par_chunks_mut(&mut self, size: usize) -> Serial<ChunksMut<'_, T>> {
        Serial(self.chunks_mut(size))
    }

    fn par_sort_unstable(&mut self)
    where
        T: Ord,
    {
        self.sort_unstable();
    }

    fn par_sort_unstable_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        self.sort_unstable_by(compare);
    }
}
