//! What engines see of many rays.

use crate::exact::PreparedRay;
use crate::{Collect, PrimId, Triangle};

/// Rays that wait to be asked, for an engine that has several under way at once (see
/// [`RayQuery::visit_many`](crate::RayQuery::visit_many)).
///
/// Each ray that [`next`](Queue::next) hands out has a place, by which it goes from then on. It
/// ends with exactly one of [`finish`](Queue::finish), [`only`](Queue::only),
/// [`counted`](Queue::counted) and [`miss`](Queue::miss); rays may end in any order.
pub trait Queue<'r> {
    /// Who takes the candidates of one ray.
    type Collector: Collect;

    /// The next ray, if there are more.
    fn next(&mut self) -> Option<(usize, PreparedRay<'r>)>;

    /// Whether no option leaves out any hit on this ray; as [`Collect::takes_every_hit`].
    fn takes_every_hit(&self, place: usize) -> bool;

    /// Who takes this ray's candidates, shown as [`RayQuery::visit`](crate::RayQuery::visit)
    /// shows them.
    fn collector(&mut self, place: usize, ray: PreparedRay<'r>) -> Self::Collector;

    /// Ends a ray whose candidates were all shown, or enough of them.
    fn finish(&mut self, place: usize, collector: &mut Self::Collector);

    /// Ends a ray that may hit this triangle and no other, or none that matters.
    #[inline(always)]
    fn only(&mut self, place: usize, ray: PreparedRay<'r>, prim: PrimId, triangle: &Triangle) {
        let mut collector = self.collector(place, ray);
        let _ = collector.offer(prim, triangle);
        self.finish(place, &mut collector);
    }

    /// Ends a ray that hits so many triangles for sure, and no others. Is only called where
    /// [all hits are equal](Collect::HITS_ARE_EQUAL) and
    /// [every one is taken](Queue::takes_every_hit).
    fn counted(&mut self, place: usize, hits: usize);

    /// Ends a ray that hits nothing.
    fn miss(&mut self, place: usize);
}
