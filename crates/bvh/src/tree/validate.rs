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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mesh;
    use crate::build::Bounds;
    use crate::tree::Node;

    fn row_of(triangles: u32) -> Bvh {
        let corners = (0..triangles).flat_map(|i| {
            let x = 2.0 * i as f32;
            [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0]]
        });
        let faces = (0..triangles).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        Bvh::build(&Mesh::new(corners, faces).unwrap())
    }

    /// What is found wrong with a sound tree after the change.
    fn broken(change: impl FnOnce(&mut Bvh)) -> ValidateError {
        let mut bvh = row_of(8);
        bvh.validate().unwrap();
        assert!(matches!(bvh.nodes[0].content(), Content::Inner { left: 1 }));
        change(&mut bvh);
        bvh.validate().unwrap_err()
    }

    fn everywhere() -> Bounds {
        Bounds {
            min: [f32::MIN; 3],
            max: [f32::MAX; 3],
        }
    }

    #[test]
    fn nodes_that_point_outside_are_found() {
        let far_leaf = broken(|bvh| bvh.nodes[0] = Node::leaf(&everywhere(), 7, 2));
        assert_eq!(far_leaf, ValidateError::OutOfRange { node: 0 });
        let far_child = broken(|bvh| bvh.nodes[0] = Node::inner(&everywhere(), 99));
        assert_eq!(far_child, ValidateError::OutOfRange { node: 0 });
    }

    #[test]
    fn what_is_no_tree_is_found() {
        let to_itself = broken(|bvh| {
            let last = bvh.nodes.len() - 1;
            bvh.nodes[last] = Node::inner(&everywhere(), 1);
            for node in &mut bvh.nodes {
                (node.min, node.max) = (everywhere().min, everywhere().max);
            }
        });
        assert!(matches!(
            to_itself,
            ValidateError::NotATree { times: 2, .. }
        ));
        let cut_off = broken(|bvh| bvh.nodes[0] = Node::leaf(&everywhere(), 0, 8));
        assert_eq!(cut_off, ValidateError::NotATree { node: 1, times: 0 });
    }

    #[test]
    fn what_is_too_deep_is_found() {
        let mut bvh = row_of(1);
        let leaf = bvh.nodes[0];
        let bounds = everywhere();
        bvh.nodes = (0..=MAX_DEPTH)
            .flat_map(|level| [leaf, Node::inner(&bounds, 2 * level + 1)])
            .skip(1)
            .collect();
        bvh.nodes.extend([leaf, leaf]);
        let error = bvh.validate().unwrap_err();
        assert!(matches!(error, ValidateError::TooDeep { .. }), "{error}");
    }

    #[test]
    fn what_sticks_out_of_a_box_is_found() {
        let child = broken(|bvh| bvh.nodes[0].max[0] = 3.0);
        assert_eq!(child, ValidateError::Sticks { node: 0 });
        let triangle = broken(|bvh| bvh.triangles[0].triangle.p0.y = -1.0);
        assert!(matches!(triangle, ValidateError::Sticks { .. }));
    }

    #[test]
    fn misplaced_triangles_are_found() {
        let renamed = broken(|bvh| bvh.slots.swap(0, 7));
        assert!(matches!(renamed, ValidateError::Misplaced { times: 1, .. }));
        let left_out = broken(|bvh| bvh.triangles.push(bvh.triangles[0]));
        assert!(matches!(
            left_out,
            ValidateError::Misplaced { times: 0, .. }
        ));
    }
}
