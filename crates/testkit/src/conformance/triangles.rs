//! Checks single triangles against the oracle.

use super::answer::Check;
use super::{Effort, Report};
use crate::generate::{self, Rng};
use crate::oracle::Oracle;
use estoc_core::{PrimId, QueryOptions, Triangle};

/// Compares [`Triangle::exact_hit`] with the oracle: for every ray, the triangles that it hits and
/// a few others.
///
/// # Panics
/// Panics at the first difference.
pub fn check_triangles(effort: &Effort) -> Report {
    let mut report = Report::default();
    for scene in (0..effort.seeds).flat_map(generate::scenes) {
        if scene.triangles.is_empty() {
            continue;
        }
        let oracle = Oracle::new(scene.triangles.clone());
        let mut rng = Rng::named(scene.seed, "triangles");
        for case in generate::cases(&scene, effort.rays_per_scene) {
            let check = Check::about(&case);
            let answers = oracle.ask(&case.ray);
            let hits = answers.all_hits(&QueryOptions::new()).expect("no `after`");
            let others =
                (0..4).filter_map(|_| PrimId::from_index(rng.below(scene.triangles.len())));
            let prims: Vec<PrimId> = hits
                .iter()
                .map(|hit| hit.prim)
                .take(8)
                .chain(others)
                .collect();
            for prim in prims {
                let triangle: &Triangle = &scene.triangles[prim.index()];
                let got = triangle.exact_hit(&case.ray, prim);
                let want = answers.hit_of(prim);
                let question = format_args!("exact_hit of triangle {prim}");
                check.same(
                    question,
                    &got.map(|(hit, _)| hit),
                    &want.map(|(hit, _)| hit),
                );
                let sides = [got, want].map(|answer| answer.map(|(_, side)| side));
                check.holds(
                    sides[0] == sides[1],
                    format_args!("{question}: sides {sides:?}"),
                );
            }
            report.questions += check.count();
            report.rays += 1;
            report.rays_that_hit += usize::from(!hits.is_empty());
        }
        report.scenes += 1;
    }
    report
}
