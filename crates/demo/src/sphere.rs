//! A sphere: an octahedron whose faces are divided into small triangles and projected to radius 1.

use super::{Material, Polygons};
use crate::SplitMix64;
use estoc_core::glam::DVec3;

/// Generates about `n` triangles: 8 k^2 for the nearest whole k. The seed rotates the sphere; with
/// 0 there are corners on the axes.
pub(super) fn sphere(n: usize, seed: u64) -> Polygons {
    let frequency = ((n as f64 / 8.0).sqrt().round() as i64).max(1);
    let axes = axes(seed);
    let mut sphere = Polygons::new();
    sphere.begin_part_of("sphere", "", Material::matte("sphere", [0.7, 0.7, 0.72]));
    let lattice = Lattice { frequency };
    for ring in 0..=2 * frequency {
        for step in 0..lattice.ring_length(ring) {
            let point = lattice.point(ring, step).map(|x| x as f64);
            let length = point.iter().map(|x| x * x).sum::<f64>().sqrt();
            let turned = axes.map(|axis| (0..3).map(|i| axis[i] * point[i] / length).sum::<f64>());
            sphere.add_position(turned.map(|x| x as f32));
        }
    }
    for ring in 0..2 * frequency {
        let north = ring < frequency;
        // In the northern half the lower ring is the longer one: each quarter starts with a
        // triangle whose base is on it. The southern half is the mirror image.
        let (short, long) = if north {
            (ring, ring + 1)
        } else {
            (ring + 1, ring)
        };
        let sides = lattice.side_length(long);
        for quarter in 0..4 {
            for step in 0..sides {
                let low = [step, step + 1].map(|s| lattice.index(long, quarter, s));
                let high = lattice.index(short, quarter, step);
                add(&mut sphere, [high, low[0], low[1]], north);
                if step + 1 < sides {
                    let next = lattice.index(short, quarter, step + 1);
                    add(&mut sphere, [high, low[1], next], north);
                }
            }
        }
    }
    sphere
}

fn add(sphere: &mut Polygons, [a, b, c]: [u32; 3], north: bool) {
    sphere.add_face(&if north { [a, b, c] } else { [a, c, b] });
}

/// The points with integer coordinates and `|x| + |y| + |z| = frequency`, in rings of equal z from
/// the top, each ring in four quarters.
struct Lattice {
    frequency: i64,
}

impl Lattice {
    fn side_length(&self, ring: i64) -> i64 {
        ring.min(2 * self.frequency - ring)
    }

    fn ring_length(&self, ring: i64) -> i64 {
        (4 * self.side_length(ring)).max(1)
    }

    fn point(&self, ring: i64, step: i64) -> [i64; 3] {
        let z = self.frequency - ring;
        let side = self.side_length(ring);
        if side == 0 {
            return [0, 0, z];
        }
        let along = step % side;
        let [x, y] = match step / side {
            0 => [side - along, along],
            1 => [-along, side - along],
            2 => [along - side, -along],
            _ => [along, along - side],
        };
        [x, y, z]
    }

    fn index(&self, ring: i64, quarter: i64, step: i64) -> u32 {
        // Before ring r of the northern half there are 1 + 4 (1 + 2 + ... + (r-1)) points.
        let k = self.frequency;
        let total = 4 * k * k + 2;
        let first = if ring == 0 {
            0
        } else if ring <= k {
            1 + 2 * ring * (ring - 1)
        } else {
            let below = 2 * k - ring;
            total - 1 - 2 * below * (below + 1)
        };
        let place = quarter * self.side_length(ring) + step;
        (first + place % self.ring_length(ring)) as u32
    }
}

/// Returns three perpendicular directions of length 1, right-handed.
fn axes(seed: u64) -> [[f64; 3]; 3] {
    if seed == 0 {
        return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    }
    let cross = |a: [f64; 3], b: [f64; 3]| DVec3::from(a).cross(b.into()).to_array();
    let mut rng = SplitMix64::new(seed);
    let a = rng.direction();
    loop {
        let b = rng.direction();
        let c = cross(a, b);
        let length = c.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 0.1 {
            let c = c.map(|x| x / length);
            return [a, cross(c, a), c];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use estoc_core::{Triangle, is_closed};

    #[test]
    fn closed_welded_and_facing_outwards() {
        for (n, seed) in [(1, 0), (8, 0), (32, 1), (1000, 0), (5000, 77)] {
            let sphere = sphere(n, seed);
            let triangles: Vec<Triangle> = sphere
                .faces()
                .map(|face| {
                    let [a, b, c] = [0, 1, 2].map(|i| sphere.positions()[face[i] as usize]);
                    Triangle::new(a, b, c)
                })
                .collect();
            assert!(is_closed(triangles.iter().copied()));
            for t in &triangles {
                let normal = (t.p1 - t.p0).cross(t.p2 - t.p0);
                assert!(normal.dot(t.p0) > 0.0, "{t:?} of n={n} seed={seed}");
            }
            // Euler: a welded sphere of F triangles has F / 2 + 2 corners.
            assert_eq!(sphere.positions().len(), triangles.len() / 2 + 2);
            for p in sphere.positions() {
                assert!((p.length() - 1.0).abs() < 1e-6);
            }
        }
    }
}
