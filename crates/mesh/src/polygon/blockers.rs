//! A spatial index of the corners that can lie in the triangle of an ear.

use super::axis_view::turn;
use estoc_core::glam::DVec2;
use estoc_system::{NoMemory, collected};
use std::iter::repeat_n;

/// A balanced binary tree over points, split alternately along each axis, from which points can be
/// removed.
pub(super) struct Blockers {
    /// The corners, ordered such that each node has a contiguous range.
    corners: Vec<u32>,
    /// The index of each corner in `corners`, if it is a blocker.
    places: Vec<Option<u32>>,
    /// The children of node `i` are `2 i + 1` and `2 i + 2`; each has half of its range.
    nodes: Vec<Node>,
}

#[derive(Clone, Copy)]
struct Node {
    low: DVec2,
    high: DVec2,
    /// The number of its corners that have not been removed.
    left: u32,
}

/// The largest number of corners in a leaf.
const LEAF: usize = 8;

impl Blockers {
    /// Builds the tree of these corners of an outline.
    pub(super) fn new(
        outline: &[DVec2],
        corners: impl Iterator<Item = u32>,
    ) -> Result<Self, NoMemory> {
        let empty = Node {
            low: DVec2::INFINITY,
            high: DVec2::NEG_INFINITY,
            left: 0,
        };
        let mut corners = collected(corners)?;
        let leaves = corners.len().div_ceil(LEAF).next_power_of_two();
        let mut nodes = collected(repeat_n(empty, 2 * leaves - 1))?;
        build(outline, &mut corners, &mut nodes, 0, false);
        let mut places = collected(repeat_n(None, outline.len()))?;
        for (place, &corner) in (0..).zip(&corners) {
            places[corner as usize] = Some(place);
        }
        Ok(Blockers {
            corners,
            places,
            nodes,
        })
    }

    /// Removes a corner, if it is in the tree.
    pub(super) fn remove(&mut self, corner: u32) {
        let Some(place) = self.places[corner as usize].take() else {
            return;
        };
        let (mut start, mut end) = (0, self.corners.len());
        let mut node = 0;
        loop {
            self.nodes[node].left -= 1;
            if is_leaf(node, self.nodes.len()) {
                return;
            }
            let middle = usize::midpoint(start, end);
            if (place as usize) < middle {
                (node, end) = (2 * node + 1, middle);
            } else {
                (node, start) = (2 * node + 2, middle);
            }
        }
    }

    /// Returns whether a corner near the counter-clockwise triangle passes the test. Deducts its
    /// cost from the budget; returns `None` if that is not sufficient.
    pub(super) fn any_near(
        &self,
        [a, b, c]: [DVec2; 3],
        budget: &mut u64,
        mut test: impl FnMut(u32) -> bool,
    ) -> Option<bool> {
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let mut stack = vec![(0, 0, self.corners.len())];
        while let Some((node, start, end)) = stack.pop() {
            *budget = budget.saturating_sub(1);
            let Node {
                low: l,
                high: h,
                left,
            } = self.nodes[node];
            let apart = l.x > high.x || h.x < low.x || l.y > high.y || h.y < low.y;
            let beside = |from: DVec2, to: DVec2| {
                // The corner of the box that is farthest to the left of the edge.
                let x = if to.y > from.y { l.x } else { h.x };
                let y = if to.x > from.x { h.y } else { l.y };
                turn([from, to, DVec2 { x, y }]) < 0
            };
            if left == 0 || apart || beside(a, b) || beside(b, c) || beside(c, a) {
                continue;
            }
            if is_leaf(node, self.nodes.len()) {
                *budget = budget.saturating_sub((end - start) as u64);
                let here = |corner: &&u32| self.places[**corner as usize].is_some();
                if self.corners[start..end]
                    .iter()
                    .filter(here)
                    .any(|&corner| test(corner))
                {
                    return Some(true);
                }
            } else {
                let middle = usize::midpoint(start, end);
                stack.push((2 * node + 2, middle, end));
                stack.push((2 * node + 1, start, middle));
            }
            if *budget == 0 {
                return None;
            }
        }
        Some(false)
    }
}

fn is_leaf(node: usize, nodes: usize) -> bool {
    2 * node + 1 >= nodes
}

fn build(outline: &[DVec2], corners: &mut [u32], nodes: &mut [Node], node: usize, by_y: bool) {
    let this = &mut nodes[node];
    this.left = corners.len() as u32;
    for &corner in corners.iter() {
        let p = outline[corner as usize];
        this.low = this.low.min(p);
        this.high = this.high.max(p);
    }
    if is_leaf(node, nodes.len()) {
        return;
    }
    let middle = corners.len() / 2;
    if middle > 0 {
        corners.select_nth_unstable_by(middle, |&a, &b| {
            let [p, q] = [a, b].map(|corner| outline[corner as usize]);
            if by_y {
                p.y.total_cmp(&q.y)
            } else {
                p.x.total_cmp(&q.x)
            }
        });
    }
    let (first, second) = corners.split_at_mut(middle);
    build(outline, first, nodes, 2 * node + 1, !by_y);
    build(outline, second, nodes, 2 * node + 2, !by_y);
}
