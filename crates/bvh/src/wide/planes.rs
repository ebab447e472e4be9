//! The planes of a tree's triangles, by which kernels pass over leaves that a ray does not reach in
//! time.
//!
//! A plane is a normal `n` and a number `d`, in `f32`. No point `p` of its triangle has `n p` farther
//! from `d` than `4u` times the largest coordinate of the corners, where u = 2^-24, and `|n|` is at
//! most `1 + u`, as it is rounded from a length of 1. The distance is checked as it is computed: a triangle that is too thin or too large for such a
//! plane gets one of zeros, which says nothing.

use super::leaf_blocks::{Axis, Block, Leaves, for_leaves};
use super::node::WIDTH;
use crate::simd_level::at_level;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{InlineMap, Triangle};
use estoc_system::Arena;
use fearless_simd::{
    Level, Select, Simd, SimdBase, SimdFloat, SimdMask, SimdNarrow, SimdWiden, f32x8, f64x4,
    mask32x8,
};

/// 2^-24.
const U: f64 = 1.0 / (1 << 24) as f64;
/// The largest distance of a corner from its plane, as a part of the largest coordinate: less than 4u, by
/// more than its own roundings.
const OFF: f64 = 3.9 * U;

/// Numbers of a plane.
const ROWS: usize = 4;
/// The numbers of a leaf of the largest size; loads of the last row of any other end there, too.
const MOST: usize = ROWS * WIDTH;

/// The planes of all leaves, or none. Those of the leaf whose first slot is `s` are four rows from
/// `4 s` on: x, y and z of the normals, and `d`.
#[derive(Clone, Debug, Default)]
pub struct Planes(Arena<f32>);

/// Four rows of eight numbers, of which only as many count as the leaf has triangles.
pub(crate) type PlaneRows<'t> = [&'t [f32; WIDTH]; ROWS];

impl Planes {
    /// Returns the planes of the triangles of leaves, whose first slots and lengths are `ranges`, in
    /// their order. Returns none where there is no memory for them: they only save time. Once `stop`
    /// returns true, the rest are zeros.
    pub(super) fn of(
        level: Level,
        leaves: &Leaves,
        ranges: &[(usize, usize)],
        stop: &(impl Fn() -> bool + Sync),
    ) -> Self {
        let Some(mut numbers) = Arena::zeroed(ROWS * leaves.len() + MOST) else {
            return Planes::default();
        };
        let blocks = leaves.numbers();
        for_leaves(&mut numbers, (ROWS, 0), ranges, &|ranges, slot, numbers| {
            if !stop() {
                at_level!(level, simd => fill(simd, blocks, ranges, slot, numbers));
            }
        });
        Planes(numbers)
    }

    /// Returns the most bytes that the planes of this many triangles take while they are computed.
    pub(crate) fn bytes_while_made(triangles: usize) -> usize {
        let range = size_of::<(usize, usize)>();
        (ROWS * triangles + MOST) * size_of::<f32>() + triangles * range
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// Returns the planes of a leaf, if there are any.
    #[inline(always)]
    pub(crate) fn of_leaf(&self, first: usize, len: usize) -> Option<PlaneRows<'_>> {
        let numbers: &[f32; MOST] = self.0.get(ROWS * first..)?.first_chunk()?;
        // The compiler leaves out the checks of rows: it knows that they end at `MOST`.
        let len = len.min(WIDTH);
        let row = |row: usize| numbers[row * len..].first_chunk();
        Some([row(0)?, row(1)?, row(2)?, row(3)?])
    }
}

/// Writes the planes of leaves, of which the first begins at `slot`.
#[inline(always)]
fn fill<S: Simd>(
    simd: S,
    blocks: &[u32],
    ranges: &[(usize, usize)],
    slot: usize,
    numbers: &mut [f32],
) {
    for &(first, len) in ranges {
        let rows = &mut numbers[ROWS * (first - slot)..][..ROWS * len];
        let planes = planes_of(simd, Block::of(blocks, first, len));
        for (row, plane) in rows.chunks_exact_mut(len).zip(planes) {
            row.copy_from_slice(&plane.to_array()[..len]);
        }
    }
}

