//! How far the parts of two triangles are apart: the polynomials of the least distance of two triangles.
//!
//! It is attained between a corner of one and the nearest point of the other, or between two edges, or
//! it is 0 where an edge of one goes through the other. So each pair of parts (corner, edge or face) has
//! a squared distance and conditions under which that is the distance of two points of the triangles
//! which lie inside these parts; the least of those that are so is the answer (Larsen, Gottschalk, Lin
//! and Manocha 1999, "Fast proximity queries with swept sphere volumes"). With a corner or edge start p,
//! q of each, `w = p - q`, the edges e and f, and the normals m and n:
//!
//! | parts | the points lie inside them when | squared distance | degrees |
//! |---|---|---|---|
//! | corner, corner | always | `\|w\|^2` | 2 |
//! | corner, edge | `0 < w . f < \|f\|^2` | `\|w x f\|^2 / \|f\|^2` | 2; 4/2 |
//! | corner, face | `n . (c_j x f_j) > 0` for the corners c_j relative to p | `(n . w)^2 / \|n\|^2` | 4; 6/4 |
//! | edge, edge | with `k = e x f` not 0: `0 < -(w x f) . k < \|k\|^2`, `0 < -(w x e) . k < \|k\|^2` | `(w . k)^2 / \|k\|^2` | 4; 6/4 |
//! | edge, face | the ends are on different sides, the edges of the face all turn alike around the edge | 0 | 3 |
//!
//! Where several pairs of parts attain the least, the first in the order of the table is told, and in
//! each row the one of the first triangle's part before the other way round. All is evaluated in `f64`
//! with running bounds, and the pairs of parts that these leave open in dyadic numbers.

use super::PairTriangle;
use crate::arithmetic::{
    Bounded, Dyadic, InlineMap, Interval, Number, Pair, Ratio, V, Vector, all, cross_product, dot,
    larger, product, quotient,
};
use crate::exact::proximity::Feature;

/// The pairs of parts, in the order in which ties are decided.
pub(super) const PARTS: [[Feature; 2]; 48] = parts();

const fn parts() -> [[Feature; 2]; 48] {
    use Feature::{Edge, Face, Vertex};
    let mut parts = [[Face; 2]; 48];
    let mut i = 0;
    while i < 9 {
        let (a, b) = (i as u8 / 3, i as u8 % 3);
        parts[i] = [Vertex(a), Vertex(b)];
        parts[9 + i] = [Vertex(a), Edge(b)];
        parts[18 + i] = [Edge(a), Vertex(b)];
        parts[33 + i] = [Edge(a), Edge(b)];
        if a == 0 {
            parts[27 + i] = [Vertex(b), Face];
            parts[30 + i] = [Face, Vertex(b)];
            parts[42 + i] = [Edge(b), Face];
            parts[45 + i] = [Face, Edge(b)];
        }
        i += 1;
    }
    parts
}

/// Two triangles, by their differences.
pub(super) struct Two<N> {
    /// The edges of both.
    pub(super) edges: [[Vector<N>; 3]; 2],
    pub(super) normals: [Vector<N>; 2],
    /// From the corners of the second to those of the first.
    pub(super) between: [[Vector<N>; 3]; 3],
}

/// The squared distance of two parts: a numerator and a denominator, which is positive where the points
/// lie inside the parts.
pub(super) struct Square<N> {
    /// Whether they do, if that is known.
    pub(super) is_inside: Option<bool>,
    pub(super) num: N,
    pub(super) den: N,
}

impl<N: Number> Two<N> {
    #[inline(always)]
    pub(super) fn of<T: PairTriangle>([a, b]: [&T; 2]) -> Self {
        let edges = [a.edges(), b.edges()];
        Two {
            normals: [0, 1]
                .inline_map(|side: usize| cross_product(&edges[side][0], &edges[side][1])),
            edges,
            between: a.minus(b),
        }
    }

    /// Returns the vector from a corner of one triangle to a corner of the other.
    #[inline(always)]
    pub(super) fn vector_to(&self, side: usize, own: usize, other: usize) -> Vector<N> {
        match side {
            0 => self.between[own][other].each_ref().inline_map(N::negative),
            _ => self.between[other][own].clone(),
        }
    }

