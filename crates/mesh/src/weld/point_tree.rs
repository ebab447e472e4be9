//! A balanced tree of boxes over positions.

use super::corners::CornerPoint;
use super::distance::Position;
use crate::error::MeshError;
use estoc_core::CancelToken;
use estoc_system::collected;
use std::iter::repeat_n;

/// A tree in which each node halves its points at the median along the longest side of their box.
pub(super) struct PointTree {
    points: Vec<CornerPoint>,
    /// The box of each node; the children of node `i` are `2 i + 1` and `2 i + 2`.
    boxes: Vec<[Position; 2]>,
}

/// A node and its range of points.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Node {
    /// The number of the node among all of the tree.
    pub(super) index: usize,
    start: usize,
    end: usize,
}

/// The largest number of points of a node without children.
const LEAF: usize = 8;

impl Node {
    /// Nodes with more points ask whether to go on.
    pub(super) const LARGE: usize = 1 << 12;

    /// Returns the number of points.
    pub(super) fn len(self) -> usize {
        self.end - self.start
    }

    /// Returns the two halves of the node, unless it is a leaf.
    pub(super) fn children(self) -> Option<[Node; 2]> {
        let middle = self.start + self.len() / 2;
        let half = |i, start, end| Node {
            index: 2 * self.index + i,
            start,
            end,
        };
        (self.len() > LEAF).then(|| [half(1, self.start, middle), half(2, middle, self.end)])
    }
}

impl PointTree {
    /// Returns the tree over different positions.
    pub(super) fn new(
        points: impl Iterator<Item = CornerPoint>,
        cancel: &CancelToken,
    ) -> Result<Self, MeshError> {
        let points = collected(points)?;
        // Halves of a level differ by one point at most, so only the last level may be incomplete.
        let leaves = points.len().div_ceil(LEAF).next_power_of_two();
        let mut tree = PointTree {
            points,
            boxes: collected(repeat_n([[0.0; 3]; 2], 2 * leaves - 1))?,
        };
        tree.split(tree.root(), cancel)?;
        Ok(tree)
    }

    fn split(&mut self, node: Node, cancel: &CancelToken) -> Result<(), MeshError> {
        let points = &mut self.points[node.start..node.end];
        let (mut low, mut high) = ([f32::MAX; 3], [f32::MIN; 3]);
        for point in &*points {
            for axis in 0..3 {
                low[axis] = low[axis].min(point.at[axis]);
                high[axis] = high[axis].max(point.at[axis]);
            }
        }
        self.boxes[node.index] = [low, high];
        let Some([left, right]) = node.children() else {
            return Ok(());
        };
        if node.len() > Node::LARGE {
            MeshError::check_cancelled(cancel)?;
        }
        let side = |axis: usize| f64::from(high[axis]) - f64::from(low[axis]);
        let axes = (0..3).max_by(|&a, &b| side(a).total_cmp(&side(b)));
        let longest = axes.unwrap_or(0);
        let order = |a: &CornerPoint, b: &CornerPoint| a.at[longest].total_cmp(&b.at[longest]);
        points.select_nth_unstable_by(left.len(), order);
        self.split(left, cancel)?;
        self.split(right, cancel)
    }

    pub(super) fn root(&self) -> Node {
        Node {
            index: 0,
            start: 0,
            end: self.points.len(),
        }
    }

    /// Returns the number of nodes.
    pub(super) fn nodes(&self) -> usize {
        self.boxes.len()
    }

    /// Returns the smallest box around the points of a node.
    pub(super) fn bounds(&self, node: Node) -> [Position; 2] {
        self.boxes[node.index]
    }

    /// Returns the points of a node.
    pub(super) fn points(&self, node: Node) -> &[CornerPoint] {
        &self.points[node.start..node.end]
    }
}
