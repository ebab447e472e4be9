//! The polynomials of the plane, in `f64` with a bound and exactly.
//!
//! The height of a point p is `normal . (p - point)` or `normal . p - offset`: the distance times
//! the length of the normal. With v = 2^-53, a difference of `f32`s is rounded once, a product with
//! one twice, and a sum of three adds two roundings: `x . y` is off by at most 4v times the sum of
//! the sizes of its terms, to first order; so is the form with the offset, whose products are
//! exact. The computed sum of sizes is too small by at most 4v, so 5v suffice. Nothing underflows
//! or overflows.

use super::{Plane, PlaneLocus};
use crate::arithmetic::{Bounded, Dyadic, V3, exact, exact_dot, exact_minus, minus, sqrt, widen};

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

impl Plane {
    /// Returns the height of a point.
    pub(crate) fn height(&self, point: V3) -> Bounded {
        let normal = widen(self.normal);
        match self.locus {
            PlaneLocus::Point(on) => dot(normal, minus(point, widen(on))),
            PlaneLocus::Offset(offset) => {
                let (along, offset) = (dot(normal, point), f64::from(offset));
                Bounded {
                    value: along.value - offset,
                    error: along.error + FIVE_V * offset.abs(),
                }
            }
        }
    }

    pub(crate) fn exact_height(&self, point: V3) -> Dyadic {
        let normal = exact(widen(self.normal));
        match self.locus {
            PlaneLocus::Point(on) => exact_dot(&normal, &exact_minus(point, widen(on))),
            PlaneLocus::Offset(offset) => {
                exact_dot(&normal, &exact(point)).sub(&Dyadic::from_f64(offset.into()))
            }
        }
    }

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
