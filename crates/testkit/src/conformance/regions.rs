//! Checks every question about regions and about pairs of triangles.

use super::properties::{turned_point, turned_triangle};
use super::{Effort, Report, for_each_scene, properties};
use crate::generate::{self, RegionCase, Rng, Scene};
use crate::oracle::Oracle;
use estoc_core::glam::Vec3;
use estoc_core::{
    Intersection, PointEngine, PointQuery, PrimId, Region, RegionEngine, RegionQuery, Sphere,
    Triangle,
};
use std::fmt::{Debug, Display};
use std::ops::ControlFlow;

/// Compares every query about regions, and the intersections of the scene with itself, with the
/// oracle at every scene, on all cores; [`Effort::rays_per_scene`] is the number of regions. The
/// engines are what `build` makes of each kind, which is displayed as the engine's name.
///
/// # Panics
/// Panics at the first difference.
pub fn check_regions<K: Display + Sync, Q: RegionEngine + PointEngine>(
    kinds: &[K],
    build: impl Fn(&K, &[Triangle]) -> Q + Sync,
    effort: &Effort,
) -> Report {
    for_each_scene("regions", effort, |scene| {
        check_scene(kinds, &build, scene, effort.rays_per_scene)
    })
}

fn check_scene<K: Display, Q: RegionEngine + PointEngine>(
    kinds: &[K],
    build: impl Fn(&K, &[Triangle]) -> Q,
    scene: &Scene,
    regions: usize,
) -> Report {
    let mut rng = Rng::named(scene.seed, "regions");
    let (places, permuted) = properties::permuted(&scene.triangles, &mut rng);
    let turned: Vec<Triangle> = scene.triangles.iter().map(turned_triangle).collect();
    let checks = kinds.iter().map(|kind| SceneCheck {
        name: kind.to_string(),
        scene,
        engine: build(kind, &scene.triangles),
        permuted: build(kind, &permuted),
        turned: build(kind, &turned),
        parts: parts(&scene.triangles).map(|part| build(kind, part)),
        places: &places,
    });
    let checks: Vec<_> = checks.collect();
    let oracle = Oracle::new(scene.triangles.clone());
    let mut report = Report {
        scenes: 1,
        ..Report::default()
    };
    for case in generate::regions(scene, &mut rng, regions) {
        let truth = oracle.overlaps(&case);
        for check in &checks {
            report.questions += check.check_region(&case, &truth);
        }
        report.regions += 1;
        report.regions_that_overlap += usize::from(!truth.is_empty());
    }
    for point in generate::near_points(scene, &mut rng, regions / 8) {
        for check in &checks {
            report.questions += check.check_ball(point);
        }
    }
    // The oracle takes a long time for many pairs.
    if scene.triangles.len() <= most_triangles(scene.seed) {
        let truth = PairTruth::new(scene, &oracle);
        for check in &checks {
            report.questions += check.check_pairs(&truth);
        }
    }
    report
}

/// Returns the number of triangles up to which all pairs of a scene are checked: with much time,
/// large scenes for some seeds.
fn most_triangles(seed: u64) -> usize {
    if Effort::is_long() && seed < 2 {
        1000
    } else {
        60
    }
}

/// The intersections of a scene with itself, and those of a part of it with the rest and with all.
struct PairTruth {
    own: Vec<Intersection>,
    of_parts: Vec<Intersection>,
    with_all: Vec<Intersection>,
}

impl PairTruth {
    fn new(scene: &Scene, oracle: &Oracle) -> Self {
        let [few, rest] = parts(&scene.triangles).map(|part| Oracle::new(part.to_vec()));
        PairTruth {
            own: oracle.self_intersections(),
            of_parts: few.intersections(&rest),
            with_all: few.intersections(oracle),
        }
    }
}

/// Returns some of the triangles, and the others.
fn parts(triangles: &[Triangle]) -> [&[Triangle]; 2] {
    let (few, rest) = triangles.split_at((triangles.len() / 2).min(40));
    [few, rest]
}

/// The check of one engine at one scene.
struct SceneCheck<'a, Q> {
    name: String,
    scene: &'a Scene,
    engine: Q,
    /// The engine over a permutation of the triangles.
    permuted: Q,
    /// The engine over the triangles with the axes in another order.
    turned: Q,
    /// The engine over some of the triangles, and over the others.
    parts: [Q; 2],
    /// The place in the scene of each triangle of the permutation.
    places: &'a [usize],
}

