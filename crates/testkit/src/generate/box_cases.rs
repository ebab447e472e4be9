//! Boxes, and rays at them.

use super::Rng;
use super::soups::FAR;
use super::target::rounded;
use estoc_core::glam::Vec3;
use estoc_core::{Aabb, Ray};

type Maker = fn(&mut Rng) -> [Vec3; 2];

const MAKERS: &[(&str, Maker)] = &[
    ("plain", |rng| [rng.point(), rng.point()]),
    ("grid", |rng| [rng.grid_point(3), rng.grid_point(3)]),
    ("flat", |rng| {
        let ends = [rng.point(), rng.point()];
        flattened(ends, 1, rng)
    }),
    ("flat on a grid", |rng| {
        let ends = [rng.grid_point(3), rng.grid_point(3)];
        flattened(ends, 1, rng)
    }),
    ("line", |rng| {
        let ends = [rng.grid_point(3), rng.grid_point(3)];
        flattened(ends, 2, rng)
    }),
    ("point", |rng| [rng.grid_point(3); 2]),
    ("far", |rng| [rng.point() + FAR, rng.point() + FAR]),
    ("one step thick", |rng| {
        let a = rng.point() + rng.pick(&[Vec3::ZERO, FAR]);
        [a, Vec3::from_array(a.to_array().map(f32::next_up))]
    }),
    ("great", |rng| [rng.point() * 1e30, rng.point() * 1e30]),
    ("the whole range", |rng| {
        let end = |rng: &mut Rng| {
            Vec3::from_array([0; 3].map(|_| rng.pick(&[f32::MIN, f32::MAX, 0.0, 1.0])))
        };
        [end(rng), end(rng)]
    }),
    ("tiny", |rng| [rng.point() * 1e-30, rng.point() * 1e-30]),
    ("subnormal", |rng| {
        [0; 2].map(|_| rng.grid_point(100) * f32::from_bits(1))
    }),
    ("any bits", |rng| {
        [0; 2].map(|_| Vec3::from_array([0; 3].map(|_| rng.finite_bits())))
    }),
];

/// Returns the names of the kinds of boxes.
pub fn box_kinds() -> impl Iterator<Item = &'static str> {
    MAKERS.iter().map(|&(kind, _)| kind)
}

/// Returns two corners that are equal along this number of axes.
fn flattened([a, mut b]: [Vec3; 2], axes: usize, rng: &mut Rng) -> [Vec3; 2] {
    let first = rng.below(3);
    for axis in (first..first + axes).map(|axis| axis % 3) {
        b[axis] = a[axis];
    }
    [a, b]
}

/// Generates boxes of one kind; returns none if there is no such kind.
pub fn boxes(kind: &str, rng: &mut Rng, n: usize) -> Vec<Aabb> {
    let makers = MAKERS.iter().filter(|(name, _)| *name == kind);
    makers
        .flat_map(|(_, make)| (0..n).map(|_| make(rng)).collect::<Vec<_>>())
        .map(|[a, b]| Aabb::try_new(a.min(b), a.max(b)).expect("finite and in order"))
        .collect()
}

/// Generates rays through, in, along and beside the faces, edges and corners of a box that is not
/// empty.
pub fn rays_at_box(bounds: &Aabb, rng: &mut Rng, n: usize) -> Vec<Ray> {
    (0..n).map(|_| ray_at(bounds, rng)).collect()
}

/// Returns a point of the box's grid of corners, midpoints and points up to one size outside.
fn place(bounds: &Aabb, rng: &mut Rng) -> Vec3 {
    let (min, max) = (bounds.min(), bounds.max());
    let weights = [0; 3].map(|_| match rng.below(8) {
        0 | 1 => 0.0,
        2 | 3 => 1.0,
        4 => 0.5,
        5 => f64::from(rng.int(-2, 3)),
        _ => f64::from(rng.signed()) * 2.0,
    });
    let point = rounded(|i| {
        let (lo, hi) = (f64::from(min[i]), f64::from(max[i]));
        lo * (1.0 - weights[i]) + hi * weights[i]
    });
    point.clamp(Vec3::MIN, Vec3::MAX)
}

fn ray_at(bounds: &Aabb, rng: &mut Rng) -> Ray {
    let origin = place(bounds, rng);
    let towards = place(bounds, rng);
    let mut dir = match rng.below(5) {
        0 => rng.grid_direction(1),
        1 => rng.point(),
        2 => Vec3::from_array([0; 3].map(|_| rng.finite_bits())),
        _ => (towards.as_dvec3() - origin.as_dvec3()).as_vec3(),
    };
    for axis in 0..3 {
        if rng.one_in(4) {
            dir[axis] = rng.pick(&[0.0, -0.0]);
        }
    }
    let scale = rng.pick(&[1.0, 1.0, 1.0, 2.0, 1e-30, 1e30, 1e-44]);
    if (dir * scale).is_finite() && dir * scale != Vec3::ZERO {
        dir *= scale;
    }
    let far = rng.pick(&[0.0, 0.0, 0.0, 1e2, 1e6]);
    let moved = (origin.as_dvec3() - dir.as_dvec3() * far).as_vec3();
    let origin = if moved.is_finite() { moved } else { origin };
    let (t_min, t_max) = rng.pick(&[
        (0.0, f32::INFINITY),
        (0.0, f32::INFINITY),
        (f32::NEG_INFINITY, f32::INFINITY),
        (-0.0, 1.0),
        (-1.0, 0.5),
        (1.0, 1.0),
        (f32::NEG_INFINITY, 0.0),
        (f32::INFINITY, f32::INFINITY),
        (1.0, 0.0),
        (0.0, f32::NAN),
    ]);
    Ray::new(origin, dir).with_interval(t_min, t_max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_box_is_made() {
        let mut rng = Rng::new(1);
        for kind in box_kinds() {
            assert_eq!(boxes(kind, &mut rng, 20).len(), 20, "{kind}");
        }
        assert!(boxes("no such kind", &mut rng, 20).is_empty());
    }
}
