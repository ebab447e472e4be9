//! Whether a tree is one that queries may trust.

use super::Bvh;
use crate::wide::{Child, MAX_WIDE_DEPTH, Node};
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
    #[error("node {node} lies deeper than the {MAX_WIDE_DEPTH}th on its way")]
    TooDeep {
        /// The node.
        node: usize,
    },
    /// A node has a box that a ray can meet without a child, or says of a child what cannot be.
    #[error("node {node} has a box without a sound child")]
    NoChild {
        /// The node.
        node: usize,
    },
    /// A child's box, or a triangle with the margin that kernels need, reaches out of its
    /// node's box.
    #[error("something in node {node} reaches out of its box")]
    Sticks {
        /// The node.
        node: usize,
    },
    /// A triangle is in no leaf or in several.
    #[error("slot {slot} is in {times} leaves instead of one")]
    Misplaced {
        /// The place in the order of the leaves.
        slot: usize,
        /// How many leaves have it.
        times: usize,
    },
    /// A primitive's name is given to no triangle or to several.
    #[error("triangle {prim} is there {times} times instead of once")]
    Misnamed {
        /// The primitive.
        prim: usize,
        /// How many triangles have its name.
        times: usize,
    },
    /// A leaf of a tree that takes its triangles from the mesh names one that the mesh does not
    /// have.
    #[error("slot {slot} names triangle {prim}, which the mesh does not have")]
    Unknown {
        /// The place in the order of the leaves.
        slot: usize,
        /// What it names.
        prim: usize,
    },
    /// The array of the triangles' numbers is not as long as it has to be.
    #[error("the numbers of {triangles} triangles do not fill their array, or overfill it")]
    WrongLength {
        /// How many triangles the tree says it has.
        triangles: usize,
    },
    /// A triangle has a corner that is not finite, or that is none of the mesh's numbers times
    /// the unit of the tree.
    #[error("the triangle in slot {slot} has a corner that no mesh has")]
    Foreign {
        /// The place in the order of the leaves.
        slot: usize,
    },
    /// The tree's unit is no power of two, or its size is not that of its boxes.
    #[error("the tree is not as large as it says")]
    Mismeasured,
}

impl Bvh {
    /// Checks every invariant that queries rely on: each node is reached once and not too
    /// deep, boxes contain what is below them with the margin of the kernels, each triangle is in one leaf, and what
    /// the tree says of its size is so. A tree that was built is valid; this is how to be sure.
    ///
    /// What is accepted reads nothing outside its arrays, and answers as brute force over the
    /// triangles that it holds; whether these are the mesh's nobody can tell from the tree.
    ///
    /// # Errors
    /// The first thing found broken.
    pub fn validate(&self) -> Result<(), ValidateError> {
        let tree = &self.tree;
        // Before anything is read.
        if !tree.leaves.is_whole() {
            let triangles = tree.leaves.len();
            return Err(ValidateError::WrongLength { triangles });
        }
        let mut reached = vec![0; tree.nodes.len()];
        let mut held = vec![0; tree.leaves.len()];
        let mut named = vec![0; tree.leaves.len()];
        // What a node holds may not reach out of its box.
        let everything = [[f32::NEG_INFINITY; 3], [f32::INFINITY; 3]];
        let mut pending = Vec::new();
        if !tree.nodes.is_empty() {
            pending.push((0, 0, everything));
        }
        while let Some((place, depth, [min, max])) = pending.pop() {
            reached[place] += 1;
            if reached[place] > 1 {
                let (node, times) = (place, reached[place]);
                return Err(ValidateError::NotATree { node, times });
            }
            if depth >= MAX_WIDE_DEPTH {
                return Err(ValidateError::TooDeep { node: place });
            }
            let node = &tree.nodes[place];
            let out_of_range = ValidateError::OutOfRange { node: place };
            let sticks = ValidateError::Sticks { node: place };
            let within = |low: [f32; 3], high: [f32; 3], min: [f32; 3], max: [f32; 3]| {
                (0..3).all(|axis| min[axis] <= low[axis] && high[axis] <= max[axis])
            };
            if !node.is_sound() {
                return Err(ValidateError::NoChild { node: place });
            }
            for lane in node.lanes() {
                let (low, high) = node.bounds(lane);
                if !within(low, high, min, max) {
                    return Err(sticks);
                }
                match node.child(lane) {
                    Child::Node(place) if place < tree.nodes.len() => {
                        pending.push((place, depth + 1, [low, high]));
                    }
                    Child::Leaf { first, len } if tree.leaves.holds(first, len) => {
                        let leaves = tree.view();
                        for place in 0..len {
                            let slot = first + place;
                            held[slot] += 1;
                            let prim = leaves.prim(first, len, place).index();
                            match named.get_mut(prim) {
                                Some(times) => *times += 1,
                                // There is no triangle to look at.
                                None if tree.leaves.mesh().is_some() => {
                                    return Err(ValidateError::Unknown { slot, prim });
                                }
                                None => {}
                            }
                            let triangle = leaves.scaled_triangle(first, len, place);
                            if !tree.scale.is_exact(&triangle) {
                                return Err(ValidateError::Foreign { slot });
                            }
                            let bounds = Aabb::of_triangle(&triangle);
                            let (from, to) = Node::grown(bounds.min().into(), bounds.max().into());
                            if !within(from, to, low, high) {
                                return Err(sticks);
                            }
                        }
                    }
                    _ => return Err(out_of_range),
                }
            }
        }
        if let Some(node) = reached.iter().position(|times| *times == 0) {
            return Err(ValidateError::NotATree { node, times: 0 });
        }
        if let Some(slot) = held.iter().position(|times| *times != 1) {
            let times = held[slot];
            return Err(ValidateError::Misplaced { slot, times });
        }
        if let Some(prim) = named.iter().position(|times| *times != 1) {
            let times = named[prim];
            return Err(ValidateError::Misnamed { prim, times });
        }
        match tree.is_measured() {
            true => Ok(()),
            false => Err(ValidateError::Mismeasured),
        }
    }
}

#[cfg(test)]
mod flips;
#[cfg(test)]
mod tests;
