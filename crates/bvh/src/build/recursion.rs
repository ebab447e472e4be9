//! The top-down recursion: which part of the triangles becomes which node.

use super::binary::{BinaryNode, BinaryTree};
use super::binned;
use super::bounds::Bounds;
use super::quality::Settings;
use crate::tree::MAX_DEPTH;
use bytemuck::Zeroable;
use estoc_core::{Aabb, CancelToken, Triangle};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A triangle's box and name: all that building looks at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference {
    pub(super) min: [f32; 3],
    pub(super) max: [f32; 3],
    pub(super) prim: u32,
}

impl Reference {
    pub(super) fn new(prim: u32, triangle: &Triangle) -> Self {
        let bounds = Aabb::of_triangle(triangle);
        // Adding +0 turns -0 into +0: boxes then have the same bits whatever the order in
        // which they are joined.
        Reference {
            min: bounds.min().to_array().map(|x| x + 0.0),
            max: bounds.max().to_array().map(|x| x + 0.0),
            prim,
        }
    }

    /// Twice the centre, in `f64` so that no box overflows.
    pub(super) fn centre(&self, axis: usize) -> f64 {
        f64::from(self.min[axis]) + f64::from(self.max[axis])
    }
}

/// From this depth on, groups are halved whatever it costs, so that depth is bounded:
/// 2^32 triangles are gone after 32 halvings.
const HALVE_FROM: usize = MAX_DEPTH - 32;

/// Groups of this size and more are worth handing to another thread.
const FORK_FROM: usize = 4096;

pub(super) struct Builder<'a> {
    settings: Settings,
    cancel: Option<&'a CancelToken>,
    progress: Option<&'a (dyn Fn(usize) + Sync)>,
    placed: AtomicUsize,
}

/// What became of a group.
enum Built {
    /// It was built by one thread. Node 0 is its root.
    Whole(Vec<BinaryNode>),
    Forked(Bounds, Box<[Built; 2]>),
}

impl Built {
    /// How many nodes were built by several threads, and by single ones the roots apart.
    fn count(&self) -> (usize, usize) {
        match self {
            Built::Whole(nodes) => (1, nodes.len() - 1),
            Built::Forked(_, children) => {
                let [left, right] = [&children[0], &children[1]].map(Built::count);
                (1 + left.0 + right.0, left.1 + right.1)
            }
        }
    }

    /// Lays out the nodes at `place` and below: the upper ones from `upper` on, and those of
    /// whole groups from `lower` on.
    fn lay_out(self, nodes: &mut [BinaryNode], place: usize, upper: &mut usize, lower: &mut usize) {
        match self {
            Built::Whole(built) => {
                let by = *lower - 1;
                nodes[place] = built[0].moved(by);
                for node in &built[1..] {
                    nodes[*lower] = node.moved(by);
                    *lower += 1;
                }
            }
            Built::Forked(bounds, children) => {
                let first = *upper;
                nodes[place] = BinaryNode::inner(bounds, first);
                *upper += 2;
                let [left, right] = *children;
                left.lay_out(nodes, first, upper, lower);
                right.lay_out(nodes, first + 1, upper, lower);
            }
        }
    }
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        settings: Settings,
        cancel: Option<&'a CancelToken>,
        progress: Option<&'a (dyn Fn(usize) + Sync)>,
    ) -> Self {
        Builder {
            settings,
            cancel,
            progress,
            placed: AtomicUsize::new(0),
        }
    }

    /// Brings the triangles into the order of the leaves; `None` when cancelled.
    pub(super) fn build(&self, mut references: Vec<Reference>) -> Option<BinaryTree> {
        if references.is_empty() {
            return Some(BinaryTree::default());
        }
        if self.is_cancelled() {
            return None;
        }
        let built = self.group(&mut references, 0, 0)?;
        let (upper, lower) = built.count();
        let mut nodes = bytemuck::zeroed_vec(upper + lower);
        built.lay_out(&mut nodes, 0, &mut 1, &mut { upper });
        let order = references.iter().map(|reference| reference.prim).collect();
        Some(BinaryTree { nodes, order })
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(CancelToken::is_cancelled)
    }

    /// Builds a group, together with other threads if it is large.
    fn group(&self, part: &mut [Reference], first: usize, depth: usize) -> Option<Built> {
        let len = part.len();
        if len < FORK_FROM {
            let mut nodes = Vec::with_capacity(len);
            nodes.push(BinaryNode::zeroed());
            self.node(part, first, depth, 0, &mut nodes);
            self.report(len);
            return Some(Built::Whole(nodes));
        }
        if self.is_cancelled() {
            return None;
        }
        let plan = binned::plan(part, &self.settings, depth < HALVE_FROM);
        let split = plan.split.expect("leaves are small");
        let middle = split.apply(part);
        let (left, right) = part.split_at_mut(middle);
        let (left, right) = rayon::join(
            || self.group(left, first, depth + 1),
            || self.group(right, first + middle, depth + 1),
        );
        Some(Built::Forked(plan.bounds, Box::new([left?, right?])))
    }

    /// Builds a small group: its root at `place`, what is below at the end of `nodes`.
    fn node(
        &self,
        part: &mut [Reference],
        first: usize,
        depth: usize,
        place: usize,
        nodes: &mut Vec<BinaryNode>,
    ) {
        let plan = binned::plan(part, &self.settings, depth < HALVE_FROM);
        let Some(split) = plan.split else {
            nodes[place] = BinaryNode::leaf(plan.bounds, first, part.len());
            return;
        };
        let middle = split.apply(part);
        let (left, right) = part.split_at_mut(middle);
        let below = nodes.len();
        nodes[place] = BinaryNode::inner(plan.bounds, below);
        nodes.extend([BinaryNode::zeroed(); 2]);
        self.node(left, first, depth + 1, below, nodes);
        self.node(right, first + middle, depth + 1, below + 1, nodes);
    }

    fn report(&self, len: usize) {
        if let Some(progress) = self.progress {
            progress(self.placed.fetch_add(len, Ordering::Relaxed) + len);
        }
    }
}
