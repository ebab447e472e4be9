//! Checks the first contacts of moving spheres.

use super::answer::Check;
use super::properties::turned_point;
use super::trial::{Trial, for_each_trial};
use super::{Effort, Report};
use crate::Sweep;
use crate::generate;
use crate::oracle::OracleContact;
use estoc_core::glam::Vec3;
use estoc_core::{
    Feature, FirstContact, MovingSphere, PointEngine, PointQuery, PrimId, RayQuery, SphereContact,
    SweepEngine, Triangle,
};
use std::fmt::Display;

/// Compares the first contacts of moving spheres with the oracle at every scene, on all cores;
/// [`Effort::rays_per_scene`] is the number of spheres. The engines are what `build` makes of each
/// kind, which is displayed as the engine's name.
///
/// # Panics
/// Panics at the first difference.
pub fn check_sweeps<K: Display + Sync, Q: SweepEngine + PointEngine>(
    kinds: &[K],
    build: impl Fn(&K, &[Triangle]) -> Q + Sync,
    effort: &Effort,
) -> Report {
    for_each_trial("sweeps", kinds, &build, effort, |trials, rng, report| {
        for sweep in generate::sweeps(trials.scene, rng, effort.rays_per_scene) {
            let truth = trials.oracle.sweep(&sweep);
            trials.check(sweep, report, |trial, check| {
                let triangles = &trials.scene.triangles;
                check_answer(&trial.engine, triangles, &sweep, truth.as_ref(), check);
                check_properties(&trial.engine, &sweep, check);
                check_other_orders(trial, &sweep, check);
            });
            report.rays += 1;
            report.rays_that_hit += usize::from(truth.is_some());
        }
    })
}

/// Compares the first contacts of `a` with those of `b`, for meshes that are too large for the
/// oracle.
///
/// # Panics
/// Panics at the first difference.
pub fn check_sweeps_against<
    A: SweepEngine<Primitive = Triangle>,
    B: SweepEngine<Primitive = Triangle>,
>(
    a: &A,
    b: &B,
    sweeps: &[Sweep],
) -> Report {
    let mut report = Report::of_one_scene();
    for sweep in sweeps {
        let want = ask(b, sweep);
        let check = Check::about(sweep);
        check.same("the first contact", &ask(a, sweep), &want);
        report.rays += 1;
        report.rays_that_hit += usize::from(want.is_some());
        report.questions += check.count();
    }
    report
}

fn ask<Q: SweepEngine<Primitive = Triangle>>(engine: &Q, sweep: &Sweep) -> Option<SphereContact> {
    let moving = MovingSphere::new(sweep.center, sweep.velocity, sweep.radius);
    engine.ask(FirstContact, &moving.with_t_max(sweep.t_max))
}

/// What of a contact is exact, whatever its point: the bits of the time, and the rest.
type Exact = (u32, PrimId, Feature, bool);

fn exact(found: &SphereContact) -> Exact {
    let is_touching = found.is_touching_at_start;
    (found.t.to_bits(), found.prim, found.feature, is_touching)
}

fn check_answer<Q: SweepEngine<Primitive = Triangle>>(
    engine: &Q,
    triangles: &[Triangle],
    sweep: &Sweep,
    truth: Option<&OracleContact>,
    check: &Check<'_>,
) {
    let found = ask(engine, sweep);
    let want = truth.map(|truth| &truth.contact);
    check.holds(
        found.as_ref().map(exact) == want.map(exact),
        format_args!("{found:?} is not {want:?}"),
    );
    let (Some(found), Some(truth)) = (found, truth) else {
        return;
    };
    let want = &truth.contact;
    if found.is_touching_at_start || matches!(found.feature, Feature::Vertex(_)) {
        check.same("the nearest point", &found, want);
    } else {
        check_point(triangles, sweep, &found, truth, check);
    }
    // The interval of time ends exactly at the contact.
    for t_max in [found.t, found.t.next_up(), found.t.next_down()] {
        let again = ask(engine, &Sweep { t_max, ..*sweep });
        let question = format_args!("the first contact until {t_max:e}");
        if t_max > found.t || (found.is_touching_at_start && t_max >= 0.0) {
            check.same(question, &again, &Some(found));
        } else if t_max < found.t {
            check.same(question, &again, &None);
        }
    }
}

