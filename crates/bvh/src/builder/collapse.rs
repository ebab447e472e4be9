//! Collapses a binary tree into a wide one.

use super::binary_tree::BinaryTree;
use super::budget::Budget;
use super::chances::Chances;
use super::leaf_fill::Filler;
use super::leaf_kind::LeafKind;
use super::unfinished::Unfinished;
use super::watch::{BuildWatch, Cancelled};
use super::wide_plan::{FORK_FROM, WidePlan};
use crate::wide::{Child, Node, WIDTH};
use arrayvec::ArrayVec;
use estoc_system::Arena;
use std::collections::HashMap;
use std::sync::Mutex;

/// Returns the nodes of the wide tree of a binary one, and the numbers of its leaves. The children
/// of nodes are in the order of their chances, or else of their areas.
pub(super) fn collapse<W: LeafKind>(
    mut tree: BinaryTree,
    (plan, chances): (&WidePlan, Option<&Chances>),
    writer: &W,
    watch: &BuildWatch<'_>,
    memory: Budget,
) -> Result<(Arena<Node>, Arena<u32>), Unfinished> {
    let triangles = tree.order.len();
    let each = writer.numbers_each();
    let numbers = each * triangles + writer.spare();
    let mut numbers = Arena::zeroed(numbers).ok_or(Unfinished::NoMemory)?;
    let filler = Filler {
        tree: &tree,
        plan,
        writer,
        watch,
        counts: Mutex::default(),
    };
    let count = match triangles {
        0 => 0,
        _ => filler.fill(0, 1, &mut numbers[..each * triangles])?,
    };
    let counts = filler.counts.into_inner().unwrap_or_default();
    // The names are in the leaves by now.
    tree.order = Vec::new();
    // A tree of one leaf gets a root above it.
    let is_leaf = triangles > 0 && plan.decision(0).is_leaf();
    let count = count + usize::from(is_leaf);
    memory.written(each * size_of::<u32>(), triangles, tree.nodes.len(), count)?;
    let mut nodes = Arena::<Node>::zeroed(count).ok_or(Unfinished::NoMemory)?;
    if let Some((root, below)) = nodes.split_first_mut() {
        let writer = Writer {
            tree: &tree,
            plan,
            watch,
            counts,
            chances,
        };
        match is_leaf {
            true => *root = writer.node(&[0].into_iter().collect(), 1),
            false => writer.tree(0, root, below, 1)?,
        }
    }
    Ok((nodes, numbers))
}

/// Binary nodes that become the children of a wide one.
type Children = ArrayVec<usize, WIDTH>;

struct Writer<'a> {
    tree: &'a BinaryTree,
    plan: &'a WidePlan,
    watch: &'a BuildWatch<'a>,
    /// For large binary nodes: the number of wide nodes in the subtree.
    counts: HashMap<usize, usize>,
    chances: Option<&'a Chances>,
}

/// The number of nodes from which a subtree is worth sharing with other threads.
const SHARE_FROM: usize = FORK_FROM / WIDTH / 2;

