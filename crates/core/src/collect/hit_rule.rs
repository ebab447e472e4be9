//! Which hits on a ray count, as far as kernels can apply it.

/// Which hits on a ray count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HitRule<I> {
    /// Every hit.
    Every,
    /// Every hit but one on this primitive, which an engine may leave out itself.
    EveryBut(I),
    /// Those that a [`Collector`](crate::Collector) takes: other options, masks or a filter apply.
    Chosen,
}
