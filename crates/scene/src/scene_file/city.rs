//! A city: a few buildings, placed many times.

use super::{ObjectSource, SceneFile};
use estoc_core::PlacementMatrix;
use estoc_demo::{Demo, DemoSpec, SplitMix64};
use std::f64::consts::FRAC_PI_2;

/// The side of the square around each building.
const LOT: f64 = 56.0;
/// How far a building may be from the middle of its square, along each axis.
const SHIFT: f64 = 3.0;
/// How far a building may be turned away from its row, in radians.
const TURN: f64 = 0.15;
/// The thickness of the ground, whose top is at y = 0.
const GROUND: f64 = 2.0;

/// Generates `n` placements: the ground, and buildings in rows around the origin.
pub(super) fn city(name: &str, n: usize, seed: u64) -> SceneFile {
    let mut file = SceneFile::generated(name);
    let mesh = |demo| ObjectSource::DemoMesh(DemoSpec::new(demo));
    let ground = file.add_object("ground", mesh(Demo::Box));
    // With their usual sizes in a square.
    let buildings = [
        (file.add_object("tower", mesh(Demo::Tower)), 1.5),
        (file.add_object("court", mesh(Demo::Court)), 1.0),
        (file.add_object("house", mesh(Demo::House)), 2.0),
    ];
    let rows = ((n - 1) as f64).sqrt().ceil().max(1.0) as usize;
    let side = rows as f64 * LOT;
    let slab = [
        [side, 0.0, 0.0, 0.0],
        [0.0, GROUND, 0.0, -GROUND],
        [0.0, 0.0, side, 0.0],
    ];
    file.add_placement(ground, with_inverse(slab), None);
    let mut random = SplitMix64::new(seed);
    for place in 0..n - 1 {
        let (building, size) = buildings[[0, 1, 1, 2, 2, 2][random.below(6)]];
        let angle = FRAC_PI_2 * random.below(4) as f64 + random.between(-TURN, TURN);
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        let [wide, deep] = [(); 2].map(|()| size * random.between(0.8, 1.1));
        let high = size * random.between(0.6, 1.4);
        let [x, z] = [place % rows, place / rows].map(|lot| {
            let middle = (lot as f64 + 0.5) * LOT - 0.5 * side;
            middle + random.between(-SHIFT, SHIFT)
        });
        // Scaled along its own axes, then turned about the vertical.
        let matrix = [
            [wide * cos, 0.0, deep * sin, x],
            [0.0, high, 0.0, 0.0],
            [-wide * sin, 0.0, deep * cos, z],
        ];
        file.add_placement(building, with_inverse(matrix), None);
    }
    file
}

pub(super) fn with_inverse(rows: [[f64; 4]; 3]) -> PlacementMatrix {
    PlacementMatrix::from_rows(rows).expect("a rotation with scales that are not 0")
}
