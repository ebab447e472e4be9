//! Numbers of the rays of a tile in their own precision, of sixteen rays at a time.

use super::ray_rows::GROUP;
use bytemuck::Pod;
use estoc_core::InlineMap;
use fearless_simd::{
    Select, Simd, SimdBase, SimdFloat, SimdMask, SimdNarrow, SimdWiden, f32x16, f64x8, mask32x16,
    mask64x8,
};

/// Numbers of sixteen rays in `f64`.
type Wide<S> = (f64x8<S>, f64x8<S>);

/// An `f32` or an `f64`.
pub trait TileNumber: Pod {
    /// Such numbers of sixteen rays.
    type Lanes<S: Simd>: Copy;

    fn load<S: Simd>(simd: S, row: &[Self; GROUP]) -> Self::Lanes<S>;

    fn store<S: Simd>(lanes: Self::Lanes<S>, row: &mut [Self; GROUP]);

    fn splat<S: Simd>(simd: S, x: Self) -> Self::Lanes<S>;

    /// Returns the numbers of sixteen rays, each in its own lanes.
    fn transposed<S: Simd>(simd: S, rays: &[[Self; 8]; GROUP]) -> [Self::Lanes<S>; 8];

    /// Returns them rounded to `f32`.
    fn narrow<S: Simd>(lanes: Self::Lanes<S>) -> f32x16<S>;

    fn wide<S: Simd>(lanes: Self::Lanes<S>) -> Wide<S>;

    fn product<S: Simd>(a: Self::Lanes<S>, b: Self::Lanes<S>) -> Self::Lanes<S>;

    /// Returns `a b + c`, with one rounding or two.
    fn sum<S: Simd>(a: Self::Lanes<S>, b: Self::Lanes<S>, c: Self::Lanes<S>) -> Self::Lanes<S>;

    /// Returns where `a <= b`, as bits.
    fn are_ordered<S: Simd>(a: Self::Lanes<S>, b: Self::Lanes<S>) -> u32;

    /// Returns the lanes of `a` that are given as bits, and the others of `b`.
    fn select<S: Simd>(simd: S, bits: u32, a: Self::Lanes<S>, b: Self::Lanes<S>) -> Self::Lanes<S>;
}

impl TileNumber for f32 {
    type Lanes<S: Simd> = f32x16<S>;

    #[inline(always)]
    fn load<S: Simd>(simd: S, row: &[f32; GROUP]) -> f32x16<S> {
        f32x16::load_array_ref(simd, row)
    }

    #[inline(always)]
    fn store<S: Simd>(lanes: f32x16<S>, row: &mut [f32; GROUP]) {
        lanes.store_array(row);
    }

    #[inline(always)]
    fn splat<S: Simd>(simd: S, x: f32) -> f32x16<S> {
        f32x16::splat(simd, x)
    }

    #[inline(always)]
    fn transposed<S: Simd>(simd: S, rays: &[[f32; 8]; GROUP]) -> [f32x16<S>; 8] {
        let pairs: &[[f32; GROUP]; 8] = bytemuck::cast_ref(rays);
        let [a, b, c, d, e, f, g, h] = pairs.each_ref().inline_map(
            #[inline(always)]
            |pair: &[f32; GROUP]| f32x16::load_array_ref(simd, pair),
        );
        let ([a0, b0], [a1, b1]) = (unzip(a, b), unzip(c, d));
        let ([a2, b2], [a3, b3]) = (unzip(e, f), unzip(g, h));
        let ([n04a, n26a], [n04b, n26b]) = (unzip(a0, a1), unzip(a2, a3));
        let ([n15a, n37a], [n15b, n37b]) = (unzip(b0, b1), unzip(b2, b3));
        let ([n0, n4], [n2, n6]) = (unzip(n04a, n04b), unzip(n26a, n26b));
        let ([n1, n5], [n3, n7]) = (unzip(n15a, n15b), unzip(n37a, n37b));
        [n0, n1, n2, n3, n4, n5, n6, n7]
    }

    #[inline(always)]
    fn narrow<S: Simd>(lanes: f32x16<S>) -> f32x16<S> {
        lanes
    }

    #[inline(always)]
    fn wide<S: Simd>(lanes: f32x16<S>) -> Wide<S> {
        lanes.widen()
    }

    #[inline(always)]
    fn product<S: Simd>(a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
        a * b
    }

    #[inline(always)]
    fn sum<S: Simd>(a: f32x16<S>, b: f32x16<S>, c: f32x16<S>) -> f32x16<S> {
        a.mul_add(b, c)
    }

