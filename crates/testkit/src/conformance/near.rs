//! Checks every question about what is near a point.

use super::bits::assert_same;
use super::properties::{turned_point, turned_triangle};
use super::signs::{SignTruth, Signs};
use super::{Effort, Report, for_each_scene, properties};
use crate::generate::{self, Rng, Scene};
use crate::oracle::Oracle;
use estoc_core::glam::Vec3;
use estoc_core::{ClosestPoint, PointEngine, PointQuery, PrimId, Triangle};
use std::fmt;

/// Compares every query about points with the oracle at every scene, on all cores;
/// [`Effort::rays_per_scene`] is the number of points. The engines are what `build` makes of each
/// kind, which is displayed as the engine's name.
///
/// # Panics
/// Panics at the first difference.
pub fn check_near<K: fmt::Display + Sync, Q: PointEngine>(
    kinds: &[K],
    build: impl Fn(&K, &[Triangle]) -> Q + Sync,
    effort: &Effort,
) -> Report {
    for_each_scene("points", effort, |scene| {
        check_scene(kinds, &build, scene, effort.rays_per_scene)
    })
}

/// One of this number of points is asked about its sign, for which the oracle takes long.
const POINTS_PER_SIGN: usize = 4;

fn check_scene<K: fmt::Display, Q: PointEngine>(
    kinds: &[K],
    build: impl Fn(&K, &[Triangle]) -> Q,
    scene: &Scene,
    points: usize,
) -> Report {
    let mut rng = Rng::named(scene.seed, "points");
    let (places, permuted) = properties::permuted(&scene.triangles, &mut rng);
    let turned: Vec<Triangle> = scene.triangles.iter().map(turned_triangle).collect();
    let oracle = Oracle::new(scene.triangles.clone());
    let signs = Signs::new(&oracle);
    let checks = kinds.iter().map(|kind| SceneCheck {
        name: kind.to_string(),
        scene,
        engine: build(kind, &scene.triangles),
        permuted: build(kind, &permuted),
        turned: build(kind, &turned),
        inside_out: build(kind, signs.inside_out()),
        places: &places,
    });
    let checks: Vec<_> = checks.collect();
    let mut report = Report {
        scenes: 1,
        ..Report::default()
    };
    for check in &checks {
        let case = format!("{}: scene {:?}", check.name, scene.name);
        report.questions += signs.check_surface(&check.engine, &case);
    }
    for (place, point) in generate::near_points(scene, &mut rng, points)
        .into_iter()
        .enumerate()
    {
        let truth = Truth::new(&oracle, point, &mut rng);
        let sign = (place % POINTS_PER_SIGN == 0).then(|| signs.ask(point));
        for check in &checks {
            report.questions += check.check(point, &truth, sign.as_ref(), &signs);
        }
        report.points += 1;
    }
    report
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
    /// The engine over the triangles turned around.
    inside_out: Q,
    /// The place in the scene of each triangle of the permutation.
    places: &'a [usize],
}

impl<Q: PointEngine> SceneCheck<'_, Q> {
    fn check(
        &self,
        point: Vec3,
        truth: &Truth,
        sign: Option<&SignTruth>,
        signs: &Signs<'_>,
    ) -> usize {
        let case = Case {
            name: &self.name,
            scene: self.scene,
            point,
        };
        let engine = &self.engine;
        let of_sign = sign.map_or(0, |sign| {
            signs.check_point([engine, &self.inside_out], point, sign, &case)
        });
        of_sign
            + check_point(engine, truth, point, &case)
            + check_properties(engine, &self.permuted, self.places, point, &case)
            + check_turned(engine, &self.turned, point, &case)
    }
}

/// A point at a scene, displayed so that it can be reproduced.
struct Case<'a> {
    name: &'a str,
    scene: &'a Scene,
    point: Vec3,
}

impl fmt::Display for Case<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Scene { name, seed, .. } = self.scene;
        let (point, bits) = (self.point, self.point.to_array().map(f32::to_bits));
        writeln!(f, "asked of {:?} about the point {point:?}", self.name)?;
        writeln!(
            f,
            "  let scene = generate::scene({name:?}, {seed}).unwrap();"
        )?;
        write!(
            f,
            "  let point = Vec3::from_array({bits:#x?}.map(f32::from_bits));"
        )
    }
}

/// What the answers are compared with.
trait Judge {
    fn closest_points(&self, point: Vec3, k: usize) -> Vec<ClosestPoint>;

    fn within(&self, point: Vec3, radius: f32) -> Vec<PrimId>;
}

impl Judge for Oracle {
    fn closest_points(&self, point: Vec3, k: usize) -> Vec<ClosestPoint> {
        self.closest_points(point, k)
    }

    fn within(&self, point: Vec3, radius: f32) -> Vec<PrimId> {
        self.within(point, radius)
    }
}

/// Another engine.
struct Peer<'a, Q>(&'a Q);

impl<Q: PointEngine> Judge for Peer<'_, Q> {
    fn closest_points(&self, point: Vec3, k: usize) -> Vec<ClosestPoint> {
        self.0.closest_points(point, k)
    }

    fn within(&self, point: Vec3, radius: f32) -> Vec<PrimId> {
        self.0.within(point, radius)
    }
}

