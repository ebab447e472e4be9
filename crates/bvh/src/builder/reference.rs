//! What a build stores of a triangle, and boxes in the form that is joined fastest.

use super::bounds::ReferenceBounds;
use bytemuck::{Pod, Zeroable};
use estoc_core::InlineMap;
use fearless_simd::{Simd, SimdBase as _, f32x8};

/// A box as eight numbers that all grow with it: the negated low corner, and from the fifth on the
/// high one. The fourth and eighth are unused.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(32))]
pub struct Reach(pub [f32; 8]);

impl Reach {
    pub const EMPTY: Reach = Reach([f32::NEG_INFINITY; 8]);

    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S) -> f32x8<S> {
        f32x8::load_array_ref(simd, &self.0)
    }

    #[inline(always)]
    pub(super) fn of<S: Simd>(lanes: f32x8<S>) -> Self {
        Reach(lanes.into())
    }

    pub fn join(self, other: Reach) -> Self {
        let lanes = [0, 1, 2, 3, 4, 5, 6, 7];
        Reach(lanes.inline_map(|i| match other.0[i] > self.0[i] {
            true => other.0[i],
            false => self.0[i],
        }))
    }

    pub fn bounds(&self) -> ReferenceBounds {
        let [x, y, z, _, max @ .., _] = self.0;
        // Subtracted from +0, so that there is no -0.
        let min = [x, y, z].inline_map(|x| 0.0 - x);
        ReferenceBounds { min, max }
    }
}

/// A triangle's box and name: all that a build reads.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(32))]
pub struct Reference {
    /// The low corner, negated.
    low: [f32; 3],
    name: u32,
    high: [f32; 3],
    spare: u32,
}

/// A bit that is flipped in every name. Vector arithmetic reads the name in an unused lane, where a
/// small integer would be a denormal number, which is slow on some processors.
const NORMAL: u32 = 1 << 30;

impl Reference {
    /// Returns a reference to a finite box.
    #[inline(always)]
    pub fn new(number: u32, bounds: ReferenceBounds) -> Self {
        // Adding +0 turns -0 into +0: so boxes have the same bits whatever the order in which they
        // are joined.
        Reference {
            low: bounds.min.inline_map(|x| -(x + 0.0)),
            name: number ^ NORMAL,
            high: bounds.max.inline_map(|x| x + 0.0),
            spare: 0,
        }
    }

    /// Returns a reference to something with this box, as if it were a triangle of this number.
    pub(super) fn around(reach: &Reach, prim: u32) -> Self {
        let [x, y, z, _, high @ .., _] = reach.0;
        Reference {
            low: [x, y, z],
            name: prim ^ NORMAL,
            high,
            spare: 0,
        }
    }

    /// Returns the number of the triangle.
    pub(super) fn prim(&self) -> u32 {
        self.name ^ NORMAL
    }

    #[inline(always)]
    pub fn reach(&self) -> Reach {
        bytemuck::cast(*self)
    }

    /// Returns half the centre along an axis, which does not overflow for any box.
    #[inline(always)]
    pub(super) fn centre_at(&self, axis: usize) -> f32 {
        0.25 * self.high[axis] - 0.25 * self.low[axis]
    }

    /// Returns half the centre as a [`Reach`], which does not overflow for any box.
    #[inline(always)]
    pub(super) fn centre<S: Simd>(&self, simd: S) -> f32x8<S> {
        let quarter = self.reach().load(simd) * f32x8::splat(simd, 0.25);
        quarter - simd.slide_f32x8::<4>(quarter, quarter)
    }
}
