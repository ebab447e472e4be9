//! Checks every question about what is near a point.

use super::answer::{Answer, Check};
use super::properties::turned_point;
use super::signs::Signs;
use super::trial::{Trial, for_each_trial};
use super::{Effort, Report, of_point};
use crate::generate::{self, Rng};
use estoc_core::glam::Vec3;
use estoc_core::{
    AnyWithin, ClosestK, ClosestOf, ClosestPoint, ClosestPointWithin, LengthOf, NearEngine,
    NearIdOf, PointEngine, PointKind, PointQuery, PrimId, RayQuery, Triangle, Within,
};
use std::fmt::Display;

/// One of this number of points is asked about its sign, for which the oracle takes long.
const POINTS_PER_SIGN: usize = 4;

/// Compares every query about points with the oracle at every scene, on all cores;
/// [`Effort::rays_per_scene`] is the number of points. The engines are what `build` makes of each
/// kind, which is displayed as the engine's name.
///
/// # Panics
/// Panics at the first difference.
pub fn check_near<K: Display + Sync, Q: PointEngine>(
    kinds: &[K],
    build: impl Fn(&K, &[Triangle]) -> Q + Sync,
    effort: &Effort,
) -> Report {
    for_each_trial("points", kinds, &build, effort, |trials, rng, report| {
        let signs = Signs::new(trials.oracle);
        let inside_out = kinds.iter().map(|kind| build(kind, signs.inside_out()));
        let inside_out: Vec<Q> = inside_out.collect();
        trials.check("its surface", report, |trial, check| {
            signs.check_surface(&trial.engine, check);
        });
        let points = generate::near_points(trials.scene, rng, effort.rays_per_scene);
        for (place, point) in points.into_iter().enumerate() {
            let truth = Truth::new(
                |k| trials.oracle.closest_points(point, k),
                |radius| trials.oracle.within(point, radius),
                rng,
            );
            let sign = (place % POINTS_PER_SIGN == 0).then(|| signs.ask(point));
            let mut inside_out = inside_out.iter();
            trials.check(of_point(point), report, |trial, check| {
                let engines = [&trial.engine, inside_out.next().expect("one of each kind")];
                if let Some(sign) = &sign {
                    signs.check_point(engines, point, sign, check);
                }
                check_point(&trial.engine, &truth, point, check);
                check_properties(trial, point, check);
            });
            report.points += 1;
        }
    })
}

/// Compares every query about points of `a` with the answers of `b`, for meshes that are too large
/// for the oracle.
///
/// # Panics
/// Panics at the first difference.
pub fn check_near_against<A: PointEngine, B: PointEngine>(a: &A, b: &B, points: &[Vec3]) -> Report {
    let mut report = Report::of_one_scene();
    for (index, &point) in points.iter().enumerate() {
        let case = format!("point {index}: {point:?}");
        let check = Check::about(&case);
        let mut rng = Rng::named(index as u64, "radii");
        let within = |radius| b.within(point, radius);
        let truth = Truth::new(|k| b.closest_points(point, k), within, &mut rng);
        check_point(a, &truth, point, &check);
        report.points += 1;
        report.questions += check.count();
    }
    report
}

/// The greatest number of closest triangles that is asked for.
const MOST: usize = 6;

/// The questions about a point that have a parameter, and the answers to all.
struct Truth {
    first: Vec<ClosestPoint>,
    k: usize,
    radius: f32,
    within: Vec<PrimId>,
}

impl Truth {
    fn new(
        closest_points: impl Fn(usize) -> Vec<ClosestPoint>,
        within: impl Fn(f32) -> Vec<PrimId>,
        rng: &mut Rng,
    ) -> Self {
        let first = closest_points(MOST);
        let k = rng.below(MOST + 1);
        let mut distances: Vec<f32> = first.iter().map(|found| found.distance).collect();
        if distances.is_empty() {
            distances.push(0.0);
        }
        let some = rng.pick(&distances);
        let radius = rng.pick(&[
            some,
            some.next_up(),
            some.next_down(),
            some * 1.5,
            0.0,
            -0.0,
            f32::from_bits(1),
            -1.0,
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
        ]);
        Truth {
            within: within(radius),
            first,
            k,
            radius,
        }
    }
}

