//! Writes each leaf directly to its final place, which follows from the order.

use super::binary_tree::BinaryTree;
use super::leaf_kind::LeafKind;
use super::unfinished::Unfinished;
use super::watch::{BuildWatch, Phase};
use super::wide_plan::{FORK_FROM, WidePlan};
use crate::wide::WIDTH;
use std::collections::HashMap;
use std::sync::Mutex;

/// Writes leaves, and counts the wide nodes above them.
pub(super) struct Filler<'a, W> {
    pub(super) tree: &'a BinaryTree,
    pub(super) plan: &'a WidePlan,
    pub(super) writer: &'a W,
    pub(super) watch: &'a BuildWatch<'a>,
    /// For large binary nodes: the number of wide nodes in the subtree.
    pub(super) counts: Mutex<HashMap<usize, usize>>,
}

impl<W: LeafKind> Filler<'_, W> {
    /// Writes all leaves below a binary node that gets `places` places among the children of a wide
    /// one. Returns the number of wide nodes below.
    pub(super) fn fill(
        &self,
        node: usize,
        places: usize,
        numbers: &mut [u32],
    ) -> Result<usize, Unfinished> {
        self.watch.check()?;
        let len = numbers.len() / self.writer.numbers_each();
        let decision = self.plan.decision(node);
        let dissolved = decision.dissolved(places);
        let count = if len < FORK_FROM {
            let mut leaves = Vec::with_capacity(len / 4 + 1);
            let count = self.survey(node, places, &mut leaves);
            let range = self.tree.range(node);
            self.writer.write(&self.tree.order[range], &leaves, numbers);
            self.watch.done(Phase::Fill, len);
            count
        } else {
            // The range is too large for a leaf.
            let (places, first) = dissolved.unwrap_or((WIDTH, decision.split()));
            let left = self.tree.nodes[node].first as usize;
            let middle = self.writer.numbers_each() * self.tree.range(left).len();
            let (low, high) = numbers.split_at_mut(middle);
            let (left, right) = estoc_system::parallel::join(
                || self.fill(left, first, low),
                || self.fill(left + 1, places - first, high),
            );
            left? + right? + usize::from(dissolved.is_none())
        };
        if dissolved.is_none()
            && let Ok(mut counts) = self.counts.lock()
        {
            counts.insert(node, count);
        }
        Ok(count)
    }

    /// Returns the number of wide nodes in the subtree of a binary node, and appends the number of
    /// triangles of each of its leaves.
    pub(super) fn survey(&self, node: usize, places: usize, leaves: &mut Vec<u8>) -> usize {
        let decision = self.plan.decision(node);
        let (own, (places, first)) = match decision.dissolved(places) {
            Some(dissolved) => (0, dissolved),
            None if decision.is_leaf() => {
                leaves.push(self.tree.range(node).len() as u8);
                return 0;
            }
            None => (1, (WIDTH, decision.split())),
        };
        let left = self.tree.nodes[node].first as usize;
        own + self.survey(left, first, leaves) + self.survey(left + 1, places - first, leaves)
    }
}
