//! The triangles of all leaves.
//!
//! A leaf of `n` triangles is a block of ten rows of `n` numbers: x, y and z of the first
//! corners, of the second, of the third; and the names. So a kernel loads a coordinate of all
//! its triangles at once; what it loads beyond the row is of no consequence, and beyond the
//! last block there is room for that.

use super::arena::Arena;
use super::node::WIDTH;
use estoc_core::{PrimId, Triangle};

/// Numbers of one triangle.
pub(crate) const ROWS: usize = 10;

/// Changed in every name. Loads that reach beyond their row read names as coordinates, and
/// small integers would be denormal: processors that compute with such numbers slowly would
/// take a third longer for a whole query.
const NORMAL: u32 = 1 << 30;

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
#[derive(Clone, Copy)]
pub(crate) struct Block<'a> {
    /// `10 len + 8` of them.
    numbers: &'a [u32],
    len: usize,
}

impl<'a> Block<'a> {
    /// The block of a leaf among the [`numbers`](Leaves::numbers) of all.
    #[inline(always)]
    pub(crate) fn of(numbers: &'a [u32], first: usize, len: usize) -> Self {
        let start = ROWS * first;
        Block {
            numbers: &numbers[start..start + ROWS * len + WIDTH],
            len,
        }
    }

    /// Eight numbers from a row on: a coordinate of a corner of all triangles.
    #[inline(always)]
    #[allow(unsafe_code, reason = "nine checks a leaf cost 3 to 8 % of a query")]
    pub(crate) fn row<const CORNER: usize>(self, axis: Axis) -> &'a [f32; WIDTH] {
        const { assert!(CORNER < 3) };
        let (first, corner) = (axis.0 * self.len, CORNER * (3 * self.len));
        debug_assert!(first + corner + WIDTH <= self.numbers.len());
        // SAFETY: corner and axis are at most 2, so the row starts at `8 len` or before, and
        // ends within `8 len + 8`, which is not beyond the `10 len + 8` numbers that `of`
        // cut out. An array of f32 is aligned as u32 is, and any bits are an f32.
        unsafe {
            &*self
                .numbers
                .as_ptr()
                .add(first)
                .add(corner)
                .cast::<[f32; WIDTH]>()
        }
    }

    /// How many triangles there are.
    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        self.len
    }

    /// The triangle at a place below the number of triangles, as it is stored.
    #[inline(always)]
    pub(crate) fn triangle(self, place: usize) -> Triangle {
        // One check for all.
        let numbers = &self.numbers[place..place + (ROWS - 1) * self.len];
        let at =
            |corner: usize, axis: usize| f32::from_bits(numbers[(3 * corner + axis) * self.len]);
        let corner = |i: usize| [at(i, 0), at(i, 1), at(i, 2)];
        Triangle::new(corner(0), corner(1), corner(2))
    }

    /// The name of that triangle.
    #[inline(always)]
    pub(crate) fn prim(self, place: usize) -> PrimId {
        let name = self.numbers[(ROWS - 1) * self.len + place] ^ NORMAL;
        // Of what `push` wrote there always is one.
        PrimId::new(name).unwrap_or(PrimId::MAX)
    }
}

/// The finished leaves of a tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leaves {
    /// The block of the leaf whose first slot is `s` begins at `10 s`. Scaled.
    numbers: Arena<u32>,
    triangles: usize,
}

/// Writes a leaf to its block, which has room for just that.
#[inline(always)]
pub(super) fn write(block: &mut [u32], leaf: impl ExactSizeIterator<Item = (u32, Triangle)>) {
    let len = leaf.len();
    let block = &mut block[..ROWS * len];
    for (place, (name, triangle)) in leaf.enumerate() {
        let [a, b, c] = triangle.corners();
        let numbers = [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z].map(f32::to_bits);
        for (row, number) in numbers.into_iter().enumerate() {
            block[row * len + place] = number;
        }
        block[(ROWS - 1) * len + place] = name ^ NORMAL;
    }
}

/// Leaves one by one, for tests that make trees of their own.
#[cfg(test)]
pub(crate) struct LeafWriter {
    numbers: Vec<u32>,
    triangles: usize,
}

#[cfg(test)]
impl LeafWriter {
    /// Room for the leaves of so many triangles.
    pub(crate) fn with_triangles(triangles: usize) -> Self {
        LeafWriter {
            numbers: vec![0; ROWS * triangles + WIDTH],
            triangles,
        }
    }

    /// Writes the leaf whose first slot is `first`.
    pub(crate) fn write(
        &mut self,
        first: usize,
        leaf: impl ExactSizeIterator<Item = (PrimId, Triangle)>,
    ) {
        let leaf = leaf.map(|(prim, triangle)| (prim.get(), triangle));
        write(&mut self.numbers[ROWS * first..], leaf);
    }

    /// When all are there.
    pub(crate) fn finish(self) -> Leaves {
        Leaves::new(Arena::of(self.numbers), self.triangles)
    }
}

impl Leaves {
    /// Of the blocks of so many triangles, and eight more numbers.
    pub(super) fn new(numbers: Arena<u32>, triangles: usize) -> Self {
        Leaves { numbers, triangles }
    }

    /// How many triangles there are.
    pub(crate) fn len(&self) -> usize {
        self.triangles
    }

    pub(crate) fn bytes(&self) -> usize {
        self.numbers.bytes()
    }

    /// Whether there are such slots.
    pub(crate) fn holds(&self, first: usize, len: usize) -> bool {
        first.checked_add(len).is_some_and(|end| end <= self.len())
    }

    /// Whether the array has the numbers of all triangles, and room for loads beyond them.
    pub(crate) fn is_whole(&self) -> bool {
        let needed = self.triangles.checked_mul(ROWS);
        let needed = needed.and_then(|numbers| numbers.checked_add(WIDTH));
        needed == Some(self.numbers.len())
    }

    /// Another array, to break trees with.
    #[cfg(test)]
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut Vec<u32>)) {
        let mut numbers = self.numbers.to_vec();
        change(&mut numbers);
        self.numbers = Arena::of(numbers);
    }

    /// The numbers of all blocks.
    #[inline(always)]
    pub(crate) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// The block of a leaf.
    pub(crate) fn block(&self, first: usize, len: usize) -> Block<'_> {
        Block::of(self.numbers(), first, len)
    }
}
