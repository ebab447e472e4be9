//! A moving sphere, prepared for finding its first contacts with triangles.

use super::contact_point::contact_point;
use super::entry::{Contact, Encounter};
use super::number::TimedNumber;
use super::{CertifiedContact, MovingSphere64, SphereContact};
use crate::arithmetic::{Bounded, Dyadic, Ratio, Surd, V3, compare, minus, sqrt};
use crate::exact::proximity::{DistanceBy, Feature, Length, Measure, WidePoint, are_one_feature};
use crate::shapes::{Coordinate, PrimId, Triangle64};
use core::cell::{LazyCell, OnceCell};
use core::cmp::Ordering;
use glam::DVec3;

/// The numbers of a movement.
pub(super) struct Motion {
    pub(super) center: V3,
    pub(super) velocity: V3,
    pub(super) radius: f64,
    /// The square of the radius, if it has no more bits than that of an `f32`.
    pub(super) square: Option<f64>,
}

impl Motion {
    /// Returns whether the sphere certainly does not touch the triangle up to a finite time: then a
    /// plane separates them, and the sphere was no nearer to it before.
    ///
    /// Any direction g from the triangle to the centre c serves: the sphere is beyond the plane
    /// through the corner that is farthest along g where `g . (c - p) > r |g|` for every corner p, and
    /// was so before if g and the velocity are at an obtuse angle. Let u = 2^-53 and M the sum of the
    /// largest sizes of the centre at the start, of the movement and of the corners. Then `c - p` is
    /// off by less than 4u M along each axis, and the product with g by 4u M times the sum of the sizes
    /// of g more; the length of g is off by 4u of itself, and M and the sums by a few roundings. 32u
    /// are granted for each; what underflows is less than 2^-1000. Infinities and NaN prove nothing.
    #[inline]
    fn is_surely_later(&self, triangle: &Triangle64, time: f64) -> bool {
        const GRANT: f64 = 16.0 * f64::EPSILON;
        const TINY: f64 = f64::MIN_POSITIVE * (1u64 << 22) as f64;
        let [a, b, c] = triangle.coordinates();
        let moved = self.velocity.map(|x| x * time);
        let center = [0, 1, 2].map(|i| self.center[i] + moved[i]);
        let g: V3 = [0, 1, 2].map(|i| center[i] - (a[i] + b[i] + c[i]) * (1.0 / 3.0));
        let dot = |x: V3| x[0] * g[0] + x[1] * g[1] + x[2] * g[2];
        let size = |x: V3| x[0].abs().max(x[1].abs()).max(x[2].abs());
        let along = g[0].abs() + g[1].abs() + g[2].abs();
        let slope = dot(self.velocity) + GRANT * along * size(self.velocity);
        let most = size(self.center) + size(moved) + size(a).max(size(b)).max(size(c));
        let reach = self.radius * sqrt(dot(g)) * (1.0 + GRANT);
        let bound = reach + GRANT * along * most + TINY;
        let is_beyond = |corner: V3| {
            let gap = dot(minus(center, corner));
            gap > bound && gap < f64::INFINITY
        };
        slope < -TINY && is_beyond(a) && is_beyond(b) && is_beyond(c)
    }
}

/// A moving sphere, prepared for finding its first contacts with triangles.
pub(crate) struct PreparedSphere {
    center: WidePoint,
    motion: Motion,
}

impl PreparedSphere {
    /// Returns `None` if a number is NaN or infinite, but for a radius that is infinite, or if the
    /// radius is negative.
    pub(crate) fn new(sphere: &MovingSphere64) -> Option<Self> {
        let MovingSphere64 {
            velocity, radius, ..
        } = *sphere;
        let is_defined = velocity.is_finite() && radius >= 0.0;
        let center = WidePoint::new(sphere.center).filter(|_| is_defined)?;
        let is_short = f64::from(radius as f32) == radius;
        Some(PreparedSphere {
            motion: Motion {
                center: center.point(),
                velocity: velocity.to_array(),
                radius,
                // 48 bits: exact.
                square: is_short.then_some(radius * radius),
            },
            center,
        })
    }

    /// Returns the centre at the start.
    pub(crate) fn center(&self) -> DVec3 {
        self.motion.center.into()
    }

    pub(crate) fn velocity(&self) -> DVec3 {
        self.motion.velocity.into()
    }

    pub(crate) fn radius(&self) -> f64 {
        self.motion.radius
    }

    /// Returns the first contact with a triangle, if there is one. May report one that is certainly
    /// after `limit` as missing.
    #[inline]
    pub(crate) fn contact(
        &self,
        prim: PrimId,
        triangle: &Triangle64,
        limit: f64,
    ) -> Option<CertifiedContact> {
        let certified = |feature: Option<Feature>, time| CertifiedContact {
            prim,
            triangle: *triangle,
            feature,
            time,
        };
        if self.may_touch_at_start(triangle) && self.touches_at_start(prim, triangle) {
            return Some(certified(None, (0.0, 0.0)));
        }
        let moves = self.motion.velocity != [0.0; 3] && self.motion.radius < f64::INFINITY;
        if limit == 0.0 || !moves {
            return None;
        }
        if limit < f64::INFINITY && self.motion.is_surely_later(triangle, limit) {
            return None;
        }
        match Encounter::<Bounded>::of(&self.motion, triangle).contact(limit) {
            Contact::Never => None,
            Contact::At(feature, time) => Some(certified(Some(feature), time)),
            Contact::Open => {
                let (feature, time) = self.exact_contact(triangle, limit)?;
                let (low, high) = time.interval();
                Some(certified(Some(feature), (low.max(0.0), high)))
            }
        }
    }

