//! First contacts of moving spheres, by the signs of the distance between critical times.
//!
//! All lengths are integers of one unit, and so are velocities; the centre at the time `n / d` is
//! `d center + n velocity`, over d. The squared distance from a triangle less that of the radius can
//! change its sign only at roots of seven quadratics `a t^2 + 2 b t + c`: where the distance from
//! the plane, from the line of an edge or from a corner is the radius. So its sign is computed, in
//! rational numbers, between neighbouring roots, and at double roots, which are rational.
//!
//! Roots are stored to so many bits that two that differ at all differ there: with the coefficients
//! below `2^m`, a difference of two roots times both `a` is a sum of three terms, whose product with
//! its three conjugates is an integer.

use super::binary::Binary;
use super::closest::{Closest, feature};
use super::doubles::nearest_f64_by_order;
use super::number::{Grid, SCALE, Vector, nearest_by_order, nearest_f32, nearest_f64};
use estoc_core::glam::DVec3;
use estoc_core::{Coordinate, MovingSphere64, PrimId, SphereContact, Triangle64};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;

/// The first contact of a moving sphere.
#[derive(Clone, Debug)]
pub struct OracleContact<C: Coordinate = f32> {
    /// The answer, with the nearest number for each coordinate of the point.
    pub contact: SphereContact<C>,
    /// The exact point, to many bits, in units over a denominator.
    point: Vector,
    den: BigInt,
    grid: Grid,
}

impl<C: Coordinate> OracleContact<C> {
    /// Returns the distance of a point from the exact one along each axis.
    pub fn errors_of(&self, point: C::Point) -> [f64; 3] {
        [0, 1, 2].map(|axis| {
            let number = Binary::new(C::wide(point)[axis]);
            // The nearest number may need a smaller unit than what was asked.
            let unit = number.exponent.min(-(self.grid.0 as i64));
            let finer = (-unit) as usize - self.grid.0;
            let off = number.in_units(unit) * &self.den - (&self.point.0[axis] << finer);
            nearest_f64(&off.abs(), &(&self.den << (self.grid.0 + finer)))
        })
    }
}

/// How a kind of numbers is rounded: quotients, and numbers that can be compared with one in `f64` and an integer of
/// halves of the unit.
pub(super) trait SweepNumber: Coordinate {
    fn nearest_quotient(num: &BigInt, den: &BigInt) -> Self;
    fn nearest_time(movement: &Movement, root: &Critical) -> Self;
}

impl SweepNumber for f32 {
    fn nearest_quotient(num: &BigInt, den: &BigInt) -> f32 {
        nearest_f32(num, den)
    }

    fn nearest_time(movement: &Movement, root: &Critical) -> f32 {
        nearest_by_order(|twice| {
            let twice = Binary {
                size: twice.clone(),
                exponent: -(SCALE as i64) - 1,
            };
            movement.order_binary(root, &twice)
        })
    }
}

impl SweepNumber for f64 {
    fn nearest_quotient(num: &BigInt, den: &BigInt) -> f64 {
        nearest_f64(num, den)
    }

    fn nearest_time(movement: &Movement, root: &Critical) -> f64 {
        nearest_f64_by_order(|middle| movement.order_binary(root, middle))
    }
}

/// A moving sphere in integers.
pub(super) struct Movement {
    center: Vector,
    velocity: Vector,
    radius: BigInt,
    grid: Grid,
    /// Lengths are multiples of 2^length units, velocities of 2^speed.
    length: usize,
    speed: usize,
    /// The number of bits of times behind the point.
    bits: usize,
}

/// A root of a quadratic: `(-b + sign sqrt(b^2 - a c)) / a`.
#[derive(Clone)]
pub(super) struct Critical {
    a: BigInt,
    b: BigInt,
    square: BigInt,
    sign: i32,
    /// The root, times a power of two, to within 2.
    near: BigInt,
}

