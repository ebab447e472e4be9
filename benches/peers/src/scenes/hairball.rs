//! Curved ribbons that grow out of a ball: a million long thin triangles, none along an axis.

use super::{Soup, View};
use crate::random::Random;
use estoc::glam::Vec3;

const STRANDS: usize = 20_000;
const SEGMENTS: u32 = 25;
const SEGMENT: f32 = 0.03;

pub(super) fn hairball() -> (Soup, View) {
    let mut random = Random::new(77);
    let mut soup = Soup::default();
    for _ in 0..STRANDS {
        strand(&mut soup, &mut random);
    }
    let view = soup.view_from(Vec3::new(0.5, 0.3, 1.0), 0.8);
    (soup, view)
}

fn strand(soup: &mut Soup, random: &mut Random) {
    let outward = random.direction();
    let mut at = outward * (0.2 + 0.3 * random.unit());
    let mut along = (outward + random.direction() * 0.9).normalize();
    let half_width = 0.0012 + 0.0015 * random.unit();
    let mut side = along.cross(random.direction()).normalize_or(Vec3::Z);
    let first = soup.positions.len() as u32;
    for segment in 0..=SEGMENTS {
        soup.positions.push(at + side * half_width);
        soup.positions.push(at - side * half_width);
        if segment < SEGMENTS {
            let a = first + 2 * segment;
            soup.faces.push([a, a + 1, a + 2]);
            soup.faces.push([a + 1, a + 3, a + 2]);
        }
        along = (along + random.direction() * 0.28).normalize();
        side = along.cross(side).cross(along).normalize_or(Vec3::Z);
        at += along * SEGMENT;
    }
}
