//! Scales along the axes with rotations by quaternions, as matrices whose entries are rounded once.
//!
//! For a quaternion q of any length but 0, the matrix of the rotation by `q / |q|` is `N / |q|^2`, where the
//! entries of N are polynomials of degree 2 in the numbers of q (Shoemake 1985). So each entry of the matrix
//! of both is a quotient of a polynomial of degree 3 and one of degree 2, and no root is taken. It is rounded
//! in numbers of about 100 bits with bounds, and exactly where these leave the rounding open.

use crate::arithmetic::{Dyadic, Number, Pair, Ratio};
use core::array;
use core::cell::LazyCell;
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// Returns the map that scales, then rotates, then translates, with each entry the `f64` nearest to that of
/// exact arithmetic on the numbers given, ties to even; zero is +0, but the translation is taken as it is.
/// Returns `None` for a quaternion that is zero, NaN or infinite.
///
/// Where a scale is NaN or infinite, its column is that of the rotation times it.
pub fn scale_rotation_translation(
    scale: DVec3,
    rotation: DQuat,
    translation: DVec3,
) -> Option<DAffine3> {
    let xyzw = rotation.to_array();
    if !rotation.is_finite() || xyzw == [0.0; 4] {
        return None;
    }
    let (columns, square) = rotated::<Pair>(xyzw);
    let exact = LazyCell::new(|| rotated::<Dyadic>(xyzw));
    let column = |axis: usize| {
        let (scale, rest) = match scale[axis] {
            scale if scale.is_finite() => (scale, 1.0),
            scale => (1.0, scale),
        };
        let entry = |row: usize| {
            let quick = Pair::exactly(scale).times(&columns[axis][row]);
            quick.over(&square, 0.0).unwrap_or_else(|| {
                let (columns, square) = &*exact;
                let num = Dyadic::from_f64(scale).mul(&columns[axis][row]);
                Ratio::new(num, square.clone()).to_f64()
            })
        };
        DVec3::from_array(array::from_fn(entry)) * rest
    };
    let linear = DMat3::from_cols(column(0), column(1), column(2));
    Some(DAffine3::from_mat3_translation(linear, translation))
}

