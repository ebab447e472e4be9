//! Which hits on a ray count, as far as kernels can apply it.

/// Which hits on a ray count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HitRule<I> {
    /// Every hit.
    Every,
    /// Every hit but one on this primitive, which an engine may leave out itself.
    EveryBut(I),
    /// Every hit inside a primitive, at none of its edges, if hits are [counted](crate::Collector::count); others are
    /// offered.
    Inner,
    /// Those that a [`Collector`](crate::Collector) takes: other options, masks or a filter apply.
    Chosen,
}

impl<I> HitRule<I> {
    /// Returns whether every hit counts, but for those on one primitive.
    #[inline(always)]
    pub(crate) fn is_sure(&self) -> bool {
        matches!(self, HitRule::Every | HitRule::EveryBut(_))
    }
}
