//! The least distance of two triangles, by the points of all pairs of their parts.
//!
//! The nearest points of the lines or planes of two parts have one solution where a determinant is not
//! zero, and count where they lie inside both parts. Of two convex sets, the least distance is attained
//! by such a pair of parts.

use super::doubles::nearest_root;
use super::number::{Fraction, Grid, SCALE, Vector, nearest_by_order, nearest_f32, nearest_f64};
use super::{Oracle, PlacedOracle};
use estoc_core::glam::DVec3;
use estoc_core::{Feature, LeastDistance, PrimId, ScenePath, Triangle};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;

/// The nearest points of two parts.
struct Apart {
    features: [Feature; 2],
    /// Times `den`.
    points: [Vector; 2],
    den: BigInt,
    square: Fraction,
}

/// A corner, and the directions in which a part goes on from there.
struct Part {
    feature: Feature,
    start: Vector,
    along: Vec<Vector>,
}

impl Part {
    /// Returns all parts of a triangle: those with fewer corners first.
    fn all_of(corners: &[Vector; 3]) -> Vec<Part> {
        let part = |feature, i: usize, others: usize| Part {
            feature,
            start: corners[i].clone(),
            along: (1..=others)
                .map(|k| corners[(i + k) % 3].minus(&corners[i]))
                .collect(),
        };
        let each = |feature: fn(u8) -> Feature, others: usize| {
            (0..3u8).map(move |i| (feature(i), usize::from(i), others))
        };
        let parts = each(Feature::Vertex, 0).chain(each(Feature::Edge, 1));
        let parts = parts.chain([(Feature::Face, 0, 2)]);
        parts
            .map(|(feature, i, others)| part(feature, i, others))
            .collect()
    }

    /// Returns whether the weights of a point's directions, times a positive number, are those of a point
    /// inside the part.
    fn has_inside(weights: &[BigInt], den: &BigInt) -> bool {
        weights.iter().all(BigInt::is_positive) && weights.iter().sum::<BigInt>() < *den
            || weights.is_empty()
    }

    fn point(&self, weights: &[BigInt], den: &BigInt) -> Vector {
        let start = self.start.times(den);
        let terms = self.along.iter().zip(weights);
        terms.fold(start, |sum, (along, weight)| sum.plus(&along.times(weight)))
    }
}

fn determinant(matrix: &[Vec<BigInt>]) -> BigInt {
    let Some((first, rest)) = matrix.split_first() else {
        return BigInt::one();
    };
    let minor = |skip: usize| -> Vec<Vec<BigInt>> {
        let without = |row: &Vec<BigInt>| {
            let kept = row.iter().enumerate().filter(|&(i, _)| i != skip);
            kept.map(|(_, x)| x.clone()).collect()
        };
        rest.iter().map(without).collect()
    };
    let terms = first.iter().enumerate().map(|(i, x)| {
        let term = x * determinant(&minor(i));
        if i % 2 == 0 { term } else { -term }
    });
    terms.sum()
}

impl Apart {
    /// Returns the nearest points of the lines or planes of two parts, if they are unique and inside both.
    fn of(a: &Part, b: &Part) -> Option<Apart> {
        let mut columns = a.along.clone();
        columns.extend(b.along.iter().map(Vector::negated));
        let from = a.start.minus(&b.start);
        // The normal equations, solved by Cramer's rule.
        let gram = |i: usize| -> Vec<BigInt> {
            columns.iter().map(|other| columns[i].dot(other)).collect()
        };
        let gram: Vec<Vec<BigInt>> = (0..columns.len()).map(gram).collect();
        let den = determinant(&gram);
        if den.is_zero() {
            return None;
        }
        let weight = |k: usize| {
            let mut replaced = gram.clone();
            for (row, column) in replaced.iter_mut().zip(&columns) {
                row[k] = -column.dot(&from);
            }
            determinant(&replaced)
        };
        let weights: Vec<BigInt> = (0..columns.len()).map(weight).collect();
        let (own, others) = weights.split_at(a.along.len());
        if !Part::has_inside(own, &den) || !Part::has_inside(others, &den) {
            return None;
        }
        let points = [a.point(own, &den), b.point(others, &den)];
        let gap = points[0].minus(&points[1]);
        Some(Apart {
            features: [a.feature, b.feature],
            points,
            square: Fraction {
                num: gap.dot(&gap),
                den: &den * &den,
            },
            den,
        })
    }

    /// Returns the nearest points of two triangles, by their parts.
    fn of_triangles(own: &[Part], other: &[Part]) -> Apart {
        let pairs = own.iter().flat_map(|a| other.iter().map(move |b| (a, b)));
        let mut all: Vec<Apart> = pairs.filter_map(|(a, b)| Apart::of(a, b)).collect();
        all.sort_by_key(|apart| rank(apart.features));
        // The first of those that are equally near.
        let nearer = |best: Apart, apart: Apart| match apart.square.cmp(&best.square) {
            Ordering::Less => apart,
            _ => best,
        };
        all.into_iter()
            .reduce(nearer)
            .expect("corners have a distance")
    }
}