impl Writer<'_> {
    /// Returns the binary nodes that become the children of the wide node that `node` becomes.
    fn children(&self, node: usize) -> Children {
        let mut children = Children::new();
        self.spread(node, self.plan.decision(node).split(), WIDTH, &mut children);
        // Queries for any hit visit children in this order, and those for the first hit children
        // in which they begin: the most likely to be hit first, or the largest.
        let rank = |child: usize| match self.chances {
            None => self.tree.nodes[child].bounds().half_area(),
            Some(chances) => chances.rank(child),
        };
        let mut sorted = ArrayVec::<(f64, usize), WIDTH>::new();
        for child in children {
            let rank = rank(child);
            let place = sorted
                .iter()
                .take_while(|(other, _)| other.total_cmp(&rank).is_ge());
            sorted.insert(place.count(), (rank, child));
        }
        sorted.into_iter().map(|(_, child)| child).collect()
    }

    /// Distributes the places of a wide node among the children of a binary one: `first` go to the
    /// first child.
    fn spread(&self, node: usize, first: usize, places: usize, children: &mut Children) {
        let left = self.tree.nodes[node].first as usize;
        for (node, places) in [(left, first), (left + 1, places - first)] {
            match self.plan.decision(node).dissolved(places) {
                Some((places, first)) => self.spread(node, first, places, children),
                None => children.push(node),
            }
        }
    }

    fn is_leaf(&self, node: &usize) -> bool {
        self.plan.decision(*node).is_leaf()
    }

    /// Returns a wide node; those of its children that are nodes are at `next` and after.
    fn node(&self, children: &Children, mut next: usize) -> Node {
        let mut wide = Node::EMPTY;
        for (lane, &place) in children.iter().enumerate() {
            let child = if self.is_leaf(&place) {
                let range = self.tree.range(place);
                Child::Leaf {
                    first: range.start,
                    len: range.len(),
                }
            } else {
                next += 1;
                Child::Node(next - 1)
            };
            let bounds = self.tree.nodes[place].bounds();
            wide.set(lane, bounds.min, bounds.max, child);
        }
        wide
    }

    /// Writes a subtree, together with other threads if it is large. Its nodes lie from `start` on:
    /// first the children of the root side by side, then the subtree below each.
    fn tree(
        &self,
        node: usize,
        wide: &mut Node,
        below: &mut [Node],
        start: usize,
    ) -> Result<(), Cancelled> {
        self.watch.check()?;
        if below.len() < SHARE_FROM {
            self.alone(node, wide, below, start, &mut 0);
            return Ok(());
        }
        let children = self.children(node);
        *wide = self.node(&children, start);
        let inner: Children = { children.iter().copied() }
            .filter(|child| !self.is_leaf(child))
            .collect();
        let (roots, mut rest) = below.split_at_mut(inner.len());
        let mut start = start + roots.len();
        let mut parts = Vec::with_capacity(WIDTH);
        for (node, root) in inner.into_iter().zip(roots) {
            let len = self.count(node) - 1;
            let (part, after) = std::mem::take(&mut rest).split_at_mut(len);
            parts.push((node, root, part, start));
            (rest, start) = (after, start + len);
        }
        self.all(parts)
    }

    fn all(&self, mut parts: Vec<Part<'_>>) -> Result<(), Cancelled> {
        if parts.len() > 1 {
            let second = parts.split_off(parts.len() / 2);
            let (a, b) = estoc_system::parallel::join(|| self.all(parts), || self.all(second));
            return a.and(b);
        }
        match parts.pop() {
            Some((node, root, part, start)) => self.tree(node, root, part, start),
            None => Ok(()),
        }
    }

    /// Returns the number of wide nodes in the subtree of a binary node.
    fn count(&self, node: usize) -> usize {
        let counted = self.counts.get(&node).copied();
        counted.unwrap_or_else(|| {
            let children = self.children(node);
            let inner = children.iter().filter(|child| !self.is_leaf(child));
            1 + inner.map(|&child| self.count(child)).sum::<usize>()
        })
    }

    /// Writes a subtree in this thread. The first `used` nodes from `start` on are taken.
    fn alone(
        &self,
        node: usize,
        wide: &mut Node,
        below: &mut [Node],
        start: usize,
        used: &mut usize,
    ) {
        let children = self.children(node);
        let first = *used;
        *wide = self.node(&children, start + first);
        let inner = children.iter().filter(|child| !self.is_leaf(child));
        *used += inner.clone().count();
        for (i, &child) in inner.enumerate() {
            let mut root = Node::EMPTY;
            self.alone(child, &mut root, below, start, used);
            below[first + i] = root;
        }
    }
}

/// A binary node, its wide node, the wide nodes below, and the index of the first of these.
type Part<'a> = (usize, &'a mut Node, &'a mut [Node], usize);
