//! Unconnected triangles.

use super::{Material, Polygons};
use crate::SplitMix64;

/// Generates exactly `n` triangles in a box from -5 to 5, each a few percent of it in size, so that
/// some overlap and some intersect.
pub(super) fn soup(n: usize, seed: u64) -> Polygons {
    let mut rng = SplitMix64::new(seed);
    let mut soup = Polygons::new();
    soup.begin_part_of("soup", "", Material::matte("soup", [0.6, 0.6, 0.6]));
    for _ in 0..n {
        let centre: [f64; 3] = std::array::from_fn(|_| rng.between(-4.5, 4.5));
        let size = rng.between(0.02, 0.5);
        let corners: [u32; 3] = std::array::from_fn(|_| {
            let corner = centre.map(|x| (x + size * rng.between(-1.0, 1.0)) as f32);
            soup.add_position(corner)
        });
        soup.add_face(&corners);
    }
    soup
}
