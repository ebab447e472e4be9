//! Writing the leaves: each directly to its place, since it is known from the order.

use super::binary_tree::BinaryTree;
use super::leaf_kind::LeafKind;
use super::unfinished::Unfinished;
use super::watch::{Phase, Watch};
use super::wide_plan::{FORK_FROM, Plan};
use crate::wide::WIDTH;
use std::collections::HashMap;
use std::sync::Mutex;

/// Writes leaves, and counts what is above them.
pub(super) struct Filler<'a, W> {
    pub(super) tree: &'a BinaryTree,
    pub(super) plan: &'a Plan,
    pub(super) writer: &'a W,
    pub(super) watch: &'a Watch<'a>,
    /// By binary node: how many wide nodes it and those below become; of large nodes.
    pub(super) counts: Mutex<HashMap<usize, usize>>,
}

impl<W: LeafKind> Filler<'_, W> {
    /// Writes all leaves below a binary node that has so many places among the children of a
    /// wide one. How many wide nodes there are.
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
            // A leaf is not as large as this.
            let (places, first) = dissolved.unwrap_or((WIDTH, decision.split()));
            let left = self.tree.nodes[node].first as usize;
            let middle = self.writer.numbers_each() * self.tree.range(left).len();
            let (low, high) = numbers.split_at_mut(middle);
            let (left, right) = rayon::join(
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

    /// How many wide nodes a binary node and those below become, and how many triangles each
    /// of their leaves has.
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
