//! Tests of triangles in `f64`, for libraries that leave them to the caller, and the closest point of a
//! triangle in either kind of numbers.

use crate::number::Number;
use crate::ray::Ray;
use estoc::glam::DVec3;

/// A triangle by a corner and two edges.
#[derive(Clone, Copy)]
pub(super) struct Edges {
    corner: DVec3,
    edges: [DVec3; 2],
}

impl From<[DVec3; 3]> for Edges {
    fn from([a, b, c]: [DVec3; 3]) -> Self {
        Edges {
            corner: a,
            edges: [b - a, c - a],
        }
    }
}

impl Edges {
    /// Returns where the ray hits the triangle from either side, by Möller and Trumbore's test; infinity
    /// if it does not. No error is allowed for: rays may leak through edges.
    #[inline]
    pub(super) fn intersect(&self, ray: &Ray<f64>) -> f64 {
        let [e1, e2] = self.edges;
        let [origin, dir] = [ray.origin, ray.dir].map(DVec3::from_array);
        let across = dir.cross(e2);
        let inverse = 1.0 / e1.dot(across);
        let from = origin - self.corner;
        let u = from.dot(across) * inverse;
        let turned = from.cross(e1);
        let v = dir.dot(turned) * inverse;
        let t = e2.dot(turned) * inverse;
        // A ray in the plane has infinities or NaN, which are in no interval.
        let is_hit = u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0 && t <= ray.t_max;
        if is_hit { t } else { f64::INFINITY }
    }
}

/// Returns where the ray hits the triangle from either side, by the signs of its moments about the
/// edges relative to its origin; infinity if it does not.
///
/// Triangles that share an edge compute the same moment about it but for the sign: no ray leaks
/// through between them. The sum of two corners does not depend on their order, and their difference,
/// with everything that is multiplied by it, only changes its sign.
#[inline]
pub(super) fn watertight(corners: &[DVec3; 3], ray: &Ray<f64>) -> f64 {
    let [origin, dir] = [ray.origin, ray.dir].map(DVec3::from_array);
    let [a, b, c] = corners.map(|corner| corner - origin);
    let edges = [c - b, a - c, b - a];
    let moment = |edge: DVec3, sum: DVec3| edge.cross(sum).dot(dir);
    let moments = [
        moment(edges[0], c + b),
        moment(edges[1], a + c),
        moment(edges[2], b + a),
    ];
    let least = moments[0].min(moments[1]).min(moments[2]);
    let most = moments[0].max(moments[1]).max(moments[2]);
    if least < 0.0 && most > 0.0 {
        return f64::INFINITY;
    }
    let normal = edges[2].cross(edges[1]);
    // In the plane both are 0, and NaN is in no interval.
    let t = a.dot(normal) / dir.dot(normal);
    if t >= 0.0 && t <= ray.t_max {
        t
    } else {
        f64::INFINITY
    }
}

/// Returns the closest point of a triangle by the regions of its corners and edges (Ericson 2005,
/// "Real-Time Collision Detection", section 5.1.5).
#[inline]
pub(super) fn closest_on_triangle<F: Number>(p: F::Point, [a, b, c]: [F::Point; 3]) -> F::Point {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (F::dot(ab, ap), F::dot(ac, ap));
    if d1 <= F::ZERO && d2 <= F::ZERO {
        return a;
    }
    let bp = p - b;
    let (d3, d4) = (F::dot(ab, bp), F::dot(ac, bp));
    if d3 >= F::ZERO && d4 <= d3 {
        return b;
    }
    let to_ab = d1 * d4 - d3 * d2;
    if to_ab <= F::ZERO && d1 >= F::ZERO && d3 <= F::ZERO {
        return a + ab * (d1 / (d1 - d3));
    }
    let cp = p - c;
    let (d5, d6) = (F::dot(ab, cp), F::dot(ac, cp));
    if d6 >= F::ZERO && d5 <= d6 {
        return c;
    }
    let to_ac = d5 * d2 - d1 * d6;
    if to_ac <= F::ZERO && d2 >= F::ZERO && d6 <= F::ZERO {
        return a + ac * (d2 / (d2 - d6));
    }
    let to_bc = d3 * d6 - d5 * d4;
    if to_bc <= F::ZERO && d4 >= d3 && d5 >= d6 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let whole = F::ONE / (to_bc + to_ac + to_ab);
    a + ab * (to_ac * whole) + ac * (to_ab * whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_tests_find_the_same_hits() {
        let corners = [[0.0, 0.0, 2.0], [4.0, 0.0, 2.0], [0.0, 4.0, 2.0]].map(DVec3::from_array);
        let [a, b, c] = corners;
        let ray = |x: f64, y: f64, t_max: f64| Ray {
            origin: [x, y, -1.0],
            t_max,
            dir: [0.0, 0.0, 1.0],
        };
        for (ray, t) in [
            (ray(1.0, 1.0, 9.0), 3.0),
            (ray(1.0, 1.0, 2.0), f64::INFINITY),
            (ray(2.0, 2.0, 9.0), 3.0),
            (ray(3.0, 3.0, 9.0), f64::INFINITY),
            (ray(-0.5, 1.0, 9.0), f64::INFINITY),
        ] {
            for corners in [[a, b, c], [a, c, b], [b, c, a]] {
                assert_eq!(watertight(&corners, &ray), t, "{ray:?}");
                assert_eq!(Edges::from(corners).intersect(&ray), t, "{ray:?}");
            }
        }
        let along = Ray {
            origin: [-1.0, 1.0, 2.0],
            t_max: f64::INFINITY,
            dir: [1.0, 0.0, 0.0],
        };
        assert_eq!(watertight(&corners, &along), f64::INFINITY);
        assert_eq!(Edges::from(corners).intersect(&along), f64::INFINITY);
    }
}
