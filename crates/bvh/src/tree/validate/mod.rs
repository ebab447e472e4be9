//! Checks that a tree fulfills what queries rely on.

pub mod marks;

use super::Bvh;
use crate::wide::{Axis, Child, Leaf, LeafView, MAX_WIDE_DEPTH, Node, WIDTH, WideTree};
use estoc_core::glam::Vec3;
use estoc_core::{Aabb, Coordinate};
use estoc_system::parallel::prelude::*;
use marks::Marks;
use std::array;

/// A defect of a tree; see [`Bvh::validate`].
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
        /// The number of references to it; counting stops at 2.
        times: usize,
    },
    /// A node does not come after its parent, or is its own parent.
    #[error("node {node} is not stored after its parent")]
    OutOfOrder {
        /// The node.
        node: usize,
    },
    /// A node lies too deep for the traversal stack.
    #[error("node {node} is deeper than {MAX_WIDE_DEPTH} levels")]
    TooDeep {
        /// The node.
        node: usize,
    },
    /// A node has no child, has a box that a ray can meet without a child, or describes a child
    /// that is invalid.
    #[error("node {node} has no child, a box without a child, or an invalid child")]
    NoChild {
        /// The node.
        node: usize,
    },
    /// A child's box, or a triangle with the margin that kernels need, reaches out of its
    /// node's box.
    #[error("the contents of node {node} extend beyond its boxes")]
    Sticks {
        /// The node.
        node: usize,
    },
    /// A triangle is in no leaf or in several.
    #[error("slot {slot} is in {times} leaves instead of one")]
    Misplaced {
        /// The slot: the triangle's place in the order of the leaves.
        slot: usize,
        /// The number of leaves that have it; counting stops at 2.
        times: usize,
    },
    /// A primitive's name belongs to no triangle or to several.
    #[error("triangle {prim} occurs {times} times instead of once")]
    Misnamed {
        /// The primitive.
        prim: usize,
        /// The number of triangles with this name; counting stops at 2.
        times: usize,
    },
    /// A leaf of a tree that takes its triangles from the mesh names a triangle that the mesh does
    /// not have.
    #[error("slot {slot} refers to triangle {prim}, which the mesh does not contain")]
    Unknown {
        /// The slot: the triangle's place in the order of the leaves.
        slot: usize,
        /// The name in that slot.
        prim: usize,
    },
    /// The length of the leaf array does not fit the number of triangles.
    #[error("the leaf array does not have the length for {triangles} triangles")]
    WrongLength {
        /// The number of triangles that the tree declares.
        triangles: usize,
    },
    /// A triangle has a corner that is not finite, or that is not exactly one of the mesh's
    /// corners times the scale of the tree.
    #[error("the triangle in slot {slot} has an invalid corner")]
    Foreign {
        /// The slot: the triangle's place in the order of the leaves.
        slot: usize,
    },
    /// The tree's scale is not a power of two, or its declared size is not that of its boxes.
    #[error("the stored scale or size of the tree is wrong")]
    Mismeasured,
}

impl<C: Coordinate> Bvh<C> {
    /// Checks every invariant that queries rely on: each node is reached once, from a node before
    /// it, and is not too deep; boxes contain what is below them with the margin of the kernels;
    /// each triangle is in one leaf; and the declared size is right. A tree that was built is
    /// valid; this verifies it. Runs in the rayon pool of the caller; without the feature `rayon`, on
    /// the calling thread.
    ///
    /// Queries of a valid tree read nothing outside its arrays, and answer like brute force over
    /// the triangles that it holds. Whether these are the triangles of the mesh cannot be told from
    /// the tree.
    ///
    /// # Errors
    /// The defect that was found; the same for any number of threads.
    pub fn validate(&self) -> Result<(), ValidateError> {
        self.tree.inspect(&|| false).map(drop)
    }
}

