//! The right answers about triangles in `f64`.
//!
//! All numbers are integers in one unit, a power of two that divides every coordinate of a triangle and a ray.

use super::binary::Binary;
use super::closest::{Closest, feature};
use super::meet::{Line, Plate};
use super::number::{Fraction, Grid, Vector, nearest_f64};
use super::parameter::Parameter;
use super::winding::{EdgeUses, winding_number};
use estoc_core::glam::DVec3;
use estoc_core::{ClosestPoint, Hit, PrimId, Ray64, Side, Triangle64};
use num_traits::Zero;
use std::cmp::Ordering;

/// The oracle for a list of triangles in `f64`, whose indices are their [`PrimId`]s.
pub struct DoubleOracle {
    triangles: Vec<Triangle64>,
}

/// A triangle that a ray touches within its interval.
pub struct DoubleTouch {
    t: Parameter,
    /// The hit, each number rounded once.
    pub hit: Hit<f64>,
    /// The side that the ray comes from.
    pub side: Side,
    /// Whether the ray crosses the surface there.
    pub crosses: bool,
    /// Whether the exact parameter is an end of the ray's interval.
    pub is_at_end: bool,
}

impl DoubleOracle {
    /// Returns the oracle for these triangles; those that are not finite are never hit.
    pub fn new(triangles: Vec<Triangle64>) -> Self {
        DoubleOracle { triangles }
    }

    /// Returns the triangles, in order.
    pub fn triangles(&self) -> &[Triangle64] {
        &self.triangles
    }

    /// Returns the triangles with area, by id.
    pub(super) fn solid(&self) -> Vec<(PrimId, Triangle64)> {
        let all = (0..).map_while(PrimId::from_index).zip(&self.triangles);
        let all = all.filter(|(_, triangle)| {
            let numbers = || triangle.corners().into_iter().flat_map(|p| p.to_array());
            triangle.is_finite() && {
                let unit = numbers()
                    .map(|x| Binary::new(x).exponent)
                    .min()
                    .unwrap_or(0);
                let vector = |v: DVec3| Vector(v.to_array().map(|x| Binary::new(x).in_units(unit)));
                Plate::between(triangle.corners().map(vector)).has_area()
            }
        });
        all.map(|(prim, triangle)| (prim, *triangle)).collect()
    }

    /// Returns all triangles that a ray touches, in order.
    pub fn touches(&self, ray: &Ray64) -> Vec<DoubleTouch> {
        if ray.check().is_err() {
            return Vec::new();
        }
        let ids = (0..).map_while(PrimId::from_index);
        let touched = ids.zip(&self.triangles);
        let touched = touched.filter_map(|(prim, triangle)| touch(ray, prim, triangle));
        let mut touches: Vec<_> = touched.collect();
        touches.sort_by(|a, b| a.t.cmp(&b.t).then(a.hit.prim.cmp(&b.hit.prim)));
        touches
    }
}

/// A triangle with area near a point.
pub struct DoubleNear {
    closest: Closest,
    /// The unit of all numbers is 2 to this power.
    unit: i64,
    /// The answer, each number rounded once.
    pub rounded: ClosestPoint<f64>,
}

impl DoubleOracle {
    /// Returns the closest point of each triangle with area, by exact distance, ties by id.
    pub fn near(&self, point: DVec3) -> Vec<DoubleNear> {
        if !point.is_finite() {
            return Vec::new();
        }
        let finite = || {
            self.triangles
                .iter()
                .filter(|triangle| triangle.is_finite())
        };
        let corners = finite().flat_map(Triangle64::corners);
        let numbers = corners.chain([point]).flat_map(|p| p.to_array());
        let unit = numbers.map(|x| Binary::new(x).exponent).min().unwrap_or(0);
        let vector = |v: DVec3| Vector(v.to_array().map(|x| Binary::new(x).in_units(unit)));
        let at = vector(point);
        let near = (0..).map_while(PrimId::from_index).zip(&self.triangles);
        let near = near.filter_map(|(prim, triangle)| {
            if !triangle.is_finite() {
                return None;
            }
            let corners = triangle.corners().map(vector);
            let has_area = Plate::between(corners.clone()).has_area();
            has_area.then(|| DoubleNear::of(prim, Closest::of(&corners, &at), unit))
        });
        let mut near: Vec<_> = near.collect();
        near.sort_by(|a, b| {
            let order = a.closest.square.cmp(&b.closest.square);
            order.then(a.rounded.prim.cmp(&b.rounded.prim))
        });
        near
    }

    /// Returns whether a point is on the surface or inside it; `None` if it is not closed.
    pub fn contains(&self, point: DVec3) -> Option<bool> {
        let touches = |ray: Ray64| self.touches(&ray);
        let is_on = || {
            let here = |axis| Ray64::new(point, axis).with_interval(0.0, 0.0);
            DVec3::AXES
                .iter()
                .any(|&axis| !touches(here(axis)).is_empty())
        };
        let crossings = || touches(Ray64::new(point, DVec3::X));
        let is_odd = || crossings().iter().filter(|touch| touch.crosses).count() % 2 == 1;
        let is_closed = self.edge_uses().are_closed();
        is_closed.then(|| is_on() || is_odd())
    }

