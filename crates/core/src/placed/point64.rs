//! A point in `f64`, prepared for measuring distances from placed triangles.

use super::ScenePrim;
use super::placed_distance::{NearCorners, PlacedDistance};
use super::placed_point::round_point;
use super::placed_triangle::PlacedTriangle;
use super::scene_closest_point::SceneClosestPoint;
use crate::arithmetic::{Bounded, Dyadic, InlineMap, Interval, V3, compare, round, round_root};
use crate::collect::PointKind;
use crate::exact::{
    Verdict,
    proximity::{Feature, Measure, are_one_feature},
};
use core::cell::OnceCell;
use core::cmp::Ordering;
use glam::DVec3;

/// A finite point.
#[derive(Clone, Copy, Debug)]
pub struct Point64(V3);

/// The certified distance of a point from a placed triangle with area.
#[derive(Clone, Copy, Debug)]
pub struct CertifiedPlaced {
    id: ScenePrim,
    placed: PlacedTriangle,
    feature: Feature,
    /// The ends of the interval of the squared distance.
    square: Interval,
}

impl Point64 {
    /// Returns `None` if a coordinate is NaN or infinite.
    #[inline]
    pub(crate) fn new(point: DVec3) -> Option<Self> {
        point.is_finite().then_some(Point64(point.to_array()))
    }

    pub(crate) fn point(&self) -> V3 {
        self.0
    }

    fn exact(&self, placed: &PlacedTriangle) -> Option<PlacedDistance<Dyadic>> {
        PlacedDistance::measure_exactly(self.0, placed)
    }

    #[cold]
    #[inline(never)]
    fn order_slowly(&self, a: &CertifiedPlaced, b: &CertifiedPlaced) -> Ordering {
        let is_one_feature = a.placed.matrix == b.placed.matrix
            && are_one_feature(
                (&a.placed.triangle, a.feature),
                (&b.placed.triangle, b.feature),
            );
        if is_one_feature {
            return Ordering::Equal;
        }
        match (self.exact(&a.placed), self.exact(&b.placed)) {
            (Some(a), Some(b)) => a.exact_square().cmp(&b.exact_square()),
            _ => Ordering::Equal, // not so: both have area
        }
    }

    #[cold]
    #[inline(never)]
    fn order_radius_slowly(&self, found: &CertifiedPlaced, radius: f32) -> Ordering {
        match self.exact(&found.placed) {
            Some(exact) => exact.exact_square().cmp_root(radius.into()),
            None => Ordering::Greater, // not so: it has area
        }
    }
}

impl Measure for Point64 {
    type Id = ScenePrim;
    type Measured = PlacedTriangle;
    type Certified = CertifiedPlaced;
    type Answer = SceneClosestPoint;

    #[inline]
    fn measure_quickly(
        &self,
        id: ScenePrim,
        placed: &PlacedTriangle,
        limit: f64,
    ) -> Verdict<CertifiedPlaced> {
        let corners = NearCorners::of(self.0, placed);
        if corners.are_beyond(limit) {
            return Verdict::Missed;
        }
        let Some(found) = PlacedDistance::<Bounded>::measure(placed, &corners) else {
            return Verdict::Open;
        };
        match found.square_interval() {
            None => Verdict::Open,
            Some((low, _)) if low > limit => Verdict::Missed,
            Some(square) => Verdict::Touched(CertifiedPlaced {
                id,
                placed: *placed,
                feature: found.feature(),
                square,
            }),
        }
    }

    #[cold]
    #[inline(never)]
    fn measure_slowly(
        &self,
        id: ScenePrim,
        placed: &PlacedTriangle,
        limit: f64,
    ) -> Option<CertifiedPlaced> {
        let exact = self.exact(placed)?;
        let (low, high) = exact.exact_square().bounds();
        (low <= limit).then_some(CertifiedPlaced {
            id,
            placed: *placed,
            feature: exact.feature(),
            square: (low.max(0.0), high),
        })
    }

    #[inline]
    fn order(&self, a: &CertifiedPlaced, b: &CertifiedPlaced) -> Ordering {
        let distances = compare(a.square, b.square, || self.order_slowly(a, b));
        distances.then_with(|| a.id.cmp(&b.id))
    }

    #[inline]
    fn order_radius(&self, found: &CertifiedPlaced, radius: f32) -> Ordering {
        // 48 bits: exact.
        let square = f64::from(radius) * f64::from(radius);
        compare(found.square, (square, square), || {
            self.order_radius_slowly(found, radius)
        })
    }

    fn distance(&self, found: &CertifiedPlaced) -> f32 {
        round_root(found.square).unwrap_or_else(|| {
            let exact = self.exact(&found.placed);
            exact.map_or(f32::INFINITY, |exact| exact.exact_square().root_to_f32())
        })
    }

    fn closest_point(&self, found: &CertifiedPlaced) -> SceneClosestPoint {
        let exact = OnceCell::new();
        let exact = || {
            exact.get_or_init(|| {
                let exact = self.exact(&found.placed);
                exact.expect("a certified triangle has area")
            })
        };
        let quick = match found.feature {
            Feature::Vertex(i) => [i == 1, i == 2].inline_map(|one| {
                let weight = f64::from(one);
                Some((weight, weight))
            }),
            Feature::Edge(_) | Feature::Face => {
                let corners = NearCorners::of(self.0, &found.placed);
                let quick = PlacedDistance::<Bounded>::measure(&found.placed, &corners);
                quick.map_or([None; 2], |quick| quick.weight_intervals())
            }
        };
        let weight = |place: usize| {
            let rounded = quick[place].and_then(round);
            rounded.unwrap_or_else(|| exact().exact_weight(place).to_f32())
        };
        let ScenePrim { path, prim, .. } = found.id;
        SceneClosestPoint {
            point: round_point(self.0, &found.placed, found.feature),
            distance: round_root(found.square)
                .unwrap_or_else(|| exact().exact_square().root_to_f32()),
            u: weight(0),
            v: weight(1),
            prim,
            feature: found.feature,
            path,
        }
    }

    fn id(found: &CertifiedPlaced) -> ScenePrim {
        found.id
    }

    #[inline(always)]
    fn square_high(found: &CertifiedPlaced) -> f64 {
        found.square.1
    }
}

impl PointKind for DVec3 {
    type Id = ScenePrim;
    type Triangle = PlacedTriangle;
    type ClosestAnswer = SceneClosestPoint;
    type Prepared = Point64;

    fn prepare(self) -> Option<Point64> {
        Point64::new(self)
    }

    fn of(prepared: &Point64) -> DVec3 {
        prepared.point().into()
    }
}
