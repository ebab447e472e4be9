//! Lines that bound the rays of a tile along one axis; see `tile_rays.rs`.

use super::ray_rows::{RayRow, load, sixteen};
use crate::traverse::kernel_ray::U;
use fearless_simd::{Simd, SimdBase, SimdFloat, f32x16};

/// 2^-16: the least distance of two planes, relative to where they are.
pub(super) const NARROWEST: f32 = f32::from_bits((127 - 16) << 23);

/// A line `offset + slope Z`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Line {
    pub slope: f32,
    pub offset: f32,
}

impl Line {
    /// Returns the line that has these values at two places.
    #[inline(always)]
    pub fn through((a, b): (f32, f32), (at_a, at_b): (f32, f32)) -> Self {
        let slope = (at_b - at_a) / (b - a);
        Line {
            slope,
            offset: at_a - slope * a,
        }
    }
}

/// Returns the lines below and above rays, by their positions in two planes.
#[inline(always)]
pub(super) fn lines<S: Simd>(
    (from, to): (f32, f32),
    (first, last): (f32x16<S>, f32x16<S>),
) -> [Line; 2] {
    let size = first.abs().max(last.abs()).reduce_max();
    let are_apart = to - from >= NARROWEST * (to + size);
    if !are_apart {
        return [
            Line {
                slope: 0.0,
                offset: f32::NEG_INFINITY,
            },
            Line {
                slope: 0.0,
                offset: f32::INFINITY,
            },
        ];
    }
    [
        Line::through((from, to), (first.reduce_min(), last.reduce_min())),
        Line::through((from, to), (first.reduce_max(), last.reduce_max())),
    ]
}

/// Returns lines below and above all rays from the frame's plane on.
#[inline(always)]
pub(super) fn by_slopes<S: Simd>(simd: S, (whole, offset): (&[RayRow], &[RayRow])) -> [Line; 2] {
    let infinity = sixteen(simd, f32::INFINITY);
    let (mut low, mut down) = (infinity, infinity);
    let (mut high, mut up) = (-infinity, -infinity);
    for (whole, offset) in whole.iter().zip(offset) {
        let whole = load(simd, whole);
        let offset = load(simd, offset);
        (low, high) = (low.min(offset), high.max(offset));
        (down, up) = (down.min(whole), up.max(whole));
    }
    spread(
        [down.reduce_min(), up.reduce_max()],
        [low.reduce_min(), high.reduce_max()],
    )
}

/// Returns lines below and above all rays from the frame's plane on, by the ranges of their whole
/// slopes, which are off by less than `8u`, and of their offsets.
#[inline(always)]
pub(super) fn spread([down, up]: [f32; 2], [low, high]: [f32; 2]) -> [Line; 2] {
    [
        Line {
            slope: down - 8.0 * U,
            offset: low,
        },
        Line {
            slope: up + 8.0 * U,
            offset: high,
        },
    ]
}

/// Returns lines below and above all rays between two planes.
#[inline(always)]
pub(super) fn between<S: Simd>(
    simd: S,
    (whole, offset): (&[RayRow], &[RayRow]),
    (first, last): (f32, f32),
) -> [Line; 2] {
    let infinity = sixteen(simd, f32::INFINITY);
    let (mut low_a, mut low_b) = (infinity, infinity);
    let (mut high_a, mut high_b) = (-infinity, -infinity);
    for (whole, offset) in whole.iter().zip(offset) {
        let whole = load(simd, whole);
        let offset = load(simd, offset);
        let a = whole.mul_add(sixteen(simd, first), offset);
        let b = whole.mul_add(sixteen(simd, last), offset);
        (low_a, high_a) = (low_a.min(a), high_a.max(a));
        (low_b, high_b) = (low_b.min(b), high_b.max(b));
    }
    let low = (low_a.reduce_min(), low_b.reduce_min());
    let high = (high_a.reduce_max(), high_b.reduce_max());
    let planes = (first, last);
    [Line::through(planes, low), Line::through(planes, high)]
}
