//! Certifies candidates near one point and keeps what is wanted, for triangles of a mesh and for placed
//! ones.

use super::closest_list::ClosestList;
use crate::exact::Verdict;
use crate::proximity::Measure;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::ControlFlow;

/// What a query about a point has found so far.
pub(crate) struct Gathering<P: Measure> {
    point: P,
    /// Triangles farther than this do not count; one exactly that far does.
    radius: f32,
    limit: f64,
    goal: PointGoal<P>,
}

/// What a query wants, with what has been found so far.
enum PointGoal<P: Measure> {
    Closest(Option<P::Found>),
    ClosestK(ClosestList<P>),
    /// All within the radius.
    Within(Vec<P::Id>),
    AnyWithin(bool),
}

impl<P: Measure> Gathering<P> {
    /// Returns `None` where there is no answer: for a radius that is negative or NaN.
    #[inline]
    fn new(point: P, radius: f32, goal: PointGoal<P>) -> Option<Self> {
        // 48 bits: exact.
        let limit = f64::from(radius) * f64::from(radius);
        (radius >= 0.0).then_some(Gathering {
            point,
            radius,
            limit,
            goal,
        })
    }

    #[inline]
    pub(crate) fn closest(point: P, radius: f32) -> Option<Self> {
        Gathering::new(point, radius, PointGoal::Closest(None))
    }

    pub(crate) fn closest_k(point: P, k: usize) -> Option<Self> {
        Gathering::new(
            point,
            f32::INFINITY,
            PointGoal::ClosestK(ClosestList::new(k)),
        )
        .filter(|_| k > 0)
    }

    pub(crate) fn within(point: P, radius: f32) -> Option<Self> {
        Gathering::new(point, radius, PointGoal::Within(Vec::new()))
    }

    pub(crate) fn any_within(point: P, radius: f32) -> Option<Self> {
        Gathering::new(point, radius, PointGoal::AnyWithin(false))
    }

    /// Returns the point.
    #[inline(always)]
    pub(crate) fn point(&self) -> &P {
        &self.point
    }

    /// Returns the greatest distance that counts.
    pub(crate) fn radius(&self) -> f32 {
        self.radius
    }

    /// Returns the squared distance beyond which nothing is wanted any more; it falls as triangles
    /// are found. Triangles exactly at it are still wanted: ties go to the lowest id.
    #[inline(always)]
    pub(crate) fn limit(&self) -> f64 {
        self.limit
    }

    /// Returns whether only the closest triangle is wanted.
    #[inline(always)]
    pub(crate) fn wants_closest(&self) -> bool {
        matches!(self.goal, PointGoal::Closest(_))
    }

    /// Takes a candidate. `Break` means that the answer is known.
    #[inline]
    pub(crate) fn offer(&mut self, id: P::Id, shape: &P::Shape) -> ControlFlow<()> {
        let found = match self.point.measure_quickly(id, shape, self.limit) {
            Verdict::Missed => return ControlFlow::Continue(()),
            Verdict::Touched(found) => Some(found),
            Verdict::Open => self.point.measure_slowly(id, shape, self.limit),
        };
        match found {
            Some(found) if self.counts(&found) => self.take(found),
            _ => ControlFlow::Continue(()),
        }
    }

    /// Returns whether the triangle is within the radius.
    #[inline]
    fn counts(&self, found: &P::Found) -> bool {
        self.radius == f32::INFINITY
            || self.point.order_radius(found, self.radius) != Ordering::Greater
    }

    #[inline]
    fn take(&mut self, found: P::Found) -> ControlFlow<()> {
        match &mut self.goal {
            PointGoal::Closest(best) => {
                let is_closer = match best {
                    None => true,
                    Some(best) => self.point.order(&found, best) == Ordering::Less,
                };
                if is_closer {
                    // The interval of a closer one may be wider, so the least limit so far stays.
                    if P::square_high(&found) < self.limit {
                        self.limit = P::square_high(&found);
                    }
                    *best = Some(found);
                }
            }
            PointGoal::ClosestK(list) => {
                if let Some(limit) = list.insert(&self.point, found) {
                    self.limit = self.limit.min(limit);
                }
            }
            PointGoal::Within(ids) => ids.push(P::id(&found)),
            PointGoal::AnyWithin(any) => {
                *any = true;
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the closest point, if that was wanted.
    pub(crate) fn closest_found(&self) -> Option<P::Answer> {
        match &self.goal {
            PointGoal::Closest(best) => Some(self.point.closest_point(best.as_ref()?)),
            _ => None,
        }
    }

    /// Returns the distance of the closest point, if that was wanted.
    pub(crate) fn distance_found(&self) -> Option<f32> {
        match &self.goal {
            PointGoal::Closest(best) => Some(self.point.distance(best.as_ref()?)),
            _ => None,
        }
    }

    /// Returns the distance of the closest point, and whether it is exactly 0, if that was wanted.
    pub(crate) fn distance_and_contact_found(&self) -> Option<(f32, bool)> {
        match &self.goal {
            PointGoal::Closest(best) => {
                let best = best.as_ref()?;
                let is_contact = self.point.order_radius(best, 0.0) != Ordering::Greater;
                Some((self.point.distance(best), is_contact))
            }
            _ => None,
        }
    }

    /// Returns the closest points of the `k` closest triangles, if that was wanted.
    pub(crate) fn closest_k_found(self) -> Vec<P::Answer> {
        let PointGoal::ClosestK(list) = self.goal else {
            return Vec::new();
        };
        let sorted = list.sorted(&self.point).into_iter();
        sorted
            .map(|found| self.point.closest_point(&found))
            .collect()
    }

    /// Returns the triangles within the radius by id, if that was wanted.
    pub(crate) fn within_found(self) -> Vec<P::Id> {
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
