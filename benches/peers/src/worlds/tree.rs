//! A tree: a trunk, and leaves in a crown.

use estoc::Mesh;
use estoc::demo::SplitMix64;
use estoc::glam::Vec3;

/// A leaf is two triangles.
const LEAVES: usize = 990;
const TRUNK_SIDES: u32 = 10;
/// The length of a leaf's edges, in heights of the tree.
const LEAF: f32 = 0.05;

/// Makes a tree of 2,000 triangles, one unit high.
pub(super) fn tree() -> Mesh {
    let mut random = SplitMix64::new(22);
    let mut positions = Vec::new();
    let mut faces = Vec::new();
    // A trunk that gets thinner towards the middle of the crown.
    for (height, radius) in [(0.0, 0.03), (0.6, 0.012)] {
        for side in 0..TRUNK_SIDES {
            let angle = side as f32 / TRUNK_SIDES as f32 * std::f32::consts::TAU;
            positions.push(Vec3::new(
                angle.cos() * radius,
                height,
                angle.sin() * radius,
            ));
        }
    }
    for side in 0..TRUNK_SIDES {
        let next = (side + 1) % TRUNK_SIDES;
        let (up, next_up) = (side + TRUNK_SIDES, next + TRUNK_SIDES);
        faces.extend([[side, up, next], [next, up, next_up]]);
    }
    for _ in 0..LEAVES {
        let signed = |random: &mut SplitMix64| random.unit() as f32 * 2.0 - 1.0;
        let mut point = || loop {
            let point = Vec3::new(
                signed(&mut random),
                signed(&mut random),
                signed(&mut random),
            );
            if (0.01..=1.0).contains(&point.length_squared()) {
                return point;
            }
        };
        // More leaves outside than inside.
        let inside = point();
        let at = inside / inside.length().sqrt() * Vec3::new(0.3, 0.33, 0.3);
        let along = point().normalize();
        let across = along.any_orthonormal_vector();
        let (along, across) = (along * (LEAF * 0.5), across * (LEAF * 0.5));
        let first = positions.len() as u32;
        let centre = Vec3::new(0.0, 0.64, 0.0) + at;
        positions.extend([
            centre - along - across,
            centre + along - across,
            centre + along + across,
            centre - along + across,
        ]);
        faces
            .extend([[0, 1, 2], [0, 2, 3]].map(|face: [u32; 3]| face.map(|corner| corner + first)));
    }
    Mesh::try_new(positions, faces).expect("finite corners")
}
