//! What triangles have in common with regions, by cutting off what is outside.
//!
//! A triangle is a polygon of rational points, and a polyhedron or another triangle is an
//! intersection of half spaces: cutting off what is outside of each half space (Sutherland and
//! Hodgman 1974) leaves the polygon of all common points, with its corners.

use super::number::{SCALE, Vector, integer};
use crate::generate::{PlaneCase, RegionCase};
use estoc_core::glam::Vec3;
use estoc_core::{IntersectionKind, Triangle};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// A point: coordinates in units of 2^-149, times a positive number.
#[derive(Clone, Debug)]
struct Point {
    coordinates: Vector,
    times: BigInt,
}

impl Point {
    fn at(p: Vec3) -> Point {
        Point {
            coordinates: Vector::new(p),
            times: BigInt::one(),
        }
    }
}

/// The points where `normal . p + offset` is not negative, for coordinates in units of 2^-149.
pub(super) struct Half {
    normal: Vector,
    offset: BigInt,
}

impl Half {
    /// Returns the half space in front of a plane through a point, in units.
    fn through(point: &Vector, normal: Vector) -> Half {
        let offset = -normal.dot(point);
        Half { normal, offset }
    }

    fn behind(&self) -> Half {
        Half {
            normal: self.normal.negated(),
            offset: -&self.offset,
        }
    }

    fn value(&self, point: &Point) -> BigInt {
        self.normal.dot(&point.coordinates) + &self.offset * &point.times
    }

    fn of_plane(plane: &PlaneCase) -> Half {
        match *plane {
            PlaneCase::Through(point, normal) => {
                Half::through(&Vector::new(point), Vector::new(normal))
            }
            PlaneCase::Offset(normal, offset) => Half {
                normal: Vector::new(normal),
                offset: -(integer(offset) << SCALE),
            },
        }
    }

    /// Returns the half spaces whose intersection a region is; `None` for a ball, and for a region
    /// without points.
    pub(super) fn all_of(case: &RegionCase) -> Option<Vec<Half>> {
        let unit = |axis: usize| {
            let mut unit = [0; 3].map(BigInt::from);
            unit[axis] = BigInt::one();
            Vector(unit)
        };
        Some(match case {
            RegionCase::Ball(..) | RegionCase::EmptyBox => return None,
            RegionCase::Box(min, max) => {
                let (min, max) = (Vector::new(*min), Vector::new(*max));
                let pair = |axis: usize| {
                    [
                        Half::through(&min, unit(axis)),
                        Half::through(&max, unit(axis).negated()),
                    ]
                };
                (0..3).flat_map(pair).collect()
            }
            RegionCase::Oriented(center, axes, half_sizes) => {
                let center = Vector::new(*center);
                let pair = |i: usize| {
                    let reach = integer(half_sizes[i]) << SCALE;
                    [1, -1].map(|sign: i32| {
                        let axis = Vector::new(axes[i] * sign as f32);
                        let mut half = Half::through(&center, axis);
                        half.offset += &reach;
                        half
                    })
                };
                (0..3).flat_map(pair).collect()
            }
            RegionCase::Image(min, max, model) => {
                let columns = [model.x_axis, model.y_axis, model.z_axis];
                let [x, y, z] = columns.map(|column| Vector::new(column.truncate()));
                let origin = Vector::new(model.w_axis.truncate());
                let det = x.dot(&y.cross(&z));
                let normals = [y.cross(&z), z.cross(&x), x.cross(&y)];
                let pair = |i: usize| {
                    // normal . (p - origin) / det is between min and max.
                    let normal = match det.is_negative() {
                        true => normals[i].negated(),
                        false => normals[i].clone(),
                    };
                    let from_origin = Half::through(&origin, normal);
                    let scaled = |half: Half, bound: BigInt| Half {
                        normal: Vector(half.normal.0.map(|x| x << SCALE)),
                        offset: (half.offset << SCALE) + det.abs() * bound,
                    };
                    let behind = from_origin.behind();
                    [
                        scaled(from_origin, -integer(min[i])),
                        scaled(behind, integer(max[i])),
                    ]
                };
                (0..3).flat_map(pair).collect()
            }
            RegionCase::Frustum(planes) => planes.iter().map(Half::of_plane).collect(),
            RegionCase::HalfSpace(plane) => vec![Half::of_plane(plane)],
            RegionCase::Plane(plane) => {
                let half = Half::of_plane(plane);
                vec![half.behind(), half]
            }
            RegionCase::Triangle(triangle) => return Half::of_triangle(triangle),
        })
    }

    /// Returns half spaces whose intersection is the triangle: both sides of the plane, then the
    /// inner sides of the edges. `None` without area.
    fn of_triangle(triangle: &Triangle) -> Option<Vec<Half>> {
        if !triangle.is_finite() {
            return None;
        }
        let corners = triangle.corners().map(Vector::new);
        let edge = |i: usize| corners[(i + 1) % 3].minus(&corners[i]);
        let normal = edge(0).cross(&edge(1));
        if normal.is_zero() {
            return None;
        }
        let front = Half::through(&corners[0], normal.clone());
        let mut halves = vec![front.behind(), front];
        let inner = |i: usize| Half::through(&corners[i], normal.cross(&edge(i)));
        halves.extend((0..3).map(inner));
        Some(halves)
    }
}

