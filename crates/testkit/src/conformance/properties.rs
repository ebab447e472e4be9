//! Properties that must hold between an engine's own answers.

use super::answer::Check;
use estoc_core::glam::Vec3;
use estoc_core::{Hit, MeshEngine, Ray, RayQuery, Triangle};

/// Checks the properties for one ray.
pub(super) fn check<Q: MeshEngine>(engine: &Q, ray: &Ray, check: &Check<'_>) {
    doubled_direction(engine, ray, check);
    reversed(engine, ray, check);
    split_interval(engine, ray, check);
    inside_by_parity(engine, ray, check);
}

/// Doubling the direction halves `t` and changes nothing else.
fn doubled_direction<Q: MeshEngine>(engine: &Q, ray: &Ray, check: &Check<'_>) {
    let halves_exactly = |t: f32| (t * 0.5) * 2.0 == t;
    let doubled = Ray {
        dir: ray.dir * 2.0,
        t_min: ray.t_min * 0.5,
        t_max: ray.t_max * 0.5,
        ..*ray
    };
    if !doubled.dir.is_finite() || !halves_exactly(ray.t_min) || !halves_exactly(ray.t_max) {
        return;
    }
    // Rounding commutes with halving except among subnormals and above `f32::MAX`.
    let commutes = |t: f32| t == 0.0 || (t.abs() > 2.0 * f32::MIN_POSITIVE && t.is_finite());
    let hits = engine.all_hits(ray);
    let again = engine.all_hits(&doubled);
    let named = |hits: &[Hit]| -> Vec<usize> { hits.iter().map(|hit| hit.prim.index()).collect() };
    check.same(
        "all_hits with twice the direction",
        &named(&again),
        &named(&hits),
    );
    for (hit, again) in hits.iter().zip(again).filter(|(hit, _)| commutes(hit.t)) {
        let halved = Hit {
            t: hit.t * 0.5,
            ..*hit
        };
        check.same("a hit with twice the direction", &again, &halved);
    }
}

/// Reversing the direction negates the parameters of the same hits.
fn reversed<Q: MeshEngine>(engine: &Q, ray: &Ray, check: &Check<'_>) {
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
    check.same("all_hits backwards", &backward, &forward);
}

/// Two intervals that share one end find the hits of the whole, with those at that end twice.
fn split_interval<Q: MeshEngine>(engine: &Q, ray: &Ray, check: &Check<'_>) {
    let Some(split) = engine.closest_hit(ray).map(|hit| hit.t) else {
        return;
    };
    let split = split.clamp(ray.t_min.max(f32::MIN), ray.t_max.min(f32::MAX));
    let count = |t_min: f32, t_max: f32| engine.count_hits(&ray.with_interval(t_min, t_max));
    let parts = count(ray.t_min, split) + count(split, ray.t_max);
    let whole = engine.count_hits(ray) + count(split, split);
    check.same(
        format_args!("count_hits up to and from t = {split}"),
        &parts,
        &whole,
    );
}

/// From a point that is not on the surface, all rays cross a closed surface with the same parity:
/// no ray leaks.
fn inside_by_parity<Q: MeshEngine>(engine: &Q, ray: &Ray, check: &Check<'_>) {
    if !engine.is_closed() || ray.check().is_err() {
        return;
    }
    let line = ray.with_interval(f32::NEG_INFINITY, f32::INFINITY);
    let crossings = engine.count_crossings(&line);
    let wrong = format_args!("{crossings} crossings of a closed surface on a whole line");
    check.holds(crossings.is_multiple_of(2), wrong);
    let is_on_surface = Vec3::AXES
        .iter()
        .any(|&axis| engine.any_hit(&Ray::new(ray.origin, axis).with_interval(0.0, 0.0)));
    if is_on_surface {
        return;
    }
    let half = ray.with_interval(0.0, f32::INFINITY);
    let is_odd = engine.count_crossings(&half) % 2 == 1;
    let question = "contains its origin, beside the parity of crossings from there";
    check.same(question, &engine.contains(ray.origin), &Some(is_odd));
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