impl WideTree {
    /// Does what [`Bvh::validate`] does, and returns the box of all triangles in the mesh's units,
    /// if there are any. Returns early, with the result so far, once `stop` returns true.
    pub(crate) fn inspect(
        &self,
        stop: &(impl Fn() -> bool + Sync),
    ) -> Result<Option<Aabb>, ValidateError> {
        let triangles = self.leaves.len();
        // Must precede any read of the leaves.
        if !self.leaves.is_whole() {
            return Err(ValidateError::WrongLength { triangles });
        }
        /// The number of nodes from which a range is worth another thread.
        const FORK_FROM: usize = 64;
        let inspection = Inspection::new(self);
        let places = (0..self.nodes.len()).into_par_iter();
        let look = |place: usize| match stop() {
            true => Ok(Aabb::EMPTY),
            false => inspection.node(place),
        };
        let looked = places.with_min_len(FORK_FROM).map(look);
        let extent = looked.try_reduce_with(|a, b| Ok(a.union(&b)));
        let extent = extent.unwrap_or(Ok(Aabb::EMPTY)).map_err(|error| {
            // Which of several defects a thread finds first is chance; a pass in order is
            // deterministic.
            let inspection = Inspection::new(self);
            let mut places = (0..self.nodes.len()).take_while(|_| !stop());
            let first = places.find_map(|place| inspection.node(place).err());
            first.unwrap_or(error)
        })?;
        if stop() {
            return Ok(None);
        }
        inspection.finish()?;
        self.check_depth()?;
        match self.is_measured() {
            true => Ok(self.aabb_of(extent)),
            false => Err(ValidateError::Mismeasured),
        }
    }

    /// Returns the smallest box around all triangles in the mesh's units, if there are any.
    pub(crate) fn exact_bounds(&self) -> Option<Aabb> {
        let leaves = self.view();
        let of_node = |node: &Node| {
            let leaves = node.leaves().map(|(first, len)| leaves.extent(first, len));
            leaves.fold(Aabb::EMPTY, |all, leaf| all.union(&leaf))
        };
        let extents = self.nodes.par_iter().with_min_len(64).map(of_node);
        let joined = extents.reduce_with(|a, b| a.union(&b));
        self.aabb_of(joined.unwrap_or(Aabb::EMPTY))
    }

    fn aabb_of(&self, extent: Aabb) -> Option<Aabb> {
        // Turns -0 into +0, so that the result does not depend on the order in which boxes are
        // joined.
        let [min, max] =
            [extent.min(), extent.max()].map(|p| p.to_array().map(|x| self.scale.down(x) + 0.0));
        Aabb::try_new(min, max).ok()
    }

    /// Checks the depth of all nodes. Requires that each node comes before its children.
    fn check_depth(&self) -> Result<(), ValidateError> {
        let mut depths = vec![0_u8; self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            let depth = depths[place];
            if usize::from(depth) >= MAX_WIDE_DEPTH {
                return Err(ValidateError::TooDeep { node: place });
            }
            for lane in node.lanes() {
                if let Child::Node(below) = node.child(lane) {
                    depths[below] = depth + 1;
                }
            }
        }
        Ok(())
    }
}

const _: () = assert!(MAX_WIDE_DEPTH < u8::MAX as usize);

/// What has been seen of a tree so far.
struct Inspection<'t> {
    tree: &'t WideTree,
    leaves: LeafView<'t>,
    reached: Marks,
    held: Marks,
    named: Marks,
}

impl<'t> Inspection<'t> {
    fn new(tree: &'t WideTree) -> Self {
        let triangles = tree.leaves.len();
        Inspection {
            tree,
            leaves: tree.view(),
            reached: Marks::new(tree.nodes.len()),
            held: Marks::new(triangles),
            named: Marks::new(triangles),
        }
    }

    /// Checks a node, the boxes of its children, and the triangles of its leaves. Returns the box
    /// of these triangles.
    fn node(&self, place: usize) -> Result<Aabb, ValidateError> {
        let nodes = &self.tree.nodes;
        let node = &nodes[place];
        if !node.is_sound() {
            return Err(ValidateError::NoChild { node: place });
        }
        if place == 0 {
            self.reached.set(0);
            // The margins of the kernels do not hold for boxes with faces that are not finite.
            if !is_within_node(node, [f32::MIN; 3], [f32::MAX; 3]) {
                return Err(ValidateError::Sticks { node: 0 });
            }
        }
        let mut extent = Aabb::EMPTY;
        for lane in node.lanes() {
            let (low, high) = node.bounds(lane);
            match node.child(lane) {
                Child::Node(below) if below < nodes.len() => {
                    if below <= place {
                        return Err(ValidateError::OutOfOrder { node: below });
                    }
                    if self.reached.set(below) {
                        let (node, times) = (below, 2);
                        return Err(ValidateError::NotATree { node, times });
                    }
                    if !is_within_node(&nodes[below], low, high) {
                        return Err(ValidateError::Sticks { node: below });
                    }
                }
                Child::Leaf { first, len } if self.tree.leaves.holds(first, len) => {
                    let sticks = ValidateError::Sticks { node: place };
                    let inside = self.leaf(first, len, [low, high])?.ok_or(sticks)?;
                    extent = extent.union(&inside);
                }
                _ => return Err(ValidateError::OutOfRange { node: place }),
            }
        }
        Ok(extent)
    }

