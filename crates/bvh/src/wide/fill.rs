//! Writing the leaves: each directly to its place, since it is known from the order.

use super::collapse::Unfinished;
use super::layout::Layout;
use super::leaves::{ROWS, write};
use super::node::WIDTH;
use super::plan::{FORK_FROM, Plan};
use super::scale::Scale;
use crate::build::{BinaryTree, Phase, Watch};
use estoc_core::Triangle;
use estoc_mesh::Mesh;
use std::collections::HashMap;
use std::sync::Mutex;

/// So many triangles are fetched at a time. They lie anywhere, and a loop that does nothing
/// else keeps many on the way at once.
const FETCH: usize = 64;

/// Writes leaves, and counts what is above them.
pub(super) struct Filler<'a> {
    pub(super) tree: &'a BinaryTree,
    pub(super) plan: &'a Plan,
    pub(super) mesh: &'a Mesh,
    pub(super) scale: Scale,
    pub(super) layout: Layout,
    pub(super) watch: &'a Watch<'a>,
    /// By binary node: how many wide nodes it and those below become; of large nodes.
    pub(super) counts: Mutex<HashMap<usize, usize>>,
}

impl Filler<'_> {
    /// Numbers of one triangle.
    pub(super) fn rows(&self) -> usize {
        self.layout.leaf_bytes() / size_of::<u32>()
    }

    /// Writes all leaves below a binary node that has so many places among the children of a
    /// wide one. How many wide nodes there are.
    pub(super) fn fill(
        &self,
        node: usize,
        places: usize,
        numbers: &mut [u32],
    ) -> Result<usize, Unfinished> {
        self.watch.check()?;
        let len = numbers.len() / self.rows();
        let decision = self.plan.decision(node);
        let dissolved = decision.dissolved(places);
        let count = if len < FORK_FROM {
            let mut leaves = Vec::with_capacity(len / 4 + 1);
            let count = self.survey(node, places, &mut leaves);
            let range = self.tree.range(node);
            match self.layout {
                Layout::Fast => self.write_all(range.start, &leaves, numbers),
                Layout::Compact => numbers.copy_from_slice(&self.tree.order[range]),
            }
            self.watch.done(Phase::Fill, len);
            count
        } else {
            // A leaf is not as large as this.
            let (places, first) = dissolved.unwrap_or((WIDTH, decision.split()));
            let left = self.tree.nodes[node].first as usize;
            let middle = self.rows() * self.tree.range(left).len();
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

    /// Writes leaves of these lengths from a place in the order on.
    fn write_all(&self, mut slot: usize, leaves: &[u8], mut numbers: &mut [u32]) {
        let (positions, indices) = (self.mesh.positions(), self.mesh.indices());
        let mut faces = [[0; 3]; FETCH];
        let mut triangles = [Triangle::new([0.0; 3], [0.0; 3], [0.0; 3]); FETCH];
        let mut leaves = leaves.iter().map(|&len| usize::from(len)).peekable();
        let mut lens = [0; FETCH];
        while leaves.peek().is_some() {
            // Whole leaves.
            let (mut count, mut sum) = (0, 0);
            while let Some(len) = leaves.next_if(|&len| sum + len <= FETCH) {
                lens[count] = len;
                count += 1;
                sum += len;
            }
            let names = &self.tree.order[slot..slot + sum];
            for (face, &name) in faces.iter_mut().zip(names) {
                *face = indices[name as usize];
            }
            for (triangle, face) in triangles[..sum].iter_mut().zip(&faces) {
                let [a, b, c] = face.map(|corner| positions[corner as usize]);
                *triangle = self.scale.triangle_up(Triangle::new(a, b, c));
            }
            let mut from = 0;
            for len in &lens[..count] {
                let (block, rest) = numbers.split_at_mut(ROWS * len);
                let named = names[from..from + len].iter().copied();
                write(
                    block,
                    named.zip(triangles[from..from + len].iter().copied()),
                );
                numbers = rest;
                from += len;
            }
            slot += sum;
        }
    }
}
