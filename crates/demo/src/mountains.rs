//! Mountains over a square: uniform triangles in one layer, of any resolution.

use crate::triangle_list::TriangleList;
use estoc_core::glam::Vec3;

const SIDE: f32 = 100.0;
const HEIGHT: f32 = 22.0;
const OCTAVES: usize = 10;

/// Generates at most `n` triangles: two for each cell of a square grid of at least one cell.
pub(super) fn mountains(n: usize) -> TriangleList {
    let side = (n / 2).isqrt().max(1) as u32;
    let mut mountains = TriangleList::default();
    mountains.surface(side, side, |u, v| {
        Vec3::new(u * SIDE, height(u, v) * HEIGHT, v * SIDE)
    });
    mountains
}

/// Returns the height at a point: octaves of half the size and about half the height each.
fn height(u: f32, v: f32) -> f32 {
    let (mut sum, mut amplitude, mut frequency) = (0.0, 0.5, 4.0);
    for _ in 0..OCTAVES {
        sum += amplitude * noise(u * frequency + 17.3, v * frequency + 4.7);
        amplitude *= 0.47;
        frequency *= 2.03;
    }
    sum
}

/// Returns value noise from 0 to 1: random at whole coordinates, smooth between.
fn noise(x: f32, y: f32) -> f32 {
    let smooth = |t: f32| t * t * (3.0 - 2.0 * t);
    let (column, row) = (x.floor(), y.floor());
    let (right, up) = (smooth(x - column), smooth(y - row));
    let (i, j) = (column as i32, row as i32);
    let below = lattice(i, j) * (1.0 - right) + lattice(i + 1, j) * right;
    let above = lattice(i, j + 1) * (1.0 - right) + lattice(i + 1, j + 1) * right;
    below * (1.0 - up) + above * up
}

/// Returns the random height of a lattice point, from 0 to 1.
fn lattice(i: i32, j: i32) -> f32 {
    let mut bits = (i as u32).wrapping_mul(0x8da6_b343) ^ (j as u32).wrapping_mul(0xd816_3841);
    bits ^= bits >> 13;
    bits = bits.wrapping_mul(0x5bd1_e995);
    bits ^= bits >> 15;
    bits = bits.wrapping_mul(0x27d4_eb2d);
    bits ^= bits >> 16;
    (bits & 0xff_ffff) as f32 / 16_777_215.0
}
