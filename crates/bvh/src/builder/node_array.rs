//! Joins the nodes of groups that were built separately into one array.

use super::binary_tree::BinaryNode;
use super::bounds::ReferenceBounds;
use estoc_system::parallel::prelude::*;
use estoc_system::{Growth, NoMemory};

/// The result of building a group.
pub(super) enum Built {
    /// Built by one thread. Node 0 is its root.
    Whole(Vec<BinaryNode>),
    /// Two of them, in a vector since only that reports a lack of memory.
    Forked(ReferenceBounds, Vec<Built>),
}

impl Built {
    /// Returns all nodes in one array, the upper ones first; `None` if memory is exhausted.
    pub(super) fn into_nodes(self) -> Option<Vec<BinaryNode>> {
        let (upper, lower) = self.count();
        let mut nodes = bytemuck::allocation::try_zeroed_vec(upper + lower).ok()?;
        let (above, below) = nodes.split_at_mut(upper);
        let mut lower = Lower {
            start: upper,
            rest: below,
            pieces: Vec::new(),
        };
        self.lay_out(0, &mut 1, above, &mut lower).ok()?;
        lower.pieces.into_par_iter().for_each(|(place, nodes, by)| {
            for (to, node) in place.iter_mut().zip(&nodes[1..]) {
                *to = node.moved(by);
            }
        });
        Some(nodes)
    }

    /// Returns the number of nodes.
    pub(super) fn len(&self) -> usize {
        let (upper, lower) = self.count();
        upper + lower
    }

    /// Returns the number of nodes in the part built by several threads, with the roots of the
    /// groups built by single threads, and the number of the other nodes.
    fn count(&self) -> (usize, usize) {
        match self {
            Built::Whole(nodes) => (1, nodes.len() - 1),
            Built::Forked(_, children) => {
                let [left, right] = [&children[0], &children[1]].map(Built::count);
                (1 + left.0 + right.0, left.1 + right.1)
            }
        }
    }

    /// Lays out the nodes at `place` and below: the upper ones in `upper`, from `next` on, at once,
    /// and those of whole groups later, in pieces of `lower`, which begins at `start`.
    fn lay_out<'a>(
        self,
        place: usize,
        next: &mut usize,
        upper: &mut [BinaryNode],
        lower: &mut Lower<'a>,
    ) -> Result<(), NoMemory> {
        match self {
            Built::Whole(nodes) => {
                let by = lower.start - 1;
                upper[place] = nodes[0].moved(by);
                let rest = std::mem::take(&mut lower.rest);
                let (piece, rest) = rest.split_at_mut(nodes.len() - 1);
                lower.start += piece.len();
                lower.rest = rest;
                lower.pieces.try_push((piece, nodes, by))
            }
            Built::Forked(bounds, children) => {
                let first = *next;
                upper[place] = BinaryNode::inner(bounds, first);
                *next += 2;
                let mut places = (first..).zip(children);
                places.try_for_each(|(place, child)| child.lay_out(place, next, upper, lower))
            }
        }
    }
}

/// The destination of all nodes of a group except the root, the nodes, and their offset.
type NodePiece<'a> = (&'a mut [BinaryNode], Vec<BinaryNode>, usize);

/// The destination of the nodes of whole groups.
struct Lower<'a> {
    start: usize,
    rest: &'a mut [BinaryNode],
    pieces: Vec<NodePiece<'a>>,
}
