//! Access to a packet's arrays by vectors of the machine's width.

use super::ray_arrays::RAYS;
use core::ops::Range;
use fearless_simd::{Simd, SimdBase};

/// The smallest number of rays in a part of a group.
pub const LEAST: usize = 16;

/// Consecutive lanes of a group: [`LEAST`], twice or four times as many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    start: usize,
    end: usize,
}

impl Part {
    pub const ALL: Part = Part {
        start: 0,
        end: RAYS,
    };

    /// Returns the halves, or `None` if the part has the smallest size.
    #[inline(always)]
    pub fn halves(self) -> Option<[Part; 2]> {
        let Part { start, end } = self;
        let middle = (start + end) / 2;
        let halves = [Part { start, end: middle }, Part { start: middle, end }];
        (end - start > LEAST).then_some(halves)
    }

    /// Returns the lanes.
    #[inline(always)]
    pub fn lanes(self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns the lanes as bits.
    #[inline(always)]
    pub fn bits(self) -> u64 {
        u64::MAX >> (RAYS - (self.end - self.start)) << self.start
    }

    /// Returns the vectors that hold one number of each ray.
    #[inline(always)]
    pub fn vectors<S: Simd>(self) -> Range<usize> {
        self.start / S::f32s::LEN..self.end / S::f32s::LEN
    }
}

/// Loads one of the vectors of an array.
#[inline(always)]
pub fn load<S: Simd, const N: usize>(simd: S, lanes: &[f32; N], vector: usize) -> S::f32s {
    let start = vector * S::f32s::LEN;
    S::f32s::from_slice(simd, &lanes[start..start + S::f32s::LEN])
}

/// Stores one of the vectors of an array.
#[inline(always)]
pub fn store<S: Simd, const N: usize>(lanes: &mut [f32; N], vector: usize, numbers: S::f32s) {
    let start = vector * S::f32s::LEN;
    numbers.store_slice(&mut lanes[start..start + S::f32s::LEN]);
}

/// Shifts the bits of a vector's rays to their position among those of all rays.
#[inline(always)]
pub fn bits<S: Simd>(of_vector: u64, vector: usize) -> u64 {
    of_vector << (vector * S::f32s::LEN)
}

/// Returns the bits of one vector among those of all rays.
#[inline(always)]
pub fn of_vector<S: Simd>(bits: u64, vector: usize) -> u64 {
    bits >> (vector * S::f32s::LEN) & (u64::MAX >> (RAYS - S::f32s::LEN))
}
