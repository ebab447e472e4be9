//! Ray and triangle on a grid: exact arithmetic in integers of fixed width.
//!
//! `f32`s are integers times a power of two. Where those of the origin and the corners have a
//! common one that leaves them 61 bits (an origin a million sizes away has 55), and so have
//! those of the direction, the four polynomials of `products.rs` fit into 192 bits: a
//! difference into 63, a component of a cross product into 126. That is nearly always so, and
//! much cheaper than expansions, which take numbers of any size.

use crate::arithmetic::{Integer, order_quotients};
use crate::{Ray, Triangle};
use core::cmp::Ordering;
use glam::Vec3;

/// The polynomials, exactly.
pub(super) struct GridProducts {
    pub(super) num: Integer,
    pub(super) den: Integer,
    /// Of the edge opposite to each corner.
    pub(super) edges: [Integer; 3],
    /// What a quotient `num / den` has to be multiplied by.
    pub(super) t_unit: f64,
}

type I3 = [i64; 3];

/// A ray as integers, on a grid that holds some triangles too.
struct Grid {
    origin: I3,
    dir: I3,
    to_grid: f64,
    t_unit: f64,
}

impl Grid {
    /// `None` when they do not fit, or are not finite.
    #[inline(always)]
    fn of(ray: &Ray, triangles: &[&Triangle]) -> Option<Self> {
        let mut span = Span::new();
        span.take(ray.origin);
        for triangle in triangles {
            span.take(triangle.p0);
            span.take(triangle.p1);
            span.take(triangle.p2);
        }
        let mut dir_span = Span::new();
        dir_span.take(ray.dir);
        let (to_grid, dir_to_grid) = (span.scale()?, dir_span.scale()?);
        Some(Grid {
            origin: integers(ray.origin, to_grid),
            dir: integers(ray.dir, dir_to_grid),
            to_grid,
            t_unit: dir_to_grid / to_grid,
        })
    }

    /// `p0-o`, `p1-p0`, `p2-p0`.
    #[inline(always)]
    fn sides(&self, triangle: &Triangle) -> (I3, I3, I3) {
        let p0 = integers(triangle.p0, self.to_grid);
        let p1 = integers(triangle.p1, self.to_grid);
        let p2 = integers(triangle.p2, self.to_grid);
        (minus(p0, self.origin), minus(p1, p0), minus(p2, p0))
    }

    /// `num` and `den`.
    fn plane(&self, triangle: &Triangle) -> (Integer, Integer) {
        let (a, e1, e2) = self.sides(triangle);
        let n = cross(e1, e2);
        (dot(n, a), dot(n, self.dir))
    }
}

impl GridProducts {
    /// `Some(None)` when the ray is parallel to the triangle.
    #[inline(always)]
    pub(super) fn of(ray: &Ray, triangle: &Triangle) -> Option<Option<Self>> {
        Some(Self::on(&Grid::of(ray, &[triangle])?, triangle))
    }

    #[inline(always)]
    fn on(grid: &Grid, triangle: &Triangle) -> Option<Self> {
        let (a, e1, e2) = grid.sides(triangle);
        let n = cross(e1, e2);
        let den = dot(n, grid.dir);
        if den.sign() == 0 {
            return None;
        }
        let q = cross(a, grid.dir);
        let (edge1, edge2) = (dot(q, e2), dot(q, e1).negated());
        Some(GridProducts {
            num: dot(n, a),
            den,
            edges: [den.minus(edge1).minus(edge2), edge1, edge2],
            t_unit: grid.t_unit,
        })
    }
}

/// The order of the parameters at which a ray meets the planes of two triangles, if they fit.
pub(super) fn order_on_grid(ray: &Ray, a: &Triangle, b: &Triangle) -> Option<Ordering> {
    let grid = Grid::of(ray, &[a, b])?;
    let ((num_a, den_a), (num_b, den_b)) = (grid.plane(a), grid.plane(b));
    Some(order_quotients(num_a, den_a, num_b, den_b))
}

#[inline(always)]
fn integers(p: Vec3, to_grid: f64) -> I3 {
    let integer = |x: f32| (f64::from(x) * to_grid) as i64;
    [integer(p.x), integer(p.y), integer(p.z)]
}

#[inline(always)]
fn minus(a: I3, b: I3) -> I3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn cross(a: I3, b: I3) -> [i128; 3] {
    let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
    [
        product(a[1], b[2]) - product(a[2], b[1]),
        product(a[2], b[0]) - product(a[0], b[2]),
        product(a[0], b[1]) - product(a[1], b[0]),
    ]
}

#[inline(always)]
fn dot(a: [i128; 3], b: I3) -> Integer {
    let x = Integer::product(a[0], b[0]);
    let y = Integer::product(a[1], b[1]);
    let z = Integer::product(a[2], b[2]);
    x.plus(y).plus(z)
}

/// The bits that some numbers take up: exponents of the lowest, and of one above the highest.
struct Span {
    low: i32,
    high: i32,
}

impl Span {
    const BITS: i32 = 61;
    /// Higher than any number has it.
    const NOT_FINITE: i32 = 128;

    fn new() -> Self {
        Span {
            low: i32::MAX,
            high: i32::MIN,
        }
    }

    #[inline(always)]
    fn take(&mut self, p: Vec3) {
        self.take_number(p.x);
        self.take_number(p.y);
        self.take_number(p.z);
    }

