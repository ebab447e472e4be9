//! Checks engines of placed triangles.

use super::answer::Check;
use super::{Effort, Report, ray};
use crate::generate::{
    self, PLACEMENT_KINDS, PlacementCase, Rng, SHAPE_KINDS, Scene, outline, placement_case,
    ray_at_shape, shape_case,
};
use crate::oracle::{PlacedOracle, PlacedTouch};
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{
    Cull, Engine, PlacedPrimitive, PlacementMatrix, QueryOptions, Ray, Ray64, RayEngine, RayKind,
    RayQuery, SceneHit, ScenePrim, Triangle,
};
use std::fmt;

type Options = QueryOptions<ScenePrim>;

/// Compares every query about rays of an engine with the oracle at every kind of scene.
///
/// # Panics
/// Panics at the first difference.
pub fn check_placements<E: RayEngine<Ray64, Primitive = PlacedPrimitive>>(
    build: impl Fn(&PlacementCase) -> E,
    effort: &Effort,
) -> Report {
    let mut report = Report::default();
    let mut singular = 0;
    for case in cases(PLACEMENT_KINDS, placement_case, effort.seeds) {
        if all_are_placed(&case) {
            check_placements_of(&build(&case), &case, effort.rays_per_scene, &mut report);
        } else {
            // By chance only.
            assert_eq!(case.kind, "near singular", "{}", case.seed);
            singular += 1;
        }
    }
    assert!(singular * 3 <= effort.seeds, "{singular} singular cases");
    report
}

/// Compares every query about rays of an engine with the oracle at every kind of scene with spheres and
/// boxes.
///
/// # Panics
/// Panics at the first difference.
pub fn check_placed_shapes<E: RayEngine<Ray64, Primitive = PlacedPrimitive>>(
    build: impl Fn(&PlacementCase) -> E,
    effort: &Effort,
) -> Report {
    let mut report = Report::default();
    let cases = cases(SHAPE_KINDS, shape_case, effort.seeds);
    for case in cases.filter(all_are_placed) {
        check_placements_of(&build(&case), &case, effort.rays_per_scene, &mut report);
    }
    report
}

/// Returns the scenes of all kinds for each seed, and every other one also with meshes in `f64`.
pub(super) fn cases(
    kinds: &[&str],
    case: fn(&str, u64) -> Option<PlacementCase>,
    seeds: u64,
) -> impl Iterator<Item = PlacementCase> {
    let of_kind = move |seed| move |kind: &&str| case(kind, seed).expect("a kind from the list");
    let narrow = (0..seeds).flat_map(move |seed| kinds.iter().map(of_kind(seed)));
    narrow.enumerate().flat_map(|(place, case)| {
        let wide = (place % 2 == 0).then(|| case.clone().in_f64());
        std::iter::once(case).chain(wide)
    })
}

/// Returns whether every matrix has an inverse.
pub(super) fn all_are_placed(case: &PlacementCase) -> bool {
    let mut placements = case.scenes.iter().flatten();
    placements.all(|placement| PlacementMatrix::from_rows(placement.rows).is_ok())
}

/// Compares every query about rays at one scene.
///
/// # Panics
/// Panics at the first difference.
pub fn check_placements_of<E: RayEngine<Ray64, Primitive = PlacedPrimitive>>(
    engine: &E,
    case: &PlacementCase,
    rays: usize,
    report: &mut Report,
) {
    let oracle = PlacedOracle::new(case);
    let mut rng = Rng::named(case.seed, "rays at placements");
    let count = oracle.ids().count() + oracle.solid_count();
    assert_eq!(engine.primitive_count(), count);
    let (scene, corners) = in_world(engine, &oracle, case);
    let mut all = generate::rays(&scene, &mut rng, rays);
    add_rays_at_shapes(&mut all, &oracle, &mut rng);
    for (place, ray) in all.iter().enumerate() {
        check_ray(engine, &oracle, case, ray, &mut rng, report);
        if place % 3 == 0 {
            let wide = generate::ray_64(ray, &corners, &mut rng);
            check_wide_ray(engine, &oracle, case, &wide, &mut rng);
            report.wide_rays += 1;
        }
    }
    for point in generate::points(&scene, &mut rng, rays / 10 + 1) {
        if point.is_finite() {
            let about = of_placements(case, &point);
            let inside = oracle.contains(point.into());
            Check::about(&about).same("contains", &engine.contains(point), &inside);
            report.points += 1;
        }
    }
    report.scenes += 1;
}

/// Returns the scene in the world, with each coordinate rounded to `f32`, and its corners, rounded to
/// `f64`; both without those that are not finite.
pub(super) fn in_world<E: Engine<Primitive = PlacedPrimitive>>(
    engine: &E,
    oracle: &PlacedOracle,
    case: &PlacementCase,
) -> (Scene, Vec<DVec3>) {
    let mut corners = Vec::new();
    for id in oracle.ids() {
        let placed = engine.primitive(id).expect("an id of the scene");
        if let PlacedPrimitive::Triangle(placed) = placed {
            let affine = placed.matrix.to_affine();
            let moved = |p: DVec3| affine.transform_point3(p);
            corners.extend(placed.triangle.corners().map(moved));
        }
    }
    corners.extend(oracle.frames().iter().flat_map(outline));
    let narrow = |p: DVec3| Vec3::from(p.to_array().map(|x| x as f32));
    let triangles = corners.chunks_exact(3);
    let triangles = triangles.map(|p| Triangle::new(narrow(p[0]), narrow(p[1]), narrow(p[2])));
    let scene = Scene {
        name: case.kind,
        seed: case.seed,
        triangles: triangles.filter(Triangle::is_finite).collect(),
    };
    corners.retain(|p| p.is_finite());
    (scene, corners)
}

