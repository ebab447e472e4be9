//! Leaves that only name their triangles, whose corners are gathered from the mesh.

use super::leaf_blocks::{Block, ROWS};
use super::node::{Lanes, WIDTH};
use super::scale::Scale;
#[cfg(target_arch = "x86_64")]
use estoc_core::InlineMap;
use estoc_mesh::parts::Buffers;
#[cfg(target_arch = "x86_64")]
use fearless_simd::SimdInto;
use fearless_simd::{Simd, SimdBase, SimdCombine, SimdSplit, f32x4, f32x8};

/// The corners of up to eight triangles, in rows like those of a [`Block`], each of eight numbers.
#[repr(align(64))]
pub(crate) struct Gathered {
    rows: [Lanes; ROWS - 1],
}

impl Gathered {
    /// Returns the block of the first `len` triangles.
    #[inline(always)]
    pub(crate) fn block(&self, len: usize) -> Block<'_> {
        Block::of_rows(&self.rows, len)
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
    /// Returns the addresses of the triangles' corner indices.
    #[inline(always)]
    pub(crate) fn faces(&self) -> impl Iterator<Item = *const u8> {
        let indices = self.mesh.indices().as_ptr();
        let names = self.names.iter();
        names.map(move |&name| indices.wrapping_add(name as usize).cast())
    }

    /// Returns the addresses of all corners of the triangles.
    #[inline(always)]
    pub(crate) fn corners(&self) -> impl Iterator<Item = *const u8> {
        let (positions, indices) = (self.mesh.positions().as_ptr(), self.mesh.indices());
        let names = self.names.iter();
        let faces = names.filter_map(move |&name| indices.get(name as usize));
        let corners = faces.flatten();
        corners.map(move |&corner| positions.wrapping_add(corner as usize).cast())
    }

    /// Returns the triangles in units of the tree. Surplus lanes repeat the first triangle, so that
    /// no other is fetched for them.
    ///
    /// Rows are written whole. Readers load whole rows, and a load that spans several smaller
    /// stores would stall until these reach the cache.
    #[inline(never)]
    pub(crate) fn gather<S: Simd>(self, simd: S) -> Gathered {
        simd.vectorize(
            #[inline(always)]
            || rows(simd, self),
        )
    }
}

#[inline(always)]
fn rows<S: Simd>(simd: S, Names { mesh, scale, names }: Names<'_>) -> Gathered {
    let indices = mesh.indices();
    let place = |lane: usize| if lane < names.len() { lane } else { 0 };
    let face = |lane: usize| &indices[names[place(lane)] as usize];
    let faces: [&[u32; 3]; WIDTH] = core::array::from_fn(face);
    let [ax, ay, az] = corner::<S, 0>(simd, mesh, &faces);
    let [bx, by, bz] = corner::<S, 1>(simd, mesh, &faces);
    let [cx, cy, cz] = corner::<S, 2>(simd, mesh, &faces);
    let mut rows = [ax, ay, az, bx, by, bz, cx, cy, cz];
    if !scale.is_one() {
        // The same product as when the builder writes leaves of the other layout.
        let up = f32x8::splat(simd, scale.up(1.0));
        for row in &mut rows {
            *row *= up;
        }
    }
    let [ax, ay, az, bx, by, bz, cx, cy, cz] = rows;
    Gathered {
        rows: [
            ax.into(),
            ay.into(),
            az.into(),
            bx.into(),
            by.into(),
            bz.into(),
            cx.into(),
            cy.into(),
            cz.into(),
        ],
    }
}

/// Returns x, y and z of one corner of all triangles.
#[inline(always)]
fn corner<S: Simd, const CORNER: usize>(
    simd: S,
    mesh: &Buffers,
    faces: &[&[u32; 3]; WIDTH],
) -> [f32x8<S>; 3] {
    let position =
        |lane: usize| f32x4::load_array_ref(simd, mesh.position_and_more(faces[lane][CORNER]));
    // One of each half.
    let pair = |lane: usize| position(lane).combine(position(lane + WIDTH / 2));
    columns(simd, [pair(0), pair(1), pair(2), pair(3)])
}

/// Returns x, y and z of eight positions, which come in pairs.
#[inline(always)]
fn columns<S: Simd>(_simd: S, [a, b, c, d]: [f32x8<S>; 4]) -> [f32x8<S>; 3] {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = _simd.level().as_avx2() {
        let [x, y, z] = x86::columns(avx2, a.into(), b.into(), c.into(), d.into());
        return [x, y, z].inline_map(|column| column.simd_into(_simd));
    }
    let (a, b, c, d) = (a.split(), b.split(), c.split(), d.split());
    let [x0, y0, z0] = four_columns(a.0, b.0, c.0, d.0);
    let [x1, y1, z1] = four_columns(a.1, b.1, c.1, d.1);
    [x0.combine(x1), y0.combine(y1), z0.combine(z1)]
}

#[inline(always)]
fn four_columns<S: Simd>(a: f32x4<S>, b: f32x4<S>, c: f32x4<S>, d: f32x4<S>) -> [f32x4<S>; 3] {
    let (even, odd) = (a.zip_low(c), b.zip_low(d));
    let (even_z, odd_z) = (a.zip_high(c), b.zip_high(d));
    [even.zip_low(odd), even.zip_high(odd), even_z.zip_low(odd_z)]
}

/// For vectors of eight whose instructions do not move numbers between the halves.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{__m256, _mm256_unpackhi_ps, _mm256_unpacklo_ps};
    use fearless_simd::kernel;

    kernel!(
        #[inline(always)]
        pub(super) fn columns(
            avx2: Avx2,
            a: __m256,
            b: __m256,
            c: __m256,
            d: __m256,
        ) -> [__m256; 3] {
            let (even, odd) = (_mm256_unpacklo_ps(a, c), _mm256_unpacklo_ps(b, d));
            let (even_z, odd_z) = (_mm256_unpackhi_ps(a, c), _mm256_unpackhi_ps(b, d));
            [
                _mm256_unpacklo_ps(even, odd),
                _mm256_unpackhi_ps(even, odd),
                _mm256_unpacklo_ps(even_z, odd_z),
            ]
        }
    );
}
