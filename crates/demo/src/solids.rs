//! Closed solids in a row: a cube, a dodecahedron of pentagons, a hexagonal prism, a star and a
//! stair whose ends are concave, and a cup of revolution.

use super::mason::{Mason, WallPoint, on_circle, refined};
use super::{Material, Polygons};

/// Generates the solids. The cup gets the triangles that the others leave of `n`.
pub(super) fn solids(n: usize) -> Polygons {
    let mut mason = Mason::default();
    let part = |mason: &mut Mason, name: &str, diffuse: [f32; 3]| {
        let paint = Material::matte(&format!("{name}_paint"), diffuse);
        mason.polygons.begin_part_of(name, "solids", paint);
    };
    part(&mut mason, "cube", [0.7, 0.25, 0.2]);
    mason.block([-6.0, 0.0, -0.5], [-5.0, 1.0, 0.5]);
    part(&mut mason, "dodecahedron", [0.25, 0.5, 0.7]);
    dodecahedron(&mut mason, [-3.3, 0.9, 0.0], 0.5);
    part(&mut mason, "prism", [0.35, 0.6, 0.3]);
    let hexagon = |i| shifted(on_circle(i, 6), 0.7, -1.1);
    mason.prism(&std::array::from_fn::<_, 6, _>(hexagon), 0.0, 1.2);
    part(&mut mason, "star", [0.8, 0.65, 0.2]);
    let star = |i| shifted(on_circle(i, 10), if i % 2 == 0 { 0.85 } else { 0.35 }, 1.1);
    mason.prism(&std::array::from_fn::<_, 10, _>(star), 0.0, 0.6);
    part(&mut mason, "stair", [0.55, 0.45, 0.65]);
    stair(&mut mason, [2.6, 0.0, -0.5]);
    part(&mut mason, "cup", [0.6, 0.6, 0.62]);
    let left = n.saturating_sub(mason.polygons.triangle_count());
    cup(&mut mason, [5.3, 0.0, 0.0], left);
    mason.polygons
}

fn shifted([x, z]: [f64; 2], radius: f64, by: f64) -> [f64; 2] {
    [by + radius * x, radius * z]
}

/// Adds twelve pentagons. Their corners are those of a cube of half size `s` and, above its faces,
/// those of three golden rectangles.
fn dodecahedron(mason: &mut Mason, centre: WallPoint, s: f64) {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    let (short, long) = (s / golden, s * golden);
    for axis in 0..3 {
        // With the axes rotated, the same two roofs stand on every pair of cube faces.
        let at = |x: f64, y: f64, z: f64| {
            let mut point = centre;
            for (i, value) in [x, y, z].into_iter().enumerate() {
                point[(i + axis) % 3] += value;
            }
            point
        };
        for side in [-1.0, 1.0] {
            for tilt in [-1.0, 1.0] {
                // The ridge over +-z runs along x; its pentagon slopes to +-y.
                let mut face = [
                    at(-short, 0.0, side * long),
                    at(-s, tilt * s, side * s),
                    at(0.0, tilt * long, side * short),
                    at(s, tilt * s, side * s),
                    at(short, 0.0, side * long),
                ];
                if side * tilt > 0.0 {
                    face.reverse();
                }
                mason.face(&face);
            }
        }
    }
}

/// Adds four steps; each end is one concave polygon.
fn stair(mason: &mut Mason, [x, y, z]: WallPoint) {
    let mut side: Vec<[f64; 2]> = vec![[0.0, 0.0], [1.2, 0.0]];
    for step in 0..4 {
        let [back, rise] = [1.2 - 0.3 * f64::from(step), 0.3 * f64::from(step + 1)];
        side.push([back, rise]);
        side.push([back - 0.3, rise]);
    }
    side.pop();
    side.push([0.0, 1.2]);
    let at = |[along, up]: [f64; 2], depth: f64| [x + along, y + up, z + depth];
    mason.face(&side.iter().map(|&p| at(p, 1.0)).collect::<Vec<_>>());
    mason.face(&side.iter().rev().map(|&p| at(p, 0.0)).collect::<Vec<_>>());
    for i in 0..side.len() {
        let [a, b] = [side[i], side[(i + 1) % side.len()]];
        mason.face(&[at(a, 1.0), at(a, 0.0), at(b, 0.0), at(b, 1.0)]);
    }
}

/// Adds a hollow goblet of about `n` triangles, at least a few dozen.
fn cup(mason: &mut Mason, centre: WallPoint, n: usize) {
    let outline = [
        [0.0, 0.0],
        [0.6, 0.0],
        [0.6, 0.06],
        [0.12, 0.16],
        [0.1, 0.6],
        [0.55, 0.85],
        [0.65, 1.5],
        [0.6, 1.5],
        [0.5, 0.95],
        [0.0, 0.75],
    ];
    let pieces = outline.len() - 1;
    // Twice as many sides as segments of the profile; two triangles per quad.
    let fine = ((n as f64 / (2.0 * 2.0 * (pieces * pieces) as f64))
        .sqrt()
        .round() as usize)
        .max(1);
    let sides = (n / (2 * pieces * fine)).max(6);
    mason.turned(centre, sides, &refined(&outline, fine));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn every_edge_is_used_once_each_way() {
        for n in [1, 2000, 9000] {
            let solids = solids(n);
            let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
            for face in solids.faces() {
                for i in 0..face.len() {
                    let (a, b) = (face[i], face[(i + 1) % face.len()]);
                    *edges.entry((a, b)).or_default() += 1;
                    assert!(edges[&(a, b)] == 1, "edge {a} {b} twice, n={n}");
                }
            }
            for (a, b) in edges.keys() {
                assert!(edges.contains_key(&(*b, *a)), "edge {a} {b} is open, n={n}");
            }
        }
    }

    #[test]
    fn solids_face_outwards() {
        let solids = solids(2000);
        let parts = solids.parts();
        for (i, part) in parts.iter().enumerate() {
            let end = parts
                .get(i + 1)
                .map_or(solids.face_count(), |next| next.first_face);
            let mut volume = 0.0;
            for face in solids.faces().take(end).skip(part.first_face) {
                let p = |i: usize| solids.positions()[face[i] as usize];
                for i in 1..face.len() - 1 {
                    volume += p(0).dot(p(i).cross(p(i + 1))) / 6.0;
                }
            }
            assert!(volume > 0.1, "{} has volume {volume}", part.object);
        }
    }

    #[test]
    fn the_number_of_triangles_is_near() {
        for n in [1000, 2000, 10_000, 100_000] {
            let got = solids(n).triangle_count();
            assert!(got.abs_diff(n) < n / 10, "{got} for {n}");
        }
    }
}
