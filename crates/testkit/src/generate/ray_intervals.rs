//! Intervals of rays, and undefined rays.

use super::Rng;
use estoc_core::Ray;
use estoc_core::glam::Vec3;

pub(super) const UNDEFINED: &str = "undefined";
pub(super) const CUT: &str = "cut at a hit";

/// Returns the ray with an interval that engines often get wrong.
pub(super) fn with_interval(ray: Ray, rng: &mut Rng) -> Ray {
    const INF: f32 = f32::INFINITY;
    let any = rng.signed() * 4.0;
    let (t_min, t_max) = match rng.below(24) {
        0..=9 => (0.0, INF),
        10..=12 => (-INF, INF),
        13 => (-INF, 0.0),
        14 => (-0.0, 1.0),
        15 => (1.0, INF),
        16 => (any, INF),
        17 => (any, any),
        18 => (-4.0, any.abs()),
        19 => (0.0, -0.0),
        20 => (-0.0, f32::MAX),
        21 => rng.pick(&[(INF, INF), (-INF, -INF), (f32::MAX, INF), (-INF, f32::MIN)]),
        22 => (-f32::MIN_POSITIVE, f32::from_bits(1)),
        _ => (-INF, f32::MAX),
    };
    ray.with_interval(t_min, t_max)
}

/// Returns rays on the same line whose interval begins or ends at, or one ulp beside, one of these
/// parameters (the rounded parameters of hits).
pub fn cut_at(ray: &Ray, parameters: &[f32], rng: &mut Rng) -> Vec<Ray> {
    if parameters.is_empty() {
        return Vec::new();
    }
    let t = rng.pick(parameters);
    let (below, above) = (t.next_down(), t.next_up());
    let other = rng.pick(parameters);
    let intervals = [
        (t, t),
        (f32::NEG_INFINITY, t),
        (f32::NEG_INFINITY, below),
        (t, f32::INFINITY),
        (above, f32::INFINITY),
        (below, t),
        (t, above),
        (below, above),
        (t.min(other), t.max(other)),
    ];
    let (t_min, t_max) = rng.pick(&intervals);
    let (next_min, next_max) = rng.pick(&intervals);
    vec![
        ray.with_interval(t_min, t_max),
        ray.with_interval(next_min, next_max),
    ]
}

/// Returns the ray with a change that makes it undefined, so that it hits nothing.
pub(super) fn undefined(mut ray: Ray, rng: &mut Rng) -> Ray {
    const INF: f32 = f32::INFINITY;
    let axis = rng.below(3);
    let bad = rng.pick(&[f32::NAN, INF, -INF]);
    match rng.below(5) {
        0 => ray.origin[axis] = bad,
        1 => ray.dir[axis] = bad,
        2 => ray.dir = Vec3::new(rng.zero(), rng.zero(), rng.zero()),
        3 => {
            ray = ray.with_interval(f32::NAN, INF);
            if rng.one_in(2) {
                ray = ray.with_interval(0.0, f32::NAN);
            }
        }
        _ => {
            let empty = [
                (1.0, 0.0),
                (INF, -INF),
                (0.0, -f32::from_bits(1)),
                (1.0, -INF),
            ];
            let (t_min, t_max) = rng.pick(&empty);
            ray = ray.with_interval(t_min, t_max);
        }
    }
    ray
}
