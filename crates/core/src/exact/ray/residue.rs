//! Exact values of polynomials that `f64` leaves open, by arithmetic modulo 2^64.
//!
//! All coordinates are multiples of some power of two, all components of the direction of another.
//! In these units, the polynomials of `products.rs` are integers, and wrapping `i64`s contain them
//! modulo 2^64, however large the intermediate products are. Where `f64` and its bound prove that a
//! polynomial is less than 2^62 units from zero, it equals its residue. What `f64` leaves open is
//! close to zero, so that is nearly always so: for a triangle with corners of 24 bits and edges a
//! thousandth of that, and a direction of 24 bits, `den` is of the order of 2^52 units and known to
//! 2^5.
//!
//! This takes about half the instructions of the integers of `grid.rs`, which represent all numbers
//! and not only small ones.

use super::grid::I3;
use super::products::Products;
use crate::arithmetic::{Bounded, V3, larger, largest, smaller};

/// The factors of the polynomials modulo 2^64, and their units.
pub(super) struct Residues {
    a: I3,
    e1: I3,
    e2: I3,
    dir: I3,
    /// The unit of `den` and the edges, and that of `num`, as exponents of two.
    exponent: i32,
    num_exponent: i32,
}

impl Residues {
    /// Returns `None` when some numbers are too far apart. All must be `f32`s, origin and direction
    /// finite.
    #[inline(always)]
    pub(super) fn of(origin: V3, dir: V3, [p0, p1, p2]: [V3; 3]) -> Option<Self> {
        let minus = |a: V3, b: V3| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        let (a, e1, e2) = (minus(p0, origin), minus(p1, p0), minus(p2, p0));
        let low = smaller(
            smaller(lowest(origin), lowest(p0)),
            smaller(lowest(p1), lowest(p2)),
        );
        let size = larger(larger(largest(a), largest(e1)), largest(e2));
        let unit = GridUnit::of(low, size)?;
        let dir_unit = GridUnit::of(lowest(dir), largest(dir))?;
        Some(Residues {
            a: unit.count(a),
            e1: unit.count(e1),
            e2: unit.count(e2),
            dir: dir_unit.count(dir),
            exponent: 2 * unit.exponent + dir_unit.exponent,
            num_exponent: 3 * unit.exponent,
        })
    }

    #[inline(always)]
    pub(super) fn den(&self, found: &Products) -> Bounded {
        let residue = || dot(self.dir, cross(self.e1, self.e2));
        sharpened(found.den, found.den_error, self.exponent, residue)
    }

    #[inline(always)]
    pub(super) fn num(&self, found: &Products) -> Bounded {
        let residue = || dot(self.a, cross(self.e1, self.e2));
        sharpened(found.num, found.num_error, self.num_exponent, residue)
    }

    /// Returns the polynomial of the edge opposite to each corner.
    #[inline(always)]
    pub(super) fn edges(&self, found: &Products) -> [Bounded; 3] {
        let q = cross(self.a, self.dir);
        let edge1 = dot(self.e2, q);
        let edge2 = dot(self.e1, q).wrapping_neg();
        let edge0 = || {
            let den = dot(self.dir, cross(self.e1, self.e2));
            den.wrapping_sub(edge1).wrapping_sub(edge2)
        };
        let [f0, f1, f2] = found.edges;
        let error = found.edge_error;
        [
            sharpened(f0, error, self.exponent, edge0),
            sharpened(f1, error, self.exponent, || edge1),
            sharpened(f2, error, self.exponent, || edge2),
        ]
    }
}

/// Returns a number with this value and bound in `f64`: rounded from its residue if it equals its
/// residue, otherwise unchanged.
#[inline(always)]
fn sharpened(value: f64, error: f64, exponent: i32, residue: impl Fn() -> i64) -> Bounded {
    if value.abs() + error < power_of_two(62 + exponent) {
        Bounded::rounded(residue() as f64 * power_of_two(exponent))
    } else {
        Bounded { value, error } // also for NaN
    }
}

/// A power of two of which some numbers are multiples.
struct GridUnit {
    exponent: i32,
    /// 3 * 2^51 units. The sum with a multiple of less than 2^51 units lies between 2^52 and 2^53
    /// units, where numbers are one unit apart: it is exact, and its bits count units.
    offset: f64,
}

impl GridUnit {
    /// Returns the unit of numbers with this smallest size, if sizes up to `size` are below 2^51
    /// units.
    ///
    /// The numbers are `f32`s, each a multiple of 2^-23 times its leading bit. Differences of them
    /// can be counted too: these are multiples as well, and as they are less than 2^53 units, they
    /// are not rounded.
    #[inline(always)]
    fn of(lowest: f64, size: f64) -> Option<Self> {
        let exponent = (lowest.to_bits() >> 52) as i32 - BIAS - 23;
        let fits = lowest.is_finite() && size < power_of_two(51 + exponent);
        fits.then(|| GridUnit {
            exponent,
            offset: 1.5 * power_of_two(52 + exponent),
        })
    }

    /// Returns the numbers in units.
    #[inline(always)]
    fn count(&self, v: V3) -> I3 {
        [self.number(v[0]), self.number(v[1]), self.number(v[2])]
    }

    #[inline(always)]
    fn number(&self, x: f64) -> i64 {
        let sum = x + self.offset;
        sum.to_bits().wrapping_sub(self.offset.to_bits()) as i64
    }
}

/// Returns the smallest size of the numbers that are not zero. Here and below, a NaN may be
/// ignored.
#[inline(always)]
fn lowest(v: V3) -> f64 {
    let key = |x: f64| if x == 0.0 { f64::INFINITY } else { x.abs() };
    smaller(smaller(key(v[0]), key(v[1])), key(v[2]))
}

const BIAS: i32 = 1023;

