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
//! underflows: heights and their bounds are zero or at least 2^-351.

use crate::arithmetic::{Bounded, Dyadic, Ratio, quotient, round, widen};
use crate::shapes::Plane;
use core::cell::LazyCell;
use glam::Vec3;

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
pub(super) fn crossing(
    plane: &Plane,
    front: Vec3,
    behind: Vec3,
    is_from_behind: bool,
) -> (Vec3, f32) {
    let (front, behind) = (widen(front), widen(behind));
    let (f, g) = (plane.height(front), plane.height(behind).negated());
    let both = sum(f, g);
    let exact = LazyCell::new(|| {
        let (f, g) = (plane.exact_height(front), plane.exact_height(behind).neg());
        let both = f.add(&g);
        (f, g, both)
    });
    let coordinate = |axis: usize| {
        let (a, b) = (front[axis], behind[axis]);
        let weighted = sum(times(g, a), times(f, b));
        round(quotient(weighted, both)).unwrap_or_else(|| {
            let (f, g, both) = &*exact;
            let [a, b] = [a, b].map(Dyadic::from_f64);
            Ratio::new(g.mul(&a).add(&f.mul(&b)), both.clone()).to_f32()
        })
    };
    let point = Vec3::new(coordinate(0), coordinate(1), coordinate(2));
    let numerator = if is_from_behind { g } else { f };
    let parameter = round(quotient(numerator, both)).unwrap_or_else(|| {
        let (f, g, both) = &*exact;
        let numerator = if is_from_behind { g } else { f };
        Ratio::new(numerator.clone(), both.clone()).to_f32()
    });
    (point, parameter)
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
            let mut vector = || Vec3::from([(); 3].map(|()| numbers.float(kind) as f32));
            let (on, normal, front, behind) = (vector(), vector(), vector(), vector());
            let Ok(plane) = Plane::through(on, normal) else {
                continue;
            };
            let (front, behind) = (widen(front), widen(behind));
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
