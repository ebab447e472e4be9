//! Curved ribbons that grow out of a ball: long thin triangles, none axis-aligned.

use crate::single_random::SingleRandom;
use crate::triangle_list::TriangleList;
use estoc_core::glam::Vec3;

const SEGMENTS: u32 = 25;
const SEGMENT: f32 = 0.03;

/// Generates about `n` triangles: the nearest number of strands of 50 triangles each. A smaller
/// scene consists of the first strands of a larger one.
pub(super) fn hairball(n: usize) -> TriangleList {
    const EACH: usize = 2 * SEGMENTS as usize;
    let strands = ((n + EACH / 2) / EACH).max(1);
    let mut random = SingleRandom::new(77);
    let mut hair = TriangleList::default();
    for _ in 0..strands {
        strand(&mut hair, &mut random);
    }
    hair
}

fn strand(hair: &mut TriangleList, random: &mut SingleRandom) {
    let outward = random.direction();
    let mut at = outward * (0.2 + 0.3 * random.unit());
    let mut along = (outward + random.direction() * 0.9).normalize();
    let half_width = 0.0012 + 0.0015 * random.unit();
    let mut side = along.cross(random.direction()).normalize_or(Vec3::Z);
    let first = hair.positions.len() as u32;
    for segment in 0..=SEGMENTS {
        hair.positions.push(at + side * half_width);
        hair.positions.push(at - side * half_width);
        if segment < SEGMENTS {
            let a = first + 2 * segment;
            hair.faces.push([a, a + 1, a + 2]);
            hair.faces.push([a + 1, a + 3, a + 2]);
        }
        along = (along + random.direction() * 0.28).normalize();
        side = along.cross(side).cross(along).normalize_or(Vec3::Z);
        at += along * SEGMENT;
    }
}
