//! Lists of points in `f64`.

use super::Items;
use estoc_core::glam::DVec3;
use std::ops::Range;

/// A list of points in `f64` in the caller's memory, for questions about points in
/// [`In64`](estoc_core::In64), which scenes answer.
#[derive(Clone, Copy, Debug)]
pub struct Points64<'a>(&'a [DVec3]);

impl Items for Points64<'_> {
    type Item = DVec3;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, index: usize) -> Option<DVec3> {
        self.0.get(index).copied()
    }

    fn chunk<'b>(&'b self, range: Range<usize>, _: &'b mut Vec<DVec3>) -> &'b [DVec3] {
        &self.0[range]
    }
}

impl<'a> From<&'a [DVec3]> for Points64<'a> {
    fn from(points: &'a [DVec3]) -> Self {
        Points64(points)
    }
}

from_lists!(Points64: DVec3);
