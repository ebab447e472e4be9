//! Checks every question about regions and about pairs of triangles.

use super::properties::{turned_point, turned_triangle};
use super::{Effort, Report, for_each_scene, properties};
use crate::generate::{self, RegionCase, Rng, Scene};
use crate::oracle::Oracle;
use estoc_core::glam::Vec3;
use estoc_core::{
    Intersection, PointQuery, PrimId, Region, RegionEngine, RegionQuery, Sphere, Triangle,
};
use std::fmt::Debug;
use std::ops::ControlFlow;

/// Compares every query about regions, and the intersections of the scene with itself, with the
/// oracle at every scene, on all cores; [`Effort::rays_per_scene`] is the number of regions.
///
/// # Panics
/// Panics at the first difference.
pub fn check_regions<Q: RegionEngine + estoc_core::PointEngine>(
    name: &str,
    build: impl Fn(&[Triangle]) -> Q + Sync,
    effort: &Effort,
) -> Report {
    for_each_scene(name, effort, |scene| {
        check_scene(name, &build, scene, effort.rays_per_scene)
    })
}

fn check_scene<Q: RegionEngine + estoc_core::PointEngine>(
    name: &str,
    build: impl Fn(&[Triangle]) -> Q,
    scene: &Scene,
    regions: usize,
) -> Report {
    let mut rng = Rng::named(scene.seed, "regions");
    let (places, permuted) = properties::permuted(&scene.triangles, &mut rng);
    let turned: Vec<Triangle> = scene.triangles.iter().map(turned_triangle).collect();
    let engine = build(&scene.triangles);
    let (permuted, turned) = (build(&permuted), build(&turned));
    let oracle = Oracle::new(scene.triangles.clone());
    let at = |what: &dyn Debug| {
        let Scene {
            name: scene, seed, ..
        } = scene;
        format!(
            "asked of {name:?} about {what:?}\n  \
             let scene = generate::scene({scene:?}, {seed}).unwrap();"
        )
    };
    let mut report = Report {
        scenes: 1,
        ..Report::default()
    };
    for case in generate::regions(scene, &mut rng, regions) {
        let region = case.region().expect("generated regions have a shape");
        let got = engine.overlaps(&*region);
        assert_eq!(got, oracle.overlaps(&case), "overlaps, {}", at(&case));
        assert_eq!(
            engine.any_overlap(&*region),
            !got.is_empty(),
            "any_overlap, {}",
            at(&case)
        );
        let mut other: Vec<usize> = permuted
            .overlaps(&*region)
            .iter()
            .map(|prim| places[prim.index()])
            .collect();
        other.sort_unstable();
        assert!(
            other
                .iter()
                .copied()
                .eq(got.iter().map(|prim| prim.index())),
            "triangles and corners in another order, {}",
            at(&case)
        );
        if let Some(region) = turned_region(&case) {
            let other = turned.overlaps(&*region);
            assert_eq!(other, got, "axes in another order, {}", at(&case));
        }
        report.questions += 4;
        report.regions += 1;
        report.regions_that_overlap += usize::from(!got.is_empty());
    }
    for point in generate::near_points(scene, &mut rng, regions / 8) {
        report.questions += check_ball(&engine, point, &at);
    }
    // The oracle takes a long time for many pairs.
    if scene.triangles.len() <= most_triangles() {
        report.questions +=
            check_pairs([&engine, &permuted, &turned], &places, &oracle, scene, &at);
    }
    report
}

/// Returns the number of triangles up to which all pairs are checked.
fn most_triangles() -> usize {
    if Effort::is_long() { 1000 } else { 60 }
}

/// Checks that the ball as far as the closest triangle contains it. Returns the number of questions
/// asked.
fn check_ball<Q: RegionEngine + estoc_core::PointEngine>(
    engine: &Q,
    point: Vec3,
    at: &impl Fn(&dyn Debug) -> String,
) -> usize {
    let Some(closest) = engine.closest_point(point) else {
        return 0;
    };
    let ball = |radius: f32| Sphere::try_new(point, radius).ok();
    if let Some(reach) = ball(closest.distance.next_up()) {
        let found = engine.overlaps(&reach);
        assert!(found.contains(&closest.prim), "closest, {}", at(&point));
        let within = engine.within(point, reach.radius());
        assert_eq!(found, within, "within, {}", at(&point));
    }
    if let Some(short) = ball(closest.distance.next_down()) {
        assert!(!engine.any_overlap(&short), "closer, {}", at(&point));
    }
    3
}

/// Checks which triangles of the scene intersect. Returns the number of questions asked.
fn check_pairs<Q: RegionEngine>(
    [engine, permuted, turned]: [&Q; 3],
    places: &[usize],
    oracle: &Oracle,
    scene: &Scene,
    at: &impl Fn(&dyn Debug) -> String,
) -> usize {
    let found = self_intersections(engine);
    assert_same(&found, &oracle.self_intersections(), &at(&"itself"));
    let other = self_intersections(permuted).into_iter().map(|pair| {
        let [a, b] = [pair.first, pair.second].map(|prim| prim_of(places[prim.index()]));
        Intersection {
            first: a.min(b),
            second: a.max(b),
            ..pair
        }
    });
    let mut other: Vec<Intersection> = other.collect();
    other.sort_unstable_by_key(|pair| (pair.first, pair.second));
    assert_same(&other, &found, &at(&"itself in another order"));
    assert_same(
        &self_intersections(turned),
        &found,
        &at(&"axes in another order"),
    );
    // Part of the scene with the rest of it.
    let half = scene.triangles.len() / 2;
    let (few, rest) = scene.triangles.split_at(half.min(40));
    let few_oracle = Oracle::new(few.to_vec());
    let want = few_oracle.intersections(&Oracle::new(rest.to_vec()));
    let parts = [few, rest].map(|part| estoc_core::BruteForce::new(part.to_vec()));
    assert_same(
        &intersections(&parts[0], &parts[1]),
        &want,
        &at(&"its parts"),
    );
    // Both ways.
    let mut back: Vec<Intersection> = intersections(engine, &parts[0])
        .into_iter()
        .map(|pair| Intersection {
            first: pair.second,
            second: pair.first,
            ..pair
        })
        .collect();
    back.sort_unstable_by_key(|pair| (pair.first, pair.second));
    assert_same(
        &intersections(&parts[0], engine),
        &back,
        &at(&"its part and all"),
    );
    found.len() + 5
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