    /// Returns whether the triangle's box is about as near as the radius.
    ///
    /// A gap has one rounding of 2^-53, its square three, and the sum five, and the square of the radius one:
    /// 8 * 2^-53 are granted, and more than what underflows. NaN is near.
    #[inline]
    fn may_touch_at_start(&self, triangle: &Triangle64) -> bool {
        let [a, b, c] = triangle.coordinates();
        let center = &self.motion.center;
        let gap = |i: usize| {
            let low = a[i].min(b[i]).min(c[i]) - center[i];
            let high = center[i] - a[i].max(b[i]).max(c[i]);
            low.max(high).max(0.0)
        };
        let (x, y, z) = (gap(0), gap(1), gap(2));
        let square = (x * x + y * y + z * z) * (1.0 - 4.0 * f64::EPSILON);
        let reach = self.motion.radius * self.motion.radius;
        let is_apart = square > reach + f64::MIN_POSITIVE && square < f64::INFINITY;
        !is_apart
    }

    fn touches_at_start(&self, prim: PrimId, triangle: &Triangle64) -> bool {
        self.distance_at_start(prim, triangle).is_some_and(|found| {
            let radius = self.motion.radius;
            radius == f64::INFINITY || self.center.order_radius(&found, radius) != Ordering::Greater
        })
    }

    /// Returns the distance of the centre at the start, if it may be at most the radius.
    fn distance_at_start(
        &self,
        prim: PrimId,
        triangle: &Triangle64,
    ) -> Option<DistanceBy<WidePoint>> {
        let (_, limit) = self.motion.radius.square();
        self.center.measure(prim, triangle, limit)
    }

    #[cold]
    #[inline(never)]
    fn exact_contact(&self, triangle: &Triangle64, limit: f64) -> Option<(Feature, Surd)> {
        if !triangle.is_finite() {
            return None;
        }
        match Encounter::<Dyadic>::of(&self.motion, triangle).contact(limit) {
            Contact::At(feature, time) => Some((feature, time)),
            Contact::Never | Contact::Open => None, // exact numbers leave nothing open
        }
    }

    /// Compares by exact time, then by id.
    #[inline]
    pub(crate) fn order(&self, a: &CertifiedContact, b: &CertifiedContact) -> Ordering {
        let times = compare(a.time, b.time, || self.order_close(a, b));
        times.then_with(|| a.prim.cmp(&b.prim))
    }

    fn order_close(&self, a: &CertifiedContact, b: &CertifiedContact) -> Ordering {
        match (a.feature, b.feature) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(one), Some(other)) => {
                if are_one_feature((&a.triangle.corners(), one), (&b.triangle.corners(), other)) {
                    return Ordering::Equal;
                }
                self.exact_time(a, one).cmp(&self.exact_time(b, other))
            }
        }
    }

    /// Compares the exact time with a number that is not negative and not NaN.
    #[inline]
    pub(crate) fn order_time(&self, found: &CertifiedContact, time: f64) -> Ordering {
        match found.feature {
            None => 0.0f64.total_cmp(&time.abs()),
            Some(feature) => compare(found.time, (time, time), || {
                self.exact_time(found, feature).cmp_f64(time)
            }),
        }
    }

    #[cold]
    #[inline(never)]
    fn exact_time(&self, found: &CertifiedContact, feature: Feature) -> Surd {
        let encounter = Encounter::<Dyadic>::of(&self.motion, &found.triangle);
        Dyadic::time(encounter.root_of(feature))
    }

    /// Returns the answer that callers see.
    pub(crate) fn sphere_contact<C: Coordinate>(
        &self,
        found: &CertifiedContact,
    ) -> Option<SphereContact<C>> {
        let CertifiedContact { prim, triangle, .. } = found;
        let Some(feature) = found.feature else {
            let distance = self.distance_at_start(*prim, triangle)?;
            let closest = self.center.closest_point(&distance);
            let exact = LazyCell::new(|| self.center.exact(triangle));
            let coordinate = |axis: usize| {
                let nearest = closest.point[axis];
                let exactly = || match &*exact {
                    Some(exact) => exact.coordinate(self.motion.center[axis], axis),
                    None => Ratio::new(Dyadic::from_f64(nearest), Dyadic::from_f64(1.0)), // not so
                };
                // The exact number is no farther than the neighbours of the nearest one.
                let interval = || (nearest.next_down(), nearest.next_up());
                C::nearest(interval, || Some(nearest), exactly)
            };
            return Some(SphereContact {
                t: C::of(0.0),
                prim: *prim,
                point: C::point([coordinate(0), coordinate(1), coordinate(2)]),
                feature: closest.feature,
                is_touching_at_start: true,
            });
        };
        let (low, high) = found.time;
        // 2^-44, which leaves room for the roundings of the point.
        let is_narrow = high - low < low.abs() * (256.0 * f64::EPSILON);
        let exact = OnceCell::new();
        let exactly = || exact.get_or_init(|| self.exact_time(found, feature));
        let t = C::nearest(|| found.time, || None, || exactly().clone());
        let time = match exact.get() {
            None if is_narrow => (low + (high - low) / 2.0, 0),
            _ => exactly().rough(),
        };
        Some(SphereContact {
            t,
            prim: *prim,
            point: contact_point::<C>(&self.motion, triangle, feature, time),
            feature,
            is_touching_at_start: false,
        })
    }
}
