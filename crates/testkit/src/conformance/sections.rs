//! Checks the cuts of meshes with planes.

use super::bits::assert_same;
use super::{Effort, Report, for_each_scene};
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
    for_each_scene("sections", effort, |scene| {
        let Scene { name, seed, .. } = scene;
        let mut rng = Rng::named(*seed, "planes");
        let engines: Vec<E> = kinds
            .iter()
            .map(|kind| build(kind, &scene.triangles))
            .collect();
        let oracle = Oracle::new(scene.triangles.clone());
        let mut report = Report {
            scenes: 1,
            ..Report::default()
        };
        for given in generate::planes(scene, &mut rng, effort.rays_per_scene) {
            let case = || format!("the cut of generate::scene({name:?}, {seed}) by {given:?}");
            let truth = oracle.section(&given);
            let plane = given.plane();
            let of_triangles = Section::of_triangles(&plane, scene.triangles.iter().copied());
            assert_same(&of_triangles, &truth, case);
            for (kind, engine) in kinds.iter().zip(&engines) {
                assert_same(&engine.section(&plane), &truth, || {
                    format!("{kind}: {}", case())
                });
            }
            assert!(
                truth.is_closed() || !oracle.is_closed(),
                "{} is open",
                case()
            );
            report.regions += 1;
            report.regions_that_overlap += usize::from(!truth.is_empty());
            report.questions += 1 + kinds.len();
        }
        report
    })
}
