//! Signs of orientations, exactly.

use crate::arithmetic::{
    Bounded, Dyadic, V3, are_moderate, exact_minus, exact_triple, minus, triple,
};

/// The corners of a triangle.
pub(super) type Corners = [V3; 3];

/// Returns the sign of `(a-d) . ((b-d) x (c-d))`, for finite points.
///
/// Of a product of two components, less than 2^-1074 underflows, which the third one multiplies; and of the product
/// of three as much. Where something overflows, nothing is certain.
pub(crate) fn orient(a: V3, b: V3, c: V3, d: V3) -> i32 {
    let from = minus(a, d);
    let Bounded { value, error } = triple(from, minus(b, d), minus(c, d));
    let lost = (from[0].abs() + from[1].abs() + from[2].abs() + 1.0) * TINY;
    if value.abs() > error + lost {
        return if value > 0.0 { 1 } else { -1 };
    }
    match error == 0.0 && are_moderate(&[a, b, c, d]) {
        true => 0,
        false => exactly(a, b, c, d),
    }
}

/// 2^-1070.
const TINY: f64 = f64::from_bits(1 << 4);

#[cold]
#[inline(never)]
fn exactly(a: V3, b: V3, c: V3, d: V3) -> i32 {
    exact_triple(&exact_minus(a, d), &exact_minus(b, d), &exact_minus(c, d)).sign()
}

/// Returns on which sides of the plane of a triangle points are: the signs of
/// `(b-a) x (c-a) . (p-a)`.
pub(super) fn heights<const N: usize>([a, b, c]: &Corners, points: &[V3; N]) -> [i32; N] {
    points.map(|point| orient(*b, *c, point, *a))
}

/// Returns the sign of `(a-c) x (b-c)`, seen along an axis.
pub(super) fn orient_along(axis: usize, a: V3, b: V3, c: V3) -> i32 {
    let seen = |point: V3| [point[(axis + 1) % 3], point[(axis + 2) % 3]];
    orient_in_plane(seen(a), seen(b), seen(c))
}

/// 2^-900.
const LEAST: f64 = f64::from_bits((1023 - 900) << 52);

/// Returns the exact sign of `(a-c) x (b-c)`: 1 if the points turn counter-clockwise, 0 if they lie on a
/// line, else -1. Their coordinates must be finite.
pub fn orient_in_plane(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> i32 {
    let (left, right) = ((a[0] - c[0]) * (b[1] - c[1]), (a[1] - c[1]) * (b[0] - c[0]));
    // Each product has three roundings of 2^-53 and their difference a fourth; a fifth covers those
    // of the bound. What underflows is less than the least, and where something overflows, nothing is certain.
    const FIVE_V: f64 = 5.0 * f64::EPSILON / 2.0;
    let bounded = Bounded {
        value: left - right,
        error: FIVE_V * (left.abs() + right.abs()) + LEAST,
    };
    bounded.sign().unwrap_or_else(|| {
        let difference = |point: [f64; 2], i: usize| Dyadic::difference(point[i], c[i]);
        let left = difference(a, 0).mul(&difference(b, 1));
        left.sub(&difference(a, 1).mul(&difference(b, 0))).sign()
    })
}

/// Returns an axis along which the triangle is seen with area, and the sign of its orientation
/// there; `None` for a triangle without area.
pub(super) fn axis_with_area([a, b, c]: &Corners) -> Option<(usize, i32)> {
    let seen = (0..3).map(|axis| (axis, orient_along(axis, *a, *b, *c)));
    seen.into_iter().find(|&(_, side)| side != 0)
}
