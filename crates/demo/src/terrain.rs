//! Mountains: ridged noise with domain warping.

use super::{Material, Polygons};
use crate::SplitMix64;

const SIZE: f64 = 1000.0;
const HEIGHT: f64 = 260.0;

/// Generates about `n` triangles: two for each cell of the nearest square grid. Equal seeds give
/// the same mountains at every `n`.
pub(super) fn terrain(n: usize, seed: u64) -> Polygons {
    let cells = ((n as f64 / 2.0).sqrt().round() as u32).max(1);
    let noise = Noise::new(seed);
    let mut terrain = Polygons::new();
    terrain.begin_part_of("terrain", "", Material::matte("rock", [0.46, 0.42, 0.37]));
    for row in 0..=cells {
        for column in 0..=cells {
            let [x, z] = [column, row].map(|i| f64::from(i) / f64::from(cells));
            let y = HEIGHT * noise.mountains(x, z);
            let point = [(x - 0.5) * SIZE, y, (z - 0.5) * SIZE];
            terrain.add_position(point.map(|x| x as f32));
        }
    }
    for row in 0..cells {
        for column in 0..cells {
            let at = |r: u32, c: u32| (row + r) * (cells + 1) + column + c;
            let [a, b, c, d] = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
            // The diagonal alternates between cells, so that no direction is preferred.
            if (row + column) % 2 == 0 {
                terrain.add_face(&[a, b, c]);
                terrain.add_face(&[a, c, d]);
            } else {
                terrain.add_face(&[a, b, d]);
                terrain.add_face(&[b, c, d]);
            }
        }
    }
    terrain
}

/// Gradient noise (Perlin 1985) with the quintic fade of Perlin 2002.
struct Noise {
    seed: u64,
}

impl Noise {
    fn new(seed: u64) -> Self {
        Noise {
            seed: SplitMix64::new(seed).bits(),
        }
    }

    /// Returns the height, from about 0 to 1, at a point of the unit square: ridged noise in the
    /// manner of Musgrave (Ebert et al. 1994, "Texturing and Modeling"), where each octave is rough
    /// only where the earlier ones are high, so that valleys stay smooth.
    fn mountains(&self, x: f64, z: f64) -> f64 {
        let warp_x = self.octaves(x * 3.0 + 11.3, z * 3.0 - 4.1, 3);
        let warp_z = self.octaves(x * 3.0 - 7.7, z * 3.0 + 2.9, 3);
        let (x, z) = (x + 0.08 * warp_x, z + 0.08 * warp_z);
        let mut height = 0.0;
        let mut weight = 1.0;
        let mut share = 0.5;
        let mut scale = 3.0;
        for octave in 0..9 {
            let shift = f64::from(octave) * 17.13;
            let ridge = 1.0 - self.at(x * scale + shift, z * scale - shift).abs() * 1.6;
            let ridge = ridge.max(0.0) * ridge.max(0.0);
            height += share * ridge * weight;
            weight = (weight * ridge * 1.6).min(1.0);
            share *= 0.48;
            scale *= 2.03;
        }
        let land = 0.5 + 0.9 * self.octaves(x * 1.6 + 3.7, z * 1.6 + 9.2, 2);
        height * land.clamp(0.08, 1.0)
    }

    fn octaves(&self, x: f64, z: f64, octaves: i32) -> f64 {
        let mut sum = 0.0;
        let mut share = 0.5;
        let mut scale = 1.0;
        for _ in 0..octaves {
            sum += share * self.at(x * scale, z * scale);
            share *= 0.5;
            scale *= 2.0;
        }
        sum
    }

    /// Returns one octave, from about -0.7 to 0.7, zero at integer coordinates.
    fn at(&self, x: f64, z: f64) -> f64 {
        let (x0, z0) = (x.floor(), z.floor());
        let (fx, fz) = (x - x0, z - z0);
        let corner = |i: i64, j: i64| {
            let [gx, gz] = self.gradient(x0 as i64 + i, z0 as i64 + j);
            gx * (fx - i as f64) + gz * (fz - j as f64)
        };
        let (sx, sz) = (fade(fx), fade(fz));
        let low = mix(corner(0, 0), corner(1, 0), sx);
        let high = mix(corner(0, 1), corner(1, 1), sx);
        mix(low, high, sz)
    }

    fn gradient(&self, i: i64, j: i64) -> [f64; 2] {
        let row = SplitMix64::new(self.seed ^ i as u64).bits();
        let mut rng = SplitMix64::new(row ^ j as u64);
        loop {
            let [x, z] = [rng.between(-1.0, 1.0), rng.between(-1.0, 1.0)];
            let square = x * x + z * z;
            if (0.01..=1.0).contains(&square) {
                let length = square.sqrt();
                return [x / length, z / length];
            }
        }
    }
}

fn fade(t: f64) -> f64 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

fn mix(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}
