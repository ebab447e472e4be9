//! Checks every question about regions and about pairs of triangles.

use super::answer::Check;
use super::properties::{turned_point, turned_triangle};
use super::trial::{Trial, for_each_trial};
use super::{Effort, Report, of_point};
use crate::generate::{self, RegionCase, Scene};
use crate::oracle::Oracle;
use estoc_core::glam::Vec3;
use estoc_core::{
    Intersection, PointEngine, PointQuery, PrimId, Region, RegionEngine, RegionQuery, Sphere,
    Triangle,
};
use std::fmt::{self, Display};
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
    for_each_trial("regions", kinds, &build, effort, |trials, rng, report| {
        let (scene, regions) = (trials.scene, effort.rays_per_scene);
        for case in generate::regions(scene, rng, regions) {
            let truth = trials.oracle.overlaps(&case);
            let about = fmt::from_fn(|f| write!(f, "{case:?}"));
            trials.check(about, report, |trial, check| {
                check_region(trial, &case, &truth, check);
            });
            report.regions += 1;
            report.regions_that_overlap += usize::from(!truth.is_empty());
        }
        for point in generate::near_points(scene, rng, regions / 8) {
            trials.check(of_point(point), report, |trial, check| {
                check_ball(&trial.engine, point, check);
            });
        }
        // The oracle takes a long time for many pairs.
        if scene.triangles.len() <= most_triangles(scene.seed) {
            let truth = PairTruth::new(scene, trials.oracle);
            let parts = |kind| parts(&scene.triangles).map(|part| build(kind, part));
            let parts: Vec<[Q; 2]> = kinds.iter().map(parts).collect();
            let mut parts = parts.iter();
            trials.check("its pairs", report, |trial, check| {
                check_pairs(trial, parts.next().expect("of each kind"), &truth, check);
            });
        }
    })
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

/// Checks every question about the region.
fn check_region<Q: RegionEngine>(
    trial: &Trial<'_, Q>,
    case: &RegionCase,
    truth: &[PrimId],
    check: &Check<'_>,
) {
    let region = case.region().expect("generated regions have a shape");
    check.same("overlaps", &trial.engine.overlaps(&*region)[..], truth);
    let any = trial.engine.any_overlap(&*region);
    check.same("any_overlap", &any, &!truth.is_empty());
    let other = trial.permuted.overlaps(&*region).into_iter();
    let mut other: Vec<PrimId> = other.map(|prim| trial.prim(prim)).collect();
    other.sort_unstable();
    check.same("triangles and corners in another order", &other[..], truth);
    if let Some(region) = turned_region(case) {
        let other = trial.turned.overlaps(&*region);
        check.same("axes in another order", &other[..], truth);
    }
}

/// Checks that the ball as far as the closest triangle contains it.
fn check_ball<Q: RegionEngine + PointEngine>(engine: &Q, point: Vec3, check: &Check<'_>) {
    let Some(closest) = engine.closest_point(point) else {
        return;
    };
    let ball = |radius: f32| Sphere::try_new(point, radius).ok();
    if let Some(reach) = ball(closest.distance.next_up()) {
        let found = engine.overlaps(&reach);
        check.holds(
            found.contains(&closest.prim),
            "the ball lacks the closest triangle",
        );
        check.same(
            "overlaps of the ball",
            &found,
            &engine.within(point, reach.radius()),
        );
    }
    if let Some(short) = ball(closest.distance.next_down()) {
        check.same(
            "any_overlap of a smaller ball",
            &engine.any_overlap(&short),
            &false,
        );
    }
}

/// Checks which triangles of the scene intersect.
fn check_pairs<Q: RegionEngine>(
    trial: &Trial<'_, Q>,
    [few, rest]: &[Q; 2],
    truth: &PairTruth,
    check: &Check<'_>,
) {
    let found = self_intersections(&trial.engine);
    check.same("with itself", &found, &truth.own);
    let other = self_intersections(&trial.permuted).into_iter().map(|pair| {
        let [a, b] = [pair.first, pair.second].map(|prim| trial.prim(prim));
        Intersection {
            first: a.min(b),
            second: a.max(b),
            ..pair
        }
    });
    check.same("with itself in another order", &sorted(other), &found);
    let turned = self_intersections(&trial.turned);
    check.same(
        "with itself with the axes in another order",
        &turned,
        &found,
    );
    check.same("of its parts", &intersections(few, rest), &truth.of_parts);
    let forth = intersections(few, &trial.engine);
    check.same("of its part and all", &forth, &truth.with_all);
    let back = intersections(&trial.engine, few).into_iter();
    let back = back.map(|pair| Intersection {
        first: pair.second,
        second: pair.first,
        ..pair
    });
    check.same("of all and its part", &sorted(back), &forth);
}

fn sorted(pairs: impl Iterator<Item = Intersection>) -> Vec<Intersection> {
    let mut pairs: Vec<Intersection> = pairs.collect();
    pairs.sort_unstable_by_key(|pair| (pair.first, pair.second));
    pairs
}

/// Returns all pairs of the engine's triangles that intersect.
pub(super) fn self_intersections<Q: RegionEngine + ?Sized>(engine: &Q) -> Vec<Intersection> {
    collected(|found| engine.self_intersections(found))
}

pub(super) fn intersections(
    engine: &impl RegionEngine,
    other: &impl RegionEngine,
) -> Vec<Intersection> {
    collected(|found| engine.intersections(other, found))
}

/// Returns the pairs that a function tells another one.
fn collected(
    tell: impl FnOnce(&mut dyn FnMut(Intersection) -> ControlFlow<()>) -> ControlFlow<()>,
) -> Vec<Intersection> {
    let mut found = Vec::new();
    let end = tell(&mut |pair| {
        found.push(pair);
        ControlFlow::Continue(())
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
    let mut report = Report::of_one_scene();
    for case in cases {
        let region = case.region().expect("a shape");
        let case = format!("{case:?}");
        let (check, want) = (Check::about(&case), b.overlaps(&*region));
        check.same("overlaps", &a.overlaps(&*region), &want);
        check.same("any_overlap", &a.any_overlap(&*region), &!want.is_empty());
        report.regions += 1;
        report.questions += check.count();
    }
    report
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