/// Returns the planes of eight triangles, in rows. All levels compute the same.
#[inline(always)]
pub fn planes_of<S: Simd>(simd: S, block: Block<'_>) -> [f32x8<S>; ROWS] {
    let row = |row: &[f32; WIDTH]| {
        let (low, high) = f32x8::load_array_ref(simd, row).widen();
        [low, high]
    };
    let a = [Axis::X, Axis::Y, Axis::Z].inline_map(|axis| row(block.row::<0>(axis)));
    let b = [Axis::X, Axis::Y, Axis::Z].inline_map(|axis| row(block.row::<1>(axis)));
    let c = [Axis::X, Axis::Y, Axis::Z].inline_map(|axis| row(block.row::<2>(axis)));
    let halves = |half: usize| {
        let of = |corner: [[f64x4<S>; 2]; 3]| corner.inline_map(|axis| axis[half]);
        [of(a), of(b), of(c)]
    };
    let halves = [halves(0), halves(1)];
    let [low, high] = halves.inline_map(|corners| normal(simd, corners));
    let normals = [0, 1, 2].inline_map(|axis| low[axis].narrow(high[axis]));
    let wide = normals.inline_map(|axis| {
        let (low, high) = axis.widen();
        [low, high]
    });
    let spans = [0, 1].inline_map(|half| {
        let normal = wide.inline_map(|axis| axis[half]);
        let [a, b, c] = halves[half].inline_map(|p| dot(normal, p));
        (a.min(b).min(c), a.max(b).max(c))
    });
    let [low, high] = spans.inline_map(|(low, high)| (low + high) * f64x4::splat(simd, 0.5));
    let d = low.narrow(high);
    let (low, high) = d.widen();
    let [low, high] = [(0, low), (1, high)].inline_map(|(half, d)| {
        let (least, greatest) = spans[half];
        let off = (greatest - d).max(d - least);
        let sizes = halves[half].inline_map(|[x, y, z]| x.abs().max(y.abs()).max(z.abs()));
        let size = sizes[0].max(sizes[1]).max(sizes[2]);
        // In this form NaN is no plane.
        let near = off.simd_le(size * f64x4::splat(simd, OFF));
        near.to_bitmask() as u32
    });
    let are_near = mask32x8::from_bitmask(simd, u64::from(low | high << 4));
    let [x, y, z] = normals;
    [x, y, z, d].inline_map(|row| are_near.select(row, f32x8::splat(simd, 0.0)))
}

/// Returns the unit normals of triangles; NaN where there is none.
#[inline(always)]
fn normal<S: Simd>(simd: S, [a, b, c]: [[f64x4<S>; 3]; 3]) -> [f64x4<S>; 3] {
    let e = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    let f = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    let across = [
        e[1] * f[2] - e[2] * f[1],
        e[2] * f[0] - e[0] * f[2],
        e[0] * f[1] - e[1] * f[0],
    ];
    let inverse = f64x4::splat(simd, 1.0) / dot(across, across).sqrt();
    across.inline_map(|axis| axis * inverse)
}

#[inline(always)]
fn dot<S: Simd>(a: [f64x4<S>; 3], b: [f64x4<S>; 3]) -> f64x4<S> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns whether a plane is zeros, or near a triangle and its normal short enough.
pub(crate) fn is_plane_of(plane: [f32; ROWS], triangle: &Triangle) -> bool {
    let [x, y, z, d] = plane.inline_map(f64::from);
    let corners = triangle.corners().inline_map(Vec3::as_dvec3);
    let largest = corners.inline_map(|p| p.abs().max_element());
    let largest = largest.into_iter().fold(0.0, f64::max);
    let length = DVec3::new(x, y, z).length();
    let is_near = |p: DVec3| (p.dot(DVec3::new(x, y, z)) - d).abs() <= 4.0 * U * largest;
    plane == [0.0; ROWS] || length <= 1.0 + 1.01 * U && corners.into_iter().all(is_near)
}
