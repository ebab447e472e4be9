//! The triangle that a ray skips, such as the one that it leaves.

use super::t_spans::Passed;
use crate::wide::LeafView;
use estoc_core::{HitRule, PrimId};
use fearless_simd::Simd;

/// The name of a triangle whose hits do not count, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Skipped(u32);

impl Skipped {
    /// No triangle has this name.
    pub(crate) const NONE: Skipped = Skipped(u32::MAX);

    /// Returns what kernels leave out of the hits on a ray, `None` if they cannot apply its rule.
    #[inline(always)]
    pub(crate) fn of(rule: HitRule<PrimId>) -> Option<Self> {
        match rule {
            HitRule::Every => Some(Skipped::NONE),
            HitRule::EveryBut(skip) => Some(Skipped(skip.get())),
            _ => None,
        }
    }

    /// Returns the name.
    #[inline(always)]
    pub(crate) fn name(self) -> u32 {
        self.0
    }

    /// Returns the triangle as an id.
    #[inline(always)]
    pub(crate) fn prim(self) -> Option<PrimId> {
        PrimId::new(self.0)
    }

    /// Returns the triangles of a leaf that are left of those that a ray may hit.
    #[inline(always)]
    pub(crate) fn leave<S: Simd>(
        self,
        simd: S,
        leaves: LeafView<'_>,
        (first, len): (usize, usize),
        passed: Passed,
    ) -> Passed {
        if self == Skipped::NONE {
            return passed;
        }
        let others = !leaves.places_named(simd, first, len, self.0);
        Passed {
            maybe: passed.maybe & others,
            certain: passed.certain & others,
        }
    }
}

impl From<PrimId> for Skipped {
    fn from(prim: PrimId) -> Self {
        Skipped(prim.get())
    }
}
