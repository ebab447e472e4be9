//! The triangles of a leaf that only names them, brought together from the mesh.

use super::leaves::{Block, ROWS};
use super::node::{Lanes, WIDTH};
use super::scale::Scale;
use crate::mesh::Buffers;
use estoc_core::glam::Vec3;
use fearless_simd::{Simd, SimdBase, SimdCombine, f32x4, f32x8};

/// The corners of up to eight triangles, in rows as a [`Block`] has them, each of eight numbers.
#[repr(align(64))]
pub(crate) struct Gathered {
    rows: [Lanes; ROWS - 1],
    len: usize,
}

impl Gathered {
    #[inline(always)]
    pub(crate) fn block(&self) -> Block<'_> {
        Block::of_rows(&self.rows, self.len)
    }
}

/// A leaf that names its triangles, of which there is at least one.
#[derive(Clone, Copy)]
pub(crate) struct Names<'t> {
    pub(super) mesh: &'t Buffers,
    pub(super) scale: Scale,
    pub(super) names: &'t [u32],
}

impl Names<'_> {
    /// The triangles in units of the tree. Lanes that are over have the last one once more: no
    /// other is fetched for them.
    ///
    /// Rows are written whole. What reads them does that too, and would wait for rows that are
    /// put together from smaller pieces to come back from memory.
    #[inline(never)]
    pub(crate) fn gather<S: Simd>(self, simd: S) -> Gathered {
        simd.vectorize(
            #[inline(always)]
            || {
                let mut gathered = rows(simd, self.mesh, self.names);
                if !self.scale.is_one() {
                    scale_up(&mut gathered, self.scale);
                }
                gathered
            },
        )
    }
}

#[inline(always)]
fn rows<S: Simd>(simd: S, mesh: &Buffers, names: &[u32]) -> Gathered {
    let (positions, indices) = (mesh.positions(), mesh.indices());
    let positions: &[f32] = bytemuck::cast_slice::<Vec3, f32>(positions);
    let last = names.len() - 1;
    let face = |lane: usize| indices[names[lane.min(last)] as usize];
    let faces: [[u32; 3]; WIDTH] = core::array::from_fn(face);
    let corner = |corner: usize| {
        let place = |lane: usize| position(simd, positions, faces[lane][corner]);
        columns(core::array::from_fn(place))
    };
    let [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = [corner(0), corner(1), corner(2)];
    Gathered {
        rows: [ax, ay, az, bx, by, bz, cx, cy, cz],
        len: names.len(),
    }
}

/// A position, and whatever is behind it.
#[inline(always)]
fn position<S: Simd>(simd: S, positions: &[f32], place: u32) -> f32x4<S> {
    let start = 3 * place as usize;
    match positions[start..].first_chunk() {
        Some(four) => f32x4::load_array_ref(simd, four),
        None => f32x4::load_array(simd, last(positions)),
    }
}

/// The last position, with nothing behind it.
#[cold]
fn last(positions: &[f32]) -> [f32; 4] {
    match positions.last_chunk() {
        Some(&[x, y, z]) => [x, y, z, 0.0],
        None => [0.0; 4],
    }
}

/// x, y and z of eight positions.
#[inline(always)]
fn columns<S: Simd>(p: [f32x4<S>; WIDTH]) -> [Lanes; 3] {
    let [a, b, c, d, e, f, g, h] = p;
    let low = four_columns([a, b, c, d]);
    let high = four_columns([e, f, g, h]);
    [0, 1, 2].map(
        #[inline(always)]
        |axis| {
            let row: f32x8<S> = low[axis].combine(high[axis]);
            let mut lanes = [0.0; WIDTH];
            row.store_array(&mut lanes);
            lanes
        },
    )
}

#[inline(always)]
fn four_columns<S: Simd>([a, b, c, d]: [f32x4<S>; 4]) -> [f32x4<S>; 3] {
    let (even, odd) = (a.zip_low(c), b.zip_low(d));
    let (even_z, odd_z) = (a.zip_high(c), b.zip_high(d));
    [
        even.zip_low(odd),
        even.zip_high(odd),
        even_z.zip_low(odd_z),
    ]
}

/// As the builder writes leaves of the other layout.
#[cold]
#[inline(never)]
fn scale_up(gathered: &mut Gathered, scale: Scale) {
    for number in gathered.rows.as_flattened_mut() {
        *number = scale.up(*number);
    }
}
