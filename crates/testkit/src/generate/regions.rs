//! Regions for overlap queries.

use super::region_case::{PlaneCase, RegionCase};
use super::target::{Target, lerp, nudged, rounded};
use super::{Rng, Scene};
use estoc_core::Triangle;
use estoc_core::glam::{Mat4, Vec3, Vec4};

/// Generates regions for overlap queries: with faces, edges and corners on vertices, edges and
/// planes of triangles or one ulp beside them, around all or nothing, flat and empty ones, on a
/// grid, and of any bits. All define a shape.
pub fn regions(scene: &Scene, rng: &mut Rng, n: usize) -> Vec<RegionCase> {
    let target = Target::new(&scene.triangles);
    let mut cases = Vec::with_capacity(n);
    while cases.len() < n {
        let case = region(&target, rng);
        if case.region().is_some() {
            cases.push(case);
        }
    }
    cases
}

fn region(target: &Target, rng: &mut Rng) -> RegionCase {
    match rng.below(16) {
        0..=2 => aligned(target, rng),
        3 | 4 => ball(target, rng),
        5 | 6 => oriented(target, rng),
        7 | 8 => image(target, rng),
        9 | 10 => frustum(target, rng),
        11 => RegionCase::HalfSpace(plane(target, rng)),
        12 => RegionCase::Plane(plane(target, rng)),
        13 if rng.one_in(8) => RegionCase::EmptyBox,
        _ => RegionCase::Triangle(triangle(target, rng)),
    }
}

/// Returns a point on a triangle, beside one, on a grid, around, or of any bits.
fn some_point(target: &Target, rng: &mut Rng) -> Vec3 {
    match rng.below(12) {
        0..=3 => target.vertex(rng),
        4 | 5 => target.point(rng),
        6 => nudged(target.point(rng), rng),
        7 | 8 => {
            let step = target.step(rng);
            let point = target.around(rng, 1.2);
            rounded(|i| (f64::from(point[i]) / step).round() * step)
        }
        9 => match rng.one_in(6) {
            true => Vec3::from_array([0; 3].map(|_: i32| rng.finite_bits())),
            false => target.around(rng, 1e3),
        },
        _ => target.around(rng, 1.0),
    }
}

fn aligned(target: &Target, rng: &mut Rng) -> RegionCase {
    let (a, mut b) = (some_point(target, rng), some_point(target, rng));
    for axis in 0..3 {
        if rng.one_in(8) {
            b[axis] = a[axis];
        } else if rng.one_in(3) {
            // A small box, whose edges are more often near triangles than its corners.
            let size = target.size * f64::from(rng.signed()) * 0.1;
            b[axis] = (f64::from(a[axis]) + size) as f32;
        }
    }
    RegionCase::Box(a.min(b), a.max(b))
}

fn ball(target: &Target, rng: &mut Rng) -> RegionCase {
    let center = some_point(target, rng);
    let other = some_point(target, rng);
    let wide = |p: Vec3| p.as_dvec3();
    let radius = match rng.below(5) {
        0 => 0.0,
        1 => (target.size * f64::from(rng.signed()).abs()) as f32,
        _ => (wide(center) - wide(other)).length() as f32,
    };
    let radius = match rng.below(4) {
        0 => radius.next_up(),
        1 => radius.next_down().max(0.0),
        _ => radius,
    };
    RegionCase::Ball(center, radius)
}

