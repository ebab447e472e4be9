//! The right answers about triangles in `f64`.
//!
//! All numbers are integers in one unit, a power of two that divides every coordinate of a triangle and a ray.

use super::binary::Binary;
use super::meet::{Line, Plate};
use super::number::Vector;
use super::parameter::Parameter;
use estoc_core::glam::DVec3;
use estoc_core::{Hit64, PrimId, Ray64, Side, Triangle64};
use std::cmp::Ordering;

/// The oracle for a list of triangles in `f64`, whose indices are their [`PrimId`]s.
pub struct DoubleOracle {
    triangles: Vec<Triangle64>,
}

/// A triangle that a ray touches within its interval.
pub struct DoubleTouch {
    t: Parameter,
    /// The hit, each number rounded once.
    pub hit: Hit64,
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
        hit: Hit64 { t, u, v, prim },
        side: met.side,
        crosses: met.crosses,
        is_at_end: start == Ordering::Equal || end == Ordering::Equal,
        t: exact,
    })
}
