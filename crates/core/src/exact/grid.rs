//! Ray and triangle on a grid: exact arithmetic in integers of fixed width.
//!
//! `f32`s are integers times a power of two. Where those of the origin and the corners have a
//! common one that leaves them 61 bits (an origin a million sizes away has 55), and so have
//! those of the direction, the four polynomials of `products.rs` fit into 192 bits: a
//! difference into 63, a component of a cross product into 126. That is nearly always so, and
//! a fifth of the price of expansions, which take numbers of any size.

use super::integer::{Integer, order_quotients};
use crate::{Ray, Triangle};
use core::cmp::Ordering;

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

/// A ray and some triangles as integers.
struct Grid<const N: usize> {
    dir: I3,
    /// `p0-o`, `p1-p0`, `p2-p0` of each triangle.
    sides: [[I3; 3]; N],
    t_unit: f64,
}

impl<const N: usize> Grid<N> {
    /// `None` when they do not fit, or are not finite.
    #[inline]
    fn of(ray: &Ray, triangles: [&Triangle; N]) -> Option<Self> {
        let corners = triangles.map(|t| t.corners().map(|p| p.to_array()));
        let mut span = Span::new();
        span.take(ray.origin.to_array());
        for corner in corners.iter().flatten() {
            span.take(*corner);
        }
        let mut dir_span = Span::new();
        dir_span.take(ray.dir.to_array());
        let (to_grid, dir_to_grid) = (span.scale()?, dir_span.scale()?);

        let onto = |p: [f32; 3]| p.map(|x| (f64::from(x) * to_grid) as i64);
        let minus = |a: I3, b: I3| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        let origin = onto(ray.origin.to_array());
        Some(Grid {
            dir: ray
                .dir
                .to_array()
                .map(|x| (f64::from(x) * dir_to_grid) as i64),
            sides: corners.map(|corners| {
                let [p0, p1, p2] = corners.map(onto);
                [minus(p0, origin), minus(p1, p0), minus(p2, p0)]
            }),
            t_unit: dir_to_grid / to_grid,
        })
    }

    /// `num` and `den`.
    fn plane(&self, triangle: usize) -> (Integer, Integer) {
        let [a, e1, e2] = self.sides[triangle];
        let n = cross(e1, e2);
        (dot(n, a), dot(n, self.dir))
    }
}

impl GridProducts {
    /// `Some(None)` when the ray is parallel to the triangle.
    #[inline]
    pub(super) fn of(ray: &Ray, triangle: &Triangle) -> Option<Option<Self>> {
        let grid = Grid::of(ray, [triangle])?;
        let [a, e1, e2] = grid.sides[0];
        let n = cross(e1, e2);
        let den = dot(n, grid.dir);
        if den.sign() == 0 {
            return Some(None);
        }
        let q = cross(a, grid.dir);
        let (edge1, edge2) = (dot(q, e2), dot(q, e1).negated());
        Some(Some(GridProducts {
            num: dot(n, a),
            den,
            edges: [den.minus(edge1).minus(edge2), edge1, edge2],
            t_unit: grid.t_unit,
        }))
    }
}

/// The order of the parameters at which a ray meets the planes of two triangles, if they fit.
pub(super) fn order_on_grid(ray: &Ray, a: &Triangle, b: &Triangle) -> Option<Ordering> {
    let grid = Grid::of(ray, [a, b])?;
    let ((num_a, den_a), (num_b, den_b)) = (grid.plane(0), grid.plane(1));
    Some(order_quotients(num_a, den_a, num_b, den_b))
}

fn cross(a: I3, b: I3) -> [i128; 3] {
    let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
    [
        product(a[1], b[2]) - product(a[2], b[1]),
        product(a[2], b[0]) - product(a[0], b[2]),
        product(a[0], b[1]) - product(a[1], b[0]),
    ]
}

fn dot(a: [i128; 3], b: I3) -> Integer {
    let [x, y, z] = [0, 1, 2].map(|i| Integer::product(a[i], b[i]));
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

    #[inline]
    fn take(&mut self, numbers: [f32; 3]) {
        for x in numbers {
            let bits = x.to_bits();
            let exponent = (bits >> 23 & 0xff) as i32;
            // Zeros are of no consequence: their lowest bit is higher than any.
            let leading = u32::from(exponent > 0) << 23;
            let mantissa = bits & 0x7f_ffff | leading;
            let unit = exponent.max(1) - 150;
            let low = match mantissa {
                0 => i32::MAX,
                _ => unit + mantissa.trailing_zeros() as i32,
            };
            self.low = self.low.min(low);
            self.high = self.high.max(unit + 24);
        }
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