/// Returns axes that are about orthonormal.
fn axes(rng: &mut Rng) -> [Vec3; 3] {
    let pythagorean = [
        [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]],
        [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
        [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
    ];
    if rng.one_in(2) {
        return rng.pick(&pythagorean).map(Vec3::from);
    }
    let x = (rng.point() + Vec3::splat(1e-3)).normalize();
    let y = x.cross(rng.point() + Vec3::new(2.0, 0.0, 0.1)).normalize();
    [x, y, x.cross(y)]
}

fn oriented(target: &Target, rng: &mut Rng) -> RegionCase {
    let (center, corner) = (some_point(target, rng), some_point(target, rng));
    let axes = axes(rng);
    let half_sizes = axes.map(|axis| {
        let along = axis.as_dvec3().dot(corner.as_dvec3() - center.as_dvec3());
        match rng.below(6) {
            0 => 0.0,
            1 => (target.size * f64::from(rng.signed()) * 0.2) as f32,
            _ => along as f32,
        }
    });
    RegionCase::Oriented(center, axes, Vec3::from(half_sizes.map(f32::abs)))
}

fn image(target: &Target, rng: &mut Rng) -> RegionCase {
    let [a, b] = match rng.one_in(3) {
        true => [rng.point(), rng.point()],
        false => [rng.grid_point(2), rng.grid_point(2)],
    };
    let origin = some_point(target, rng);
    let mut column = || -> Vec4 {
        let step = target.step(rng);
        let direction = match rng.one_in(2) {
            true => rng.grid_point(2) * step as f32,
            false => some_point(target, rng) - origin,
        };
        direction.extend(0.0)
    };
    let model = Mat4::from_cols(column(), column(), column(), origin.extend(1.0));
    RegionCase::Image(a.min(b), a.max(b), model)
}

/// Returns a plane through three points, or of a short normal, or of any.
fn plane(target: &Target, rng: &mut Rng) -> PlaneCase {
    let point = some_point(target, rng);
    let normal = match rng.below(4) {
        0 => rng.grid_direction(2),
        1 => rng.point(),
        _ => {
            let [b, c] = [some_point(target, rng), some_point(target, rng)];
            let wide = |p: Vec3| p.as_dvec3() - point.as_dvec3();
            let normal = wide(b).cross(wide(c));
            let normal = normal / normal.abs().max_element().max(1e-300);
            rounded(|i| normal[i])
        }
    };
    match rng.below(3) {
        0 => {
            let offset = normal.as_dvec3().dot(point.as_dvec3()) as f32;
            PlaneCase::Offset(normal, offset)
        }
        _ => PlaneCase::Through(point, normal),
    }
}

/// Returns several planes that look at one point, as the faces of a polyhedron do, or not.
fn frustum(target: &Target, rng: &mut Rng) -> RegionCase {
    let inside = some_point(target, rng).as_dvec3();
    let count = rng.below(7);
    let facing = |case: PlaneCase| {
        let (normal, height) = match case {
            PlaneCase::Through(point, normal) => {
                let wide = normal.as_dvec3();
                (normal, wide.dot(inside - point.as_dvec3()))
            }
            PlaneCase::Offset(normal, offset) => {
                (normal, normal.as_dvec3().dot(inside) - f64::from(offset))
            }
        };
        match case {
            _ if height >= 0.0 => case,
            PlaneCase::Through(point, _) => PlaneCase::Through(point, -normal),
            PlaneCase::Offset(_, offset) => PlaneCase::Offset(-normal, -offset),
        }
    };
    let any = rng.one_in(6);
    let planes = (0..count).map(|_| match any {
        true => plane(target, rng),
        false => facing(plane(target, rng)),
    });
    RegionCase::Frustum(planes.collect())
}

/// Returns a triangle that meets those of the mesh in corners, edges, their planes, or not at all.
fn triangle(target: &Target, rng: &mut Rng) -> Triangle {
    let [a, b, c] = target.corners(rng);
    let corners = match rng.below(6) {
        // In the plane of a triangle, as far as rounding allows.
        0 => [lerp(a, b, 0.5), lerp(b, c, 2.0), lerp(a, c, -1.0)],
        // Along an edge.
        1 => [lerp(a, b, 0.25), lerp(a, b, 1.5), some_point(target, rng)],
        // Two or three of its corners.
        2 => [b, a, some_point(target, rng)],
        3 if rng.one_in(3) => [c, a, b],
        _ => [0; 3].map(|_: i32| some_point(target, rng)),
    };
    let [a, b, c] = corners;
    Triangle::new(a, b, c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn regions_repeat_and_are_of_all_kinds() {
        let mut kinds = [0; 9];
        for scene in generate::scenes(3) {
            let cases = |seed| regions(&scene, &mut Rng::new(seed), 30);
            assert_eq!(format!("{:?}", cases(5)), format!("{:?}", cases(5)));
            for case in cases(6) {
                let kind = match case {
                    RegionCase::Box(..) => 0,
                    RegionCase::EmptyBox => 1,
                    RegionCase::Ball(..) => 2,
                    RegionCase::Oriented(..) => 3,
                    RegionCase::Image(..) => 4,
                    RegionCase::Frustum(..) => 5,
                    RegionCase::HalfSpace(..) => 6,
                    RegionCase::Plane(..) => 7,
                    RegionCase::Triangle(..) => 8,
                    other => panic!("{other:?}"),
                };
                kinds[kind] += 1;
            }
        }
        assert!(kinds.iter().all(|&count| count > 0), "{kinds:?}");
    }
}