/// Returns the columns of the matrix of a rotation, times the square of the quaternion's length, and that.
fn rotated<N: Number>(xyzw: [f64; 4]) -> ([[N; 3]; 3], N) {
    let [x, y, z, w] = xyzw.map(N::exactly);
    let [xx, yy, zz, ww] = [&x, &y, &z, &w].map(|a| a.times(a));
    let level = |a: &N, b: &N, c: &N| ww.plus(a).minus(&b.plus(c));
    let two = N::exactly(2.0);
    let sum = |a: &N, b: &N, c: &N| two.times(&a.times(b).plus(&c.times(&w)));
    let difference = |a: &N, b: &N, c: &N| two.times(&a.times(b).minus(&c.times(&w)));
    let columns = [
        [
            level(&xx, &yy, &zz),
            sum(&x, &y, &z),
            difference(&x, &z, &y),
        ],
        [
            difference(&x, &y, &z),
            level(&yy, &xx, &zz),
            sum(&y, &z, &x),
        ],
        [
            sum(&x, &z, &y),
            difference(&y, &z, &x),
            level(&zz, &xx, &yy),
        ],
    ];
    (columns, xx.plus(&yy).plus(&zz.plus(&ww)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Numbers;
    use num_rational::BigRational;
    use num_traits::{Signed, ToPrimitive, Zero};

    /// Returns whether `found` is the `f64` nearest to a number, ties to even.
    fn is_nearest(found: f64, exact: &BigRational) -> bool {
        let of = |x: f64| BigRational::from_float(x).unwrap();
        let away = |x: f64| (of(x) - exact).abs();
        let is_even = found.to_bits() & 1 == 0;
        let is_nearer = |other: f64| {
            let (distance, of_other) = (away(found), away(other));
            distance < of_other || (distance == of_other && is_even)
        };
        let others = [found.next_down(), found.next_up()];
        // No entry is larger than its scale.
        others
            .into_iter()
            .all(|other| other.is_infinite() || is_nearer(other))
    }

    /// Returns the entry of the rotation by `q v / q` with rationals: another formula than the code's.
    fn turned(xyzw: [f64; 4], axis: usize) -> [BigRational; 3] {
        let of = |x: f64| BigRational::from_float(x).unwrap();
        let [x, y, z, w] = xyzw.map(of);
        let times = |a: &[BigRational; 4], b: &[BigRational; 4]| {
            let [[ax, ay, az, aw], [bx, by, bz, bw]] = [a, b];
            [
                aw * bx + ax * bw + ay * bz - az * by,
                aw * by - ax * bz + ay * bw + az * bx,
                aw * bz + ax * by - ay * bx + az * bw,
                aw * bw - ax * bx - ay * by - az * bz,
            ]
        };
        let q = [x.clone(), y.clone(), z.clone(), w.clone()];
        let conjugate = [-&x, -&y, -&z, w.clone()];
        let mut v = [0.0; 4];
        v[axis] = 1.0;
        let square = &x * &x + &y * &y + &z * &z + &w * &w;
        let [x, y, z, real] = times(&times(&q, &v.map(of)), &conjugate);
        assert!(real.is_zero());
        [x / &square, y / &square, z / square]
    }

    fn map(scale: [f64; 3], xyzw: [f64; 4], moved: [f64; 3]) -> DAffine3 {
        let rotation = DQuat::from_array(xyzw);
        scale_rotation_translation(scale.into(), rotation, moved.into()).unwrap()
    }

    fn check(scale: [f64; 3], xyzw: [f64; 4], moved: [f64; 3]) {
        let found = map(scale, xyzw, moved);
        assert_eq!(
            found.translation.to_array().map(f64::to_bits),
            moved.map(f64::to_bits)
        );
        for axis in 0..3 {
            let scale = scale[axis];
            let factor = BigRational::from_float(scale).unwrap();
            for (row, exact) in turned(xyzw, axis).iter().enumerate() {
                let entry = found.matrix3.col(axis)[row];
                let case =
                    std::format!("{scale:?} {xyzw:?}: row {row}, column {axis} is {entry:?}");
                let exact = exact * &factor;
                assert!(
                    is_nearest(entry, &exact),
                    "{case}, not {:?}",
                    exact.to_f64()
                );
                assert!(entry != 0.0 || entry.is_sign_positive(), "{case}");
            }
        }
    }

    #[test]
    fn entries_are_the_nearest_to_rationals() {
        let mut numbers = Numbers(0x2c1b_3c6d_6c62_272e);
        let mut checked = 0;
        while checked < 1_500 {
            let (kind, other) = (checked % 5, checked / 5 % 5);
            let xyzw: [f64; 4] = array::from_fn(|_| numbers.float(kind));
            let scale = array::from_fn(|_| numbers.float(other));
            let moved = array::from_fn(|_| numbers.float(other));
            if xyzw == [0.0; 4] {
                continue;
            }
            check(scale, xyzw, moved);
            // As files have it: of length 1 but for the rounding of each number.
            let length = DQuat::from_array(xyzw).length();
            if length.is_normal() {
                check(scale, xyzw.map(|x| f64::from((x / length) as f32)), moved);
            }
            checked += 1;
        }
        let (tiny, most) = (f64::from_bits(1), f64::MAX);
        let ends = [0.0, tiny, -tiny, 1e-160, 1.0, -1.0, 1e160, most, -most];
        for (i, &a) in ends.iter().enumerate() {
            for &b in &ends {
                let scale = [a, b, ends[(i + 4) % ends.len()]];
                check(scale, [0.25, 0.5, -0.125, 0.7], [b, a, -0.0]);
                if (a, b) != (0.0, 0.0) {
                    check([-3.0, 0.1, tiny], [a, 0.0, b, a], [a; 3]);
                    check([1.0, most, -1.0], [b, a, a, b], [b; 3]);
                }
            }
        }
    }

    /// A quaternion of short decimals turns exactly.
    #[test]
    fn quarter_turns_are_exact_at_every_length() {
        for half in [
            0.71,
            0.707,
            std::f64::consts::FRAC_1_SQRT_2,
            1e-300,
            1e300,
            1e-323,
        ] {
            let found = map([2.0, 3.0, -5.0], [0.0, 0.0, half, half], [7.0, 8.0, 9.0]);
            let expected = [[0.0, 2.0, 0.0], [-3.0, 0.0, 0.0], [0.0, 0.0, -5.0]];
            assert_eq!(found.matrix3.to_cols_array_2d(), expected, "{half}");
        }
    }

    #[test]
    fn what_turns_nothing_is_refused() {
        let [nan, inf] = [f64::NAN, f64::INFINITY];
        for xyzw in [
            [0.0; 4],
            [0.0, -0.0, 0.0, 0.0],
            [nan, 0.0, 0.0, 1.0],
            [0.0, 0.0, 0.0, inf],
        ] {
            let rotation = DQuat::from_array(xyzw);
            let refused = scale_rotation_translation(DVec3::ONE, rotation, DVec3::ZERO);
            assert_eq!(refused, None, "{xyzw:?}");
        }
        let found = map([inf, nan, 2.0], [0.0, 0.0, 0.0, 1.0], [nan, 0.0, 0.0]);
        assert!(found.matrix3.x_axis.x == inf && found.matrix3.y_axis.y.is_nan());
        assert_eq!(found.matrix3.z_axis.to_array(), [0.0, 0.0, 2.0]);
    }
}
