//! The point in which a plane crosses an edge, rounded once.
//!
//! With the heights f > 0 of the corner a in front and -g < 0 of the corner b behind, the plane
//! crosses at `(g a + f b) / (g + f)`, which is at `f / (g + f)` of the way from a to b.
//!
//! # Bound
//! With v = 2^-53 and heights that are off by at most F and G, the products are off by at most
//! `G |a|` and `F |b|` and v of themselves, and their sum by another v of itself, which is not more
//! than v of their sizes. So `G |a| + F |b|` and 2v of the sizes of the products bound the
//! numerator, to first order, and `G + F` and v of the sizes of the heights the denominator. 4v
//! instead, and a factor of 1 + 4v, cover higher orders and the roundings of the bounds. Nothing
//! underflows where corners are moderate: heights and their bounds are zero or at least 2^-607. An `f32` is rounded from
//! the interval that follows, an `f64` by pairs, and what these leave open by integers.

use crate::arithmetic::{Bounded, Dyadic, Number, Pair, Ratio, V3, quotient};
use crate::shapes::{Coordinate, Plane};
use core::cell::LazyCell;
use glam::DVec3;

const FOUR_V: f64 = 2.0 * f64::EPSILON;

/// Returns `x + y` with its bound, for numbers of known sizes that were rounded at most once.
fn sum(x: Bounded, y: Bounded) -> Bounded {
    Bounded {
        value: x.value + y.value,
        error: (x.error + y.error) * (1.0 + FOUR_V) + FOUR_V * (x.value.abs() + y.value.abs()),
    }
}

/// Returns the product with an exact number, for [`sum`]: without the rounding of the product.
fn times(x: Bounded, y: f64) -> Bounded {
    Bounded {
        value: x.value * y,
        error: x.error * y.abs(),
    }
}

/// Returns where the plane crosses the edge between a corner in front of it and one behind it, and
/// how far on the way that is, from the corner behind where `is_from_behind`.
pub(super) fn crossing<C: Coordinate>(
    plane: &Plane<f64>,
    front: DVec3,
    behind: DVec3,
    is_from_behind: bool,
) -> (C::Point, C) {
    let (front, behind) = (front.to_array(), behind.to_array());
    let (f, g) = plane.heights(front, behind);
    let both = sum(f, g);
    let pairs = LazyCell::new(|| Heights::<Pair>::of(plane, front, behind));
    let exact = LazyCell::new(|| Heights::<Dyadic>::of(plane, front, behind));
    let coordinate = |axis: usize| {
        let (a, b) = (front[axis], behind[axis]);
        C::nearest(
            || quotient(sum(times(g, a), times(f, b)), both),
            || pairs.between(a, b).over(&pairs.both, 0.0),
            || Ratio::new(exact.between(a, b), exact.both.clone()),
        )
    };
    let point = C::point([coordinate(0), coordinate(1), coordinate(2)]);
    let parameter = C::nearest(
        || quotient(if is_from_behind { g } else { f }, both),
        || pairs.from(is_from_behind).over(&pairs.both, 0.0),
        || Ratio::new(exact.from(is_from_behind).clone(), exact.both.clone()),
    );
    (point, parameter)
}

/// The heights of two corners on different sides of a plane, both positive, and their sum.
struct Heights<N> {
    front: N,
    behind: N,
    both: N,
}

impl<N: Number> Heights<N> {
    fn of(plane: &Plane<f64>, front: V3, behind: V3) -> Self {
        let (front, behind) = (
            plane.height_in::<N>(front),
            plane.height_in::<N>(behind).negative(),
        );
        Heights {
            both: front.plus(&behind),
            front,
            behind,
        }
    }

    fn from(&self, is_from_behind: bool) -> &N {
        if is_from_behind {
            &self.behind
        } else {
            &self.front
        }
    }

    /// Returns the weighted sum of a coordinate of both corners.
    fn between(&self, front: f64, behind: f64) -> N {
        let [a, b] = [front, behind].map(N::exactly);
        self.behind.times(&a).plus(&self.front.times(&b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{Numbers, share_of_bound};

    /// The bounds hold for numbers of all sizes, and are not idle.
    #[test]
    fn bounds_hold() {
        let mut numbers = Numbers(1);
        let mut most = [0.0f64; 2];
        for round in 0..20_000 {
            let kind = round % 4;
            // Of as many bits as an `f32` has, and of all.
            let more = if round % 8 < 4 { 0.0 } else { 1e-9 };
            let mut number = || numbers.float(kind) * (1.0 + more * numbers.float(4));
            let mut vector = || [number(), number(), number()];
            let (on, normal, front, behind) = (vector(), vector(), vector(), vector());
            let plane = match round % 3 {
                0 => Plane::from_offset_f64(normal, on[0]),
                _ => Plane::through_f64(on, normal),
            };
            let Ok(plane) = plane else {
                continue;
            };
            let (f, g) = (plane.height(front), plane.height(behind).negated());
            let (exact_f, exact_g) = (plane.exact_height(front), plane.exact_height(behind).neg());
            most[0] = most[0].max(share_of_bound(sum(f, g), &exact_f.add(&exact_g)));
            for axis in 0..3 {
                let (a, b) = (front[axis], behind[axis]);
                let [exact_a, exact_b] = [a, b].map(Dyadic::from_f64);
                let exact = exact_g.mul(&exact_a).add(&exact_f.mul(&exact_b));
                most[1] = most[1].max(share_of_bound(sum(times(g, a), times(f, b)), &exact));
            }
        }
        assert!(
            most.iter().all(|&share| share > 0.1 && share <= 1.0),
            "{most:?}"
        );
    }
}