/// Returns the place of a pair of parts in the order in which ties are decided: by the number of corners, then the
/// first triangle's corners before its edges.
fn rank([a, b]: [Feature; 2]) -> (u8, u8) {
    let dimension = |feature| match feature {
        Feature::Vertex(_) => 0,
        Feature::Edge(_) => 1,
        Feature::Face => 2,
    };
    let (a, b) = (dimension(a), dimension(b));
    match (a, b) {
        (0, 2) => (2, 0),
        (2, 0) => (2, 1),
        (1, 1) => (2, 2),
        _ => (a + b, a),
    }
}

/// The nearest triangles of two meshes. Coordinates are in units of `2^-unit`.
pub struct OracleLeastDistance {
    prims: [PrimId; 2],
    apart: Apart,
    unit: usize,
}

/// The id and the corners of a triangle with area, in units.
pub(super) type Solid = (PrimId, [Vector; 3]);

impl OracleLeastDistance {
    /// Returns the nearest triangles, of equally near ones those with the lowest ids.
    pub(super) fn of(own: &[Solid], others: &[Solid], unit: usize) -> Option<Self> {
        let parts = |all: &[Solid]| -> Vec<(PrimId, Vec<Part>)> {
            let all = all
                .iter()
                .map(|(prim, corners)| (*prim, Part::all_of(corners)));
            all.collect()
        };
        let others = parts(others);
        let mut best: Option<OracleLeastDistance> = None;
        for (first, own) in parts(own) {
            for (second, other) in &others {
                let apart = Apart::of_triangles(&own, other);
                let is_nearer = best
                    .as_ref()
                    .is_none_or(|best| apart.square.cmp(&best.apart.square) == Ordering::Less);
                if is_nearer {
                    let prims = [first, *second];
                    best = Some(OracleLeastDistance { prims, apart, unit });
                }
            }
        }
        best
    }

    /// Returns whether the exact distance is at most this.
    pub fn is_within(&self, distance: f32) -> bool {
        if distance.is_nan() || distance < 0.0 {
            return false;
        }
        let Fraction { num, den } = &self.apart.square;
        distance == f32::INFINITY || {
            let side = Grid(self.unit).number(distance.into());
            *num <= &side * &side * den
        }
    }

    /// Returns the answer, each number rounded once.
    pub fn rounded(&self) -> LeastDistance {
        self.rounded_to(nearest_f32)
    }

    /// Returns the answer with points in `f64`.
    pub fn wide(&self) -> LeastDistance<DVec3> {
        self.rounded_to(nearest_f64)
    }

    /// Returns the answer in `f64`.
    pub fn doubles(&self) -> LeastDistance<DVec3, f64> {
        let LeastDistance {
            prims,
            points,
            features,
            ..
        } = self.wide();
        LeastDistance {
            distance: nearest_root(&self.apart.square, -(self.unit as i64)),
            prims,
            points,
            features,
        }
    }

    fn rounded_to<X, P: From<[X; 3]>>(
        &self,
        nearest: impl Fn(&BigInt, &BigInt) -> X,
    ) -> LeastDistance<P> {
        let Apart { square, .. } = &self.apart;
        let den = &self.apart.den << self.unit;
        let point = |p: &Vector| P::from(p.0.each_ref().map(|x| nearest(x, &den)));
        LeastDistance {
            distance: nearest_by_order(|twice| {
                let twice = twice << (self.unit - SCALE);
                (&square.num * 4u32).cmp(&(&twice * &twice * &square.den))
            }),
            prims: self.prims,
            points: self.apart.points.each_ref().map(point),
            features: self.apart.features,
        }
    }
}

impl Oracle {
    /// Returns the least distance from the triangles of another oracle.
    pub fn least_distance(&self, other: &Oracle) -> Option<OracleLeastDistance> {
        let solid = |oracle: &Oracle| -> Vec<Solid> {
            let ids = (0..).map_while(PrimId::from_index);
            let all = ids.zip(&oracle.triangles);
            let all = all.filter_map(|(prim, triangle)| Some((prim, corners_with_area(triangle)?)));
            all.collect()
        };
        OracleLeastDistance::of(&solid(self), &solid(other), SCALE)
    }
}

fn corners_with_area(triangle: &Triangle) -> Option<[Vector; 3]> {
    if !triangle.is_finite() {
        return None;
    }
    let corners = triangle.corners().map(Vector::new);
    let edge = |i: usize| corners[i].minus(&corners[0]);
    (!edge(1).cross(&edge(2)).is_zero()).then_some(corners)
}

impl PlacedOracle {
    /// Returns the least distance of the meshes that two paths lead to.
    pub fn least_distance(&self, own: ScenePath, other: ScenePath) -> Option<OracleLeastDistance> {
        let [own, other] = [own, other].map(|path| self.corners_with_area(path));
        OracleLeastDistance::of(&own, &other, self.unit())
    }
}
