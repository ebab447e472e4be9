//! The nearest triangles of two meshes: certified, ordered and rounded.

use super::PairTriangle;
use super::parts_apart::{PARTS, Square, Two, interval};
use crate::arithmetic::{Bounded, Dyadic, InlineMap, Interval, Pair, Ratio, compare};
use crate::exact::proximity::{Feature, are_one_feature};
use crate::shapes::{Coordinate, PrimId};
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
pub struct LeastDistance<P = Vec3, L = f32> {
    /// The distance of the two points, in the unit of the coordinates; 0 where triangles have a common
    /// point, or where it rounds to 0. Infinite where the exact value overflows; it is still an answer.
    pub distance: L,
    /// The triangle of the first mesh, and that of the second.
    pub prims: [PrimId; 2],
    /// The point of each triangle, each coordinate rounded on its own.
    pub points: [P; 2],
    /// The part of each triangle that its point lies on.
    pub features: [Feature; 2],
}

/// The answer about two triangles of a kind.
pub type LeastOf<T> =
    LeastDistance<<<T as PairTriangle>::Space as Coordinate>::Point, <T as PairTriangle>::Length>;

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
    /// Returns the distance of triangles with area unless it is certainly beyond the limit.
    ///
    /// `hint` are parts that may be the nearest; it changes no answer.
    fn of(
        prims: [PrimId; 2],
        triangles: [&T; 2],
        hint: Option<[Feature; 2]>,
        limit: f64,
    ) -> Option<Self> {
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
        let are_both_0 = self.square == (0.0, 0.0) && other.square == (0.0, 0.0);
        let distances = compare(self.square, other.square, || {
            match are_both_0 || self.is_between_same_parts_as(other) {
                true => Ordering::Equal,
                false => self.exact_square().cmp(&other.exact_square()),
            }
        });
        distances.then_with(|| self.prims.cmp(&other.prims))
    }

    /// All triangles of one side are placed by one matrix, if at all.
    fn is_between_same_parts_as(&self, other: &Self) -> bool {
        (0..2).all(|side| {
            let part = |found: &Self| (found.triangles[side].own_corners(), found.parts[side]);
            let ((own, part), (others, other)) = (part(self), part(other));
            are_one_feature((&own, part), (&others, other))
        })
    }

    /// Returns whether the exact distance is at most this one, which is not negative and not NaN.
    fn is_within(&self, distance: f32) -> bool {
        let square = f64::from(distance) * f64::from(distance); // 48 bits: exact
        let exactly = || self.exact_square().cmp_root(distance.into());
        self.square.1 <= square
            || compare(self.square, (square, square), exactly) != Ordering::Greater
    }

    /// Returns the answer about triangles of a kind, each number rounded once.
    fn answer<K: PairTriangle>(&self) -> LeastOf<K> {
        let [a, b] = &self.triangles;
        let triangles = [a, b];
        let quick = Two::<Bounded>::of(triangles);
        let pairs = LazyCell::new(|| Two::<Pair>::of(triangles));
        let exact = LazyCell::new(|| Two::<Dyadic>::of(triangles));
        let point = |side: usize| {
            let quick = quick.point(triangles, self.parts, side);
            let pairs = LazyCell::new(|| pairs.point(triangles, self.parts, side));
            let exact = LazyCell::new(|| exact.point(triangles, self.parts, side));
            K::Space::point([0, 1, 2].map(|axis: usize| {
                K::Space::nearest(
                    || quick.interval(axis),
                    || pairs.coordinate(axis),
                    || exact.coordinate(axis),
                )
            }))
        };
        let by_pairs = || {
            let Square { num, den, .. } = pairs.square(self.parts);
            num.root_over(&den)
        };
        LeastDistance {
            distance: K::Length::nearest_root(self.square, by_pairs, || self.exact_square()),
            prims: self.prims,
            points: [point(0), point(1)],
            features: self.parts,
        }
    }
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
pub struct NearestPair<T: PairTriangle> {
    /// Pairs farther than this do not count; one exactly that far does.
    max_distance: f32,
    limit: f64,
    best: Option<Certified<T::Certified>>,
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
        let is_behind =
            |best: &Certified<T::Certified>| low >= best.square.1 && prims >= best.prims;
        low <= self.limit && !self.best.as_ref().is_some_and(is_behind)
    }

    /// Takes a pair of triangles. `hint` are parts that may be the nearest; it changes no answer.
    pub fn offer(&mut self, prims: [PrimId; 2], triangles: [&T; 2], hint: Option<[Feature; 2]>) {
        if !triangles.iter().all(|of| of.has_area()) {
            return;
        }
        let [a, b] = triangles.inline_map(PairTriangle::certified);
        if let Some(found) = Certified::of(prims, [&a, &b], hint, self.limit)
            && (self.max_distance == f32::INFINITY || found.is_within(self.max_distance))
        {
            self.take(found);
        }
    }

    fn take(&mut self, found: Certified<T::Certified>) {
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
    pub fn answer(&self) -> Option<LeastOf<T>> {
        self.best.as_ref().map(Certified::answer::<T>)
    }
}