    #[inline(always)]
    fn take_number(&mut self, x: f32) {
        let bits = x.to_bits();
        let exponent = (bits >> 23 & 0xff) as i32;
        // Of a zero, the lowest bit is one that no matter is made of.
        let leading = u32::from(exponent > 0) << 23;
        let mantissa = bits & 0x7f_ffff | leading | 1 << 31;
        let unit = exponent.max(1) - 150;
        let place = mantissa.trailing_zeros() as i32;
        let low = if place == 31 { i32::MAX } else { unit + place };
        self.low = self.low.min(low);
        self.high = self.high.max(unit + 24);
    }

    /// The power of two that makes them integers, if those have no more than [`Span::BITS`].
    #[inline]
    fn scale(&self) -> Option<f64> {
        if self.high > Self::NOT_FINITE {
            return None;
        }
        if self.low == i32::MAX {
            return Some(1.0); // all are zero
        }
        (self.high - self.low <= Self::BITS)
            .then(|| f64::from_bits(((1023 - self.low) as u64) << 52))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{Expansion, Numbers, Ratio, exact, exact_minus, exact_triple, widen};

    fn value(x: Integer, unit: f64) -> Expansion {
        let digits = x.digits().map(|digit| [digit as u32, (digit >> 32) as u32]);
        let mut sum = Expansion::from_f64(0.0);
        for (place, digit) in digits.into_iter().flatten().enumerate() {
            let digit = f64::from(digit) * 2f64.powi(32 * place as i32) * f64::from(x.sign());
            sum = sum.add(&Expansion::from_f64(digit));
        }
        sum.mul(&Expansion::from_f64(unit))
    }

    fn same(found: Integer, unit: f64, truth: &Expansion) {
        assert_eq!(value(found, unit).sub(truth).sign(), 0);
    }

    /// A ray and two triangles, with much in common or little.
    fn case(numbers: &mut Numbers) -> (Ray, [Triangle; 2]) {
        let small = numbers.next().is_multiple_of(2);
        let mut vector = || match small {
            true => [1; 3].map(|kind| numbers.float(kind) as f32),
            false => numbers.vector().map(|x| x as f32),
        };
        let [o, d, a, b, c, mut e] = core::array::from_fn(|_| vector());
        if numbers.next().is_multiple_of(2) {
            // In the plane of the others, where that needs no rounding.
            e = [0, 1, 2].map(|i| b[i] + (c[i] - a[i]));
        }
        let triangles = [Triangle::new(a, b, c), Triangle::new(b, a, e)];
        (Ray::new(o, d), triangles)
    }

    #[test]
    fn all_that_fits_is_exact() {
        let mut numbers = Numbers(0x853c_49e6_748f_ea9b);
        let (mut fitted, mut parallel, mut ties) = (0, 0, 0);
        let rounds = 40_000;
        for _ in 0..rounds {
            let (ray, triangles) = case(&mut numbers);
            let Some(grid) = Grid::of(&ray, &[&triangles[0], &triangles[1]]) else {
                continue;
            };
            fitted += 1;
            let (o, d) = (widen(ray.origin), widen(ray.dir));
            let unit = 1.0 / grid.to_grid;
            let dir_unit = unit / grid.t_unit;
            let mut parameters = triangles.iter().map(|triangle| {
                let corners = triangle.corners().map(widen);
                let [p0, p1, p2] = corners;
                let sides = (exact_minus(p1, p0), exact_minus(p2, p0));
                let num = exact_triple(&exact_minus(p0, o), &sides.0, &sides.1);
                let den = exact_triple(&exact(d), &sides.0, &sides.1);
                let Some(found) = GridProducts::on(&grid, triangle) else {
                    parallel += 1;
                    assert_eq!(den.sign(), 0);
                    return None;
                };
                same(found.num, unit * unit * unit, &num);
                same(found.den, dir_unit * unit * unit, &den);
                for (corner, edge) in found.edges.into_iter().enumerate() {
                    let (start, end) = (corners[(corner + 1) % 3], corners[(corner + 2) % 3]);
                    let (from, along) = (exact_minus(start, o), exact_minus(end, start));
                    let truth = exact_triple(&exact(d), &from, &along);
                    same(edge, dir_unit * unit * unit, &truth);
                }
                Some(Ratio::new(num, den))
            });
            if let (Some(Some(a)), Some(Some(b))) = (parameters.next(), parameters.next()) {
                let order = order_on_grid(&ray, &triangles[0], &triangles[1]);
                assert_eq!(order, Some(a.cmp(&b)));
                ties += usize::from(order == Some(Ordering::Equal));
            }
        }
        println!("of {rounds}: {fitted} fitted, {parallel} parallel, {ties} ties");
        assert!(fitted > rounds / 4 && parallel > 100 && ties > 1000);
    }

    #[test]
    fn the_widest_fit_and_wider_ones_do_not() {
        let span = |low: f32, high: f32| {
            let mut span = Span::new();
            span.take(Vec3::new(low, -high, 0.0));
            span.scale()
        };
        // The highest is taken to have 24 bits below it.
        let power = |exponent: i32| 2f32.powi(exponent);
        assert_eq!(span(power(-30), power(30)), Some(2f64.powi(30)));
        assert_eq!(span(power(-31), power(30)), None);
        assert_eq!(
            span(f32::from_bits(1), f32::from_bits(3)),
            Some(2f64.powi(149))
        );
        assert_eq!(span(f32::MAX, power(70)), Some(2f64.powi(-70)));
        assert_eq!(span(0.0, -0.0), Some(1.0));
        for bad in [f32::INFINITY, f32::NAN] {
            assert_eq!(span(1.0, bad), None);
            assert_eq!(span(bad, 0.0), None);
        }
    }
}
