//! The conformance suite that every engine must pass.
//!
//! [`check_engines`] asks engines and the [`oracle`](crate::oracle) the same questions about the
//! same rays at every scene of [`generate`] and requires the same bits. The oracle takes far longer
//! than an engine, so it answers once for all engines. [`check_against`] compares two engines over
//! meshes that are too large for the oracle. [`check_boxes`] does the same for
//! [`Aabb`](estoc_core::Aabb), and [`check_triangles`] for [`Triangle::exact_hit`]. [`check_near`] asks
//! about points what is near them and which side of the surface they are on, [`check_regions`] about
//! regions which triangles have points in them, and about pairs of triangles what they have in common; [`check_least_distances`] asks how far meshes are apart;
//! [`check_sections`] cuts scenes with planes, and [`check_sweeps`] asks what moving spheres touch
//! first.
//!
//! All of them panic at the first difference, with the lines of Rust that reproduce it.

mod answer;
mod box_checks;
mod cores;
mod double_regions;
mod doubles;
mod effort;
mod least_distances;
mod near;
mod placed_points;
mod placements;
mod properties;
mod ray;
mod regions;
mod report;
mod sections;
mod signs;
mod sweeps;
mod trial;
mod triangles;

pub use box_checks::check_boxes;
pub use cores::on_all_cores;
pub use double_regions::{
    check_double_pairs, check_double_region, check_double_section, check_double_sweep,
};
pub use doubles::{check_double_point, check_doubles, check_many_doubles};
pub use effort::Effort;
pub use least_distances::{check_least_distances, check_placed_distances};
pub use near::{check_near, check_near_against};
pub use placed_points::check_placed_points;
pub use placements::{check_placed_shapes, check_placements, check_placements_of};
pub use regions::{check_regions, check_regions_against};
pub use report::Report;
pub use sections::{SectionLoopReport, check_section_loops, check_sections};
pub use signs::check_double_signs;
pub use sweeps::{check_sweeps, check_sweeps_against};
pub use triangles::check_triangles;

use crate::generate::{self, Case, Rng};
use answer::Check;
use estoc_core::glam::Vec3;
use estoc_core::{
    All, Crossings, Distinct, MeshEngine, PrimId, QueryOptions, Ray, RayQuery, Triangle,
};
use std::fmt::{self, Display};
use trial::{Trial, Trials, for_each_trial};

/// The number of points per generated ray.
const POINTS_PER_RAY: f64 = 0.2;

/// Compares every query of engines with the oracle at every scene, on all cores. The engines are what
/// `build` makes of each kind, which is displayed as the engine's name.
///
/// # Panics
/// Panics at the first difference.
pub fn check_engines<K: Display + Sync, Q: MeshEngine>(
    kinds: &[K],
    build: impl Fn(&K, &[Triangle]) -> Q + Sync,
    effort: &Effort,
) -> Report {
    for_each_trial("rays", kinds, &build, effort, |trials, _, report| {
        check_scene(trials, effort.rays_per_scene, report);
    })
}

fn check_scene<Q: MeshEngine>(trials: &Trials<'_, Q>, rays: usize, report: &mut Report) {
    let Trials { scene, oracle, .. } = trials;
    trials.check("its triangles", report, |trial, check| {
        check_mesh(&trial.engine, &scene.triangles, oracle.is_closed(), check);
    });
    let mut rng = Rng::named(scene.seed, scene.name);
    let check_ray = |case: &Case, rng: &mut Rng, report: &mut Report| {
        let answers = oracle.ask(&case.ray);
        let truth = ray::Truth {
            all: &|options| answers.all_hits(options),
            crossings: &|options| answers.crossings(options),
            distinct: &|options| answers.distinct_hits(options),
        };
        trials.check_case(case, report, |trial, check| {
            ray::check(&trial.engine, &case.ray, &truth, rng, check);
        });
        let closest = answers.closest_hit(&QueryOptions::new());
        report.rays += 1;
        report.rays_that_hit += usize::from(closest.is_ok_and(|hit| hit.is_some()));
    };
    for (index, case) in generate::cases(scene, rays).enumerate() {
        check_ray(&case, &mut rng, report);
        if index % 4 == 0 {
            trials.check_case(&case, report, |trial, check| {
                properties::check(&trial.engine, &case.ray, check);
                check_other_orders(trial, &case.ray, check);
            });
        }
        if index % 2 == 0 {
            let line = case.ray.with_interval(f32::NEG_INFINITY, f32::INFINITY);
            let hits = oracle.all_hits(&line);
            let parameters: Vec<f32> = hits.iter().map(|hit| hit.t).collect();
            for ray in generate::cut_at(&line, &parameters, &mut rng) {
                check_ray(&case.cut(ray), &mut rng, report);
            }
        }
    }
    let points = (rays as f64 * POINTS_PER_RAY).ceil() as usize;
    for point in generate::points(scene, &mut rng, points) {
        let inside = oracle.contains(point);
        trials.check(of_point(point), report, |trial, check| {
            check.same("contains", &trial.engine.contains(point), &inside);
        });
        report.points += 1;
    }
}

