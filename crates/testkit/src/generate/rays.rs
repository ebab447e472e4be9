//! Rays that are hard cases for a mesh.

use super::ray_intervals::{UNDEFINED, undefined, with_interval};
use super::target::{Target, lerp, nudged, rounded};
use super::{Rng, Scene};
use estoc_core::Ray;
use estoc_core::glam::Vec3;

type Aim = fn(&Target, &mut Rng) -> Ray;

/// The kinds of rays with their generators. Rays through a point or in a plane are exact if the
/// coordinates have enough spare bits, and otherwise as near as rounding allows; the oracle decides
/// what they hit.
const AIMS: &[(&str, Aim)] = &[
    ("random", random),
    ("at a point", at_a_point),
    ("at a point", at_a_point),
    ("through a point in short steps", in_steps),
    ("through a point in short steps", in_steps),
    ("along an axis through a point", along_axis),
    ("along an axis through a point", along_axis),
    ("in an axis plane through a point", in_axis_plane),
    ("along an axis through mixed coordinates", mixed_coordinates),
    ("along an edge", along_edge),
    ("in a plane", in_plane),
    ("one step beside a plane", beside_plane),
    (
        "through a corner, parallel to the opposite edge",
        past_corner,
    ),
    ("grazing", grazing),
    ("from the surface", from_surface),
    ("from the surface", from_surface),
    ("from corner to corner", between_corners),
    ("from the middle", from_middle),
    ("from far away", from_far),
    ("from far away", from_far),
    ("from the end of the range", from_the_end),
    ("any bits", any_bits),
];

/// Generates rays at the scene, of all kinds and intervals.
pub fn rays(scene: &Scene, rng: &mut Rng, n: usize) -> Vec<Ray> {
    let target = Target::new(&scene.triangles);
    (0..n).map(|_| next_ray(&target, rng).1).collect()
}

/// Returns a ray with the name of its kind.
pub(super) fn next_ray(target: &Target, rng: &mut Rng) -> (&'static str, Ray) {
    let (kind, aim) = rng.pick(AIMS);
    let ray = aim(target, rng);
    if rng.one_in(50) {
        return (UNDEFINED, undefined(ray, rng));
    }
    let ray = if rng.one_in(4) {
        rescaled(ray, rng)
    } else {
        ray
    };
    (kind, with_interval(ray, rng))
}

fn random(target: &Target, rng: &mut Rng) -> Ray {
    Ray::new(target.around(rng, 1.5), rng.point())
}

fn toward(origin: Vec3, point: Vec3) -> Ray {
    Ray::new(origin, moved(point, origin, 1.0))
}

/// Returns `point - dir * back`, rounded once.
fn moved(point: Vec3, dir: Vec3, back: f64) -> Vec3 {
    (point.as_dvec3() - dir.as_dvec3() * back).as_vec3()
}

fn at_a_point(target: &Target, rng: &mut Rng) -> Ray {
    toward(target.around(rng, 2.0), target.point(rng))
}

fn in_steps(target: &Target, rng: &mut Rng) -> Ray {
    let (point, dir, step) = (target.point(rng), rng.grid_direction(3), target.step(rng));
    let back = f64::from(rng.int(-2, 8));
    Ray::new(
        moved(point, dir, step * back),
        (dir.as_dvec3() * step).as_vec3(),
    )
}

fn unit_along(axis: usize, rng: &mut Rng) -> Vec3 {
    let mut dir = Vec3::new(rng.zero(), rng.zero(), rng.zero());
    dir[axis] = rng.pick(&[1.0, -1.0, 0.5, 3.0]);
    dir
}

fn along_axis(target: &Target, rng: &mut Rng) -> Ray {
    let axis = rng.below(3);
    let mut origin = target.point(rng);
    if !rng.one_in(4) {
        origin[axis] = target.around(rng, 1.5)[axis];
    }
    Ray::new(origin, unit_along(axis, rng))
}

fn in_axis_plane(target: &Target, rng: &mut Rng) -> Ray {
    let mut ray = in_steps(target, rng);
    let axis = rng.below(3);
    ray.origin[axis] = target.vertex(rng)[axis];
    ray.dir[axis] = rng.zero();
    ray
}

fn mixed_coordinates(target: &Target, rng: &mut Rng) -> Ray {
    let origin = Vec3::new(
        target.vertex(rng).x,
        target.vertex(rng).y,
        target.vertex(rng).z,
    );
    let axis = rng.below(3);
    Ray::new(origin, unit_along(axis, rng))
}

fn along_edge(target: &Target, rng: &mut Rng) -> Ray {
    let [a, b, _] = target.corners(rng);
    let origin = lerp(a, b, f64::from(rng.int(-6, 4)) / 2.0);
    Ray::new(origin, moved(b, a, 1.0))
}

fn in_plane(target: &Target, rng: &mut Rng) -> Ray {
    let [a, b, c] = target.corners(rng);
    let mut mix = |whole: f64| {
        let [k, l] = [0; 2].map(|_| f64::from(rng.int(-4, 4)) / 2.0);
        rounded(|i| {
            let [a, b, c] = [a, b, c].map(|p| f64::from(p[i]));
            a * whole + (b - a) * k + (c - a) * l
        })
    };
    Ray::new(mix(1.0), mix(0.0))
}

fn beside_plane(target: &Target, rng: &mut Rng) -> Ray {
    let ray = if rng.one_in(2) {
        in_plane(target, rng)
    } else {
        along_edge(target, rng)
    };
    if rng.one_in(2) {
        Ray::new(nudged(ray.origin, rng), ray.dir)
    } else {
        Ray::new(ray.origin, nudged(ray.dir, rng))
    }
}

