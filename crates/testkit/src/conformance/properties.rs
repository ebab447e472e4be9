//! Properties that must hold between an engine's own answers.

use super::bits::assert_same;
use crate::generate::Rng;
use estoc_core::glam::Vec3;
use estoc_core::{Hit, MeshEngine, Ray, RayQuery, Triangle};
use std::fmt;

/// Checks the properties for one ray. Returns the number of questions asked.
pub(super) fn check<Q: MeshEngine>(engine: &Q, ray: &Ray, case: &impl fmt::Display) -> usize {
    doubled_direction(engine, ray, case)
        + reversed(engine, ray, case)
        + split_interval(engine, ray, case)
        + inside_by_parity(engine, ray, case)
}

/// Doubling the direction halves `t` and changes nothing else.
fn doubled_direction<Q: MeshEngine>(engine: &Q, ray: &Ray, case: &impl fmt::Display) -> usize {
    let halves_exactly = |t: f32| (t * 0.5) * 2.0 == t;
    let doubled = Ray {
        dir: ray.dir * 2.0,
        t_min: ray.t_min * 0.5,
        t_max: ray.t_max * 0.5,
        ..*ray
    };
    if !doubled.dir.is_finite() || !halves_exactly(ray.t_min) || !halves_exactly(ray.t_max) {
        return 0;
    }
    // Rounding commutes with halving except among subnormals and above `f32::MAX`.
    let commutes = |t: f32| t == 0.0 || (t.abs() > 2.0 * f32::MIN_POSITIVE && t.is_finite());
    let hits = engine.all_hits(ray);
    let again = engine.all_hits(&doubled);
    let named = |hits: &[Hit]| -> Vec<usize> { hits.iter().map(|hit| hit.prim.index()).collect() };
    assert_same(&named(&again), &named(&hits), || {
        format!("all_hits with twice the direction, {case}")
    });
    for (hit, again) in hits.iter().zip(again).filter(|(hit, _)| commutes(hit.t)) {
        let halved = Hit {
            t: hit.t * 0.5,
            ..*hit
        };
        assert_same(&again, &halved, || {
            format!("a hit with twice the direction, {case}")
        });
    }
    1
}

/// Reversing the direction negates the parameters of the same hits.
fn reversed<Q: MeshEngine>(engine: &Q, ray: &Ray, case: &impl fmt::Display) -> usize {
    let reverse = Ray {
        dir: -ray.dir,
        t_min: -ray.t_max,
        t_max: -ray.t_min,
        ..*ray
    };
    let sorted = |mut hits: Vec<Hit>| {
        hits.sort_by_key(|hit| hit.prim);
        hits
    };
    let forward = sorted(engine.all_hits(ray));
    let mut backward = sorted(engine.all_hits(&reverse));
    for hit in &mut backward {
        hit.t = 0.0 - hit.t; // keeps zero positive
    }
    assert_same(&backward, &forward, || {
        format!("all_hits backwards, {case}")
    });
    1
}

/// Two intervals that share one end find the hits of the whole, with those at that end twice.
fn split_interval<Q: MeshEngine>(engine: &Q, ray: &Ray, case: &impl fmt::Display) -> usize {
    let Some(split) = engine.closest_hit(ray).map(|hit| hit.t) else {
        return 0;
    };
    let split = split.clamp(ray.t_min.max(f32::MIN), ray.t_max.min(f32::MAX));
    let count = |t_min: f32, t_max: f32| engine.count_hits(&ray.with_interval(t_min, t_max));
    let parts = count(ray.t_min, split) + count(split, ray.t_max);
    let whole = engine.count_hits(ray) + count(split, split);
    assert_same(&parts, &whole, || {
        format!("count_hits up to and from t = {split}, {case}")
    });
    3
}

/// From a point that is not on the surface, all rays cross a closed surface with the same parity:
/// no ray leaks.
fn inside_by_parity<Q: MeshEngine>(engine: &Q, ray: &Ray, case: &impl fmt::Display) -> usize {
    if !engine.is_closed() || ray.check().is_err() {
        return 0;
    }
    let line = ray.with_interval(f32::NEG_INFINITY, f32::INFINITY);
    let crossings = engine.count_crossings(&line);
    assert!(
        crossings.is_multiple_of(2),
        "{crossings} crossings of a closed surface on a whole line, {case}"
    );
    let is_on_surface = Vec3::AXES
        .iter()
        .any(|&axis| engine.any_hit(&Ray::new(ray.origin, axis).with_interval(0.0, 0.0)));
    if is_on_surface {
        return 2;
    }
    let half = ray.with_interval(0.0, f32::INFINITY);
    let is_odd = engine.count_crossings(&half) % 2 == 1;
    assert!(
        engine.contains(ray.origin) == Some(is_odd),
        "contains its origin does not go with the parity of crossings from there, {case}"
    );
    4
}

/// Permuting the triangles (`places[i]` is the old index of the new triangle `i`) and rotating
/// their corners leaves `t` of every triangle unchanged.
pub(super) fn check_permuted<Q: MeshEngine>(
    engine: &Q,
    permuted: &Q,
    places: &[usize],
    ray: &Ray,
    case: &impl fmt::Display,
) -> usize {
    let mut old = engine.all_hits(ray);
    let mut new: Vec<(usize, f32)> = permuted
        .all_hits(ray)
        .iter()
        .map(|hit| (places[hit.prim.index()], hit.t))
        .collect();
    old.sort_by_key(|hit| hit.prim);
    new.sort_by_key(|&(place, _)| place);
    let old: Vec<(usize, f32)> = old.iter().map(|hit| (hit.prim.index(), hit.t)).collect();
    assert!(
        old == new,
        "all_hits of the triangles in another order: {new:?} instead of {old:?}, {case}"
    );
    let t = |engine: &Q| engine.closest_hit(ray).map(|hit| hit.t);
    assert_same(&t(permuted), &t(engine), || {
        format!("closest_hit of the triangles in another order, {case}")
    });
    let crossings = |engine: &Q| engine.count_crossings(ray);
    assert_same(&crossings(permuted), &crossings(engine), || {
        format!("count_crossings of the triangles in another order, {case}")
    });
    3
}

/// Returns the triangles in random order with their corners rotated, and the place that each was at.
pub(super) fn permuted(triangles: &[Triangle], rng: &mut Rng) -> (Vec<usize>, Vec<Triangle>) {
    let mut places: Vec<usize> = (0..triangles.len()).collect();
    rng.shuffle(&mut places);
    let permuted = places
        .iter()
        .map(|&place| rotated(&triangles[place], place));
    let permuted = permuted.collect();
    (places, permuted)
}

/// Returns a point with its axes in another order.
pub(super) fn turned_point(point: Vec3) -> Vec3 {
    Vec3::new(point.z, point.x, point.y)
}

/// Returns a triangle with its axes in another order.
pub(super) fn turned_triangle(triangle: &Triangle) -> Triangle {
    let [a, b, c] = triangle.corners().map(turned_point);
    Triangle::new(a, b, c)
}

/// Returns the triangle with its corners rotated.
pub(super) fn rotated(triangle: &Triangle, by: usize) -> Triangle {
    let mut corners = triangle.corners();
    corners.rotate_left(by % 3);
    let [a, b, c] = corners;
    Triangle::new(a, b, c)
}
