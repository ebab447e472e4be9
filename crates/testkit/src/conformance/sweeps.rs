//! Checks the first contacts of moving spheres.

use super::bits::assert_same;
use super::properties::{turned_point, turned_triangle};
use super::{Effort, Report, for_each_scene, properties};
use crate::Sweep;
use crate::generate::{self, Rng, Scene};
use crate::oracle::{Oracle, OracleContact};
use estoc_core::glam::Vec3;
use estoc_core::{
    Feature, FirstContact, MovingSphere, PointEngine, PointQuery, RayQuery, SphereContact,
    SweepEngine, Triangle,
};
use std::fmt;

/// Compares the first contacts of moving spheres with the oracle at every scene, on all cores;
/// [`Effort::rays_per_scene`] is the number of spheres. The engines are what `build` makes of each
/// kind, which is displayed as the engine's name.
///
/// # Panics
/// Panics at the first difference.
pub fn check_sweeps<K: fmt::Display + Sync, Q: SweepEngine + PointEngine>(
    kinds: &[K],
    build: impl Fn(&K, &[Triangle]) -> Q + Sync,
    effort: &Effort,
) -> Report {
    for_each_scene("moving spheres", effort, |scene| {
        check_scene(kinds, &build, scene, effort.rays_per_scene)
    })
}

fn check_scene<K: fmt::Display, Q: SweepEngine + PointEngine>(
    kinds: &[K],
    build: impl Fn(&K, &[Triangle]) -> Q,
    scene: &Scene,
    spheres: usize,
) -> Report {
    let mut rng = Rng::named(scene.seed, "sweeps");
    let (_, permuted) = properties::permuted(&scene.triangles, &mut rng);
    let turned: Vec<Triangle> = scene.triangles.iter().map(turned_triangle).collect();
    let checks = kinds.iter().map(|kind| SceneCheck {
        name: kind.to_string(),
        scene,
        engine: build(kind, &scene.triangles),
        permuted: build(kind, &permuted),
        turned: build(kind, &turned),
    });
    let checks: Vec<_> = checks.collect();
    let oracle = Oracle::new(scene.triangles.clone());
    let mut report = Report {
        scenes: 1,
        ..Report::default()
    };
    for sweep in generate::sweeps(scene, &mut rng, spheres) {
        let truth = oracle.sweep(&sweep);
        for check in &checks {
            report.questions += check.check_answer(&sweep, truth.as_ref());
            report.questions += check.check_properties(&sweep);
            report.questions += check.check_other_orders(&sweep);
        }
        report.rays += 1;
        report.rays_that_hit += usize::from(truth.is_some());
    }
    report
}

/// Compares the first contacts of `a` with those of `b`, for meshes that are too large for the
/// oracle.
///
/// # Panics
/// Panics at the first difference.
pub fn check_sweeps_against<A: SweepEngine, B: SweepEngine>(
    a: &A,
    b: &B,
    sweeps: &[Sweep],
) -> Report {
    let mut report = Report {
        scenes: 1,
        ..Report::default()
    };
    for sweep in sweeps {
        let want = ask(b, sweep);
        assert_same(&ask(a, sweep), &want, || sweep.to_string());
        report.rays += 1;
        report.rays_that_hit += usize::from(want.is_some());
        report.questions += 1;
    }
    report
}

fn ask<Q: SweepEngine>(engine: &Q, sweep: &Sweep) -> Option<SphereContact> {
    let Sweep {
        center,
        velocity,
        radius,
        t_max,
    } = *sweep;
    engine.ask(
        FirstContact,
        &MovingSphere::new(center, velocity, radius).with_t_max(t_max),
    )
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
}

