//! The polynomials of the plane, in `f64` with a bound and exactly.
//!
//! The height of a point p is `normal . (p - point)` or `normal . p - offset`: the distance times
//! the length of the normal. With v = 2^-53, a difference is rounded once, a product with
//! one twice, and a sum of three adds two roundings: `x . y` is off by at most 4v times the sum of
//! the sizes of its terms, to first order; so is the form with the offset, whose products are
//! rounded once. The computed sum of sizes is too small by at most 4v, so 5v suffice. Nothing underflows
//! or overflows where all numbers are [moderate](crate::arithmetic::are_moderate), as `f32`s are: terms are 0 or in
//! 2^-552 ..= 2^502.

use super::{Plane, PlaneLocus};
use crate::arithmetic::{
    self, Bounded, Dyadic, Number, V3, are_moderate, exact, exact_dot, minus, sqrt, widen,
};
use crate::shapes::Coordinate;

const FIVE_V: f64 = 5.0 * f64::EPSILON / 2.0;

/// Returns `x . y` with its bound; the components of one are rounded at most once, the other is
/// exact.
fn dot(x: V3, y: V3) -> Bounded {
    let terms = [x[0] * y[0], x[1] * y[1], x[2] * y[2]];
    Bounded {
        value: terms[0] + terms[1] + terms[2],
        error: FIVE_V * (terms[0].abs() + terms[1].abs() + terms[2].abs()),
    }
}

impl<C: Coordinate> Plane<C> {
    /// Returns the normal in `f64`.
    pub(crate) fn wide_normal(&self) -> V3 {
        C::wide(self.normal).to_array()
    }

    /// Returns the same plane in `f64`.
    pub(crate) fn wide(&self) -> Plane<f64> {
        let locus = match self.locus {
            PlaneLocus::Point(point) => PlaneLocus::Point(C::wide(point)),
            PlaneLocus::Offset(offset) => PlaneLocus::Offset(offset.into()),
        };
        Plane::of(C::wide(self.normal), locus)
    }

    /// Returns the height of a point of moderate coordinates; nothing is known if the plane's numbers are not moderate.
    pub(crate) fn height(&self, point: V3) -> Bounded {
        if !self.is_moderate {
            return Bounded::UNKNOWN;
        }
        let normal = self.wide_normal();
        match self.locus {
            PlaneLocus::Point(on) => dot(normal, minus(point, C::wide(on).to_array())),
            PlaneLocus::Offset(offset) => {
                let (along, offset) = (dot(normal, point), offset.into());
                Bounded {
                    value: along.value - offset,
                    error: along.error + FIVE_V * offset.abs(),
                }
            }
        }
    }

    /// Returns the heights of a corner in front and one behind, both positive, as far as they are known.
    pub(crate) fn heights(&self, front: V3, behind: V3) -> (Bounded, Bounded) {
        match are_moderate(&[front, behind]) {
            true => (self.height(front), self.height(behind).negated()),
            false => (Bounded::UNKNOWN, Bounded::UNKNOWN),
        }
    }

    /// Returns the height of a point in numbers of a kind.
    pub(crate) fn height_in<N: Number>(&self, point: V3) -> N {
        let normal = self.wide_normal().map(N::exactly);
        match self.locus {
            PlaneLocus::Point(on) => {
                let on = C::wide(on);
                arithmetic::dot(
                    &normal,
                    &[0, 1, 2].map(|i: usize| N::of_difference(point[i], on[i])),
                )
            }
            PlaneLocus::Offset(offset) => {
                arithmetic::dot(&normal, &point.map(N::exactly)).minus(&N::exactly(offset.into()))
            }
        }
    }

    pub(crate) fn exact_height(&self, point: V3) -> Dyadic {
        self.height_in(point)
    }

    /// Returns the exact sign of the height of a point, which is finite.
    pub(crate) fn sign_at(&self, point: V3) -> i32 {
        let quickly = || self.height(point).sign();
        let known = are_moderate(&[point]).then(quickly).flatten();
        known.unwrap_or_else(|| self.exact_height(point).sign())
    }
}

impl Plane {
    /// Returns the change of height per unit of this direction.
    pub(super) fn slope(&self, dir: V3) -> Bounded {
        dot(widen(self.normal), dir)
    }

    pub(super) fn exact_slope(&self, dir: V3) -> Dyadic {
        exact_dot(&exact(widen(self.normal)), &exact(dir))
    }

    /// Returns the length of the normal: squares of `f32`s are exact, so two roundings of the sum
    /// count half in the root, which adds its own.
    pub(super) fn length(&self) -> Bounded {
        let [x, y, z] = widen(self.normal);
        let value = sqrt(x * x + y * y + z * z);
        Bounded {
            value,
            error: 3.0 * f64::EPSILON / 2.0 * value,
        }
    }

    /// Returns the square of the normal's length.
    pub(super) fn exact_square(&self) -> Dyadic {
        let normal = exact(widen(self.normal));
        exact_dot(&normal, &normal)
    }
}
