//! Engines with mistakes about points, regions and moving spheres, which the suite must find.

use super::super::{Effort, check_near, check_regions, check_sweeps};
use estoc_core::exact::PreparedRay;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{
    Aabb, BoxPosition, BruteForce, Collector, Engine, Feature, NearEngine, PointCollector,
    PointEngine, PointQuery, PrimId, RegionCollector, RegionEngine, SurfaceReport, SweepCollector,
    SweepEngine, SweepQuery, Triangle, TriangleCluster, WindingCollector,
};
use std::fmt;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mistake {
    None,
    /// No mistake: the order of triangles is free.
    LastFirst,

    /// Rays do not cross triangles at their edges, at their vertices, or from behind.
    LosesEdgeCrossings,
    LosesVertexCrossings,
    LosesCrossingsFromBehind,
    /// Rays cross triangles from the other side.
    TurnsCrossings,
    /// A triangle is lost where the point is exactly on it.
    LosesTouched,
    /// A triangle is lost where it is as close as one before it, as `f64` has it.
    PrunesEquallyClose,
    /// A triangle is lost where its closest point is on an edge.
    LosesEdges,
    LosesLast,
    /// An estimate lacks a triangle, has one twice, has a corner of each moved by 2^-20 of its
    /// coordinates, or has a cluster that lacks a triangle.
    EstimateLacksOne,
    EstimateHasOneTwice,
    EstimateMovesCorners,
    ClusterLacksOne,
    ClaimsOriented,
    /// The surface is that of all triangles but the last.
    SurfaceLacksOne,

    /// Boxes that only touch the region's box are lost.
    LosesTouchingBoxes,
    /// Triangles in boxes across the region's border are taken without a test.
    TakesCrossing,
    /// Triangles in boxes of no thickness are lost.
    LosesFlatBoxes,
    /// Triangles inside a region are lost, as if only its surface counted.
    LosesInside,
    OffersTwice,

    /// A triangle touched at the time of one before it is lost, as `f64` has it.
    PrunesEqualTimes,
    /// Triangles touched at the start are lost.
    LosesStart,
    /// The path has no width.
    ForgetsRadius,
    /// Boxes are met by the end of the movement in unit time.
    StopsAtOne,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// A brute-force engine with a mistake.
struct Wrong {
    engine: BruteForce,
    mistake: Mistake,
}

impl Wrong {
    fn of(&mistake: &Mistake, mesh: &[Triangle]) -> Self {
        Wrong {
            engine: BruteForce::new(mesh),
            mistake,
        }
    }

    /// Calls `offer` with the triangles that are not lost.
    fn each(
        &self,
        is_lost: impl Fn(Mistake, PrimId, &Triangle) -> bool,
        mut offer: impl FnMut(PrimId, &Triangle) -> ControlFlow<()>,
    ) {
        let count = self.primitive_count();
        for place in 0..count {
            let index = match self.mistake {
                Mistake::LastFirst => count - 1 - place,
                _ => place,
            };
            let prim = PrimId::from_index(index).unwrap();
            let triangle = self.primitive(prim).unwrap();
            let is_last = self.mistake == Mistake::LosesLast && index + 1 == count;
            if is_last || is_lost(self.mistake, prim, &triangle) {
                continue;
            }
            let times = if self.mistake == Mistake::OffersTwice {
                2
            } else {
                1
            };
            for _ in 0..times {
                if offer(prim, &triangle).is_break() {
                    return;
                }
            }
        }
    }

    fn all(&self) -> Vec<Triangle> {
        let ids = (0..self.primitive_count()).filter_map(PrimId::from_index);
        ids.filter_map(|prim| self.primitive(prim)).collect()
    }
}

fn alone(triangle: &Triangle) -> BruteForce {
    BruteForce::new([*triangle])
}

impl Engine for Wrong {
    type Primitive = Triangle;

    fn primitive_count(&self) -> usize {
        self.engine.triangle_count()
    }

    fn primitive(&self, prim: PrimId) -> Option<Triangle> {
        self.engine.triangle(prim)
    }

    fn is_closed(&self) -> bool {
        self.engine.is_closed()
    }

    fn visit(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_>) {
        let is_lost = |mistake, prim, triangle: &Triangle| {
            let Some(touch) = ray.touch(prim, triangle, f64::INFINITY) else {
                return false;
            };
            let hit = ray.hit(&touch);
            let zeros = [hit.u == 0.0, hit.v == 0.0, hit.u + hit.v == 1.0];
            let zeros = zeros.into_iter().filter(|&is_zero| is_zero).count();
            match mistake {
                Mistake::LosesEdgeCrossings => zeros == 1,
                Mistake::LosesVertexCrossings => zeros == 2,
                Mistake::LosesCrossingsFromBehind => {
                    let [a, b, c] = triangle.corners().map(Vec3::as_dvec3);
                    (b - a).cross(c - a).x > 0.0 // rays to the outside have the direction +x
                }
                _ => false,
            }
        };
        self.each(is_lost, |prim, triangle| match self.mistake {
            Mistake::TurnsCrossings => {
                let Triangle { p0, p1, p2 } = *triangle;
                collector.offer(prim, &Triangle::new(p0, p2, p1))
            }
            _ => collector.offer(prim, triangle),
        });
    }
}

impl NearEngine for Wrong {
    fn visit_near(&self, collector: &mut PointCollector) {
        let point = collector.point();
        let mut limit = f64::INFINITY;
        let is_lost = |mistake, _, triangle: &Triangle| {
            let closest = || alone(triangle).closest_point(point);
            match mistake {
                Mistake::LosesTouched => alone(triangle).any_within(point, 0.0),
                Mistake::LosesEdges => {
                    closest().is_some_and(|found| matches!(found.feature, Feature::Edge(_)))
                }
                _ => false,
            }
        };
        let prunes = self.mistake == Mistake::PrunesEquallyClose && collector.wants_closest();
        let count = self.primitive_count();
        if prunes {
            // From the last one on, so that ties go to it.
            for prim in (0..count).rev().filter_map(PrimId::from_index) {
                let triangle = self.primitive(prim).unwrap();
                let distance = alone(&triangle).distance(point).map(f64::from);
                if distance.is_some_and(|distance| distance < limit) {
                    limit = distance.unwrap();
                    let _ = collector.offer(prim, &triangle);
                }
            }
            return;
        }
        self.each(is_lost, |prim, triangle| collector.offer(prim, triangle));
    }
}

impl PointEngine for Wrong {
    fn visit_winding(&self, collector: &mut WindingCollector) {
        let all = self.all();
        let Some((last, others)) = all.split_last() else {
            return;
        };
        match self.mistake {
            Mistake::EstimateLacksOne => others.iter().for_each(|t| collector.offer(t)),
            Mistake::EstimateHasOneTwice => {
                all.iter().chain([last]).for_each(|t| collector.offer(t));
            }
            Mistake::EstimateMovesCorners => all.iter().for_each(|&Triangle { p0, p1, p2 }| {
                collector.offer(&Triangle::new(p0 * (1.0 + 1.0 / 1_048_576.0), p1, p2));
            }),
            Mistake::ClusterLacksOne => {
                if !collector.offer_cluster(&TriangleCluster::of(others)) {
                    all.iter().for_each(|t| collector.offer(t));
                }
            }
            _ => all.iter().for_each(|t| collector.offer(t)),
        }
    }

    fn surface(&self) -> SurfaceReport {
        let all = self.all();
        match self.mistake {
            Mistake::ClaimsOriented => SurfaceReport::of(std::iter::empty()),
            Mistake::SurfaceLacksOne => {
                SurfaceReport::of(all.iter().copied().take(all.len().saturating_sub(1)))
            }
            _ => self.engine.surface(),
        }
    }
}

fn bounds(triangle: &Triangle) -> [DVec3; 2] {
    let bounds = Aabb::of_triangle(triangle);
    [bounds.min().as_dvec3(), bounds.max().as_dvec3()]
}

impl RegionEngine for Wrong {
    fn visit_region(&self, collector: &mut RegionCollector<'_>) {
        let around = collector.bounds();
        let is_lost = |collector: &RegionCollector<'_>, triangle: &Triangle| {
            if !triangle.is_finite() {
                return false;
            }
            let [min, max] = bounds(triangle);
            match self.mistake {
                Mistake::LosesTouchingBoxes => around.is_some_and(|around| {
                    let (low, high) = (around.min().as_dvec3(), around.max().as_dvec3());
                    min.cmpge(high).any() || max.cmple(low).any()
                }),
                Mistake::LosesFlatBoxes => min.cmpeq(max).any(),
                Mistake::LosesInside => collector.place_box(min, max) == BoxPosition::Inside,
                _ => false,
            }
        };
        self.each(
            |_, _, _| false,
            |prim, triangle| {
                if is_lost(collector, triangle) {
                    return ControlFlow::Continue(());
                }
                let crosses = self.mistake == Mistake::TakesCrossing
                    && triangle.is_finite()
                    && !collector.is_known_by_bounds()
                    && {
                        let [min, max] = bounds(triangle);
                        collector.place_box(min, max) == BoxPosition::Crossing
                    };
                match crosses {
                    true => collector.offer_inside(prim, triangle),
                    false => collector.offer(prim, triangle),
                }
            },
        );
    }
}

