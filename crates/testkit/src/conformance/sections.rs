//! Checks the cuts of meshes with planes.

use super::answer::Check;
use super::trial::for_each_scene;
use super::{Effort, Report};
use crate::generate::{self, Rng, Scene};
use crate::oracle::Oracle;
use estoc_core::{RegionEngine, RegionQuery, Section, Triangle};
use std::fmt::Display;

/// Compares cuts with those of the oracle at every scene, on all cores;
/// [`Effort::rays_per_scene`] is the number of planes. The engines are what `build` makes of each
/// kind, which is displayed as the engine's name.
///
/// # Panics
/// Panics at the first difference, and when a closed scene has an open cut.
pub fn check_sections<K: Display + Sync, E: RegionEngine>(
    kinds: &[K],
    build: impl Fn(&K, &[Triangle]) -> E + Sync,
    effort: &Effort,
) -> Report {
    for_each_scene("sections", effort, |scene, report| {
        let Scene { name, seed, .. } = scene;
        let mut rng = Rng::named(*seed, "planes");
        let engines = kinds.iter().map(|kind| build(kind, &scene.triangles));
        let engines: Vec<E> = engines.collect();
        let oracle = Oracle::new(scene.triangles.clone());
        for given in generate::planes(scene, &mut rng, effort.rays_per_scene) {
            let case = format!("the cut of generate::scene({name:?}, {seed}) by {given:?}");
            let check = Check::about(&case);
            let truth = oracle.section(&given);
            let plane = given.plane().expect("generated planes are some");
            let of_triangles = Section::of_triangles(&plane, scene.triangles.iter().copied());
            check.same("Section::of_triangles", &of_triangles, &truth);
            for (kind, engine) in kinds.iter().zip(&engines) {
                check.same(kind, &engine.section(&plane), &truth);
            }
            check.holds(truth.is_closed() || !oracle.is_closed(), "it is open");
            report.regions += 1;
            report.regions_that_overlap += usize::from(!truth.is_empty());
            report.questions += check.count();
        }
    })
}