    #[inline(always)]
    pub(super) fn square(&self, parts: [Feature; 2]) -> Square<N> {
        match parts {
            [Feature::Vertex(i), Feature::Vertex(j)] => {
                let w = &self.between[usize::from(i)][usize::from(j)];
                Square {
                    is_inside: Some(true),
                    num: dot(w, w),
                    den: N::exactly(1.0),
                }
            }
            [Feature::Vertex(i), Feature::Edge(j)] => self.corner_to_edge(0, i.into(), j.into()),
            [Feature::Edge(i), Feature::Vertex(j)] => self.corner_to_edge(1, j.into(), i.into()),
            [Feature::Vertex(i), Feature::Face] => self.corner_to_face(0, i.into()),
            [Feature::Face, Feature::Vertex(j)] => self.corner_to_face(1, j.into()),
            [Feature::Edge(i), Feature::Edge(j)] => self.edge_to_edge(i.into(), j.into()),
            [Feature::Edge(i), Feature::Face] => self.edge_through_face(0, i.into()),
            [Feature::Face, Feature::Edge(j)] => self.edge_through_face(1, j.into()),
            [Feature::Face, Feature::Face] => self.nowhere(),
        }
    }

    fn nowhere(&self) -> Square<N> {
        Square {
            is_inside: Some(false),
            num: N::exactly(0.0),
            den: N::exactly(1.0),
        }
    }

    /// Returns the position of the foot of a corner on the line of an edge of the other triangle, and
    /// the squared length of the edge.
    #[inline(always)]
    pub(super) fn foot(&self, side: usize, corner: usize, edge: usize) -> (N, N) {
        let f = &self.edges[1 - side][edge];
        let from_edge = self.vector_to(1 - side, edge, corner);
        (dot(&from_edge, f), dot(f, f))
    }

    #[inline(always)]
    fn corner_to_edge(&self, side: usize, corner: usize, edge: usize) -> Square<N> {
        let (along, den) = self.foot(side, corner, edge);
        let arm = cross_product(
            &self.vector_to(side, corner, edge),
            &self.edges[1 - side][edge],
        );
        Square {
            is_inside: all([is_positive(&along), is_positive(&den.minus(&along))]),
            num: dot(&arm, &arm),
            den,
        }
    }

    #[inline(always)]
    fn corner_to_face(&self, side: usize, corner: usize) -> Square<N> {
        let normal = &self.normals[1 - side];
        let height = dot(normal, &self.vector_to(side, corner, 0));
        let is_inside = all([0, 1, 2].inline_map(|j: usize| {
            let arm = cross_product(&self.vector_to(side, corner, j), &self.edges[1 - side][j]);
            is_positive(&dot(normal, &arm))
        }));
        Square {
            is_inside,
            num: height.times(&height),
            den: dot(normal, normal),
        }
    }

    /// Returns the vector at right angles to two edges, its square, and the positions of the ends of the
    /// shortest line between them on both, times that square.
    #[inline(always)]
    fn across(&self, i: usize, j: usize) -> (Vector<N>, N, [N; 2]) {
        let (e, f, w) = (&self.edges[0][i], &self.edges[1][j], &self.between[i][j]);
        let k = cross_product(e, f);
        let along = [f, e].inline_map(|edge| dot(&cross_product(w, edge), &k).negative());
        let square = dot(&k, &k);
        (k, square, along)
    }

    #[inline(always)]
    fn edge_to_edge(&self, i: usize, j: usize) -> Square<N> {
        let (k, den, along) = self.across(i, j);
        let height = dot(&k, &self.between[i][j]);
        let [s, t] = &along;
        let inside = [s, t].inline_map(|x| all([is_positive(x), is_positive(&den.minus(x))]));
        Square {
            is_inside: all(inside),
            num: height.times(&height),
            den,
        }
    }

    /// Returns the heights of an edge's ends above the plane of the other triangle, times the length of
    /// the normal.
    #[inline(always)]
    fn heights(&self, side: usize, edge: usize) -> [N; 2] {
        [edge, (edge + 1) % 3].inline_map(|corner| {
            let from_corner = self.vector_to(side, corner, 0);
            dot(&self.normals[1 - side], &from_corner).negative()
        })
    }

    #[inline(always)]
    fn edge_through_face(&self, side: usize, edge: usize) -> Square<N> {
        let [low, high] = self.heights(side, edge).map(|height| height.sign());
        if low == Some(0) || high == Some(0) || (low.is_some() && low == high) {
            return self.nowhere();
        }
        let turns = [0, 1, 2].inline_map(|j: usize| {
            let arm = cross_product(&self.vector_to(side, edge, j), &self.edges[1 - side][j]);
            dot(&self.edges[side][edge], &arm).sign()
        });
        let all_are = |side: i32| all(turns.map(|turn| turn.map(|turn| turn == side)));
        let alike = match (all_are(1), all_are(-1)) {
            (Some(left), Some(right)) => Some(left || right),
            _ => None,
        };
        let differ = low.zip(high).map(|(low, high)| low != high);
        Square {
            is_inside: all([alike, differ]),
            ..self.nowhere()
        }
    }

