//! Checks the cuts of meshes with planes.

use super::answer::Check;
use super::trial::for_each_scene;
use super::{Effort, Report, on_all_cores};
use crate::generate::{self, Rng, Scene};
use crate::oracle::{ExactLoop, Oracle};
use estoc_core::{Coordinate, RegionEngine, RegionQuery, Section, Triangle};
use std::fmt::{self, Display};

/// Compares cuts with those of the oracle at every scene, on all cores;
/// [`Effort::rays_per_scene`] is the number of planes. The engines are what `build` makes of each
/// kind, which is displayed as the engine's name.
///
/// # Panics
/// Panics at the first difference, and when a closed scene has an open cut.
pub fn check_sections<K: Display + Sync, E: RegionEngine<Primitive = Triangle>>(
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
            check_loops(
                &of_triangles,
                || oracle.section_loops(&given, &of_triangles),
                &check,
            );
            check.holds(truth.is_closed() || !oracle.is_closed(), "it is open");
            report.regions += 1;
            report.regions_that_overlap += usize::from(!truth.is_empty());
            report.questions += check.count();
        }
    })
}

/// Compares the areas of loops, and which lie in which, with those of the oracle, for this number of
/// random sets of tubes from [`generate::tubes`].
///
/// # Panics
/// Panics at the first difference.
pub fn check_section_loops(count: usize) -> SectionLoopReport {
    let reports = on_all_cores(count, |seed| {
        let mut rng = Rng::named(seed as u64, "tubes");
        let (triangles, given) = generate::tubes(&mut rng);
        let case = format!("generate::tubes of Rng::named({seed}, \"tubes\")");
        let oracle = Oracle::new(triangles);
        let section = oracle.section(&given);
        let truth = || oracle.section_loops(&given, &section);
        check_loops(&section, truth, &Check::about(&case))
    });
    let mut report = SectionLoopReport::default();
    for of in reports {
        report.loops += of.loops;
        report.holes += of.holes;
        report.nested += of.nested;
        report.without_area += of.without_area;
    }
    report
}

/// The numbers of loops that [`check_section_loops`] has compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SectionLoopReport {
    /// All of them.
    pub loops: usize,
    /// Those of odd depth.
    pub holes: usize,
    /// Those that lie in others.
    pub nested: usize,
    /// Those whose exact area is 0.
    pub without_area: usize,
}

/// Compares the loops of a section with the right ones, which `truth` returns.
pub(super) fn check_loops<C: Coordinate>(
    section: &Section<C>,
    truth: impl FnOnce() -> Vec<ExactLoop>,
    check: &Check<'_>,
) -> SectionLoopReport {
    let mut report = SectionLoopReport::default();
    // More take the oracle too long.
    if section.segments().count() > 100 {
        return report;
    }
    let (found, truth) = (section.loops(), truth());
    check.holds(found.len() == truth.len(), "the number of loops is wrong");
    for (found, truth) in found.iter().zip(&truth) {
        let told = || format!("{found:?}, but parent {:?}", truth.parent);
        let is_same = (found.polyline, found.parent, found.depth)
            == (truth.polyline, truth.parent, truth.depth);
        check.holds(is_same, fmt::from_fn(|f| f.write_str(&told())));
        check.holds(
            truth.has_area(found.area),
            fmt::from_fn(|f| write!(f, "{found:?}")),
        );
        report.loops += 1;
        report.holes += found.depth % 2;
        report.nested += usize::from(found.depth > 0);
        report.without_area += usize::from(truth.sign() == 0);
    }
    report
}
