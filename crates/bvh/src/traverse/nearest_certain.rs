//! The nearest hit so far that kernels are certain of.
//!
//! If only the first hit matters, `f32` usually suffices to find it: the order of certain hits with
//! disjoint parameter intervals needs no more precision. Only the hit that remains at the end is
//! certified, or for plain rays rounded, outside of the traversal's critical path.

use super::t_spans::Spans;
use crate::wide::WIDTH;
use fearless_simd::{Simd, SimdBase, f32x8};

/// A triangle, and an interval that contains the parameter of its hit.
#[derive(Clone, Copy)]
pub struct NearestCertain {
    first: u32,
    len: u32,
    place: u32,
    from: f32,
    to: f32,
}

impl NearestCertain {
    pub const NONE: NearestCertain = NearestCertain {
        first: 0,
        len: 0,
        place: 0,
        from: f32::INFINITY,
        to: f32::INFINITY,
    };

    /// Returns a hit on a triangle at a place in a leaf, of which the first slot and the length are
    /// given.
    pub fn at((first, len, place): (usize, usize, usize), from: f32, to: f32) -> Self {
        NearestCertain {
            first: first as u32,
            len: len as u32,
            place: place as u32,
            from,
            to,
        }
    }

    /// Takes in the hits of the leaf at `first`. Returns `None` if the order of hits is not
    /// certain, or the hits are not.
    #[inline(always)]
    pub fn and<S: Simd>(self, spans: &Spans<f32x8<S>>, first: usize, len: usize) -> Option<Self> {
        if spans.passed.maybe != spans.passed.certain {
            return None;
        }
        let (mut from, mut to) = ([0.0; WIDTH], [0.0; WIDTH]);
        spans.from.store_array(&mut from);
        spans.to.store_array(&mut to);
        self.and_certain(spans.passed.certain, &from, &to, (first, len))
    }

    /// Takes in the certain hits of a leaf, given as bits, with their intervals. Returns `None` if
    /// their order is not certain.
    #[inline(always)]
    pub fn and_certain(
        self,
        mut hits: u32,
        from: &[f32; WIDTH],
        to: &[f32; WIDTH],
        (first, len): (usize, usize),
    ) -> Option<Self> {
        let mut kept = self;
        while hits != 0 {
            let place = hits.trailing_zeros() as usize % WIDTH;
            hits &= hits - 1;
            if to[place] < kept.from {
                kept = NearestCertain {
                    first: first as u32,
                    len: len as u32,
                    place: place as u32,
                    from: from[place],
                    to: to[place],
                };
            } else if from[place] <= kept.to {
                return None;
            }
        }
        Some(kept)
    }

    /// Returns the numbers that name the triangle: the first slot of its leaf, and the length with the place.
    #[inline(always)]
    pub fn name(&self) -> [u32; 2] {
        [self.first, self.len << 8 | self.place]
    }

    /// Returns a hit on the triangle of this [name](Self::name).
    #[inline(always)]
    pub fn named([first, place]: [u32; 2], from: f32, to: f32) -> Self {
        NearestCertain {
            first,
            len: place >> 8,
            place: place & 0xff,
            from,
            to,
        }
    }

    /// Returns the lower end of the interval.
    #[inline(always)]
    pub fn from(&self) -> f32 {
        self.from
    }

    /// Returns the upper end of the interval.
    #[inline(always)]
    pub fn limit(&self) -> f32 {
        self.to
    }

    /// Returns the first slot and the length of the leaf, and the triangle's place in it.
    #[inline(always)]
    pub fn place(&self) -> Option<(usize, usize, usize)> {
        match self.len {
            0 => None,
            len => Some((self.first as usize, len as usize, self.place as usize)),
        }
    }
}