impl SweepEngine for Wrong {
    fn visit_swept(&self, collector: &mut SweepCollector) {
        let (center, velocity, radius) =
            (collector.center(), collector.velocity(), collector.radius());
        let contact = |triangle: &Triangle| alone(triangle).sweep_sphere(center, velocity, radius);
        let mut first = f32::INFINITY;
        let end = center + velocity;
        let (low, high) = (center.min(end), center.max(end));
        let is_lost = |mistake, _, triangle: &Triangle| match mistake {
            Mistake::LosesStart => {
                contact(triangle).is_some_and(|found| found.is_touching_at_start)
            }
            Mistake::StopsAtOne => contact(triangle).is_some_and(|found| found.t > 1.0),
            Mistake::ForgetsRadius => {
                let around = Aabb::of_triangle(triangle);
                around.min().cmpgt(high).any() || around.max().cmplt(low).any()
            }
            _ => false,
        };
        if self.mistake == Mistake::PrunesEqualTimes {
            for prim in (0..self.primitive_count())
                .rev()
                .filter_map(PrimId::from_index)
            {
                let triangle = self.primitive(prim).unwrap();
                if let Some(found) = contact(&triangle).filter(|found| found.t < first) {
                    first = found.t;
                    let _ = collector.offer(prim, &triangle);
                }
            }
            return;
        }
        self.each(is_lost, |prim, triangle| collector.offer(prim, triangle));
    }
}

