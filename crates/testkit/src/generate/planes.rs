//! Planes for sections.

use super::target::{Target, lerp};
use super::{PlaneCase, Rng, Scene};
use estoc_core::glam::Vec3;

/// Generates planes that cut a scene: through vertices, edges and faces, along axes and at random,
/// with normals of all lengths.
pub fn planes(scene: &Scene, rng: &mut Rng, n: usize) -> Vec<PlaneCase> {
    let target = Target::new(&scene.triangles);
    let made = std::iter::repeat_with(|| plane(&target, rng));
    made.flatten().take(n).collect()
}

/// Returns `None` for numbers that are no plane.
fn plane(target: &Target, rng: &mut Rng) -> Option<PlaneCase> {
    let point = match rng.below(4) {
        0 => target.vertex(rng),
        1 => target.point(rng),
        2 => lerp(target.vertex(rng), target.vertex(rng), 0.5),
        _ => target.around(rng, 0.6),
    };
    let mut normal = match rng.below(5) {
        // Through a whole face, as nearly as rounding allows.
        0 => {
            let [a, b, c] = target.corners(rng);
            (b - a).cross(c - a)
        }
        // Along an edge.
        1 => {
            let [a, b, _] = target.corners(rng);
            (b - a).cross(rng.point())
        }
        2 | 3 => Vec3::AXES[rng.below(3)] * rng.pick(&[1.0, -1.0, 3.0]),
        _ => rng.point(),
    };
    if rng.one_in(8) {
        normal *= rng.pick(&[1e-30, 1e30, 1e-10]);
    }
    if !point.is_finite() || !normal.is_finite() || normal == Vec3::ZERO {
        return None;
    }
    let offset = normal.dot(point);
    Some(match offset.is_finite() && rng.one_in(2) {
        true => PlaneCase::Offset(normal, offset),
        false => PlaneCase::Through(point, normal),
    })
}