    /// Returns how often each edge is used in each direction.
    pub fn edge_uses(&self) -> EdgeUses {
        EdgeUses::of(&self.triangles)
    }

    /// Returns the winding number around a point that is not on a triangle with area. The surface must be oriented.
    pub fn winding_number(&self, point: DVec3) -> i64 {
        let grid = Grid::of(&self.triangles, [point]);
        let plates = self.triangles.iter().map(|triangle| {
            let corners = triangle.corners();
            triangle
                .is_finite()
                .then(|| Plate::between(corners.map(|p| grid.vector(p))))
        });
        winding_number(&plates.collect::<Vec<_>>(), &grid.vector(point))
    }
}

impl DoubleNear {
    fn of(prim: PrimId, closest: Closest, unit: i64) -> Self {
        // As many more bits as an `f64` may have behind the point.
        let below = usize::try_from(-unit).unwrap_or(0);
        let above = usize::try_from(unit).unwrap_or(0);
        let point = closest.point.0.each_ref();
        let point = point.map(|x| nearest_f64(&(x << above), &(&closest.den << below)));
        let weights = closest.weights.each_ref();
        let [_, u, v] = weights.map(|weight| nearest_f64(weight, &closest.den));
        let mut near = DoubleNear {
            rounded: ClosestPoint {
                distance: 0.0,
                prim,
                u,
                v,
                point: point.into(),
                feature: feature(weights.map(|weight| !weight.is_zero())),
            },
            closest,
            unit,
        };
        near.rounded.distance = nearest_root(&near.closest.square, unit);
        near
    }

    /// Returns whether the exact distance is at most a radius, which is not NaN.
    pub fn is_within(&self, radius: f64) -> bool {
        match radius.is_finite() {
            true => radius >= 0.0 && self.order(&Binary::new(radius)) != Ordering::Greater,
            false => radius > 0.0,
        }
    }

    /// Compares the exact distance with a number that is not negative.
    fn order(&self, other: &Binary) -> Ordering {
        order_root(&self.closest.square, self.unit, other)
    }
}

/// Compares the root of a square of lengths in units of 2 to a power with a number that is not negative.
fn order_root(square: &Fraction, unit: i64, other: &Binary) -> Ordering {
    let least = unit.min(other.exponent);
    let (other, shift) = (other.in_units(least), (unit - least) as usize);
    (&square.num << (2 * shift)).cmp(&(&other * &other * &square.den))
}

/// Returns the nearest `f64` to such a root.
pub(super) fn nearest_root(square: &Fraction, unit: i64) -> f64 {
    nearest_f64_by_order(|middle| order_root(square, unit, middle))
}

/// Returns the nearest `f64` to a number that is not negative, ties to even: the first whose upper neighbour is not
/// nearer. `order` compares the number with another one.
pub(super) fn nearest_f64_by_order(order: impl Fn(&Binary) -> Ordering) -> f64 {
    let is_beyond = |bits: u64| {
        let x = f64::from_bits(bits);
        let half = |x: f64| {
            let Binary { size, exponent } = Binary::new(x);
            Binary {
                size,
                exponent: exponent - 1,
            }
        };
        // The upper neighbour of the greatest is 2^1024.
        let above = match x == f64::MAX {
            true => Binary {
                size: 1.into(),
                exponent: 1023,
            },
            false => half(x.next_up()),
        };
        let order = order(&half(x).plus(&above));
        order == Ordering::Greater || (order == Ordering::Equal && bits & 1 == 1)
    };
    let (mut low, mut high) = (0, f64::INFINITY.to_bits());
    while low < high {
        let middle = low + (high - low) / 2;
        match is_beyond(middle) {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    f64::from_bits(low)
}

fn touch(ray: &Ray64, prim: PrimId, triangle: &Triangle64) -> Option<DoubleTouch> {
    if !triangle.is_finite() {
        return None;
    }
    let wide = |v: DVec3| v.to_array().map(Binary::new);
    let (origin, dir) = (wide(ray.origin), wide(ray.dir));
    let corners = triangle.corners().map(wide);
    let numbers = corners.iter().chain([&origin, &dir]).flatten();
    let unit = numbers.map(|number| number.exponent).min()?;
    let vector = |v: &[Binary; 3]| Vector(v.each_ref().map(|x| x.in_units(unit)));
    let line = Line::through(vector(&origin), &vector(&dir));
    let met = Plate::between(corners.each_ref().map(vector)).meet_exactly(&line)?;
    let [t, u, v] = met.numbers_f64();
    let exact = Parameter::Rational(met.t);
    let [start, end] = [ray.t_min, ray.t_max].map(|end| exact.cmp_f64(end));
    let is_within = start != Ordering::Less && end != Ordering::Greater;
    is_within.then_some(DoubleTouch {
        hit: Hit { t, u, v, prim },
        side: met.side,
        crosses: met.crosses,
        is_at_end: start == Ordering::Equal || end == Ordering::Equal,
        t: exact,
    })
}
