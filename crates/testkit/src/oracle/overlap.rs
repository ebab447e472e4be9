//! What triangles have in common with regions, by cutting off what is outside.
//!
//! A triangle is a polygon of rational points, and a polyhedron or another triangle is an
//! intersection of half spaces: cutting off what is outside of each half space (Sutherland and
//! Hodgman 1974) leaves the polygon of all common points, with its corners.

use super::number::{Grid, Vector};
use crate::generate::{PlaneCase, RegionCase};
use estoc_core::glam::Vec3;
use estoc_core::{Coordinate, Intersection, IntersectionKind, PrimId, Triangle64};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// A point: coordinates in units, times a positive number.
#[derive(Clone, Debug)]
struct Point {
    coordinates: Vector,
    times: BigInt,
}

impl Point {
    fn at(p: &Vector) -> Point {
        Point {
            coordinates: p.clone(),
            times: BigInt::one(),
        }
    }
}

/// The points where `normal . p + offset` is not negative, for coordinates in units.
struct Half {
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

    fn of_plane<C: Coordinate>(plane: &PlaneCase<C>, grid: Grid) -> Half {
        let vector = |v: C::Point| grid.vector(C::wide(v));
        match *plane {
            PlaneCase::Through(point, normal) => Half::through(&vector(point), vector(normal)),
            PlaneCase::Offset(normal, offset) => Half {
                normal: vector(normal),
                offset: -(grid.number(offset.into()) << grid.0),
            },
        }
    }