    /// Checks an existing leaf. Returns the box of its triangles if it lies within the leaf's box.
    fn leaf(
        &self,
        first: usize,
        len: usize,
        [low, high]: [[f32; 3]; 2],
    ) -> Result<Option<Aabb>, ValidateError> {
        if let Some(slot) = self.held.set_range(first, len) {
            return Err(ValidateError::Misplaced { slot, times: 2 });
        }
        for at in 0..len {
            let prim = self.leaves.prim(first, len, at).index();
            if prim < self.tree.leaves.len() {
                if self.named.set(prim) {
                    return Err(ValidateError::Misnamed { prim, times: 2 });
                }
            } else if self.tree.leaves.mesh().is_some() {
                // The triangle cannot be read.
                let slot = first + at;
                return Err(ValidateError::Unknown { slot, prim });
            }
        }
        let extent = match self.quick_extent(first, len) {
            Some(extent) => extent,
            None => self.extent(first, len)?,
        };
        // Outward rounding is monotonic, so growing the joined box gives the same as joining the
        // grown boxes.
        let (from, to) = Node::grown(extent.min().into(), extent.max().into());
        Ok(is_within(from, to, low, high).then_some(extent))
    }

    /// Returns the box of a leaf's triangles if a quick test shows that they are exact.
    fn quick_extent(&self, first: usize, len: usize) -> Option<Aabb> {
        if !self.tree.scale.is_one() {
            return None;
        }
        let Leaf::Block(block) = self.leaves.leaf(first, len) else {
            return None;
        };
        // All eight lanes, so that the compiler vectorizes the loop; surplus lanes repeat the first
        // number.
        let kept: [u32; WIDTH] = array::from_fn(|lane| if lane < len { u32::MAX } else { 0 });
        let [mut min, mut max] = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        let mut odd = [0.0_f32; WIDTH];
        for (index, axis) in [Axis::X, Axis::Y, Axis::Z].into_iter().enumerate() {
            let [mut low, mut high] = [[f32::INFINITY; WIDTH], [f32::NEG_INFINITY; WIDTH]];
            for row in [
                block.row::<0>(axis),
                block.row::<1>(axis),
                block.row::<2>(axis),
            ] {
                let first = row[0].to_bits();
                for lane in 0..WIDTH {
                    let x = f32::from_bits((row[lane].to_bits() ^ first) & kept[lane] ^ first);
                    low[lane] = if x < low[lane] { x } else { low[lane] };
                    high[lane] = if x > high[lane] { x } else { high[lane] };
                    // NaN if `x` is not finite, 0 otherwise.
                    odd[lane] += 0.0 * x;
                }
            }
            min[index] = low.into_iter().fold(f32::INFINITY, f32::min);
            max[index] = high.into_iter().fold(f32::NEG_INFINITY, f32::max);
        }
        let is_exact = odd == [0.0; WIDTH];
        is_exact.then(|| Aabb::try_new(min, max).ok())?
    }

    /// Returns the box of a leaf's triangles, or an error if they are not exact.
    fn extent(&self, first: usize, len: usize) -> Result<Aabb, ValidateError> {
        for at in 0..len {
            let triangle = self.leaves.scaled_triangle(first, len, at);
            let (_, own) = self.leaves.triangle(first, len, at);
            if !self.tree.scale.is_exact(&triangle, &own) {
                let slot = first + at;
                return Err(ValidateError::Foreign { slot });
            }
        }
        Ok(self.leaves.extent(first, len))
    }

    /// Returns an error if anything has not been seen after all nodes were checked.
    fn finish(&self) -> Result<(), ValidateError> {
        let times = 0;
        if let Some(node) = self.reached.first_unseen() {
            return Err(ValidateError::NotATree { node, times });
        }
        if let Some(slot) = self.held.first_unseen() {
            return Err(ValidateError::Misplaced { slot, times });
        }
        match self.named.first_unseen() {
            Some(prim) => Err(ValidateError::Misnamed { prim, times }),
            None => Ok(()),
        }
    }
}

/// Returns whether a box lies within another one; false if either has a NaN.
fn is_within(low: [f32; 3], high: [f32; 3], min: [f32; 3], max: [f32; 3]) -> bool {
    (0..3).all(|axis| min[axis] <= low[axis] && high[axis] <= max[axis])
}

/// Returns whether all boxes of a node lie within another box.
fn is_within_node(node: &Node, min: [f32; 3], max: [f32; 3]) -> bool {
    let within = |lane| {
        let (low, high) = node.bounds(lane);
        is_within(low, high, min, max)
    };
    node.lanes().all(within)
}
