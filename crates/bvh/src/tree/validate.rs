//! Whether a tree is one that queries may trust.

use super::Bvh;
use crate::wide::{Child, MAX_WIDE_DEPTH};
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
    /// A child's box or a triangle reaches out of its node's box.
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
}

impl Bvh {
    /// Checks every invariant that queries rely on: each node is reached once and not too
    /// deep, boxes contain what is below them exactly, and each triangle is in one leaf. A
    /// tree that was built is valid; this is how to be sure.
    ///
    /// # Errors
    /// The first thing found broken.
    pub fn validate(&self) -> Result<(), ValidateError> {
        let tree = &self.tree;
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
                        let block = tree.leaves.block(first, len);
                        for place in 0..len {
                            held[first + place] += 1;
                            if let Some(times) = named.get_mut(block.prim(place).index()) {
                                *times += 1;
                            }
                            let bounds = Aabb::of_triangle(&block.triangle(place));
                            if !within(bounds.min().into(), bounds.max().into(), low, high) {
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
        match named.iter().position(|times| *times != 1) {
            Some(prim) => Err(ValidateError::Misnamed {
                prim,
                times: named[prim],
            }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wide::{Node, Tag, WIDTH};
    use crate::{Mesh, SimdLevel};
    use estoc_core::{BruteForce, PrimId, Ray, RayQuery, Triangle};
    use estoc_testkit::generate::Rng;

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
        let mut bvh = row_of(200);
        bvh.validate().unwrap();
        assert!(bvh.tree.nodes.len() > 2);
        change(&mut bvh);
        bvh.validate().unwrap_err()
    }

    fn lane_of(bvh: &Bvh, wanted: impl Fn(Child) -> bool) -> (usize, usize) {
        let nodes = bvh.tree.nodes.iter().enumerate();
        let mut lanes = nodes.flat_map(|(i, node)| node.lanes().map(move |lane| (i, lane)));
        lanes
            .find(|&(node, lane)| wanted(bvh.tree.nodes[node].child(lane)))
            .unwrap()
    }

    fn leaf(child: Child) -> bool {
        matches!(child, Child::Leaf { .. })
    }

    #[test]
    fn nodes_that_point_outside_are_found() {
        let far_leaf = broken(|bvh| {
            let (node, lane) = lane_of(bvh, leaf);
            bvh.tree.nodes[node].place[lane] = 199;
            bvh.tree.nodes[node].tags[lane] = Tag::new(lane, 2).0;
        });
        assert!(matches!(far_leaf, ValidateError::OutOfRange { .. }));
        let far_child = broken(|bvh| {
            let (node, lane) = lane_of(bvh, |child| !leaf(child));
            bvh.tree.nodes[node].place[lane] = 9999;
        });
        assert!(matches!(far_child, ValidateError::OutOfRange { .. }));
    }

    #[test]
    fn what_is_no_tree_is_found() {
        let to_itself = broken(|bvh| {
            let (node, lane) = lane_of(bvh, |child| !leaf(child));
            bvh.tree.nodes[node].place[lane] = node as u32;
        });
        assert!(matches!(
            to_itself,
            ValidateError::NotATree { times: 2, .. }
                | ValidateError::Sticks { .. }
                | ValidateError::NoChild { .. }
        ));
        let cut_off = broken(|bvh| bvh.tree.nodes[0] = Node::EMPTY);
        assert_eq!(cut_off, ValidateError::NotATree { node: 1, times: 0 });
    }

    #[test]
    fn what_sticks_out_of_a_box_is_found() {
        let error = broken(|bvh| {
            let (node, lane) = lane_of(bvh, leaf);
            bvh.tree.nodes[node].faces[0][1][lane] -= 0.5;
        });
        assert!(matches!(error, ValidateError::Sticks { .. }));
    }

    #[test]
    fn misplaced_triangles_are_found() {
        let shorter = broken(|bvh| {
            let (node, lane) = lane_of(
                bvh,
                |child| matches!(child, Child::Leaf { len, .. } if len > 1),
            );
            bvh.tree.nodes[node].faces = crate::wide::Node::EMPTY.faces;
            for axis in 0..3 {
                bvh.tree.nodes[node].faces[axis] = [[f32::MIN; 8], [f32::MAX; 8]];
            }
            let tag = &mut bvh.tree.nodes[node].tags[lane];
            *tag = Tag::new(lane, Tag(*tag).len() - 1).0;
        });
        assert!(matches!(
            shorter,
            ValidateError::Misplaced { .. } | ValidateError::Sticks { .. }
        ));
    }

    #[test]
    fn boxes_without_a_child_are_found() {
        let mut bvh = row_of(3);
        let root = &mut bvh.tree.nodes[0];
        let lane = root.lanes().len();
        for axis in 0..3 {
            root.faces[axis][0][lane] = -1.0;
            root.faces[axis][1][lane] = 1.0;
        }
        assert_eq!(bvh.validate(), Err(ValidateError::NoChild { node: 0 }));
        for tag in [Tag::new(1, 1), Tag::new(0, 9), Tag(1 << 7)] {
            let wrong = broken(|bvh| bvh.tree.nodes[0].tags[0] = tag.0);
            assert_eq!(wrong, ValidateError::NoChild { node: 0 });
        }
    }

    fn flip(bvh: &mut Bvh, rng: &mut Rng) {
        let node = rng.below(bvh.tree.nodes.len());
        let node = &mut bvh.tree.nodes[node];
        let lane = rng.below(WIDTH);
        let bit = |bits: usize, rng: &mut Rng| 1u32 << rng.below(bits);
        match rng.below(8) {
            0 => node.tags[lane] ^= bit(32, rng),
            1 => node.tags[lane] ^= bit(7, rng),
            2 => node.place[lane] ^= bit(32, rng),
            3 => {
                let other = rng.below(WIDTH);
                node.place.swap(lane, other);
                node.tags.swap(lane, other);
            }
            _ => {
                let face = &mut node.faces[rng.below(3)][rng.below(2)][lane];
                *face = f32::from_bits(face.to_bits() ^ bit(32, rng));
            }
        }
    }

    /// What is accepted answers as brute force over the triangles that it holds.
    #[test]
    fn random_flips_are_found_or_do_no_harm() {
        let mut rng = Rng::new(7);
        let [mut found, mut accepted] = [0, 0];
        for (triangles, rounds) in [(150, 3_000), (3, 300)] {
            let sound = row_of(triangles);
            let held = |i| sound.triangle(PrimId::from_index(i)?);
            let all: Vec<Triangle> = (0..triangles as usize).filter_map(held).collect();
            let all = BruteForce::new(all);
            for _ in 0..rounds {
                let mut bvh = sound.clone();
                for _ in 0..rng.pick(&[1, 1, 2, 5]) {
                    flip(&mut bvh, &mut rng);
                }
                if bvh.validate().is_err() {
                    found += 1;
                    continue;
                }
                accepted += 1;
                let bvh = bvh.with_simd_level(rng.pick(&SimdLevel::available()));
                for _ in 0..20 {
                    let at = rng.int(0, 300) as f32 + rng.pick(&[0.0, 0.25, 0.5]);
                    let origins = [[-1.0, 0.5, 0.0], [at, 0.5, -3.0], [9.0, 9.0, 9.0]];
                    let origin = rng.pick(&origins);
                    let to = [at, rng.pick(&[0.0, 0.25]), 0.0];
                    let ray = Ray::new(origin, [0, 1, 2].map(|i| to[i] - origin[i]));
                    assert_eq!(bvh.closest_hit(&ray), all.closest_hit(&ray), "{ray:?}");
                    assert_eq!(bvh.count_hits(&ray), all.count_hits(&ray), "{ray:?}");
                }
            }
        }
        // Boxes that grow are no harm; most flips are.
        assert!(found > 1_000 && accepted > 100, "{found} {accepted}");
    }
}
