//! The triangles of all leaves.
//!
//! A leaf of `n` triangles is a block of ten rows of `n` numbers: x, y and z of the first
//! corners, of the second, of the third; and the names. So a kernel loads one coordinate of all
//! triangles at once. It ignores what it loads beyond the row; the array is padded for loads
//! beyond the last block.

use super::leaf_layout::Layout;
use super::leaf_view::LeafView;
use super::node::{Lanes, WIDTH};
use super::scale::Scale;
use estoc_core::InlineMap;
use estoc_core::{PrimId, Triangle};
use estoc_mesh::parts::Buffers;
use estoc_system::Arena;
use fearless_simd::{Simd, SimdBase, SimdMask, u32x8};

/// Numbers per triangle.
pub const ROWS: usize = 10;

/// A bit that is flipped in every name. Loads that reach beyond their row read names as
/// coordinates, and small integers would be denormal numbers: on processors that compute with these
/// slowly, a whole query would take a third longer.
const NORMAL: u32 = 1 << 30;

/// One of the three coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis(usize);

impl Axis {
    pub const X: Axis = Axis(0);
    pub const Y: Axis = Axis(1);
    pub const Z: Axis = Axis(2);

    /// Returns 0, 1 or 2.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0
    }
}

/// The numbers of one leaf, and eight more; or rows of eight numbers, without names.
#[derive(Clone, Copy)]
pub struct Block<'a> {
    /// At least `8 stride + 8` numbers, and `10 len + 8` if there are names.
    numbers: &'a [u32],
    /// The distance from one row to the next.
    stride: usize,
    len: usize,
}

impl<'a> Block<'a> {
    /// Returns the block of a leaf among the [`numbers`](Leaves::numbers) of all.
    #[inline(always)]
    pub fn of(numbers: &'a [u32], first: usize, len: usize) -> Self {
        let start = ROWS * first;
        Block {
            numbers: &numbers[start..start + ROWS * len + WIDTH],
            stride: len,
            len,
        }
    }

    /// Returns the block of gathered rows.
    #[inline(always)]
    pub(super) fn of_rows(rows: &'a [Lanes; ROWS - 1], len: usize) -> Self {
        Block {
            numbers: bytemuck::cast_slice(rows.as_flattened()),
            stride: WIDTH,
            len,
        }
    }

    /// Returns eight numbers from the beginning of a row: one coordinate of a corner of all
    /// triangles.
    #[inline(always)]
    #[allow(
        unsafe_code,
        reason = "nine bounds checks per leaf cost 3 to 8 % of a query"
    )]
    pub fn row<const CORNER: usize>(self, axis: Axis) -> &'a [f32; WIDTH] {
        const { assert!(CORNER < 3) };
        let (first, corner) = (axis.0 * self.stride, CORNER * (3 * self.stride));
        debug_assert!(first + corner + WIDTH <= self.numbers.len());
        // SAFETY: corner and axis are at most 2, so the row starts at `8 stride` or before, and
        // ends within `8 stride + 8`, which is not beyond the `10 len + 8` numbers that `of`
        // cut out, whose stride is `len`, nor beyond the 72 of `of_rows`, whose stride is 8. An
        // array of f32 is aligned as u32 is, and any bits are an f32.
        unsafe {
            &*self
                .numbers
                .as_ptr()
                .add(first)
                .add(corner)
                .cast::<[f32; WIDTH]>()
        }
    }

    /// Returns the number of triangles.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.len
    }

    /// Returns a triangle as it is stored, by its place, which is less than the number of
    /// triangles.
    #[inline(always)]
    pub fn triangle(self, place: usize) -> Triangle {
        // One bounds check for all.
        let numbers = &self.numbers[place..=place + (ROWS - 2) * self.stride];
        let at =
            |corner: usize, axis: usize| f32::from_bits(numbers[(3 * corner + axis) * self.stride]);
        let corner = |i: usize| [at(i, 0), at(i, 1), at(i, 2)];
        Triangle::new(corner(0), corner(1), corner(2))
    }

    /// Returns the places of triangles with this name, as bits, if the block has names. Bits beyond
    /// the last triangle have no meaning.
    #[inline(always)]
    pub(super) fn places_named<S: Simd>(self, simd: S, name: u32) -> u32 {
        let names = &self.numbers[(ROWS - 1) * self.len..];
        let Some(names) = names.first_chunk::<WIDTH>() else {
            debug_assert!(false, "the block has names, and eight more numbers");
            return 0;
        };
        let names = u32x8::load_array_ref(simd, names);
        let named = names.simd_eq(u32x8::splat(simd, name ^ NORMAL));
        named.to_bitmask() as u32
    }

    /// Returns the name of that triangle, if the block has names.
    #[inline(always)]
    pub fn prim(self, place: usize) -> PrimId {
        let name = self.numbers[(ROWS - 1) * self.len + place] ^ NORMAL;
        // A name that `write_leaf` wrote is always valid.
        PrimId::new(name).unwrap_or(PrimId::MAX)
    }
}

/// The finished leaves of a tree.
#[derive(Clone, Debug, Default)]
pub struct Leaves {
    /// The block of the leaf whose first slot is `s` begins at `10 s`, scaled; or the name of its
    /// first triangle is at `s`.
    numbers: Arena<u32>,
    triangles: usize,
    /// The mesh that the names refer to.
    mesh: Option<Buffers>,
}

