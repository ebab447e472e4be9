//! The triangles of all leaves.
//!
//! A leaf of `n` triangles is a block of nine rows of `n` numbers: x, y and z of the first
//! corners, of the second, of the third. So a kernel loads a coordinate of all its triangles
//! at once; what it loads beyond the row is of no consequence, and beyond the last block
//! there is room for that.

use super::node::WIDTH;
use estoc_core::{PrimId, Triangle};

/// Numbers of one triangle.
const ROWS: usize = 9;

#[derive(Clone, Debug, Default)]
pub(crate) struct Leaves {
    /// The block of the leaf whose first slot is `s` begins at `9 s`. Scaled.
    numbers: Vec<f32>,
    /// By slot.
    prims: Vec<PrimId>,
}

impl Leaves {
    pub(crate) fn with_capacity(triangles: usize) -> Self {
        Leaves {
            numbers: Vec::with_capacity(ROWS * triangles + WIDTH),
            prims: Vec::with_capacity(triangles),
        }
    }

    /// How many triangles there are.
    pub(crate) fn len(&self) -> usize {
        self.prims.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.numbers.as_slice()) + size_of_val(self.prims.as_slice())
    }

    /// Appends a leaf; its first slot is the number of triangles so far.
    pub(crate) fn push(&mut self, leaf: impl Iterator<Item = (PrimId, Triangle)> + Clone) {
        for row in 0..ROWS {
            let number = |(_, t): (PrimId, Triangle)| t.corners()[row / 3][row % 3];
            self.numbers.extend(leaf.clone().map(number));
        }
        self.prims.extend(leaf.map(|(prim, _)| prim));
    }

    /// To be called when all leaves are there.
    pub(crate) fn finish(&mut self) {
        self.numbers.extend([0.0; WIDTH]);
        self.numbers.shrink_to_fit();
    }

    /// Whether there are such slots.
    pub(crate) fn holds(&self, first: usize, len: usize) -> bool {
        first.checked_add(len).is_some_and(|end| end <= self.len())
    }

    /// Eight numbers from a row of a leaf on: coordinate `axis` of corner `corner`.
    #[inline(always)]
    pub(crate) fn row(
        &self,
        first: usize,
        len: usize,
        corner: usize,
        axis: usize,
    ) -> &[f32; WIDTH] {
        let start = ROWS * first + (3 * corner + axis) * len;
        self.numbers[start..]
            .first_chunk()
            .expect("there is room beyond the last leaf")
    }

    /// The triangle at a place in a leaf, as it is stored.
    #[inline(always)]
    pub(crate) fn triangle(&self, first: usize, len: usize, place: usize) -> (PrimId, Triangle) {
        let at = |corner: usize, axis: usize| {
            self.numbers[ROWS * first + (3 * corner + axis) * len + place]
        };
        let corner = |i: usize| [at(i, 0), at(i, 1), at(i, 2)];
        let triangle = Triangle::new(corner(0), corner(1), corner(2));
        (self.prims[first + place], triangle)
    }

    pub(crate) fn prims(&self) -> &[PrimId] {
        &self.prims
    }
}
