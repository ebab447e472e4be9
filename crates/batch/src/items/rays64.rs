//! Lists of rays in `f64`.

use super::Items;
use estoc_core::Ray64;
use std::ops::Range;

/// A list of rays in `f64` in the caller's memory, for questions in [`In64`](estoc_core::In64).
#[derive(Clone, Copy, Debug)]
pub struct Rays64<'a>(&'a [Ray64]);

impl Items for Rays64<'_> {
    type Item = Ray64;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, index: usize) -> Option<Ray64> {
        self.0.get(index).copied()
    }

    fn chunk<'b>(&'b self, range: Range<usize>, _: &'b mut Vec<Ray64>) -> &'b [Ray64] {
        &self.0[range]
    }
}

impl<'a> From<&'a [Ray64]> for Rays64<'a> {
    fn from(rays: &'a [Ray64]) -> Self {
        Rays64(rays)
    }
}

from_lists!(Rays64: Ray64);
