//! Triangles and rays that graze them, of all sizes and shapes at which bounds may fail.

use estoc_bvh::internals::wide::WIDTH;
use estoc_core::glam::Vec3;
use estoc_core::{Ray, Triangle};
use estoc_testkit::generate::Rng;

const INF: f32 = f32::INFINITY;

/// Returns a power of two, down to the least `f32`.
fn power(exponent: i32) -> f32 {
    2f64.powi(exponent) as f32
}

fn finite(x: f64) -> f32 {
    (x as f32).clamp(f32::MIN, f32::MAX)
}

/// Moves a number a few `f32`s up or down.
pub(super) fn nudged(x: f32, by: i32) -> f32 {
    (0..by.abs()).fold(x, |x, _| if by > 0 { x.next_up() } else { x.next_down() })
}

/// Returns an exponent, mostly one of usual scenes.
fn size(rng: &mut Rng) -> i32 {
    match rng.below(8) {
        0..=3 => 0,
        4 => rng.int(-20, 20),
        5 => rng.pick(&[-9, -8, 7, 8, 9, 40, -40, 62, -62]),
        6 => rng.int(-110, 110),
        _ => rng.int(-149, 127),
    }
}

fn corner(rng: &mut Rng) -> Vec3 {
    match rng.below(6) {
        0 => rng.grid_point(3),
        1 => Vec3::from_array([0; 3].map(|_: i32| rng.signed() * power(rng.int(-40, 40)))),
        2 => Vec3::from_array([0; 3].map(|_: i32| rng.pick(&[0.0, -0.0, 1.0, 1e-45, -1e-38]))),
        _ => rng.point(),
    }
}

fn direction(rng: &mut Rng) -> Vec3 {
    let mut dir = match rng.below(3) {
        0 => rng.grid_direction(2),
        _ => rng.point(),
    };
    if rng.one_in(3) {
        let small = match rng.below(4) {
            0 => rng.zero(),
            1 => rng.pick(&[1e-45, -1e-45, 1e-38, -1e-20]),
            2 => rng.signed() * power(rng.int(-98, -94)),
            _ => rng.signed() * power(rng.int(-30, -1)),
        };
        dir[rng.below(3)] = small;
        if rng.one_in(3) {
            dir[rng.below(3)] = rng.zero();
        }
    }
    if dir == Vec3::ZERO { Vec3::X } else { dir }
}

fn triangle(rng: &mut Rng) -> [Vec3; 3] {
    let mut corners = [0; 3].map(|_: i32| corner(rng));
    match rng.below(7) {
        // A sliver.
        0 => {
            corners[2] = corners[0].lerp(corners[1], rng.signed());
            let axis = rng.below(3);
            corners[2][axis] = nudged(corners[2][axis], rng.int(-2, 2));
        }
        // Small and far.
        1 => {
            let at = rng.point();
            let small = power(rng.int(-24, -3));
            corners = corners.map(|p| at + small * p);
        }
        // In a plane across an axis.
        2 => {
            let axis = rng.below(3);
            let at = rng.pick(&[0.0, 0.5, corners[0][axis]]);
            corners.iter_mut().for_each(|p| p[axis] = at);
        }
        // One corner far out.
        3 => corners[rng.below(3)] *= power(rng.int(1, 100)),
        _ => {}
    }
    corners
}

/// Returns a ray, and triangles most of which it grazes.
pub(super) fn case(rng: &mut Rng) -> ([Triangle; WIDTH], Ray) {
    let mut corners = [0; WIDTH].map(|_: i32| triangle(rng));
    let target = corners[rng.below(WIDTH)];
    let at = match rng.below(6) {
        0 | 1 => target[rng.below(3)],
        2 => target[0].lerp(target[1], rng.signed().abs()),
        3 => (target[0] + target[1]) / 2.0,
        _ => {
            let inside = target[1].lerp(target[2], rng.signed().abs());
            target[0].lerp(inside, rng.pick(&[1.0, 0.5, 1e-7]) * rng.signed().abs())
        }
    };
    let (origin, mut dir) = match rng.below(6) {
        // Starts on the target itself.
        0 => (at, direction(rng)),
        // Towards the target.
        1 | 2 => {
            let origin = corner(rng);
            let dir = at - origin;
            match dir == Vec3::ZERO {
                true => (origin, Vec3::X),
                false => (origin, dir),
            }
        }
        // Exactly through the target, as far as the bits allow.
        _ => {
            let dir = direction(rng);
            let way = match rng.below(3) {
                0 => rng.int(-3, 9) as f32,
                1 => power(rng.int(-3, 8)),
                _ => rng.pick(&[1e2, 1e3, 1e5, 1e6, 1e8]) * rng.signed(),
            };
            (at - way * dir, dir)
        }
    };
    // Puts more corners within a rounding error of the ray.
    for t in &mut corners {
        if rng.one_in(2) {
            let way = f64::from(rng.signed()) * rng.pick(&[1.0, 4.0, 100.0]);
            let on_it = (origin.as_dvec3() + way * dir.as_dvec3()).as_vec3();
            t[rng.below(3)] = on_it;
            if rng.one_in(2) {
                // Puts the other corners around it.
                let place = rng.below(3);
                t[place] = 2.0 * on_it - t[(place + 1) % 3];
            }
        }
    }
    let exponent = size(rng);
    let by = |k: i32, p: Vec3| p.as_dvec3() * 2f64.powi(k);
    let scaled = |k: i32, p: Vec3| Vec3::from_array(by(k, p).to_array().map(finite));
    let mut triangles = corners.map(|t| {
        let [a, b, c] = t.map(|p| scaled(exponent, p));
        Triangle::new(a, b, c)
    });
    if rng.one_in(8) {
        let far = rng.pick(&[1e4, 1e12, 1e30, f32::MAX]);
        triangles[0].p1[rng.below(3)] = far;
    }
    dir = scaled(size(rng), dir);
    if dir == Vec3::ZERO {
        dir = Vec3::Z;
    }
    let origin = scaled(exponent, origin);
    let mut ray = Ray::new(origin, dir);
    ray.t_min = -INF;
    (triangles, ray)
}

/// Gives the ray other ends, many of them at one of these parameters.
pub(super) fn cut(rng: &mut Rng, ray: Ray, at: &[f32]) -> Ray {
    let mut end = |usual: f32, other: f32| match rng.below(6) {
        0 | 1 => usual,
        2 => other,
        3 => rng.signed() * power(rng.int(-149, 30)),
        _ if at.is_empty() => usual,
        _ => {
            let t = rng.pick(at);
            nudged(t, rng.pick(&[0, 0, 0, 1, -1]))
        }
    };
    let (mut t_min, mut t_max) = (end(0.0, -INF), end(INF, INF));
    if t_min > t_max {
        (t_min, t_max) = (t_max, t_min);
    }
    Ray {
        t_min,
        t_max,
        ..ray
    }
}
