//! The ray-triangle test, which certifies the hits of every engine.
//!
//! It has as many stages as a triangle needs: `f64` (`f64_test.rs`) nearly always; integers of
//! fixed width where `f64` leaves the test open; then numbers of any size (`exact_test.rs`).

use super::Touch;
use super::exact_line::ExactCorners;
use super::f64_test::Verdict;
use super::grid::order_on_grid;
use crate::arithmetic::{InlineMap, compare, round};
use crate::shapes::{Hit, PrimId, Ray, RayKind, Triangle};
use core::cmp::Ordering;

/// A ray, a [`Ray`] or a [`Ray64`](crate::Ray64), prepared for tests of primitives.
///
/// Engines find the triangles that a ray may hit. This type decides which of them it hits, in which
/// order, and with which rounded numbers, all as exact arithmetic would.
#[derive(Clone, Copy, Debug)]
pub struct PreparedRay<'r, R = Ray>(&'r R);

impl<'r, R: RayKind> PreparedRay<'r, R> {
    /// Prepares a ray. Returns `None` for an undefined one, which hits nothing (see
    /// [`Ray::check`]).
    #[inline(always)]
    pub fn new(ray: &'r R) -> Option<Self> {
        ray.is_defined().then_some(PreparedRay(ray))
    }

    /// Prepares a ray that is known to be defined.
    #[doc(hidden)]
    #[inline(always)]
    pub fn of_defined(ray: &'r R) -> Self {
        debug_assert!(ray.is_defined());
        PreparedRay(ray)
    }

    /// Returns the ray that this was made from.
    #[inline(always)]
    pub fn ray(&self) -> &'r R {
        self.0
    }

    /// Returns the origin's coordinates.
    #[inline(always)]
    pub fn origin(&self) -> [f64; 3] {
        self.0.wide_origin()
    }

    /// Returns the direction's coordinates, not all zero.
    #[inline(always)]
    pub fn dir(&self) -> [f64; 3] {
        self.0.wide_dir()
    }

    /// Returns the least parameter that counts; may be infinite.
    #[inline(always)]
    pub fn t_min(&self) -> f64 {
        self.0.interval()[0]
    }

    /// Returns the greatest parameter that counts; may be infinite.
    #[inline(always)]
    pub fn t_max(&self) -> f64 {
        self.0.interval()[1]
    }
}

impl PreparedRay<'_> {
    /// Returns the touch if the ray hits the closed triangle, decided exactly.
    ///
    /// Hits beyond `t_limit` are not wanted: for a triangle that is certainly hit beyond it, the
    /// result may be `None`. Pass `f64::INFINITY` for a definite result.
    ///
    /// A triangle with no area, one parallel to the ray, and one with a corner that is not finite
    /// are not hit.
    ///
    /// The order of work is not that of Badouel (Graphics Gems I, p. 390): plane, closest hit,
    /// inside, division. Nearly all triangles that an engine tests are hit, so everything is
    /// computed at once, and one division serves the parameter and both weights.
    #[inline]
    pub fn touch(&self, prim: PrimId, triangle: &Triangle, t_limit: f64) -> Option<Touch> {
        match self.touch_quickly(prim, triangle, t_limit) {
            Verdict::Missed => None,
            Verdict::Touched(touch) => Some(touch),
            Verdict::Open => self.touch_slowly(prim, triangle, t_limit),
        }
    }

    /// Returns whether the ray crosses the surface in this touched triangle.
    ///
    /// Where a ray passes through an edge or a corner, exactly one way of counting is right for a
    /// closed surface: as if the ray's origin were moved by `(e, e^2, e^3)` for an arbitrarily
    /// small `e > 0` (simulation of simplicity, Edelsbrunner and Muecke 1990). The moved ray meets
    /// no edge, so of the triangles around an edge exactly those that the moved ray crosses count.
    pub fn crosses(&self, touch: &Touch) -> bool {
        touch.on_edges == 0 || {
            let corners = ExactCorners::of(&touch.triangle);
            self.exact_line()
                .crosses(&corners, touch.on_edges, touch.side)
        }
    }

    /// Compares the exact parameters of two touches of this ray.
    #[inline(always)]
    pub fn order_t(&self, a: &Touch, b: &Touch) -> Ordering {
        compare((a.t_low, a.t_high), (b.t_low, b.t_high), || {
            self.order_slowly(*a, *b)
        })
    }

    /// Takes the touches by value: if their addresses escaped here, callers could not keep them in
    /// registers.
    #[cold]
    #[inline(never)]
    fn order_slowly(&self, a: Touch, b: Touch) -> Ordering {
        if a.is_in_same_place_as(&b) {
            return Ordering::Equal;
        }
        if let Some(order) = order_on_grid(self.ray(), &a.triangle, &b.triangle) {
            return order;
        }
        let [a, b] = [&a, &b].inline_map(|touch| self.exact_t(&touch.triangle));
        a.cmp(&b)
    }

    /// Returns the hit of a touch: `t`, `u` and `v` rounded once from the exact values.
    #[inline(always)]
    pub fn hit(&self, touch: &Touch) -> Hit {
        // One after the other. Otherwise the compiler loads pairs of numbers that were stored one
        // by one, and store forwarding stalls.
        let Some(t) = touch.round_t() else {
            return self.hit_slowly(touch);
        };
        let Some(u) = touch.round_weight(0) else {
            return self.hit_slowly(touch);
        };
        let Some(v) = touch.round_weight(1) else {
            return self.hit_slowly(touch);
        };
        Hit {
            t,
            u,
            v,
            prim: touch.prim,
        }
    }

    #[cold]
    #[inline(never)]
    fn hit_slowly(&self, touch: &Touch) -> Hit {
        let rounded = self.round_sharply(touch);
        let weight =
            |corner: usize| rounded[corner].unwrap_or_else(|| self.weight_anywhere(touch, corner));
        Hit {
            t: rounded[0].unwrap_or_else(|| {
                round((touch.t_low, touch.t_high))
                    .unwrap_or_else(|| self.exact_t(&touch.triangle).to_f32())
            }),
            u: weight(1),
            v: weight(2),
            prim: touch.prim,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn what_check_refuses_is_no_question() {
        let odd = [
            0.0,
            -0.0,
            1.0,
            f32::MAX,
            f32::MIN_POSITIVE,
            1e-45,
            f32::INFINITY,
            f32::NAN,
        ];
        let odd = odd.iter().flat_map(|&x| [x, -x]).collect::<Vec<_>>();
        let mut defined = 0;
        for (place, base) in (0..8).flat_map(|place| [0.0, 1.0].map(|base| (place, base))) {
            for &a in &odd {
                for &b in &odd {
                    let mut n = [base; 8];
                    n[place] = a;
                    n[(place + 3) % 8] = b;
                    let ray = Ray::new([n[0], n[1], n[2]], [n[3], n[4], n[5]]);
                    let ray = ray.with_interval(n[6], n[7]);
                    let question = PreparedRay::new(&ray);
                    assert_eq!(question.is_some(), ray.check().is_ok(), "{ray:?}");
                    defined += usize::from(question.is_some());
                }
            }
        }
        assert!(defined > 1000, "{defined}");
    }
}
