//! Whether a tree is one that queries may trust.

use super::{Bvh, Content, MAX_DEPTH};
use estoc_core::Aabb;

/// What is wrong with a tree; see [`Bvh::validate`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ValidateError {
    /// A node's children or triangles lie outside the tree's arrays.
    #[error("node {node} points outside the tree")]
    OutOfRange {
        /// The node.
        node: usize,
    },
    /// A node is reached twice or not at all.
    #[error("node {node} is reached {times} times from the root instead of once")]
    NotATree {
        /// The node.
        node: usize,
        /// How often it is reached; counting stops at 2.
        times: usize,
    },
    /// A node lies too deep for the stack of queries.
    #[error("node {node} lies deeper than {MAX_DEPTH} steps")]
    TooDeep {
        /// The node.
        node: usize,
    },
    /// A child's box or a triangle reaches out of its node's box.
    #[error("something in node {node} reaches out of its box")]
    Sticks {
        /// The node.
        node: usize,
    },
    /// A triangle is in no leaf or in several, or not where its id says.
    #[error("slot {slot} is in {times} leaves instead of one, or misplaced")]
    Misplaced {
        /// The place in the order of the leaves.
        slot: usize,
        /// How many leaves have it.
        times: usize,
    },
}

impl Bvh {
    /// Checks every invariant that queries rely on: each node is reached once and not too
    /// deep, boxes contain what is below them exactly, and each triangle is in one leaf, at
    /// the place its id says. A tree that was built is valid; this is how to be sure.
    ///
    /// # Errors
    /// The first thing found broken.
    pub fn validate(&self) -> Result<(), ValidateError> {
        let mut reached = vec![0; self.nodes.len()];
        let mut held = vec![0; self.triangles.len()];
        let mut pending = Vec::new();
        if !self.nodes.is_empty() {
            pending.push((0, 0));
        }
        while let Some((place, depth)) = pending.pop() {
            reached[place] += 1;
            if reached[place] > 1 {
                let (node, times) = (place, reached[place]);
                return Err(ValidateError::NotATree { node, times });
            }
            if depth > MAX_DEPTH {
                return Err(ValidateError::TooDeep { node: place });
            }
            let node = &self.nodes[place];
            match node.content() {
                Content::Leaf { first, len } => {
                    let slots = first..first + len;
                    let out_of_range = ValidateError::OutOfRange { node: place };
                    let leaf = self.triangles.get(slots.clone()).ok_or(out_of_range)?;
                    for (held, leaf) in held[slots].iter_mut().zip(leaf) {
                        *held += 1;
                        let bounds = Aabb::of_triangle(&leaf.triangle);
                        if !node.contains(bounds.min().into(), bounds.max().into()) {
                            return Err(ValidateError::Sticks { node: place });
                        }
                    }
                }
                Content::Inner { left } => {
                    for child in [left, left + 1] {
                        let out_of_range = ValidateError::OutOfRange { node: place };
                        let inner = self.nodes.get(child).ok_or(out_of_range)?;
                        if !node.contains(inner.min, inner.max) {
                            return Err(ValidateError::Sticks { node: place });
                        }
                        pending.push((child, depth + 1));
                    }
                }
            }
        }
        if let Some(node) = reached.iter().position(|times| *times == 0) {
            return Err(ValidateError::NotATree { node, times: 0 });
        }
        for (slot, (leaf, &times)) in self.triangles.iter().zip(&held).enumerate() {
            let named = self.slots.get(leaf.prim.index()) == Some(&(slot as u32));
            if times != 1 || !named {
                return Err(ValidateError::Misplaced { slot, times });
            }
        }
        Ok(())
    }
}
