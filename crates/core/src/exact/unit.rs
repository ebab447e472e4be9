//! Vectors made one long, rounded once.

use super::polynomial::{ExactV3, V3, exact_dot};
use super::{Ratio, round};
use glam::{DVec3, Vec3};

/// The vector divided by its length: in each coordinate the nearest `f32`, zero is +0.
///
/// The components of `v` must have been rounded at most once, and `exact` gives them as they
/// were before; they are products of at most two `f32`s, and not all zero.
///
/// With u = 2^-53: a component is off by u, its square by 3u, their sum by 5u, its root by
/// 3.5u and the quotient by 5.5u. Nothing under- or overflows: components lie in
/// 2^-298 ..= 2^257. Where 8u leave two `f32`s to choose from, `x = c / |v|` is compared with
/// the number halfway between them as `c^2 / v.v` with its square.
pub(crate) fn unit(v: V3, exact: impl Fn() -> ExactV3) -> Vec3 {
    let length = DVec3::from_array(v).length();
    let component = |axis: usize| {
        let x = v[axis] / length;
        let error = x.abs() * (4.0 * f64::EPSILON);
        round((x - error, x + error)).unwrap_or_else(|| {
            let exact = exact();
            let square = exact[axis].mul(&exact[axis]);
            let size = Ratio::new(square, exact_dot(&exact, &exact)).root_to_f32(x.abs() as f32);
            if x < 0.0 { 0.0 - size } else { size }
        })
    };
    Vec3::new(component(0), component(1), component(2))
}

#[cfg(test)]
mod tests {
    use super::super::{Expansion, exact, widen};
    use super::*;

    fn unit_of(v: [f32; 3]) -> [f32; 3] {
        let v = widen(v.into());
        unit(v, || exact(v)).to_array()
    }

    #[test]
    fn lengths_of_every_size_become_one() {
        assert_eq!(unit_of([0.0, -3e-45, 0.0]), [0.0, -1.0, 0.0]);
        assert_eq!(unit_of([f32::MAX, 0.0, -0.0]), [1.0, 0.0, 0.0]);
        assert_eq!(unit_of([3e30, 0.0, -4e30])[1].to_bits(), 0);
        assert_eq!(unit_of([3.0, 0.0, -4.0]), [0.6, 0.0, -0.8]);
        let third = 0.577_350_26;
        for size in [1e-45, 1e-30, 1.0, 1e30, f32::MAX] {
            assert_eq!(unit_of([size, -size, size]), [third, -third, third]);
        }
        // So uneven that two components vanish, or are subnormal.
        assert_eq!(unit_of([1e30, -1e-30, 1e-10]), [1.0, 0.0, 1e-40]);
        assert_eq!(unit_of([1e30, -1e-30, 1e-10])[1].to_bits(), 0);
    }

    /// Beside the middle between two `f32`s by less than `f64` can show, on either side.
    #[test]
    fn the_closest_calls_are_right() {
        for odd in [1, 3, 5, 2_001, 4_003] {
            // A number with 25 bits, and a second component that makes the length nearly 1.
            let middle = 0.5 + f64::from(odd) * 2f64.powi(-25);
            let x = Expansion::from_f64(middle);
            let one = Expansion::from_f64(1.0);
            let rest = one.sub(&x.mul(&x));
            let y = rest.estimate().sqrt();
            let wide = Expansion::from_f64(y);
            let low = rest.sub(&wide.mul(&wide)).estimate() / (2.0 * y);
            for (nudge, above) in [(-2f64.powi(-90), true), (2f64.powi(-90), false)] {
                let tail = Expansion::from_f64(low).add(&Expansion::from_f64(nudge));
                let found = unit([middle, y, 0.0], || {
                    let y = wide.clone().add(&tail);
                    [x.clone(), y, Expansion::from_f64(0.0)]
                });
                assert_eq!(f64::from(found.x) > middle, above, "{odd} {nudge:e}");
            }
        }
    }

    /// The exact stage alone gives what both together give.
    #[test]
    fn both_stages_agree() {
        let mut state = 1u32;
        for _ in 0..2000 {
            let v = [(); 3].map(|()| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) as f32 - 8_388_608.0
            });
            let fast = unit_of(v);
            let e = exact(widen(v.into()));
            for axis in 0..3 {
                let ratio = Ratio::new(e[axis].mul(&e[axis]), exact_dot(&e, &e));
                let found = fast[axis].abs();
                // From one step off: the exact stage has to find it.
                assert_eq!(ratio.root_to_f32(found.next_up()), found, "{v:?}");
            }
        }
    }
}