/// Returns whether a triangle with area has a point in all half spaces.
pub(super) fn has_point_in(triangle: &Triangle, halves: &[Half]) -> bool {
    !cut(triangle, halves).is_empty()
}

/// Returns the corners of the part of the triangle that is in all half spaces; some may be equal.
fn cut(triangle: &Triangle, halves: &[Half]) -> Vec<Point> {
    let mut polygon = triangle.corners().map(Point::at).to_vec();
    for half in halves {
        let values: Vec<BigInt> = polygon.iter().map(|point| half.value(point)).collect();
        if !values.iter().any(BigInt::is_negative) {
            continue;
        }
        let mut kept = Vec::new();
        for (i, (to, value)) in polygon.iter().zip(&values).enumerate() {
            let before = (i + polygon.len() - 1) % polygon.len();
            let (from, last) = (&polygon[before], &values[before]);
            if last.is_negative() != value.is_negative() && !last.is_zero() && !value.is_zero() {
                kept.push(between(from, &value.abs(), to, &last.abs()));
            }
            if !value.is_negative() {
                kept.push(to.clone());
            }
        }
        polygon = kept;
    }
    polygon
}

/// Returns the sum of two points with these weights, which are positive and belong to points times
/// their numbers.
fn between(a: &Point, k: &BigInt, b: &Point, l: &BigInt) -> Point {
    let sum = |x: &BigInt, y: &BigInt| x * k + y * l;
    let (p, q) = (&a.coordinates.0, &b.coordinates.0);
    Point {
        coordinates: Vector([0, 1, 2].map(|i| sum(&p[i], &q[i]))),
        times: sum(&a.times, &b.times),
    }
}

/// Returns what two triangles have in common: of two meshes, or of one, where they share corners.
pub(super) fn intersection(
    a: &Triangle,
    b: &Triangle,
    is_one_mesh: bool,
) -> Option<IntersectionKind> {
    let (inside_a, inside_b) = (Half::of_triangle(a)?, Half::of_triangle(b)?);
    let polygon = cut(a, &inside_b);
    let first = polygon.first()?;
    if is_one_mesh {
        let shared: Vec<Vec3> = a
            .corners()
            .into_iter()
            .filter(|corner| b.corners().contains(corner))
            .collect();
        if shared.len() < 3 && !polygon.iter().any(|point| is_beyond(point, &shared)) {
            return None;
        }
    }
    let plane = &inside_b[0];
    let on_plane = |corner: Vec3| plane.value(&Point::at(corner)).is_zero();
    let is_coplanar = a.corners().into_iter().all(on_plane);
    if is_coplanar {
        let has_area = polygon
            .iter()
            .any(|p| polygon.iter().any(|q| !area(first, p, q).is_zero()));
        return Some(match has_area {
            true => IntersectionKind::CoplanarOverlap,
            false => IntersectionKind::Touching,
        });
    }
    // If any common point is inside both, so is the middle of all.
    let middle = polygon[1..].iter().fold(first.clone(), |sum, point| {
        // Each is a point times its number: exchanging the numbers weighs both alike.
        between(&sum, &point.times, point, &sum.times)
    });
    let is_inside = |halves: &[Half]| halves[2..].iter().all(|h| h.value(&middle).is_positive());
    Some(match is_inside(&inside_a) && is_inside(&inside_b) {
        true => IntersectionKind::Crossing,
        false => IntersectionKind::Touching,
    })
}

/// Returns whether a point of both triangles is not in the hull of these corners of both.
fn is_beyond(point: &Point, shared: &[Vec3]) -> bool {
    let corners: Vec<Point> = shared.iter().copied().map(Point::at).collect();
    match &corners[..] {
        [] => true,
        [corner] => !from(corner, point).is_zero(),
        [a, b, ..] => !area(a, b, point).is_zero(),
    }
}

/// Returns the vector between two points, times both of their numbers.
fn from(a: &Point, b: &Point) -> Vector {
    let (p, q) = (&a.coordinates.0, &b.coordinates.0);
    Vector([0, 1, 2].map(|i| &q[i] * &a.times - &p[i] * &b.times))
}

/// Returns the normal of the triangle of three points, times a positive number.
fn area(a: &Point, b: &Point, c: &Point) -> Vector {
    from(a, b).cross(&from(a, c))
}

/// Returns whether the boxes of two triangles are apart.
pub(super) fn are_apart(a: &Triangle, b: &Triangle) -> bool {
    let bounds = |triangle: &Triangle| {
        let [a, b, c] = triangle.corners();
        (a.min(b).min(c), a.max(b).max(c))
    };
    let ((a_min, a_max), (b_min, b_max)) = (bounds(a), bounds(b));
    a_min.cmpgt(b_max).any() || b_min.cmpgt(a_max).any()
}
