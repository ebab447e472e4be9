//! An engine with mistakes, which the suite must find.

use estoc_core::exact::PreparedRay;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{
    Aabb, BoxPosition, BruteForce, CancelToken, Collector, Engine, Feature, FirstContact,
    NearEngine, NearestPair, PairEngine, PairQuery, PointCollector, PointEngine, PointQuery,
    PrimId, RayQuery, RegionCollector, RegionEngine, SurfaceReport, SweepCollector, SweepEngine,
    Triangle, Triangle64, TriangleCluster, WindingCollector,
};
use std::fmt;
use std::ops::ControlFlow;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mistake {
    None,
    /// No mistake: the order of triangles is free.
    LastFirst,

    /// Rays miss triangles that `f64` arithmetic misses.
    DecidesInDouble,
    /// Rays miss triangles whose `t` is not below the limit in `f64` arithmetic.
    PrunesTies,
    ClaimsClosed,

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
    /// Triangles in boxes of no thickness are lost, by regions and by rays.
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
pub(super) struct Wrong {
    engine: BruteForce,
    mistake: Mistake,
}

impl Wrong {
    pub(super) fn of(&mistake: &Mistake, mesh: &[Triangle]) -> Self {
        Wrong {
            engine: BruteForce::new(mesh),
            mistake,
        }
    }

    /// Calls `offer` with the triangles, until it breaks.
    fn each(&self, mut offer: impl FnMut(PrimId, &Triangle) -> ControlFlow<()>) {
        let count = self.primitive_count();
        for place in 0..count {
            let index = match self.mistake {
                Mistake::LastFirst => count - 1 - place,
                _ => place,
            };
            let prim = PrimId::from_index(index).unwrap();
            let triangle = self.primitive(prim).unwrap();
            let times = match self.mistake {
                Mistake::LosesLast if index + 1 == count => 0,
                Mistake::OffersTwice => 2,
                _ => 1,
            };
            for _ in 0..times {
                if offer(prim, &triangle).is_break() {
                    return;
                }
            }
        }
    }

    /// Calls `offer` with each triangle whose number is below those before, from the last one on, so
    /// that ties go to it.
    fn each_earlier(
        &self,
        number: impl Fn(&Triangle) -> Option<f32>,
        mut offer: impl FnMut(PrimId, &Triangle) -> ControlFlow<()>,
    ) {
        let mut first = f32::INFINITY;
        let ids = (0..self.primitive_count()).rev();
        for prim in ids.filter_map(PrimId::from_index) {
            let triangle = self.primitive(prim).unwrap();
            if let Some(number) = number(&triangle).filter(|&number| number < first) {
                first = number;
                let _ = offer(prim, &triangle);
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
        self.mistake == Mistake::ClaimsClosed || self.engine.is_closed()
    }

    fn visit(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_>) {
        let is_lost = |collector: &Collector<'_>, prim, triangle: &Triangle| {
            let rounded = || rounded_meeting(ray, triangle);
            // The number of weights that are zero, if the triangle is hit.
            let zeros = || {
                let hit = ray.hit(&ray.touch(prim, triangle, f64::INFINITY)?);
                let zeros = [hit.u == 0.0, hit.v == 0.0, hit.u + hit.v == 1.0];
                Some(zeros.into_iter().filter(|&is_zero| is_zero).count())
            };
            match self.mistake {
                Mistake::LosesFlatBoxes => is_flat(triangle),
                Mistake::DecidesInDouble => rounded().is_none(),
                Mistake::PrunesTies => rounded().is_some_and(|t| t >= collector.t_limit()),
                Mistake::LosesEdgeCrossings => zeros() == Some(1),
                Mistake::LosesVertexCrossings => zeros() == Some(2),
                Mistake::LosesCrossingsFromBehind => {
                    let [a, b, c] = triangle.corners().map(Vec3::as_dvec3);
                    (b - a).cross(c - a).x > 0.0 // rays to the outside have the direction +x
                }
                _ => false,
            }
        };
        self.each(|prim, triangle| match self.mistake {
            _ if is_lost(collector, prim, triangle) => ControlFlow::Continue(()),
            Mistake::TurnsCrossings => {
                let Triangle { p0, p1, p2 } = *triangle;
                collector.offer(prim, &Triangle::new(p0, p2, p1))
            }
            _ => collector.offer(prim, triangle),
        });
    }
}

/// Möller and Trumbore 1997 in `f64`: right except when rounding decides.
fn rounded_meeting(ray: &PreparedRay<'_>, triangle: &Triangle) -> Option<f64> {
    let [a, b, c] = triangle.corners().map(Vec3::as_dvec3);
    let (origin, dir) = (DVec3::from(ray.origin()), DVec3::from(ray.dir()));
    let (e1, e2, s) = (b - a, c - a, origin - a);
    let (p, q) = (dir.cross(e2), s.cross(e1));
    let det = e1.dot(p);
    let (u, v) = (s.dot(p) / det, dir.dot(q) / det);
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0).then(|| e2.dot(q) / det)
}

fn is_flat(triangle: &Triangle) -> bool {
    let [min, max] = bounds(triangle);
    min.cmpeq(max).any()
}

impl NearEngine for Wrong {
    fn visit_near(&self, collector: &mut PointCollector) {
        let point = collector.point();
        let is_lost = |triangle: &Triangle| match self.mistake {
            Mistake::LosesTouched => alone(triangle).any_within(point, 0.0),
            Mistake::LosesEdges => {
                let closest = alone(triangle).closest_point(point);
                closest.is_some_and(|found| matches!(found.feature, Feature::Edge(_)))
            }
            _ => false,
        };
        if self.mistake == Mistake::PrunesEquallyClose && collector.wants_closest() {
            let distance = |triangle: &Triangle| alone(triangle).distance(point);
            return self.each_earlier(distance, |prim, triangle| collector.offer(prim, triangle));
        }
        self.each(|prim, triangle| match is_lost(triangle) {
            true => ControlFlow::Continue(()),
            false => collector.offer(prim, triangle),
        });
    }
}

impl PointEngine for Wrong {
    fn visit_winding(&self, collector: &mut WindingCollector) {
        let all: Vec<Triangle64> = self.all().iter().map(|&t| t.into()).collect();
        let Some((last, others)) = all.split_last() else {
            return;
        };
        match self.mistake {
            Mistake::EstimateLacksOne => others.iter().for_each(|t| collector.offer(t)),
            Mistake::EstimateHasOneTwice => {
                all.iter().chain([last]).for_each(|t| collector.offer(t));
            }
            Mistake::EstimateMovesCorners => all.iter().for_each(|&Triangle64 { p0, p1, p2 }| {
                collector.offer(&Triangle64::new(p0 * (1.0 + 1.0 / 1_048_576.0), p1, p2));
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
            Mistake::ClaimsOriented => SurfaceReport::of(std::iter::empty::<Triangle>()),
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
        self.each(|prim, triangle| {
            if !triangle.is_finite() {
                return collector.offer(prim, &(*triangle).into());
            }
            let [min, max] = bounds(triangle);
            let is_lost = match self.mistake {
                Mistake::LosesTouchingBoxes => {
                    around.is_some_and(|[low, high]| min.cmpge(high).any() || max.cmple(low).any())
                }
                Mistake::LosesFlatBoxes => is_flat(triangle),
                Mistake::LosesInside => collector.place_box(min, max) == BoxPosition::Inside,
                _ => false,
            };
            let crosses = self.mistake == Mistake::TakesCrossing
                && !collector.is_known_by_bounds()
                && collector.place_box(min, max) == BoxPosition::Crossing;
            match (is_lost, crosses) {
                (true, _) => ControlFlow::Continue(()),
                (false, true) => collector.offer_inside(prim, &(*triangle).into()),
                (false, false) => collector.offer(prim, &(*triangle).into()),
            }
        });
    }
}

impl PairEngine for Wrong {
    type Measured = Triangle;

    fn nearest_pair(
        &self,
        other: &Self,
        mut nearest: NearestPair<Triangle>,
        _: &CancelToken,
    ) -> Option<NearestPair<Triangle>> {
        let is_lost = |a: &Triangle| self.mistake == Mistake::LosesFlatBoxes && is_flat(a);
        self.each(|first, a| {
            let mut offer = |second: PrimId, b: &Triangle| {
                if !is_lost(a) {
                    nearest.offer([first, second], [a, b], None);
                }
                ControlFlow::Continue(())
            };
            match self.mistake {
                Mistake::PrunesEquallyClose => other.each_earlier(
                    |b| Some(alone(a).least_distance(&alone(b))?.distance),
                    offer,
                ),
                _ => other.each(&mut offer),
            }
            ControlFlow::Continue(())
        });
        Some(nearest)
    }
}

impl SweepEngine for Wrong {
    fn visit_swept(&self, collector: &mut SweepCollector) {
        let sphere = collector.sphere().with_t_max(f64::INFINITY);
        let contact = |triangle: &Triangle| alone(triangle).ask(FirstContact, &sphere);
        let [center, velocity] = [sphere.center, sphere.velocity].map(DVec3::as_vec3);
        let end = center + velocity;
        let (low, high) = (center.min(end), center.max(end));
        let is_lost = |triangle: &Triangle| match self.mistake {
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
            let time = |triangle: &Triangle| contact(triangle).map(|found| found.t);
            let offer = |prim, triangle: &Triangle| collector.offer(prim, &(*triangle).into());
            return self.each_earlier(time, offer);
        }
        self.each(|prim, triangle| match is_lost(triangle) {
            true => ControlFlow::Continue(()),
            false => collector.offer(prim, &(*triangle).into()),
        });
    }
}