/// Returns the first contact with triangles whose corners are finite and that have area. The unit divides all numbers.
pub(super) fn first_contact<C: SweepNumber>(
    triangles: &[(PrimId, Triangle64)],
    sweep: &MovingSphere64,
    grid: Grid,
) -> Option<OracleContact<C>> {
    if !sweep.is_defined() {
        return None;
    }
    if sweep.radius == f64::INFINITY {
        let (prim, triangle) = triangles.iter().min_by_key(|(prim, _)| *prim)?;
        let at_rest = MovingSphere64 {
            radius: 0.0,
            ..*sweep
        };
        return Some(Movement::new(triangles, &at_rest, grid).at_start(*prim, triangle));
    }
    let movement = Movement::new(triangles, sweep, grid);
    let mut rough: Vec<(f64, PrimId, &Triangle64)> = triangles
        .iter()
        .filter_map(|(prim, triangle)| Some((rough_entry(triangle, sweep)?, *prim, triangle)))
        .collect();
    rough.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let touching = rough.iter().take_while(|&&(entry, ..)| entry == 0.0);
    let touching = touching.filter(|(_, _, triangle)| movement.touches_at_start(triangle));
    if let Some((_, prim, triangle)) = touching.min_by_key(|(_, prim, _)| *prim) {
        return Some(movement.at_start(*prim, triangle));
    }
    let mut first: Option<(Critical, PrimId, &Triangle64)> = None;
    let mut limit = f64::INFINITY;
    for (entry, prim, triangle) in rough {
        if entry > limit {
            break;
        }
        let Some(time) = movement.contact(triangle) else {
            continue;
        };
        let is_first = first.as_ref().is_none_or(|(best, other, _)| {
            movement.order(&time, best).then(prim.cmp(other)) == Ordering::Less
        });
        if is_first {
            limit = f64::nearest_time(&movement, &time).next_up() * (1.0 + 1e-6);
            first = Some((time, prim, triangle));
        }
    }
    let (time, prim, triangle) = first?;
    let is_in_time = sweep.t_max == f64::INFINITY
        || movement.order_binary(&time, &Binary::new(sweep.t_max)) != Ordering::Greater;
    is_in_time.then(|| movement.answer(&time, prim, triangle))
}

impl Movement {
    fn new(triangles: &[(PrimId, Triangle64)], sweep: &MovingSphere64, grid: Grid) -> Movement {
        let corners = triangles
            .iter()
            .flat_map(|(_, triangle)| triangle.corners());
        let lengths = corners.chain([sweep.center, DVec3::splat(sweep.radius)]);
        let integers = lengths.flat_map(|p| p.to_array()).map(|x| grid.number(x));
        let (mut length, mut most) = (u64::MAX, 0);
        for x in integers {
            length = length.min(x.trailing_zeros().unwrap_or(u64::MAX));
            most = most.max(x.bits());
        }
        let velocity = grid.vector(sweep.velocity);
        let speed = velocity.0.iter().filter_map(BigInt::trailing_zeros).min();
        let length = if length == u64::MAX {
            0
        } else {
            length as usize
        };
        let speed = speed.unwrap_or(0) as usize;
        let fastest = velocity.0.iter().map(BigInt::bits).max().unwrap_or(0);
        // Of differences, and of sums of three products.
        let space = most as usize - length.min(most as usize) + 3;
        let fast = fastest as usize - speed.min(fastest as usize) + 2;
        // The greatest is the face's: a has 4 lengths and 2 velocities, as has b with one more
        // length, and the root of the discriminant 5 lengths and a velocity.
        let a = 4 * space + 2 * fast + 8;
        let terms = a + 6 * space + 2 * fast + 8;
        Movement {
            center: down(&grid.vector(sweep.center), length),
            velocity: down(&velocity, speed),
            radius: grid.number(sweep.radius) >> length,
            grid,
            length,
            speed,
            bits: 3 * terms + 2 * a + 32,
        }
    }

    fn corners(&self, triangle: &Triangle64) -> [Vector; 3] {
        triangle
            .corners()
            .map(|p| down(&self.grid.vector(p), self.length))
    }

