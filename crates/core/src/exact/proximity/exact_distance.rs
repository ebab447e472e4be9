//! Distances from triangles in dyadic numbers.

use super::Feature;
use super::grid::regions;
use crate::arithmetic::{
    Dyadic, ExactV3, Interval, Ratio, V3, exact_cross, exact_dot, exact_minus, widen,
};
use crate::shapes::Triangle;
use glam::Vec3;

/// A triangle with area and a point.
pub(super) struct ExactDistance {
    point: V3,
    /// Relative to the point.
    corners: [ExactV3; 3],
    /// From each corner to the next one.
    edges: [ExactV3; 3],
    normal: ExactV3,
    feature: Feature,
}

impl ExactDistance {
    /// Returns `None` if the triangle has no area or is not finite. The point must be finite.
    pub(super) fn of(point: Vec3, triangle: &Triangle) -> Option<Self> {
        let [a, b, c] = triangle.corners();
        if !triangle.is_finite() || a == b || b == c || c == a {
            return None;
        }
        let [point, a, b, c] = [widen(point), widen(a), widen(b), widen(c)];
        let edges = [exact_minus(b, a), exact_minus(c, b), exact_minus(a, c)];
        let normal = exact_cross(&edges[0], &edges[1]);
        let has_area = normal.iter().any(|component| component.sign() != 0);
        if !has_area {
            return None;
        }
        let mut found = ExactDistance {
            corners: [
                exact_minus(a, point),
                exact_minus(b, point),
                exact_minus(c, point),
            ],
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
            [0, 1, 2].map(|i| exact_dot(&self.corners[i], &self.edges[i]).sign()),
            [0, 1, 2].map(|i| exact_dot(&self.corners[(i + 1) % 3], &self.edges[i]).sign()),
            |i| self.side(i).sign(),
        )
    }

    /// Returns the weight of the corner opposite to an edge of the foot of the perpendicular on the
    /// plane, times the square of the normal.
    fn side(&self, i: usize) -> Dyadic {
        exact_dot(&self.normal, &exact_cross(&self.corners[i], &self.edges[i]))
    }

    /// Returns the squared distance.
    pub(super) fn square(&self) -> Ratio {
        let (num, den) = match self.feature {
            Feature::Vertex(i) => {
                let corner = &self.corners[usize::from(i)];
                (exact_dot(corner, corner), Dyadic::from_f64(1.0))
            }
            Feature::Edge(i) => {
                let edge = &self.edges[usize::from(i)];
                let moment = exact_cross(&self.corners[usize::from(i)], edge);
                (exact_dot(&moment, &moment), exact_dot(edge, edge))
            }
            Feature::Face => {
                let height = exact_dot(&self.normal, &self.corners[0]);
                (height.square(), exact_dot(&self.normal, &self.normal))
            }
        };
        Ratio::new(num, den)
    }

    /// Returns an interval around the squared distance.
    pub(super) fn square_interval(&self) -> Interval {
        self.square().interval()
    }

    /// Returns the exact `u` and `v`.
    pub(super) fn weights(&self) -> [Ratio; 2] {
        let fixed =
            |weight: bool| Ratio::new(Dyadic::from_f64(weight.into()), Dyadic::from_f64(1.0));
        match self.feature {
            Feature::Vertex(i) => [fixed(i == 1), fixed(i == 2)],
            Feature::Edge(i) => {
                let i = usize::from(i);
                let j = (i + 1) % 3;
                let edge = &self.edges[i];
                let whole = exact_dot(edge, edge);
                // The weights of the edge's start and end.
                let start = Ratio::new(exact_dot(&self.corners[j], edge), whole.clone());
                let end = Ratio::new(exact_dot(&self.corners[i], edge).neg(), whole);
                match i {
                    0 => [end, fixed(false)],
                    1 => [start, end],
                    _ => [fixed(false), start],
                }
            }
            Feature::Face => {
                let whole = exact_dot(&self.normal, &self.normal);
                [
                    Ratio::new(self.side(2), whole.clone()),
                    Ratio::new(self.side(0), whole),
                ]
            }
        }
    }

    /// Returns a coordinate of the closest point.
    pub(super) fn coordinate(&self, axis: usize) -> Ratio {
        // The point, plus the vector from there to the closest point.
        let (vector, den) = match self.feature {
            Feature::Vertex(i) => {
                let corner = &self.corners[usize::from(i)];
                (corner[axis].clone(), Dyadic::from_f64(1.0))
            }
            Feature::Edge(i) => {
                let (corner, edge) = (&self.corners[usize::from(i)], &self.edges[usize::from(i)]);
                let whole = exact_dot(edge, edge);
                let along = exact_dot(corner, edge).mul(&edge[axis]);
                (corner[axis].mul(&whole).sub(&along), whole)
            }
            Feature::Face => {
                let height = exact_dot(&self.normal, &self.corners[0]);
                (
                    height.mul(&self.normal[axis]),
                    exact_dot(&self.normal, &self.normal),
                )
            }
        };
        let point = Dyadic::from_f64(self.point[axis]);
        Ratio::new(point.mul(&den).add(&vector), den)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Numbers;

    /// Coordinates that span 60 bits, the least of them odd, take no memory from the heap.
    #[test]
    fn coordinates_of_60_bits_stay_inline() {
        let mut numbers = Numbers(0x510e_527f_ade6_82d1);
        let mut features = [0; 3];
        for _ in 0..2_000 {
            let mut coordinate = || {
                let bits = numbers.next();
                let size = ((bits >> 20) as u32 & 0xff_ffff | 1) as f32;
                let size = size * 2f32.powi((bits % 37) as i32);
                if bits >> 63 == 0 { size } else { -size }
            };
            let mut vector = || Vec3::new(coordinate(), coordinate(), coordinate());
            let p = vector();
            let mut exact = || {
                let triangle = Triangle::new(vector(), vector(), vector());
                ExactDistance::of(p, &triangle).expect("it has area")
            };
            let (a, b) = (exact(), exact());
            features[match a.feature() {
                Feature::Vertex(_) => 0,
                Feature::Edge(_) => 1,
                Feature::Face => 2,
            }] += 1;
            assert!(!a.square().is_on_heap_beside(&b.square()));
            let [u, v] = a.weights();
            assert!(!u.is_on_heap_beside(&v));
            for axis in 0..3 {
                assert!(!a.coordinate(axis).is_on_heap_beside(&u));
            }
        }
        assert!(features.iter().all(|&count| count > 100), "{features:?}");
    }
}
