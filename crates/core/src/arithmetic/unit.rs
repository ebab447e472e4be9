//! Unit vectors, rounded once.

use super::polynomial::{Bounded, ExactV3, exact_dot};
use super::{Dyadic, Ratio, quotient, round};
use core::cell::LazyCell;
use glam::{DVec3, Vec3};

/// Returns the vector divided by its length: in each coordinate the nearest `f32`, zero is +0. The
/// zero vector is returned unchanged.
///
/// `exact` returns the components that `v` bounds. They are polynomials of degree at most 2 in
/// `f32`s and their differences.
///
/// Errors of the components change the length by at most their sum. With u = 2^-53, the three
/// roundings before the root count half in it and the root adds its own: 4u of the length cover
/// them and those of the sum. Nothing underflows or overflows: components lie in 2^-298 ..= 2^260.
pub(crate) fn unit(v: [Bounded; 3], exact: impl Fn() -> ExactV3) -> Vec3 {
    let value = DVec3::from_array(v.map(|component| component.value)).length();
    let length = Bounded {
        value,
        error: v[0].error + v[1].error + v[2].error + value * (2.0 * f64::EPSILON),
    };
    let exact = LazyCell::new(|| {
        let v = exact();
        let square = exact_dot(&v, &v);
        (v, square)
    });
    Vec3::from_array([0, 1, 2].map(|axis| {
        round(quotient(v[axis], length)).unwrap_or_else(|| {
            let (v, square) = &*exact;
            over_root(&v[axis], square)
        })
    }))
}

/// Returns the unit vector along an exact vector, with each component rounded to nearest; zero for the
/// zero vector.
pub(crate) fn exact_unit(v: &ExactV3) -> Vec3 {
    let square = exact_dot(v, v);
    Vec3::from_array([0, 1, 2].map(|axis| over_root(&v[axis], &square)))
}

/// Returns `x / sqrt(square)`, rounded to nearest; zero is +0, and overflow is infinite. `|x|` over the root
/// is compared with a number halfway between two `f32`s by comparing the squares.
#[cold]
pub(crate) fn over_root(x: &Dyadic, square: &Dyadic) -> f32 {
    if x.sign() == 0 {
        return 0.0; // also where the square is zero
    }
    let size = Ratio::new(x.square(), square.clone()).root_to_f32();
    if x.sign() < 0 { 0.0 - size } else { size }
}

#[cfg(test)]
mod tests {
    use super::super::{exact, widen};
    use super::*;

    fn unit_of(v: [f32; 3]) -> [f32; 3] {
        let v = widen(v.into());
        unit(v.map(Bounded::exact), || exact(v)).to_array()
    }

    #[test]
    fn lengths_of_every_size_become_one() {
        assert_eq!(unit_of([0.0, -3e-45, 0.0]), [0.0, -1.0, 0.0]);
        assert_eq!(unit_of([f32::MAX, 0.0, -0.0]), [1.0, 0.0, 0.0]);
        assert_eq!(unit_of([3e30, 0.0, -4e30])[1].to_bits(), 0);
        assert_eq!(unit_of([3.0, 0.0, -4.0]), [0.6, 0.0, -0.8]);
        assert_eq!(unit_of([0.0, -0.0, 0.0]).map(f32::to_bits), [0; 3]);
        let third = 0.577_350_26;
        for size in [1e-45, 1e-30, 1.0, 1e30, f32::MAX] {
            assert_eq!(unit_of([size, -size, size]), [third, -third, third]);
        }
        // Components so different that two vanish or are subnormal.
        assert_eq!(unit_of([1e30, -1e-30, 1e-10]), [1.0, 0.0, 1e-40]);
        assert_eq!(unit_of([1e30, -1e-30, 1e-10])[1].to_bits(), 0);
    }

    /// The quotient is next to the middle between two `f32`s, closer than `f64` can resolve, on
    /// either side.
    #[test]
    fn the_closest_calls_are_right() {
        for odd in [1, 3, 5, 2_001, 4_003] {
            // A number with 25 bits, and a second component that makes the length nearly 1.
            let middle = 0.5 + f64::from(odd) * 2f64.powi(-25);
            let x = Dyadic::from_f64(middle);
            let one = Dyadic::from_f64(1.0);
            let rest = one.sub(&x.mul(&x));
            let y = rest.estimate().sqrt();
            let wide = Dyadic::from_f64(y);
            let low = rest.sub(&wide.mul(&wide)).estimate() / (2.0 * y);
            for (nudge, above) in [(-2f64.powi(-90), true), (2f64.powi(-90), false)] {
                let tail = Dyadic::from_f64(low).add(&Dyadic::from_f64(nudge));
                let found = unit([middle, y, 0.0].map(Bounded::rounded), || {
                    let y = wide.clone().add(&tail);
                    [x.clone(), y, Dyadic::from_f64(0.0)]
                });
                assert_eq!(f64::from(found.x) > middle, above, "{odd} {nudge:e}");
            }
        }
    }

    /// The exact stage alone returns the same as both together.
    #[test]
    fn both_stages_agree() {
        let mut state = 1u32;
        for _ in 0..2000 {
            let v = [(); 3].map(|()| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) as f32 - 8_388_608.0
            });
            let v = widen(v.into());
            let unknown = v.map(|value| Bounded {
                value,
                error: f64::INFINITY,
            });
            let both = unit(v.map(Bounded::exact), || exact(v));
            assert_eq!(unit(unknown, || exact(v)), both, "{v:?}");
        }
    }
}