/// Compares every query about points of `a` with the answers of `b`, for meshes that are too large
/// for the oracle.
///
/// # Panics
/// Panics at the first difference.
pub fn check_near_against<A: PointEngine, B: PointEngine>(a: &A, b: &B, points: &[Vec3]) -> Report {
    let mut report = Report {
        scenes: 1,
        ..Report::default()
    };
    for (index, &point) in points.iter().enumerate() {
        let case = format!("point {index}: {point:?}");
        let mut rng = Rng::named(index as u64, "radii");
        let truth = Truth::new(&Peer(b), point, &mut rng);
        report.questions += check_point(a, &truth, point, &case);
        report.points += 1;
    }
    report
}

/// The greatest number of closest triangles that is asked for.
const MOST: usize = 6;

/// The questions about a point that have a parameter, and the answers to all.
struct Truth {
    first: Vec<ClosestPoint>,
    k: usize,
    radius: f32,
    within: Vec<PrimId>,
}

impl Truth {
    fn new(judge: &impl Judge, point: Vec3, rng: &mut Rng) -> Self {
        let first = judge.closest_points(point, MOST);
        let k = rng.below(MOST + 1);
        let some = rng.pick(&first_or_zero(&first));
        let radius = rng.pick(&[
            some,
            some.next_up(),
            some.next_down(),
            some * 1.5,
            0.0,
            -0.0,
            f32::from_bits(1),
            -1.0,
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
        ]);
        Truth {
            within: judge.within(point, radius),
            first,
            k,
            radius,
        }
    }
}

/// Checks every question about the point. Returns the number of questions asked.
fn check_point<Q: PointEngine>(
    engine: &Q,
    truth: &Truth,
    point: Vec3,
    case: &impl fmt::Display,
) -> usize {
    let Truth {
        first,
        k,
        radius,
        within,
    } = truth;
    let (k, radius) = (*k, *radius);
    let closest = first.first().copied();
    let distance = closest.map(|closest| closest.distance);
    let ask = |question: &str| format!("{question}, {case}");
    assert_same(&engine.closest_point(point), &closest, || {
        ask("closest_point")
    });
    assert_same(&engine.distance(point), &distance, || ask("distance"));
    let want = first.iter().take(k).copied().collect();
    assert_same(&engine.closest_points(point, k), &want, || {
        ask(&format!("closest_points({k})"))
    });
    let any = !within.is_empty();
    let closest = closest.filter(|_| any);
    assert_same(&engine.within(point, radius), within, || {
        ask(&format!("within({radius:e})"))
    });
    assert_same(&engine.any_within(point, radius), &any, || {
        ask(&format!("any_within({radius:e})"))
    });
    let got = engine.closest_point_within(point, radius);
    assert_same(&got, &closest, || {
        ask(&format!("closest_point_within({radius:e})"))
    });
    6
}

/// Checks that the order of the axes changes nothing else. Returns the number of questions asked.
fn check_turned<Q: PointEngine>(
    engine: &Q,
    turned: &Q,
    point: Vec3,
    case: &impl fmt::Display,
) -> usize {
    let want = engine.closest_point(point).map(|found| ClosestPoint {
        point: turned_point(found.point),
        ..found
    });
    let got = turned.closest_point(turned_point(point));
    assert_same(&got, &want, || {
        format!("closest_point with the axes in another order, {case}")
    });
    1
}

fn first_or_zero(first: &[ClosestPoint]) -> Vec<f32> {
    let mut distances: Vec<f32> = first.iter().map(|found| found.distance).collect();
    if distances.is_empty() {
        distances.push(0.0);
    }
    distances
}

/// Checks properties that must hold between an engine's own answers. Returns the number of
/// questions asked.
fn check_properties<Q: PointEngine>(
    engine: &Q,
    permuted: &Q,
    places: &[usize],
    point: Vec3,
    case: &impl fmt::Display,
) -> usize {
    let Some(closest) = engine.closest_point(point) else {
        assert!(engine.within(point, f32::INFINITY).is_empty(), "{case}");
        return 1;
    };
    // The exact distance is nearer to the rounded one than to its neighbours.
    let ClosestPoint { distance, prim, .. } = closest;
    assert!(
        engine.within(point, distance.next_up()).contains(&prim),
        "within the next distance above lacks the closest triangle, {case}"
    );
    assert!(
        !engine.any_within(point, distance.next_down()),
        "something is within the next distance below, {case}"
    );
    // A point on a triangle is its own closest point.
    if engine.any_within(point, 0.0) {
        let own = [distance, closest.point.x, closest.point.y, closest.point.z].to_vec();
        let want = [0.0, point.x + 0.0, point.y + 0.0, point.z + 0.0].to_vec();
        assert_same(&own, &want, || format!("a point on a triangle, {case}"));
    }
    // The distance does not depend on the order of triangles and corners, nor does the point.
    let other = permuted.closest_point(point);
    let distance_of = |found: Option<ClosestPoint>| found.map(|found| found.distance);
    assert_same(&distance_of(other), &Some(distance), || {
        format!("distance from the triangles in another order, {case}")
    });
    let own = engine.closest_points(point, 3);
    for found in permuted.closest_points(point, 6) {
        let prim = places[found.prim.index()];
        let Some(own) = own.iter().find(|own| own.prim.index() == prim) else {
            continue;
        };
        let same = |one: &ClosestPoint| [one.distance, one.point.x, one.point.y, one.point.z];
        let (got, want) = (same(&found).to_vec(), same(own).to_vec());
        assert_same(&got, &want, || {
            format!(
                "the closest point of triangle {prim} with the corners in another order, {case}"
            )
        });
    }
    7
}
