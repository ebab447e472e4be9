//! Slices of items that have no other layout.

use super::{Item, Items};
use std::ops::Range;

/// A slice of rays or points in `f64` in the caller's memory.
#[derive(Clone, Copy, Debug)]
pub struct ItemSlice<'a, T>(&'a [T]);

impl<T: Item> Items for ItemSlice<'_, T> {
    type Item = T;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, index: usize) -> Option<T> {
        self.0.get(index).copied()
    }

    fn chunk<'b>(&'b self, range: Range<usize>, _: &'b mut Vec<T>) -> &'b [T] {
        &self.0[range]
    }
}

impl<'a, T> From<&'a [T]> for ItemSlice<'a, T> {
    fn from(items: &'a [T]) -> Self {
        ItemSlice(items)
    }
}

impl<'a, T> From<&'a Vec<T>> for ItemSlice<'a, T> {
    fn from(items: &'a Vec<T>) -> Self {
        ItemSlice(items)
    }
}

impl<'a, T, const N: usize> From<&'a [T; N]> for ItemSlice<'a, T> {
    fn from(items: &'a [T; N]) -> Self {
        ItemSlice(items)
    }
}
