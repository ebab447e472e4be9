//! The vectors that a machine has, as parts of the arrays that have a number of each ray.

use super::ray_arrays::RAYS;
use core::ops::Range;
use fearless_simd::{Simd, SimdBase};

/// The fewest rays that are told from others of a group.
pub const LEAST: usize = 16;

/// Some of a group's lanes, one after the other: as many as are [`LEAST`], or twice as many, or
/// four times.
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

    /// The halves, unless it is as small as can be.
    #[inline(always)]
    pub fn halves(self) -> Option<[Part; 2]> {
        let Part { start, end } = self;
        let middle = (start + end) / 2;
        let halves = [Part { start, end: middle }, Part { start: middle, end }];
        (end - start > LEAST).then_some(halves)
    }

    /// The lanes.
    #[inline(always)]
    pub fn lanes(self) -> Range<usize> {
        self.start..self.end
    }

    /// The lanes as bits.
    #[inline(always)]
    pub fn bits(self) -> u64 {
        u64::MAX >> (RAYS - (self.end - self.start)) << self.start
    }

    /// The vectors that hold a number of each ray.
    #[inline(always)]
    pub fn vectors<S: Simd>(self) -> Range<usize> {
        self.start / S::f32s::LEN..self.end / S::f32s::LEN
    }
}

/// One of the vectors of an array.
#[inline(always)]
pub fn load<S: Simd, const N: usize>(simd: S, lanes: &[f32; N], vector: usize) -> S::f32s {
    let start = vector * S::f32s::LEN;
    S::f32s::from_slice(simd, &lanes[start..start + S::f32s::LEN])
}

/// Puts one of them back.
#[inline(always)]
pub fn store<S: Simd, const N: usize>(lanes: &mut [f32; N], vector: usize, numbers: S::f32s) {
    let start = vector * S::f32s::LEN;
    numbers.store_slice(&mut lanes[start..start + S::f32s::LEN]);
}

/// The bits of a vector's rays among those of all.
#[inline(always)]
pub fn bits<S: Simd>(of_vector: u64, vector: usize) -> u64 {
    of_vector << (vector * S::f32s::LEN)
}

/// The bits of a vector's rays among those of all.
#[inline(always)]
pub fn of_vector<S: Simd>(bits: u64, vector: usize) -> u64 {
    bits >> (vector * S::f32s::LEN) & (u64::MAX >> (RAYS - S::f32s::LEN))
}
