//! Checks the cuts of meshes with planes.

use super::bits::assert_same;
use super::{Effort, Report, for_each_scene};
use crate::generate::{self, Rng, Scene};
use crate::oracle::Oracle;
use estoc_core::{RegionEngine, RegionQuery, Section, Triangle};

/// Compares cuts with those of the oracle at every scene, on all cores;
/// [`Effort::rays_per_scene`] is the number of planes.
///
/// # Panics
/// Panics at the first difference, and when a closed scene has an open cut.
pub fn check_sections<E: RegionEngine>(
    name: &str,
    build: impl Fn(&[Triangle]) -> E + Sync,
    effort: &Effort,
) -> Report {
    for_each_scene(name, effort, |scene| {
        let Scene { name, seed, .. } = scene;
        let mut rng = Rng::named(*seed, "planes");
        let (engine, oracle) = (
            build(&scene.triangles),
            Oracle::new(scene.triangles.clone()),
        );
        let mut report = Report {
            scenes: 1,
            ..Report::default()
        };
        for given in generate::planes(scene, &mut rng, effort.rays_per_scene) {
            let case = || format!("the cut of generate::scene({name:?}, {seed}) by {given:?}");
            let found = engine.section(&given.plane());
            let of_triangles =
                Section::of_triangles(&given.plane(), scene.triangles.iter().copied());
            assert_same(&of_triangles, &found, case);
            assert_same(&found, &oracle.section(&given), case);
            assert!(
                found.is_closed() || !oracle.is_closed(),
                "{} is open",
                case()
            );
            report.regions += 1;
            report.regions_that_overlap += usize::from(!found.is_empty());
            report.questions += 1;
        }
        report
    })
}