    #[inline(always)]
    fn are_ordered<S: Simd>(a: f32x16<S>, b: f32x16<S>) -> u32 {
        a.simd_le(b).to_bitmask() as u32
    }

    #[inline(always)]
    fn select<S: Simd>(simd: S, bits: u32, a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
        mask32x16::from_bitmask(simd, bits.into()).select(a, b)
    }
}

impl TileNumber for f64 {
    type Lanes<S: Simd> = Wide<S>;

    #[inline(always)]
    fn load<S: Simd>(simd: S, row: &[f64; GROUP]) -> Wide<S> {
        let [low, high]: &[[f64; 8]; 2] = bytemuck::cast_ref(row);
        (
            f64x8::load_array_ref(simd, low),
            f64x8::load_array_ref(simd, high),
        )
    }

    #[inline(always)]
    fn store<S: Simd>(lanes: Wide<S>, row: &mut [f64; GROUP]) {
        let [low, high]: &mut [[f64; 8]; 2] = bytemuck::cast_mut(row);
        lanes.0.store_array(low);
        lanes.1.store_array(high);
    }

    #[inline(always)]
    fn splat<S: Simd>(simd: S, x: f64) -> Wide<S> {
        let lanes = f64x8::splat(simd, x);
        (lanes, lanes)
    }

    #[inline(always)]
    fn transposed<S: Simd>(simd: S, rays: &[[f64; 8]; GROUP]) -> [Wide<S>; 8] {
        let [low, high]: &[[[f64; 8]; 8]; 2] = bytemuck::cast_ref(rays);
        let [a, b, c, d, e, f, g, h] = columns(simd, low);
        let [i, j, k, l, m, n, o, p] = columns(simd, high);
        [
            (a, i),
            (b, j),
            (c, k),
            (d, l),
            (e, m),
            (f, n),
            (g, o),
            (h, p),
        ]
    }

    #[inline(always)]
    fn narrow<S: Simd>((low, high): Wide<S>) -> f32x16<S> {
        low.narrow(high)
    }

    #[inline(always)]
    fn wide<S: Simd>(lanes: Wide<S>) -> Wide<S> {
        lanes
    }

    #[inline(always)]
    fn product<S: Simd>(a: Wide<S>, b: Wide<S>) -> Wide<S> {
        (a.0 * b.0, a.1 * b.1)
    }

    #[inline(always)]
    fn sum<S: Simd>(a: Wide<S>, b: Wide<S>, c: Wide<S>) -> Wide<S> {
        (a.0.mul_add(b.0, c.0), a.1.mul_add(b.1, c.1))
    }

    #[inline(always)]
    fn are_ordered<S: Simd>(a: Wide<S>, b: Wide<S>) -> u32 {
        let (low, high) = (a.0.simd_le(b.0), a.1.simd_le(b.1));
        low.to_bitmask() as u32 | (high.to_bitmask() as u32) << 8
    }

    #[inline(always)]
    fn select<S: Simd>(simd: S, bits: u32, a: Wide<S>, b: Wide<S>) -> Wide<S> {
        let low = mask64x8::from_bitmask(simd, (bits & 0xff).into());
        let high = mask64x8::from_bitmask(simd, (bits >> 8 & 0xff).into());
        (low.select(a.0, b.0), high.select(a.1, b.1))
    }
}

/// Returns the numbers at even places of two vectors, and those at odd ones.
#[inline(always)]
fn unzip<S: Simd>(a: f32x16<S>, b: f32x16<S>) -> [f32x16<S>; 2] {
    [a.unzip_low(b), a.unzip_high(b)]
}

/// Returns the columns of rows: three perfect shuffles.
#[inline(always)]
fn columns<S: Simd>(simd: S, rows: &[[f64; 8]; 8]) -> [f64x8<S>; 8] {
    let rows = rows.each_ref().inline_map(
        #[inline(always)]
        |row: &[f64; 8]| f64x8::load_array_ref(simd, row),
    );
    shuffled(shuffled(shuffled(rows)))
}

#[inline(always)]
fn shuffled<S: Simd>([a, b, c, d, e, f, g, h]: [f64x8<S>; 8]) -> [f64x8<S>; 8] {
    let ((a, e), (b, f)) = (a.interleave(e), b.interleave(f));
    let ((c, g), (d, h)) = (c.interleave(g), d.interleave(h));
    [a, e, b, f, c, g, d, h]
}
