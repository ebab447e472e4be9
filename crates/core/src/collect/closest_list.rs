//! The closest of the triangles found so far.

use crate::compact_sort::{select_compactly, sort_compactly};
use crate::exact::proximity::{DistanceBy, Measure};
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Up to this number, insertion into a sorted list is fastest and the limit is the tightest.
const FEW: usize = 64;

/// The `k` closest triangles of those offered.
pub(crate) struct ClosestList<P: Measure> {
    /// Sorted if `k` is at most [`FEW`]. Otherwise unsorted, with up to half as many again as are
    /// wanted, so that each costs constant time.
    kept: Vec<DistanceBy<P>>,
    k: usize,
    /// The length at which those too far are dropped.
    capacity: usize,
}

impl<P: Measure> ClosestList<P> {
    pub(crate) fn new(k: usize) -> Self {
        ClosestList {
            kept: Vec::new(),
            k,
            capacity: k,
        }
    }

    /// Adds a triangle. Returns the squared distance beyond which no other is wanted, if it may have
    /// fallen.
    pub(crate) fn insert(&mut self, point: &P, found: DistanceBy<P>) -> Option<f64> {
        let before = |a: &DistanceBy<P>, b: &DistanceBy<P>| point.order(a, b);
        if self.k > FEW {
            self.kept.push(found);
            if self.kept.len() < self.capacity {
                return None;
            }
            let last = select_compactly(&mut self.kept, self.k - 1, before);
            let limit = last.square.1;
            self.kept.truncate(self.k);
            self.capacity = self.k.saturating_add(self.k / 2);
            return Some(limit);
        }
        let place = self
            .kept
            .partition_point(|other| before(other, &found) == Ordering::Less);
        if place == self.k {
            return None;
        }
        self.kept.truncate(self.k - 1);
        self.kept.insert(place, found);
        let last = self.kept.get(self.k - 1)?;
        Some(last.square.1)
    }

    /// Returns the triangles, the closest first.
    pub(crate) fn sorted(mut self, point: &P) -> Vec<DistanceBy<P>> {
        if self.k > FEW {
            sort_compactly(&mut self.kept, |a, b| point.order(a, b));
            self.kept.truncate(self.k);
        }
        self.kept
    }
}
