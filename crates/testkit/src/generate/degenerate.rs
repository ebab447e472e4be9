//! Triangles that engines often handle badly: thin, flat, equal, overlapping, not finite.

use super::Rng;
use super::shape::{map, quad, scrambled, size};
use super::soups::{self, FAR};
use estoc_core::Triangle;
use estoc_core::glam::Vec3;

pub(super) fn empty(_: &mut Rng) -> Vec<Triangle> {
    Vec::new()
}

/// The third corner is a few ulps off the line through the others.
pub(super) fn slivers(rng: &mut Rng) -> Vec<Triangle> {
    let offset = rng.pick(&[Vec3::ZERO, Vec3::ONE, FAR]);
    let count = size(rng);
    (0..count)
        .map(|_| {
            let (a, b) = (rng.point() + offset, rng.point() + offset);
            let on_line = a + (b - a) * rng.pick(&[0.5, 0.3, 1.7, 0.001]);
            let nudged = on_line
                .to_array()
                .map(|x| (0..rng.below(4)).fold(x, |x, _| x.next_up()));
            Triangle::new(a, b, nudged)
        })
        .collect()
}

/// Triangles degenerate to points and segments, among others with area.
pub(super) fn without_area(rng: &mut Rng) -> Vec<Triangle> {
    let triangles = soups::on_a_grid(rng);
    triangles
        .into_iter()
        .map(|triangle| {
            let [a, b, c] = triangle.corners();
            match rng.below(5) {
                0 => Triangle::new(a, a, a),
                1 => Triangle::new(a, b, a),
                2 => Triangle::new(a, b, (a + b) / 2.0),
                3 => Triangle::new(a, a + (b - a) * 2.0, b),
                _ => Triangle::new(a, b, c),
            }
        })
        .collect()
}

/// A few triangles many times, with rotated corners and either orientation.
pub(super) fn duplicates(rng: &mut Rng) -> Vec<Triangle> {
    let few: Vec<_> = soups::large(rng).into_iter().take(3).collect();
    let count = size(rng);
    let triangles = (0..count).map(|_| rng.pick(&few)).collect();
    scrambled(rng, triangles)
}

/// Random triangles, each of them twice.
pub(super) fn doubled_soup(rng: &mut Rng) -> Vec<Triangle> {
    let mut triangles = soups::small(rng);
    triangles.truncate(500);
    triangles.extend(triangles.clone());
    triangles
}

/// Many different triangles in one oblique plane.
pub(super) fn one_plane(rng: &mut Rng) -> Vec<Triangle> {
    let (base, right, up) = (
        rng.grid_point(4),
        rng.grid_direction(3),
        rng.grid_direction(3),
    );
    let count = size(rng);
    (0..count)
        .map(|_| {
            let mut corner = || base + right * rng.int(-3, 3) as f32 + up * rng.int(-3, 3) as f32;
            Triangle::new(corner(), corner(), corner())
        })
        .collect()
}

/// One triangle many times, each one ulp further away.
pub(super) fn layers(rng: &mut Rng) -> Vec<Triangle> {
    let first = soups::one(rng)[0];
    let axis = rng.below(3);
    let mut current = map(vec![first], |p| p + Vec3::splat(2.0))[0];
    let count = 1 + rng.below(60);
    let mut triangles = Vec::with_capacity(count);
    for _ in 0..count {
        triangles.push(current);
        if !rng.one_in(4) {
            current = map(vec![current], |mut p| {
                p[axis] = p[axis].next_up();
                p
            })[0];
        }
    }
    rng.shuffle(&mut triangles);
    triangles
}

/// Triangles whose corners lie in the middle of other triangles' edges and faces.
pub(super) fn t_junctions(rng: &mut Rng) -> Vec<Triangle> {
    let mut triangles: Vec<Triangle> = soups::on_a_grid(rng).into_iter().take(4).collect();
    let count = size(rng).min(996);
    for _ in 0..count {
        let [a, b, c] = rng.pick(&triangles).corners();
        let side = (a + b) / 2.0;
        let foot = rng.pick(&[side, (side + c) / 2.0, a]);
        triangles.push(Triangle::new(foot, rng.grid_point(3), rng.grid_point(3)));
    }
    triangles
}

/// A fan around one corner: a tent, a pit or a flat disc.
pub(super) fn fan(rng: &mut Rng) -> Vec<Triangle> {
    let tip = Vec3::new(0.0, 0.0, rng.int(-1, 1) as f32);
    let rim: Vec<[i32; 2]> = (-3..3)
        .flat_map(|i| [[i, -3], [3, i], [-i, 3], [-3, -i]])
        .collect();
    let mut rim: Vec<Vec3> = rim
        .iter()
        .map(|&[x, y]| Vec3::new(x as f32, y as f32, 0.0))
        .collect();
    // By angle, without trigonometry: along the lower, right, upper and left sides.
    rim.sort_by_key(|p| {
        let (x, y) = (p.x as i32, p.y as i32);
        match (x, y) {
            (x, -3) if x < 3 => x,
            (3, y) if y < 3 => 10 + y,
            (x, 3) if x > -3 => 20 - x,
            (_, y) => 30 - y,
        }
    });
    let next = rim.iter().cycle().skip(1);
    let triangles = rim
        .iter()
        .zip(next)
        .map(|(&a, &b)| Triangle::new(tip, a, b))
        .collect();
    scrambled(rng, triangles)
}

/// Two slopes that meet in a ridge.
pub(super) fn ridge(rng: &mut Rng) -> Vec<Triangle> {
    let width = rng.int(1, 6);
    let at = |x: i32, y: i32, z: i32| Vec3::new(x as f32, y as f32, z as f32);
    (0..width)
        .flat_map(|i| {
            let left = quad(at(i, -1, 0), at(i + 1, -1, 0), at(i + 1, 0, 1), at(i, 0, 1));
            let right = quad(at(i, 0, 1), at(i + 1, 0, 1), at(i + 1, 1, 0), at(i, 1, 0));
            left.into_iter().chain(right)
        })
        .collect()
}

/// A terrain of integer heights, or all flat.
pub(super) fn height_field(rng: &mut Rng) -> Vec<Triangle> {
    let (cells, roughness) = (rng.int(1, 12) as usize, rng.int(0, 2));
    let heights: Vec<i32> = (0..(cells + 1) * (cells + 1))
        .map(|_| rng.int(-roughness, roughness))
        .collect();
    let at =
        |x: usize, y: usize| Vec3::new(x as f32, y as f32, heights[y * (cells + 1) + x] as f32);
    (0..cells * cells)
        .flat_map(|cell| {
            let (x, y) = (cell % cells, cell / cells);
            quad(at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1))
        })
        .collect()
}

/// Some corners are NaN or infinite; the other triangles, if any, must still be hit.
pub(super) fn not_finite(rng: &mut Rng) -> Vec<Triangle> {
    let mut triangles = soups::small(rng);
    for triangle in &mut triangles {
        if rng.one_in(3) {
            let bad = rng.pick(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY]);
            let corner = rng.pick(&[0, 1, 2]);
            let corners = [&mut triangle.p0, &mut triangle.p1, &mut triangle.p2];
            corners.into_iter().nth(corner).expect("one of three")[rng.below(3)] = bad;
        }
    }
    triangles
}
