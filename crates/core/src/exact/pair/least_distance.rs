//! The least distance of two triangles, decided exactly.
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

use super::super::proximity::{Feature, are_one_feature};
use crate::arithmetic::{
    Bounded, Dyadic, InlineMap, Interval, Number, Ratio, V, V3, Vector, cross_product, dot, larger,
    product, quotient, round, sqrt, widen,
};
use crate::shapes::{PrimId, Triangle};
use core::cell::LazyCell;
use core::cmp::Ordering;
use glam::Vec3;

/// The least distance between the triangles of two meshes, and where they are that near.
///
/// All numbers are the nearest to the exact values, ties to even; zero is +0. Where several pairs of
/// triangles are equally near, this is the one with the lowest id in the first mesh, then in the
/// second. Two triangles may be equally near along an edge or an area: then the points are corners, where
/// they can be.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LeastDistance<P = Vec3> {
    /// The distance of the two points; 0 exactly where triangles have a common point, or where it rounds
    /// to 0. Infinite where the exact value overflows `f32`; it is still an answer.
    pub distance: f32,
    /// The triangle of the first mesh, and that of the second.
    pub prims: [PrimId; 2],
    /// The point of each triangle, each coordinate rounded on its own.
    pub points: [P; 2],
    /// The part of each triangle that its point lies on.
    pub features: [Feature; 2],
}

/// A triangle whose distance from others of its kind can be measured.
pub trait PairTriangle: Copy + Send + Sync {
    /// A point of the space in which distances are measured.
    type Point: Copy + Send + Sync + From<[Self::Scalar; 3]>;

    /// A coordinate of a point.
    type Scalar;

    /// Returns the triangle of the mesh, which has area if this has.
    fn own_triangle(&self) -> &Triangle;

    /// Returns the edges, from each corner to the next one.
    fn edges<N: Number>(&self) -> [Vector<N>; 3];

    /// Returns the vectors from the corners of another one to those of this one.
    fn minus<N: Number>(&self, other: &Self) -> [[Vector<N>; 3]; 3];

    /// Returns a corner.
    fn corner<N: Number>(&self, i: usize) -> Vector<N>;

    /// Returns the nearest number to the one in an interval, which `exact` returns.
    fn round(interval: (f64, f64), exact: impl FnOnce() -> Ratio) -> Self::Scalar;
}

impl PairTriangle for Triangle {
    type Point = Vec3;
    type Scalar = f32;

    fn own_triangle(&self) -> &Triangle {
        self
    }

    #[inline(always)]
    fn edges<N: Number>(&self) -> [Vector<N>; 3] {
        let [a, b, c] = self.corners().inline_map(widen);
        [difference(b, a), difference(c, b), difference(a, c)]
    }

    #[inline(always)]
    fn minus<N: Number>(&self, other: &Self) -> [[Vector<N>; 3]; 3] {
        let others = other.corners().inline_map(widen);
        let own = self.corners().inline_map(widen);
        own.inline_map(|own| others.inline_map(|other| difference(own, other)))
    }

    fn corner<N: Number>(&self, i: usize) -> Vector<N> {
        widen(self.corners()[i]).map(N::exactly)
    }

    fn round(interval: Interval, exact: impl FnOnce() -> Ratio) -> f32 {
        round(interval).unwrap_or_else(|| exact().to_f32())
    }
}

/// Returns `a - b`.
#[inline(always)]
pub(crate) fn difference<N: Number>(a: V3, b: V3) -> Vector<N> {
    [0, 1, 2].inline_map(|i: usize| N::of_difference(a[i], b[i]))
}

/// The pairs of parts, in the order in which ties are decided.
const PARTS: [[Feature; 2]; 48] = parts();

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
struct Two<N> {
    /// The edges of both.
    edges: [[Vector<N>; 3]; 2],
    normals: [Vector<N>; 2],
    /// From the corners of the second to those of the first.
    between: [[Vector<N>; 3]; 3],
}

/// The squared distance of two parts: a numerator and a denominator, which is positive where the points
/// lie inside the parts.
struct Square<N> {
    /// Whether they do, if that is known.
    is_inside: Option<bool>,
    num: N,
    den: N,
}

