//! A balanced tree of boxes over positions, to find the pairs that are near each other.

use super::corners::Point;
use super::distance::{Position, Reach};
use super::work::Work;
use crate::error::MeshError;

/// A tree in which each node halves its points at the median of their longest side.
pub(super) struct PointTree {
    points: Vec<Point>,
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

/// Nodes with more points ask whether to go on.
const LARGE: usize = 1 << 12;

impl Node {
    fn len(self) -> usize {
        self.end - self.start
    }

    fn middle(self) -> usize {
        self.start + self.len() / 2
    }

    /// Returns the two halves of the node, unless it is a leaf.
    pub(super) fn children(self) -> Option<[Node; 2]> {
        if self.len() <= LEAF {
            return None;
        }
        let left = Node {
            index: 2 * self.index + 1,
            end: self.middle(),
            ..self
        };
        let right = Node {
            index: 2 * self.index + 2,
            start: self.middle(),
            ..self
        };
        Some([left, right])
    }
}

/// What is done with the pairs of points within a distance.
pub(super) trait PairVisitor {
    /// Returns whether the pairs of a point in one node and a point in another do not matter; both
    /// may be the same node. Called before and after these pairs are visited.
    fn skips(&mut self, tree: &PointTree, a: Node, b: Node) -> bool;

    /// Takes the next pair.
    fn visit(&mut self, a: &Point, b: &Point);
}

impl PointTree {
    /// Returns the tree over different positions.
    pub(super) fn new(points: &[Point], work: &Work<'_>) -> Result<Self, MeshError> {
        let mut copy = work.reserved(points.len())?;
        copy.extend_from_slice(points);
        // Halves of a level differ by one point at most, so only the last level may be incomplete.
        let leaves = points.len().div_ceil(LEAF).next_power_of_two();
        let mut tree = PointTree {
            points: copy,
            boxes: work.filled(2 * leaves - 1, [[0.0; 3]; 2])?,
        };
        tree.split(tree.root(), work)?;
        Ok(tree)
    }

    fn split(&mut self, node: Node, work: &Work<'_>) -> Result<(), MeshError> {
        let points = &mut self.points[node.start..node.end];
        let (mut low, mut high) = ([f32::MAX; 3], [f32::MIN; 3]);
        for point in &*points {
            for axis in 0..3 {
                low[axis] = low[axis].min(point.at[axis]);
                high[axis] = high[axis].max(point.at[axis]);
            }
        }
        self.boxes[node.index] = [low, high];
        let Some(children) = node.children() else {
            return Ok(());
        };
        if node.len() > LARGE {
            work.proceed()?;
        }
        let side = |axis: usize| f64::from(high[axis]) - f64::from(low[axis]);
        let longest = (1..3).fold(0, |best, axis| match side(axis) > side(best) {
            true => axis,
            false => best,
        });
        let half = node.middle() - node.start;
        let order = |a: &Point, b: &Point| a.at[longest].total_cmp(&b.at[longest]);
        points.select_nth_unstable_by(half, order);
        for child in children {
            self.split(child, work)?;
        }
        Ok(())
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

    /// Visits all pairs of points within a distance that are not skipped, each once.
    pub(super) fn visit_pairs(
        &self,
        reach: Reach,
        visitor: &mut impl PairVisitor,
        work: &Work<'_>,
    ) -> Result<(), MeshError> {
        self.visit_nodes([self.root(); 2], reach, visitor, work)
    }

    fn visit_nodes(
        &self,
        [a, b]: [Node; 2],
        reach: Reach,
        visitor: &mut impl PairVisitor,
        work: &Work<'_>,
    ) -> Result<(), MeshError> {
        let is_beyond = reach.is_beyond(self.boxes[a.index], self.boxes[b.index]);
        if is_beyond || visitor.skips(self, a, b) {
            return Ok(());
        }
        if a.len().max(b.len()) > LARGE {
            work.proceed()?;
        }
        let mut visit = |pair: [Node; 2]| self.visit_nodes(pair, reach, visitor, work);
        match (a.children(), b.children()) {
            (Some([left, right]), _) if a == b => {
                visit([left, left])?;
                visit([right, right])?;
                visit([left, right])?;
            }
            (Some(halves), _) if a.len() >= b.len() => {
                for half in halves {
                    visit([half, b])?;
                }
            }
            (_, Some(halves)) => {
                for half in halves {
                    visit([a, half])?;
                }
            }
            _ => {
                for (i, first) in self.points(a).iter().enumerate() {
                    // Of a leaf with itself, each pair once.
                    let from = if a == b { i + 1 } else { 0 };
                    for second in &self.points(b)[from..] {
                        if reach.holds(first.at, second.at) {
                            visitor.visit(first, second);
                        }
                    }
                }
            }
        }
        visitor.skips(self, a, b);
        Ok(())
    }

    /// Returns the points of a node.
    pub(super) fn points(&self, node: Node) -> &[Point] {
        &self.points[node.start..node.end]
    }
}