    /// Returns the half spaces whose intersection a region is; `None` for a ball, and for a region
    /// without points.
    fn all_of(case: &RegionCase, grid: Grid) -> Option<Vec<Half>> {
        let vector = |v: Vec3| grid.vector(v.as_dvec3());
        let integer = |x: f32| grid.number(x.into());
        let between = |[min, max]: [Vector; 2]| {
            let pair = move |axis: usize| {
                let mut unit = [0; 3].map(BigInt::from);
                unit[axis] = BigInt::one();
                let unit = Vector(unit);
                [
                    Half::through(&min, unit.clone()),
                    Half::through(&max, unit.negated()),
                ]
            };
            (0..3).flat_map(pair).collect()
        };
        let on = |half: Half| vec![half.behind(), half];
        let of_triangle = |triangle: Triangle64| {
            let corners = || triangle.corners().map(|corner| grid.vector(corner));
            triangle
                .is_finite()
                .then(corners)
                .and_then(|corners| Half::of_triangle(&corners))
        };
        Some(match case {
            RegionCase::Ball(..) | RegionCase::EmptyBox => return None,
            RegionCase::Box(min, max) => between([*min, *max].map(vector)),
            RegionCase::Box64(corners) => between(corners.map(|corner| grid.vector(corner))),
            RegionCase::Oriented(center, axes, half_sizes) => {
                let center = vector(*center);
                let pair = |i: usize| {
                    let reach = integer(half_sizes[i]) << grid.0;
                    [1, -1].map(|sign: i32| {
                        let axis = vector(axes[i] * sign as f32);
                        let mut half = Half::through(&center, axis);
                        half.offset += &reach;
                        half
                    })
                };
                (0..3).flat_map(pair).collect()
            }
            RegionCase::Image(min, max, model) => {
                let columns = [model.x_axis, model.y_axis, model.z_axis];
                let [x, y, z] = columns.map(|column| vector(column.truncate()));
                let origin = vector(model.w_axis.truncate());
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
                        normal: Vector(half.normal.0.map(|x| x << grid.0)),
                        offset: (half.offset << grid.0) + det.abs() * bound,
                    };
                    let behind = from_origin.behind();
                    [
                        scaled(from_origin, -integer(min[i])),
                        scaled(behind, integer(max[i])),
                    ]
                };
                (0..3).flat_map(pair).collect()
            }
            RegionCase::Frustum(planes) => {
                let planes = planes.iter();
                planes.map(|plane| Half::of_plane(plane, grid)).collect()
            }
            RegionCase::HalfSpace(plane) => vec![Half::of_plane(plane, grid)],
            RegionCase::Plane(plane) => on(Half::of_plane(plane, grid)),
            RegionCase::Plane64(plane) => on(Half::of_plane(plane, grid)),
            RegionCase::Triangle(triangle) => return of_triangle((*triangle).into()),
            RegionCase::Triangle64(triangle) => return of_triangle(*triangle),
        })
    }

    /// Returns half spaces whose intersection is the triangle: both sides of the plane, then the
    /// inner sides of the edges. `None` without area.
    fn of_triangle(corners: &[Vector; 3]) -> Option<Vec<Half>> {
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

/// Returns which of some triangles with area have a point in a region that is no ball.
pub(super) fn overlapping(
    case: &RegionCase,
    triangles: Vec<(PrimId, Triangle64)>,
    grid: Grid,
) -> Vec<PrimId> {
    let Some(halves) = Half::all_of(case, grid) else {
        return Vec::new();
    };
    let region = match case {
        RegionCase::Triangle(region) => Some((*region).into()),
        RegionCase::Triangle64(region) => Some(*region),
        _ => None,
    };
    let is_apart = |triangle: &Triangle64| match &region {
        Some(region) => are_apart(region, triangle),
        None => false,
    };
    let overlapping = triangles.into_iter().filter(|(_, triangle)| {
        let corners = || triangle.corners().map(|corner| grid.vector(corner));
        !is_apart(triangle) && has_point_in(&corners(), &halves)
    });
    overlapping.map(|(prim, _)| prim).collect()
}

/// Returns the pairs of triangles with area that intersect, by ids: of one mesh, or of two.
pub(super) fn intersecting(
    own: Vec<(PrimId, Triangle64)>,
    others: Option<Vec<(PrimId, Triangle64)>>,
    grid: Grid,
) -> Vec<Intersection> {
    let is_one_mesh = others.is_none();
    let all = others.as_ref().unwrap_or(&own);
    let vectors = |triangle: &Triangle64| triangle.corners().map(|corner| grid.vector(corner));
    let mut found = Vec::new();
    for (first, a) in &own {
        for (second, b) in all {
            if (is_one_mesh && second <= first) || are_apart(a, b) {
                continue;
            }
            let kind = intersection(&vectors(a), &vectors(b), is_one_mesh);
            found.extend(kind.map(|kind| Intersection {
                first: *first,
                second: *second,
                kind,
            }));
        }
    }
    found
}

/// Returns whether a triangle with area has a point in all half spaces.
fn has_point_in(triangle: &[Vector; 3], halves: &[Half]) -> bool {
    !cut(triangle, halves).is_empty()
}

/// Returns the corners of the part of the triangle that is in all half spaces; some may be equal.
fn cut(triangle: &[Vector; 3], halves: &[Half]) -> Vec<Point> {
    let mut polygon: Vec<Point> = triangle.iter().map(Point::at).collect();
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
fn intersection(a: &[Vector; 3], b: &[Vector; 3], is_one_mesh: bool) -> Option<IntersectionKind> {
    let (inside_a, inside_b) = (Half::of_triangle(a)?, Half::of_triangle(b)?);
    let polygon = cut(a, &inside_b);
    let first = polygon.first()?;
    if is_one_mesh {
        let shared: Vec<&Vector> = a.iter().filter(|corner| b.contains(corner)).collect();
        if shared.len() < 3 && !polygon.iter().any(|point| is_beyond(point, &shared)) {
            return None;
        }
    }
    let plane = &inside_b[0];
    let on_plane = |corner: &Vector| plane.value(&Point::at(corner)).is_zero();
    let is_coplanar = a.iter().all(on_plane);
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
fn is_beyond(point: &Point, shared: &[&Vector]) -> bool {
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
fn are_apart(a: &Triangle64, b: &Triangle64) -> bool {
    let bounds = |triangle: &Triangle64| {
        let [a, b, c] = triangle.corners();
        (a.min(b).min(c), a.max(b).max(c))
    };
    let ((a_min, a_max), (b_min, b_max)) = (bounds(a), bounds(b));
    a_min.cmpgt(b_max).any() || b_min.cmpgt(a_max).any()
}