fn past_corner(target: &Target, rng: &mut Rng) -> Ray {
    let [a, b, c] = target.corners(rng);
    let back = f64::from(rng.int(-1, 4)) / 2.0;
    let dir = moved(c, b, 1.0);
    Ray::new(moved(a, dir, back), dir)
}

fn grazing(target: &Target, rng: &mut Rng) -> Ray {
    let [a, b, c] = target.corners(rng);
    let tilt = rng.point() * rng.pick(&[1e-2, 1e-5, 1e-7, 1e-9]);
    let dir = rounded(|i| {
        let [a, b, c] = [a, b, c].map(|p| f64::from(p[i]));
        (b - a) * 0.75 + (c - a) * 0.25 + f64::from(tilt[i]) * target.size
    });
    Ray::new(moved(target.point(rng), dir, 1.0), dir)
}

fn from_surface(target: &Target, rng: &mut Rng) -> Ray {
    let origin = target.point(rng);
    from_point(origin, target, rng)
}

fn from_point(origin: Vec3, target: &Target, rng: &mut Rng) -> Ray {
    match rng.below(3) {
        0 => Ray::new(origin, rng.point()),
        1 => Ray::new(origin, rng.grid_direction(2)),
        _ => toward(origin, target.point(rng)),
    }
}

fn between_corners(target: &Target, rng: &mut Rng) -> Ray {
    toward(target.vertex(rng), target.vertex(rng))
}

fn from_middle(target: &Target, rng: &mut Rng) -> Ray {
    from_point(rounded(|i| target.center[i]), target, rng)
}

/// From a distance of a hundred to a million sizes.
fn from_far(target: &Target, rng: &mut Rng) -> Ray {
    let reach = 10f64.powi(rng.int(2, 6));
    let point = target.point(rng);
    if rng.one_in(2) {
        return toward(target.around(rng, reach), point);
    }
    let dir = rng.grid_direction(2);
    let step = target.step(rng);
    let steps = (reach * target.size / step).floor();
    Ray::new(moved(point, dir, step * steps), dir)
}

fn from_the_end(target: &Target, rng: &mut Rng) -> Ray {
    let direction = rng.grid_direction(1);
    let scale = rng.pick(&[f32::MAX, 1e38, 1e30, 2f32.powi(127)]);
    let dir = rng.pick(&[1.0, f32::MAX, 1e30, 2f32.powi(127)]);
    let point = target.point(rng);
    let origin = rounded(|i| f64::from(point[i]) - f64::from(direction[i] * scale));
    if origin.is_finite() {
        Ray::new(origin, direction * dir)
    } else {
        Ray::new(-direction * scale, direction * dir)
    }
}

fn any_bits(target: &Target, rng: &mut Rng) -> Ray {
    let bits = |rng: &mut Rng| Vec3::from_array([0; 3].map(|_| rng.finite_bits()));
    if rng.one_in(2) {
        Ray::new(target.point(rng), bits(rng))
    } else {
        Ray::new(bits(rng), bits(rng))
    }
}

/// Returns the same line with a direction of another length, possibly subnormal.
fn rescaled(ray: Ray, rng: &mut Rng) -> Ray {
    let scale = match rng.below(3) {
        0 => 2f64.powi(rng.int(-100, 100)),
        1 => 10f64.powi(rng.int(-30, 30)),
        _ => {
            let longest = ray.dir.abs().max_element();
            f64::from(f32::from_bits(1)) * f64::from(1 << rng.int(0, 24)) / f64::from(longest)
        }
    };
    let dir = rounded(|i| f64::from(ray.dir[i]) * scale);
    if dir.is_finite() && dir != Vec3::ZERO {
        Ray { dir, ..ray }
    } else {
        ray
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{scene, scenes};
    use crate::oracle::Oracle;

    #[test]
    fn every_kind_is_made() {
        let scene = scene("sphere", 1).unwrap();
        let target = Target::new(&scene.triangles);
        let mut rng = Rng::new(1);
        let made: Vec<&str> = (0..2000).map(|_| next_ray(&target, &mut rng).0).collect();
        for kind in AIMS.iter().map(|(kind, _)| *kind).chain([UNDEFINED]) {
            assert!(made.contains(&kind), "{kind}");
        }
    }

    #[test]
    fn most_rays_are_defined_and_undefined_ones_are_not() {
        let mut undefined_rays = 0;
        for scene in scenes(7) {
            let target = Target::new(&scene.triangles);
            let mut rng = Rng::new(3);
            for _ in 0..200 {
                let (kind, ray) = next_ray(&target, &mut rng);
                undefined_rays += usize::from(ray.check().is_err());
                assert!(kind != UNDEFINED || ray.check().is_err(), "{ray:?}");
            }
        }
        assert!((100..2000).contains(&undefined_rays), "{undefined_rays}");
    }

    /// Generated rays are useless if they never hit, or never touch edges and corners.
    #[test]
    fn rays_hit_and_touch_edges_and_corners() {
        let (mut hit, mut special, mut at_end) = (0, 0, 0);
        let mut rng = Rng::new(5);
        for scene in scenes(2) {
            let oracle = Oracle::new(scene.triangles.clone());
            for ray in rays(&scene, &mut rng, 60) {
                let hits = oracle.all_hits(&ray);
                hit += usize::from(!hits.is_empty());
                special += usize::from(hits.iter().any(|h| h.u == 0.0 || h.v == 0.0));
                at_end += usize::from(hits.iter().any(|h| h.t == ray.t_min || h.t == ray.t_max));
            }
        }
        assert!(
            hit > 800 && special > 400 && at_end > 100,
            "{hit} {special} {at_end}"
        );
    }
}