    /// Returns the point of one triangle: a corner, or farther along an edge, or the other one's corner
    /// moved along the normal.
    pub(super) fn point<T: PairTriangle>(
        &self,
        triangles: [&T; 2],
        parts: [Feature; 2],
        side: usize,
    ) -> Foot<N> {
        let (own, other) = (parts[side], parts[1 - side]);
        let from = |side: usize, i: usize| triangles[side].corner::<N>(i);
        match (own, other) {
            (Feature::Vertex(i), _) => Foot {
                start: from(side, i.into()),
                along: None,
            },
            (Feature::Edge(i), _) => {
                let edge = usize::from(i);
                let (share, whole) = match other {
                    Feature::Vertex(j) => self.foot(1 - side, j.into(), edge),
                    Feature::Edge(j) => {
                        let places =
                            if side == 0 { [i, j] } else { [j, i] }.inline_map(usize::from);
                        let (_, whole, along) = self.across(places[0], places[1]);
                        (along[side].clone(), whole)
                    }
                    Feature::Face => {
                        let [start, end] = self.heights(side, edge);
                        (start.clone(), start.minus(&end))
                    }
                };
                Foot {
                    start: from(side, edge),
                    along: Some((self.edges[side][edge].clone(), share, whole)),
                }
            }
            (Feature::Face, Feature::Vertex(j)) => {
                let normal = &self.normals[side];
                let height = dot(normal, &self.vector_to(1 - side, j.into(), 0));
                Foot {
                    start: from(1 - side, j.into()),
                    along: Some((normal.clone(), height, dot(normal, normal))),
                }
            }
            // Where an edge goes through the face, it is the edge's point.
            (Feature::Face, _) => self.point(triangles, parts, 1 - side),
        }
    }
}

#[inline(always)]
fn is_positive<N: Number>(x: &N) -> Option<bool> {
    x.sign().map(|sign| sign > 0)
}

/// A point `start + share / whole * along`.
pub(super) struct Foot<N> {
    start: Vector<N>,
    /// Nothing where the point is a corner.
    along: Option<(Vector<N>, N, N)>,
}

impl Foot<Bounded> {
    /// Returns an interval of a coordinate, whose ends have two roundings, and three where it is a sum.
    pub(super) fn interval(&self, axis: usize) -> Interval {
        let Bounded { value, error } = self.start[axis];
        let (low, high) = match &self.along {
            Some((along, share, whole)) => quotient(product(*share, along[axis]), *whole),
            None => (0.0, 0.0),
        };
        let (low, high) = (value + low - error, value + high + error);
        let rounded =
            4.0 * V * (value.abs() + error + larger(low.abs(), high.abs())) + f64::MIN_POSITIVE;
        (low - rounded, high + rounded)
    }
}

impl Foot<Pair> {
    /// Returns the nearest `f64` to a coordinate, where the bounds decide it.
    pub(super) fn coordinate(&self, axis: usize) -> Option<f64> {
        let start = &self.start[axis];
        let one = Pair::exactly(1.0);
        match &self.along {
            None => start.over(&one, 0.0),
            Some((along, share, whole)) => {
                let moved = start.times(whole).plus(&share.times(&along[axis]));
                moved.over(whole, 0.0)
            }
        }
    }
}

impl Foot<Dyadic> {
    pub(super) fn coordinate(&self, axis: usize) -> Ratio {
        let start = &self.start[axis];
        match &self.along {
            None => Ratio::new(start.clone(), Dyadic::from_f64(1.0)),
            Some((along, share, whole)) => {
                let along = share.mul(&along[axis]);
                Ratio::new(start.mul(whole).add(&along), whole.clone())
            }
        }
    }
}

/// Returns an interval of a squared distance.
///
/// In `quotient`, a term of the bound may lose 2^-1075: the bound of a product that is not exactly 0 has
/// 2^-1070 for underflow, which is more than what was lost before by more than that. What the quotient itself
/// loses is less than the least normal number.
#[inline(always)]
pub(super) fn interval(found: &Square<Bounded>) -> Interval {
    if found.num == Bounded::exact(0.0) {
        return (0.0, 0.0);
    }
    let (low, high) = quotient(found.num, found.den);
    // NaN excludes nothing.
    let low = if low > 0.0 {
        low - f64::MIN_POSITIVE
    } else {
        0.0
    };
    let high = if high >= 0.0 {
        high + f64::MIN_POSITIVE
    } else {
        f64::INFINITY
    };
    (low.max(0.0), high)
}