/// Checks the documented bound of the point.
fn check_point(
    triangles: &[Triangle],
    sweep: &Sweep,
    found: &SphereContact,
    truth: &OracleContact,
    check: &Check<'_>,
) {
    if !found.t.is_finite() {
        return;
    }
    let largest = |v: Vec3| f64::from(v.abs().max_element());
    let corners = triangles[found.prim.index()].corners().map(largest);
    let sizes = corners.into_iter().chain([
        largest(sweep.center),
        // The time was rounded.
        largest(sweep.velocity) * f64::from(found.t.next_up()),
    ]);
    let bound = sizes.fold(0.0, f64::max) * 2f64.powi(-40);
    for (axis, off) in truth.errors_of(found.point).into_iter().enumerate() {
        let x = found.point[axis].abs();
        let ulp = f64::from(x.next_up()) - f64::from(x);
        let wrong = format_args!("{found:?} is off by {off:e} along axis {axis}, not {bound:e}");
        check.holds(off <= bound + ulp / 2.0, wrong);
    }
}

/// Checks properties that must hold between answers.
fn check_properties<Q: SweepEngine + PointEngine>(engine: &Q, sweep: &Sweep, check: &Check<'_>) {
    let Sweep {
        center,
        velocity,
        radius,
        t_max,
    } = *sweep;
    let found = ask(engine, sweep);
    let is_defined = velocity.is_finite() && t_max >= 0.0;
    let touches = is_defined && engine.any_within(center, radius);
    let at_start = found.is_some_and(|found| found.is_touching_at_start);
    check.same("any_within at the start", &touches, &at_start);
    if touches {
        let first = engine.within(center, radius)[0];
        check.same(
            "the first within",
            &found.map(|found| found.prim),
            &Some(first),
        );
    }
    // Where the centre is representable at times beside the contact, its distance agrees.
    let at = |t: f32| -> Option<Vec3> {
        let place = |i: usize| {
            let x = f64::from(center[i]) + f64::from(t) * f64::from(velocity[i]);
            let sum = f64::from(t) * f64::from(velocity[i]) == x - f64::from(center[i]);
            let back = x - f64::from(t) * f64::from(velocity[i]) == f64::from(center[i]);
            (sum && back && f64::from(x as f32) == x).then_some(x as f32)
        };
        Some(Vec3::new(place(0)?, place(1)?, place(2)?))
    };
    let later = found.filter(|found| found.t > 0.0);
    if let Some(before) = later.and_then(|found| at(found.t.next_down())) {
        check.same(
            "any_within before",
            &engine.any_within(before, radius),
            &false,
        );
    }
}

/// Checks that the order of triangles, corners and axes changes nothing else.
fn check_other_orders<Q: SweepEngine<Primitive = Triangle>>(
    trial: &Trial<'_, Q>,
    sweep: &Sweep,
    check: &Check<'_>,
) {
    let found = ask(&trial.engine, sweep);
    let time = |found: &SphereContact| (found.t.to_bits(), found.is_touching_at_start);
    let other = ask(&trial.permuted, sweep);
    check.holds(
        other.as_ref().map(time) == found.as_ref().map(time),
        format_args!("triangles in another order: {other:?} instead of {found:?}"),
    );
    let turned = Sweep {
        center: turned_point(sweep.center),
        velocity: turned_point(sweep.velocity),
        ..*sweep
    };
    let other = ask(&trial.turned, &turned);
    check.holds(
        other.as_ref().map(exact) == found.as_ref().map(exact),
        format_args!("axes in another order: {other:?} instead of {found:?}"),
    );
}