    /// Returns the closest point of a triangle to the centre at the time `num / den`.
    fn closest(&self, corners: &[Vector; 3], num: &BigInt, den: &BigInt) -> Closest {
        let center = self.center.times(den).plus(&self.velocity.times(num));
        Closest::of(&corners.each_ref().map(|p| p.times(den)), &center)
    }

    fn is_touching(&self, corners: &[Vector; 3], num: &BigInt, den: &BigInt) -> bool {
        let closest = self.closest(corners, num, den);
        let reach = &self.radius * den;
        closest.square.num <= &reach * &reach * &closest.square.den
    }

    fn touches_at_start(&self, triangle: &Triangle64) -> bool {
        self.is_touching(&self.corners(triangle), &BigInt::zero(), &BigInt::one())
    }

    fn at_start<C: SweepNumber>(&self, prim: PrimId, triangle: &Triangle64) -> OracleContact<C> {
        self.answer_at(prim, triangle, &BigInt::zero(), &BigInt::one(), None)
    }

    /// Returns the time of the first contact with a triangle that is not touched at the start.
    fn contact(&self, triangle: &Triangle64) -> Option<Critical> {
        let corners = self.corners(triangle);
        let mut roots: Vec<Critical> = Vec::new();
        for (a, b, c) in self.quadratics(&corners) {
            let square = &b * &b - &a * c;
            if a.is_zero() || square.is_negative() {
                continue;
            }
            let root = (&square << (2 * self.bits)).sqrt();
            for sign in [-1, 1] {
                let near = (-(&b << self.bits) + &root * sign) / &a;
                // Not one at the start: the distance from the triangle is greater then.
                if near > BigInt::from(4) {
                    let (a, b, square) = (a.clone(), b.clone(), square.clone());
                    roots.push(Critical {
                        a,
                        b,
                        square,
                        sign,
                        near,
                    });
                }
            }
        }
        roots.sort_by(|a, b| a.near.cmp(&b.near));
        let one = BigInt::one() << (self.bits + 1);
        for (place, root) in roots.iter().enumerate() {
            if root.square.is_zero() && self.is_touching(&corners, &-&root.b, &root.a) {
                return Some(root.clone());
            }
            let later = roots[place + 1..].iter();
            let next = later
                .map(|other| &other.near)
                .find(|near| *near - &root.near > four());
            let middle = &root.near + next?;
            if self.is_touching(&corners, &middle, &one) {
                return Some(root.clone());
            }
        }
        None
    }

    /// Returns the coefficients of the squared distances from the plane, the lines and the corners,
    /// less that of the radius.
    fn quadratics(&self, corners: &[Vector; 3]) -> Vec<(BigInt, BigInt, BigInt)> {
        let v = &self.velocity;
        let reach = &self.radius * &self.radius;
        let from = corners.each_ref().map(|p| self.center.minus(p));
        let normal = corners[1]
            .minus(&corners[0])
            .cross(&corners[2].minus(&corners[0]));
        let (height, slope) = (normal.dot(&from[0]), normal.dot(v));
        let mut found = vec![(
            &slope * &slope,
            &height * &slope,
            &height * &height - &reach * normal.dot(&normal),
        )];
        for (i, u) in from.iter().enumerate() {
            let edge = corners[(i + 1) % 3].minus(&corners[i]);
            let (along, rise, whole) = (u.dot(&edge), v.dot(&edge), edge.dot(&edge));
            found.push((v.dot(v), u.dot(v), u.dot(u) - &reach));
            found.push((
                v.dot(v) * &whole - &rise * &rise,
                u.dot(v) * &whole - &along * &rise,
                (u.dot(u) - &reach) * &whole - &along * &along,
            ));
        }
        found
    }

    fn order(&self, a: &Critical, b: &Critical) -> Ordering {
        let off = &a.near - &b.near;
        if off.abs() <= four() {
            Ordering::Equal
        } else {
            off.cmp(&BigInt::zero())
        }
    }

