//! Tubes that lie in each other, touch and cross, for sections.

use super::shape::{quad, scrambled};
use super::{PlaneCase, Rng};
use estoc_core::Triangle;
use estoc_core::glam::Vec3;

/// Generates up to eight tubes without ends around one direction, and a plane that cuts all of them:
/// squares in each other, polygons on a small grid, copies, spikes and tubes whose walls are no planes. Their
/// corners often lie on the plane.
pub fn tubes(rng: &mut Rng) -> (Vec<Triangle>, PlaneCase) {
    let mut triangles = Vec::new();
    let mut last: Vec<[f32; 2]> = Vec::new();
    let scale = rng.pick(&[1.0, 1.0, 1.0, 1e-3, 1e20, 3e-30]);
    let slant = rng.grid_point(2) * rng.pick(&[0.0, 0.25]);
    for _ in 0..1 + rng.below(8) {
        let [x, y] = [0; 2].map(|_| rng.int(-3, 3) as f32);
        let outline: Vec<[f32; 2]> = match rng.below(6) {
            // The same again, from another corner and perhaps the other way around.
            0 if !last.is_empty() => {
                let (at, reversed) = (rng.below(last.len()), rng.one_in(2));
                let mut outline = last.clone();
                outline.rotate_left(at);
                if reversed {
                    outline.reverse();
                }
                outline
            }
            1 | 2 => {
                let size = rng.int(1, 5) as f32 / 2.0;
                let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
                corners.map(|[u, v]| [x + u * size, y + v * size]).into()
            }
            3 => {
                let size = rng.pick(&[0.5, 1.0, 2.0, 7.0]);
                let corners = [[-1.0, 0.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0]];
                corners.map(|[u, v]| [x + u * size, y + v * size]).into()
            }
            4 => (0..2 + rng.below(5))
                .map(|_| rng.point().truncate().into())
                .collect(),
            _ => {
                let corner = |rng: &mut Rng| [rng.int(-3, 3) as f32, rng.int(-3, 3) as f32];
                (0..2 + rng.below(6)).map(|_| corner(rng)).collect()
            }
        };
        // Where the tube begins below the plane, and ends above or on it.
        let [low, high] = [-rng.int(1, 3), rng.int(0, 2)].map(|z| z as f32);
        let twist = rng.pick(&[0, 0, 1]);
        let count = outline.len();
        let at = |i: usize, z: f32| {
            let [x, y] = outline[(i + if z > 0.0 { twist } else { 0 }) % count];
            scale * (Vec3::new(x, y, z) + slant * z)
        };
        let walls =
            (0..count).flat_map(|i| quad(at(i, low), at(i + 1, low), at(i + 1, high), at(i, high)));
        triangles.extend(walls);
        last = outline;
    }
    if rng.one_in(3) {
        triangles = scrambled(rng, triangles);
    }
    let tilt = rng.grid_point(1) * rng.pick(&[0.0, 0.0, 0.125, 1e-6]);
    let normal = (Vec3::Z + Vec3::new(tilt.x, tilt.y, 0.0)) * rng.pick(&[1.0, -1.0, 3.0]);
    // The other axes, too.
    let turn = rng.below(3);
    let turned = |v: Vec3| {
        let mut v = v.to_array();
        v.rotate_left(turn);
        Vec3::from(v)
    };
    for triangle in &mut triangles {
        let [a, b, c] = triangle.corners().map(turned);
        *triangle = Triangle::new(a, b, c);
    }
    let plane = match rng.one_in(2) {
        true => PlaneCase::Through(Vec3::ZERO, turned(normal)),
        false => PlaneCase::Offset(turned(normal), rng.pick(&[0.0, 0.0, 0.25]) * scale),
    };
    (triangles, plane)
}
