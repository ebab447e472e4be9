//! Distances from triangles in integers of any length.
//!
//! All coordinates of the point and the triangle are put on one grid, whose unit is the greatest
//! power of two that divides them.

use super::Feature;
use super::grid::{Grid, regions};
use crate::Triangle;
use crate::arithmetic::{Interval, WideInteger, WideRatio};
use glam::Vec3;

type WideVector = [WideInteger; 3];

/// A triangle with area and a point, in integers.
pub(super) struct ExactDistance {
    /// The exponent of the unit of all coordinates.
    unit: i32,
    point: WideVector,
    /// Relative to the point.
    corners: [WideVector; 3],
    /// From each corner to the next one.
    edges: [WideVector; 3],
    normal: WideVector,
    feature: Feature,
}

impl ExactDistance {
    /// Returns `None` if the triangle has no area or is not finite. The point must be finite.
    pub(super) fn of(point: Vec3, triangle: &Triangle) -> Option<Self> {
        let [a, b, c] = triangle.corners();
        if !triangle.is_finite() || a == b || b == c || c == a {
            return None;
        }
        let grid = Grid::of([point, a, b, c]);
        let integer =
            |x: f32| grid.integer(x, |odd, places| WideInteger::from_i64(odd).shifted(places));
        let [point, a, b, c] = [point, a, b, c].map(|p| p.to_array().map(integer));
        let edges = [minus(&b, &a), minus(&c, &b), minus(&a, &c)];
        let normal = cross(&edges[0], &edges[1]);
        let has_area = normal.iter().any(|component| component.sign() != 0);
        if !has_area {
            return None;
        }
        let mut found = ExactDistance {
            unit: grid.unit,
            corners: [minus(&a, &point), minus(&b, &point), minus(&c, &point)],
            point,
            edges,
            normal,
            feature: Feature::Face,
        };
        found.feature = found.find_feature();
        Some(found)
    }

    /// Returns the part of the triangle that is closest to the point.
    pub(super) fn feature(&self) -> Feature {
        self.feature
    }

    fn find_feature(&self) -> Feature {
        regions(
            [0, 1, 2].map(|i| dot(&self.corners[i], &self.edges[i]).sign()),
            [0, 1, 2].map(|i| dot(&self.corners[(i + 1) % 3], &self.edges[i]).sign()),
            |i| self.side(i).sign(),
        )
    }

    /// Returns the weight of the corner opposite to an edge of the foot of the perpendicular on the
    /// plane, times the square of the normal.
    fn side(&self, i: usize) -> WideInteger {
        dot(&self.normal, &cross(&self.corners[i], &self.edges[i]))
    }

    /// Returns the squared distance.
    pub(super) fn square(&self) -> WideRatio {
        let (num, den) = match self.feature {
            Feature::Vertex(i) => {
                let corner = &self.corners[usize::from(i)];
                (dot(corner, corner), WideInteger::from_i64(1))
            }
            Feature::Edge(i) => {
                let edge = &self.edges[usize::from(i)];
                let moment = cross(&self.corners[usize::from(i)], edge);
                (dot(&moment, &moment), dot(edge, edge))
            }
            Feature::Face => {
                let height = dot(&self.normal, &self.corners[0]);
                (height.square(), dot(&self.normal, &self.normal))
            }
        };
        WideRatio {
            num,
            den,
            exponent: 2 * self.unit,
        }
    }

    /// Returns an interval around the squared distance.
    pub(super) fn square_interval(&self) -> Interval {
        self.square().interval()
    }

    /// Returns the exact `u` and `v`.
    pub(super) fn weights(&self) -> [WideRatio; 2] {
        let ratio = |num, den| WideRatio {
            num,
            den,
            exponent: 0,
        };
        let fixed = |weight| ratio(WideInteger::from_i64(weight), WideInteger::from_i64(1));
        match self.feature {
            Feature::Vertex(i) => [fixed(i64::from(i == 1)), fixed(i64::from(i == 2))],
            Feature::Edge(i) => {
                let i = usize::from(i);
                let j = (i + 1) % 3;
                let edge = &self.edges[i];
                let whole = dot(edge, edge);
                // The weights of the edge's start and end.
                let start = ratio(dot(&self.corners[j], edge), whole.clone());
                let end = ratio(-dot(&self.corners[i], edge), whole);
                match i {
                    0 => [end, fixed(0)],
                    1 => [start, end],
                    _ => [fixed(0), start],
                }
            }
            Feature::Face => {
                let whole = dot(&self.normal, &self.normal);
                [
                    ratio(self.side(2), whole.clone()),
                    ratio(self.side(0), whole),
                ]
            }
        }
    }

    /// Returns a coordinate of the closest point.
    pub(super) fn coordinate(&self, axis: usize) -> WideRatio {
        // The point, plus the vector from there to the closest point.
        let (vector, den) = match self.feature {
            Feature::Vertex(i) => {
                let corner = &self.corners[usize::from(i)];
                (corner[axis].clone(), WideInteger::from_i64(1))
            }
            Feature::Edge(i) => {
                let (corner, edge) = (&self.corners[usize::from(i)], &self.edges[usize::from(i)]);
                let whole = dot(edge, edge);
                let along = &dot(corner, edge) * &edge[axis];
                (&(&corner[axis] * &whole) - &along, whole)
            }
            Feature::Face => {
                let height = dot(&self.normal, &self.corners[0]);
                (
                    &height * &self.normal[axis],
                    dot(&self.normal, &self.normal),
                )
            }
        };
        WideRatio {
            num: &(&self.point[axis] * &den) + &vector,
            den,
            exponent: self.unit,
        }
    }
}

fn minus(a: &WideVector, b: &WideVector) -> WideVector {
    [&a[0] - &b[0], &a[1] - &b[1], &a[2] - &b[2]]
}

fn dot(a: &WideVector, b: &WideVector) -> WideInteger {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}

fn cross(a: &WideVector, b: &WideVector) -> WideVector {
    let component = |j: usize, k: usize| &(&a[j] * &b[k]) - &(&a[k] * &b[j]);
    [component(1, 2), component(2, 0), component(0, 1)]
}
