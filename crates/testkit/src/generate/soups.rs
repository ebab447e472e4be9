//! Unconnected triangles, at every scale of `f32`.

use super::Rng;
use super::shape::{map, size};
use estoc_core::Triangle;
use estoc_core::glam::Vec3;

/// Where Embree lost hits: the coordinates of a city in metres.
pub(super) const FAR: Vec3 = Vec3::new(148_376.0, 1234.0, -223_423.0);

fn from_points(rng: &mut Rng, mut point: impl FnMut(&mut Rng) -> Vec3) -> Vec<Triangle> {
    let count = size(rng);
    (0..count)
        .map(|_| Triangle::new(point(rng), point(rng), point(rng)))
        .collect()
}

pub(super) fn one(rng: &mut Rng) -> Vec<Triangle> {
    vec![Triangle::new(rng.point(), rng.point(), rng.point())]
}

pub(super) fn large(rng: &mut Rng) -> Vec<Triangle> {
    from_points(rng, Rng::point)
}

pub(super) fn small(rng: &mut Rng) -> Vec<Triangle> {
    let count = size(rng);
    (0..count)
        .map(|_| {
            let center = rng.point();
            let mut corner = || center + rng.point() * 0.125;
            Triangle::new(corner(), corner(), corner())
        })
        .collect()
}

pub(super) fn far(rng: &mut Rng) -> Vec<Triangle> {
    map(small(rng), |p| p * 8.0 + FAR)
}

/// Very far away, where coordinates are coarsely spaced.
pub(super) fn coarse(rng: &mut Rng) -> Vec<Triangle> {
    map(small(rng), |p| p + FAR)
}

pub(super) fn tiny_scale(rng: &mut Rng) -> Vec<Triangle> {
    map(small(rng), |p| p * 1e-30)
}

pub(super) fn great_scale(rng: &mut Rng) -> Vec<Triangle> {
    map(small(rng), |p| p * 1e30)
}

pub(super) fn max_scale(rng: &mut Rng) -> Vec<Triangle> {
    from_points(rng, |rng| {
        Vec3::from_array(rng.point().to_array().map(|x| match x {
            x if x > 0.8 => f32::MAX,
            x if x < -0.8 => f32::MIN,
            x => x * f32::MAX,
        }))
    })
}

pub(super) fn subnormal(rng: &mut Rng) -> Vec<Triangle> {
    let reach = rng.pick(&[3, 100, 1 << 20, 1 << 24]);
    from_points(rng, |rng| rng.grid_point(reach) * f32::from_bits(1))
}

/// Every coordinate has its own magnitude.
pub(super) fn mixed_coordinates(rng: &mut Rng) -> Vec<Triangle> {
    from_points(rng, |rng| {
        let [x, y, z] = rng.point().to_array();
        Vec3::new(x * magnitude(rng), y * magnitude(rng), z * magnitude(rng))
    })
}

/// Every triangle has its own magnitude.
pub(super) fn mixed_triangles(rng: &mut Rng) -> Vec<Triangle> {
    let triangles = large(rng);
    triangles
        .into_iter()
        .flat_map(|triangle| {
            let scale = magnitude(rng);
            map(vec![triangle], |p| p * scale)
        })
        .collect()
}

fn magnitude(rng: &mut Rng) -> f32 {
    10f64.powi(rng.int(-30, 30)) as f32
}

/// Coordinates a few ulps from powers of two, where the spacing of floats changes.
pub(super) fn around_powers_of_two(rng: &mut Rng) -> Vec<Triangle> {
    let exponents = rng.pick(&[(0, 0), (-1, 1), (-8, 8), (-126, 126)]);
    let coordinate = |rng: &mut Rng| {
        let power = f32::from_bits(((127 + rng.int(exponents.0, exponents.1)) as u32) << 23);
        let near = f32::from_bits((power.to_bits() as i32 + rng.int(-3, 3)) as u32);
        if rng.one_in(2) { near } else { -near }
    };
    from_points(rng, |rng| {
        Vec3::new(coordinate(rng), coordinate(rng), coordinate(rng))
    })
}

pub(super) fn any_bits(rng: &mut Rng) -> Vec<Triangle> {
    let mut triangles = from_points(rng, |rng| {
        Vec3::from_array([0; 3].map(|_| rng.finite_bits()))
    });
    // Nearly all of them need exact arithmetic on long numbers, hence the limit.
    triangles.truncate(150);
    triangles
}

/// One corner of the soup lies 1e30 away.
pub(super) fn outlier(rng: &mut Rng) -> Vec<Triangle> {
    let mut triangles = small(rng);
    let which = rng.below(triangles.len());
    triangles[which].p1 = rng.point() * 1e30;
    triangles
}

/// Integers from -3 to 3, with exact ties everywhere.
pub(super) fn on_a_grid(rng: &mut Rng) -> Vec<Triangle> {
    from_points(rng, |rng| rng.grid_point(3))
}

/// Corners of the unit cube: many equal triangles, many of no area, zeros of either sign.
pub(super) fn on_a_cube(rng: &mut Rng) -> Vec<Triangle> {
    from_points(rng, |rng| {
        Vec3::from_array([0; 3].map(|_| rng.pick(&[0.0, -0.0, 1.0])))
    })
}

/// A grid far from the origin, where few bits are left for the fraction.
pub(super) fn on_a_far_grid(rng: &mut Rng) -> Vec<Triangle> {
    map(on_a_grid(rng), |p| p + FAR)
}
