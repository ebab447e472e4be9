//! Moving spheres.

use super::near_points::{near_point, unit_normal};
use super::target::{Target, nudged, rounded};
use super::{Rng, Scene};
use crate::Sweep;
use estoc_core::glam::Vec3;

/// Generates moving spheres: towards vertices, edges and faces, along edges, faces and axes, grazing
/// vertices and edges, touching at the start or nearly, touching several triangles at once, at rest,
/// of radius 0, of any bits, and a few that are undefined.
pub fn sweeps(scene: &Scene, rng: &mut Rng, n: usize) -> Vec<Sweep> {
    let target = Target::new(&scene.triangles);
    (0..n).map(|_| sweep(&target, rng)).collect()
}

fn sweep(target: &Target, rng: &mut Rng) -> Sweep {
    let mut sweep = match rng.below(8) {
        0 | 1 => grazing(target, rng),
        2 => at_distance(target, rng),
        _ => {
            let center = near_point(target, rng);
            Sweep {
                center,
                velocity: velocity(target, center, rng),
                radius: radius(target, rng),
                t_max: f32::INFINITY,
            }
        }
    };
    if rng.one_in(16) {
        sweep.center = nudged(sweep.center, rng);
    }
    sweep.t_max = match rng.below(12) {
        0 => 1.0,
        1 => rng.pick(&[0.0, -0.0, f32::MAX, 0.5, 1e-30]),
        2 if rng.one_in(4) => rng.pick(&[-1.0, f32::NAN, f32::NEG_INFINITY]),
        _ => f32::INFINITY,
    };
    sweep
}

fn velocity(target: &Target, center: Vec3, rng: &mut Rng) -> Vec3 {
    let [a, b, c] = target.corners(rng);
    let between = |from: Vec3, to: Vec3| to.as_dvec3() - from.as_dvec3();
    match rng.below(12) {
        0 => Vec3::ZERO,
        1 => between(a, b).as_vec3(),
        2 => {
            let (k, l) = (f64::from(rng.signed()), f64::from(rng.signed()));
            (between(a, b) * k + between(a, c) * l).as_vec3()
        }
        3 => {
            let mut axis = Vec3::ZERO;
            axis[rng.below(3)] = rng.pick(&[1.0, -1.0]) * target.step(rng) as f32;
            axis
        }
        4 => rng.grid_direction(3) * target.step(rng) as f32,
        5 => rng.point() * target.size as f32,
        6 => {
            let mut velocity = rng.point();
            velocity[rng.below(3)] = rng.pick(&[
                0.0,
                1e-30,
                -1e30,
                f32::MAX,
                f32::from_bits(1),
                f32::NAN,
                f32::INFINITY,
            ]);
            velocity
        }
        7 => Vec3::new(rng.finite_bits(), rng.finite_bits(), rng.finite_bits()),
        _ => {
            let to = target.point(rng);
            let share = rng.pick(&[1.0, 1.0, 0.25, 3.0, 1e-3, -1.0]);
            (between(center, to) * share).as_vec3()
        }
    }
}

fn radius(target: &Target, rng: &mut Rng) -> f32 {
    match rng.below(16) {
        0 | 1 => 0.0,
        2 => rng.pick(&[
            -0.0,
            f32::from_bits(1),
            1e-30,
            1e30,
            f32::MAX,
            f32::INFINITY,
            -1.0,
            f32::NAN,
        ]),
        3..=6 => target.step(rng) as f32,
        7 => (target.size * 2.0) as f32,
        _ => {
            let share = 10f64.powi(-rng.int(0, 4)) * f64::from(rng.signed()).abs();
            (target.size * share) as f32
        }
    }
}

/// Returns a sphere whose surface touches a vertex, an edge or a face while it moves at a right
/// angle to the direction of the touch, as far as rounding allows.
fn grazing(target: &Target, rng: &mut Rng) -> Sweep {
    let [a, b, c] = target.corners(rng);
    let touched = match rng.below(3) {
        0 => target.point(rng),
        _ => a,
    };
    let step = target.step(rng);
    let mut radius = step * f64::from(rng.int(1, 5) as f32);
    let (towards, along): ([f64; 3], [f64; 3]) = if rng.one_in(3) {
        // In exact numbers: a Pythagorean direction and one at a right angle to it.
        radius = step * 5.0;
        let (x, y) = (rng.below(3), rng.below(2) + 1);
        let (mut towards, mut along) = ([0.0; 3], [0.0; 3]);
        (towards[x], towards[(x + y) % 3]) = (0.6, 0.8);
        (along[x], along[(x + y) % 3]) = (-4.0, 3.0);
        along[(x + 3 - y) % 3] = f64::from(rng.int(-1, 1));
        (towards, along)
    } else if rng.one_in(2) {
        let x = rng.below(3);
        let (mut towards, mut along) = ([0.0; 3], [0.0; 3]);
        towards[x] = rng.pick(&[1.0, -1.0]);
        along[(x + 1) % 3] = f64::from(rng.int(-2, 2));
        along[(x + 2) % 3] = f64::from(rng.int(-2, 2));
        (towards, along)
    } else {
        let along = b.as_dvec3() - a.as_dvec3();
        (unit_normal(a, b, c).to_array(), along.to_array())
    };
    let back = f64::from(rng.int(-1, 3));
    let size = rng.pick(&[1.0, step, 4.0 * step]);
    let at = |i: usize| f64::from(touched[i]) + towards[i] * radius - along[i] * back * step;
    Sweep {
        center: rounded(at),
        velocity: rounded(|i| along[i] * size),
        radius: radius as f32,
        t_max: f32::INFINITY,
    }
}

/// Returns a sphere about as large as its distance from something at the start.
fn at_distance(target: &Target, rng: &mut Rng) -> Sweep {
    let center = near_point(target, rng);
    let point = target.point(rng);
    let radius = point.as_dvec3().distance(center.as_dvec3()) as f32;
    Sweep {
        center,
        velocity: velocity(target, center, rng),
        radius: rng.pick(&[radius, radius.next_up(), radius.next_down().max(0.0)]),
        t_max: f32::INFINITY,
    }
}