impl<Q: SweepEngine + PointEngine> SceneCheck<'_, Q> {
    fn check_answer(&self, sweep: &Sweep, truth: Option<&OracleContact>) -> usize {
        let case = self.case(sweep);
        let found = ask(&self.engine, sweep);
        let told = |found: Option<&SphereContact>| {
            found.map(|found| {
                let SphereContact {
                    t,
                    prim,
                    feature,
                    is_touching_at_start,
                    ..
                } = *found;
                (t.to_bits(), prim, feature, is_touching_at_start)
            })
        };
        let want = truth.map(|truth| &truth.contact);
        assert_eq!(
            told(found.as_ref()),
            told(want),
            "{case}\n{found:?} is not {want:?}"
        );
        let (Some(found), Some(truth)) = (found, truth) else {
            return 1;
        };
        let want = &truth.contact;
        let is_nearest = found.is_touching_at_start || matches!(found.feature, Feature::Vertex(_));
        if is_nearest {
            let own = found.point.to_array().to_vec();
            assert_same(&own, &want.point.to_array().to_vec(), || {
                format!("the point, {case}")
            });
        } else {
            self.check_point(sweep, &found, truth, &case);
        }
        // The interval of time ends exactly at the contact.
        let mut asked = 1;
        for t_max in [found.t, found.t.next_up(), found.t.next_down()] {
            let cut = Sweep { t_max, ..*sweep };
            let again = ask(&self.engine, &cut);
            if t_max > found.t || (found.is_touching_at_start && t_max >= 0.0) {
                assert_same(&again, &Some(found), || format!("until {t_max:e}, {case}"));
            } else if t_max < found.t {
                assert_same(&again, &None, || format!("until {t_max:e}, {case}"));
            }
            asked += 1;
        }
        asked
    }

    /// Checks the documented bound of the point.
    fn check_point(
        &self,
        sweep: &Sweep,
        found: &SphereContact,
        truth: &OracleContact,
        case: &impl fmt::Display,
    ) {
        let corners = self.scene.triangles[found.prim.index()].corners();
        let t = f64::from(found.t);
        if !t.is_finite() {
            return;
        }
        let largest = |v: Vec3| f64::from(v.abs().max_element());
        let sizes = corners.map(largest).into_iter().chain([
            largest(sweep.center),
            // The time was rounded.
            largest(sweep.velocity) * f64::from(found.t.next_up()),
        ]);
        let bound = sizes.fold(0.0, f64::max) * 2f64.powi(-40);
        for (axis, off) in truth.errors_of(found.point).into_iter().enumerate() {
            let x = found.point[axis].abs();
            let ulp = f64::from(x.next_up()) - f64::from(x);
            assert!(
                off <= bound + ulp / 2.0,
                "{found:?} is off by {off:e} along axis {axis}, the bound is {bound:e}, {case}"
            );
        }
    }

    /// Checks properties that must hold between answers. Returns the number of questions asked.
    fn check_properties(&self, sweep: &Sweep) -> usize {
        let case = self.case(sweep);
        let Sweep {
            center,
            velocity,
            radius,
            t_max,
        } = *sweep;
        let found = ask(&self.engine, sweep);
        let is_defined = velocity.is_finite() && t_max >= 0.0;
        let touches = is_defined && self.engine.any_within(center, radius);
        let at_start = found.is_some_and(|found| found.is_touching_at_start);
        assert_eq!(touches, at_start, "touching at the start, {case}");
        if touches {
            let first = self.engine.within(center, radius)[0];
            assert_eq!(found.map(|found| found.prim), Some(first), "{case}");
        }
        let Some(found) = found else {
            return 2;
        };
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
        if let Some(before) = at(found.t.next_down()).filter(|_| found.t > 0.0) {
            assert!(!self.engine.any_within(before, radius), "before, {case}");
        }
        3
    }

    /// Checks that the order of triangles, corners and axes changes nothing else. Returns the number
    /// of questions asked.
    fn check_other_orders(&self, sweep: &Sweep) -> usize {
        let case = self.case(sweep);
        let found = ask(&self.engine, sweep);
        let other = ask(&self.permuted, sweep);
        let time = |found: Option<SphereContact>| {
            found.map(|found| vec![found.t, f32::from(u8::from(found.is_touching_at_start))])
        };
        assert_same(&time(other), &time(found), || {
            format!("triangles in another order, {case}")
        });
        let turned = Sweep {
            center: turned_point(sweep.center),
            velocity: turned_point(sweep.velocity),
            ..*sweep
        };
        let other = ask(&self.turned, &turned);
        let told = |found: Option<SphereContact>| {
            found.map(|found| (found.t.to_bits(), found.prim, found.feature))
        };
        assert_eq!(told(other), told(found), "axes in another order, {case}");
        2
    }

    fn case<'c>(&'c self, sweep: &'c Sweep) -> Case<'c> {
        let SceneCheck { name, scene, .. } = self;
        Case { name, scene, sweep }
    }
}

/// A sweep at a scene, displayed so that it can be reproduced.
struct Case<'a> {
    name: &'a str,
    scene: &'a Scene,
    sweep: &'a Sweep,
}

impl fmt::Display for Case<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Scene { name, seed, .. } = self.scene;
        writeln!(f, "asked of {:?} about {}", self.name, self.sweep)?;
        write!(
            f,
            "  let scene = generate::scene({name:?}, {seed}).unwrap();"
        )
    }
}