/// Adds rays at poles, edges and corners of shapes, as many as there are, and rays that begin and end
/// where these hit.
fn add_rays_at_shapes(rays: &mut Vec<Ray>, oracle: &PlacedOracle, rng: &mut Rng) {
    let frames = oracle.frames();
    if frames.is_empty() {
        return;
    }
    for _ in 0..rays.len() {
        let ray = ray_at_shape(&frames[rng.below(frames.len())], rng);
        let touches = oracle.touches(&ray.with_interval(f32::NEG_INFINITY, f32::INFINITY));
        rays.push(match touches.len() {
            0 => ray,
            len => {
                let t = touches[rng.below(len)].hit.t;
                let [least, most] = [f32::NEG_INFINITY, f32::INFINITY];
                let (low, high) = rng.pick(&[
                    (0.0, most),
                    (least, most),
                    (t, most),
                    (least, t),
                    (t, t),
                    (t.next_up(), most),
                    (least, t.next_down()),
                ]);
                ray.with_interval(low, high)
            }
        });
    }
}

/// Returns something asked of a scene, in words.
pub(super) fn of_placements<'a>(
    case: &'a PlacementCase,
    what: &'a dyn fmt::Debug,
) -> impl fmt::Display {
    let PlacementCase { kind, seed, .. } = case;
    fmt::from_fn(move |f| write!(f, "{what:?} of placements {kind:?}, seed {seed}"))
}

fn check_ray<E: RayEngine<Ray64, Primitive = PlacedPrimitive>>(
    engine: &E,
    oracle: &PlacedOracle,
    case: &PlacementCase,
    ray: &Ray,
    rng: &mut Rng,
    report: &mut Report,
) {
    let touches = oracle.touches(ray);
    report.rays += 1;
    report.rays_that_hit += usize::from(!touches.is_empty());
    let is_tied = |pair: &[PlacedTouch]| pair[0].hit.t == pair[1].hit.t;
    let on_edge = |touch: &PlacedTouch| {
        let SceneHit { u, v, .. } = touch.hit;
        touch.hit.end.is_none() && (u == 0.0 || v == 0.0 || u + v == 1.0)
    };
    let has_ties = touches.windows(2).any(is_tied) || touches.iter().any(on_edge);
    report.rays_with_ties += usize::from(has_ties);
    let plain = Options::default();
    let cull = rng.pick(&[Cull::None, Cull::Front, Cull::Back]);
    let mask = rng.pick(&[u32::MAX, 1, 2, 4, 0]);
    let list = [
        plain,
        plain.cull(Cull::Front),
        plain.cull(Cull::Back),
        plain.skip(touches.first().map(|touch| touch.hit.id())),
        plain.mask(mask),
        plain.open_ends(true),
        plain
            .cull(cull)
            .after(some(&touches, rng))
            .skip(some(&touches, rng))
            .mask(mask),
    ];
    for options in list {
        check_options::<Ray, _>(engine, oracle, case, ray, &touches, options);
    }
    // One after the other.
    let about = of_placements(case, ray);
    let check = Check::about(&about);
    for pair in touches.windows(2).take(4) {
        let first = pair[0].hit.id();
        let seen = oracle.kept(&touches, &plain.after(Some(first)));
        let next = seen.expect("touched").first().map(|touch| touch.hit);
        check.same("next_hit", &engine.next_hit(ray, first), &Ok(next));
    }
}

/// Returns the name of one of the touches, if there are any.
fn some(touches: &[PlacedTouch], rng: &mut Rng) -> Option<ScenePrim> {
    match touches.len() {
        0 => None,
        len => Some(touches[rng.below(len)].hit.id()),
    }
}

/// Compares the answers to every question about a ray with what it touches.
fn check_options<K: RayKind + fmt::Debug, E: RayEngine<K, Primitive = PlacedPrimitive>>(
    engine: &E,
    oracle: &PlacedOracle,
    case: &PlacementCase,
    ray: &K,
    touches: &[PlacedTouch],
    options: Options,
) {
    let about = of_placements(case, ray);
    let kept = oracle.kept(touches, &options).expect("after a touch");
    let all: Vec<SceneHit> = kept.iter().map(|touch| touch.hit).collect();
    let crossed = kept.iter().filter(|touch| touch.crosses);
    let crossed: Vec<SceneHit> = crossed.map(|touch| touch.hit).collect();
    let mut distinct = kept.clone();
    distinct.dedup_by(|b, a| a.is_tied_with(b));
    let distinct: Vec<SceneHit> = distinct.iter().map(|touch| touch.hit).collect();
    ray::check_options(
        engine,
        ray,
        &options,
        &[Ok(all), Ok(crossed), Ok(distinct)],
        &Check::about(&about),
    );
}

/// Compares the answers about a ray in `f64`.
fn check_wide_ray<E: RayEngine<Ray64, Primitive = PlacedPrimitive>>(
    engine: &E,
    oracle: &PlacedOracle,
    case: &PlacementCase,
    ray: &Ray64,
    rng: &mut Rng,
) {
    let touches = oracle.touches_64(ray);
    let plain = Options::default();
    let after = plain
        .cull(rng.pick(&[Cull::None, Cull::Back]))
        .after(some(&touches, rng));
    for options in [plain, plain.open_ends(true), after] {
        check_options(engine, oracle, case, ray, &touches, options);
    }
}
