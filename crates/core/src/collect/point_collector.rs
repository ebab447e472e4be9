//! Takes the candidates near one point, certifies them and keeps what is wanted.

use crate::collect::{ClosestList, PointKind, PointTest};
use crate::exact::proximity::{DistanceBy, Length, Measure};
use crate::shapes::Triangle;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::ControlFlow;
use glam::Vec3;

/// Takes candidates near a point from an engine (see
/// [`NearEngine::visit_near`](crate::NearEngine::visit_near)).
pub struct PointCollector<V: PointKind = Vec3, T: PointTest<V> = Triangle> {
    point: T::Prepared,
    /// Triangles farther than this do not count; one exactly that far does.
    radius: T::Length,
    limit: f64,
    goal: PointGoal<T::Prepared>,
}

/// What a query wants, with what has been found so far.
pub(crate) enum PointGoal<P: Measure> {
    Closest(Option<DistanceBy<P>>),
    /// At least one.
    ClosestK(ClosestList<P>),
    /// All within the radius.
    Within(Vec<P::Id>),
    AnyWithin(bool),
}

type FoundBy<V, T> = DistanceBy<<T as PointTest<V>>::Prepared>;

impl<V: PointKind, T: PointTest<V>> PointCollector<V, T> {
    /// Returns `None` where there is no answer: for a point that is not finite, and for a radius that is
    /// negative or NaN.
    #[inline]
    pub(crate) fn new(point: V, radius: T::Length, goal: PointGoal<T::Prepared>) -> Option<Self> {
        let point = T::prepare(point)?;
        let (_, limit) = radius.square();
        (radius >= T::Length::ZERO).then_some(PointCollector {
            point,
            radius,
            limit,
            goal,
        })
    }

    /// Returns the point, which is finite.
    #[inline(always)]
    pub fn point(&self) -> V {
        T::of(&self.point)
    }

    /// Returns the greatest distance that counts, which is not negative.
    pub fn radius(&self) -> T::Length {
        self.radius
    }

    /// Returns the squared distance beyond which nothing is wanted any more; it falls as triangles
    /// are found. Triangles exactly at it are still wanted: ties go to the lowest id.
    #[inline(always)]
    pub fn limit(&self) -> f64 {
        self.limit
    }

    /// Returns whether only the closest triangle is wanted.
    #[inline(always)]
    pub fn wants_closest(&self) -> bool {
        matches!(self.goal, PointGoal::Closest(_))
    }

    /// Takes a candidate. `Break` means that the answer is known.
    #[inline]
    pub fn offer(&mut self, id: T::Id, triangle: &T) -> ControlFlow<()> {
        match self.point.measure(id, triangle, self.limit) {
            Some(found) if self.counts(&found) => self.take(found),
            _ => ControlFlow::Continue(()),
        }
    }

    /// Returns whether the triangle is within the radius.
    #[inline]
    fn counts(&self, found: &FoundBy<V, T>) -> bool {
        self.radius == T::Length::INFINITY
            || self.point.order_radius(found, self.radius) != Ordering::Greater
    }

    #[inline]
    fn take(&mut self, found: FoundBy<V, T>) -> ControlFlow<()> {
        match &mut self.goal {
            PointGoal::Closest(best) => {
                let is_closer = match best {
                    None => true,
                    Some(best) => self.point.order(&found, best) == Ordering::Less,
                };
                if is_closer {
                    // The interval of a closer one may be wider, so the least limit so far stays.
                    if found.square.1 < self.limit {
                        self.limit = found.square.1;
                    }
                    *best = Some(found);
                }
            }
            PointGoal::ClosestK(list) => {
                if let Some(limit) = list.insert(&self.point, found) {
                    self.limit = self.limit.min(limit);
                }
            }
            PointGoal::Within(ids) => ids.push(found.id),
            PointGoal::AnyWithin(any) => {
                *any = true;
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the closest triangle, if that was wanted.
    fn best(&self) -> Option<&FoundBy<V, T>> {
        match &self.goal {
            PointGoal::Closest(best) => best.as_ref(),
            _ => None,
        }
    }

    /// Returns the closest point, if that was wanted.
    pub(crate) fn closest_found(&self) -> Option<T::ClosestAnswer> {
        Some(self.point.closest_point(self.best()?))
    }

    /// Returns the distance of the closest point, if that was wanted.
    pub(crate) fn distance_found(&self) -> Option<T::Length> {
        Some(self.point.distance(self.best()?))
    }

    /// Returns the distance of the closest point, and whether it is exactly 0, if that was wanted.
    pub(crate) fn distance_and_contact_found(&self) -> Option<(T::Length, bool)> {
        let is_contact =
            self.point.order_radius(self.best()?, T::Length::ZERO) != Ordering::Greater;
        Some((self.distance_found()?, is_contact))
    }

    /// Returns the closest points of the `k` closest triangles, if that was wanted.
    pub(crate) fn closest_k_found(self) -> Vec<T::ClosestAnswer> {
        let PointGoal::ClosestK(list) = self.goal else {
            return Vec::new();
        };
        let sorted = list.sorted(&self.point).into_iter();
        sorted
            .map(|found| self.point.closest_point(&found))
            .collect()
    }

    /// Returns the triangles within the radius by id, if that was wanted.
    pub(crate) fn within_found(self) -> Vec<T::Id> {
        match self.goal {
            PointGoal::Within(mut ids) => {
                ids.sort_unstable();
                ids
            }
            _ => Vec::new(),
        }
    }

    /// Returns whether any triangle is within the radius, if that was wanted.
    pub(crate) fn any_found(&self) -> bool {
        matches!(self.goal, PointGoal::AnyWithin(true))
    }
}
