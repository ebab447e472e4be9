//! Checks what engines of placed triangles answer about points.

use super::Effort;
use super::placements::{all_are_placed, rough_triangles, told, world_corners};
use crate::generate::{
    self, PLACEMENT_KINDS, PlacementCase, Rng, SHAPE_KINDS, Scene, placement_case, shape_case,
};
use crate::oracle::{PlacedNear, PlacedOracle};
use estoc_core::glam::DVec3;
use estoc_core::{
    AnyWithin, ClosestK, ClosestPointWithin, Contains, Distance, Feature, NearEngine,
    PlacedPrimitive, PointQuery, RayQuery, SceneClosestPoint, ScenePrim, Within,
};
use std::fmt;

/// The amount of work of a check.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlacedPointReport {
    /// The number of scenes.
    pub scenes: usize,
    /// The number of points.
    pub points: usize,
    /// The number of questions asked.
    pub questions: usize,
    /// The number of points with two closest triangles at the same rounded distance.
    pub ties: usize,
    /// The number of points whose closest point is a vertex, inside an edge, or inside a face.
    pub features: [usize; 3],
    /// The number of points inside.
    pub inside: usize,
}

impl fmt::Display for PlacedPointReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlacedPointReport {
            scenes,
            points,
            questions,
            ties,
            features,
            inside,
        } = self;
        write!(
            f,
            "{scenes} scenes, {points} points with {questions} questions, {ties} with ties, closest \
             vertices, edges and faces: {features:?}, {inside} inside"
        )
    }
}

/// Compares every query about points of an engine with the oracle at every kind of scene;
/// [`Effort::rays_per_scene`] is the number of points.
///
/// # Panics
/// Panics at the first difference.
pub fn check_placed_points<E: NearEngine<DVec3, Primitive = PlacedPrimitive>>(
    build: impl Fn(&PlacementCase) -> E,
    effort: &Effort,
) -> PlacedPointReport {
    let mut report = PlacedPointReport::default();
    for seed in 0..effort.seeds {
        let placements = PLACEMENT_KINDS
            .iter()
            .map(|kind| placement_case(kind, seed));
        let shapes = SHAPE_KINDS.iter().map(|kind| shape_case(kind, seed));
        // Shapes must not disturb.
        let shapes = shapes.take(if seed % 4 == 0 { 2 } else { 0 });
        for case in placements.chain(shapes) {
            let case = case.expect("a kind from the list");
            if all_are_placed(&case) {
                check_scene(&build(&case), &case, effort.rays_per_scene, &mut report);
            }
        }
    }
    report
}

fn check_scene<E: NearEngine<DVec3, Primitive = PlacedPrimitive>>(
    engine: &E,
    case: &PlacementCase,
    points: usize,
    report: &mut PlacedPointReport,
) {
    let oracle = PlacedOracle::new(case);
    let mut rng = Rng::named(case.seed, "points at placements");
    let scene = Scene {
        name: case.kind,
        seed: case.seed,
        triangles: rough_triangles(engine, &oracle),
    };
    let mut corners = world_corners(engine, &oracle);
    corners.retain(|p| p.is_finite());
    for point in generate::near_points(&scene, &mut rng, points) {
        let point = generate::point_64(point, &corners, &mut rng);
        check_point(engine, &oracle, case, point, &mut rng, report);
    }
    report.scenes += 1;
}

/// An answer that equals only one with the same bits.
type Bits = (ScenePrim, Feature, [u32; 3], [u64; 3]);

fn bits(found: &SceneClosestPoint) -> Bits {
    (
        found.id(),
        found.feature,
        [found.distance, found.u, found.v].map(f32::to_bits),
        found.point.to_array().map(f64::to_bits),
    )
}

fn check_point<E: NearEngine<DVec3, Primitive = PlacedPrimitive>>(
    engine: &E,
    oracle: &PlacedOracle,
    case: &PlacementCase,
    point: DVec3,
    rng: &mut Rng,
    report: &mut PlacedPointReport,
) {
    let told = |question: &str| {
        let numbers = point.to_array().map(f64::to_bits);
        told(case, &format!("{question} of {point:?} ({numbers:x?})"))
    };
    let all = oracle.near(point);
    let nearest: Vec<_> = all.iter().take(3).map(PlacedNear::rounded).collect();
    let list = |found: &[SceneClosestPoint]| found.iter().map(bits).collect::<Vec<_>>();
    let first = nearest.first();
    let closest = engine.closest_point(point);
    assert_eq!(
        closest.as_ref().map(bits),
        first.map(bits),
        "{}",
        told("closest_point")
    );
    let distance = first.map(|first| first.distance);
    assert_eq!(engine.distance(point), distance, "{}", told("distance"));
    for k in 0..=3 {
        let found = list(&engine.closest_points(point, k));
        let expected = &nearest[..k.min(nearest.len())];
        assert_eq!(found, list(expected), "{}", told("closest_points"));
    }
    if rng.one_in(8) {
        let found = engine.closest_points(point, 100);
        let rounded: Vec<_> = all.iter().take(100).map(PlacedNear::rounded).collect();
        assert_eq!(list(&found), list(&rounded), "{}", told("closest_points"));
    }
    // Radii at the distances found, and next to them.
    let at = match all.len() {
        0 => 1.0,
        len => all[rng.below(len)].rounded().distance,
    };
    let unusual = rng.pick(&[0.0, -1.0, f32::NAN, f32::INFINITY, f32::MAX, -0.0]);
    for radius in [at, at.next_up(), at.next_down(), unusual] {
        let told = || told(&format!("within {radius:e}"));
        let within = all.iter().filter(|near| near.is_within(radius));
        let mut within: Vec<ScenePrim> = within.map(PlacedNear::id).collect();
        within.sort_unstable();
        let is_any = !within.is_empty();
        assert_eq!(engine.within(point, radius), within, "{}", told());
        assert_eq!(engine.any_within(point, radius), is_any, "{}", told());
        let found = engine.closest_point_within(point, radius);
        let expected = first.filter(|_| is_any).map(bits);
        assert_eq!(found.as_ref().map(bits), expected, "{}", told());
        assert_eq!(engine.ask(ClosestPointWithin(radius), &point), found);
        assert_eq!(engine.ask(AnyWithin(radius), &point), is_any);
        assert_eq!(engine.ask(Within(radius), &point), within);
        report.questions += 3;
    }
    assert_eq!(engine.ask(Distance, &point), distance);
    if point.is_finite() {
        let inside = oracle.contains(point);
        assert_eq!(engine.contains_64(point), inside, "{}", told("contains"));
        assert_eq!(engine.ask(Contains, &point), inside);
        report.inside += usize::from(inside == Some(true));
        report.questions += 1;
    }
    let two = engine.ask(ClosestK(2), &point);
    assert_eq!(list(&two), list(&nearest[..nearest.len().min(2)]));
    report.points += 1;
    report.questions += 6;
    if let Some(first) = first {
        let is_tied = nearest
            .get(1)
            .is_some_and(|next| next.distance == first.distance);
        report.ties += usize::from(is_tied);
        report.features[match first.feature {
            Feature::Vertex(_) => 0,
            Feature::Edge(_) => 1,
            Feature::Face => 2,
        }] += 1;
    }
}