/// Returns a power of two that is a normal number.
#[inline(always)]
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((BIAS + exponent) as u64) << 52)
}

#[inline(always)]
fn cross(a: I3, b: I3) -> I3 {
    let minor = |j: usize, k: usize| {
        a[j].wrapping_mul(b[k])
            .wrapping_sub(a[k].wrapping_mul(b[j]))
    };
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

#[inline(always)]
fn dot(a: I3, b: I3) -> i64 {
    let product = |i: usize| a[i].wrapping_mul(b[i]);
    product(0).wrapping_add(product(1)).wrapping_add(product(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{Dyadic, Numbers, exact, exact_minus, exact_triple, share_of_bound};

    /// Returns a ray and a triangle, often with an edge or a corner on the ray, or both in a plane.
    fn case(numbers: &mut Numbers) -> (V3, V3, [V3; 3]) {
        let kind = numbers.next() >> 32;
        let mut vector = || match kind % 4 {
            0 => numbers.vector(),
            1 => [1; 3].map(|kind| numbers.float(kind)),
            2 => [3; 3].map(|kind| numbers.float(kind)),
            _ => [4; 3].map(|kind| numbers.float(kind)),
        };
        let [mut o, mut d, a, b, mut c] = core::array::from_fn(|_| vector());
        let narrow = |x: f64| f64::from(x as f32);
        let pick = numbers.next() >> 32;
        if kind & 16 == 0 {
            // A sliver: almost no area.
            let along = numbers.float(4);
            c = [0, 1, 2].map(|i| narrow(a[i] + along * (b[i] - a[i])));
        }
        match pick % 4 {
            0 => d = [0, 1, 2].map(|i| narrow(b[i] - a[i])),
            1 => d = [0, 1, 2].map(|i| narrow((b[i] - a[i]) - (c[i] - a[i]))),
            2 => d = [0, 1, 2].map(|i| narrow(a[i] - o[i])),
            _ => {}
        }
        if pick.is_multiple_of(5) {
            o = [0, 1, 2].map(|i| narrow(a[i] + (b[i] - c[i]))); // in the plane, or nearly
        }
        (o, d, [a, b, c])
    }

    #[test]
    fn bounds_and_signs_are_those_of_dyadic_numbers() {
        let mut numbers = Numbers(0xda94_2042_e4dd_58b5);
        // Of den, num and the edges: left open by f64, of these known, of these not zero.
        let mut counts = [[0usize; 3]; 3];
        for _ in 0..60_000 {
            let (o, d, corners) = case(&mut numbers);
            let Some(residues) = (d != [0.0; 3])
                .then(|| Residues::of(o, d, corners))
                .flatten()
            else {
                continue;
            };
            let found = Products::of(o, d, corners);
            let [p0, p1, p2] = corners;
            let sides = (exact_minus(p1, p0), exact_minus(p2, p0));
            let mut check = |kind: usize, sharp: Bounded, value: f64, error, truth: Dyadic| {
                let [open, known, other] = &mut counts[kind];
                let sign = sharp.sign();
                if value.abs() <= error {
                    *open += 1;
                    *known += usize::from(sign.is_some());
                    *other += usize::from(sign.is_some_and(|sign| sign != 0));
                }
                let what = || format!("{kind}: {o:?} {d:?} {corners:?}");
                assert_eq!(sign.unwrap_or(truth.sign()), truth.sign(), "{}", what());
                share_of_bound(sharp, &truth);
            };
            let den = exact_triple(&exact(d), &sides.0, &sides.1);
            check(0, residues.den(&found), found.den, found.den_error, den);
            let num = exact_triple(&exact_minus(p0, o), &sides.0, &sides.1);
            check(1, residues.num(&found), found.num, found.num_error, num);
            for (corner, edge) in residues.edges(&found).into_iter().enumerate() {
                let (start, end) = (corners[(corner + 1) % 3], corners[(corner + 2) % 3]);
                let (from, along) = (exact_minus(start, o), exact_minus(end, start));
                let truth = exact_triple(&exact(d), &from, &along);
                check(2, edge, found.edges[corner], found.edge_error, truth);
            }
        }
        println!("of den, num, edges: open, of these known, of these not zero: {counts:?}");
        for [open, known, other] in counts {
            assert!(
                known > open / 2 && known - other > 1000 && other > 1000,
                "{counts:?}"
            );
        }
    }

    #[test]
    fn units_hold_what_is_as_wide_as_can_be() {
        let power = |exponent: i32| 2f64.powi(exponent);
        let unit = |v: V3, size: f64| GridUnit::of(lowest(v), size);
        let below = |x: f64| x.next_down();
        let found = unit([1.5, -1e30, 0.0], below(power(28))).unwrap();
        assert_eq!(found.exponent, -23);
        let widest = power(28) - power(-23);
        let numbers = [widest, -widest, power(-23)];
        assert_eq!(found.count(numbers).map(|n| n as f64 * power(-23)), numbers);
        assert_eq!(found.count([0.0, -0.0, -1.0]), [0, 0, -1 << 23]);
        assert!(unit([1.0; 3], power(28)).is_none());

        let least = f64::from(f32::from_bits(1));
        let found = unit([0.0, -least, 1.0], below(power(-121))).unwrap();
        assert_eq!(found.count([5.0 * least, 0.0, 0.0]), [5 << 23, 0, 0]);
        assert!(unit([f32::MAX.into(); 3], 2.0 * f64::from(f32::MAX)).is_some());
        assert!(unit([0.0, -0.0, 0.0], 0.0).is_none());
        for bad in [f64::INFINITY, f64::NAN] {
            assert!(unit([bad; 3], 0.0).is_none());
            assert!(unit([1.0; 3], bad).is_none());
        }
    }
}
