//! Checks what engines of placed triangles answer about points.

use super::answer::Check;
use super::near::{check_closest, check_within};
use super::placements::{all_are_placed, cases, in_world, of_placements};
use super::{Effort, Report};
use crate::generate::{
    self, PLACEMENT_KINDS, PlacementCase, Rng, SHAPE_KINDS, placement_case, shape_case,
};
use crate::oracle::{PlacedNear, PlacedOracle};
use estoc_core::glam::DVec3;
use estoc_core::{
    Contains, Distance, Feature, NearEngine, PlacedPrimitive, PointQuery, Ray64, RayEngine,
    RayQuery, ScenePrim,
};
use std::fmt;

/// Compares every query about points of an engine with the oracle at every kind of scene;
/// [`Effort::rays_per_scene`] is the number of points.
///
/// # Panics
/// Panics at the first difference.
pub fn check_placed_points<E: NearEngine<DVec3, Primitive = PlacedPrimitive> + RayEngine<Ray64>>(
    build: impl Fn(&PlacementCase) -> E,
    effort: &Effort,
) -> Report {
    let mut report = Report::default();
    let placements = cases(PLACEMENT_KINDS, placement_case, effort.seeds);
    // Shapes must not disturb.
    let shapes = cases(&SHAPE_KINDS[..2], shape_case, effort.seeds.div_ceil(4));
    for case in placements.chain(shapes).filter(all_are_placed) {
        check_scene(&build(&case), &case, effort.rays_per_scene, &mut report);
    }
    report
}

fn check_scene<E: NearEngine<DVec3, Primitive = PlacedPrimitive> + RayEngine<Ray64>>(
    engine: &E,
    case: &PlacementCase,
    points: usize,
    report: &mut Report,
) {
    let oracle = PlacedOracle::new(case);
    let mut rng = Rng::named(case.seed, "points at placements");
    let (scene, corners) = in_world(engine, &oracle, case);
    for point in generate::near_points(&scene, &mut rng, points) {
        let point = generate::point_64(point, &corners, &mut rng);
        check_point(engine, &oracle, case, point, &mut rng, report);
    }
    report.scenes += 1;
}

fn check_point<E: NearEngine<DVec3, Primitive = PlacedPrimitive> + RayEngine<Ray64>>(
    engine: &E,
    oracle: &PlacedOracle,
    case: &PlacementCase,
    point: DVec3,
    rng: &mut Rng,
    report: &mut Report,
) {
    let numbers = point.to_array().map(f64::to_bits);
    let what = fmt::from_fn(|f| write!(f, "{point:?} ({numbers:x?})"));
    let about = of_placements(case, &what);
    let check = Check::about(&about);
    let all = oracle.near(point);
    let nearest: Vec<_> = all.iter().take(3).map(PlacedNear::rounded).collect();
    let first = nearest.first().copied();
    let distance = first.map(|first| first.distance);
    check.same("distance", &engine.distance(point), &distance);
    check.same("Distance", &engine.ask(Distance, &point), &distance);
    for k in 0..=3 {
        check_closest(engine, point, k, &nearest, &check);
    }
    if rng.one_in(8) {
        let rounded: Vec<_> = all.iter().take(100).map(PlacedNear::rounded).collect();
        check_closest(engine, point, 100, &rounded, &check);
    }
    // Radii at the distances found, and next to them.
    let at = match all.len() {
        0 => 1.0,
        len => all[rng.below(len)].rounded().distance,
    };
    let unusual = rng.pick(&[0.0, -1.0, f32::NAN, f32::INFINITY, f32::MAX, -0.0]);
    for radius in [at, at.next_up(), at.next_down(), unusual] {
        let within = all.iter().filter(|near| near.is_within(radius));
        let mut within: Vec<ScenePrim> = within.map(PlacedNear::id).collect();
        within.sort_unstable();
        check_within(engine, point, radius, &within, first, &check);
    }
    if point.is_finite() {
        let inside = oracle.contains(point);
        check.same("contains_64", &engine.contains_64(point), &inside);
        check.same("Contains", &engine.ask(Contains, &point), &inside);
        report.points_inside += usize::from(inside == Some(true));
    }
    report.points += 1;
    report.questions += check.count();
    if let Some(first) = first {
        let next = nearest.get(1);
        report.points_with_ties +=
            usize::from(next.is_some_and(|next| next.distance == first.distance));
        report.features[match first.feature {
            Feature::Vertex(_) => 0,
            Feature::Edge(_) => 1,
            Feature::Face => 2,
        }] += 1;
    }
}