    /// Compares a root with a number.
    fn order_binary(&self, root: &Critical, other: &Binary) -> Ordering {
        // A time is in units of 2^(length - speed).
        let unit = other.exponent.min(0);
        let (left, right) = (self.length + unit.unsigned_abs() as usize, self.speed);
        let rest = -(&root.b << left) - ((&root.a * other.in_units(unit)) << right);
        let square = &root.square << (2 * left);
        // The sign of rest + sign sqrt(square).
        let size = (&rest * &rest).cmp(&square);
        match (rest.sign() == num_bigint::Sign::Minus, root.sign < 0) {
            (false, true) => size,
            (true, true) => Ordering::Less,
            (true, false) => size.reverse(),
            (false, false) if rest.is_zero() && square.is_zero() => Ordering::Equal,
            (false, false) => Ordering::Greater,
        }
    }

    fn answer<C: SweepNumber>(
        &self,
        time: &Critical,
        prim: PrimId,
        triangle: &Triangle64,
    ) -> OracleContact<C> {
        let one = BigInt::one() << self.bits;
        self.answer_at(
            prim,
            triangle,
            &time.near,
            &one,
            Some(C::nearest_time(self, time)),
        )
    }

    fn answer_at<C: SweepNumber>(
        &self,
        prim: PrimId,
        triangle: &Triangle64,
        num: &BigInt,
        den: &BigInt,
        t: Option<C>,
    ) -> OracleContact<C> {
        let corners = self.corners(triangle);
        let closest = self.closest(&corners, num, den);
        // A weight that is not zero is much larger than the error of one that is.
        let least = &closest.den >> if t.is_some() { self.bits / 2 } else { 0 };
        let has = closest.weights.each_ref().map(|weight| match t {
            Some(_) => *weight > least,
            None => weight.is_positive(),
        });
        let [w0, w1, w2] = &closest.weights;
        let [p0, p1, p2] = triangle.corners().map(|p| self.grid.vector(p));
        let point = p0.times(w0).plus(&p1.times(w1)).plus(&p2.times(w2));
        let den = &closest.den << self.grid.0;
        let rounded = [0, 1, 2].map(|i| C::nearest_quotient(&point.0[i], &den));
        OracleContact {
            contact: SphereContact {
                t: t.unwrap_or(C::of(0.0)),
                prim,
                point: C::point(rounded),
                feature: feature(has),
                is_touching_at_start: t.is_none(),
            },
            point,
            den: closest.den,
            grid: self.grid,
        }
    }
}

fn four() -> BigInt {
    BigInt::from(4)
}

fn down(v: &Vector, places: usize) -> Vector {
    Vector(std::array::from_fn(|i| &v.0[i] >> places))
}

/// Returns a lower bound of the time when the sphere may touch a triangle, 0 if it may at the start;
/// `None` if it does not touch its box. In `f64`, with a large margin.
fn rough_entry(triangle: &Triangle64, sweep: &MovingSphere64) -> Option<f64> {
    const MARGIN: f64 = 1e-9;
    let corners = triangle.corners();
    let (mut entry, mut exit) = (0.0f64, f64::INFINITY);
    for axis in 0..3 {
        let along = corners.map(|corner| corner[axis]);
        let least = along.into_iter().fold(f64::INFINITY, f64::min);
        let most = along.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let (center, speed, radius) = (sweep.center[axis], sweep.velocity[axis], sweep.radius);
        let margin = radius + MARGIN * (least.abs() + most.abs() + center.abs() + radius);
        let (low, high) = (least - margin - center, most + margin - center);
        if speed == 0.0 {
            if low > 0.0 || high < 0.0 {
                return None;
            }
            continue;
        }
        let (first, last) = (low / speed, high / speed);
        entry = entry.max(first.min(last));
        exit = exit.min(first.max(last));
    }
    (entry * (1.0 - MARGIN) <= exit * (1.0 + MARGIN)).then_some(entry * (1.0 - MARGIN))
}
