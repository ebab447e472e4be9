//! A point in `f64`, prepared for measuring distances from placed triangles.

use super::ScenePrim;
use super::placed_distance::NearCorners;
use super::placed_point::PlacedCorners;
use super::placed_triangle::PlacedTriangle;
use super::scene_closest_point::SceneClosestPoint;
use crate::arithmetic::{InlineMap, V3, round};
use crate::collect::PointTest;
use crate::exact::{
    Verdict,
    proximity::{
        CertifiedDistance, ExactDistance, Feature, Measure, TriangleDistance, are_one_feature,
        measured_distance, round_point,
    },
};
use core::cell::OnceCell;
use core::cmp::Ordering;
use glam::DVec3;

/// A finite point.
#[derive(Clone, Copy, Debug)]
pub struct Point64(V3);

type CertifiedPlaced = CertifiedDistance<ScenePrim, PlacedTriangle>;

impl Point64 {
    /// Returns `None` if a coordinate is NaN or infinite.
    #[inline]
    pub(crate) fn new(point: DVec3) -> Option<Self> {
        point.is_finite().then_some(Point64(point.to_array()))
    }

    pub(crate) fn point(&self) -> V3 {
        self.0
    }
}

impl Measure for Point64 {
    type Id = ScenePrim;
    type Measured = PlacedTriangle;
    type Answer = SceneClosestPoint;
    type Length = f32;

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
        let Some(found) = TriangleDistance::of_placed(placed, &corners) else {
            return Verdict::Open;
        };
        match found.square_interval() {
            None => Verdict::Open,
            Some((low, _)) if low > limit => Verdict::Missed,
            Some(square) => Verdict::Touched(CertifiedDistance {
                id,
                triangle: *placed,
                feature: found.feature(),
                square,
            }),
        }
    }

    fn exact(&self, placed: &PlacedTriangle) -> Option<ExactDistance> {
        ExactDistance::exactly_of_placed(self.0, placed)
    }

    #[cold]
    #[inline(never)]
    fn order_close(&self, a: &CertifiedPlaced, b: &CertifiedPlaced) -> Ordering {
        let is_one_feature = a.triangle.matrix == b.triangle.matrix
            && are_one_feature(
                (&a.triangle.triangle.coordinates(), a.feature),
                (&b.triangle.triangle.coordinates(), b.feature),
            );
        if is_one_feature {
            return Ordering::Equal;
        }
        self.order_exactly(a, b)
    }

    fn distance(&self, found: &CertifiedPlaced) -> f32 {
        measured_distance(self, found)
    }

    fn closest_point(&self, found: &CertifiedPlaced) -> SceneClosestPoint {
        let exact = OnceCell::new();
        let exact = || {
            exact.get_or_init(|| {
                let exact = self.exact(&found.triangle);
                exact.expect("a certified triangle has area")
            })
        };
        let quick = match found.feature {
            Feature::Vertex(i) => [i == 1, i == 2].inline_map(|one| {
                let weight = f64::from(one);
                Some((weight, weight))
            }),
            Feature::Edge(_) | Feature::Face => {
                let corners = NearCorners::of(self.0, &found.triangle);
                let quick = TriangleDistance::of_placed(&found.triangle, &corners);
                quick.map_or([None; 2], |quick| quick.weight_intervals())
            }
        };
        let weight = |place: usize| {
            let rounded = quick[place].and_then(round);
            rounded.unwrap_or_else(|| exact().weights()[place].to_f32())
        };
        let ScenePrim { path, prim, .. } = found.id;
        let corners = PlacedCorners {
            point: self.0,
            placed: &found.triangle,
        };
        SceneClosestPoint {
            point: round_point(self.0, &corners, found.feature),
            distance: self.distance(found),
            u: weight(0),
            v: weight(1),
            prim,
            feature: found.feature,
            path,
        }
    }
}

impl PointTest<DVec3> for PlacedTriangle {
    type Id = ScenePrim;
    type Length = f32;
    type ClosestAnswer = SceneClosestPoint;
    type Prepared = Point64;

    fn prepare(point: DVec3) -> Option<Point64> {
        Point64::new(point)
    }

    fn of(prepared: &Point64) -> DVec3 {
        prepared.point().into()
    }
}
