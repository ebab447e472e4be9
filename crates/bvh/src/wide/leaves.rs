//! The triangles of all leaves.
//!
//! A leaf of `n` triangles is a block of nine rows of `n` numbers: x, y and z of the first
//! corners, of the second, of the third. So a kernel loads a coordinate of all its triangles
//! at once; what it loads beyond the row is of no consequence, and beyond the last block
//! there is room for that.

use super::arena::Arena;
use super::node::WIDTH;
use estoc_core::{PrimId, Triangle};

/// Numbers of one triangle.
const ROWS: usize = 9;

/// One of the three coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axis(usize);

impl Axis {
    pub(crate) const X: Axis = Axis(0);
    pub(crate) const Y: Axis = Axis(1);
    pub(crate) const Z: Axis = Axis(2);

    /// 0, 1 or 2.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        self.0
    }
}

/// The numbers of one leaf, and eight more.
pub(crate) struct Block<'a> {
    /// `9 len + 8` of them.
    numbers: &'a [f32],
    len: usize,
}

impl<'a> Block<'a> {
    /// Eight numbers from a row on: a coordinate of a corner of all triangles.
    #[inline(always)]
    #[allow(unsafe_code, reason = "nine checks a leaf cost 3 to 8 % of a query")]
    pub(crate) fn row<const CORNER: usize>(&self, axis: Axis) -> &'a [f32; WIDTH] {
        const { assert!(CORNER < 3) };
        let (first, corner) = (axis.0 * self.len, CORNER * (3 * self.len));
        debug_assert!(first + corner + WIDTH <= self.numbers.len());
        // SAFETY: corner and axis are at most 2, so the row starts at `8 len` or before, and
        // ends within `8 len + 8`, which is not beyond the `9 len + 8` numbers that `block`
        // cut out. An array of f32 is aligned as f32 is.
        unsafe { &*self.numbers.as_ptr().add(first).add(corner).cast::<[f32; WIDTH]>() }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Leaves {
    /// The block of the leaf whose first slot is `s` begins at `9 s`. Scaled.
    numbers: Arena<f32>,
    /// By slot.
    prims: Vec<PrimId>,
}

/// Leaves that more are to come to.
pub(crate) struct LeafWriter {
    numbers: Vec<f32>,
    prims: Vec<PrimId>,
}

impl LeafWriter {
    pub(crate) fn with_capacity(triangles: usize) -> Self {
        LeafWriter {
            numbers: Vec::with_capacity(ROWS * triangles + WIDTH),
            prims: Vec::with_capacity(triangles),
        }
    }

    /// How many triangles there are so far.
    pub(crate) fn len(&self) -> usize {
        self.prims.len()
    }

    /// Appends a leaf; its first slot is [`len`](Self::len) before.
    pub(crate) fn push(&mut self, leaf: impl Iterator<Item = (PrimId, Triangle)> + Clone) {
        for row in 0..ROWS {
            let number = |(_, t): (PrimId, Triangle)| t.corners()[row / 3][row % 3];
            self.numbers.extend(leaf.clone().map(number));
        }
        self.prims.extend(leaf.map(|(prim, _)| prim));
    }

    /// When all are there.
    pub(crate) fn finish(mut self) -> Leaves {
        self.numbers.extend([0.0; WIDTH]);
        Leaves {
            numbers: Arena::of(self.numbers),
            prims: self.prims,
        }
    }
}

impl Leaves {
    /// How many triangles there are.
    pub(crate) fn len(&self) -> usize {
        self.prims.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.numbers.bytes() + size_of_val(self.prims.as_slice())
    }

    /// Whether there are such slots.
    pub(crate) fn holds(&self, first: usize, len: usize) -> bool {
        first.checked_add(len).is_some_and(|end| end <= self.len())
    }

    /// The block of a leaf.
    #[inline(always)]
    pub(crate) fn block(&self, first: usize, len: usize) -> Block<'_> {
        let start = ROWS * first;
        Block {
            numbers: &self.numbers[start..start + ROWS * len + WIDTH],
            len,
        }
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