impl<Q: RegionEngine + PointEngine> SceneCheck<'_, Q> {
    fn at(&self, what: &dyn Debug) -> String {
        let Scene { name, seed, .. } = self.scene;
        format!(
            "asked of {:?} about {what:?}\n  \
             let scene = generate::scene({name:?}, {seed}).unwrap();",
            self.name
        )
    }

    /// Checks every question about the region. Returns the number of questions asked.
    fn check_region(&self, case: &RegionCase, truth: &[PrimId]) -> usize {
        let region = case.region().expect("generated regions have a shape");
        let got = self.engine.overlaps(&*region);
        assert_eq!(got, truth, "overlaps, {}", self.at(case));
        let any = self.engine.any_overlap(&*region);
        assert_eq!(any, !got.is_empty(), "any_overlap, {}", self.at(case));
        let other = self.permuted.overlaps(&*region);
        let mut other: Vec<usize> = other.iter().map(|prim| self.places[prim.index()]).collect();
        other.sort_unstable();
        assert!(
            other.into_iter().eq(got.iter().map(|prim| prim.index())),
            "triangles and corners in another order, {}",
            self.at(case)
        );
        if let Some(region) = turned_region(case) {
            let other = self.turned.overlaps(&*region);
            assert_eq!(other, got, "axes in another order, {}", self.at(case));
        }
        4
    }

    /// Checks that the ball as far as the closest triangle contains it. Returns the number of
    /// questions asked.
    fn check_ball(&self, point: Vec3) -> usize {
        let Some(closest) = self.engine.closest_point(point) else {
            return 0;
        };
        let ball = |radius: f32| Sphere::try_new(point, radius).ok();
        if let Some(reach) = ball(closest.distance.next_up()) {
            let found = self.engine.overlaps(&reach);
            let at = self.at(&point);
            assert!(found.contains(&closest.prim), "closest, {at}");
            let within = self.engine.within(point, reach.radius());
            assert_eq!(found, within, "within, {at}");
        }
        if let Some(short) = ball(closest.distance.next_down()) {
            let any = self.engine.any_overlap(&short);
            assert!(!any, "closer, {}", self.at(&point));
        }
        3
    }

    /// Checks which triangles of the scene intersect. Returns the number of questions asked.
    fn check_pairs(&self, truth: &PairTruth) -> usize {
        let found = self_intersections(&self.engine);
        assert_same(&found, &truth.own, &self.at(&"itself"));
        let other = self_intersections(&self.permuted).into_iter().map(|pair| {
            let place = |prim: PrimId| prim_of(self.places[prim.index()]);
            let [a, b] = [pair.first, pair.second].map(place);
            Intersection {
                first: a.min(b),
                second: a.max(b),
                ..pair
            }
        });
        let mut other: Vec<Intersection> = other.collect();
        other.sort_unstable_by_key(|pair| (pair.first, pair.second));
        assert_same(&other, &found, &self.at(&"itself in another order"));
        let turned = self_intersections(&self.turned);
        assert_same(&turned, &found, &self.at(&"axes in another order"));
        let [few, rest] = &self.parts;
        let parts = intersections(few, rest);
        assert_same(&parts, &truth.of_parts, &self.at(&"its parts"));
        let forth = intersections(few, &self.engine);
        assert_same(&forth, &truth.with_all, &self.at(&"its part and all"));
        // Both ways.
        let mut back: Vec<Intersection> = intersections(&self.engine, few)
            .into_iter()
            .map(|pair| Intersection {
                first: pair.second,
                second: pair.first,
                ..pair
            })
            .collect();
        back.sort_unstable_by_key(|pair| (pair.first, pair.second));
        assert_same(&back, &forth, &self.at(&"all and its part"));
        found.len() + 5
    }
}

fn assert_same(got: &[Intersection], want: &[Intersection], at: &str) {
    let differs = got.iter().zip(want).find(|(got, want)| got != want);
    assert!(
        differs.is_none() && got.len() == want.len(),
        "{} pairs instead of {}, the first different one {differs:?}, {at}",
        got.len(),
        want.len()
    );
}

/// Returns all pairs of the engine's triangles that intersect.
pub(super) fn self_intersections<Q: RegionEngine + ?Sized>(engine: &Q) -> Vec<Intersection> {
    let mut found = Vec::new();
    let end = engine.self_intersections(&mut |pair| {
        found.push(pair);
        ControlFlow::<()>::Continue(())
    });
    assert!(end.is_continue());
    found
}

fn intersections(engine: &impl RegionEngine, other: &impl RegionEngine) -> Vec<Intersection> {
    let mut found = Vec::new();
    let end = engine.intersections(other, &mut |pair| {
        found.push(pair);
        ControlFlow::<()>::Continue(())
    });
    assert!(end.is_continue());
    found
}

/// Compares every query about regions of `a` with the answers of `b`, for meshes that are too large
/// for the oracle.
///
/// # Panics
/// Panics at the first difference.
pub fn check_regions_against<A: RegionEngine, B: RegionEngine>(
    a: &A,
    b: &B,
    cases: &[RegionCase],
) -> Report {
    for case in cases {
        let region = case.region().expect("a shape");
        let got = a.overlaps(&*region);
        assert_eq!(got, b.overlaps(&*region), "overlaps, {case:?}");
        assert_eq!(a.any_overlap(&*region), !got.is_empty(), "any, {case:?}");
    }
    Report {
        scenes: 1,
        regions: cases.len(),
        questions: 2 * cases.len(),
        ..Report::default()
    }
}

fn prim_of(index: usize) -> PrimId {
    PrimId::from_index(index).expect("few triangles")
}

/// Returns the region with its axes in another order, for some kinds.
fn turned_region(case: &RegionCase) -> Option<Box<dyn Region>> {
    match case {
        RegionCase::Box(min, max) => RegionCase::Box(turned_point(*min), turned_point(*max)),
        RegionCase::Ball(center, radius) => RegionCase::Ball(turned_point(*center), *radius),
        RegionCase::Oriented(center, axes, half_sizes) => {
            RegionCase::Oriented(turned_point(*center), axes.map(turned_point), *half_sizes)
        }
        RegionCase::Triangle(triangle) => RegionCase::Triangle(turned_triangle(triangle)),
        _ => return None,
    }
    .region()
}