const EFFORT: Effort = Effort {
    seeds: 1,
    rays_per_scene: 8,
};

fn fails(check: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(check)).is_err()
}

#[test]
fn mistakes_about_points_are_found() {
    let is_found = |mistake| {
        fails(|| {
            check_near(&[Mistake::None, mistake], Wrong::of, &EFFORT);
        })
    };
    assert!(!is_found(Mistake::None) && !is_found(Mistake::LastFirst));
    for mistake in [
        Mistake::LosesEdgeCrossings,
        Mistake::LosesVertexCrossings,
        Mistake::LosesCrossingsFromBehind,
        Mistake::TurnsCrossings,
        Mistake::LosesTouched,
        Mistake::PrunesEquallyClose,
        Mistake::LosesEdges,
        Mistake::LosesLast,
        Mistake::EstimateLacksOne,
        Mistake::EstimateHasOneTwice,
        Mistake::EstimateMovesCorners,
        Mistake::ClusterLacksOne,
        Mistake::ClaimsOriented,
        Mistake::SurfaceLacksOne,
        Mistake::OffersTwice,
    ] {
        assert!(is_found(mistake), "{mistake:?}");
    }
}

#[test]
fn mistakes_about_regions_are_found() {
    let is_found = |mistake| {
        fails(|| {
            check_regions(&[Mistake::None, mistake], Wrong::of, &EFFORT);
        })
    };
    assert!(!is_found(Mistake::None) && !is_found(Mistake::LastFirst));
    for mistake in [
        Mistake::LosesTouchingBoxes,
        Mistake::TakesCrossing,
        Mistake::LosesFlatBoxes,
        Mistake::LosesInside,
        Mistake::LosesLast,
        Mistake::OffersTwice,
    ] {
        assert!(is_found(mistake), "{mistake:?}");
    }
}

#[test]
fn mistakes_about_moving_spheres_are_found() {
    let is_found = |mistake| {
        fails(|| {
            check_sweeps(&[Mistake::None, mistake], Wrong::of, &EFFORT);
        })
    };
    assert!(!is_found(Mistake::None) && !is_found(Mistake::LastFirst));
    for mistake in [
        Mistake::PrunesEqualTimes,
        Mistake::LosesStart,
        Mistake::ForgetsRadius,
        Mistake::StopsAtOne,
        Mistake::LosesLast,
    ] {
        assert!(is_found(mistake), "{mistake:?}");
    }
}
