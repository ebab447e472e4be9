//! The pairs of boxes of two trees that wait: the nearest first.

use crate::wide::Child;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The most pairs of boxes that wait in the order of their distances.
const MOST: usize = 1 << 13;

/// The corners of a box in the space in which distances are measured.
pub(super) type PairBounds = [[f64; 3]; 2];

/// A node or a leaf of each tree, with its box.
#[derive(Clone, Copy)]
pub(super) struct Apart {
    pub(super) square: f64,
    pub(super) boxes: [(Child, PairBounds); 2],
}

impl Apart {
    /// Returns the side of the box to split: the larger one, unless it is a leaf.
    #[inline(always)]
    pub(super) fn larger(&self) -> Option<usize> {
        let is_node = |side: usize| matches!(self.boxes[side].0, Child::Node(_));
        let size = |side: usize| {
            let [min, max] = self.boxes[side].1;
            (max[0] - min[0]) + (max[1] - min[1]) + (max[2] - min[2])
        };
        match (is_node(0), is_node(1)) {
            (true, true) => Some(usize::from(size(1) > size(0))),
            (true, false) => Some(0),
            (false, true) => Some(1),
            (false, false) => None,
        }
    }
}

/// The pairs of boxes that wait.
pub(super) struct Waiting {
    /// The nearest of all comes first: then no pair is split that is not nearer than the answer.
    heap: BinaryHeap<Apart>,
    /// Where that would take much memory, the nearest child of the last one comes first.
    stack: Vec<Apart>,
}

impl Waiting {
    pub(super) fn new(pairs: impl Iterator<Item = Apart>) -> Self {
        Waiting {
            heap: pairs.collect(),
            stack: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.heap.len() + self.stack.len()
    }

    pub(super) fn pop(&mut self) -> Option<Apart> {
        self.stack.pop().or_else(|| self.heap.pop())
    }

    /// Adds a pair. Those of the children of one node are added in order, the farthest first.
    pub(super) fn push(&mut self, apart: Apart) {
        match self.heap.len() < MOST {
            true => self.heap.push(apart),
            false => self.stack.push(apart),
        }
    }

    /// Returns every other pair, and the others.
    pub(super) fn halves(self) -> [Waiting; 2] {
        let all: Vec<Apart> = self.heap.into_iter().chain(self.stack).collect();
        [0, 1].map(|from| Waiting::new(all.iter().skip(from).step_by(2).copied()))
    }
}

impl PartialEq for Apart {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Apart {}

impl PartialOrd for Apart {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The nearest is the greatest.
impl Ord for Apart {
    fn cmp(&self, other: &Self) -> Ordering {
        other.square.total_cmp(&self.square)
    }
}
