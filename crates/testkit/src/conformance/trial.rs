//! Engines at scenes: the loop over all scenes, and what is built at each.

use super::answer::Check;
use super::properties::{rotated, turned_triangle};
use super::{Effort, Report, on_all_cores};
use crate::generate::{self, Rng, Scene};
use crate::oracle::Oracle;
use estoc_core::{PrimId, Triangle};
use std::fmt::{self, Display};
use std::sync::Mutex;

/// Checks every scene on all cores; `what` names what is asked about, for messages.
pub(super) fn for_each_scene(
    what: &str,
    effort: &Effort,
    check: impl Fn(&Scene, &mut Report) + Sync,
) -> Report {
    let names: Vec<&str> = generate::scene_names().collect();
    let total = Mutex::new(Report::default());
    on_all_cores(effort.seeds as usize * names.len(), |index| {
        let (seed, name) = (index / names.len(), names[index % names.len()]);
        let scene = generate::scene(name, seed as u64).expect("a name from the list");
        let mut report = Report::of_one_scene();
        check(&scene, &mut report);
        let mut total = total.lock().expect("no thread has failed");
        let before = total.items();
        total.add(report);
        if before / 100_000 != total.items() / 100_000 {
            eprintln!("{what}: {total} so far");
        }
    });
    total.into_inner().expect("no thread has failed")
}

/// Builds every kind of engine at every scene, and checks them there, on all cores. The random
/// numbers, whose seed is `what` and that of the scene, are the same every time.
pub(super) fn for_each_trial<K: Display + Sync, Q>(
    what: &str,
    kinds: &[K],
    build: &(impl Fn(&K, &[Triangle]) -> Q + Sync),
    effort: &Effort,
    check: impl Fn(&Trials<'_, Q>, &mut Rng, &mut Report) + Sync,
) -> Report {
    for_each_scene(what, effort, |scene, report| {
        let triangles = &scene.triangles;
        let mut rng = Rng::named(scene.seed, what);
        let mut places: Vec<usize> = (0..triangles.len()).collect();
        rng.shuffle(&mut places);
        let permuted = places
            .iter()
            .map(|&place| rotated(&triangles[place], place));
        let permuted: Vec<Triangle> = permuted.collect();
        let turned: Vec<Triangle> = triangles.iter().map(turned_triangle).collect();
        let trials = kinds.iter().map(|kind| Trial {
            name: kind.to_string(),
            engine: build(kind, triangles),
            permuted: build(kind, &permuted),
            turned: build(kind, &turned),
            places: &places,
        });
        let trials = Trials {
            scene,
            oracle: &Oracle::new(triangles.clone()),
            list: trials.collect(),
        };
        check(&trials, &mut rng, report);
    })
}

/// Engines of all kinds at one scene. The oracle takes far longer, so it answers once for all.
pub(super) struct Trials<'a, Q> {
    pub(super) scene: &'a Scene,
    pub(super) oracle: &'a Oracle,
    pub(super) list: Vec<Trial<'a, Q>>,
}

/// An engine at a scene, and the same over the same triangles in other orders.
pub(super) struct Trial<'a, Q> {
    name: String,
    pub(super) engine: Q,
    /// The engine over a permutation of the triangles, with their corners rotated.
    pub(super) permuted: Q,
    /// The engine over the triangles with the axes in another order.
    pub(super) turned: Q,
    /// The place in the scene of each triangle of the permutation.
    places: &'a [usize],
}

impl<Q> Trial<'_, Q> {
    /// Returns the name in the scene of a triangle of the permutation.
    pub(super) fn prim(&self, permuted: PrimId) -> PrimId {
        PrimId::from_index(self.places[permuted.index()]).expect("few triangles")
    }
}

impl<Q> Trials<'_, Q> {
    /// Checks every engine about something at the scene, and adds the number of answers.
    pub(super) fn check(
        &self,
        about: impl Display,
        report: &mut Report,
        check: impl FnMut(&Trial<'_, Q>, &Check<'_>),
    ) {
        let generate::Scene { name, seed, .. } = self.scene;
        let about = fmt::from_fn(|f| {
            write!(
                f,
                "{about}\n  let scene = generate::scene({name:?}, {seed}).unwrap();"
            )
        });
        self.check_case(&about, report, check);
    }

    /// Checks every engine about a case that tells the scene.
    pub(super) fn check_case(
        &self,
        about: &impl Display,
        report: &mut Report,
        mut check: impl FnMut(&Trial<'_, Q>, &Check<'_>),
    ) {
        for trial in &self.list {
            let case = fmt::from_fn(|f| write!(f, "asked of {:?} about {about}", trial.name));
            let answers = Check::about(&case);
            check(trial, &answers);
            report.questions += answers.count();
        }
    }
}