/// Returns a point in words, and the Rust that reproduces it.
fn of_point(point: Vec3) -> impl Display {
    let bits = point.to_array().map(f32::to_bits);
    fmt::from_fn(move |f| {
        writeln!(f, "the point {point:?}")?;
        write!(
            f,
            "  let point = Vec3::from_array({bits:#x?}.map(f32::from_bits));"
        )
    })
}

/// Checks what the engine reports about its triangles.
fn check_mesh<Q: MeshEngine>(
    engine: &Q,
    triangles: &[Triangle],
    is_closed: bool,
    check: &Check<'_>,
) {
    check.same("triangle_count", &engine.triangle_count(), &triangles.len());
    check.same("is_closed", &engine.is_closed(), &is_closed);
    let bits = |triangle: &Triangle| triangle.corners().map(|p| p.to_array().map(f32::to_bits));
    for (index, triangle) in triangles.iter().enumerate() {
        let got = PrimId::from_index(index).and_then(|prim| engine.triangle(prim));
        let is_same = got.is_some_and(|got| bits(&got) == bits(triangle));
        check.holds(is_same, format_args!("triangle {index} is {got:?}"));
    }
    for beyond in [PrimId::from_index(triangles.len()), Some(PrimId::MAX)] {
        let is_none = beyond.is_some_and(|prim| engine.triangle(prim).is_none());
        check.holds(is_none, format_args!("there is a triangle {beyond:?}"));
    }
}

/// Checks that the order of the triangles and their corners leaves `t` of every triangle unchanged,
/// and that of the axes the first hit.
fn check_other_orders<Q: MeshEngine>(trial: &Trial<'_, Q>, ray: &Ray, check: &Check<'_>) {
    let Trial {
        engine,
        permuted,
        turned,
        ..
    } = trial;
    let hits = |engine: &Q, name: &dyn Fn(PrimId) -> PrimId| {
        let hits = engine.all_hits(ray).into_iter();
        let mut hits: Vec<(PrimId, f32)> = hits.map(|hit| (name(hit.prim), hit.t)).collect();
        hits.sort_by_key(|&(prim, _)| prim);
        hits
    };
    let (old, new) = (
        hits(engine, &|prim| prim),
        hits(permuted, &|prim| trial.prim(prim)),
    );
    let question = "all_hits of the triangles in another order";
    check.holds(
        old == new,
        format_args!("{question}: {new:?} instead of {old:?}"),
    );
    let t = |engine: &Q| engine.closest_hit(ray).map(|hit| hit.t);
    let question = "closest_hit of the triangles in another order";
    check.same(question, &t(permuted), &t(engine));
    let question = "count_crossings of the triangles in another order";
    check.same(
        question,
        &permuted.count_crossings(ray),
        &engine.count_crossings(ray),
    );
    let turned_ray = Ray {
        origin: properties::turned_point(ray.origin),
        dir: properties::turned_point(ray.dir),
        ..*ray
    };
    let question = "closest_hit with the axes in another order";
    check.same(
        question,
        &turned.closest_hit(&turned_ray),
        &engine.closest_hit(ray),
    );
}

/// Compares every query of `a` with the answers of `b`, ray by ray, for meshes that are too large
/// for the oracle.
///
/// # Panics
/// Panics at the first difference.
pub fn check_against<A: MeshEngine, B: MeshEngine>(a: &A, b: &B, rays: &[Ray]) -> Report {
    assert_eq!(a.triangle_count(), b.triangle_count());
    assert_eq!(a.is_closed(), b.is_closed());
    let mut report = Report::of_one_scene();
    for (index, ray) in rays.iter().enumerate() {
        let case = format!("ray {index}: {ray:?}");
        let check = Check::about(&case);
        let mut rng = Rng::named(index as u64, "options");
        let truth = ray::Truth {
            all: &|options| b.ask_with(All, ray, options),
            crossings: &|options| b.ask_with(Crossings, ray, options),
            distinct: &|options| b.ask_with(Distinct, ray, options),
        };
        ray::check(a, ray, &truth, &mut rng, &check);
        report.rays += 1;
        report.rays_that_hit += usize::from(b.any_hit(ray));
        if index % 4 == 0 {
            let origin = ray.origin;
            check.same(
                "contains the origin",
                &a.contains(origin),
                &b.contains(origin),
            );
            report.points += 1;
        }
        report.questions += check.count();
    }
    report
}

#[cfg(test)]
mod tests;
