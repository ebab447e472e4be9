//! Ray and triangle on a grid: exact arithmetic in integers of fixed width.
//!
//! `f32`s are integers times a power of two. If the coordinates of the origin and the corners are
//! integers of at most 61 bits times a common power of two (55 bits for an origin a million sizes
//! away), and so are those of the direction, the four polynomials of `products.rs` fit into 192
//! bits: a difference into 63, a component of a cross product into 126. That is nearly always so,
//! and much cheaper than dyadic numbers, which have any size.

use crate::arithmetic::{BitSpan, Integer, minus, order_quotients};
use crate::shapes::{Ray, Triangle};
use core::cmp::Ordering;
use glam::Vec3;

/// The exact polynomials.
pub(super) struct GridProducts {
    pub(super) num: Integer,
    pub(super) den: Integer,
    /// The polynomial of the edge opposite to each corner.
    pub(super) edges: [Integer; 3],
    /// The factor that turns a quotient `num / den` into a parameter.
    pub(super) t_unit: f64,
}

/// The bits of coordinates that fit.
const BITS: i32 = 61;

/// Three integers.
pub(super) type I3 = [i64; 3];

/// A ray in integers, on a grid that also contains some triangles.
struct RayOnGrid {
    origin: I3,
    dir: I3,
    to_grid: f64,
    t_unit: f64,
}

impl RayOnGrid {
    /// Returns `None` when the numbers do not fit, or are not finite.
    #[inline(always)]
    fn of(ray: &Ray, triangles: &[&Triangle]) -> Option<Self> {
        let mut span = BitSpan::new();
        span.take(ray.origin);
        for triangle in triangles {
            span.take(triangle.p0);
            span.take(triangle.p1);
            span.take(triangle.p2);
        }
        let mut dir_span = BitSpan::new();
        dir_span.take(ray.dir);
        let (to_grid, dir_to_grid) = (span.scale(BITS)?, dir_span.scale(BITS)?);
        Some(RayOnGrid {
            origin: integers(ray.origin, to_grid),
            dir: integers(ray.dir, dir_to_grid),
            to_grid,
            t_unit: dir_to_grid / to_grid,
        })
    }

    /// Returns `p0-o`, `p1-p0`, `p2-p0`.
    #[inline(always)]
    fn sides(&self, triangle: &Triangle) -> (I3, I3, I3) {
        let p0 = integers(triangle.p0, self.to_grid);
        let p1 = integers(triangle.p1, self.to_grid);
        let p2 = integers(triangle.p2, self.to_grid);
        (minus(p0, self.origin), minus(p1, p0), minus(p2, p0))
    }

    /// Returns `num` and `den`.
    fn plane(&self, triangle: &Triangle) -> (Integer, Integer) {
        let (a, e1, e2) = self.sides(triangle);
        let n = cross(e1, e2);
        (dot(n, a), dot(n, self.dir))
    }
}

impl GridProducts {
    /// Returns `None` when the numbers do not fit, `Some(None)` when the ray is parallel to the
    /// triangle.
    #[inline(always)]
    pub(super) fn of(ray: &Ray, triangle: &Triangle) -> Option<Option<Self>> {
        Some(Self::on(&RayOnGrid::of(ray, &[triangle])?, triangle))
    }

    #[inline(always)]
    fn on(grid: &RayOnGrid, triangle: &Triangle) -> Option<Self> {
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

/// Compares the parameters at which a ray meets the planes of two triangles; `None` if the numbers
/// do not fit.
pub(super) fn order_on_grid(ray: &Ray, a: &Triangle, b: &Triangle) -> Option<Ordering> {
    let grid = RayOnGrid::of(ray, &[a, b])?;
    let ((num_a, den_a), (num_b, den_b)) = (grid.plane(a), grid.plane(b));
    Some(order_quotients(num_a, den_a, num_b, den_b))
}

#[inline(always)]
fn integers(p: Vec3, to_grid: f64) -> I3 {
    let integer = |x: f32| (f64::from(x) * to_grid) as i64;
    [integer(p.x), integer(p.y), integer(p.z)]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{Dyadic, Numbers, Ratio, exact, exact_minus, exact_triple, widen};

    fn value(x: Integer, unit: f64) -> Dyadic {
        let digits = x.digits().map(|digit| [digit as u32, (digit >> 32) as u32]);
        let mut sum = Dyadic::from_f64(0.0);
        for (place, digit) in digits.into_iter().flatten().enumerate() {
            let digit = f64::from(digit) * 2f64.powi(32 * place as i32) * f64::from(x.sign());
            sum = sum.add(&Dyadic::from_f64(digit));
        }
        sum.mul(&Dyadic::from_f64(unit))
    }

    fn same(found: Integer, unit: f64, truth: &Dyadic) {
        assert_eq!(value(found, unit).sub(truth).sign(), 0);
    }

    /// Returns a ray and two triangles, with much or little in common.
    fn case(numbers: &mut Numbers) -> (Ray, [Triangle; 2]) {
        let small = numbers.next().is_multiple_of(2);
        let mut vector = || match small {
            true => [1; 3].map(|kind| numbers.float(kind) as f32),
            false => numbers.vector().map(|x| x as f32),
        };
        let [o, d, a, b, c, mut e] = core::array::from_fn(|_| vector());
        if numbers.next().is_multiple_of(2) {
            // In the plane of the first triangle, if the sum is exact.
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
            let Some(grid) = RayOnGrid::of(&ray, &[&triangles[0], &triangles[1]]) else {
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
            let mut span = BitSpan::new();
            span.take(Vec3::new(low, -high, 0.0));
            span.scale(BITS)
        };
        // The highest number counts as having 24 bits.
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