/// Writes a leaf to its block, which has exactly the length needed.
#[inline(always)]
pub fn write_leaf(block: &mut [u32], leaf: impl ExactSizeIterator<Item = (u32, Triangle)>) {
    let len = leaf.len();
    let block = &mut block[..ROWS * len];
    for (place, (name, triangle)) in leaf.enumerate() {
        let [a, b, c] = triangle.corners();
        let numbers = [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z].inline_map(f32::to_bits);
        for (row, number) in numbers.into_iter().enumerate() {
            block[row * len + place] = number;
        }
        block[(ROWS - 1) * len + place] = name ^ NORMAL;
    }
}

/// Does what [`Leaves::rewrite`] does, for leaves whose numbers begin at that slot.
fn rewrite(
    numbers: &mut [u32],
    slot: usize,
    ranges: &[(usize, usize)],
    triangle: &(impl Fn(u32) -> Option<Triangle> + Sync),
) {
    /// The number of leaves from which a range is worth another thread.
    const FORK_FROM: usize = 1024;
    if ranges.len() >= FORK_FROM {
        let (left, right) = ranges.split_at(ranges.len() / 2);
        let middle = right[0].0;
        let (low, high) = numbers.split_at_mut(ROWS * (middle - slot));
        estoc_system::parallel::join(
            || rewrite(low, slot, left, triangle),
            || rewrite(high, middle, right, triangle),
        );
        return;
    }
    for &(first, len) in ranges {
        let block = &mut numbers[ROWS * (first - slot)..][..ROWS * len];
        for place in 0..len {
            let name = block[(ROWS - 1) * len + place] ^ NORMAL;
            let Some(triangle) = triangle(name) else {
                continue;
            };
            let corners = triangle.corners().into_iter().flat_map(|p| p.to_array());
            for (row, number) in corners.enumerate() {
                block[row * len + place] = number.to_bits();
            }
        }
    }
}

impl Leaves {
    /// Returns how many numbers the blocks of this many triangles take, with padding for loads
    /// beyond them; or their names. `None` on overflow.
    pub(crate) fn numbers_of(layout: Layout, triangles: usize) -> Option<usize> {
        match layout {
            Layout::Fast => triangles.checked_mul(ROWS)?.checked_add(WIDTH),
            Layout::Compact => Some(triangles),
        }
    }

    /// Returns the numbers of all leaves, as stored.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// Returns leaves with these [`numbers`](Self::numbers), and with the mesh if they are names.
    pub fn of_numbers(numbers: Arena<u32>, triangles: usize, mesh: Option<Buffers>) -> Self {
        Leaves {
            numbers,
            triangles,
            mesh,
        }
    }

    /// Returns leaves of the blocks of this many triangles, which eight more numbers follow.
    pub fn new(numbers: Arena<u32>, triangles: usize) -> Self {
        Leaves {
            numbers,
            triangles,
            mesh: None,
        }
    }

    /// Returns leaves of names of a mesh's triangles.
    pub(crate) fn of_names(names: Arena<u32>, mesh: &Buffers) -> Self {
        Leaves {
            triangles: names.len(),
            numbers: names,
            mesh: Some(mesh.clone()),
        }
    }

    #[inline(always)]
    pub(crate) fn layout(&self) -> Layout {
        match self.mesh {
            None => Layout::Fast,
            Some(_) => Layout::Compact,
        }
    }

    /// Returns the mesh that the names refer to, if leaves have only names.
    pub fn mesh(&self) -> Option<&Buffers> {
        self.mesh.as_ref()
    }

    /// Returns the number of triangles.
    pub fn len(&self) -> usize {
        self.triangles
    }

    /// Replaces the triangles by those of a mesh with the same names, in units of the scale.
    /// `ranges` are the first slots and lengths of all leaves, in their order. Triangles that the
    /// mesh does not have do not change.
    pub(crate) fn rewrite(&mut self, ranges: &[(usize, usize)], mesh: &Buffers, scale: Scale) {
        match &mut self.mesh {
            Some(kept) => *kept = mesh.clone(),
            None => rewrite(&mut self.numbers, 0, ranges, &|prim| {
                let face = mesh.indices().get(PrimId::new(prim)?.index())?;
                Some(scale.triangle_up(mesh.triangle_of(face)))
            }),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.numbers.bytes()
    }

    /// Returns whether these slots exist.
    pub(crate) fn holds(&self, first: usize, len: usize) -> bool {
        first.checked_add(len).is_some_and(|end| end <= self.len())
    }

    /// Returns whether the array has the numbers of all triangles, with the padding; or as many
    /// names as the mesh has triangles.
    pub(crate) fn is_whole(&self) -> bool {
        let named = self.mesh.as_ref().map(|mesh| mesh.indices().len());
        named.is_none_or(|named| named == self.triangles)
            && Self::numbers_of(self.layout(), self.triangles) == Some(self.numbers.len())
    }

    /// Returns the leaves in the form that queries read.
    #[inline(always)]
    pub(crate) fn view(&self, scale: Scale) -> LeafView<'_> {
        LeafView::new(&self.numbers, self.mesh.as_ref(), scale)
    }

    /// Returns the same as [`view`](Self::view) for a tree in the fast layout that is not scaled.
    /// The constants let the compiler drop the other cases.
    #[inline(always)]
    pub(crate) fn blocks(&self) -> LeafView<'_> {
        debug_assert!(self.mesh.is_none(), "these leaves are names, not blocks");
        LeafView::new(&self.numbers, None, Scale::default())
    }
}