impl<N: Number> Two<N> {
    #[inline(always)]
    fn of<T: PairTriangle>([a, b]: [&T; 2]) -> Self {
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
    fn vector_to(&self, side: usize, own: usize, other: usize) -> Vector<N> {
        match side {
            0 => self.between[own][other].each_ref().inline_map(N::negative),
            _ => self.between[other][own].clone(),
        }
    }

    #[inline(always)]
    fn square(&self, parts: [Feature; 2]) -> Square<N> {
        let place = usize::from;
        match parts {
            [Feature::Vertex(i), Feature::Vertex(j)] => {
                let w = &self.between[place(i)][place(j)];
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
    fn foot(&self, side: usize, corner: usize, edge: usize) -> (N, N) {
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
    fn point<T: PairTriangle>(
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

/// A certificate that two parts are the nearest of two triangles.
impl Two<Bounded> {
    /// Returns the squared distance of two parts if it is certainly the least, and no other parts are
    /// as near: the points lie inside both parts, and all other corners are farther along the line through
    /// both points.
    #[inline(always)]
    fn certain_square(&self, parts: [Feature; 2]) -> Option<Interval> {
        let square = self.square(parts);
        if square.is_inside != Some(true) {
            return None;
        }
        let [a, b] = parts;
        // A corner of each part, and a multiple of the vector between the points.
        let (from, along): ([usize; 2], Vector<Bounded>) = match parts {
            [Feature::Vertex(i), Feature::Vertex(j)] => {
                let places = [i, j].inline_map(usize::from);
                (places, self.between[places[0]][places[1]])
            }
            [Feature::Vertex(i), Feature::Edge(j)] => {
                let places = [i, j].inline_map(usize::from);
                (places, self.arm(0, places[0], places[1]))
            }
            [Feature::Edge(i), Feature::Vertex(j)] => {
                let places = [i, j].inline_map(usize::from);
                (
                    places,
                    self.arm(1, places[1], places[0])
                        .inline_map(Bounded::negated),
                )
            }
            [Feature::Edge(i), Feature::Edge(j)] => {
                let places = [i, j].inline_map(usize::from);
                let k = cross_product(&self.edges[0][places[0]], &self.edges[1][places[1]]);
                (places, k)
            }
            [Feature::Vertex(i), Feature::Face] => ([i.into(), 0], self.normals[1]),
            [Feature::Face, Feature::Vertex(j)] => ([0, j.into()], self.normals[0]),
            _ => return None,
        };
        // Towards the first triangle.
        let side = dot(&along, &self.between[from[0]][from[1]]).sign()?;
        let is_beyond = |side_of: usize, corner: usize| {
            // From the part's corner to another one of the same triangle.
            let step = self.step(side_of, from[side_of], corner);
            let sign = dot(&along, &step).sign();
            sign == Some(if side_of == 0 { side } else { -side })
        };
        let belongs = |part: Feature, corner: usize| match part {
            Feature::Vertex(i) => corner == usize::from(i),
            Feature::Edge(i) => corner != (usize::from(i) + 2) % 3,
            Feature::Face => true,
        };
        let is_least = side != 0
            && (0..3).all(|corner| belongs(a, corner) || is_beyond(0, corner))
            && (0..3).all(|corner| belongs(b, corner) || is_beyond(1, corner));
        is_least.then(|| interval(&square))
    }

    /// Returns the vector from one corner of a triangle to another one.
    #[inline(always)]
    fn step(&self, side: usize, from: usize, to: usize) -> Vector<Bounded> {
        let edges = &self.edges[side];
        match (to + 3 - from) % 3 {
            1 => edges[from],
            _ => edges[to].inline_map(Bounded::negated),
        }
    }

    /// Returns the vector from the foot of a corner on an edge of the other triangle to the corner, times
    /// the square of the edge.
    #[inline(always)]
    fn arm(&self, side: usize, corner: usize, edge: usize) -> Vector<Bounded> {
        let (along, whole) = self.foot(side, corner, edge);
        let from_edge = self.vector_to(1 - side, edge, corner);
        let f = &self.edges[1 - side][edge];
        [0, 1, 2]
            .inline_map(|axis: usize| whole.times(&from_edge[axis]).minus(&along.times(&f[axis])))
    }
}

/// Returns whether all hold, if that is known.
#[inline(always)]
fn all(conditions: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for condition in conditions {
        match condition {
            Some(true) => {}
            Some(false) => return Some(false),
            None => all = None,
        }
    }
    all
}

#[inline(always)]
fn is_positive<N: Number>(x: &N) -> Option<bool> {
    x.sign().map(|sign| sign > 0)
}

/// The certified distance of two triangles with area.
#[derive(Clone, Copy, Debug)]
struct Certified<T> {
    prims: [PrimId; 2],
    triangles: [T; 2],
    parts: [Feature; 2],
    /// The ends of the interval of the squared distance.
    square: Interval,
}

impl<T: PairTriangle> Certified<T> {
    /// Returns the distance unless it is certainly beyond the limit, or a triangle has no area.
    ///
    /// `hint` are parts that may be the nearest; it changes no answer.
    fn of(
        prims: [PrimId; 2],
        triangles: [&T; 2],
        hint: Option<[Feature; 2]>,
        limit: f64,
    ) -> Option<Self> {
        if triangles.iter().any(|of| of.own_triangle().is_degenerate()) {
            return None;
        }
        let two = Two::<Bounded>::of(triangles);
        if let Some(parts) = hint
            && let Some(square) = two.certain_square(parts)
        {
            return (square.0 <= limit).then(|| Certified {
                prims,
                triangles: triangles.inline_map(|triangle| *triangle),
                parts,
                square,
            });
        }
        let mut squares = [(f64::INFINITY, f64::INFINITY); PARTS.len()];
        let mut least = limit;
        let mut is_sure = [true; PARTS.len()];
        for (place, &parts) in PARTS.iter().enumerate() {
            let found = two.square(parts);
            if found.is_inside == Some(false) {
                continue;
            }
            squares[place] = interval(&found);
            is_sure[place] = found.is_inside.is_some();
            if is_sure[place] && squares[place].1 < least {
                least = squares[place].1;
            }
        }
        let mut places = (0..PARTS.len()).filter(|&place| squares[place].0 <= least);
        let first = places.next()?;
        let found = |place: usize, square| Certified {
            prims,
            triangles: triangles.map(|triangle| *triangle),
            parts: PARTS[place],
            square,
        };
        if is_sure[first] && places.next().is_none() {
            return Some(found(first, squares[first]));
        }
        let is_open = |place: &usize| squares[*place].0 <= least;
        let (place, square) = exactly(triangles, (first..PARTS.len()).filter(is_open))?;
        (square.0 <= limit).then(|| found(place, square))
    }

    fn exact_square(&self) -> Ratio {
        let [a, b] = &self.triangles;
        let Square { num, den, .. } = Two::<Dyadic>::of([a, b]).square(self.parts);
        Ratio::new(num, den)
    }

    /// Compares by exact distance, then by ids.
    fn cmp(&self, other: &Self) -> Ordering {
        let distances = if self.square.1 < other.square.0 {
            Ordering::Less
        } else if other.square.1 < self.square.0 {
            Ordering::Greater
        } else if self.square == (0.0, 0.0) && other.square == (0.0, 0.0)
            || self.is_between_same_parts_as(other)
        {
            Ordering::Equal
        } else {
            self.exact_square().cmp(&other.exact_square())
        };
        distances.then_with(|| self.prims.cmp(&other.prims))
    }

    /// All triangles of one side are placed by one matrix, if at all.
    fn is_between_same_parts_as(&self, other: &Self) -> bool {
        (0..2).all(|side| {
            let part = |found: &Self| (*found.triangles[side].own_triangle(), found.parts[side]);
            let ((own, part), (others, other)) = (part(self), part(other));
            are_one_feature((&own, part), (&others, other))
        })
    }

    /// Returns whether the exact distance is at most this one, which is not negative and not NaN.
    fn is_within(&self, distance: f32) -> bool {
        let square = f64::from(distance) * f64::from(distance); // 48 bits: exact
        self.square.1 <= square
            || self.square.0 <= square
                && self.exact_square().cmp_root(distance.into()) != Ordering::Greater
    }

    /// Returns the answer, each number rounded once.
    fn answer(&self) -> LeastDistance<T::Point> {
        let [a, b] = &self.triangles;
        let triangles = [a, b];
        let (low, high) = self.square;
        // Roots have one rounding.
        let distance = round((sqrt(low) * (1.0 - 4.0 * V), sqrt(high) * (1.0 + 4.0 * V)));
        let quick = Two::<Bounded>::of(triangles);
        let exact = LazyCell::new(|| Two::<Dyadic>::of(triangles));
        let point = |side: usize| {
            let quick = quick.point(triangles, self.parts, side);
            let exact = LazyCell::new(|| exact.point(triangles, self.parts, side));
            T::Point::from(
                [0, 1, 2]
                    .map(|axis: usize| T::round(quick.interval(axis), || exact.coordinate(axis))),
            )
        };
        LeastDistance {
            distance: distance.unwrap_or_else(|| self.exact_square().root_to_f32()),
            prims: self.prims,
            points: [point(0), point(1)],
            features: self.parts,
        }
    }
}

/// A point `start + share / whole * along`.
struct Foot<N> {
    start: Vector<N>,
    /// Nothing where the point is a corner.
    along: Option<(Vector<N>, N, N)>,
}

impl Foot<Bounded> {
    /// Returns an interval of a coordinate, whose ends have two roundings, and three where it is a sum.
    fn interval(&self, axis: usize) -> Interval {
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

impl Foot<Dyadic> {
    fn coordinate(&self, axis: usize) -> Ratio {
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
fn interval(found: &Square<Bounded>) -> Interval {
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

/// Returns the first of the least distances between some pairs of parts, and an interval of it.
#[cold]
#[inline(never)]
fn exactly<T: PairTriangle>(
    triangles: [&T; 2],
    places: impl Iterator<Item = usize>,
) -> Option<(usize, Interval)> {
    let two = Two::<Dyadic>::of(triangles);
    let mut best: Option<(usize, Ratio)> = None;
    for place in places {
        let Square {
            is_inside,
            num,
            den,
        } = two.square(PARTS[place]);
        if is_inside != Some(true) {
            continue;
        }
        let square = Ratio::new(num, den);
        if best
            .as_ref()
            .is_none_or(|(_, best)| square.cmp(best) == Ordering::Less)
        {
            best = Some((place, square));
        }
    }
    best.map(|(place, square)| (place, square.interval()))
}

/// The nearest pair of triangles of two meshes among those that were offered.
#[derive(Clone, Copy, Debug)]
pub struct NearestPair<T> {
    /// Pairs farther than this do not count; one exactly that far does.
    max_distance: f32,
    limit: f64,
    best: Option<Certified<T>>,
}

impl<T: PairTriangle> NearestPair<T> {
    /// Returns `None` where nothing can be near enough: for a distance that is negative or NaN.
    pub fn within(max_distance: f32) -> Option<Self> {
        (max_distance >= 0.0).then(|| NearestPair {
            max_distance,
            limit: f64::from(max_distance) * f64::from(max_distance),
            best: None,
        })
    }

    /// Returns the squared distance beyond which nothing is wanted any more.
    #[inline(always)]
    pub fn limit(&self) -> f64 {
        self.limit
    }

    /// Lowers the limit to an upper bound of the least squared distance that is known from elsewhere.
    #[inline(always)]
    pub fn lower_limit(&mut self, limit: f64) {
        self.limit = self.limit.min(limit);
    }

    /// Returns whether a pair whose squared distance is not below `low` may still be the answer.
    #[inline(always)]
    pub fn wants(&self, prims: [PrimId; 2], low: f64) -> bool {
        let is_behind = |best: &Certified<T>| low >= best.square.1 && prims >= best.prims;
        low <= self.limit && !self.best.as_ref().is_some_and(is_behind)
    }

    /// Takes a pair of triangles. `hint` are parts that may be the nearest; it changes no answer.
    pub fn offer(&mut self, prims: [PrimId; 2], triangles: [&T; 2], hint: Option<[Feature; 2]>) {
        if let Some(found) = Certified::of(prims, triangles, hint, self.limit)
            && (self.max_distance == f32::INFINITY || found.is_within(self.max_distance))
        {
            self.take(found);
        }
    }

    fn take(&mut self, found: Certified<T>) {
        self.lower_limit(found.square.1);
        if self
            .best
            .as_ref()
            .is_none_or(|best| found.cmp(best) == Ordering::Less)
        {
            self.best = Some(found);
        }
    }

    /// Takes what another one has found.
    pub fn merge(&mut self, other: Self) {
        self.lower_limit(other.limit);
        if let Some(found) = other.best {
            self.take(found);
        }
    }

    /// Returns the answer, each number rounded once.
    pub fn answer(&self) -> Option<LeastDistance<T::Point>> {
        self.best.as_ref().map(Certified::answer)
    }
}
