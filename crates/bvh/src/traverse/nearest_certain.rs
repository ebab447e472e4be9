//! The nearest hit so far that kernels are certain of.
//!
//! Where nothing but the first hit matters, `f32` mostly knows which one it is: certain hits
//! whose parameters cannot be confused need no more precision to be told apart. Only the one
//! that is left in the end is certified, when nothing waits for it any more.

use super::t_spans::Spans;
use crate::wide::{Tag, WIDTH};
use fearless_simd::{Simd, SimdBase, f32x8};

/// Which triangle it is, and between which parameters it is hit.
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

    /// A triangle of the leaf at `first`, with its place instead of a lane in the tag.
    #[inline(always)]
    pub fn new(first: u32, tag: Tag, from: f32, to: f32) -> Self {
        NearestCertain {
            first,
            len: tag.len() as u32,
            place: tag.lane() as u32,
            from,
            to,
        }
    }

    /// The hits of the leaf at `first` taken in. `None` where they cannot be told apart, or are
    /// not certain.
    #[inline(always)]
    pub fn and<S: Simd>(self, spans: &Spans<f32x8<S>>, first: usize, len: usize) -> Option<Self> {
        if spans.passed.maybe != spans.passed.certain {
            return None;
        }
        let (mut from, mut to) = ([0.0; WIDTH], [0.0; WIDTH]);
        spans.from.store_array(&mut from);
        spans.to.store_array(&mut to);
        let mut hits = spans.passed.certain;
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

    /// Where it is certainly over.
    #[inline(always)]
    pub fn limit(&self) -> f32 {
        self.to
    }

    /// First slot and length of the leaf it is in, and its place there.
    #[inline(always)]
    pub fn place(&self) -> Option<(usize, usize, usize)> {
        match self.len {
            0 => None,
            len => Some((self.first as usize, len as usize, self.place as usize)),
        }
    }
}