/// Checks every question about the point.
fn check_point<Q: PointEngine>(engine: &Q, truth: &Truth, point: Vec3, check: &Check<'_>) {
    check_closest(engine, point, truth.k, &truth.first, check);
    let closest = truth.first.first().copied();
    check_within(engine, point, truth.radius, &truth.within, closest, check);
    let distance = closest.map(|closest| closest.distance);
    check.same("distance", &engine.distance(point), &distance);
}

/// Checks the questions for the closest triangles, of which `closest` has `k` or all.
pub(super) fn check_closest<V: PointKind, E: NearEngine<V>>(
    engine: &E,
    point: V,
    k: usize,
    closest: &[ClosestOf<E, V>],
    check: &Check<'_>,
) where
    ClosestOf<E, V>: Answer,
{
    let got = engine.closest_point(point);
    check.same("closest_point", &got, &closest.first().copied());
    let want = &closest[..k.min(closest.len())];
    let got = engine.closest_points(point, k);
    check.same(format_args!("closest_points({k})"), &got[..], want);
    let got = engine.ask(ClosestK(k), &point);
    check.same(format_args!("ClosestK({k})"), &got[..], want);
}

/// Checks the questions about the triangles within a radius; `closest` is at any distance.
pub(super) fn check_within<V: PointKind, E: NearEngine<V>>(
    engine: &E,
    point: V,
    radius: f32,
    within: &Vec<NearIdOf<E, V>>,
    closest: Option<ClosestOf<E, V>>,
    check: &Check<'_>,
) where
    ClosestOf<E, V>: Answer,
    NearIdOf<E, V>: Answer,
{
    let length: LengthOf<E, V> = radius.into();
    let question = format_args!("within {radius:e}");
    let any = !within.is_empty();
    let closest = closest.filter(|_| any);
    check.same(question, &engine.within(point, length), within);
    check.same(question, &engine.ask(Within(length), &point), within);
    check.same(question, &engine.any_within(point, length), &any);
    check.same(question, &engine.ask(AnyWithin(length), &point), &any);
    let got = engine.closest_point_within(point, length);
    check.same(question, &got, &closest);
    let got = engine.ask(ClosestPointWithin(length), &point);
    check.same(question, &got, &closest);
}

/// Checks properties that must hold between an engine's own answers.
fn check_properties<Q: PointEngine>(trial: &Trial<'_, Q>, point: Vec3, check: &Check<'_>) {
    let engine = &trial.engine;
    let want = engine.closest_point(point).map(|found| ClosestPoint {
        point: turned_point(found.point),
        ..found
    });
    let got = trial.turned.closest_point(turned_point(point));
    check.same("closest_point with the axes in another order", &got, &want);
    let Some(closest) = engine.closest_point(point) else {
        let is_alone = engine.within(point, f32::INFINITY).is_empty();
        return check.holds(is_alone, "there is something within an infinite distance");
    };
    // The exact distance is nearer to the rounded one than to its neighbours.
    let ClosestPoint { distance, prim, .. } = closest;
    check.holds(
        engine.within(point, distance.next_up()).contains(&prim),
        "within the next distance above lacks the closest triangle",
    );
    check.holds(
        !engine.any_within(point, distance.next_down()),
        "something is within the next distance below",
    );
    // A point on a triangle is its own closest point.
    let numbers =
        |found: &ClosestPoint| [found.distance, found.point.x, found.point.y, found.point.z];
    if engine.any_within(point, 0.0) {
        let want = [0.0, point.x + 0.0, point.y + 0.0, point.z + 0.0];
        check.same("a point on a triangle", &numbers(&closest), &want);
    }
    // The distance does not depend on the order of triangles and corners, nor does the point.
    let other = trial
        .permuted
        .closest_point(point)
        .map(|found| found.distance);
    check.same(
        "distance from the triangles in another order",
        &other,
        &Some(distance),
    );
    let own = engine.closest_points(point, 3);
    for found in trial.permuted.closest_points(point, 6) {
        let prim = trial.prim(found.prim);
        let Some(own) = own.iter().find(|own| own.prim == prim) else {
            continue;
        };
        let question = format_args!("triangle {prim} with the corners in another order");
        check.same(question, &numbers(&found), &numbers(own));
    }
}
