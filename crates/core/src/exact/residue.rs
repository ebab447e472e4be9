//! Exact numbers from what `f64` leaves open, and arithmetic modulo 2^64.
//!
//! All coordinates are multiples of some power of two, all components of the direction of
//! another. Counted in these units, the polynomials of `products.rs` are integers, and `i64`s
//! that wrap around hold them modulo 2^64, however large the products on the way are. Where
//! `f64` and its bound say that one of them is less than 2^62 units from zero, its residue is
//! itself. What `f64` leaves open is next to zero, so that is nearly always so: a triangle
//! with corners of 24 bits and edges a thousandth of that, and a direction of 24 bits more,
//! make a `den` of 2^52 units that is known to 2^5.
//!
//! It costs a sixth of the integers of `grid.rs`, which know all numbers and not only small
//! ones.

use super::polynomial::V3;
use super::products::Products;

type I3 = [i64; 3];

/// The polynomials modulo 2^64, and what they are counted in.
pub(super) struct Residues {
    a: I3,
    e1: I3,
    e2: I3,
    dir: I3,
    /// 2^62 units of `den` and the edges.
    most: f64,
    /// 2^62 units of `num`.
    most_num: f64,
}

impl Residues {
    /// `None` when the coordinates lie too far apart, or are not finite. All must be `f32`s.
    #[inline(always)]
    pub(super) fn of(origin: V3, dir: V3, [p0, p1, p2]: [V3; 3]) -> Option<Self> {
        let unit = Unit::of([
            origin[0], origin[1], origin[2], p0[0], p0[1], p0[2], p1[0], p1[1], p1[2], p2[0],
            p2[1], p2[2],
        ])?;
        let dir_unit = Unit::of(dir)?;
        let count = |to: V3, from: V3| [0, 1, 2].map(|axis| unit.count(to[axis] - from[axis]));
        Some(Residues {
            a: count(p0, origin),
            e1: count(p1, p0),
            e2: count(p2, p0),
            dir: dir.map(|x| dir_unit.count(x)),
            most: power_of_two(62 + 2 * unit.exponent + dir_unit.exponent),
            most_num: power_of_two(62 + 3 * unit.exponent),
        })
    }

    /// The sign of `den`, if it is known.
    #[inline(always)]
    pub(super) fn den_sign(&self, found: &Products) -> Option<i32> {
        let residue = || dot(self.dir, cross(self.e1, self.e2));
        sign(found.den, found.den_error, self.most, residue)
    }

    /// The sign of `num`, if it is known.
    #[inline(always)]
    pub(super) fn num_sign(&self, found: &Products) -> Option<i32> {
        let residue = || dot(self.a, cross(self.e1, self.e2));
        sign(found.num, found.num_error, self.most_num, residue)
    }

    /// The sign of the edge opposite to each corner, where it is known.
    #[inline(always)]
    pub(super) fn edge_signs(&self, found: &Products) -> [Option<i32>; 3] {
        let q = cross(self.a, self.dir);
        let edge1 = dot(self.e2, q);
        let edge2 = dot(self.e1, q).wrapping_neg();
        let edge0 = || {
            let den = dot(self.dir, cross(self.e1, self.e2));
            den.wrapping_sub(edge1).wrapping_sub(edge2)
        };
        let [f0, f1, f2] = found.edges;
        [
            sign(f0, found.edge_error, self.most, edge0),
            sign(f1, found.edge_error, self.most, || edge1),
            sign(f2, found.edge_error, self.most, || edge2),
        ]
    }
}

/// The sign of a number, of which `f64` knows this much.
#[inline(always)]
fn sign(value: f64, error: f64, most: f64, residue: impl Fn() -> i64) -> Option<i32> {
    let size = value.abs();
    if size > error {
        Some(if value > 0.0 { 1 } else { -1 })
    } else if size + error < most {
        Some(residue().signum() as i32)
    } else {
        None // NaN comes here too
    }
}

/// A power of two that some numbers are multiples of.
struct Unit {
    exponent: i32,
    /// 3 * 2^51 units. With a multiple of less than 2^51 units the sum lies between 2^52 and
    /// 2^53 of them, where numbers are one unit apart: it is exact, and its bits count units.
    offset: f64,
}

impl Unit {
    const BIAS: i32 = 1023;
    /// An `f32` is a multiple of this power of two times its leading bit.
    const LAST_PLACE: i32 = -23;

    /// `None` when the difference of two of them may have 2^51 units or more, when one is not
    /// finite, and when all are zero.
    #[inline(always)]
    fn of<const N: usize>(numbers: [f64; N]) -> Option<Self> {
        let (mut least, mut most) = (u64::MAX, 0);
        for x in numbers {
            let size = x.abs().to_bits();
            // Zero is a multiple of everything.
            least = least.min(size.wrapping_sub(1));
            most = most.max(size);
        }
        // Of the least and of the greatest, the leading bits. Each is less than twice its
        // leading bit, and so their difference less than four times the greatest.
        let (least, most) = ((least.wrapping_add(1) >> 52) as i32, (most >> 52) as i32);
        let all_zero = least == 0; // that of the least f32 is 874
        if all_zero || most > Self::BIAS + 127 || most - least + 2 - Self::LAST_PLACE > 51 {
            return None;
        }
        let exponent = least - Self::BIAS + Self::LAST_PLACE;
        Some(Unit {
            exponent,
            offset: 1.5 * power_of_two(52 + exponent),
        })
    }

    /// How many units a number has.
    #[inline(always)]
    fn count(&self, x: f64) -> i64 {
        (x + self.offset)
            .to_bits()
            .wrapping_sub(self.offset.to_bits()) as i64
    }
}

#[inline(always)]
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((Unit::BIAS + exponent) as u64) << 52)
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
    let [x, y, z] = [0, 1, 2].map(|i| a[i].wrapping_mul(b[i]));
    x.wrapping_add(y).wrapping_add(z)
}
